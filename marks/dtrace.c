/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-dtrace: makes the header (-h) and the object with the counters (-G) that a program with marks needs from the
 * description of these marks.  Takes the command line of SystemTap's dtrace (spec/probes.md B.6).
 *
 * Nothing but the results is left behind, and they do not depend on when or where in the file system they were made: the
 * compiler reads the source from its standard input.  Start at main().
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks/provider.h"
#include "support/file.h"

struct request {
	const char *program;		/* argv[0] */
	const char *input, *output;
	bool header, object, preprocess, keep;
	const char **cpp;		/* -I and -D for the preprocessor */
	unsigned ncpp;
	struct arena *a;
};

static int usage(const struct request *q, bool at_length)
{
	fprintf(stderr, "Usage %s [--help] [-h | -G] [-C [-I<Path>] [-D<Name>]] -s File.d [-o <File>]\n", q->program);
	if (at_length)
		fputs("Where -h makes a C header with a macro for each mark of File.d\n"
		      "      -G makes an object with the marks' counters (semaphores)\n"
		      "      -s names the description of the marks\n"
		      "      -o names the result; else it is File.h or File.o in this folder\n"
		      "      -C runs the C preprocessor over File.d first, with -I<Path> and -D<Name>[=<Value>]\n"
		      "      -k keeps the intermediate files\n"
		      "  -64 -32 -fpic -fPIC -x <Arg> --types --no-pyparsing are taken and do nothing\n"
		      "  The environment's CPP, CC and CFLAGS are used.\n", stderr);
	return 1;
}

/* ---- the command line ---- */

static const char *const ignored[] = { "-64", "-32", "-fpic", "-fPIC", "--types", "--no-pyparsing", NULL };

static bool is_ignored(const char *word)
{
	for (const char *const *w = ignored; *w; w++)
		if (!strcmp(word, *w))
			return true;
	return false;
}

/* The next word, which must be there; else NULL after a message. */
static const char *value(const struct request *q, char **argv, int *i)
{
	if (argv[*i + 1])
		return argv[++*i];
	fprintf(stderr, "%s option %s lacks its argument\n", q->program, argv[*i]);
	return NULL;
}

/* -I and -D, their value in the same word or the next. */
static bool take_cpp(struct request *q, char **argv, int *i)
{
	const char *word = argv[*i], *v;

	if (!word[2]) {
		v = value(q, argv, i);
		if (!v)
			return false;
		word = arena_printf(q->a, "%s%s", word, v);
	}
	q->cpp[q->ncpp++] = word;
	return true;
}

static bool take_option(struct request *q, char **argv, int *i)
{
	const char *word = argv[*i];

	if (!strcmp(word, "-h"))
		q->header = true;
	else if (!strcmp(word, "-G"))
		q->object = true;
	else if (!strcmp(word, "-C"))
		q->preprocess = true;
	else if (!strcmp(word, "-k"))
		q->keep = true;
	else if (!strcmp(word, "-s"))
		return (q->input = value(q, argv, i)) != NULL;
	else if (!strcmp(word, "-o"))
		return (q->output = value(q, argv, i)) != NULL;
	else if (!strcmp(word, "-x"))
		return value(q, argv, i) != NULL;
	else if (!strncmp(word, "-I", 2) || !strncmp(word, "-D", 2))
		return take_cpp(q, argv, i);
	else if (*word == '-' && !is_ignored(word)) {
		fprintf(stderr, "%s invalid option %s\n", q->program, word);
		return false;
	}
	return true;			/* other words, such as objects, mean nothing here */
}

/* The input's name with another ending, in this folder. */
static const char *result_name(const struct request *q, const char *ending)
{
	const char *slash = strrchr(q->input, '/'), *base = slash ? slash + 1 : q->input;
	size_t len = strlen(base);

	if (q->output)
		return q->output;
	if (len > 2 && !strcmp(base + len - 2, ".d"))
		len -= 2;
	return arena_printf(q->a, "%.*s%s", (int)len, base, ending);
}

/* ---- steps ---- */

static bool failed(const struct request *q, const char *what, const char *path, int err)
{
	fprintf(stderr, "%s: cannot %s '%s': %s\n", q->program, what, path, strerror(-err));
	return false;
}

/* Runs `SCRIPT' with @args as $1, $2, ...; @out: captures its output.  Words of CC and the like are the shell's. */
static bool run_shell(const struct request *q, const char *script, const char *const *args, unsigned n, struct strbuf *out)
{
	const char **argv = ARENA_ARRAY(q->a, const char *, n + 5);
	struct child_io io = { .out = out };
	int status;

	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = script;
	argv[3] = "sh";
	for (unsigned i = 0; i < n; i++)
		argv[4 + i] = args[i];
	argv[4 + n] = NULL;
	status = child_run(argv, &io);
	if (status < 0)
		return failed(q, "run", "sh", status);
	return status == 0;
}

/* Files that -k keeps are named by what is in them (FNV-1a), so that two runs at once do not meet. */
static bool keep(const struct request *q, const char *what, const char *ending, const char *text)
{
	uint32_t hash = 2166136261u;
	const char *path;
	int err;

	if (!q->keep)
		return true;
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	path = arena_printf(q->a, ".dtrace-temp.%08x.%s", (unsigned)hash, ending);
	err = file_write(path, text, strlen(text));
	if (err)
		return failed(q, "write", path, err);
	printf("%s: %s\n", what, path);
	return true;
}

/* The description's text, preprocessed where that was asked for; NULL after a message. */
static const char *input_text(const struct request *q)
{
	const char **args = ARENA_ARRAY(q->a, const char *, q->ncpp + 1);
	struct strbuf b = { 0 };
	char *text;
	size_t len;
	int err;

	err = file_read(q->a, q->input, &text, &len);
	if (err) {
		failed(q, "read", q->input, err);
		return NULL;
	}
	if (!q->preprocess)
		return text;
	memcpy(args, q->cpp, q->ncpp * sizeof(*args));
	args[q->ncpp] = q->input;
	strbuf_add(&b, "");
	if (!run_shell(q, "eval \"${CPP:-cpp} \\\"\\$@\\\"\"", args, q->ncpp + 1, &b)) {
		fprintf(stderr, "%s: the preprocessor did not get through '%s'\n", q->program, q->input);
		return NULL;
	}
	text = arena_strdup(q->a, b.text);
	strbuf_free(&b);
	return keep(q, "cpp", "d", text) ? text : NULL;
}

/* Into what is at @path, which may be a device or a pipe: nothing is put in its place. */
static bool write_result(const struct request *q, const char *path, const struct strbuf *b)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(b->text, 1, b->len, f) == b->len;
	int err = errno;

	if (f && fclose(f) && ok) {
		ok = false;
		err = errno;
	}
	return ok || failed(q, "write", path, -err);
}

static bool write_header(const struct request *q, const struct provider *p)
{
	const char *slash = strrchr(q->input, '/');
	struct strbuf b = { 0 };
	bool ok;

	providers_header(p, slash ? slash + 1 : q->input, &b);
	ok = write_result(q, result_name(q, ".h"), &b);
	strbuf_free(&b);
	return ok;
}

static bool compile(const struct request *q, const char *folder, const char *source)
{
	/* -fno-lto: of the counters only assembler knows, which optimisers of whole programs do not read */
	static const char script[] = "eval \"${CC:-cc} -g ${CFLAGS-} -fPIC -fno-lto -x c -c -o \\\"\\$2\\\" - <\\\"\\$1\\\"\"";
	const char *args[2] = { arena_printf(q->a, "%s/counters.c", folder), result_name(q, ".o") };
	int err = file_write(args[0], source, strlen(source));

	if (err)
		return failed(q, "write", args[0], err);
	if (run_shell(q, script, args, 2, NULL))
		return true;
	fprintf(stderr, "%s: the compiler did not make '%s'\n", q->program, args[1]);
	return false;
}

static bool write_object(const struct request *q, const struct provider *p)
{
	struct strbuf b = { 0 }, header = { 0 };
	char *folder;
	bool ok;
	int err = scratch_make(q->a, &folder);

	if (err)
		return failed(q, "make a folder for", q->input, err);
	providers_source(p, &b);
	providers_header(p, q->input, &header);
	ok = keep(q, "header", "h", header.text) && keep(q, "source", "c", b.text) && compile(q, folder, b.text);
	tree_remove(folder);
	strbuf_free(&header);
	strbuf_free(&b);
	return ok;
}

static int run(struct request *q, char **argv)
{
	struct provider *p;
	const char *text, *error;

	for (int i = 1; argv[i]; i++) {
		if (!strcmp(argv[i], "--help"))
			return usage(q, true);
		if (!take_option(q, argv, &i))
			return usage(q, false);
	}
	if (!q->input || (!q->header && !q->object) || (q->header && q->object && q->output))
		return usage(q, false);
	text = input_text(q);
	if (!text)
		return 1;
	if (!providers_read(q->a, q->input, text, &p, &error)) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	return (q->header && !write_header(q, p)) || (q->object && !write_object(q, p));
}

int main(int argc, char **argv)
{
	struct request q = { .program = argv[0], .a = arena_new() };
	int status;

	q.cpp = ARENA_ARRAY(q.a, const char *, (size_t)argc + 1);
	status = run(&q, argv);
	arena_free(q.a);
	return status;
}
