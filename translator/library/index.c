/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cached index of the library: one text file for each set of parse conditions.
 *
 *	spile-tapset-index 1 <conditions>
 *	F <size> <mtime_ns> <broken> <path>
 *	0 <function>		names of that file: a digit of enum library_name
 *	...
 *
 * A line that does not fit ends the reading; what was read so far is still good, as every file's entry is checked
 * against the file itself.
 */
#include "library/index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/cache.h"

#define MAGIC "spile-tapset-index 1"

/* What a file's names depend on besides its text: the words of preprocessor conditions, and the macro files. */
static const char *conditions(struct arena *a, const struct syntax_env *env, const struct lib_files *files)
{
	uint64_t h = 1469598103934665603u;	/* FNV-1a */

	for (unsigned i = 0; i < files->n; i++) {
		const struct lib_file *f = &files->file[i];

		if (!f->is_macro)
			continue;
		for (const char *c = f->path; *c; c++)
			h = (h ^ (unsigned char)*c) * 1099511628211u;
		h = (h ^ f->size) * 1099511628211u;
		h = (h ^ f->mtime_ns) * 1099511628211u;
	}
	return arena_printf(a, "%s %s %s %s %d %016" PRIx64, env->kernel_vr, env->arch, env->runtime, env->version,
			    env->guru, h);
}

static const char *index_path(struct arena *a, const char *cond)
{
	const char *dir = cache_dir(a);
	uint32_t h = 2166136261u;

	for (const char *c = cond; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	return dir && !cache_make_dir(dir) ? arena_printf(a, "%s/tapset-index-%08x", dir, h) : NULL;
}

static struct lib_file *file_of(struct lib_files *files, const char *path, uint64_t size, uint64_t mtime_ns)
{
	for (unsigned i = 0; i < files->n; i++) {
		struct lib_file *f = &files->file[i];

		if (f->size == size && f->mtime_ns == mtime_ns && !strcmp(f->path, path))
			return f;
	}
	return NULL;
}

static bool read_line(struct arena *a, struct lib_files *files, char *line, struct lib_file **at)
{
	uint64_t size, mtime_ns;
	int broken, used = 0;

	if (*line == 'F') {
		if (sscanf(line, "F %" SCNu64 " %" SCNu64 " %d %n", &size, &mtime_ns, &broken, &used) != 3 || !used)
			return false;
		*at = file_of(files, line + used, size, mtime_ns);
		if (*at) {
			(*at)->named = true;
			(*at)->broken = broken;
		}
		return true;
	}
	if (*line < '0' || *line >= '0' + LIB_KINDS || line[1] != ' ')
		return false;
	if (*at) {
		struct lib_name *n = ARENA_NEW(a, struct lib_name);

		*n = (struct lib_name){ (enum library_name)(*line - '0'), arena_strdup(a, line + 2), (*at)->names };
		(*at)->names = n;
	}
	return true;
}

void index_load(struct arena *a, const struct syntax_env *env, struct lib_files *files)
{
	const char *cond = conditions(a, env, files), *path = index_path(a, cond);
	FILE *f = path ? fopen(path, "re") : NULL;
	struct lib_file *at = NULL;
	char *line = NULL;
	size_t room = 0;
	bool good;

	if (!f)
		return;
	good = getline(&line, &room, f) > 0 && !strncmp(line, MAGIC " ", sizeof(MAGIC));
	if (good) {
		line[strcspn(line, "\n")] = 0;
		good = !strcmp(line + sizeof(MAGIC), cond);
	}
	while (good && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		good = read_line(a, files, line, &at);
	}
	free(line);
	fclose(f);
}

static void write_index(FILE *f, const char *cond, const struct lib_files *files)
{
	fprintf(f, MAGIC " %s\n", cond);
	for (unsigned i = 0; i < files->n; i++) {
		const struct lib_file *e = &files->file[i];

		if (e->is_macro || strchr(e->path, '\n'))
			continue;
		fprintf(f, "F %" PRIu64 " %" PRIu64 " %d %s\n", e->size, e->mtime_ns, e->broken, e->path);
		for (const struct lib_name *n = e->names; n; n = n->next)
			fprintf(f, "%d %s\n", n->what, n->text);
	}
}

/* Written aside and renamed, so that a reader at the same moment sees the old one or the new one. */
void index_save(struct arena *a, const struct syntax_env *env, const struct lib_files *files)
{
	const char *cond = conditions(a, env, files), *path = index_path(a, cond);
	char *aside = path ? arena_printf(a, "%s.%d", path, (int)getpid()) : NULL;
	FILE *f = aside ? fopen(aside, "we") : NULL;
	bool good;

	if (!f)
		return;
	write_index(f, cond, files);
	good = !ferror(f);
	if (fclose(f) || !good || rename(aside, path))
		unlink(aside);
}
