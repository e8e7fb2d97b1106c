/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cache's folder and files.  Start reading at cache_entry() and cache_store(). */
#include "build/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/hash.h"

#define SEAL_MARK "\nspile-"
#define SEAL_BYTES (sizeof(SEAL_MARK) - 1 + 32)		/* the mark, and the hash of all before it in digits */

static enum cache_mode mode;

void cache_limit(enum cache_mode m)
{
	if (m > mode)
		mode = m;
}

bool cache_readable(void)
{
	return mode == CACHE_FULL;
}

bool cache_writable(void)
{
	return mode != CACHE_OFF;
}

int cache_make_dir(const char *path)
{
	char *copy = strdup(path);
	int error = 0;

	for (char *p = copy + 1; copy && p; ) {
		p = strchr(p, '/');
		if (p)
			*p = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			error = -errno;
		if (p)
			*p++ = '/';
	}
	free(copy);
	return copy ? error : -ENOMEM;
}

const char *cache_entry(struct arena *a, const char *family, const char *name)
{
	const char *dir = cache_dir(a);

	return dir ? arena_printf(a, "%s/%s/%s", dir, family, name) : NULL;
}

static bool copy_bytes(int from, int to)
{
	struct stat st;
	off_t left;

	if (fstat(from, &st))
		return false;
	for (left = st.st_size; left > 0; ) {
		ssize_t n = sendfile(to, from, NULL, left);

		if (n <= 0)
			return false;
		left -= n;
	}
	return true;
}

bool cache_copy(const char *from_path, const char *to_path)
{
	int from = open(from_path, O_RDONLY | O_CLOEXEC);
	int to = open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool done = from >= 0 && to >= 0 && copy_bytes(from, to);

	if (from >= 0)
		close(from);
	if (to >= 0 && close(to))
		done = false;
	return done;
}

/* ---- seals ---- */

/* The seal of the first @size bytes. */
static bool make_seal(int fd, off_t size, char seal[SEAL_BYTES + 1])
{
	char part[1 << 16];
	struct hash h;

	hash_start(&h);
	for (off_t at = 0; at < size; ) {
		ssize_t n = pread(fd, part, size - at < (off_t)sizeof(part) ? (size_t)(size - at) : sizeof(part), at);

		if (n <= 0)
			return false;
		hash_add(&h, part, (size_t)n);
		at += n;
	}
	memcpy(seal, SEAL_MARK, sizeof(SEAL_MARK) - 1);
	hash_name(&h, seal + sizeof(SEAL_MARK) - 1);
	return true;
}

static bool put_seal(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char seal[SEAL_BYTES + 1];
	struct stat st;
	bool done = fd >= 0 && !fstat(fd, &st) && make_seal(fd, st.st_size, seal) &&
		    pwrite(fd, seal, SEAL_BYTES, st.st_size) == (ssize_t)SEAL_BYTES;

	if (fd >= 0 && close(fd))
		done = false;
	return done;
}

static bool seal_holds(int fd)
{
	char seal[SEAL_BYTES + 1], found[SEAL_BYTES];
	struct stat st;
	off_t size;

	if (fstat(fd, &st) || st.st_size < (off_t)SEAL_BYTES)
		return false;
	size = st.st_size - (off_t)SEAL_BYTES;
	return pread(fd, found, SEAL_BYTES, size) == (ssize_t)SEAL_BYTES && make_seal(fd, size, seal) &&
	       !memcmp(found, seal, SEAL_BYTES);
}

bool cache_use(const char *entry)
{
	int fd = mode == CACHE_FULL ? open(entry, O_RDONLY | O_CLOEXEC) : -1;
	bool whole = fd >= 0 && seal_holds(fd);

	if (whole)
		utimensat(AT_FDCWD, entry, NULL, 0);
	else if (fd >= 0)
		unlink(entry);
	if (fd >= 0)
		close(fd);
	return whole;
}

/* ---- coming and going ---- */

/* Removes the least recently used of more than @most entries: one at a time is enough, as one came. */
static void trim(const char *dir, unsigned most)
{
	DIR *d = opendir(dir);
	struct timespec oldest = { 0, 0 };
	char name[256] = "";
	struct dirent *e;
	struct stat st;
	unsigned n = 0;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, 0))
			continue;
		n++;
		if (*name && (st.st_mtim.tv_sec > oldest.tv_sec ||
			      (st.st_mtim.tv_sec == oldest.tv_sec && st.st_mtim.tv_nsec >= oldest.tv_nsec)))
			continue;
		oldest = st.st_mtim;
		strcpy(name, e->d_name);
	}
	if (d && n > most)
		unlinkat(dirfd(d), name, 0);
	if (d)
		closedir(d);
}

bool cache_store(struct arena *a, const char *entry, const char *file, unsigned most)
{
	char *dir = arena_strdup(a, entry);
	const char *beside = arena_printf(a, "%s.%ld", entry, (long)getpid());

	*strrchr(dir, '/') = '\0';
	if (mode == CACHE_OFF || cache_make_dir(dir))
		return false;
	unlink(beside);
	if (!cache_copy(file, beside) || !put_seal(beside) || rename(beside, entry)) {
		unlink(beside);
		return false;
	}
	trim(dir, most);
	return true;
}

/* ---- all of it ---- */

struct old { struct timespec used; unsigned long long size; const char *path; };
struct olds { struct arena *a; struct old *file; size_t n, room; unsigned long long total; };

static int by_use(const void *x, const void *y)
{
	const struct timespec *a = &((const struct old *)x)->used, *b = &((const struct old *)y)->used;

	return a->tv_sec != b->tv_sec ? (a->tv_sec < b->tv_sec ? -1 : 1) : a->tv_nsec < b->tv_nsec ? -1 : a->tv_nsec > b->tv_nsec;
}

/* The entries of one family: the files right below its folder.  A family's own folders are the runtime's. */
static void list_family(struct olds *o, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		if (o->n == o->room) {
			o->room = o->room ? o->room * 2 : 64;
			o->file = realloc(o->file, o->room * sizeof(*o->file));
			if (!o->file)
				abort();
		}
		o->file[o->n++] = (struct old){ st.st_mtim, (unsigned long long)st.st_size,
						arena_printf(o->a, "%s/%s", dir, e->d_name) };
		o->total += (unsigned long long)st.st_size;
	}
	if (d)
		closedir(d);
}

int cache_clean(struct arena *a, unsigned long long most)
{
	static const char *const families[] = { "user", "kernel", "modules", "names" };
	const char *dir = cache_dir(a);
	struct olds o = { .a = a };
	int gone = 0, error = 0;

	for (size_t i = 0; dir && i < sizeof(families) / sizeof(families[0]); i++)
		list_family(&o, arena_printf(a, "%s/%s", dir, families[i]));
	if (o.n)
		qsort(o.file, o.n, sizeof(*o.file), by_use);
	for (size_t i = 0; i < o.n && o.total > most; i++) {
		if (unlink(o.file[i].path))
			error = -errno;
		else
			gone++;
		o.total -= o.file[i].size;
	}
	free(o.file);
	return error ? error : gone;
}
