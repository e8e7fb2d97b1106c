/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf: every conversion and flag, with the examples of spec/language.md 7.2.
 */
#include <stdlib.h>

#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = {
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .histwidth = 50, .histelision = 2 },
};

/* Reads one directive as the translator would, so that the tests below can be written as formats. */
static const char *parse(const char *p, struct sp_format_part *part)
{
	*part = (struct sp_format_part){ .width = -1, .prec = -1 };
	if (strchr("-+ #0", *p))
		part->flag = *p++;
	if (part->flag && part->flag != '0' && *p == '0') {
		part->zero = 1;
		p++;
	}
	if (*p == '*') {
		part->star |= 1;
		p++;
	} else if (*p >= '1' && *p <= '9') {
		part->width = strtol(p, (char **)&p, 10);
	}
	if (*p == '.') {
		p++;
		part->prec = 0;
		if (*p == '*') {
			part->star |= 2;
			p++;
		} else if (*p >= '0' && *p <= '9') {
			part->prec = strtol(p, (char **)&p, 10);
		}
	}
	if (*p == 'l')
		p++;
	part->conv = *p;
	return p + 1;
}

static struct sp_format format_of(const char *text, struct sp_format_part parts[16])
{
	struct sp_format f = { 0, parts };

	while (*text) {
		size_t n = strcspn(text, "%");

		if (n)
			parts[f.nparts++] = (struct sp_format_part){ .text = text, .len = n };
		text += n;
		if (*text)
			text = parse(text + 1, &parts[f.nparts++]);
	}
	return f;
}

static const char *print(const char *text, const union sp_val *args)
{
	struct sp_format_part parts[16];
	struct sp_format f = format_of(text, parts);
	struct sp_ctx *c = host_context();

	sp_printf(c, &f, args);
	return c->error ? c->error : host_printed(c);
}

#define N(v) { .n = (v) }
#define S(v) { .s = SP_STR(v) }
#define PRINT(text, ...) print(text, (union sp_val[]){ __VA_ARGS__ })
#define IS(want, text, ...) check_str(PRINT(text, __VA_ARGS__), want, __LINE__, text)

static void test_numbers(void)
{
	IS("   42|", "%5d|", N(42));
	IS("42   |", "%-5d|", N(42));
	IS("-0042", "%05d", N(-42));
	IS("+42", "%+d", N(42));
	IS("-42", "%+i", N(-42));
	IS(" 42", "% d", N(42));
	IS("000a", "%.4x", N(10));
	IS("    0xff", "%#8x", N(255));
	IS("0X00FF", "%#06X", N(255));
	IS("0x0", "%#x", N(0));
	IS("0x0000ff", "%08p", N(255));
	IS("0xff", "%p", N(255));
	IS("0x0", "%p", N(0));
	IS("17", "%o", N(15));
	IS("017", "%#o", N(15));
	IS("00", "%#o", N(0));
	IS("18446744073709551615", "%u", N(-1));
	IS("ffffffffffffffff", "%x", N(-1));
	IS("-9223372036854775808", "%ld", N(-0x7fffffffffffffffll - 1));
	IS("1777777777777777777777", "%o", N(-1));
	IS("0", "%.0d", N(0));
	IS("0", "%.d", N(0));
	IS("  007", "%5.3d", N(7));
	IS(" -007", "%5.3d", N(-7));
	IS("3    ", "%-05d", N(3));
	IS("+0003", "%+05d", N(3));
}

static void test_stars(void)
{
	IS("3 3      x", "%ld %-05d %*.*s", N(3), N(3), N(2), N(4), S("x"));
	IS("    x", "%*s", N(5), S("x"));
	IS("x", "%*s", N(-5), S("x"));
	IS("00042", "%.*d", N(5), N(42));
	IS("   ab", "%*.*s", N(5), N(2), S("abc"));
}

static void test_strings(void)
{
	IS("ab", "%.2s", S("abc"));
	IS("  abc|", "%5s|", S("abc"));
	IS("abc  |", "%-5s|", S("abc"));
	IS("abc", "%#s", S("abc"));
	IS("", "%.0s", S("abc"));
	IS("A", "%c", N('A'));
	IS("  A|", "%3c|", N('A'));
	IS("\\a\\b\\f\\n\\r\\t\\v\\'\\\\", "%#c%#c%#c%#c%#c%#c%#c%#c%#c", N(7), N(8), N(12), N(10), N(13), N(9),
	   N(11), N('\''), N('\\'));
	IS("\\001\\377\"", "%#c%#c%#c", N(1), N(255), N('"'));
}

/* Bytes with NULs in them: compared as memory. */
static void test_bytes(void)
{
	struct sp_format_part parts[16];
	struct sp_format f;
	struct sp_ctx *c;
	static const struct {
		const char *text, *want;
		unsigned n;
	} rows[] = {
		{ "%b", "\x08\x07\x06\x05\x04\x03\x02\x01", 8 },
		{ "%4b", "\x08\x07\x06\x05", 4 },
		{ "%.2b", "\x08\x07", 2 },
		{ "%1b", "\x08", 1 },
		{ "%4.2b", "\0\0\x08\x07", 4 },
		{ "%-4.2b", "\x08\x07\0\0", 4 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		union sp_val v = N(0x0102030405060708);

		f = format_of(rows[i].text, parts);
		c = host_context();
		sp_printf(c, &f, &v);
		check_result(c->out_len == rows[i].n && !memcmp(c->out, rows[i].want, rows[i].n), __LINE__,
			     rows[i].text, "other bytes");
	}
	f = format_of("%0s|", parts);
	c = host_context();
	sp_printf(c, &f, (union sp_val[]){ S("ab") });
	CHECK(c->out_len == 4 && !memcmp(c->out, "ab\0|", 4));
}

static void test_memory(void)
{
	host_pages[1] = HOST_BAD;
	memcpy(host_memory, "hello\x01\xfe", 7);
	IS("h", "%m", N(HOST_BASE));
	IS("hello", "%.5m", N(HOST_BASE));
	IS("  hello", "%7.5m", N(HOST_BASE));
	IS("hel", "%#.3m", N(HOST_BASE));
	IS("68656c6c6f01fe", "%.7M", N(HOST_BASE));
	IS("68    |", "%-6M|", N(HOST_BASE));
	IS("4097 is too many bytes for a memory dump", "%.4097m", N(HOST_BASE));
	IS("read fault [man error::fault] at 0x11000", "%.1m", N(HOST_BASE + 4096));
	host_pages[1] = HOST_PRESENT;
}

static void test_limits(void)
{
	struct sp_format_part parts[16];
	struct sp_format f = format_of("%100d|", parts);
	struct sp_ctx *c = host_context();
	struct sp_str s = sp_sprintf(c, &f, (union sp_val[]){ N(1) });

	CHECK_NUM(s.n, 63);
	CHECK_NUM(host_session->losses[SP_CUT_STRING], 1);
	CHECK(s.p[62] == ' ');
	f = format_of("%s=%d", parts);
	CHECK_STR(host_text(sp_sprintf(c, &f, (union sp_val[]){ S("a"), N(-1) })), "a=-1");
	f = format_of("a%cb", parts);
	CHECK_NUM(sp_sprintf(c, &f, (union sp_val[]){ N(0) }).n, 1);
	host_clear();
	f = format_of("%9000d", parts);
	sp_printf(c, &f, (union sp_val[]){ N(1) });
	CHECK_NUM(strlen(host_out) + c->out_len, 8192);
}

int main(void)
{
	host_start();
	test_numbers();
	test_stars();
	test_strings();
	test_bytes();
	test_memory();
	test_limits();
	return check_end();
}
