/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding library files: which folders, in which order, which files of them (cli.md 3.1).
 *
 * A library directory has a folder for each runtime.  The kernel runtime reads linux/, the user runtime user/ and then
 * dyninst/, which is where an installed SystemTap keeps what its own user-space runtime can do.  Start reading at
 * search_library(), then take_root().
 */
#include "library/index.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct search {
	struct arena *a;
	struct lib_files *files;
	unsigned *by_name, *by_inode;	/* hash tables: 0, or 1 + the number of a file */
	unsigned slots;			/* in each; a power of two */
	size_t root_len;		/* of the library directory now read */
	bool is_first;			/* it is the first of all */
};

static const char *relative_name(const struct lib_file *f)
{
	return f->path + f->root_len;
}

static uint64_t hash_text(const char *s)
{
	uint64_t h = 1469598103934665603u;	/* FNV-1a */

	while (*s)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h ^ h >> 32;
}

static uint64_t hash_inode(const struct lib_file *f)
{
	return (f->inode ^ f->device << 40) * 0x9e3779b97f4a7c15u >> 20;
}

static bool same_name(const struct lib_file *a, const struct lib_file *b)
{
	return !strcmp(relative_name(a), relative_name(b));
}

static bool same_inode(const struct lib_file *a, const struct lib_file *b)
{
	return a->inode == b->inode && a->device == b->device;
}

/* The slot of a file like @f, or the free one where it would go. */
static unsigned *slot_of(const struct search *s, unsigned *table, const struct lib_file *f, uint64_t hash,
			 bool (*same)(const struct lib_file *a, const struct lib_file *b))
{
	unsigned i = (unsigned)hash & (s->slots - 1);

	while (table[i] && !same(&s->files->file[table[i] - 1], f))
		i = (i + 1) & (s->slots - 1);
	return &table[i];
}

static unsigned *name_slot(const struct search *s, const struct lib_file *f)
{
	return slot_of(s, s->by_name, f, hash_text(relative_name(f)), same_name);
}

static unsigned *inode_slot(const struct search *s, const struct lib_file *f)
{
	return slot_of(s, s->by_inode, f, hash_inode(f), same_inode);
}

static void *grown(void *old, size_t n, size_t size)
{
	void *bigger = realloc(old, n * size);

	if (!bigger)
		abort();
	return bigger;
}

/* Room for one more file; the tables stay at most half full. */
static void make_room(struct search *s)
{
	struct lib_files *l = s->files;

	if (l->n < l->room)
		return;
	l->room = l->room ? l->room * 2 : 512;
	l->file = grown(l->file, l->room, sizeof(*l->file));
	s->slots = l->room * 2;
	s->by_name = grown(s->by_name, s->slots, sizeof(*s->by_name));
	s->by_inode = grown(s->by_inode, s->slots, sizeof(*s->by_inode));
	memset(s->by_name, 0, s->slots * sizeof(*s->by_name));
	memset(s->by_inode, 0, s->slots * sizeof(*s->by_inode));
	for (unsigned i = 0; i < l->n; i++) {
		*name_slot(s, &l->file[i]) = i + 1;
		*inode_slot(s, &l->file[i]) = i + 1;
	}
}

static bool has_ending(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);

	return n > m && !strcmp(name + n - m, ending);
}

/* @executable: what the file is about, or NULL. */
static void take_file(struct search *s, int dir, const char *folder, const char *name, const char *executable)
{
	struct lib_file f = { .root_len = s->root_len, .is_macro = has_ending(name, ".stpm"), .executable = executable,
			     .is_installed = s->is_first };
	unsigned *by_name, *by_inode;
	struct stat st;

	if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode))
		return;
	f.device = (uint64_t)st.st_dev;
	f.inode = (uint64_t)st.st_ino;
	f.size = (uint64_t)st.st_size;
	f.mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	f.path = arena_printf(s->a, "%s/%s", folder, name);
	make_room(s);
	by_name = name_slot(s, &f);
	by_inode = inode_slot(s, &f);
	if (*by_name || *by_inode)
		return;
	s->files->file[s->files->n++] = f;
	*by_name = *by_inode = s->files->n;
}

static int is_library_file(const struct dirent *e)
{
	return e->d_type != DT_DIR && (has_ending(e->d_name, ".stp") || has_ending(e->d_name, ".stpm"));
}

static int is_folder(const struct dirent *e)
{
	return (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN || e->d_type == DT_LNK) && *e->d_name != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* @of: NULL, or the folder whose executables the files are about ("/usr/bin"). */
static void take_folder(struct search *s, const char *folder, const char *of)
{
	int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entries;
	int n = dir < 0 ? -1 : scandirat(dir, ".", &entries, is_library_file, by_bytes);

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		take_file(s, dir, folder, name,
			  of ? arena_printf(s->a, "%s/%.*s", of, (int)(strrchr(name, '.') - name), name) : NULL);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	if (dir >= 0)
		close(dir);
}

/* PATH/usr/bin/x.stp is about /usr/bin/x.  @below: the part after PATH. */
static void take_path_folders(struct search *s, const char *path_folder, const char *below, unsigned depth)
{
	const char *folder = arena_printf(s->a, "%s%s", path_folder, below);
	struct dirent **entries;
	int n = depth > 16 ? -1 : scandir(folder, &entries, is_folder, by_bytes);

	if (n < 0)
		return;
	if (*below)
		take_folder(s, folder, below);
	for (int i = 0; i < n; i++) {
		take_path_folders(s, path_folder, arena_printf(s->a, "%s/%s", below, entries[i]->d_name), depth + 1);
		free(entries[i]);
	}
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
		take_folder(s, arena_printf(s->a, "%s/%.*s/%s", folder, (int)lengths[i], release, env->arch), NULL);
		take_folder(s, arena_printf(s->a, "%s/%.*s", folder, (int)lengths[i], release), NULL);
	}
	take_folder(s, arena_printf(s->a, "%s/%s", folder, env->arch), NULL);
	take_folder(s, folder, NULL);
	take_path_folders(s, arena_printf(s->a, "%s/PATH", folder), "", 0);
}

static void take_root(struct search *s, const struct syntax_env *env, const char *root)
{
	static const char *const of_kernel[] = { "/linux", "", NULL }, *const of_user[] = { "/user", "/dyninst", "", NULL };

	s->root_len = strlen(root);
	for (const char *const *f = strcmp(env->runtime, "kernel") ? of_user : of_kernel; *f; f++)
		take_versions(s, env, arena_printf(s->a, "%s%s", root, *f));
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
	struct search s = { .a = a, .files = files, .is_first = true };

	take_root(&s, env, p->layout->tapset_dir);
	s.is_first = false;
	take_xdg(&s, env);
	for (const char **d = p->options->library_dirs; d && *d; d++)
		take_root(&s, env, *d);
	free(s.by_name);
	free(s.by_inode);
}
