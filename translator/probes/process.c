/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From `process("PATH")' and its forms to ELF files: the search along $PATH, globs, interpreters of #! scripts, the target
 * of -c and -x, libraries by name (spec/probes.md A.5).  Start reading at process_roots().
 */
#include "probes/process.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/similar.h"

enum { MAX_FILES = 8192 };		/* looked at for near names */

/* One root being resolved. */
struct finder {
	struct program *p;
	struct arena *a;
	struct roots *out;
	struct root **tail;
	struct di_miss *miss;
	struct span span;
};

static bool missed(struct finder *f, enum di_reason reason, const char *text)
{
	*f->miss = (struct di_miss){ .reason = reason, .text = text };
	return false;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

static bool is_pattern(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

/* Along a colon-separated list of folders; NULL where it is in none. */
static const char *search(struct arena *a, const char *list, const char *name)
{
	for (const char *p = list; p && *p; ) {
		size_t n = strcspn(p, ":");
		const char *full = n ? arena_printf(a, "%.*s/%s", (int)n, p, name) : name;

		if (is_file(full))
			return full;
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* Real path of an existing file, in the arena; NULL where it is not there. */
static const char *real(struct arena *a, const char *path)
{
	char full[PATH_MAX];

	return realpath(path, full) ? arena_strdup(a, full) : NULL;
}

/* ---- executables ---- */

static bool is_build_id(const char *s)
{
	return strlen(s) >= 3 && s[strspn(s, "0123456789abcdef")] == '\0';
}

static const char *by_build_id(struct arena *a, const char *id)
{
	const char *path = arena_printf(a, "/usr/lib/.build-id/%.2s/%s", id, id + 2);

	return is_file(path) ? path : NULL;
}

/* PATH as the shell would take it (A.5.1 to 3); NULL where no such file is. */
static const char *executable(struct arena *a, const char *name)
{
	const char *path;

	if (strchr(name, '/'))
		return is_file(name) ? name : NULL;
	path = is_build_id(name) ? by_build_id(a, name) : search(a, getenv("PATH"), name);
	return path ? path : is_file(name) ? name : NULL;
}

/* The interpreter's path where @path starts with #!, else @path itself; NULL where that is not there (A.5.5). */
static const char *interpreter(struct arena *a, const char *path)
{
	char line[PATH_MAX], *s, *end;
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f)
		fclose(f);
	line[n] = '\0';
	if (strncmp(line, "#!", 2))
		return path;
	s = line + 2 + strspn(line + 2, " \t");
	end = s + strcspn(s, "\n");
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	for (size_t k = 0; k < 2; k++) {
		const char *env = k ? "/bin/env" : "/usr/bin/env";
		size_t len = strlen(env);

		if (!strncmp(s, env, len) && isspace((unsigned char)s[len])) {
			s += len + strspn(s + len, " \t");
			break;
		}
	}
	return executable(a, arena_strdup(a, s));
}

static bool of_other_machine(struct finder *f, const struct object *obj)
{
	if (obj->machine == EM_X86_64 && obj->elf_class == 64)
		return false;
	diag_warning(f->p->diag, f->span, TAG_PROCESS, "'%s' is for another machine; skipped", obj->path);
	return true;
}

/* Opens @path and appends it.  @list: how listings name it; NULL: as pp() does. */
static bool add_root(struct finder *f, const char *path, const char *list)
{
	const char *full = real(f->a, path);
	struct object *obj;
	struct root *r;

	if (!full)
		return missed(f, DI_NO_FILE, arena_printf(f->a, "cannot find '%s': %s", path, strerror(errno)));
	for (r = f->out->first; r; r = r->next)
		if (!strcmp(r->obj->path, full))
			return true;
	obj = program_object(f->p, full, f->miss);
	if (!obj)
		return false;
	if (of_other_machine(f, obj))
		return missed(f, DI_BAD_ELF, arena_printf(f->a, "'%s' is for another machine", full));
	r = ARENA_NEW(f->a, struct root);
	r->obj = obj;
	r->point = arena_printf(f->a, "process(\"%s\")", full);
	r->list_point = list ? list : r->point;
	*f->tail = r;
	f->tail = &r->next;
	f->out->n++;
	return true;
}

struct file_names { const char *name[MAX_FILES]; unsigned n; };

/* Sorted, so that names that are equally near come in the same order anywhere. */
static void add_files(struct finder *f, struct file_names *l, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.' && l->n < MAX_FILES)
			l->name[l->n++] = arena_strdup(f->a, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* The first folder on the way to @name that is not there; NULL: all are. */
static const char *missing_folder(struct arena *a, const char *name)
{
	for (const char *slash = strchr(name + 1, '/'); *name && slash; slash = strchr(slash + 1, '/')) {
		const char *folder = arena_strndup(a, name, (size_t)(slash - name));

		if (access(folder, F_OK))
			return folder;
	}
	return NULL;
}

/* Why @name cannot be had, as far as that can be seen; NULL: it is just not there. */
static const char *missed_hint(struct arena *a, const char *name)
{
	const char *folder = missing_folder(a, name), *here = *name == '/' ? "" : " in the working directory";
	struct stat st;

	if (!stat(name, &st) && S_ISDIR(st.st_mode))
		return arena_printf(a, "'%s' is a directory", name);
	if (!access(name, F_OK) && access(name, R_OK))
		return arena_printf(a, "'%s' can not be read: %s", name, strerror(errno));
	if (!lstat(name, &st) && S_ISLNK(st.st_mode))
		return arena_printf(a, "'%s' is a link to something that is not there", name);
	if (!strchr(name, '/'))
		return "it is in no folder of PATH, nor here: a path with a slash names it from anywhere";
	if (folder)
		return arena_printf(a, "there is no folder '%s'%s", folder, here);
	return *name == '/' ? NULL : "the path is taken from the working directory";
}

/* No such file: names near it, in its folder or along PATH, and what could be meant. */
static bool missed_executable(struct finder *f, const char *name)
{
	const char *slash = strrchr(name, '/'), *base;
	struct file_names l = { .n = 0 };

	missed(f, DI_NO_FILE, arena_printf(f->a, "cannot find executable '%s'", name));
	if (slash)
		add_files(f, &l, arena_strndup(f->a, name, (size_t)(slash - name) + 1));
	for (const char *p = slash ? "" : getenv("PATH"); p && *p; ) {
		size_t n = strcspn(p, ":");

		if (n)
			add_files(f, &l, arena_strndup(f->a, p, n));
		p += n + (p[n] == ':');
	}
	base = slash ? slash + 1 : name;
	f->miss->alt_kind = "files";
	f->miss->nalt = similar_names(base, l.name, l.n, (unsigned)strlen(base) / 3 + 1, f->miss->alt, DI_MAX_ALT);
	f->miss->hint = missed_hint(f->a, name);
	return false;
}

static bool add_executable(struct finder *f, const char *name, const char *list)
{
	const char *path = executable(f->a, name), *program;

	if (!path)
		return missed_executable(f, name);
	program = interpreter(f->a, path);
	if (!program)
		return missed(f, DI_NO_FILE, arena_printf(f->a, "cannot find the interpreter of script '%s'", path));
	return add_root(f, program, list);
}

/* Every regular ELF file that fits; what cannot be opened is passed over (A.5.4). */
static bool add_glob(struct finder *f, const char *pattern)
{
	glob_t g;

	f->out->many = true;
	if (!glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++)
			if (is_file(g.gl_pathv[i]))
				add_executable(f, arena_strdup(f->a, strchr(g.gl_pathv[i], '/') ? g.gl_pathv[i]
						: arena_printf(f->a, "./%s", g.gl_pathv[i])), NULL);
		globfree(&g);
	}
	if (f->out->n)
		return true;
	return missed(f, DI_NO_FILE, arena_printf(f->a, "no executable file matches '%s'", pattern));
}

/* The first word of -c, split as the shell does without running anything (A.5.7). */
static const char *command_word(struct arena *a, const char *command)
{
	struct strbuf b = { 0 };
	const char *word, *s = command + strspn(command, " \t\n");
	char quote = 0;

	for (; *s && (quote || !strchr(" \t\n;|&<>()", *s)); s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else if (quote != '\'' && (*s == '$' || *s == '`'))
			goto refused;
		else if (quote != '\'' && *s == '\\' && s[1])
			strbuf_char(&b, *++s);
		else
			strbuf_char(&b, *s);
	}
	word = b.text && !quote ? arena_strdup(a, b.text) : NULL;
	strbuf_free(&b);
	return word;
refused:
	strbuf_free(&b);
	return NULL;
}

static bool add_target(struct finder *f)
{
	const struct options *o = f->p->options;
	const char *word;

	if (o->command) {
		word = command_word(f->a, o->command);
		if (!word)
			return missed(f, DI_MALFORMED, "invalid -c command for unspecified process probe");
		return add_executable(f, word, NULL);
	}
	if (o->target_pid) {
		const char *exe = arena_printf(f->a, "/proc/%lld/exe", (long long)o->target_pid);

		return add_root(f, exe, arena_printf(f->a, "process(%lld)", (long long)o->target_pid));
	}
	return missed(f, DI_MALFORMED, "unspecified process probe is invalid without a -c COMMAND or -x PID");
}

static bool add_pid(struct finder *f, int64_t pid)
{
	const char *exe = arena_printf(f->a, "/proc/%lld/exe", (long long)pid);

	if (access(exe, F_OK))
		return missed(f, DI_NO_FILE, arena_printf(f->a, "cannot probe pid %lld: No such process", (long long)pid));
	return add_root(f, exe, arena_printf(f->a, "process(%lld)", (long long)pid));
}

static bool add_process(struct finder *f, const struct component *c)
{
	if (c->arg == ARG_NUM)
		return add_pid(f, c->num);
	if (c->arg == ARG_NONE)
		return add_target(f);
	if (is_pattern(c->str->text) && !is_file(c->str->text))
		return add_glob(f, c->str->text);
	return add_executable(f, c->str->text, NULL);
}

/* ---- libraries ---- */

static void add_library_root(struct finder *f, const struct root *exe, const char *path)
{
	const char *full = real(f->a, path);

	if (full)
		add_root(f, path, arena_printf(f->a, "%s.library(\"%s\")", exe->list_point, full));
}

/* Those that the loader would map for @exe and that fit (A.5.9); @names: what it needs, for near names. */
static unsigned add_needed(struct finder *f, const struct root *exe, const char *lib, const char ***names)
{
	const struct needed_library *libs;
	const char *pattern = arena_printf(f->a, "*%s", lib);
	unsigned n = 0, before = f->out->n;

	*names = NULL;
	if (object_needed_libraries(exe->obj, f->a, &libs, &n))
		return 0;
	*names = ARENA_ARRAY(f->a, const char *, n + 1);
	for (unsigned i = 0, k = 0; i < n; i++) {
		if (!libs[i].path)
			continue;
		(*names)[k++] = strrchr(libs[i].path, '/') + 1;
		if (!fnmatch(pattern, libs[i].path, 0) || !fnmatch(pattern, libs[i].name, 0))
			add_library_root(f, exe, libs[i].path);
	}
	return f->out->n - before;
}

static void add_stray_library(struct finder *f, const struct root *exe, const char *lib)
{
	const char *path;
	glob_t g;

	if (is_pattern(lib)) {
		if (glob(lib, 0, NULL, &g))
			return;
		for (size_t i = 0; i < g.gl_pathc; i++)
			if (is_file(g.gl_pathv[i]))
				add_library_root(f, exe, arena_strdup(f->a, g.gl_pathv[i]));
		globfree(&g);
		return;
	}
	path = strchr(lib, '/') ? lib : search(f->a, getenv("LD_LIBRARY_PATH"), lib);
	if (path && is_file(path))
		add_library_root(f, exe, path);
	else if (!strchr(lib, '/') && is_file(lib))
		add_library_root(f, exe, lib);
}

static bool add_library(struct finder *f, const struct root *exe, const char *lib)
{
	const char **names = NULL;
	unsigned n = 0;

	if (*lib == '/' && !is_pattern(lib)) {
		if (!is_file(lib)) {
			missed(f, DI_NO_FILE, arena_printf(f->a, "cannot find library '%s'", lib));
			f->miss->hint = missed_hint(f->a, lib);
			return false;
		}
		add_library_root(f, exe, lib);
		return f->out->n > 0;
	}
	if (add_needed(f, exe, lib, &names))
		return true;
	add_stray_library(f, exe, lib);
	if (f->out->n) {
		diag_warning(f->p->diag, f->span, TAG_PROCESS, "'%s' is not a needed library of '%s'. Specify the full path "
			     "to squelch this warning.", lib, exe->obj->path);
		return true;
	}
	missed(f, DI_NO_MATCH, arena_printf(f->a, "'%s' needs no library '%s'", exe->obj->path, lib));
	while (names && names[n])
		n++;
	if (n)
		near_names(f->miss, "libraries", lib, names, n);
	return false;
}

/* ---- the whole ---- */

bool process_roots(struct program *p, const struct point_match *m, struct roots *out, struct di_miss *miss)
{
	struct finder f = { .p = p, .a = p->arena, .out = out, .tail = &out->first, .miss = miss,
			    .span = m->component[0]->span };
	const struct component *lib = m->n > 1 ? m->component[1] : NULL;
	struct root *exes;

	*out = (struct roots){ .words = 1 };
	if (!add_process(&f, m->component[0]))
		return false;
	if (!lib || strcmp(lib->name->text, "library") || lib->arg != ARG_STR)
		return true;
	exes = out->first;
	*out = (struct roots){ .words = 2, .many = out->many || is_pattern(lib->str->text) };
	f.tail = &out->first;
	for (const struct root *exe = exes; exe; exe = exe->next)
		add_library(&f, exe, lib->str->text);
	return out->n > 0;
}
