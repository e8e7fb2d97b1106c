/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - the index of a large object: looking things up in it, and keeping it in the cache.
 *
 * The file is one block: struct image, then rows and texts that it points at by offsets.  It is named after the
 * build-id, or after a hash of .debug_info where there is none, and holds for one debug file only, whose size, time
 * and inode it states; a sum over all of it tells a torn or damaged one, which is made anew.  It comes into its
 * place by rename(), so readers take no lock.  names-make.c makes the block.  Start at names_load().
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build/cache.h"
#include "debuginfo/names-image.h"
#include "support/file.h"

#define FAMILY "names"

enum {
	INDEX_FROM = 4 << 20,		/* bytes of .debug_info: less is read in no time */
	KEEP_FILES = 64,
	KEEP_BYTES = 256 << 20,
	FRESH_S = 3600,			/* a file's time says when it was of use: to the hour will do */
};

struct name_index {
	struct image *image;
	size_t size;
	bool mapped;
};

/* ---------------------------------------------------------------------------------------------- is it the one? */

uint64_t image_sum(const struct image *m)
{
	const uint64_t *word = (const uint64_t *)(const void *)m + 2, *end = (const void *)((const char *)m + m->size);
	uint64_t h[4] = { 1469598103934665603u, 1099511628211u, 88172645463325252u, 6364136223846793005u };

	/* Four at a time: one multiplication waits for the one before it. */
	for (; end - word >= 4; word += 4)
		for (int i = 0; i < 4; i++)
			h[i] = (h[i] ^ word[i]) * 1099511628211u;
	while (word < end)
		h[0] = (h[0] ^ *word++) * 1099511628211u;
	return ((h[0] * 31 + h[1]) * 31 + h[2]) * 31 + h[3];
}

static bool has_room(const struct image *m, uint64_t at, uint64_t n, size_t row)
{
	return at % 8 == 0 && at >= sizeof(*m) && at <= m->size && n <= (m->size - at) / row;
}

static const void *at(const struct name_index *x, uint64_t off)
{
	return (const char *)x->image + off;
}

static bool units_fit(const struct unit *u, uint32_t n, uint64_t info_size)
{
	for (uint32_t i = 0; i < n; i++)
		if (u[i].start > u[i].first_die || u[i].first_die > u[i].end || u[i].end > info_size ||
		    (i && u[i].start < u[i - 1].start))
			return false;
	return true;
}

static bool is_sound(const struct name_index *x, const struct image_key *key)
{
	const struct image *m = x->image;

	return x->size > sizeof(*m) && m->size == x->size && x->size % 8 == 0 && !memcmp(m->magic, IMAGE_MAGIC, 8) &&
	       !memcmp(&m->key, key, sizeof(*key)) && !((const char *)m)[x->size - 1] && m->sum == image_sum(m) &&
	       m->nslot && !(m->nslot & (m->nslot - 1)) && has_room(m, m->slots, m->nslot, sizeof(uint32_t)) &&
	       has_room(m, m->names, m->nname, sizeof(struct name_row)) &&
	       has_room(m, m->covers, m->ncover, sizeof(struct cover)) &&
	       has_room(m, m->units, m->nunit, sizeof(struct unit)) &&
	       units_fit(at(x, m->units), m->nunit, m->key.info_size);
}

/* ---------------------------------------------------------------------------------------------- looking up */

/* The units of a row: a number of them, then the distance from each to the next. */
static void take_units(const struct name_index *x, uint32_t off, bool *units)
{
	const unsigned char *p = at(x, off), *end = at(x, x->size);
	uint64_t left = 0, unit = 0;

	if (off >= x->size)
		return;
	for (bool first = true; first || left--; first = false) {
		uint64_t v = 0;

		for (unsigned shift = 0; p < end && shift < 35; shift += 7) {
			v |= (uint64_t)(*p & 127) << shift;
			if (!(*p++ & 128))
				break;
		}
		if (first) {
			left = v;
			continue;
		}
		unit += v;
		if (unit >= x->image->nunit)
			return;
		units[unit] = true;
	}
}

static const char *text_of(const struct name_index *x, const struct name_row *row)
{
	return row->text < x->size ? at(x, row->text) : "";
}

static const struct name_row *row_named(const struct name_index *x, const char *name)
{
	const struct image *m = x->image;
	const struct name_row *rows = at(x, m->names);
	const uint32_t *slot = at(x, m->slots);
	uint32_t mask = m->nslot - 1, i = (uint32_t)name_hash(name) & mask;

	for (uint32_t tries = 0; tries <= mask && slot[i]; tries++, i = (i + 1) & mask)
		if (slot[i] <= m->nname && !strcmp(text_of(x, &rows[slot[i] - 1]), name))
			return &rows[slot[i] - 1];
	return NULL;
}

bool names_lack(const struct name_index *x, unsigned i)
{
	const struct unit *unit = at(x, x->image->units);

	return !unit[i].raw;
}

const bool *names_units(const struct name_index *x, const char *pattern, struct arena *a)
{
	const struct image *m = x->image;
	const struct name_row *rows = at(x, m->names), *row;
	bool *units = ARENA_ARRAY(a, bool, m->nunit + 1);

	for (unsigned i = 0; i < m->nunit; i++)
		units[i] = names_lack(x, i);
	/* A name may look like a pattern (`operator*'), so it is looked up in either case. */
	row = row_named(x, pattern);
	if (row)
		take_units(x, row->units, units);
	if (!has_glob(pattern))
		return units;
	for (unsigned i = 0; i < m->nname; i++)
		if (name_matches(pattern, text_of(x, &rows[i])))
			take_units(x, rows[i].units, units);
	return units;
}

void names_list(const struct name_index *x, struct vec *names, struct arena *a)
{
	const struct name_row *rows = at(x, x->image->names);

	for (unsigned i = 0; i < x->image->nname; i++)
		vec_push(names, a, (void *)(uintptr_t)text_of(x, &rows[i]));
}

const struct cover *names_cover(const struct name_index *x, unsigned *n)
{
	*n = x->image->ncover;
	return at(x, x->image->covers);
}

/* ---------------------------------------------------------------------------------------------- the cache */

static void make_key(const struct object *obj, const struct scan_source *from, struct image_key *key)
{
	struct stat st;

	memset(key, 0, sizeof(*key));
	key->info_size = from->info.size;
	if (obj->debug_path && !stat(obj->debug_path, &st)) {
		key->file_size = (uint64_t)st.st_size;
		key->mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
		key->inode = st.st_ino;
	}
}

/* The content, where no build-id stands for it. */
static const char *content_name(struct arena *a, const struct scan_source *from)
{
	uint64_t h = 1469598103934665603u, word;

	for (size_t i = 0; i + sizeof(word) <= from->info.size; i += sizeof(word)) {
		memcpy(&word, from->info.at + i, sizeof(word));
		h = (h ^ word) * 1099511628211u;
	}
	return arena_printf(a, "content-%016llx", (unsigned long long)h);
}

static const char *entry_path(struct object *obj, const struct scan_source *from)
{
	struct arena *a = obj->priv->arena;
	const char *name = obj->build_id_len >= 8 ? obj->build_id_hex : content_name(a, from);

	return cache_entry(a, FAMILY, arena_printf(a, "%s-%llx", name, (unsigned long long)from->info.size));
}

static struct name_index *map_file(const char *path, const struct image_key *key)
{
	struct name_index *x = calloc(1, sizeof(*x));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct timespec now;
	struct stat st;

	if (!x)
		abort();
	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0 && st.st_size < UINT32_MAX) {
		x->size = (size_t)st.st_size;
		x->mapped = true;
		x->image = mmap(NULL, x->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (!x->mapped || x->image == MAP_FAILED) {
		free(x);
		return NULL;
	}
	if (!is_sound(x, key)) {
		names_put(x);
		return NULL;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec - st.st_mtim.tv_sec > FRESH_S)
		utimensat(AT_FDCWD, path, NULL, 0);
	return x;
}

struct kept { char *path; struct timespec used; off_t size; };

static int latest_first(const void *x, const void *y)
{
	const struct timespec *a = &((const struct kept *)x)->used, *b = &((const struct kept *)y)->used;

	if (a->tv_sec != b->tv_sec)
		return a->tv_sec > b->tv_sec ? -1 : 1;
	return (a->tv_nsec < b->tv_nsec) - (a->tv_nsec > b->tv_nsec);
}

static int is_entry(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Those of use last stay.  Another run may do the same at this moment: what is gone already is no failure. */
static void prune(struct arena *a, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_entry, NULL);
	struct kept *kept = ARENA_ARRAY(a, struct kept, (size_t)(n > 0 ? n : 0) + 1);
	off_t total = 0;
	struct stat st;

	for (int i = 0; i < n; i++) {
		kept[i].path = arena_printf(a, "%s/%s", dir, entries[i]->d_name);
		if (!stat(kept[i].path, &st)) {
			kept[i].used = st.st_mtim;
			kept[i].size = st.st_size;
		}
		free(entries[i]);
	}
	if (n < 0)
		return;
	free(entries);
	qsort(kept, (size_t)n, sizeof(*kept), latest_first);
	for (int i = 0; i < n; i++) {
		total += kept[i].size;
		if (i && (i >= KEEP_FILES || total > KEEP_BYTES))
			unlink(kept[i].path);
	}
}

static void save(struct arena *a, const char *path, const struct name_index *x)
{
	char *dir = arena_strdup(a, path);

	*strrchr(dir, '/') = '\0';
	if (!cache_writable() || cache_make_dir(dir) || file_write(path, (const char *)x->image, x->size))
		return;
	prune(a, dir);
}

static bool is_large(const struct object *obj, const struct scan_source *from)
{
	return from->info.size >= (obj->priv->opts.index_from ? obj->priv->opts.index_from : INDEX_FROM);
}

struct name_index *names_load(struct object *obj, struct scan_source *from)
{
	struct name_index *x = NULL;
	struct image_key key;
	const char *path;

	if (!is_large(obj, from) || !cache_readable())
		return NULL;
	make_key(obj, from, &key);
	path = entry_path(obj, from);
	if (path)
		x = map_file(path, &key);
	if (x) {
		from->unit = at(x, x->image->units);
		from->nunit = x->image->nunit;
	}
	return x;
}

struct name_index *names_make(struct object *obj, const struct scan_source *from)
{
	struct name_index *x;
	struct image_key key;
	const char *path;

	if (!is_large(obj, from))
		return NULL;
	x = calloc(1, sizeof(*x));
	if (!x)
		abort();
	make_key(obj, from, &key);
	x->image = image_make(obj, from, &key);
	if (!x->image) {
		free(x);
		return NULL;
	}
	x->size = x->image->size;
	path = entry_path(obj, from);
	if (path)
		save(obj->priv->arena, path, x);
	return x;
}

void names_put(struct name_index *x)
{
	if (!x)
		return;
	if (x->mapped)
		munmap(x->image, x->size);
	else
		free(x->image);
	free(x);
}
