/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings: cuts, joining in place, storage, escapes, reading from the target, the library's functions.
 */
#include "check.h"
#include "host-platform.h"

static const struct sp_object objects[] = { { .path = "/bin/a" }, { .path = "/lib/b" } };
static const struct sp_site site = {
	.kind = SP_SITE_RETURN, .point = "process(\"/bin/a\").function(\"main@a.c:5\").return", .name = "main",
};
const struct sp_script sp_script = {
	.name = "spile_unit", .nobjects = 2, .objects = objects, .globals_size = 64,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 16 },
};

#define TEXT(s) host_text(s)

static void test_concat(void)
{
	struct sp_ctx *c = host_context();
	struct sp_str a = sp_concat(c, SP_STR("abc"), SP_STR("de")), b, d;
	char *at = c->arena_at;

	CHECK_STR(TEXT(a), "abcde");
	b = sp_concat(c, a, SP_STR("fg"));
	CHECK(b.p == a.p);			/* grown in place */
	CHECK_NUM(c->arena_at - at, 2);
	d = sp_concat(c, a, SP_STR("XY"));	/* the same again must not touch b */
	CHECK_STR(TEXT(b), "abcdefg");
	CHECK_STR(TEXT(d), "abcdeXY");
	CHECK_STR(TEXT(a), "abcde");
	CHECK_NUM(host_session->losses[SP_CUT_STRING], 0);
	CHECK_STR(TEXT(sp_concat(c, SP_STR("0123456789"), SP_STR("0123456789"))), "012345678901234");
	CHECK_NUM(host_session->losses[SP_CUT_STRING], 1);
	CHECK_STR(TEXT(sp_concat(c, SP_EMPTY, SP_EMPTY)), "");
	CHECK(sp_strcmp(SP_STR("a"), SP_STR("ab")) < 0 && sp_strcmp(SP_STR("b"), SP_STR("ab")) > 0);
	CHECK(sp_strcmp(SP_STR("\xff"), SP_STR("a")) > 0 && !sp_strcmp(SP_STR("12345678a"), SP_STR("12345678a")));
	CHECK(sp_strcmp(SP_STR("12345678a"), SP_STR("12345678b")) < 0);
	c->arena_at = c->arena_end - 2;
	sp_concat(c, SP_STR("ab"), SP_STR("c"));
	CHECK_STR(c->error, "out of memory for strings");
	c->error = NULL;
	CHECK(!sp_arena_alloc(c, 8) && c->error);
}

/* Views that live on move down to the mark, in order, sharing the bytes that they shared. */
static void test_release(void)
{
	struct sp_ctx *c = host_context();
	struct sp_str below = sp_concat(c, SP_STR("be"), SP_STR("low")), fixed = SP_STR("static"), none = SP_EMPTY;
	char *mark = c->arena_at;
	struct sp_str grown = sp_concat(c, below, SP_STR("+up")), one, two, part, same;

	sp_concat(c, SP_STR("ju"), SP_STR("nk"));
	one = sp_concat(c, SP_STR("fir"), SP_STR("st"));
	sp_concat(c, SP_STR("ju"), SP_STR("nk"));
	two = sp_concat(c, SP_STR("sec"), SP_STR("ond"));
	part = sp_substr(c, two, 2, 4);
	same = two;
	sp_tokenize(c, sp_concat(c, SP_STR("a b"), SP_STR(" c")), SP_STR(" "));
	SP_RELEASE(c, mark, &part, &below, &one, &none, &two, &fixed, &same, &grown);
	CHECK_STR(TEXT(below), "below");
	CHECK_STR(TEXT(grown), "below+up");
	CHECK(grown.p == below.p);
	CHECK_STR(TEXT(one), "first");
	CHECK(one.p == mark + 3);
	CHECK_STR(TEXT(two), "second");
	CHECK_STR(TEXT(part), "cond");
	CHECK(same.p == two.p && part.p == two.p + 2 && two.p == one.p + 5);
	CHECK_STR(TEXT(fixed), "static");
	CHECK_STR(TEXT(sp_tokenize(c, SP_EMPTY, SP_STR(" "))), "b");
	CHECK_NUM(c->arena_at - mark, 3 + 5 + 6 + 3);
	c->tokens = SP_EMPTY;
	SP_RELEASE(c, mark);
	CHECK(c->arena_at == mark);
	SP_RELEASE(c, mark, &below);
	CHECK_STR(TEXT(below), "below");
}

static void test_store(void)
{
	struct sp_ctx *c = host_context();
	struct sp_str view;

	sp_string_store(c, c->globals, SP_STR("0123456789abcdefgh"));
	CHECK(c->wrote);
	view = sp_string_load(c, c->globals);
	CHECK_STR(TEXT(view), "0123456789abcde");
	sp_string_store(c, c->globals, SP_STR("new"));
	CHECK_STR(TEXT(view), "0123456789abcde");
	CHECK_STR(TEXT(sp_string_load(c, c->globals)), "new");
}

static void test_parts(void)
{
	struct sp_ctx *c = host_context();

	CHECK_STR(TEXT(sp_substr(c, SP_STR("hello"), 1, 3)), "ell");
	CHECK_STR(TEXT(sp_substr(c, SP_STR("hello"), 1, 100)), "ello");
	CHECK_STR(TEXT(sp_substr(c, SP_STR("hello"), 5, 1)), "");
	CHECK_STR(TEXT(sp_substr(c, SP_STR("hello"), -1, 2)), "");
	CHECK_STR(TEXT(sp_substr(c, SP_STR("hello"), 0, 0)), "");
	CHECK_NUM(sp_strpos(SP_STR("hello"), SP_STR("lo")), 3);
	CHECK_NUM(sp_strpos(SP_STR("hello"), SP_STR("")), 0);
	CHECK_NUM(sp_strpos(SP_STR("hello"), SP_STR("hello!")), -1);
	CHECK_STR(TEXT(sp_str_replace(c, SP_STR("abcabc"), SP_STR("bc"), SP_STR("X"))), "aXaX");
	CHECK_STR(TEXT(sp_str_replace(c, SP_STR("aaa"), SP_STR("aa"), SP_STR("b"))), "ba");
	CHECK_STR(TEXT(sp_str_replace(c, SP_STR("abc"), SP_EMPTY, SP_STR("X"))), "abc");
	CHECK_STR(TEXT(sp_str_replace(c, SP_STR("aaaa"), SP_STR("a"), SP_STR("12345"))), "123451234512345");
	CHECK_NUM(sp_stringat(c, SP_STR("a\xff"), 1), 255);
	CHECK(!c->error);
	sp_stringat(c, SP_STR("ab"), 2);
	CHECK_STR(c->error, "Position out of bounds");
}

static void test_numbers(void)
{
	CHECK_NUM(sp_strtol(SP_STR("123abc"), 10), 123);
	CHECK_NUM(sp_strtol(SP_STR("-12"), 10), -12);
	CHECK_NUM(sp_strtol(SP_STR("0x1F"), 0), 31);
	CHECK_NUM(sp_strtol(SP_STR("0x1f"), 16), 31);
	CHECK_NUM(sp_strtol(SP_STR("1f"), 16), 31);
	CHECK_NUM(sp_strtol(SP_STR("017"), 0), 15);
	CHECK_NUM(sp_strtol(SP_STR("0x"), 0), 0);
	CHECK_NUM(sp_strtol(SP_STR("zz"), 36), 35 * 36 + 35);
	CHECK_NUM(sp_strtol(SP_STR("junk"), 10), 0);
	CHECK_NUM(sp_strtol(SP_EMPTY, 10), 0);
	CHECK_STR(TEXT(sp_errno_name(-2)), "ENOENT");
	CHECK_STR(TEXT(sp_errno_name(11)), "EAGAIN");
	CHECK_STR(TEXT(sp_errno_name(110)), "ETIMEDOUT");
	CHECK_STR(TEXT(sp_errno_name(133)), "EHWPOISON");
	CHECK_STR(TEXT(sp_errno_name(41)), "");
	CHECK_STR(TEXT(sp_errno_name(0)), "");
	CHECK_STR(TEXT(sp_errno_name(134)), "");
}

static void test_tokens(void)
{
	struct sp_ctx *c = host_context();

	CHECK_STR(TEXT(sp_tokenize(c, SP_EMPTY, SP_STR(","))), "");
	CHECK_STR(TEXT(sp_tokenize(c, SP_STR(",a,,bc;d,"), SP_STR(","))), "a");
	CHECK_STR(TEXT(sp_tokenize(c, SP_EMPTY, SP_STR(","))), "bc;d");
	CHECK_STR(TEXT(sp_tokenize(c, SP_EMPTY, SP_STR(","))), "");
	CHECK_STR(TEXT(sp_tokenize(c, SP_STR("one two three"), SP_STR(" "))), "one");
	CHECK_STR(TEXT(sp_tokenize(c, SP_EMPTY, SP_EMPTY)), "two three");
}

static void test_escapes(void)
{
	struct sp_ctx *c = host_context();

	CHECK_STR(TEXT(sp_text_str(c, SP_STR("a\tb\"\\"), 0, 0)), "a\\tb\\\"\\\\");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\a\b\f\n\r\v"), 0, 0)), "\\a\\b\\f\\n\\r\\v");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\1\177\200"), 0, 0)), "\\001\\177\\200");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\xc3\xa4z"), 0, 0)), "\\u00E4z");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\xf0\x9f\x98\x80"), 0, 0)), "\\U0001F600");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\xc0\x80"), 0, 0)), "\\300\\200");	/* overlong */
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\xed\xa0\x80"), 0, 0)), "\\355\\240\\200");	/* surrogate */
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("\xe2\x82"), 0, 0)), "\\342\\202");	/* cut off */
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("ab"), 0, 1)), "\"ab\"");
	CHECK_STR(TEXT(sp_text_str(c, SP_EMPTY, 0, 1)), "\"\"");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("abcdefgh"), 10, 1)), "\"abcdefgh\"");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("abcdefghi"), 10, 1)), "\"abcde\"...");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("abcd\nefghi"), 10, 1)), "\"abcd\"...");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("abcdef"), 3, 0)), "abc");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("ab\n"), 3, 0)), "ab");
	CHECK_STR(TEXT(sp_text_str(c, SP_STR("abcdef"), 1, 1)), "\"\"...");
}

static void test_user(void)
{
	struct sp_ctx *c = host_context();
	struct sp_str s;
	sp_uaddr edge = HOST_BASE + 4096;

	memset(host_memory, 'z', sizeof(host_memory));
	memcpy(host_memory + 4090, "hello", 6);		/* ends on the page's last byte */
	host_pages[1] = HOST_BAD;
	CHECK_STR(TEXT(sp_user_string(c, edge - 6, 100)), "hello");
	CHECK(!c->error);
	CHECK_STR(TEXT(sp_user_string(c, edge - 6, 3)), "hel");
	memcpy(host_memory + 4090, "hello!", 6);
	CHECK(!sp_try_user_string(c, edge - 6, 100, &s) && !c->error);
	CHECK_STR(TEXT(sp_user_string(c, edge - 6, 6)), "hello!");
	sp_user_string(c, edge - 6, 100);
	CHECK_STR(c->error, "user string copy fault -14 at 0x10ffa [man error::fault]");
	c->error = NULL;
	CHECK_STR(TEXT(sp_user_string_quoted(c, edge - 6, 100, 0)), "0x10ffa");
	CHECK_STR(TEXT(sp_user_string_quoted(c, 0, 100, 0)), "0x0");
	CHECK_STR(TEXT(sp_user_string_quoted(c, edge - 6, 2, 0)), "\"he\"");
	host_memory[2] = 0;
	CHECK_STR(TEXT(sp_user_buffer_quoted(c, HOST_BASE, 4, 0)), "\"zz\\000z\"");
	CHECK_STR(TEXT(sp_user_buffer_quoted(c, edge - 2, 4, 0)), "0x10ffe");
	host_memory[2] = 'z';
	host_pages[1] = HOST_ABSENT;
	memcpy(host_memory + 4090, "hello two", 10);
	host_reads = 0;
	CHECK_STR(TEXT(sp_user_string(c, edge - 6, 100)), "hello two");
	CHECK_NUM(host_reads, 1);
	host_session->losses[SP_CUT_STRING] = 0;
	CHECK_STR(TEXT(sp_user_string(c, HOST_BASE, 511)), "zzzzzzzzzzzzzzz");
	CHECK_NUM(host_session->losses[SP_CUT_STRING], 1);
	CHECK_STR(TEXT(sp_user_string(c, HOST_BASE, 15)), "zzzzzzzzzzzzzzz");
	CHECK_NUM(host_session->losses[SP_CUT_STRING], 1);
	memcpy(host_memory, "\xfe\xff\xff\xff", 4);
	CHECK_NUM(sp_user_int(c, HOST_BASE, 1, 1), -2);
	CHECK_NUM(sp_user_int(c, HOST_BASE, 2, 0), 0xfffe);
	CHECK_NUM(sp_user_int(c, HOST_BASE, 4, 1), -2);
	CHECK_NUM(sp_user_int(c, 8, 4, 1), 0);
	CHECK(!c->error);
}

static void test_context(void)
{
	struct sp_ctx *c = host_context();
	struct sp_regs regs = { .flags = 0x246 };

	CHECK_STR(TEXT(sp_execname(c)), "unit");
	CHECK_NUM(sp_pid(c), 1000);
	CHECK_STR(TEXT(sp_pp(c)), "unit");
	CHECK_STR(TEXT(sp_ppfunc(c)), "");
	sp_register(c, SP_STR("rax"), 1);
	CHECK_STR(c->error, "cannot access CPU registers in this context");
	c->error = NULL;
	c->site = &site;
	c->regs = &regs;
	CHECK_STR(TEXT(sp_ppfunc(c)), "main");
	CHECK_STR(TEXT(sp_probefunc(c)), "main");
	CHECK_NUM(sp_is_return(c), 1);
	regs.r[0] = 0x1122334455fe8081;
	regs.r[5] = 7;
	regs.r[9] = 6;
	regs.r[7] = HOST_BASE + 8;
	regs.r[16] = 0x401000;
	memcpy(host_memory + 16, "\x2a\0\0\0\0\0\0", 8);
	CHECK_NUM(sp_register(c, SP_STR("al"), 1), -127);
	CHECK_NUM(sp_register(c, SP_STR("al"), 0), 129);
	CHECK_NUM(sp_register(c, SP_STR("ah"), 1), -128);
	CHECK_NUM(sp_register(c, SP_STR("eax"), 1), 0x55fe8081);
	CHECK_NUM(sp_register(c, SP_STR("flags"), 1), 0x246);
	CHECK_NUM(sp_addr(c), 0x401000);
	CHECK_NUM(sp_arg(c, 1), 7);
	CHECK_NUM(sp_arg(c, 6), 6);
	CHECK_NUM(sp_arg(c, 7), 42);
	sp_arg(c, 0);
	CHECK_STR(c->error, "cannot access arg(0)");
	c->error = NULL;
	sp_register(c, SP_STR("r77"), 1);
	CHECK_STR(c->error, "Unknown register: r77");
	c->error = NULL;
	CHECK_NUM(sp_object_bias(c, 0), 0x1000);
	sp_object_bias(c, 1);
	CHECK_STR(c->error, "/lib/b is not mapped in this process");
}

int main(void)
{
	host_start();
	test_concat();
	test_release();
	test_store();
	test_parts();
	test_numbers();
	test_tokens();
	test_escapes();
	test_user();
	test_context();
	return check_end();
}
