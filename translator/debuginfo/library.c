/* SPDX-License-Identifier: GPL-2.0-or-later */
/* library.c - the libraries an object needs, as its own dynamic loader would find them (probes.md A.5 rule 9).
 *
 * Asking the loader itself is exact, and it runs none of the object's code; where it cannot run here (another machine,
 * a library without an interpreter) DT_NEEDED is walked by the rules of ld.so(8).  Start at object_needed_libraries().
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debuginfo/internal.h"

extern char **environ;

static void add_library(struct vec *found, struct arena *a, const char *name, const char *path)
{
	struct needed_library *lib = ARENA_NEW(a, struct needed_library);
	char real[PATH_MAX];

	lib->name = name;
	if (path && realpath(path, real))
		lib->path = arena_strdup(a, real);
	vec_push(found, a, lib);
}

/* ---------------------------------------------------------------------------------------------- the loader's word */

/* "\tlibc.so.6 => /lib/libc.so.6 (0x7f...)", "\t/lib64/ld-linux.so.2 (0x...)", "\tlibx.so => not found". */
static void parse_line(char *line, struct arena *a, struct vec *found)
{
	char *name = line + strspn(line, " \t"), *arrow = strstr(name, " => "), *path, *end;

	path = arrow ? arrow + 4 : name;
	end = strstr(path, " (0x");
	if (end)
		*end = 0;
	if (arrow)
		*arrow = 0;
	if (!end && !arrow)
		return;
	if (!arrow && *path != '/')
		return;			/* the vDSO: no file */
	add_library(found, a, arena_strdup(a, name), *path == '/' ? path : NULL);
}

/* Everything the child writes; it is a loader that lists and ends, so a pause of seconds means it will not. */
static char *read_all(int fd, struct arena *a, pid_t child)
{
	enum { PATIENCE_MS = 10000, LIMIT = 1 << 20 };
	char *text = NULL;
	size_t len = 0, room = 0;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (len + 1 >= room) {
			char *bigger = arena_alloc(a, room ? 2 * room : 8192);

			if (len)
				memcpy(bigger, text, len);
			room = room ? 2 * room : 8192;
			text = bigger;
		}
		if (poll(&p, 1, PATIENCE_MS) == 0 || len > LIMIT) {
			kill(child, SIGKILL);
			break;
		}
		n = read(fd, text + len, room - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += n;
	}
	text[len] = 0;
	return text;
}

static bool ask_loader(struct object *obj, struct arena *a, struct vec *found)
{
	char *argv[] = { (char *)obj->interpreter, (char *)"--list", (char *)obj->path, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], status, err;
	char *text, *save = NULL;
	pid_t pid;

	if (!obj->interpreter || obj->priv->opts.sysroot || pipe2(fds, O_CLOEXEC) != 0)
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = posix_spawn(&pid, obj->interpreter, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		return false;
	}
	text = read_all(fds[0], a, pid);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		parse_line(line, a, found);
	/* A missing library makes the loader end with 127 or 1 after it has listed the rest. */
	return found->n > 0;
}

/* ---------------------------------------------------------------------------------------------- walking DT_NEEDED */

/* What one object says about the libraries it needs. */
struct needs {
	const char *origin;		/* its directory, for $ORIGIN */
	struct vec names;
	const char *rpath, *runpath;
};

static void read_needs(Elf *elf, const char *path, struct arena *a, struct needs *out)
{
	const char *slash = strrchr(path, '/');
	Elf_Scn *scn = NULL;

	memset(out, 0, sizeof(*out));
	out->origin = arena_strndup(a, path, slash ? slash - path : 0);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *data;
		GElf_Dyn dyn;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC || !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 0; gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
			const char *text;

			if (dyn.d_tag != DT_NEEDED && dyn.d_tag != DT_RPATH && dyn.d_tag != DT_RUNPATH)
				continue;
			text = elf_strptr(elf, sh.sh_link, dyn.d_un.d_val);
			if (!text)
				continue;
			text = arena_strdup(a, text);
			if (dyn.d_tag == DT_NEEDED)
				vec_push(&out->names, a, (void *)text);
			else
				*(dyn.d_tag == DT_RPATH ? &out->rpath : &out->runpath) = text;
		}
	}
	if (out->runpath)
		out->rpath = NULL;	/* ld.so(8): DT_RPATH is ignored then */
}

struct library_walk {
	struct object *obj;
	struct arena *arena;
	struct vec *found;
};

/* Is @path a file of the object's machine and class? */
static bool fits(const struct library_walk *w, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	GElf_Ehdr eh;
	bool ok;

	if (fd < 0)
		return false;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	ok = elf && gelf_getehdr(elf, &eh) && eh.e_machine == w->obj->machine && eh.e_type == ET_DYN &&
	     gelf_getclass(elf) == (w->obj->elf_class == 32 ? ELFCLASS32 : ELFCLASS64);
	elf_end(elf);
	close(fd);
	return ok;
}

static const char *expand_origin(struct arena *a, const char *dir, const char *origin)
{
	const char *at = strstr(dir, "$ORIGIN"), *braced = strstr(dir, "${ORIGIN}");

	if (braced)
		return arena_printf(a, "%.*s%s%s", (int)(braced - dir), dir, origin, braced + strlen("${ORIGIN}"));
	if (at)
		return arena_printf(a, "%.*s%s%s", (int)(at - dir), dir, origin, at + strlen("$ORIGIN"));
	return dir;
}

static const char *try_list(const struct library_walk *w, const char *list, const char *origin, const char *name)
{
	const char *sysroot = w->obj->priv->opts.sysroot;

	while (list && *list) {
		size_t len = strcspn(list, ":;");
		const char *dir = expand_origin(w->arena, arena_strndup(w->arena, list, len), origin);
		const char *path = arena_printf(w->arena, "%s%s/%s", sysroot && *dir == '/' ? sysroot : "",
						*dir ? dir : ".", name);

		if (fits(w, path))
			return path;
		list += len + (list[len] != 0);
	}
	return NULL;
}

/* /etc/ld.so.cache, the format that starts with this text (glibc's dl-cache.h, "new" format). */
static const char cache_magic[] = "glibc-ld.so.cache1.1";
struct cache_header { char magic[20]; uint32_t nlibs, len_strings, unused[5]; };
struct cache_entry { int32_t flags; uint32_t key, value, osversion; uint64_t hwcap; };

static const char *search_cache(const struct library_walk *w, const char *map, size_t size, const char *name)
{
	const struct cache_header *h = (const void *)map;
	const struct cache_entry *e = (const void *)(h + 1);

	if (size < sizeof(*h) || memcmp(h->magic, cache_magic, sizeof(h->magic)) != 0 ||
	    h->nlibs > (size - sizeof(*h)) / sizeof(*e))
		return NULL;
	for (uint32_t i = 0; i < h->nlibs; i++) {
		if (e[i].key >= size || e[i].value >= size || !memchr(map + e[i].key, 0, size - e[i].key) ||
		    !memchr(map + e[i].value, 0, size - e[i].value))
			continue;
		if (strcmp(map + e[i].key, name) == 0 && fits(w, map + e[i].value))
			return arena_strdup(w->arena, map + e[i].value);
	}
	return NULL;
}

static const char *try_cache(const struct library_walk *w, const char *name)
{
	const char *path = NULL;
	struct stat st;
	char *map;
	int fd;

	if (w->obj->priv->opts.sysroot)
		return NULL;
	fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			path = search_cache(w, map, st.st_size, name);
			munmap(map, st.st_size);
		}
	}
	close(fd);
	return path;
}

static const char *find_library(const struct library_walk *w, const struct needs *by, const char *rpath,
				const char *name)
{
	static const char *const defaults = "/lib64:/usr/lib64:/lib:/usr/lib";
	const char *path;

	if (strchr(name, '/'))
		return fits(w, name) ? name : NULL;
	path = by->runpath ? NULL : try_list(w, by->rpath, by->origin, name);
	if (!path && !by->runpath)
		path = rpath;		/* the executable's DT_RPATH serves its libraries, too */
	if (!path)
		path = try_list(w, getenv("LD_LIBRARY_PATH"), by->origin, name);
	if (!path)
		path = try_list(w, by->runpath, by->origin, name);
	if (!path)
		path = try_cache(w, name);
	return path ? path : try_list(w, defaults, by->origin, name);
}

static bool is_listed(const struct vec *found, const char *name)
{
	for (unsigned i = 0; i < found->n; i++)
		if (strcmp(((struct needed_library *)found->item[i])->name, name) == 0)
			return true;
	return false;
}

static void add_needs(const struct library_walk *w, const struct needs *by, const struct needs *top)
{
	for (unsigned i = 0; i < by->names.n; i++) {
		const char *name = by->names.item[i];

		if (!is_listed(w->found, name))
			add_library(w->found, w->arena, name, find_library(w, by,
				    by == top ? NULL : try_list(w, top->rpath, top->origin, name), name));
	}
}

/* Breadth first, which is the load order. */
static void walk_needed(const struct library_walk *w)
{
	struct needs top, needs;

	read_needs(w->obj->priv->elf, w->obj->path, w->arena, &top);
	add_needs(w, &top, &top);
	for (unsigned i = 0; i < w->found->n; i++) {
		const struct needed_library *lib = w->found->item[i];
		int fd = lib->path ? open(lib->path, O_RDONLY | O_CLOEXEC) : -1;
		Elf *elf;

		if (fd < 0)
			continue;
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		if (elf) {
			read_needs(elf, lib->path, w->arena, &needs);
			add_needs(w, &needs, &top);
		}
		elf_end(elf);
		close(fd);
	}
}

int object_needed_libraries(struct object *obj, struct arena *a, const struct needed_library **libs, unsigned *n)
{
	struct vec found = { 0 };
	struct library_walk w = { obj, a, &found };
	struct needed_library *out;

	*libs = NULL;
	*n = 0;
	if (obj->is_static)
		return -ENOENT;
	if (!ask_loader(obj, a, &found))
		walk_needed(&w);
	out = ARENA_ARRAY(a, struct needed_library, found.n + 1);
	for (unsigned i = 0; i < found.n; i++)
		out[i] = *(struct needed_library *)found.item[i];
	*libs = out;
	*n = found.n;
	return found.n ? 0 : -ENOENT;
}
