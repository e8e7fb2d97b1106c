/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile: the whole way through on one screen.  argv becomes a session, the session goes through the passes of the
 * table below, in order; -pN stops after stage N and prints what it left.  Start reading at passes[].
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "build/build.h"
#include "build/cache.h"
#include "build/hash.h"
#include "elaborate/dump.h"
#include "elaborate/list.h"
#include "elaborate/program.h"
#include "emit/emit.h"
#include "example.h"
#include "kernel_config.h"
#include "layout.h"
#include "library/library.h"
#include "options.h"
#include "run/kernels.h"
#include "run/remote.h"
#include "run/run.h"
#include "run/vm.h"
#include "support/file.h"
#include "support/setting.h"
#include "syntax/syntax.h"
#include "workdir.h"

enum { CACHED_NAMED_MODULES = 1000 };

struct session {
	struct options options;
	struct arena *arena;
	struct diag *diag;
	struct layout *layout;
	struct syntax_env env;
	struct library *library;
	struct program *program;
	struct source source;
	const char *name;		/* of the module */
	const char *c_file;		/* left by emit */
	struct emitted more;		/* as well */
	const char *object;		/* left by build */
	bool from_cache;		/* which found it there */
	int status;			/* of the run */
	int build;			/* number of this build, of several for --remote */
};

static bool parse_scripts(struct session *s);
static bool run_prune_unused(struct session *s);
static void print_trees(FILE *out, const struct session *s);
static void print_program(FILE *out, const struct session *s);
static bool translate(struct session *s);
static void print_c(FILE *out, const struct session *s);
static bool build_object(struct session *s);
static void print_object(FILE *out, const struct session *s);
static bool run_built(struct session *s);

#define OF_PROGRAM(pass) static bool run_##pass(struct session *s) { return pass(s->program); }
OF_PROGRAM(derive_probes)
OF_PROGRAM(bind_symbols)
OF_PROGRAM(drop_dead)
OF_PROGRAM(infer_types)
OF_PROGRAM(compile_patterns)
OF_PROGRAM(check_runnable)

/* In order.  -pN stops after the last row of stage N and prints what it leaves. */
static const struct pass {
	int stage;
	const char *name;
	bool (*run)(struct session *s);
	void (*print)(FILE *out, const struct session *s);
	const char *leaves;
	bool goes_on;			/* where it fails the next is run as well, which finds mistakes of other kinds */
} passes[] = {
	{ 1, "parse",	parse_scripts,		print_trees,	"trees and spans", false },
	{ 2, "derive",	run_derive_probes,	print_program,	"aliases expanded, sites known", true },
	{ 2, "bind",	run_bind_symbols,	print_program,	"every name bound, library files read", false },
	{ 2, "dead",	run_drop_dead,		print_program,	"no code that can not run", false },
	{ 2, "types",	run_infer_types,	print_program,	"every expression typed", false },
	{ 2, "prune",	run_prune_unused,	print_program,	"nothing that can not be seen; locks known", false },
	{ 2, "patterns", run_compile_patterns,	print_program,	"an automaton for each regular expression", false },
	{ 3, "check",	run_check_runnable,	NULL,		"only what can be translated", false },
	{ 3, "emit",	translate,		print_c,	"one readable C file", false },
	{ 4, "build",	build_object,		print_object,	"a module or shared object, cached", false },
	{ 5, "run",	run_built,		NULL,		"events printed, all of it detached", false },
};
enum { NPASSES = sizeof(passes) / sizeof(passes[0]) };

static const char *const failures[] = {
	NULL, "parse failed.  [man error::pass1]", "analysis failed.  [man error::pass2]",
	"translation failed.  [man error::pass3]", "compilation failed.  [man error::pass4]", "run failed.  [man error::pass5]",
};

/* ------------------------------------------------------------------------------------------------ pass 1 */

static bool read_file(struct session *s, const char *name)
{
	char *text;
	int err = file_read(s->arena, name, &text, &s->source.len);

	s->source.text = text;
	if (err == -ENOENT)
		diag_error(s->diag, NO_SPAN, TAG_FILE, "Input file '%s' is missing.", name);
	else if (err)
		diag_error(s->diag, NO_SPAN, TAG_FILE, "Input file '%s' can't be opened for reading. (%s)", name, strerror(-err));
	return !err;
}

/* The text of the script, wherever it stands.  Listings are a probe with an empty handler. */
static bool read_script(struct session *s)
{
	const struct options *o = &s->options;
	const char *file = o->script_file;

	if (o->example)
		file = example_find(s->arena, s->diag, s->layout->examples_dir, file);
	if (o->example && !file)
		return false;
	s->source.name = file && strcmp(file, "-") ? file : "<input>";
	if (file)
		return read_file(s, file);
	s->source.text = o->list ? arena_printf(s->arena, "probe %s {}", o->script_text) : o->script_text;
	s->source.len = strlen(s->source.text);
	return true;
}

/* The release that scripts are told of; where -r names a build tree, the one it is for. */
static const char *script_release(struct session *s)
{
	const struct options *o = &s->options;
	struct utsname u;
	char *text;
	size_t len;

	uname(&u);
	if (o->vm)
		return o->vm_release ? o->vm_release : KERNEL_DEFAULT;
	if (!o->kernel_release)
		return arena_strdup(s->arena, u.release);
	if (*o->kernel_release != '/')
		return o->kernel_release;
	if (file_read(s->arena, arena_printf(s->arena, "%s/include/config/kernel.release", o->kernel_release), &text, &len))
		return arena_strdup(s->arena, u.release);
	text[strcspn(text, "\n")] = 0;
	return text;
}

static void fill_env(struct session *s)
{
	static const char *const levels[] = { "stapusr", "stapsys", "stapdev" };
	const struct options *o = &s->options;
	struct utsname u;

	uname(&u);
	kernel_config_of(s->arena, o->kernel_release && *o->kernel_release == '/' ? o->kernel_release : script_release(s));
	s->env = (struct syntax_env){
		.kernel_vr = script_release(s),
		.arch = arena_strdup(s->arena, u.machine),
		.runtime = s->program->runtime == RUNTIME_USER ? "user" : "kernel",
		.version = o->compatible,
		.check_version = o->check_version,
		.privilege = levels[o->privilege],
		.guru = o->guru,
		.config = kernel_config,
		.nargs = o->nargs,
		.args = o->args,
		.arg_used = ARENA_ARRAY(s->arena, bool, (size_t)o->nargs + 1),
	};
}

static void say_runtime(struct session *s, enum runtime r, const char *why)
{
	s->program->runtime = r;
	if (s->options.verbose)
		diag_say(s->diag, "Runtime: %s%s%s.\n", r == RUNTIME_USER ? "user" : "kernel", *why ? ": " : "", why);
}

/*
 * Kernel where this machine can carry it, else user.  Whether user will do for the script is only known when its
 * probes are derived: see derive_probes().
 */
static void choose_runtime(struct session *s)
{
	const struct options *o = &s->options;
	struct strbuf why = { 0 };
	struct utsname u;

	uname(&u);
	strbuf_add(&why, "");
	if (o->runtime != RUNTIME_AUTO)
		say_runtime(s, o->runtime, o->vm ? "in a virtual machine" : "as asked");
	else if (!kernel_lacks(o->kernel_release ? o->kernel_release : u.release, o->last_pass, &why))
		say_runtime(s, RUNTIME_KERNEL, "");
	else
		say_runtime(s, RUNTIME_USER, why.text);
	s->program->kernel_lacks = arena_strdup(s->arena, why.text ? why.text : "");
	strbuf_free(&why);
}

/* One more script beside the main one. */
static void add_script(struct session *s, const char *name, const char *text, bool is_library)
{
	struct source *source = ARENA_NEW(s->arena, struct source);
	struct script **tail = &s->program->user;

	source->name = name;
	source->text = text;
	source->len = strlen(text);
	while (*tail)
		tail = &(*tail)->next;
	*tail = script_parse(s->arena, s->diag, &s->env, library_macros(s->library), source, is_library);
}

/* -E, and the probe of -T that ends the session. */
static void add_scripts(struct session *s)
{
	const struct options *o = &s->options;
	int n = 0;

	for (const char **e = o->extra_scripts; e && *e; e++)
		add_script(s, arena_printf(s->arena, "<input%d>", ++n), *e, false);
	if (o->timeout_s > 0)
		add_script(s, "<timeout>", arena_printf(s->arena, "probe timer.ms(%.0f) { exit() }", o->timeout_s * 1000), true);
}

static bool parse_scripts(struct session *s)
{
	struct program *p = s->program;
	const struct options *o = &s->options;

	choose_runtime(s);
	fill_env(s);
	if (!o->dump && !read_script(s))
		return false;
	s->library = library_open(p, &s->env);
	p->tapset = s->library;
	if (o->script_file && library_has_file(s->library, s->source.name)) {
		diag_error(s->diag, NO_SPAN, TAG_USAGE, "tapset file '%s' cannot be run directly as a session script.",
			   s->source.name);
		return false;
	}
	if (!o->dump)
		p->user = script_parse(s->arena, s->diag, &s->env, library_macros(s->library), &s->source, false);
	add_scripts(s);
	return !diag_errors(s->diag);
}

/* ------------------------------------------------------------------------------------------------ passes 3 to 5 */

static bool failed(struct session *s, const char *what, const char *path, int err)
{
	diag_error(s->diag, NO_SPAN, TAG_FILE, "cannot %s '%s': %s", what, path, strerror(err));
	return false;
}

static bool translate(struct session *s)
{
	const char *dir = workdir_make(s->options.tmpdir);
	FILE *f;
	bool good;

	if (!dir)
		return failed(s, "make the temporary directory", s->options.tmpdir ? s->options.tmpdir : "", errno);
	s->name = s->options.module_name ? s->options.module_name :
		  s->build ? arena_printf(s->arena, "spile_%d_%d", (int)getpid(), s->build) :
			     arena_printf(s->arena, "spile_%d", (int)getpid());
	s->c_file = arena_printf(s->arena, "%s/%s.c", dir, s->name);
	f = fopen(s->c_file, "we");
	if (!f)
		return failed(s, "write", s->c_file, errno);
	good = emit_c(f, s->program, &s->more);
	if (fclose(f) && good)
		return failed(s, "write", s->c_file, errno);
	return good;
}

static void print_c(FILE *out, const struct session *s)
{
	char *text;
	size_t len;

	if (!file_read(s->arena, s->c_file, &text, &len))
		fwrite(text, 1, len, out);
}

/* -m NAME: a copy in the working directory. */
static bool save_object(struct session *s)
{
	const char *dot = strrchr(s->object, '.'), *saved = arena_printf(s->arena, "%s%s", s->name, dot ? dot : "");
	char *bytes;
	size_t len;
	int err = file_read(s->arena, s->object, &bytes, &len);

	if (err)
		return failed(s, "read", s->object, -err);
	err = file_write(saved, bytes, len);
	if (err)
		return failed(s, "write", saved, -err);
	s->object = saved;
	return true;
}

/* What the module is built for: a guest's kernel, one named by -r, or NULL: the running one. */
static const char *kernel_release(const struct options *o)
{
	if (o->vm)
		return o->vm_release ? o->vm_release : "";
	return o->kernel_release;
}

/* Of a kernel module that outlives this run: by what is in it, so that the same script has the same name. */
static const char *lasting_name(struct session *s)
{
	const char *release = kernel_release(&s->options);
	char digits[33];
	struct hash h;

	hash_start(&h);
	hash_file(&h, s->c_file);
	hash_text(&h, release ? release : s->env.kernel_vr);
	hash_name(&h, digits);
	return arena_printf(s->arena, "spile_%s", digits);
}

/* What was built in the temporary directory goes on to a place that stays: -m's, or the cache. */
static bool keep_object(struct session *s)
{
	const char *dot, *entry;

	if (s->options.module_name)
		return save_object(s);
	if (s->options.last_pass > 4 || strncmp(s->object, workdir_path(), strlen(workdir_path())))
		return true;
	dot = strrchr(s->object, '.');
	entry = cache_entry(s->arena, "modules", arena_printf(s->arena, "%s%s", s->name, dot ? dot : ""));
	if (!entry || !cache_store(s->arena, entry, s->object, CACHED_NAMED_MODULES))
		return save_object(s);
	s->object = entry;
	return true;
}

static const struct source *const *embedded_sources(const struct session *s)
{
	const struct source **sources;
	size_t n = 0;

	for (int user = 0; user < 2; user++)
		for (const struct script *i = user ? s->program->user : s->program->library; i; i = i->next)
			n++;
	sources = ARENA_ARRAY(s->arena, const struct source *, n + 1);
	n = 0;
	for (int user = 0; user < 2; user++)
		for (const struct script *i = user ? s->program->user : s->program->library; i; i = i->next)
			sources[n++] = i->source;
	return sources;
}

static bool build_object(struct session *s)
{
	const bool is_kernel = s->program->runtime == RUNTIME_KERNEL;
	const struct options *o = &s->options;
	struct build_job job = {
		.c_file = s->c_file,
		.embedded = s->more.embedded,
		.constants = s->more.constants,
		.nconstants = s->more.nconstants,
		.constant_spans = s->more.constant_spans,
		.sources = embedded_sources(s),
		.work_dir = workdir_path(),
		.layout = s->layout,
		.verbose = o->verbose,
		.kernel_release = kernel_release(o),
		.make_vars = o->make_vars,
		.debug = o->module_debug,
		.from_cache = &s->from_cache,
	};

	if (o->last_pass == 4 && !o->module_name)
		s->name = lasting_name(s);
	job.name = s->name;
	s->object = is_kernel ? build_kernel(s->arena, s->diag, &job) : build_user(s->arena, s->diag, &job);
	return s->object && keep_object(s);
}

static void print_object(FILE *out, const struct session *s)
{
	fprintf(out, "%s\n", s->object);
}

static bool run_built(struct session *s)
{
	const struct run_job job = {
		.object = s->object, .options = &s->options, .layout = s->layout, .kernel_release = s->options.vm_release,
	};

	if (s->options.verbose)
		diag_say(s->diag, "Pass 5: starting run.\n");
	fflush(stdout);
	s->status = run_script(s->arena, s->diag, &job);
	return !s->status;
}

/* ------------------------------------------------------------------------------------------------ passes and their lines */

static void print_trees(FILE *out, const struct session *s)
{
	fprintf(out, "# parse tree dump\n");
	for (const struct script *u = s->program->user; u; u = u->next)
		if (!u->is_library)
			script_print(out, u);
	for (unsigned i = 0; s->options.verbose && i < library_files(s->library); i++) {
		const struct script *l = library_script(s->library, i);

		if (l)
			script_print(out, l);
	}
}

static void print_program(FILE *out, const struct session *s)
{
	program_print(out, s->program, s->options.verbose > 0);
}

/* Arguments that the script never names are told once it is known to be sound. */
static bool run_prune_unused(struct session *s)
{
	bool good = prune_unused(s->program);

	for (int i = 0; good && i < s->options.nargs; i++)
		if (!s->env.arg_used[i])
			diag_warning(s->diag, NO_SPAN, TAG_ARGUMENT, "unused command line option $%d/@%d", i + 1, i + 1);
	return good;
}

struct times { double user, sys, real; };

static struct times now(void)
{
	struct rusage self, children;
	struct timespec t;
	struct times r;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	clock_gettime(CLOCK_MONOTONIC, &t);
	r.user = (double)(self.ru_utime.tv_sec + children.ru_utime.tv_sec) * 1e3 +
		 (double)(self.ru_utime.tv_usec + children.ru_utime.tv_usec) / 1e3;
	r.sys = (double)(self.ru_stime.tv_sec + children.ru_stime.tv_sec) * 1e3 +
		(double)(self.ru_stime.tv_usec + children.ru_stime.tv_usec) / 1e3;
	r.real = (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
	return r;
}

/* "107324virt/96656res/7000shr/89572data kb", from /proc/self/statm (proc(5)). */
static void memory_text(char *out, size_t size)
{
	long v[6] = { 0 }, page = sysconf(_SC_PAGESIZE) / 1024;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f) {
		if (fscanf(f, "%ld %ld %ld %ld %ld %ld", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]) != 6)
			memset(v, 0, sizeof(v));
		fclose(f);
	}
	snprintf(out, size, "%ldvirt/%ldres/%ldshr/%lddata kb", v[0] * page, v[1] * page, v[2] * page, v[5] * page);
}

static void say_counts(struct session *s, struct strbuf *b)
{
	const struct program *p = s->program;
	unsigned n[4] = { 0 };
	static const char *const what[] = { "probe", "function", "embed", "global" };

	for (const struct probe *q = p->probes; q; q = q->next)
		n[0] += q->hidden ? 0 : q->nsites ? q->nsites : 1;
	n[0] += program_sets_conditions(p);
	for (const struct function *f = p->functions; f; f = f->next)
		n[1]++;
	for (int user = 0; user < 2; user++)
		for (const struct script *f = user ? p->user : p->library; f; f = f->next)
			for (const struct embedded *e = f->embedded; e; e = e->next)
				n[2]++;
	for (const struct symbol *g = p->globals; g; g = g->next)
		n[3]++;
	strbuf_add(b, "analyzed script: ");
	for (int i = 0; i < 4; i++)
		strbuf_printf(b, "%s%u %s%s", i ? ", " : "", n[i], what[i], n[i] == 1 ? "" : "s");
}

static void say_stage(struct session *s, int stage, struct times from)
{
	struct times to = now();
	struct strbuf b = { 0 };
	char memory[100];
	unsigned nlibrary = s->library ? library_files(s->library) : 0;

	if (!s->options.verbose)
		return;
	memory_text(memory, sizeof(memory));
	if (stage == 1)
		strbuf_printf(&b, "parsed user script and %u library script%s", nlibrary, nlibrary == 1 ? "" : "s");
	else if (stage == 2)
		say_counts(s, &b);
	else if (stage == 3)
		strbuf_printf(&b, "translated to C into \"%s\"", s->c_file ? s->c_file : "");
	else if (stage == 4)
		strbuf_printf(&b, s->from_cache ? "using cached %s" : "compiled C into \"%s\"", s->object ? s->object : "");
	else
		strbuf_add(&b, "run completed");
	if (stage <= 3)
		strbuf_printf(&b, " using %s,", memory);
	diag_say(s->diag, "Pass %d: %s in %.0fusr/%.0fsys/%.0freal ms.\n", stage, b.text, to.user - from.user,
		 to.sys - from.sys, to.real - from.real);
	strbuf_free(&b);
}

static void say_failure(struct session *s, int stage)
{
	unsigned n = diag_errors(s->diag);

	if (stage == 1 && s->program->user)
		diag_say(s->diag, "%u parse error%s.\n", n, n == 1 ? "" : "s");
	diag_say(s->diag, "Pass %d: %s\n", stage, failures[stage]);
}

/* True where every pass up to stage @last, and that was asked for, went well. */
static bool run_passes(struct session *s, int last)
{
	struct times from = now();

	for (int i = 0; i < NPASSES && passes[i].stage <= s->options.last_pass && passes[i].stage <= last; i++) {
		const struct pass *p = &passes[i];
		bool ends_stage = i + 1 == NPASSES || passes[i + 1].stage != p->stage, good;

		s->options.verbose = s->options.verbose_by_stage[p->stage];
		if (p->stage == 2 && s->options.keep_going && passes[i - 1].stage == 1)
			diag_collect(s->diag);
		good = p->run(s) && !diag_errors(s->diag);
		if (!good && p->stage == 2 && !ends_stage && (p->goes_on || (s->options.keep_going && s->program->probes)))
			continue;
		if (!good || ends_stage) {
			say_stage(s, p->stage, from);
			from = now();
		}
		if (!good) {
			say_failure(s, p->stage);
			if (p->stage == 2 && s->options.keep_going)
				diag_catalogue(s->diag, stdout);
			return false;
		}
		if (ends_stage && p->stage == s->options.last_pass && p->print)
			p->print(stdout, s);
	}
	return true;
}

/* -l, -L, --dump-...: passes 1 and what is needed of 2, without a word of complaint. */
static bool list(struct session *s)
{
	bool good;

	diag_silence(s->diag, s->options.verbose < 2);
	good = parse_scripts(s);
	if (good && s->options.dump)
		dump(stdout, s->program, s->options.dump, s->options.verbose);
	else if (good)
		good = list_points(stdout, s->program, s->options.list_vars);
	return good;
}

/* --clean-cache */
enum { CACHE_MB = 256 };

static bool clean_cache(struct session *s)
{
	const char *dir = cache_dir(s->arena);
	unsigned long long most = CACHE_MB;
	char *text;
	size_t len;
	int n;

	if (dir && !file_read(s->arena, arena_printf(s->arena, "%s/cache_mb_limit", dir), &text, &len))
		most = strtoull(text, NULL, 10);
	n = cache_clean(s->arena, most << 20);
	if (n < 0)
		return failed(s, "clean", dir, -n);
	if (s->options.verbose)
		diag_say(s->diag, "Removed %d file%s from the cache.\n", n, n == 1 ? "" : "s");
	return true;
}

static bool can_colour(void)
{
	const char *term = getenv("TERM");

	return isatty(2) && term && strcmp(term, "dumb");
}

static void set_colours(struct session *s)
{
	const char *spec = setting("COLORS");

	if (s->options.colour != WHEN_AUTO)
		diag_colour(s->diag, s->options.colour == WHEN_ALWAYS);
	if (spec && !diag_colours(s->diag, spec))
		diag_warning(s->diag, NO_SPAN, TAG_USAGE, "SPILE_COLORS is no list of names and colours: '%s'", spec);
}

static void session_open(struct session *s)
{
	s->layout = layout_find(s->arena);
	if (s->options.runtime_dir)
		s->layout->runtime_dir = s->options.runtime_dir;
	s->program = program_make(s->arena, s->diag, &s->options, s->layout);
}

static void session_close(struct session *s)
{
	program_close(s->program);
	library_close(s->library);
}

/* ------------------------------------------------------------------------------------------------ other hosts */

/* What a host's build depends on: its machine, and in the kernel runtime its release. */
static void target_of(struct options *o, const struct remote *r)
{
	struct strbuf why = { 0 };
	struct utsname u;

	uname(&u);
	o->kernel_release = strcmp(u.release, r->release) ? r->release : NULL;
	if (o->runtime == RUNTIME_AUTO)
		o->runtime = kernel_lacks(r->release, 4, &why) ? RUNTIME_USER : RUNTIME_KERNEL;
	strbuf_free(&why);
}

static bool same_kind(const struct options *o, const struct remote *a, const struct remote *b)
{
	return !strcmp(a->machine, b->machine) && (o->runtime == RUNTIME_USER || !strcmp(a->release, b->release));
}

/* Builds for host @n, unless one before it is of the same kind. */
static bool build_for(const struct session *s, struct remotes *rs, int n)
{
	struct session one = { .options = s->options, .arena = s->arena, .diag = s->diag, .build = n + 1 };
	struct remote *r = &rs->all[n];
	bool good;

	for (int i = 0; i < n && !r->object; i++)
		if (same_kind(&s->options, &rs->all[i], r))
			r->object = rs->all[i].object;
	if (r->object)
		return true;
	if (strcmp(r->machine, "x86_64")) {
		diag_error(s->diag, NO_SPAN, TAG_RUN, "remote '%s' is a %s machine, and spile builds for x86_64", r->uri, r->machine);
		return false;
	}
	target_of(&one.options, r);
	session_open(&one);
	good = run_passes(&one, 4);
	r->object = one.object;
	session_close(&one);
	return good;
}

/* --remote: all hosts are asked what they are, then built for, then run. */
static bool run_remotely(struct session *s)
{
	struct remotes *rs = remotes_open(s->arena, s->diag, &s->options, s->layout);
	bool good = rs;

	for (int i = 0; good && i < rs->n; i++)
		good = build_for(s, rs, i);
	if (good && s->options.last_pass == 5) {
		if (s->options.verbose_by_stage[5])
			diag_say(s->diag, "Pass 5: starting run.\n");
		good = !remotes_run(s->arena, s->diag, rs, &s->options, s->layout);
		if (!good)
			diag_say(s->diag, "Pass 5: %s\n", failures[5]);
	}
	remotes_close(rs);
	return good;
}

static int run_session(struct session *s)
{
	bool good;

	set_colours(s);
	if (s->options.clean_cache)
		return clean_cache(s) ? 0 : 1;
	if (s->options.verbose)
		diag_verbose(s->diag);
	session_open(s);
	if (s->options.vm && s->options.last_pass == 5)
		vm_possible(s->arena, s->diag);		/* before minutes go into building for it */
	good = !diag_errors(s->diag) && (s->options.list || s->options.dump ? list(s) :
					 s->options.nremotes ? run_remotely(s) : run_passes(s, 5));
	diag_end(s->diag);
	if (s->options.keep && workdir_path())
		diag_say(s->diag, "Keeping temporary directory \"%s\"\n", workdir_path());
	workdir_remove(s->options.keep);
	session_close(s);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct session s = { 0 };
	int status = 1;

	s.arena = arena_new();
	s.diag = diag_new(stderr, can_colour());
	switch (options_parse(&s.options, s.arena, s.diag, argc, argv)) {
	case OPTIONS_RUN:
		status = run_session(&s);
		break;
	case OPTIONS_DONE:
		status = 0;
		break;
	case OPTIONS_BAD:
		break;
	}
	if (fflush(stdout) || ferror(stdout)) {
		diag_error(s.diag, NO_SPAN, TAG_FILE, "cannot write the output: %s", strerror(errno));
		status = 1;
	}
	diag_free(s.diag);
	arena_free(s.arena);
	return status;
}
