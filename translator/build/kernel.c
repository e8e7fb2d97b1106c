/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script's C file to a kernel module: one small compilation, objtool, one link.  Start reading at build_kernel().
 *
 * The runtime comes compiled (kernel_runtime.c), together with the commands that kbuild used on a stub in the script's place;
 * they are run again on the script.  kbuild itself would take a second for the smallest module, this takes 0.03 to 0.05.
 */
#include "build/kernel.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/cache.h"
#include "build/embedded.h"
#include "build/hash.h"
#include "build/modname.h"
#include "support/file.h"

#define CACHED_MODULES 1000
#define LINES_SHOWN 5

/* ---- what tools say ------------------------------------------------------------------------------ */

static bool is_trouble(const char *line)
{
	static const char *const words[] = { "error", "Error", "ERROR", "not found", "No such file", "undefined" };

	/* make's own "*** Error 2" says nothing that the line before did not. */
	if (!strncmp(line, "make", 4))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

static int show_lines(struct diag *d, const char *said, bool any)
{
	char *copy = strdup(said), *rest = NULL;
	int shown = 0;

	for (char *line = copy ? strtok_r(copy, "\n", &rest) : NULL; line && shown < LINES_SHOWN; line = strtok_r(NULL, "\n", &rest))
		if (any || is_trouble(line)) {
			diag_hint(d, "%s", line);
			shown++;
		}
	free(copy);
	return shown;
}

void build_show_said(struct diag *d, const char *said)
{
	if (said && !show_lines(d, said, false))
		show_lines(d, said, true);
}

/* ---- one script ---------------------------------------------------------------------------------- */

struct script_build {
	struct arena *a;
	struct diag *d;
	const struct build_job *job;
	const struct kernel_runtime *runtime;
	const struct kernel_tree *tree;
	const char *constants;			/* header of the values of @const, or NULL */
};

/* A recipe part and more words behind it, up to a NULL. */
static const char **recipe(const struct script_build *b, enum recipe_part part, const char *const *more)
{
	size_t n = b->runtime->parts[part].n, extra = 0;
	const char **words;

	while (more[extra])
		extra++;
	words = ARENA_ARRAY(b->a, const char *, n + extra + 1);
	memcpy(words, b->runtime->parts[part].words, n * sizeof(*words));
	memcpy(words + n, more, extra * sizeof(*words));
	return words;
}

/* Runs a part, if this kernel has it.  @what: for the message. */
static bool run_part(const struct script_build *b, enum recipe_part part, const char *what, const char *const *more)
{
	struct strbuf said = { 0 };
	struct child_io io = { .out = &said, .err = &said };
	const char **words;
	int status;

	if (!b->runtime->parts[part].n)
		return true;
	words = recipe(b, part, more);
	status = child_run(words, &io);
	if (status < 0)
		diag_error(b->d, NO_SPAN, TAG_BUILD, "cannot run '%s': %s", words[0], strerror(-status));
	else if (status)
		diag_error(b->d, NO_SPAN, TAG_BUILD, "the module '%s' could not be built: %s failed in %s (status %d)",
			   b->job->name, words[0], what, status);
	if (status)
		build_show_said(b->d, said.text);
	strbuf_free(&said);
	return !status;
}

static bool link_module(const struct script_build *b, const char *object, const char *whole, const char *ko)
{
	const char *runtime = arena_printf(b->a, "%s/runtime.o", b->runtime->dir);
	const char *more[2 + 3 + 8] = { "-o", whole, object, runtime, NULL };
	size_t n = 2;

	if (b->runtime->parts[RECIPE_LINK_PART].n) {
		if (!run_part(b, RECIPE_LINK_PART, "linking", more) ||
		    !run_part(b, RECIPE_CHECK_PART, "the check of the module's code", (const char *const[]){ whole, NULL }))
			return false;
		more[n++] = whole;
	} else {
		more[n++] = object;
		more[n++] = runtime;
	}
	more[1] = ko;
	for (size_t i = 0; i < b->runtime->parts[RECIPE_OBJECTS].n && n < sizeof(more) / sizeof(more[0]) - 1; i++)
		more[n++] = arena_printf(b->a, "%s/%s", b->runtime->dir, b->runtime->parts[RECIPE_OBJECTS].words[i]);
	more[n] = NULL;
	return run_part(b, RECIPE_LINK, "linking", more);
}

/* The linked module carries the place holder: the script's name goes there. */
static bool name_module(const struct script_build *b, const char *ko)
{
	int fd = open(ko, O_RDWR | O_CLOEXEC);
	struct stat st;
	void *image = MAP_FAILED;
	int rc = -1;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		image = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (image != MAP_FAILED) {
		rc = modname_set(image, (size_t)st.st_size, b->job->name);
		munmap(image, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	if (rc)
		diag_error(b->d, NO_SPAN, TAG_BUILD, "the module '%s' has no place for its name (at most %d letters)",
			   b->job->name, MODNAME_MAX);
	return !rc;
}

static const struct kernel_tree *find_tree(struct arena *a, struct diag *d, const struct build_job *job)
{
	struct kernel_wish wish = {
		.release = job->kernel_release, .fetcher = job->layout->fetch_kernel, .build = true,
	};

	if (job->kernel)
		return job->kernel;
	return job->kernel_release ? kernel_tree_find(a, &wish, d) : kernel_tree_running(a, d);
}

/* A tree with the user's variables for make behind its own. */
static const struct kernel_tree *with_make_vars(struct arena *a, const struct kernel_tree *tree, const struct define *vars)
{
	struct kernel_tree *more;
	const char **all;
	size_t n = 0, nvars = 0;

	if (!tree || !vars)
		return tree;
	while (tree->make_vars && tree->make_vars[n])
		n++;
	for (const struct define *v = vars; v; v = v->next)
		nvars++;
	all = ARENA_ARRAY(a, const char *, n + nvars + 1);
	if (n)
		memcpy(all, tree->make_vars, n * sizeof(*all));
	for (const struct define *v = vars; v; v = v->next)
		all[n++] = arena_printf(a, "%s=%s", v->name, v->value);
	more = ARENA_NEW(a, struct kernel_tree);
	*more = *tree;
	more->make_vars = all;
	return more;
}

/*
 * Where the script's module stands in the cache, or would; NULL: no cache.  The entry of the runtime names all but the script.
 * It stands there without a name of its own, so that runs that differ in nothing else share it.
 */
static const char *cached_module(const struct script_build *b)
{
	char name[33];
	struct hash h;

	hash_start(&h);
	hash_text(&h, b->runtime->dir);
	hash_file(&h, b->job->c_file);
	hash_text(&h, b->job->embedded);
	if (b->constants)
		hash_file(&h, b->constants);
	hash_name(&h, name);
	return cache_entry(b->a, "kernel", arena_printf(b->a, "%s.ko", name));
}

/* ---- what the script brings as C ------------------------------------------------------------------ */

static bool written(const struct script_build *b, const char *path, const char *text)
{
	int error = file_write(path, text, strlen(text));

	if (error)
		diag_error(b->d, NO_SPAN, TAG_FILE, "cannot write '%s': %s", path, strerror(-error));
	return !error;
}

/* kbuild on a folder; what the compiler says about embedded C is the script's. */
static bool run_kbuild(const struct script_build *b, const char *dir)
{
	struct strbuf said = { 0 };
	int status = kbuild_run(b->a, b->tree, dir, &said);

	if (status < 0)
		diag_error(b->d, NO_SPAN, TAG_BUILD, "cannot run 'make': %s", strerror(-status));
	else if (status)
		embedded_refused(b->d, b->job, said.text, NULL);
	strbuf_free(&said);
	return !status;
}

static const char *kbuild_text(const struct script_build *b, const char *objects, const char *more)
{
	return arena_printf(b->a, "obj-m := %s.o\n%s-y := %s\nccflags-y := -std=gnu11 -Wno-declaration-after-statement "
			    "-Werror=implicit-function-declaration " EMBEDDED_COLUMNS " -I%s%s%s\n",
			    MODNAME_PLACE_HOLDER, MODNAME_PLACE_HOLDER, objects, b->job->layout->runtime_dir,
			    more ? " -include " : "", more ? more : "");
}

/*
 * A module with a unit that includes the kernel's headers and calls what it exports: the kept table of symbol versions will
 * not do, so the whole goes through kbuild, with the runtime as the object that it was compiled to.
 */
static bool make_embedded_module(const struct script_build *b, const char *ko)
{
	const char *dir = arena_printf(b->a, "%s/embedded", b->job->work_dir);
	char *script;
	size_t len;

	if (cache_make_dir(dir) || file_read(b->a, b->job->c_file, &script, &len)) {
		diag_error(b->d, NO_SPAN, TAG_FILE, "cannot make the folder '%s'", dir);
		return false;
	}
	return written(b, arena_printf(b->a, "%s/Kbuild", dir), kbuild_text(b, "script.o embedded.o runtime.o", b->constants)) &&
	       written(b, arena_printf(b->a, "%s/script.c", dir), script) &&
	       written(b, arena_printf(b->a, "%s/embedded.c", dir), b->job->embedded) &&
	       cache_copy(arena_printf(b->a, "%s/runtime.o", b->runtime->dir), arena_printf(b->a, "%s/runtime.o_shipped", dir)) &&
	       /* modpost looks there for the sources of an object, and wants the file */
	       written(b, arena_printf(b->a, "%s/.runtime.o.cmd", dir), "cmd_runtime.o := true\n") && run_kbuild(b, dir) &&
	       cache_copy(arena_printf(b->a, "%s/%s.ko", dir, MODNAME_PLACE_HOLDER), ko);
}

/* Compiles the unit of constants by kbuild; the header of their values, or NULL. */
static const char *make_constants(const struct script_build *b, const char *header)
{
	const char *dir = arena_printf(b->a, "%s/constants", b->job->work_dir), *text;
	const char *unit = arena_printf(b->a, "%s\nMODULE_LICENSE(\"GPL\");\n", b->job->constants);

	if (cache_make_dir(dir) || !written(b, arena_printf(b->a, "%s/Kbuild", dir), kbuild_text(b, "constants.o", NULL)) ||
	    !written(b, arena_printf(b->a, "%s/constants.c", dir), unit) || !run_kbuild(b, dir))
		return NULL;
	text = constants_read(b->a, b->d, b->job, arena_printf(b->a, "%s/constants.o", dir));
	return text && written(b, header, text) ? header : NULL;
}

/* The header of the values of @const: of this kernel, so the entry of its runtime is part of the name. */
static const char *constants_header(const struct script_build *b)
{
	const char *header = arena_printf(b->a, "%s/constants.h", b->job->work_dir), *entry, *text;
	struct hash h;
	char name[33];

	hash_start(&h);
	hash_text(&h, b->runtime->dir);
	hash_text(&h, b->job->constants);
	hash_name(&h, name);
	entry = cache_entry(b->a, "constants", arena_printf(b->a, "%s.h", name));
	text = constants_cached(b->a, entry);
	if (text)
		return written(b, header, text) ? header : NULL;
	if (!make_constants(b, header))
		return NULL;
	if (entry)
		cache_store(b->a, entry, header, CACHED_MODULES);
	return header;
}

/* ---- the module ------------------------------------------------------------------------------------ */

/* Makes the module, not named yet, at @ko. */
static bool make_module(const struct script_build *b, const char *ko)
{
	const char *object = arena_printf(b->a, "%s/%s.o", b->job->work_dir, b->job->name);
	const char *whole = arena_printf(b->a, "%s/%s.whole.o", b->job->work_dir, b->job->name);
	const char *more[] = { "-I", b->job->layout->runtime_dir, "-c", "-o", object, b->job->c_file, NULL, NULL, NULL, NULL };
	size_t n = 6;

	if (b->job->embedded)
		return make_embedded_module(b, ko);
	if (b->job->debug)
		more[n++] = "-g";
	if (b->constants) {
		more[n++] = "-include";
		more[n++] = b->constants;
	}
	return run_part(b, RECIPE_COMPILE, "the script's C file", more) &&
	       run_part(b, RECIPE_CHECK_OBJECT, "the check of the script's code", (const char *const[]){ object, NULL }) &&
	       link_module(b, object, whole, ko);
}

const char *build_kernel(struct arena *a, struct diag *d, const struct build_job *job)
{
	const struct kernel_tree *tree = with_make_vars(a, find_tree(a, d, job), job->make_vars);
	struct script_build b = { .a = a, .d = d, .job = job };
	const char *cached, *ko = arena_printf(a, "%s/%s.ko", job->work_dir, job->name);

	if (!tree)
		return NULL;
	b.runtime = kernel_runtime_get(a, d, tree, job->layout->runtime_dir);
	if (!b.runtime)
		return NULL;
	b.tree = tree;
	if (job->constants && !(b.constants = constants_header(&b)))
		return NULL;
	cached = cached_module(&b);
	if (cached && cache_use(cached) && cache_copy(cached, ko)) {
		if (job->from_cache)
			*job->from_cache = true;
	} else {
		unlink(ko);
		if (!make_module(&b, ko))
			return NULL;
		if (cached)
			cache_store(a, cached, ko, CACHED_MODULES);
	}
	return name_module(&b, ko) ? ko : NULL;
}
