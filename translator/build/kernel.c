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
	hash_name(&h, name);
	return cache_entry(b->a, "kernel", arena_printf(b->a, "%s.ko", name));
}

/* Makes the module, not named yet, at @ko. */
static bool make_module(const struct script_build *b, const char *ko)
{
	const char *object = arena_printf(b->a, "%s/%s.o", b->job->work_dir, b->job->name);
	const char *whole = arena_printf(b->a, "%s/%s.whole.o", b->job->work_dir, b->job->name);
	const char *const compile[] = { "-I", b->job->layout->runtime_dir, "-c", "-o", object, b->job->c_file,
					b->job->debug ? "-g" : NULL, NULL };

	setenv("SRCARCH", "x86", 1);		/* objtool of 6.12 and later asks for it */
	return run_part(b, RECIPE_COMPILE, "the script's C file", compile) &&
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
