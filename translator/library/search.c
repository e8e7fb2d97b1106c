/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding library files: which folders, in which order, which files of them (cli.md 3.1). */
#include "library/index.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/setting.h"

struct search {
	struct arena *a;
	struct lib_files *files;
	const char *root;		/* the library directory now read; relative names count from here */
	const char **seen;		/* relative names taken from roots before */
	unsigned nseen, seen_room;
};

static bool seen_name(struct search *s, const char *relative)
{
	for (unsigned i = 0; i < s->nseen; i++)
		if (!strcmp(s->seen[i], relative))
			return true;
	if (s->nseen == s->seen_room) {
		s->seen_room = s->seen_room ? s->seen_room * 2 : 64;
		s->seen = realloc(s->seen, s->seen_room * sizeof(*s->seen));
		if (!s->seen)
			abort();
	}
	s->seen[s->nseen++] = relative;
	return false;
}

static bool seen_inode(const struct lib_files *l, const struct stat *st)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->file[i].inode == (uint64_t)st->st_ino && l->file[i].device == (uint64_t)st->st_dev)
			return true;
	return false;
}

static void take_file(struct search *s, const char *folder, const char *name)
{
	const char *dot = strrchr(name, '.');
	char *path = arena_printf(s->a, "%s/%s", folder, name);
	struct lib_files *l = s->files;
	struct stat st;

	if (!dot || (strcmp(dot, ".stp") && strcmp(dot, ".stpm")) || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	if (seen_inode(l, &st) || seen_name(s, path + strlen(s->root)))
		return;
	if (l->n == l->room) {
		l->room = l->room ? l->room * 2 : 64;
		l->file = realloc(l->file, l->room * sizeof(*l->file));
		if (!l->file)
			abort();
	}
	l->file[l->n++] = (struct lib_file){
		.path = path, .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino, .size = (uint64_t)st.st_size,
		.mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec,
		.is_macro = !strcmp(dot, ".stpm"),
	};
}

static void take_folder(struct search *s, const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		take_file(s, folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* From special to general: RELEASE/ARCH, RELEASE, BASE/ARCH, BASE, MAJOR.MINOR/ARCH, MAJOR.MINOR, ARCH, plain. */
static void take_versions(struct search *s, const struct syntax_env *env, const char *folder)
{
	const char *release = env->kernel_vr, *dot = strchr(release, '.');
	size_t base = strcspn(release, "-"), minor = dot ? (size_t)(dot - release) + 1 + strcspn(dot + 1, ".-") : base;
	size_t lengths[] = { strlen(release), base, minor };

	for (unsigned i = 0; i < 3; i++) {
		if (i && lengths[i] == lengths[i - 1])
			continue;
		take_folder(s, arena_printf(s->a, "%s/%.*s/%s", folder, (int)lengths[i], release, env->arch));
		take_folder(s, arena_printf(s->a, "%s/%.*s", folder, (int)lengths[i], release));
	}
	take_folder(s, arena_printf(s->a, "%s/%s", folder, env->arch));
	take_folder(s, folder);
}

static void take_root(struct search *s, const struct syntax_env *env, const char *root)
{
	bool kernel = !strcmp(env->runtime, "kernel");

	s->root = root;
	take_versions(s, env, arena_printf(s->a, "%s/%s", root, kernel ? "linux" : "user"));
	take_versions(s, env, root);
}

static void take_xdg(struct search *s, const struct syntax_env *env)
{
	const char *dirs = getenv("XDG_DATA_DIRS");

	while (dirs && *dirs) {
		size_t n = strcspn(dirs, ":");

		if (n)
			take_root(s, env, arena_printf(s->a, "%.*s/systemtap/tapset", (int)n, dirs));
		dirs += n + (dirs[n] == ':');
	}
}

void search_library(struct arena *a, const struct program *p, const struct syntax_env *env, struct lib_files *files)
{
	struct search s = { .a = a, .files = files };

	take_root(&s, env, p->layout->tapset_dir);
	if (!setting("TAPSET"))
		take_xdg(&s, env);
	for (const char **d = p->options->library_dirs; d && *d; d++)
		take_root(&s, env, *d);
	free(s.seen);
}
