/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that @cast, @var and @enumname name: object files, and headers whose types a compiler knows.
 *
 * `<a.h><b.h>' is a C file that includes these.  It is preprocessed each time, which takes some milliseconds and finds out
 * whether a header has changed; what is compiled of the result, with all its types, is kept in the cache by its content.
 * Start reading at module_next().
 */
#include "probes/target.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/cache.h"
#include "build/hash.h"
#include "support/file.h"
#include "workdir.h"

extern char **environ;

enum { MAX_ENTRIES = 100 };

/* Runs a program from the PATH, its messages in @log.  Exit status, or -1 where it could not be run. */
static int run(const char **words, const char *log)
{
	posix_spawn_file_actions_t actions;
	char **env = tool_environment();
	int status = -1, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&actions, 2, 1);
	error = posix_spawnp(&pid, words[0], &actions, NULL, (char *const *)words, env ? env : environ);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	if (error)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The first line of a compiler's messages that tells a mistake. */
static const char *first_error(struct arena *a, const char *log)
{
	char *text, *save = NULL;
	size_t n;

	if (file_read(a, log, &text, &n))
		return "";
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strstr(line, "error:"))
			return arena_printf(a, ": %s", strstr(line, "error:") + strlen("error: "));
	return "";
}

static const char *includes_text(struct arena *a, const char *module)
{
	const char *text = "";

	while (*module == '<') {
		size_t n = strcspn(module, ">");

		if (!module[n])
			return NULL;
		text = arena_printf(a, "%s#include %.*s\n", text, (int)n + 1, module);
		module += n + 1;
	}
	return *module ? NULL : text;
}

/* Where the compiled form of the preprocessed text @i is kept; NULL without a cache. */
static const char *entry_of(struct arena *a, const char *i, const char *compiler)
{
	struct hash h;
	char name[33];

	hash_start(&h);
	hash_text(&h, compiler);
	hash_file(&h, i);
	hash_name(&h, name);
	return cache_entry(a, "types", arena_printf(a, "%s.so", name));
}

static struct object *cannot(struct di_miss *miss, const char *text)
{
	*miss = (struct di_miss){ .reason = DI_NO_TYPE, .text = text };
	return NULL;
}

/* @includes, preprocessed into @i; the compiler's name, or NULL with the miss filled. */
static const char *preprocess(struct arena *a, const char *includes, const char *i, const char *log, struct di_miss *miss)
{
	static const char *const compilers[] = { "gcc", "cc", "clang" };
	const char *c = arena_printf(a, "%s/types.c", workdir_path());
	int status = -1;

	if (file_write(c, includes, strlen(includes))) {
		cannot(miss, arena_printf(a, "cannot write '%s'", c));
		return NULL;
	}
	for (unsigned k = 0; k < sizeof(compilers) / sizeof(*compilers); k++) {
		const char *words[] = { compilers[k], "-E", "-o", i, c, NULL };

		status = run(words, log);
		if (status == 0)
			return compilers[k];
		if (status > 0 && status != 127)
			break;
	}
	cannot(miss, status < 0 || status == 127 ? "no C compiler: gcc is not on the PATH" :
	       arena_printf(a, "the header does not compile%s", first_error(a, log)));
	return NULL;
}

static struct object *headers(struct program *p, const char *module, struct di_miss *miss)
{
	struct arena *a = p->arena;
	const char *includes = includes_text(a, module), *dir = workdir_make(p->options->tmpdir), *i, *log, *object, *compiler, *entry;
	struct object *obj;

	for (unsigned k = 0; k < p->ntype_objects; k++)
		if (!strcmp(p->type_objects[k]->path, module))
			return p->type_objects[k];

	if (!includes)
		return cannot(miss, arena_printf(a, "'%s' is no list of headers like \"<a.h><b.h>\"", module));
	if (!dir)
		return cannot(miss, arena_printf(a, "cannot make a temporary directory: %s", strerror(errno)));
	i = arena_printf(a, "%s/types.i", dir);
	log = arena_printf(a, "%s/types.log", dir);
	object = arena_printf(a, "%s/types.%u.so", dir, p->ntype_objects);
	compiler = preprocess(a, includes, i, log, miss);
	if (!compiler)
		return NULL;
	entry = entry_of(a, i, compiler);
	if (!entry || !cache_use(entry)) {
		const char *words[] = { compiler, "-g", "-fno-eliminate-unused-debug-types", "-fPIC", "-shared", "-nostdlib",
					"-x", "cpp-output", "-o", object, i, NULL };

		if (run(words, log))
			return cannot(miss, arena_printf(a, "'%s' does not compile%s", module, first_error(a, log)));
		if (!entry || !cache_store(a, entry, object, MAX_ENTRIES))
			entry = object;
	}
	obj = program_type_object(p, entry, miss);
	/* to the user it is the headers; the file is ours */
	if (obj && object_has_dwarf(obj))
		obj->path = module;
	return obj;
}

struct object *module_next(struct program *p, const char **list, const struct site *site, struct di_miss *miss)
{
	size_t n = strcspn(*list, ":");
	const char *module = arena_strndup(p->arena, *list, n);

	*list += n + ((*list)[n] == ':');
	if (!*module) {
		if (site)
			return site->obj;
		return cannot(miss, "this probe is not in a program whose types and variables could be meant; name a module");
	}
	if (*module == '<')
		return headers(p, module, miss);
	if (strchr(module, '/') && strncmp(module, "kernel<", 7))
		return program_object(p, module, miss);
	*miss = (struct di_miss){
		.reason = DI_UNSUPPORTED,
		.text = arena_printf(p->arena, "types and variables of '%s': spile reads no kernel debuginfo, only that of user "
				     "programs and libraries, by path, and of headers like \"<a.h>\"", module),
	};
	return NULL;
}
