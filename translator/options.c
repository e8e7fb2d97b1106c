/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line (cli.md 1, 2).  Each option is one row of the table below: its names, its argument, what it
 * sets and its line of --help.  A row with .refuse is known, but not carried out yet.  Start reading at rows[].
 */
#include "config.h"
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct parse {
	struct options *o;
	struct arena *a;
	struct diag *d;
	const char **dirs;
	unsigned ndirs;
	bool done;			/* printed what was asked for: nothing to run */
	unsigned scripts;		/* how many of -e, -l, -L */
};

enum argument { ARG_NO, ARG_MUST, ARG_MAY };

struct row {
	char letter;			/* 0: long only */
	const char *name;		/* NULL: letter only */
	enum argument argument;
	const char *value;		/* how --help shows the argument */
	bool (*set)(struct parse *p, const char *arg);	/* false: the mistake was told */
	const char *refuse;		/* why it does nothing yet */
	const char *help;
};

static bool usage(struct parse *p, const char *text)
{
	diag_error(p->d, NO_SPAN, TAG_USAGE, "%s", text);
	return false;
}

static bool whole_number(const char *s, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(s, &end, 10);
	return *s && !*end && !errno;
}

static bool set_script(struct parse *p, const char *arg)
{
	p->o->script_text = arg;
	return ++p->scripts == 1 || usage(p, "Only one script can be given on the command line.");
}

static bool set_list(struct parse *p, const char *arg)
{
	p->o->list = true;
	return set_script(p, arg);
}

static bool set_list_vars(struct parse *p, const char *arg)
{
	p->o->list_vars = true;
	return set_list(p, arg);
}

static bool set_last_pass(struct parse *p, const char *arg)
{
	int64_t n;

	if (!whole_number(arg, &n) || n < 1 || n > 5)
		return usage(p, "Invalid pass number (should be 1-5).");
	p->o->last_pass = (int)n;
	return true;
}

static bool set_command(struct parse *p, const char *arg)
{
	p->o->command = arg;
	return *arg || usage(p, "Empty CMD string invalid.");
}

static bool set_pid(struct parse *p, const char *arg)
{
	return (whole_number(arg, &p->o->target_pid) && p->o->target_pid > 0) ||
	       usage(p, "Invalid target process ID number.");
}

static bool set_timeout(struct parse *p, const char *arg)
{
	char *end;

	p->o->timeout_s = strtod(arg, &end);
	return (*arg && !*end && p->o->timeout_s >= 0.001 && p->o->timeout_s <= 86400) ||
	       usage(p, "Invalid timeout interval.");
}

static bool set_output(struct parse *p, const char *arg)
{
	p->o->output = arg;
	return true;
}

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0;
}

/* cli.md 2.3: [A-Za-z_]\w*(=-?\w+)? */
static bool set_define(struct parse *p, const char *arg)
{
	struct define *d = ARENA_NEW(p->a, struct define), **tail = &p->o->defines;
	size_t n = strcspn(arg, "=");
	const char *value = arg[n] ? arg + n + 1 : NULL;

	if (isdigit((unsigned char)*arg) || !is_word(arg, n) ||
	    (value && !is_word(value + (*value == '-'), strlen(value + (*value == '-'))))) {
		diag_error(p->d, NO_SPAN, TAG_USAGE, "Safety pattern mismatch for -D parameter ('%s' vs. "
			   "'^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$')", arg);
		return false;
	}
	d->name = arena_strndup(p->a, arg, n);
	d->value = value ? value : "1";
	while (*tail)
		tail = &(*tail)->next;
	*tail = d;
	return true;
}

static bool set_dir(struct parse *p, const char *arg)
{
	p->dirs[p->ndirs++] = arg;
	return true;
}

/* A longer name would not fit a kernel module's: the reference cuts it as well. */
enum { MODULE_NAME_MAX = 54 };

static bool set_module_name(struct parse *p, const char *arg)
{
	size_t n = strlen(arg);
	char *name;

	if (n > 3 && (!strcmp(arg + n - 3, ".ko") || !strcmp(arg + n - 3, ".so")))
		n -= 3;
	if (!n)
		return usage(p, "Module name cannot be empty.");
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)arg[i]) && arg[i] != '_')
			return usage(p, "Invalid module name (should only contain letters, digits, underscores).");
	name = arena_strndup(p->a, arg, n > MODULE_NAME_MAX ? MODULE_NAME_MAX : n);
	if (n > MODULE_NAME_MAX)
		diag_warning(p->d, NO_SPAN, TAG_USAGE, "Truncating module name to '%s'", name);
	p->o->module_name = name;
	return true;
}

static bool set_release(struct parse *p, const char *arg)
{
	p->o->kernel_release = arg;
	return *arg || usage(p, "Empty kernel release.");
}

static bool set_runtime(struct parse *p, const char *arg)
{
	if (!strcmp(arg, "kernel"))
		p->o->runtime = RUNTIME_KERNEL;
	else if (!strcmp(arg, "user"))
		p->o->runtime = RUNTIME_USER;
	else
		return usage(p, "Unknown runtime (should be kernel or user).");
	return true;
}

static bool set_vm(struct parse *p, const char *arg)
{
	p->o->vm = true;
	p->o->vm_release = arg;
	return true;
}

static bool set_return(struct parse *p, const char *arg)
{
	p->o->return_address = !strcmp(arg, "address");
	return p->o->return_address || !strcmp(arg, "instruction") ||
	       usage(p, "Unknown way to plant return probes (should be instruction or address).");
}

#define SETTER(name, statement) \
	static bool set_##name(struct parse *p, const char *arg) { (void)arg; statement; return true; }
SETTER(verbose, p->o->verbose++)
SETTER(guru, p->o->guru = true)
SETTER(keep, p->o->keep = true)
SETTER(unoptimised, p->o->unoptimised = true)
SETTER(quiet, p->o->no_warnings = true)
SETTER(timing, p->o->timing = true)
SETTER(strict, p->o->warnings_fail = true)

static bool show_version(struct parse *p, const char *arg)
{
	(void)arg;
	printf("spile translator (version " PACKAGE_VERSION "), follows SystemTap 5.6\n"
	       "This is free software under the GNU GPL, version 2 or later; see the source for copying conditions.\n"
	       "enabled features: USER KERNEL VM\n");
	p->done = true;
	return true;
}

static bool show_help(struct parse *p, const char *arg);

static const struct row rows[] = {
	{ 'e', NULL,		ARG_MUST, "SCRIPT",	set_script, NULL, "run the script text SCRIPT" },
	{ 'p', NULL,		ARG_MUST, "N",		set_last_pass, NULL, "stop after pass N: 1 parse, 2 elaborate, 3 translate, 4 build, 5 run" },
	{ 'l', NULL,		ARG_MUST, "POINT",	set_list, NULL, "list the probe points that match POINT" },
	{ 'L', NULL,		ARG_MUST, "POINT",	set_list_vars, NULL, "list them with the variables that can be read there" },
	{ 'c', NULL,		ARG_MUST, "CMD",	set_command, NULL, "run CMD under the script and end with it" },
	{ 'x', NULL,		ARG_MUST, "PID",	set_pid, NULL, "probe the running process PID" },
	{ 'o', NULL,		ARG_MUST, "FILE",	set_output, NULL, "write the script's output to FILE" },
	{ 'T', NULL,		ARG_MUST, "SECONDS",	set_timeout, NULL, "end the script after SECONDS" },
	{ 't', NULL,		ARG_NO, NULL,		set_timing, NULL, "report at the end how often each probe ran, and for how long" },
	{ 'v', NULL,		ARG_NO, NULL,		set_verbose, NULL, "say more; may be repeated" },
	{ 'g', NULL,		ARG_NO, NULL,		set_guru, NULL, "guru mode: embedded C, writes to target variables" },
	{ 'D', NULL,		ARG_MUST, "NAME[=VAL]",	set_define, NULL, "set a run-time limit, or a constant for embedded C" },
	{ 'I', NULL,		ARG_MUST, "DIR",	set_dir, NULL, "look in DIR, too, for library files" },
	{ 'm', NULL,		ARG_MUST, "NAME",	set_module_name, NULL, "name the built module, and leave it in the working directory" },
	{ 'k', NULL,		ARG_NO, NULL,		set_keep, NULL, "keep the temporary directory" },
	{ 'u', NULL,		ARG_NO, NULL,		set_unoptimised, NULL, "drop nothing from the script that seems unused" },
	{ 'w', NULL,		ARG_NO, NULL,		set_quiet, NULL, "show no warnings" },
	{ 'W', NULL,		ARG_NO, NULL,		set_strict, NULL, "fail where there is a warning" },
	{ 'r', NULL,		ARG_MUST, "RELEASE",	set_release, NULL, "build for another kernel release, or with the build tree /DIR" },
	{ 0, "runtime",		ARG_MUST, "NAME",	set_runtime, NULL, "kernel: a module; user: inside the target, without privileges" },
	{ 0, "vm",		ARG_MAY, "RELEASE",	set_vm, NULL, "run script and command in a throwaway virtual machine" },
	{ 0, "return",		ARG_MUST, "HOW",	set_return, NULL, "plant return probes on the return instruction, or on the return address" },
	{ 'h', "help",		ARG_NO, NULL,		show_help, NULL, "show this text" },
	{ 'V', "version",	ARG_NO, NULL,		show_version, NULL, "show the version" },

	{ 'E', NULL,			ARG_MUST, "SCRIPT",	NULL, "more than one script", "run SCRIPT beside the main one" },
	{ 'G', NULL,			ARG_MUST, "VAR=VAL",	NULL, "setting a global from outside", "set a global of the script" },
	{ 'F', NULL,			ARG_NO, NULL,		NULL, "flight recorder mode", "run in the background" },
	{ 'S', NULL,			ARG_MUST, "MB[,N]",	NULL, "output file rotation", "rotate output files" },
	{ 'b', NULL,			ARG_NO, NULL,		NULL, "bulk mode", "one output file for each CPU" },
	{ 's', NULL,			ARG_MUST, "MB",		NULL, "choosing the buffer size", "buffer size" },
	{ 'd', NULL,			ARG_MUST, "OBJ",	NULL, "adding symbol data", "add symbols of an object" },
	{ 'a', NULL,			ARG_MUST, "ARCH",	NULL, "another architecture", "build for another architecture" },
	{ 'B', NULL,			ARG_MUST, "NAME=VAL",	NULL, "an option for the kernel's make", "option for the kernel's make" },
	{ 'R', NULL,			ARG_MUST, "DIR",	NULL, "another runtime directory", "another runtime directory" },
	{ 'P', "prologue-searching",	ARG_MAY, "WHEN",	NULL, "choosing how prologues are skipped", "skip function prologues" },
	{ 'i', "interactive",		ARG_NO, NULL,		NULL, "interactive mode", "command prompt" },
	{ 'q', NULL,			ARG_NO, NULL,		NULL, "the coverage database", "coverage database" },
	{ 0, "vp",			ARG_MUST, "ABCDE",	NULL, "verbosity by pass", "verbosity of each pass" },
	{ 0, "ldd",			ARG_NO, NULL,		NULL, "adding symbol data", "add symbols of shared libraries" },
	{ 0, "all-modules",		ARG_NO, NULL,		NULL, "adding symbol data", "add symbols of all modules" },
	{ 0, "skip-badvars",		ARG_NO, NULL,		NULL, "replacing bad target variables", "unresolved $x is 0" },
	{ 0, "semantic-keep-going",	ARG_NO, NULL,		NULL, "the catalogue of errors", "catalogue of errors" },
	{ 0, "no-global-var-display",	ARG_NO, NULL,		NULL, "turning automatic printing off", "no automatic printing" },
	{ 0, "suppress-handler-errors",	ARG_NO, NULL,		NULL, "suppressing handler errors", "count run-time errors only" },
	{ 0, "suppress-time-limits",	ARG_NO, NULL,		NULL, "suppressing time limits", "lift the action limit" },
	{ 0, "dump-probe-types",	ARG_NO, NULL,		NULL, "dumping probe types", "list forms of probe points" },
	{ 0, "dump-probe-aliases",	ARG_NO, NULL,		NULL, "dumping aliases", "list aliases" },
	{ 0, "dump-functions",		ARG_NO, NULL,		NULL, "dumping functions", "list library functions" },
	{ 0, "compatible",		ARG_MUST, "VERSION",	NULL, "an older language version", "language of an older version" },
	{ 0, "check-version",		ARG_NO, NULL,		NULL, "version checking", "warn of version dependences" },
	{ 0, "example",			ARG_NO, NULL,		NULL, "running examples by name", "run a shipped example" },
	{ 0, "monitor",			ARG_MAY, "SECONDS",	NULL, "monitor mode", "status screen" },
	{ 0, "remote",			ARG_MUST, "URI",	NULL, "running on another host", "run on another host" },
	{ 0, "privilege",		ARG_MUST, "LEVEL",	NULL, "lower privilege levels", "check for a privilege level" },
	{ 0, "unprivileged",		ARG_NO, NULL,		NULL, "lower privilege levels", "as --privilege=stapusr" },
	{ 0, "sysroot",			ARG_MUST, "DIR",	NULL, "another root for target files", "root of target files" },
	{ 0, "tmpdir",			ARG_MUST, "DIR",	NULL, "a chosen temporary directory", "temporary directory" },
	{ 0, "color",			ARG_MAY, "WHEN",	NULL, "choosing colours", "coloured messages" },
	{ 0, "disable-cache",		ARG_NO, NULL,		NULL, "running without the cache", "ignore the cache" },
	{ 0, "modinfo",			ARG_MUST, "NAME=VAL",	NULL, "extra module information", "module information" },
	{ 0, "language-server",		ARG_NO, NULL,		NULL, "the editor protocol", "editor protocol" },
};
enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

static bool show_help(struct parse *p, const char *arg)
{
	(void)arg;
	printf("Usage: spile [options] FILE [args]       run the script FILE\n"
	       "   or: spile [options] - [args]          run the script on standard input\n"
	       "   or: spile [options] -e SCRIPT [args]  run the script SCRIPT\n"
	       "   or: spile [options] -l POINT          list probe points\n\nOptions:\n");
	for (const struct row *r = rows; r < rows + NROWS; r++) {
		char left[80];
		int n = 0;

		if (r->refuse)
			continue;
		if (r->letter)
			n += snprintf(left + n, sizeof(left) - (size_t)n, "-%c%s", r->letter, r->name ? ", " : "");
		if (r->name)
			n += snprintf(left + n, sizeof(left) - (size_t)n, "--%s", r->name);
		if (r->argument != ARG_NO)
			snprintf(left + n, sizeof(left) - (size_t)n, r->argument == ARG_MAY ? "[=%s]" :
				 r->name ? "=%s" : " %s", r->value);
		printf("  %-24s %s\n", left, r->help);
	}
	p->done = true;
	return true;
}

/* getopt's two descriptions of the table.  Long options return 256 + row. */
static void describe(char *letters, struct option *longs)
{
	char *at = letters;

	for (int i = 0; i < NROWS; i++) {
		if (rows[i].letter) {
			*at++ = rows[i].letter;
			if (rows[i].argument == ARG_MUST)
				*at++ = ':';
		}
		if (rows[i].name)
			*longs++ = (struct option){ rows[i].name, rows[i].argument == ARG_NO ? no_argument :
				rows[i].argument == ARG_MUST ? required_argument : optional_argument, NULL, 256 + i };
	}
	*at = 0;
	*longs = (struct option){ 0 };
}

static const struct row *row_of(int code)
{
	if (code >= 256)
		return &rows[code - 256];
	for (const struct row *r = rows; r < rows + NROWS; r++)
		if (r->letter == code)
			return r;
	return NULL;
}

static bool apply(struct parse *p, const struct row *r, const char *arg)
{
	if (r->set)
		return r->set(p, arg);
	if (r->name)
		diag_error(p->d, NO_SPAN, TAG_NOT_YET, "--%s: %s is not done yet by spile " PACKAGE_VERSION, r->name, r->refuse);
	else
		diag_error(p->d, NO_SPAN, TAG_NOT_YET, "-%c: %s is not done yet by spile " PACKAGE_VERSION, r->letter, r->refuse);
	return false;
}

static bool unknown(struct parse *p, char **argv, int code)
{
	bool is_long = optind > 0 && !strncmp(argv[optind - 1], "--", 2);

	if (code == ':' && optopt < 256)
		diag_error(p->d, NO_SPAN, TAG_USAGE, "option requires an argument -- '%c'", optopt);
	else if (code == ':')
		diag_error(p->d, NO_SPAN, TAG_USAGE, "option '--%s' requires an argument", rows[optopt - 256].name);
	else if (is_long && optopt >= 256)
		diag_error(p->d, NO_SPAN, TAG_USAGE, "option '--%s' doesn't allow an argument", rows[optopt - 256].name);
	else if (is_long && !optopt)
		diag_error(p->d, NO_SPAN, TAG_USAGE, "unrecognized option '%s'", argv[optind - 1]);
	else
		diag_error(p->d, NO_SPAN, TAG_USAGE, "invalid option -- '%c'", optopt);
	return false;
}

/* What stands beside the options: the script file and its arguments. */
static bool take_words(struct parse *p, int argc, char **argv)
{
	struct options *o = p->o;

	if (!o->script_text && optind < argc)
		o->script_file = argv[optind++];
	o->nargs = argc - optind;
	o->args = argv + optind;
	if (!o->script_text && !o->script_file)
		return usage(p, "A script must be specified.");
	return true;
}

static bool consistent(struct parse *p)
{
	struct options *o = p->o;

	if (o->command && o->target_pid)
		return usage(p, "You can't specify -c and -x together.");
	if (o->vm && o->runtime == RUNTIME_USER)
		return usage(p, "--vm runs a kernel module; --runtime=user needs no virtual machine.");
	if (o->vm)
		o->runtime = RUNTIME_KERNEL;
	return true;
}

enum options_result options_parse(struct options *o, struct arena *a, struct diag *d, int argc, char **argv)
{
	char letters[2 * NROWS + 2] = ":";
	struct option longs[NROWS + 1];
	struct parse p = { .o = o, .a = a, .d = d };
	bool good = true;
	int code;

	describe(letters + 1, longs);
	o->last_pass = 5;
	p.dirs = ARENA_ARRAY(a, const char *, (size_t)argc + 1);
	o->library_dirs = p.dirs;
	opterr = 0;
	while (good && !p.done && (code = getopt_long(argc, argv, letters, longs, NULL)) != -1)
		good = code == '?' || code == ':' ? unknown(&p, argv, code) : apply(&p, row_of(code), optarg);
	if (good && p.done)
		return OPTIONS_DONE;
	if (good && take_words(&p, argc, argv) && consistent(&p))
		return OPTIONS_RUN;
	diag_say(d, "Try '--help' for more information.\n");
	return OPTIONS_BAD;
}
