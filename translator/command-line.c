/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argv, and the rc file before it, read with the table of options.c; then what goes with what (cli.md 1, 2.5, 3).
 * Start reading at options_parse().
 */
#include "config.h"
#include "option-table.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <wordexp.h>

#include "support/file.h"
#include "support/strbuf.h"
#include "support/setting.h"

enum { LONG_CODE = 256 };		/* getopt's code of row n is this and n */

bool usage(struct parse *p, const char *format, ...)
{
	struct strbuf b = { 0 };
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&b, format, args);
	va_end(args);
	diag_error(p->d, NO_SPAN, TAG_USAGE, "%s", b.text);
	strbuf_free(&b);
	return false;
}

const char *option_name(struct arena *a, const struct row *r)
{
	return r->name ? arena_printf(a, "--%s", r->name) : arena_printf(a, "-%c", r->letter);
}

/* ---- one option ---- */

/* getopt's two descriptions of the table. */
static void describe(char *letters, struct option *longs)
{
	for (unsigned i = 0; i < option_nrows; i++) {
		const struct row *r = &option_rows[i];

		if (r->letter) {
			*letters++ = r->letter;
			if (r->argument == ARG_MUST)
				*letters++ = ':';
		}
		if (r->name)
			*longs++ = (struct option){ r->name, r->argument == ARG_NO ? no_argument : r->argument == ARG_MUST ?
				required_argument : optional_argument, NULL, LONG_CODE + (int)i };
	}
	*letters = 0;
	*longs = (struct option){ 0 };
}

static const struct row *row_of(int code)
{
	if (code >= LONG_CODE)
		return &option_rows[code - LONG_CODE];
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++)
		if (r->letter && r->letter == code)
			return r;
	return NULL;
}

/* Told when all options are known: -w may come later. */
static void note_ignored(struct parse *p, const struct row *r)
{
	struct define *n = ARENA_NEW(p->a, struct define), **tail = &p->notices;

	*n = (struct define){ option_name(p->a, r), r->refuse, NULL };
	while (*tail)
		tail = &(*tail)->next;
	*tail = n;
}

static bool apply(struct parse *p, const struct row *r, const char *arg)
{
	if (!r->set) {
		diag_error(p->d, NO_SPAN, TAG_NOT_YET, "%s: %s is not done yet by spile " PACKAGE_VERSION,
			   option_name(p->a, r), r->refuse);
		return false;
	}
	if (r->refuse)
		note_ignored(p, r);
	return r->set(p, arg);
}

static bool unknown(struct parse *p, char **argv, int code)
{
	bool is_long = optind > 0 && !strncmp(argv[optind - 1], "--", 2);

	if (code == ':' && optopt < LONG_CODE)
		return usage(p, "option requires an argument -- '%c'", optopt);
	if (code == ':')
		return usage(p, "option '--%s' requires an argument", option_rows[optopt - LONG_CODE].name);
	if (is_long && optopt >= LONG_CODE)
		return usage(p, "option '--%s' doesn't allow an argument", option_rows[optopt - LONG_CODE].name);
	if (is_long && !optopt)
		return usage(p, "unrecognized option '%s'", argv[optind - 1]);
	return usage(p, "invalid option -- '%c'", optopt);
}

/* ---- the rc file ---- */

struct words { char **word; int n, room; };

static void add_word(struct arena *a, struct words *w, char *word)
{
	if (w->n + 1 >= w->room) {
		char **more = ARENA_ARRAY(a, char *, (size_t)(w->room ? w->room * 2 : 64));

		if (w->n)
			memcpy(more, w->word, (size_t)w->n * sizeof(*more));
		w->word = more;
		w->room = w->room ? w->room * 2 : 64;
	}
	w->word[w->n++] = word;
	w->word[w->n] = NULL;
}

/* One line, split as a shell would that runs nothing (wordexp(3)). */
static bool split_line(struct arena *a, struct words *w, const char *line)
{
	wordexp_t split;
	bool good = !wordexp(line, &split, WRDE_NOCMD | WRDE_UNDEF);

	if (!good)
		return false;
	for (size_t i = 0; i < split.we_wordc; i++)
		add_word(a, w, arena_strdup(a, split.we_wordv[i]));
	wordfree(&split);
	return true;
}

/* Options that stand in $SPILE_DIR/rc come before those of the command line.  A missing file is fine. */
static bool read_rc(struct parse *p, struct words *w)
{
	const char *dir = private_dir(p->a), *path = dir ? arena_printf(p->a, "%s/rc", dir) : NULL;
	char *text, *rest = NULL;
	size_t len;
	int err = path ? file_read(p->a, path, &text, &len) : -ENOENT;

	if (err == -ENOENT || err == -ENOTDIR)
		return true;
	if (err)
		return usage(p, "Error processing extra options in %s: %s", path, strerror(-err));
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (line[strspn(line, " \t")] != '#' && !split_line(p->a, w, line))
			return usage(p, "Error processing extra options in %s", path);
	return true;
}

/* ---- what goes with what ---- */

static bool listing_alone(struct parse *p)
{
	struct options *o = p->o;

	if (!p->listings)
		return true;
	if (p->scripts || p->listings > 1)
		return usage(p, "Cannot specify a script with -l/-L/--dump-* switches.");
	if (p->pass_given)
		return usage(p, "Cannot specify -p with -l/-L/--dump-* switches.");
	if (o->example)
		return usage(p, "Cannot specify --example with -l/-L/--dump-* switches.");
	return true;
}

/* What stands beside the options: the script file and its arguments. */
static bool take_words(struct parse *p, int argc, char **argv)
{
	struct options *o = p->o;

	if (!p->listings && !p->scripts && optind < argc)
		o->script_file = argv[optind++];
	o->nargs = argc - optind;
	o->args = argv + optind;
	if (o->example && !o->script_file)
		return usage(p, "--example needs the name of an example.");
	if (!p->listings && !o->script_text && !o->script_file && !o->clean_cache)
		return usage(p, "A script must be specified.");
	return true;
}

static bool privilege_holds(struct parse *p)
{
	struct options *o = p->o;
	const char *level = o->privilege == PRIVILEGE_STAPUSR ? "stapusr" : "stapsys";
	const char *with = o->guru ? "-g" : p->guarded;

	return o->privilege == PRIVILEGE_STAPDEV || !with ||
	       usage(p, "You can't specify %s and --privilege=%s together.", with, level);
}

/* True where @release (or the tree, when it starts with '/') is the kernel that runs here. */
static bool runs_here(struct arena *a, const char *release)
{
	char *text;
	struct utsname u;
	size_t len;

	uname(&u);
	if (*release != '/')
		return !strcmp(release, u.release);
	if (file_read(a, arena_printf(a, "%s/include/config/kernel.release", release), &text, &len))
		return true;
	text[strcspn(text, "\n")] = 0;
	return !strcmp(text, u.release);
}

/* A module for another kernel can be built here, not loaded. */
static void stop_before_foreign(struct parse *p)
{
	struct options *o = p->o;

	if (!o->kernel_release || o->vm || o->nremotes || o->runtime == RUNTIME_USER || runs_here(p->a, o->kernel_release))
		return;
	o->runtime = RUNTIME_KERNEL;
	if (o->last_pass < 5 || p->listings)
		return;
	diag_warning(p->d, NO_SPAN, TAG_USAGE, "kernel release/architecture mismatch with host forces last-pass 4.");
	o->last_pass = 4;
}

/* Directory names end up in commands and in C text. */
static bool plain_tmpdir(struct parse *p)
{
	const char *dir = getenv("TMPDIR");

	for (; dir && *dir; dir++)
		if (!strchr("-/._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", *dir))
			return usage(p, "Invalid TMPDIR '%s': only letters, digits and -/._ may be in it.", getenv("TMPDIR"));
	return true;
}

/* Ways to run, and what they cannot be had with. */
static bool runs_as_asked(struct parse *p)
{
	const struct options *o = p->o;

	if (o->file_size && !o->output && !o->bulk)
		return usage(p, "You have to specify output FILE with '-S' option.");
	if (o->flight && o->output && o->command)
		return usage(p, "You can't specify -F with -o and -c together.");
	if (o->flight && o->bulk && !o->output)
		return usage(p, "You have to specify output FILE with '-F' and '-b' options.");
	if (o->vm && (o->file_size || o->flight || o->bulk))
		return usage(p, "-S, -F and -b need a machine that lasts; that of --vm ends with the script.");
	if (o->nremotes && (o->flight || o->bulk || o->file_size))
		return usage(p, "-S, -F and -b are for this machine's sessions, not for --remote.");
	if (o->nremotes && o->vm)
		return usage(p, "You can't specify --remote and --vm together.");
	if (o->nremotes && o->tmpdir)
		return usage(p, "You can't specify --remote and --tmpdir together.");
	return true;
}

static bool consistent(struct parse *p)
{
	struct options *o = p->o;

	if (o->command && o->target_pid)
		return usage(p, "You can't specify -c and -x together.");
	if (o->vm && o->runtime == RUNTIME_USER)
		return usage(p, "--vm runs a kernel module; --runtime=user needs no virtual machine.");
	if (!privilege_holds(p) || !plain_tmpdir(p) || !runs_as_asked(p))
		return false;
	if (o->vm)
		o->runtime = RUNTIME_KERNEL;
	if (!o->kernel_release)
		o->kernel_release = setting("RELEASE");
	stop_before_foreign(p);
	return true;
}

static void tell_ignored(struct parse *p)
{
	if (p->o->no_warnings)
		diag_hide_warnings(p->d);
	if (p->o->warnings_fail)
		diag_warnings_fail(p->d);
	for (const struct define *n = p->notices; n; n = n->next)
		diag_warning(p->d, NO_SPAN, TAG_USAGE, "%s does nothing: %s", n->name, n->value);
}

/* ---- the whole ---- */

static bool read_options(struct parse *p, int argc, char **argv)
{
	char *letters = ARENA_ARRAY(p->a, char, 2 * option_nrows + 2);
	struct option *longs = ARENA_ARRAY(p->a, struct option, option_nrows + 1);
	bool good = true;
	int code;

	letters[0] = ':';
	describe(letters + 1, longs);
	opterr = 0;
	while (good && !p->done && (code = getopt_long(argc, argv, letters, longs, NULL)) != -1)
		good = code == '?' || code == ':' ? unknown(p, argv, code) : apply(p, row_of(code), optarg);
	return good;
}

enum options_result options_parse(struct options *o, struct arena *a, struct diag *d, int argc, char **argv)
{
	struct parse p = { .o = o, .a = a, .d = d };
	struct words w = { 0 };
	bool good;

	o->last_pass = 5;
	o->compatible = LANGUAGE_VERSION;
	o->privilege = PRIVILEGE_STAPDEV;
	add_word(a, &w, argc ? argv[0] : arena_strdup(a, "spile"));
	good = read_rc(&p, &w);
	for (int i = 1; i < argc; i++)
		add_word(a, &w, argv[i]);
	o->library_dirs = p.dirs = ARENA_ARRAY(a, const char *, (size_t)w.n + 1);
	o->extra_scripts = p.extra = ARENA_ARRAY(a, const char *, (size_t)w.n + 1);
	good = good && read_options(&p, w.n, w.word);
	if (good && p.done)
		return OPTIONS_DONE;
	if (good && listing_alone(&p) && take_words(&p, w.n, w.word) && consistent(&p)) {
		o->verbose = o->verbose_by_stage[0];
		tell_ignored(&p);
		return OPTIONS_RUN;
	}
	diag_say(d, "Try '--help' for more information. [man spile]\n"
		 "A message like [man foo] means for more info, run %% man foo\n");
	return OPTIONS_BAD;
}
