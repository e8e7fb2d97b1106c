/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user runtime's object: the script compiled by the system's C compiler and linked to the runtime, which was compiled
 * once when spile was built.  The result depends on its inputs alone and is kept in the cache.
 *
 * Flags are the runtime's own (runtime/user/cflags and ldflags, one a line), so that both halves agree on registers and
 * visibility.  Start reading at build_user().
 */
#include "build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/cache.h"
#include "build/embedded.h"
#include "build/hash.h"
#include "support/file.h"
#include "support/strbuf.h"

extern char **environ;

enum { MAX_WORDS = 64, MAX_ENTRIES = 1000 };

struct maker {
	struct arena *a;
	struct diag *d;
	const struct build_job *job;
	const char *log;		/* what compiler and linker say */
};

static const char *find_compiler(struct maker *m)
{
	static const char *const names[] = { "gcc", "cc", "clang" };
	const char *path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if ((path = program_find(m->a, names[i])))
			return path;
	diag_error(m->d, NO_SPAN, TAG_BUILD, "no C compiler: gcc is not on the PATH");
	diag_hint(m->d, "apt-get install gcc");
	return NULL;
}

static const char *find_linker(struct maker *m)
{
	const char *path = program_find(m->a, "ld");

	if (path)
		return path;
	diag_error(m->d, NO_SPAN, TAG_BUILD, "no linker: ld is not on the PATH");
	diag_hint(m->d, "apt-get install binutils");
	return NULL;
}

static char *read_all(struct arena *a, const char *path)
{
	struct strbuf b = { 0 };
	char buffer[4096], *kept;
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(buffer, 1, sizeof(buffer), f)))
		strbuf_add_n(&b, buffer, n);
	fclose(f);
	kept = arena_strndup(a, b.text ? b.text : "", b.len);
	strbuf_free(&b);
	return kept;
}

/* Appends the words of a flags file, one a line; false where it cannot be read. */
static bool add_flags(struct maker *m, const char *file, const char **words, unsigned *n)
{
	const char *path = arena_printf(m->a, "%s/user/%s", m->job->layout->runtime_dir, file);
	char *text = read_all(m->a, path), *save = NULL;

	if (!text) {
		diag_error(m->d, NO_SPAN, TAG_FILE, "cannot read '%s': %s", path, strerror(errno));
		return false;
	}
	for (char *w = strtok_r(text, "\n", &save); w && *n < MAX_WORDS - 8; w = strtok_r(NULL, "\n", &save))
		if (w[0] != '#')
			words[(*n)++] = w;
	return true;
}

/* Runs a command with its messages in the log; true where it ended well. */
static bool run(struct maker *m, const char **words, bool embedded)
{
	posix_spawn_file_actions_t actions;
	char **env = tool_environment();
	int status = -1, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 2, m->log, O_WRONLY | O_CREAT | O_APPEND, 0666);
	posix_spawn_file_actions_adddup2(&actions, 2, 1);
	error = posix_spawn(&pid, words[0], &actions, NULL, (char *const *)words, env ? env : environ);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	if (error) {
		diag_error(m->d, NO_SPAN, TAG_BUILD, "cannot run '%s': %s", words[0], strerror(error));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (embedded)
		return false;
	diag_error(m->d, NO_SPAN, TAG_BUILD, "'%s' failed on the C file of the script, which is a mistake of spile's",
		   words[0]);
	return false;
}

static void show_log(struct maker *m)
{
	char *text = read_all(m->a, m->log), *save = NULL;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save))
		diag_say(m->d, "%s", line);
}

static void show_command(struct maker *m, const char **words)
{
	struct strbuf b = { 0 };

	for (; *words; words++)
		strbuf_printf(&b, "%s ", *words);
	diag_say(m->d, "%s", b.text);
	strbuf_free(&b);
}

static bool step(struct maker *m, const char **words)
{
	if (m->job->verbose > 1)
		show_command(m, words);
	if (run(m, words, false))
		return true;
	show_log(m);
	return false;
}

/* The same for what the script brings as C, whose mistakes are the script's. */
static bool embedded_step(struct maker *m, const char **words)
{
	if (m->job->verbose > 1)
		show_command(m, words);
	if (run(m, words, true))
		return true;
	embedded_refused(m->d, m->job, read_all(m->a, m->log), "it runs inside the target: it can call neither the kernel nor a library; "
			 "the kernel runtime has the kernel's headers and functions (--runtime=kernel, or --vm)");
	return false;
}

/* @words, its first @n, and flags for the script's own C; the text goes to work_dir/NAME.c, the object to NAME.o beside it. */
static const char *compile_embedded(struct maker *m, const char *const *words, unsigned n, const char *name, const char *text)
{
	const char *source = arena_printf(m->a, "%s/%s.c", m->job->work_dir, name);
	const char *object = arena_printf(m->a, "%s/%s.o", m->job->work_dir, name), *all[MAX_WORDS];

	memcpy(all, words, n * sizeof(*all));
	all[n++] = "-Werror=implicit-function-declaration";
	all[n++] = EMBEDDED_COLUMNS;
	all[n++] = "-g1";		/* so that the linker, too, names the script's lines */
	all[n++] = "-c";
	all[n++] = "-o";
	all[n++] = object;
	all[n++] = source;
	all[n] = NULL;
	if (file_write(source, text, strlen(text))) {
		diag_error(m->d, NO_SPAN, TAG_FILE, "cannot write '%s'", source);
		return NULL;
	}
	return embedded_step(m, all) ? object : NULL;
}

/* The values of @const as a header to include before the script; from the cache where they were asked for before. */
static const char *constants_header(struct maker *m, const char *const *words, unsigned n)
{
	const char *header = arena_printf(m->a, "%s/constants.h", m->job->work_dir), *entry, *object, *text;
	struct hash h;
	char name[33];

	hash_start(&h);
	for (unsigned i = 0; i < n; i++)
		hash_text(&h, words[i]);
	hash_file_stamp(&h, words[0]);
	hash_text(&h, m->job->constants);
	hash_name(&h, name);
	entry = cache_entry(m->a, "constants", arena_printf(m->a, "%s.h", name));
	text = constants_cached(m->a, entry);
	if (text)
		return file_write(header, text, strlen(text)) ? NULL : header;
	object = compile_embedded(m, words, n, "constants", m->job->constants);
	text = object ? constants_read(m->a, m->d, m->job, object) : NULL;
	if (text && file_write(header, text, strlen(text))) {
		diag_error(m->d, NO_SPAN, TAG_FILE, "cannot write '%s'", header);
		text = NULL;
	}
	if (text && entry)
		cache_store(m->a, entry, header, MAX_ENTRIES);
	return text ? header : NULL;
}

/* Everything the object depends on, in one name; NULL where the flags cannot be read. */
static const char *content_name(struct maker *m, const char **compile, const char **link, const char *constants)
{
	static const char *const headers[] = { "spile.h", "embedded/common.h", "embedded/user.h" };
	const char *compiler = compile[0];
	struct hash h;
	char name[33];

	hash_start(&h);
	for (; *compile; compile++)
		hash_text(&h, *compile);
	for (; *link; link++)
		hash_text(&h, *link);
	hash_file_stamp(&h, compiler);
	if (constants)
		hash_file(&h, constants);
	hash_file(&h, m->job->c_file);
	hash_text(&h, m->job->embedded ? m->job->embedded : "");
	for (int i = 0; i < 3; i++)
		hash_file(&h, arena_printf(m->a, "%s/%s", m->job->layout->runtime_dir, headers[i]));
	hash_file(&h, m->job->layout->user_object);
	hash_name(&h, name);
	return arena_printf(m->a, "%s.so", name);
}

const char *build_user(struct arena *a, struct diag *d, const struct build_job *job)
{
	struct maker m = { a, d, job, arena_printf(a, "%s/build.log", job->work_dir) };
	const char *compile[MAX_WORDS] = { find_compiler(&m) }, *link[MAX_WORDS] = { find_linker(&m) };
	const char *object = arena_printf(a, "%s/%s.o", job->work_dir, job->name);
	const char *result = arena_printf(a, "%s/%s.so", job->work_dir, job->name), *entry;
	const char *constants = NULL, *embedded = NULL;
	unsigned nc = 1, nl = 1, nflags;

	if (!compile[0] || !link[0] || !add_flags(&m, "cflags", compile, &nc) || !add_flags(&m, "ldflags", link, &nl))
		return NULL;
	compile[nc++] = arena_printf(a, "-I%s", job->layout->runtime_dir);
	nflags = nc;
	if (job->constants) {
		constants = constants_header(&m, compile, nflags);
		if (!constants)
			return NULL;
	}
	if (job->debug)
		compile[nc++] = "-g";
	entry = cache_entry(a, "user", content_name(&m, compile, link, constants));
	if (entry && cache_use(entry)) {
		if (job->from_cache)
			*job->from_cache = true;
		return entry;
	}
	if (job->embedded) {
		embedded = compile_embedded(&m, compile, nflags, "embedded", job->embedded);
		if (!embedded)
			return NULL;
	}
	if (constants) {
		compile[nc++] = "-include";
		compile[nc++] = constants;
	}
	compile[nc++] = "-c";
	compile[nc++] = "-o";
	compile[nc++] = object;
	compile[nc++] = job->c_file;
	link[nl++] = "-o";
	link[nl++] = result;
	link[nl++] = object;
	if (embedded) {
		link[nl++] = "-S";
		link[nl++] = embedded;
	}
	link[nl++] = job->layout->user_object;
	if (!step(&m, compile) || !(embedded ? embedded_step : step)(&m, link))
		return NULL;
	return entry && cache_store(a, entry, result, MAX_ENTRIES) ? entry : result;
}
