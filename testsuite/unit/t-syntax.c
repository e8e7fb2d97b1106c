/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests syntax/: golden pairs, print-and-parse-again, and an installed SystemTap's library and examples.
 *
 *	t-syntax                        all of testsuite/syntax, and what is installed of SystemTap's scripts
 *	t-syntax -p FILE [ARG...]       canonical text of one script to stdout, messages to stderr
 *	t-syntax -s FILE [ARG...]       the text that parses to the same tree
 *	t-syntax -e FILE [ARG...]       messages only, without -g
 *	t-syntax -r FILE [ARG...]       parses, prints and parses again; says where the trees differ
 *	t-syntax -R FILE...             the same for many, with two arguments each
 */
#include <dirent.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "syntax/syntax.h"
#include "testsuite/unit/check.h"
#include "testsuite/unit/script-text.h"

static const char *config_yes(const char *name)
{
	return strcmp(name, "CONFIG_UNSET") ? "y" : NULL;
}

static struct syntax_env test_env(bool guru)
{
	return (struct syntax_env){
		.kernel_vr = "6.1.0-57-amd64", .arch = "x86_64", .runtime = "kernel", .version = "5.6",
		.privilege = "stapdev", .guru = guru, .config = config_yes,
	};
}

static struct source *read_source(struct arena *a, const char *path, const char *name)
{
	struct source *s = ARENA_NEW(a, struct source);
	char *text;
	int error = file_read(a, path, &text, &s->len);

	if (error) {
		fprintf(stderr, "%s: %s\n", path, strerror(-error));
		exit(2);
	}
	s->name = arena_strdup(a, name);
	s->text = text;
	return s;
}

/* A golden file's first lines may say `# opts: -g' and `# args: WORDS'. */
static void read_heads(struct arena *a, const struct source *s, struct syntax_env *env)
{
	char *text = arena_strndup(a, s->text, s->len), *rest = text, *line, **args = ARENA_ARRAY(a, char *, 16);

	while ((line = strsep(&rest, "\n")) && *line == '#') {
		char *words = strchr(line, ':'), *word;

		if (!strncmp(line, "# opts: -g", 10))
			env->guru = true;
		if (strncmp(line, "# args:", 7))
			continue;
		for (word = strtok(words + 1, " "); word && env->nargs < 16; word = strtok(NULL, " "))
			args[env->nargs++] = word;
	}
	env->args = args;
}

/* The script printed as source and parsed again prints the same; so does a copy of its bodies. */
static bool round_trips(struct arena *a, const struct script *s, struct syntax_env *env, bool talk)
{
	char *first = script_text(script_print_source, s), *second, *messages = NULL, *canonical, *again;
	struct source source = { .name = s->source->name, .text = first, .len = strlen(first) };
	size_t len;
	FILE *out = open_memstream(&messages, &len);
	struct diag *d = diag_new(out, false);
	struct script *reread;
	bool same;

	env->guru = true;
	reread = script_parse(a, d, env, NULL, &source, true);
	for (struct probe_decl *p = reread->probes; p; p = p->next)
		p->body = stmt_copy(a, p->body);
	for (struct function *f = reread->functions; f; f = f->next)
		f->body = stmt_copy(a, f->body);
	second = script_text(script_print_source, reread);
	canonical = script_text(script_print, s);
	again = script_text(script_print, reread);
	fclose(out);
	same = !diag_errors(d) && !strcmp(first, second) && !strcmp(canonical, again);
	if (!same && talk)
		printf("%s--- first\n%s--- second\n%s", messages, first, second);
	diag_free(d);
	free(first);
	free(second);
	free(canonical);
	free(again);
	free(messages);
	return same;
}

/* What a golden file should hold: the canonical text, or where there are messages, those. */
static char *observed(struct arena *a, const char *path, const char *name, bool *failed, bool *again)
{
	struct syntax_env env = test_env(false);
	char *messages = NULL, *text;
	size_t len;
	FILE *out = open_memstream(&messages, &len);
	struct diag *d = diag_new(out, false);
	struct source *source = read_source(a, path, name);
	struct script *s;

	diag_verbose(d);
	read_heads(a, source, &env);
	if (strstr(name, ".stpm")) {
		*failed = !macros_read(macros_new(a), a, d, &env, source);
		*again = true;
		fclose(out);
		diag_free(d);
		return messages;
	}
	s = script_parse(a, d, &env, NULL, source, false);
	*failed = diag_errors(d) != 0;
	if (*failed)
		diag_say(d, "%u parse error%s.\nPass 1: parse failed.  [man error::pass1]\n", diag_errors(d),
			 diag_errors(d) == 1 ? "" : "s");
	fclose(out);
	diag_free(d);
	*again = *failed || round_trips(a, s, &env, true);
	if (*failed)
		return messages;
	free(messages);
	text = script_text(script_print, s);
	messages = strdup(arena_printf(a, "# parse tree dump\n%s", text));
	free(text);
	return messages;
}

static void golden(const char *dir, const char *name)
{
	struct arena *a = arena_new();
	char *path = arena_printf(a, "%s/%s", dir, name), *dot, *text;
	char *expected_path = arena_strndup(a, path, strlen(path) + 1);
	bool failed, again;

	text = observed(a, path, name, &failed, &again);
	dot = strrchr(expected_path, '.');
	strcpy(dot, failed ? ".err" : ".ast");
	if (access(expected_path, R_OK))
		check_str(text, "(no such golden file)", 0, name);
	else
		check_str(text, read_source(a, expected_path, name)->text, 0, name);
	check_result(again, 1, name, "printed and parsed again it is another tree");
	free(text);
	arena_free(a);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void golden_dir(const char *dir)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, by_name);

	check_result(n > 2, __LINE__, "golden files are there", dir);
	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(list[i]->d_name, '.');

		if (dot && (!strcmp(dot, ".stp") || !strcmp(dot, ".stpm")))
			golden(dir, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* Conditions on the machine and the configuration, in test_env(): a golden script could not have them. */
static void conditions(void)
{
	static const struct { const char *text; bool holds; } rows[] = {
		{ "kernel_v >= \"6.1.0\"", true }, { "kernel_v == \"6.1.0\"", true },
		{ "kernel_v > \"6.10\"", false }, { "kernel_v < \"6.1.10\"", true },
		{ "kernel_v == \"6.1.*\"", true }, { "kernel_v != \"6.?.0\"", false },
		{ "kernel_vr == \"6.1.0\"", false }, { "kernel_vr == \"6.1.*-amd64\"", true },
		{ "kernel_vr > \"6.1.0-9\"", true },
		{ "arch == \"x86_64\"", true }, { "arch != \"x86*\"", false }, { "arch == \"x86\"", false },
		{ "runtime == \"kernel\"", true }, { "runtime == \"user\"", false },
		{ "systemtap_v < \"2.0\"", false }, { "systemtap_v >= \"5\"", true },
		{ "guru_mode == 1", false }, { "guru_mode != 1", true },
		{ "systemtap_privilege == \"stapdev\"", true }, { "systemtap_privilege == \"stap*\"", false },
		{ "CONFIG_A == \"y\"", true }, { "CONFIG_A == \"[ym]\"", true },
		{ "CONFIG_UNSET == \"\"", true }, { "CONFIG_UNSET == 0", true }, { "CONFIG_UNSET > 0", false },
		{ "CONFIG_A == CONFIG_B", true }, { "CONFIG_A == CONFIG_UNSET", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena *a = arena_new();
		struct diag *d = diag_new(stdout, false);
		struct syntax_env env = test_env(false);
		const char *text = arena_printf(a, "%%( %s %%? global yes %%: global no %%)", rows[i].text);
		struct source source = { .name = "condition", .text = text, .len = strlen(text) };
		struct script *s = script_parse(a, d, &env, NULL, &source, false);
		bool good = !diag_errors(d) && s->globals && !strcmp(s->globals->name->text, rows[i].holds ? "yes" : "no");

		check_result(good, 0, rows[i].text, "answered wrong");
		diag_free(d);
		arena_free(a);
	}
}

/* Calls @each for the files under @dir that end in @suffix. */
static unsigned each_file(const char *dir, const char *suffix, void (*each)(const char *path, void *data), void *data)
{
	char *const roots[] = { (char *)dir, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	unsigned n = 0;

	while (fts && (entry = fts_read(fts))) {
		const char *dot = strrchr(entry->fts_name, '.');

		if (entry->fts_info != FTS_F || !dot || strcmp(dot, suffix))
			continue;
		each(entry->fts_path, data);
		n++;
	}
	if (fts)
		fts_close(fts);
	return n;
}

/* An installed SystemTap's files, as they are read. */
struct library {
	struct arena *arena;
	struct diag *diag;
	struct macros *macros;
	unsigned bad;
};

static void read_macros(const char *path, void *data)
{
	struct library *l = data;
	struct syntax_env env = test_env(true);

	/* Other runtimes' files define the same names again, and are never read together with these. */
	bool apart = strstr(path, "/dyninst/") || strstr(path, "/bpf/");
	struct macros *m = apart ? macros_new(l->arena) : l->macros;

	l->bad += !macros_read(m, l->arena, l->diag, &env, read_source(l->arena, path, path));
}

/* Most examples take a number as their third argument. */
static char *third_argument(const char *path)
{
	static char sum[] = "@sum", never[] = "never", number[] = "3";

	return strstr(path, "/measureinterval.stp") ? sum : strstr(path, "/eventcount.stp") ? never : number;
}

/* Each file that fails is named; the others count as one. */
static void read_script(const char *path, void *data)
{
	static char first[] = "1", second[] = "two";
	char *args[] = { first, second, third_argument(path), first };
	struct library *l = data;
	struct syntax_env env = test_env(true);
	struct arena *a = arena_new();
	unsigned before = diag_errors(l->diag);
	struct script *s;
	bool parses, again;

	env.nargs = 4;
	env.args = args;
	s = script_parse(a, l->diag, &env, l->macros, read_source(a, path, path), true);
	parses = diag_errors(l->diag) == before;
	again = parses && round_trips(a, s, &env, false);
	/* a form to fill in: its handler is `{...}' */
	if (!strstr(path, "/security-bandaid-template.stp") && !again) {
		check_result(false, __LINE__, path, parses ? "printed and parsed again it is another tree" : "has errors");
		l->bad++;
	}
	arena_free(a);
}

/* The library, then what is there of the examples; their own libraries are among them. */
static void installed(const char *tapset, const char *const *examples)
{
	struct library l = { .arena = arena_new(), .diag = diag_new(stdout, false) };
	unsigned files;

	if (access(tapset, R_OK)) {
		printf("skip an installed SystemTap's library: there is none\n");
	} else {
		l.macros = macros_new(l.arena);
		files = each_file(tapset, ".stpm", read_macros, &l);
		check_result(files && !l.bad, __LINE__, "every macro file of the library", "has errors");
		l.bad = 0;
		files = each_file(tapset, ".stp", read_script, &l);
		check_result(files > 400 && !l.bad, __LINE__, "every script of the library parses, prints and parses again",
			     "see above");
		for (files = l.bad = 0; *examples; examples++)
			files += each_file(*examples, ".stp", read_script, &l);
		if (!files)
			printf("skip SystemTap's examples: not installed\n");
		else
			check_result(!l.bad, __LINE__, "every example parses, prints and parses again", "see above");
	}
	diag_free(l.diag);
	arena_free(l.arena);
}

static int one(char mode, char **args)
{
	struct arena *a = arena_new();
	struct diag *d = diag_new(stderr, false);
	struct syntax_env env = test_env(mode != 'e');
	struct script *s;
	int status;

	for (char **arg = args + 1; *arg; arg++)
		env.nargs++;
	env.args = args + 1;
	s = script_parse(a, d, &env, NULL, read_source(a, *args, *args), false);
	if (mode == 'p')
		script_print(stdout, s);
	else if (mode == 's')
		script_print_source(stdout, s);
	status = diag_errors(d) != 0;
	if (!status && mode == 'r' && !round_trips(a, s, &env, true))
		status = 3;
	diag_free(d);
	arena_free(a);
	return status;
}

/* Many scripts, right or wrong, in one run: for fuzzing.  What parses must read back. */
static int many(char **paths)
{
	int status = 0;

	for (; *paths; paths++) {
		static char first[] = "1 + 1", second[] = "two", *args[] = { first, second };
		struct arena *a = arena_new();
		FILE *out = fopen("/dev/null", "w");
		struct diag *d = diag_new(out, false);
		struct syntax_env env = test_env(true);
		struct script *s;

		printf("file %s\n", *paths);
		fflush(stdout);
		env.nargs = 2;
		env.args = args;
		s = script_parse(a, d, &env, NULL, read_source(a, *paths, *paths), false);
		script_print(out, s);
		if (!diag_errors(d) && !round_trips(a, s, &env, true))
			status = 3;
		fclose(out);
		diag_free(d);
		arena_free(a);
		if (status)
			break;
	}
	return status;
}

int main(int argc, char **argv)
{
	static const char *const examples[] = {
		"/usr/share/systemtap/examples", "/usr/share/doc/systemtap/examples", "/usr/share/doc/systemtap-doc", NULL
	};

	if (argc > 2 && !strcmp(argv[1], "-R"))
		return many(argv + 2);
	if (argc > 2 && argv[1][0] == '-')
		return one(argv[1][1], argv + 2);
	golden_dir(TESTSUITE "/syntax");
	conditions();
	installed("/usr/share/systemtap/tapset", examples);
	return check_end();
}
