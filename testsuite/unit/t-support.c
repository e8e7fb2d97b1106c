/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests support/: arenas, spans, messages, strings, files and children. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"
#include "support/strbuf.h"
#include "testsuite/unit/check.h"

static void arenas(void)
{
	struct arena *a = arena_new();
	struct str *one = str_intern(a, "name");
	bool zero = true;
	char *big;

	CHECK(str_intern_n(a, "names", 4) == one);
	CHECK(str_intern(a, "names") != one);
	CHECK(str_intern_n(a, "a\0b", 3) != str_intern(a, "a"));
	for (int i = 0; i < 10000; i++)
		str_intern(a, arena_printf(a, "name %d", i));
	CHECK(str_intern(a, "name") == one);
	CHECK(str_intern(a, "name 77") == str_intern(a, "name 77"));
	big = arena_alloc(a, 1000000);
	for (int i = 0; i < 1000000; i++)
		zero = zero && !big[i];
	CHECK(zero);
	CHECK_STR(arena_strndup(a, "abc", 2), "ab");
	arena_free(a);
}

static void strings(void)
{
	struct strbuf b = { 0 };

	for (int i = 0; i < 1000; i++)
		strbuf_printf(&b, "%d,", i % 10);
	CHECK_NUM((long long)b.len, 2000);
	CHECK_NUM((long long)strlen(b.text), 2000);
	strbuf_free(&b);
	CHECK(!b.text);
	strbuf_add_n(&b, "", 0);
	CHECK_STR(b.text, "");
	strbuf_free(&b);
}

static void spans(void)
{
	struct source s = { .name = "f", .text = "ab\n\ncd", .len = 6 };
	struct span at = { &s, 5, 1, NULL }, first = { &s, 0, 2, NULL };
	unsigned line, column;

	span_place(at, &line, &column);
	CHECK_NUM(line, 3);
	CHECK_NUM(column, 2);
	at.off = 100;	/* beyond the end: the end */
	span_place(at, &line, &column);
	CHECK_NUM(line, 3);
	CHECK_NUM(column, 3);
	at.off = 5;
	CHECK_NUM(span_join(first, at).len, 6);
	CHECK_NUM(span_join(at, first).len, 1);
}

static void messages(void)
{
	struct source s = { .name = "f.stp", .text = "x\n\ty = \001z\n", .len = 11 };
	struct span y = { &s, 3, 1, NULL }, z = { &s, 7, 2, &y };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct diag *d = diag_new(out, false);

	diag_error(d, y, TAG_SYNTAX, "first %d", 1);
	diag_hint(d, "a hint");
	diag_error(d, y, TAG_SYNTAX, "first %d", 1);
	diag_hint(d, "goes with the duplicate");
	diag_error(d, z, TAG_SYNTAX, "second");
	diag_hide_warnings(d);
	diag_warning(d, y, TAG_SYNTAX, "hidden");
	diag_note(d, y, "goes with the hidden one");
	CHECK_NUM(diag_errors(d), 2);
	CHECK_NUM(diag_warnings(d), 0);
	diag_silence(d, true);
	diag_error(d, NO_SPAN, TAG_USAGE, "unheard");
	CHECK_NUM(diag_errors(d), 3);
	fclose(out);
	CHECK_STR(text,
		  "f.stp:2:2: error: first 1 [syntax]\n"
		  "    2 | \ty = .z\n"
		  "      | \t^\n"
		  "hint: a hint\n"
		  "f.stp:2:6: error: second [syntax]\n"
		  "    2 | \ty = .z\n"
		  "      | \t    ^~\n"
		  "f.stp:2:2: note: in expansion of 'y'\n"
		  "    2 | \ty = .z\n"
		  "      | \t^\n");
	diag_free(d);
	free(text);
}

/* The same words at another place are counted, with -v they are shown. */
static void repeated(bool verbose, const char *want)
{
	struct source s = { .name = "f.stp", .text = "x y", .len = 3 };
	struct span x = { &s, 0, 1, NULL }, y = { &s, 2, 1, NULL };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct diag *d = diag_new(out, false);

	if (verbose)
		diag_verbose(d);
	diag_error(d, x, TAG_SYNTAX, "said");
	diag_error(d, y, TAG_SYNTAX, "said");
	diag_hint(d, "goes with the second");
	CHECK_NUM(diag_errors(d), 2);
	diag_end(d);
	fclose(out);
	CHECK_STR(text, want);
	diag_free(d);
	free(text);
}

static void repetitions(void)
{
	repeated(false, "f.stp:1:1: error: said [syntax]\n    1 | x y\n      | ^\n"
			"Number of similar error messages suppressed: 1.\nRerun with -v to see them.\n");
	repeated(true, "f.stp:1:1: error: said [syntax]\n    1 | x y\n      | ^\n"
		       "f.stp:1:3: error: said [syntax]\n    1 | x y\n      |   ^\nhint: goes with the second\n");
}

static void files(void)
{
	struct arena *a = arena_new();
	char *folder, *path, *text;
	size_t len;

	CHECK_NUM(scratch_make(a, &folder), 0);
	path = arena_printf(a, "%s/file", folder);
	CHECK_NUM(file_write(path, "a\0b", 3), 0);
	CHECK_NUM(file_read(a, path, &text, &len), 0);
	CHECK(len == 3 && !memcmp(text, "a\0b", 4));
	CHECK_NUM(file_read(a, arena_printf(a, "%s/none", folder), &text, &len), -ENOENT);
	CHECK_NUM(file_read(a, folder, &text, &len), -EISDIR);
	CHECK_NUM(file_write(arena_printf(a, "%s/none/file", folder), "", 0), -ENOENT);
	mkdir(arena_printf(a, "%s/sub", folder), 0700);
	CHECK_NUM(symlink("/", arena_printf(a, "%s/sub/link", folder)), 0);
	CHECK_NUM(tree_remove(folder), 0);
	CHECK(access(folder, F_OK) && !access("/tmp", F_OK));
	arena_free(a);
}

static void children(void)
{
	const char *const both[] = { "sh", "-c", "echo out; echo err >&2; exit 7", NULL };
	const char *const much[] = { "sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero", NULL };
	const char *const killed[] = { "sh", "-c", "kill -9 $$", NULL };
	const char *const here[] = { "pwd", NULL }, *const none[] = { "no-such-program-here", NULL };
	struct strbuf out = { 0 }, err = { 0 };

	CHECK_NUM(child_run(both, &(struct child_io){ .out = &out, .err = &err }), 7);
	CHECK_STR(out.text, "out\n");
	CHECK_STR(err.text, "err\n");
	out.len = err.len = 0;
	CHECK_NUM(child_run(both, &(struct child_io){ .out = &out, .err = &out }), 7);
	CHECK_STR(out.text, "out\nerr\n");
	out.len = 0;
	CHECK_NUM(child_run(much, &(struct child_io){ .out = &out, .err = &err }), 0);
	CHECK(out.len == 300000 && err.len == 300000);
	out.len = 0;
	CHECK_NUM(child_run(here, &(struct child_io){ .out = &out, .folder = "/" }), 0);
	CHECK_STR(out.text, "/\n");
	CHECK_NUM(child_run(killed, &(struct child_io){ .quiet = true }), 137);
	CHECK_NUM(child_run(none, &(struct child_io){ .quiet = true }), -ENOENT);
	strbuf_free(&out);
	strbuf_free(&err);
}

int main(void)
{
	arenas();
	strings();
	spans();
	messages();
	repetitions();
	files();
	children();
	return check_end();
}
