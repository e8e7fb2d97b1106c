/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options (cli.md 2).  Each is one row of the table below: its names, its argument, what it sets and its line of --help,
 * manual page and completion.  Start reading at option_rows[]; command-line.c reads argv with it.
 */
#include "config.h"
#include "option-table.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "build/cache.h"
#include "support/strbuf.h"

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

static bool set_extra(struct parse *p, const char *arg)
{
	p->extra[p->nextra++] = arg;
	return true;
}

/* One listing at a time; command-line.c tells what does not go with it. */
static bool set_list(struct parse *p, const char *arg)
{
	p->o->list = true;
	p->o->script_text = arg;
	p->listings++;
	return true;
}

static bool set_dump(struct parse *p, enum dump what)
{
	p->o->dump = what;
	p->listings++;
	return true;
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
	p->pass_given = true;
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

/* MB[,N]: taken apart by spilerun. */
static bool set_file_size(struct parse *p, const char *arg)
{
	size_t mb = strspn(arg, "0123456789"), n = arg[mb] == ',' ? strspn(arg + mb + 1, "0123456789") : 0;

	p->o->file_size = arg;
	return (mb && mb < 7 && n < 7 && strtol(arg, NULL, 10) && !arg[mb + (n ? n + 1 : 0)]) ||
	       usage(p, "Invalid file size option (should be MB[,N]).");
}

static bool set_buffer(struct parse *p, const char *arg)
{
	return (whole_number(arg, &p->o->buffer_mb) && p->o->buffer_mb >= 1 && p->o->buffer_mb <= 4095) ||
	       usage(p, "Invalid buffer size (should be 1-4095).");
}

static bool set_remote(struct parse *p, const char *arg)
{
	const char **more = ARENA_ARRAY(p->a, const char *, (size_t)p->o->nremotes + 1);

	if (p->o->nremotes)
		memcpy(more, p->o->remotes, sizeof(*more) * (size_t)p->o->nremotes);
	more[p->o->nremotes++] = arg;
	p->o->remotes = more;
	return true;
}

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0;
}

static bool mismatch(struct parse *p, const char *option, const char *arg, const char *pattern)
{
	return usage(p, "Safety pattern mismatch for %s parameter ('%s' vs. '%s') rc=1", option, arg, pattern);
}

/* Appends NAME=VALUE to a list; a value that is not there is "1". */
static void add_define(struct parse *p, struct define **list, const char *arg)
{
	struct define *d = ARENA_NEW(p->a, struct define), **tail = list;
	size_t n = strcspn(arg, "=");

	d->name = arena_strndup(p->a, arg, n);
	d->value = arg[n] ? arg + n + 1 : "1";
	while (*tail)
		tail = &(*tail)->next;
	*tail = d;
}

/* cli.md 2.3: [A-Za-z_]\w*(=-?\w+)? */
static bool set_define(struct parse *p, const char *arg)
{
	size_t n = strcspn(arg, "=");
	const char *value = arg[n] ? arg + n + 1 + (arg[n + 1] == '-') : NULL;

	p->guarded = "-D";
	if (isdigit((unsigned char)*arg) || !is_word(arg, n) || (value && !is_word(value, strlen(value))))
		return mismatch(p, "-D", arg, "^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$");
	add_define(p, &p->o->defines, arg);
	return true;
}

/* cli.md 2.2: VAR an identifier, VAL of [A-Za-z0-9_.-]. */
static bool set_global(struct parse *p, const char *arg)
{
	size_t n = strcspn(arg, "=");
	const char *value = arg[n] ? arg + n + 1 : "";

	if (isdigit((unsigned char)*arg) || !is_word(arg, n) || !*value ||
	    value[strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")])
		return mismatch(p, "-G", arg, "^[a-z_][a-z_0-9]*=[a-z_0-9.-]+$");
	add_define(p, &p->o->globals, arg);
	return true;
}

static bool set_no_time_limits(struct parse *p, const char *arg)
{
	(void)arg;
	p->o->suppress_time_limits = true;
	return p->o->guru || usage(p, "--suppress-time-limits is for guru mode: it must come after -g.");
}

/* A variable for make.  What a shell would act upon has no place in it. */
static bool set_make_var(struct parse *p, const char *arg)
{
	size_t n = strcspn(arg, "=");

	p->guarded = "-B";
	if (isdigit((unsigned char)*arg) || !is_word(arg, n) || !arg[n] || strpbrk(arg, "`$;|&<>\"'\\\n"))
		return mismatch(p, "-B", arg, "^[a-z_][a-z_0-9]*=[^`$;|&<>\"'\\]*$");
	add_define(p, &p->o->make_vars, arg);
	return true;
}

static bool set_modinfo(struct parse *p, const char *arg)
{
	size_t n = strcspn(arg, "=");

	if (isdigit((unsigned char)*arg) || !is_word(arg, n) || !arg[n] || strpbrk(arg, "\"\\\n"))
		return mismatch(p, "--modinfo", arg, "^[a-z_][a-z0-9_]*=[^\"\\]*$");
	if (n == 4 && !strncmp(arg, "name", n))
		return usage(p, "--modinfo can not change a module's name; use -m.");
	add_define(p, &p->o->modinfo, arg);
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
	p->guarded = "-r";
	p->o->kernel_release = arg;
	return *arg || usage(p, "Empty kernel release.");
}

static bool set_arch(struct parse *p, const char *arg)
{
	struct utsname u;

	p->guarded = "-a";
	uname(&u);
	return !strcmp(arg, u.machine) ||
	       usage(p, "-a %s: building for another architecture than %s is not done by spile " PACKAGE_VERSION, arg, u.machine);
}

static bool set_runtime_dir(struct parse *p, const char *arg)
{
	p->guarded = "-R";
	p->o->runtime_dir = arg;
	return !access(arena_printf(p->a, "%s/spile.h", arg), R_OK) ||
	       usage(p, "-R %s: no runtime is there (spile.h is missing)", arg);
}

static bool set_runtime(struct parse *p, const char *arg)
{
	static const struct { const char *name; enum runtime runtime; } known[] = {
		{ "kernel", RUNTIME_KERNEL }, { "user", RUNTIME_USER }, { "dyninst", RUNTIME_USER },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(arg, known[i].name)) {
			p->o->runtime = known[i].runtime;
			return true;
		}
	if (!strcmp(arg, "bpf"))
		return usage(p, "--runtime=bpf: spile has no BPF back end (use kernel or user).");
	return usage(p, "Unknown runtime (should be kernel or user).");
}

static bool set_dyninst(struct parse *p, const char *arg)
{
	(void)arg;
	return set_runtime(p, "dyninst");
}

static bool set_bpf(struct parse *p, const char *arg)
{
	(void)arg;
	return set_runtime(p, "bpf");
}

/* A word of a list, as its number; -1 after a message. */
static int choose(struct parse *p, const char *option, const char *arg, const char *const *words)
{
	struct strbuf all = { 0 };

	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], arg)) {
			strbuf_free(&all);
			return i;
		}
		strbuf_printf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	usage(p, "%s: '%s' is none of %s.", option, arg, all.text);
	strbuf_free(&all);
	return -1;
}

static const char *const whens[] = { [WHEN_AUTO] = "auto", [WHEN_ALWAYS] = "always", [WHEN_NEVER] = "never", NULL };

static bool set_colour(struct parse *p, const char *arg)
{
	int w = choose(p, "--color", arg ? arg : "always", whens);

	p->o->colour = (enum when)w;
	return w >= 0;
}

static bool set_prologue(struct parse *p, const char *arg)
{
	int w = choose(p, "--prologue-searching", arg ? arg : "always", whens);

	p->o->prologue = (enum when)w;
	return w >= 0;
}

static bool set_privilege(struct parse *p, const char *arg)
{
	static const char *const levels[] = { "stapusr", "stapsys", "stapdev", NULL };
	int level = choose(p, "--privilege", arg, levels);

	if (p->privilege_given)
		return usage(p, "Privilege level may be set only once.");
	p->privilege_given = true;
	p->o->privilege = (enum privilege)level;
	return level >= 0;
}

static bool set_unprivileged(struct parse *p, const char *arg)
{
	(void)arg;
	return set_privilege(p, "stapusr");
}

/* One digit for each pass. */
static bool set_verbosity(struct parse *p, const char *arg)
{
	size_t n = strlen(arg);

	if (!n || n > STAGES || strspn(arg, "0123456789") != n)
		return usage(p, "Invalid --vp value (should be 1 to 5 digits).");
	for (size_t i = 0; i < n; i++)
		p->o->verbose_by_stage[i + 1] += (unsigned)(arg[i] - '0');
	return true;
}

static bool set_verbose(struct parse *p, const char *arg)
{
	(void)arg;
	for (int i = 0; i <= STAGES; i++)
		p->o->verbose_by_stage[i]++;
	return true;
}

/* Numbers with dots between, no newer than the language we follow (strverscmp(3)). */
static bool set_compatible(struct parse *p, const char *arg)
{
	p->o->compatible = arg;
	if (!isdigit((unsigned char)*arg) || strspn(arg, "0123456789.") != strlen(arg))
		return usage(p, "Invalid version '%s' for --compatible (should be like 2.6).", arg);
	return strverscmp(arg, LANGUAGE_VERSION) <= 0 ||
	       usage(p, "spile, which follows version " LANGUAGE_VERSION ", cannot be compatible with future version %s.", arg);
}

/* Symbols are found when they are wanted, in whatever file they are: naming it is enough. */
static bool set_object(struct parse *p, const char *arg)
{
	if (strchr(arg, '/'))
		return !access(arg, R_OK) || usage(p, "-d %s: %s", arg, strerror(errno));
	for (const char *c = arg; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
			return mismatch(p, "-d", arg, "^[a-z0-9_.-]+$");
	return *arg || usage(p, "Empty object name for -d.");
}

static bool set_tmpdir(struct parse *p, const char *arg)
{
	p->o->tmpdir = arg;
	return *arg || usage(p, "Empty directory name for --tmpdir.");
}

static bool set_limit(struct parse *p, const char *option, int resource, const char *arg)
{
	struct rlimit limit;
	int64_t n;

	if (!whole_number(arg, &n) || n < 0)
		return usage(p, "%s: '%s' is no number.", option, arg);
	limit.rlim_cur = limit.rlim_max = (rlim_t)n;
	if (resource == RLIMIT_FSIZE)
		signal(SIGXFSZ, SIG_IGN);	/* then the write fails, and that is told */
	return !setrlimit((__rlimit_resource_t)resource, &limit) || usage(p, "%s=%s: %s", option, arg, strerror(errno));
}
#define LIMIT_SETTER(name, resource) \
	static bool set_rlimit_##name(struct parse *p, const char *arg) { return set_limit(p, "--rlimit-" #name, resource, arg); }
LIMIT_SETTER(as, RLIMIT_AS)
LIMIT_SETTER(cpu, RLIMIT_CPU)
LIMIT_SETTER(fsize, RLIMIT_FSIZE)
LIMIT_SETTER(nproc, RLIMIT_NPROC)
LIMIT_SETTER(stack, RLIMIT_STACK)

/* Rows with .refuse and this: nothing is done, and that is said. */
static bool set_ignored(struct parse *p, const char *arg)
{
	(void)p;
	(void)arg;
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
SETTER(guru, p->o->guru = true)
SETTER(skip_badvars, p->o->skip_badvars = true)
SETTER(keep, p->o->keep = true)
SETTER(unoptimised, p->o->unoptimised = true)
SETTER(quiet, p->o->no_warnings = true)
SETTER(timing, p->o->timing = true)
SETTER(flight, p->o->flight = true)
SETTER(bulk, p->o->bulk = true)
SETTER(remote_prefix, p->o->remote_prefix = true)
SETTER(strict, p->o->warnings_fail = true)
SETTER(no_autoprint, p->o->no_autoprint = true)
SETTER(keep_going, p->o->keep_going = true)
SETTER(no_errors, p->o->suppress_handler_errors = true)
SETTER(check_version, p->o->check_version = true)
SETTER(example, p->o->example = true)
SETTER(debug, p->o->module_debug = true; cache_limit(CACHE_OFF))
SETTER(all_symbols, (void)p)
SETTER(cache_off, (void)p; cache_limit(CACHE_OFF))
SETTER(cache_poison, (void)p; cache_limit(CACHE_WRITE))
SETTER(clean_cache, p->o->clean_cache = true)
SETTER(dump_types, set_dump(p, DUMP_PROBE_TYPES))
SETTER(dump_aliases, set_dump(p, DUMP_PROBE_ALIASES))
SETTER(dump_functions, set_dump(p, DUMP_FUNCTIONS))
SETTER(help, print_help(stdout); p->done = true)
SETTER(version, print_version(stdout); p->done = true)

/* Used while spile is built and tested. */
static bool set_print(struct parse *p, const char *arg)
{
	static const char *const what[] = { "manual", "completion", "table", NULL };
	static void (*const print[])(FILE *) = { print_manual, print_completion, print_table };
	int n = choose(p, "--print", arg, what);

	if (n >= 0)
		print[n](stdout);
	p->done = n >= 0;
	return p->done;
}

/* A row without a letter and a name is a heading. */
#define HEADING(text) { 0, NULL, ARG_NO, NULL, NULL, NULL, text }

const struct row option_rows[] = {
	HEADING("Scripts and where to stop"),
	{ 'e', NULL,		ARG_MUST, "SCRIPT",	set_script, NULL, "run the script text SCRIPT" },
	{ 'E', NULL,		ARG_MUST, "SCRIPT",	set_extra, NULL, "run the script text SCRIPT beside the main one; may be repeated" },
	{ 0, "example",		ARG_NO, NULL,		set_example, NULL, "FILE is the name of an example that came with spile" },
	{ 'p', NULL,		ARG_MUST, "N",		set_last_pass, NULL, "stop after pass N: 1 parse, 2 elaborate, 3 translate, 4 build, 5 run" },
	{ 'l', NULL,		ARG_MUST, "POINT",	set_list, NULL, "list the probe points that match POINT" },
	{ 'L', NULL,		ARG_MUST, "POINT",	set_list_vars, NULL, "list them with the variables that can be read there" },
	{ 0, "dump-probe-types", ARG_NO, NULL,		set_dump_types, NULL, "list every form of probe point" },
	{ 0, "dump-probe-aliases", ARG_NO, NULL,	set_dump_aliases, NULL, "list the probe aliases of the library" },
	{ 0, "dump-functions",	ARG_NO, NULL,		set_dump_functions, NULL, "list the functions of the library" },
	{ 'v', NULL,		ARG_NO, NULL,		set_verbose, NULL, "say more; may be repeated" },
	{ 0, "vp",		ARG_MUST, "ABCDE",	set_verbosity, NULL, "say more in some passes: a digit for each is added to -v" },
	{ 'k', NULL,		ARG_NO, NULL,		set_keep, NULL, "keep the temporary directory" },
	{ 'g', NULL,		ARG_NO, NULL,		set_guru, NULL, "guru mode: embedded C, writes to target variables" },
	{ 'u', NULL,		ARG_NO, NULL,		set_unoptimised, NULL, "drop nothing from the script that seems unused" },
	{ 'w', NULL,		ARG_NO, NULL,		set_quiet, NULL, "show no warnings" },
	{ 'W', NULL,		ARG_NO, NULL,		set_strict, NULL, "fail where there is a warning" },
	{ 0, "compatible",	ARG_MUST, "VERSION",	set_compatible, NULL, "the language as of an older version (default " LANGUAGE_VERSION ")" },
	{ 0, "check-version",	ARG_NO, NULL,		set_check_version, NULL, "warn where the script depends on the version of the language" },
	{ 0, "skip-badvars",	ARG_NO, NULL,		set_skip_badvars, NULL, "take 0 for target variables that can not be found" },
	{ 0, "semantic-keep-going", ARG_NO, NULL,	set_keep_going, NULL, "go on after mistakes of pass 2, and print a catalogue of them" },
	{ 'P', "prologue-searching", ARG_MAY, "WHEN",	set_prologue, NULL, "place function probes behind the prologue: auto, always (without WHEN), never" },
	{ 0, "no-global-var-display", ARG_NO, NULL,	set_no_autoprint, NULL, "do not print globals at the end that the script never reads" },
	{ 'h', "help",		ARG_NO, NULL,		set_help, NULL, "show this text" },
	{ 'V', "version",	ARG_NO, NULL,		set_version, NULL, "show the version" },

	HEADING("Running"),
	{ 'c', NULL,		ARG_MUST, "CMD",	set_command, NULL, "run CMD under the script and end with it" },
	{ 'x', NULL,		ARG_MUST, "PID",	set_pid, NULL, "probe the running process PID" },
	{ 'o', NULL,		ARG_MUST, "FILE",	set_output, NULL, "write the script's output to FILE" },
	{ 'S', NULL,		ARG_MUST, "MB[,N]",	set_file_size, NULL, "with -o: go on to FILE.1, FILE.2 ... at this size, keep the last N" },
	{ 'F', NULL,		ARG_NO, NULL,		set_flight, NULL, "with -o: run in the background; else leave the newest output in the buffer" },
	{ 'b', NULL,		ARG_NO, NULL,		set_bulk, NULL, "an output file for each CPU, joined by spile-merge" },
	{ 's', NULL,		ARG_MUST, "MB",		set_buffer, NULL, "size of the output buffers, 1 to 4095" },
	{ 't', NULL,		ARG_NO, NULL,		set_timing, NULL, "report at the end how often each probe ran, and for how long" },
	{ 'T', NULL,		ARG_MUST, "SECONDS",	set_timeout, NULL, "end the script after SECONDS" },
	{ 'G', NULL,		ARG_MUST, "VAR=VAL",	set_global, NULL, "give the script's global VAR the value VAL at the start" },
	{ 'd', NULL,		ARG_MUST, "OBJ",	set_object, NULL, "know the symbols of OBJ (as of every object)" },
	{ 0, "ldd",		ARG_NO, NULL,		set_all_symbols, NULL, "know the symbols of shared libraries (always so)" },
	{ 0, "all-modules",	ARG_NO, NULL,		set_all_symbols, NULL, "know the symbols of kernel modules (always so)" },
	{ 0, "suppress-handler-errors",	ARG_NO, NULL,	set_no_errors, NULL, "count run-time errors and skipped probes, and go on" },
	{ 0, "suppress-time-limits", ARG_NO, NULL,	set_no_time_limits, NULL, "after -g: let handlers run as long as they will" },
	{ 0, "privilege",	ARG_MUST, "LEVEL",	set_privilege, NULL, "allow only what stapusr, stapsys or stapdev (default) may do" },
	{ 0, "unprivileged",	ARG_NO, NULL,		set_unprivileged, NULL, "as --privilege=stapusr" },
	{ 0, "monitor",		ARG_MAY, "SECONDS",	NULL, "monitor mode", "status screen" },
	{ 0, "remote",		ARG_MUST, "URI",	set_remote, NULL, "run on another host: [USER@]HOST[:PORT], ssh://..., unix:PATH, direct:; may be repeated" },
	{ 0, "remote-prefix",	ARG_NO, NULL,		set_remote_prefix, NULL, "begin each line of output with the number of its host" },
	{ 0, "target-namespaces", ARG_MUST, "PID",	NULL, "translating process numbers of another namespace", "namespaces of PID" },
	{ 'i', "interactive",	ARG_NO, NULL,		NULL, "interactive mode", "command prompt" },
	{ 0, "language-server",	ARG_NO, NULL,		NULL, "the editor protocol", "editor protocol" },
	{ 'q', NULL,		ARG_NO, NULL,		set_ignored, "spile keeps no database of what is used of the library", "coverage database" },

	HEADING("Building"),
	{ 0, "runtime",		ARG_MUST, "NAME",	set_runtime, NULL, "kernel: a module; user: inside the target, without privileges" },
	{ 0, "dyninst",		ARG_NO, NULL,		set_dyninst, NULL, "as --runtime=user" },
	{ 0, "bpf",		ARG_NO, NULL,		set_bpf, NULL, NULL },
	{ 0, "vm",		ARG_MAY, "RELEASE",	set_vm, NULL, "run script and command in a throwaway virtual machine" },
	{ 0, "return",		ARG_MUST, "HOW",	set_return, NULL, "plant return probes on the return instruction, or on the return address" },
	{ 'I', NULL,		ARG_MUST, "DIR",	set_dir, NULL, "look in DIR, too, for library files" },
	{ 'D', NULL,		ARG_MUST, "NAME[=VAL]",	set_define, NULL, "set a run-time limit, or a constant for embedded C" },
	{ 'B', NULL,		ARG_MUST, "NAME=VAL",	set_make_var, NULL, "give the kernel's make a variable" },
	{ 0, "modinfo",		ARG_MUST, "NAME=VAL",	set_modinfo, NULL, "add a line to what modinfo(8) shows of a kernel module" },
	{ 'R', NULL,		ARG_MUST, "DIR",	set_runtime_dir, NULL, "take the runtime's source from DIR" },
	{ 'r', NULL,		ARG_MUST, "RELEASE",	set_release, NULL, "build for another kernel release, or with the build tree /DIR" },
	{ 'a', NULL,		ARG_MUST, "ARCH",	set_arch, NULL, "build for ARCH, which must be this machine's" },
	{ 'm', NULL,		ARG_MUST, "NAME",	set_module_name, NULL, "name the built module, and leave it in the working directory" },
	{ 0, "debug",		ARG_NO, NULL,		set_debug, NULL, "keep debug information in the built module" },
	{ 0, "tmpdir",		ARG_MUST, "DIR",	set_tmpdir, NULL, "work in DIR, and keep what is left there" },
	{ 0, "disable-cache",	ARG_NO, NULL,		set_cache_off, NULL, "build without looking into the cache or writing to it" },
	{ 0, "poison-cache",	ARG_NO, NULL,		set_cache_poison, NULL, "build anew what is in the cache" },
	{ 0, "clean-cache",	ARG_NO, NULL,		set_clean_cache, NULL, "remove old things from the cache, and end" },
	{ 0, "color",		ARG_MAY, "WHEN",	set_colour, NULL, "coloured messages: auto (default), always (without WHEN), never" },
	{ 0, "colour",		ARG_MAY, "WHEN",	set_colour, NULL, NULL },
	{ 0, "rlimit-as",	ARG_MUST, "BYTES",	set_rlimit_as, NULL, "limit the translator's address space" },
	{ 0, "rlimit-cpu",	ARG_MUST, "SECONDS",	set_rlimit_cpu, NULL, "limit the translator's processor time" },
	{ 0, "rlimit-fsize",	ARG_MUST, "BYTES",	set_rlimit_fsize, NULL, "limit the size of files that the translator writes" },
	{ 0, "rlimit-nproc",	ARG_MUST, "N",		set_rlimit_nproc, NULL, "limit the processes of the user" },
	{ 0, "rlimit-stack",	ARG_MUST, "BYTES",	set_rlimit_stack, NULL, "limit the translator's stack" },
	{ 0, "sysroot",		ARG_MUST, "DIR",	NULL, "another root for target files", "root of target files" },
	{ 0, "sysenv",		ARG_MUST, "VAR=VAL",	NULL, "another root for target files", "environment of that root" },
	{ 0, "download-debuginfo", ARG_MAY, "HOW",	set_ignored, "spile asks the servers of DEBUGINFOD_URLS, and no other", "fetch debuginfo" },
	{ 0, "save-uprobes",	ARG_NO, NULL,		set_ignored, "spile builds no module for uprobes", "historical" },
	{ 0, "sign-module",	ARG_MAY, "KEY",		set_ignored, "the module is not signed", "sign the module" },
	{ 0, "build-as",	ARG_MAY, "USER",	set_ignored, "the module is built by the user who runs spile", "build as another user" },
	{ 0, "use-server-on-error", ARG_MAY, "YES",	set_ignored, "everything is compiled here", "compile servers" },
	{ 0, "use-server",	ARG_MAY, "SPEC",	NULL, "compiling on a server", "compile servers" },
	{ 0, "list-servers",	ARG_MAY, "WHAT",	NULL, "compiling on a server", "compile servers" },
	{ 0, "trust-servers",	ARG_MAY, "WHAT",	NULL, "compiling on a server", "compile servers" },
	{ 0, "use-http-server",	ARG_MUST, "URL",	NULL, "compiling on a server", "compile servers" },
	{ 0, "client-options",	ARG_NO, NULL,		NULL, "compiling on a server", "compile servers" },
	{ 0, "benchmark-sdt",	ARG_NO, NULL,		NULL, "measuring the cost of marks in itself", "internal" },
	{ 0, "print",		ARG_MUST, "WHAT",	set_print, NULL, NULL },
};
const unsigned option_nrows = sizeof(option_rows) / sizeof(option_rows[0]);
