/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of the library's names.  It is one block of memory, the same in the cache as in use: a run whose library
 * has not changed maps the file and searches it in place.
 *
 *	struct index_image	what it is of
 *	struct file_row[]	the files, in the order of the search
 *	struct name_row[]	for each kind, sorted
 *	text			all strings, each ended by NUL
 *
 * It is only used when its sum is right and every file is as it was (path, inode, size, time of change).  Every number
 * in it is held against the block's bounds as well: a sum is no proof.
 * Start reading at index_make(), then index_load().
 */
#include "library/index.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build/cache.h"
#include "support/file.h"

#define MAGIC "spile tapset 2\n"		/* 16 bytes */
#define PREFIX "tapset-index-"

enum {
	KEEP = 32,			/* indexes in the cache: one for each library, kernel and runtime */
	FRESH_S = 3600,			/* how old a used one's time may be before it is set again */
};

struct file_row { uint64_t device, inode, size, mtime_ns; uint32_t path; uint16_t broken, is_macro; };
struct name_row { uint32_t text, file; };

struct index_image {
	char magic[sizeof(MAGIC)];
	uint64_t sum;			/* of all that follows */
	uint32_t size;			/* of the whole block; a multiple of 8 */
	uint32_t conditions;		/* where in the block their text is */
	uint32_t loose;
	uint32_t nfiles, files;
	uint32_t nnames[LIB_KINDS], names[LIB_KINDS];
};

/* ------------------------------------------------------------------------------------------------ reading it */

static const char *text_at(const struct index *x, uint32_t at)
{
	return at < x->size ? (const char *)x->image + at : "";	/* the block's last byte is NUL */
}

static bool has_rows(const struct index *x, uint32_t at, uint32_t n, size_t size)
{
	return at % 8 == 0 && at <= x->size && n <= (x->size - at) / size;
}

static const struct file_row *file_rows(const struct index *x)
{
	return (const void *)((const char *)x->image + x->image->files);
}

static const struct name_row *name_rows(const struct index *x, enum library_name what)
{
	return (const void *)((const char *)x->image + x->image->names[what]);
}

bool index_loose(const struct index *x)
{
	return x->image->loose;
}

bool index_broken(const struct index *x, unsigned file)
{
	return file_rows(x)[file].broken;
}

unsigned index_count(const struct index *x, enum library_name what)
{
	return x->image->nnames[what];
}

const char *index_name(const struct index *x, enum library_name what, unsigned i, unsigned *file)
{
	const struct name_row *row = &name_rows(x, what)[i];

	*file = row->file < x->image->nfiles ? row->file : 0;
	return text_at(x, row->text);
}

unsigned index_seek(const struct index *x, enum library_name what, const char *name)
{
	unsigned low = 0, high = x->image->nnames[what];

	while (low < high) {
		unsigned mid = low + (high - low) / 2;

		if (strcmp(text_at(x, name_rows(x, what)[mid].text), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* ------------------------------------------------------------------------------------------------ where it is kept */

/* What names depend on besides the files' text: the words of preprocessor conditions. */
static const char *conditions(struct arena *a, const struct syntax_env *env)
{
	return arena_printf(a, "%s %s %s %s %s %d", env->kernel_vr, env->arch, env->runtime, env->version, env->privilege,
			    env->guru);
}

static uint64_t hash_in(uint64_t h, const char *s)
{
	do
		h = (h ^ (unsigned char)*s) * 1099511628211u;	/* FNV-1a */
	while (*s++);
	return h;
}

/* One name for each set of conditions and library directories. */
static const char *index_path(struct arena *a, const char *dir, const struct syntax_env *env,
			      const struct lib_files *files)
{
	uint64_t h = hash_in(1469598103934665603u, conditions(a, env));
	const struct lib_file *before = NULL;

	for (unsigned i = 0; i < files->n; i++) {
		const struct lib_file *f = &files->file[i];

		if (!before || f->root_len != before->root_len || strncmp(f->path, before->path, f->root_len))
			h = hash_in(h, arena_strndup(a, f->path, f->root_len));
		before = f;
	}
	return arena_printf(a, "%s/" PREFIX "%016" PRIx64, dir, h);
}

/* ------------------------------------------------------------------------------------------------ taking it from the cache */

static uint64_t sum_of(const struct index_image *m)
{
	const uint64_t *word = &m->sum + 1, *end = (const void *)((const char *)m + m->size);
	uint64_t h = 1469598103934665603u;

	while (word < end)
		h = (h ^ *word++) * 1099511628211u;
	return h;
}

static bool is_sound(const struct index *x)
{
	const struct index_image *m = x->image;
	bool good = x->size > sizeof(*m) && !memcmp(m->magic, MAGIC, sizeof(MAGIC)) && m->size == x->size &&
		    x->size % 8 == 0 && !((const char *)m)[x->size - 1] && m->sum == sum_of(m) &&
		    has_rows(x, m->files, m->nfiles, sizeof(struct file_row));

	for (int k = 0; good && k < LIB_KINDS; k++)
		good = has_rows(x, m->names[k], m->nnames[k], sizeof(struct name_row));
	return good;
}

static bool is_row_of(const struct index *x, const struct file_row *row, const struct lib_file *f)
{
	return row->inode == f->inode && row->mtime_ns == f->mtime_ns && row->size == f->size && row->device == f->device &&
	       !strcmp(text_at(x, row->path), f->path);
}

/* Just these files. */
static bool is_of(const struct index *x, const struct lib_files *files)
{
	const struct file_row *row = file_rows(x);

	if (x->image->nfiles != files->n)
		return false;
	for (unsigned i = 0; i < files->n; i++)
		if (!is_row_of(x, &row[i], &files->file[i]))
			return false;
	return true;
}

/* ------------------------------------------------------------------------------------------------ taking part of it */

/* The same macro files, or the other files may define other names than they did. */
static bool same_macros(const struct index *x, const struct lib_files *files)
{
	const struct file_row *row = file_rows(x), *end = row + x->image->nfiles;

	for (unsigned i = 0; i < files->n; i++) {
		if (!files->file[i].is_macro)
			continue;
		while (row < end && !row->is_macro)
			row++;
		if (row == end || !is_row_of(x, row++, &files->file[i]))
			return false;
	}
	while (row < end && !row->is_macro)
		row++;
	return row == end;
}

static void give_name(struct arena *a, struct lib_file *f, enum library_name what, const char *text)
{
	struct lib_name *n = ARENA_NEW(a, struct lib_name);

	*n = (struct lib_name){ what, arena_strdup(a, text), f->names };
	f->names = n;
}

/* What is known of files that are as they were; the others are still to be read. */
static void reuse(struct arena *a, const struct index *x, struct lib_files *files)
{
	const struct file_row *row = file_rows(x);
	unsigned n = x->image->nfiles, at = 0, file;
	struct lib_file **of = ARENA_ARRAY(a, struct lib_file *, n + 1);

	for (unsigned i = 0; i < files->n; i++) {
		struct lib_file *f = &files->file[i];

		for (unsigned tries = 0; tries < n && !f->named; tries++, at = (at + 1) % n)
			if (is_row_of(x, &row[at], f)) {
				of[at] = f;
				f->named = true;
				f->broken = row[at].broken;
			}
	}
	for (int k = 0; k < LIB_KINDS; k++)
		for (unsigned i = 0; i < x->image->nnames[k]; i++) {
			const char *text = index_name(x, (enum library_name)k, i, &file);

			if (of[file])
				give_name(a, of[file], (enum library_name)k, text);
		}
}

/* A file's time says when it was last of use; it is set now and then, not in every run. */
static void keep_fresh(int fd, const struct stat *st)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec - st->st_mtim.tv_sec > FRESH_S)
		futimens(fd, NULL);
}

struct index index_load(struct arena *a, const struct syntax_env *env, struct lib_files *files)
{
	const char *dir = cache_dir(a);
	int fd = dir ? open(index_path(a, dir, env, files), O_RDONLY | O_CLOEXEC) : -1;
	struct index x = { .mapped = true };
	struct stat st;

	if (fd < 0)
		return x;
	if (!fstat(fd, &st) && st.st_size > 0 && st.st_size <= UINT32_MAX) {
		x.size = (size_t)st.st_size;
		x.image = mmap(NULL, x.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (x.image == MAP_FAILED)
			x.image = NULL;
	}
	if (x.image && (!is_sound(&x) || strcmp(text_at(&x, x.image->conditions), conditions(a, env))))
		index_close(&x);
	if (x.image && !is_of(&x, files)) {
		if (!x.image->loose && same_macros(&x, files))
			reuse(a, &x, files);
		index_close(&x);
	}
	if (x.image)
		keep_fresh(fd, &st);
	close(fd);
	return x;
}

void index_close(struct index *x)
{
	if (x->mapped && x->image)
		munmap(x->image, x->size);
	else
		free(x->image);
	x->image = NULL;
}

/* ------------------------------------------------------------------------------------------------ making it */

struct entry { const char *text; unsigned file; };

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int d = strcmp(a->text, b->text);

	return d ? d : a->file < b->file ? -1 : a->file > b->file;
}

/* The names of one kind, sorted; a file that defines a name twice counts once. */
static struct entry *sorted_names(struct arena *a, const struct lib_files *files, enum library_name what, unsigned *count)
{
	struct entry *e;
	unsigned n = 0, kept = 0;

	for (unsigned i = 0; i < files->n; i++)
		for (const struct lib_name *m = files->file[i].names; m; m = m->next)
			n += m->what == what;
	e = ARENA_ARRAY(a, struct entry, n + 1);
	n = 0;
	for (unsigned i = 0; i < files->n; i++)
		for (const struct lib_name *m = files->file[i].names; m; m = m->next)
			if (m->what == what)
				e[n++] = (struct entry){ m->text, i };
	qsort(e, n, sizeof(*e), compare_entries);
	for (unsigned i = 0; i < n; i++)
		if (!kept || compare_entries(&e[i], &e[kept - 1]))
			e[kept++] = e[i];
	*count = kept;
	return e;
}

/* The block while it grows. */
struct block { char *bytes; size_t len, room; };

static uint32_t add(struct block *b, const void *bytes, size_t n)
{
	size_t at = b->len;

	if (b->room - b->len < n) {
		b->room = (b->room + n) * 2;
		b->bytes = realloc(b->bytes, b->room);
		if (!b->bytes)
			abort();
	}
	if (bytes)
		memcpy(b->bytes + at, bytes, n);
	else
		memset(b->bytes + at, 0, n);
	b->len += n;
	return (uint32_t)at;
}

static uint32_t add_text(struct block *b, const char *text)
{
	return add(b, text, strlen(text) + 1);
}

static uint32_t add_names(struct block *b, uint32_t rows, const struct entry *e, unsigned n)
{
	uint32_t text = 0;

	for (unsigned i = 0; i < n; i++) {
		struct name_row row;

		if (!i || strcmp(e[i].text, e[i - 1].text))
			text = add_text(b, e[i].text);
		row = (struct name_row){ text, e[i].file };
		memcpy(b->bytes + rows + i * sizeof(row), &row, sizeof(row));
	}
	return rows;
}

struct index index_make(struct arena *a, const struct syntax_env *env, const struct lib_files *files, bool loose)
{
	struct index_image m = { .magic = MAGIC, .loose = loose, .nfiles = files->n };
	struct entry *entries[LIB_KINDS];
	struct block b = { 0 };
	struct index x = { 0 };

	add(&b, NULL, (sizeof(m) + 7) / 8 * 8);
	m.files = add(&b, NULL, files->n * sizeof(struct file_row));
	for (int k = 0; k < LIB_KINDS; k++) {
		entries[k] = sorted_names(a, files, (enum library_name)k, &m.nnames[k]);
		m.names[k] = add(&b, NULL, m.nnames[k] * sizeof(struct name_row));
	}
	m.conditions = add_text(&b, conditions(a, env));
	for (unsigned i = 0; i < files->n; i++) {
		const struct lib_file *f = &files->file[i];
		struct file_row row = {
			f->device, f->inode, f->size, f->mtime_ns, add_text(&b, f->path), f->broken, f->is_macro
		};

		memcpy(b.bytes + m.files + i * sizeof(row), &row, sizeof(row));
	}
	for (int k = 0; k < LIB_KINDS; k++)
		add_names(&b, m.names[k], entries[k], m.nnames[k]);
	add(&b, NULL, 8 - b.len % 8);
	m.size = (uint32_t)b.len;
	memcpy(b.bytes, &m, sizeof(m));
	x.image = (struct index_image *)(void *)b.bytes;
	x.image->sum = sum_of(x.image);
	x.size = b.len;
	return x;
}

/* ------------------------------------------------------------------------------------------------ leaving it in the cache */

struct kept { char *path; struct timespec used; };

static int latest_first(const void *x, const void *y)
{
	const struct timespec *a = &((const struct kept *)x)->used, *b = &((const struct kept *)y)->used;

	if (a->tv_sec != b->tv_sec)
		return a->tv_sec > b->tv_sec ? -1 : 1;
	return (a->tv_nsec < b->tv_nsec) - (a->tv_nsec > b->tv_nsec);
}

static int is_index(const struct dirent *e)
{
	return !strncmp(e->d_name, PREFIX, strlen(PREFIX));
}

/* The indexes that were of use last stay.  Another run may do the same at this moment: what is gone already is no failure. */
static void prune_cache(struct arena *a, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_index, NULL);
	struct kept *kept = ARENA_ARRAY(a, struct kept, (size_t)(n > 0 ? n : 0) + 1);
	struct stat st;

	for (int i = 0; i < n; i++) {
		kept[i].path = arena_printf(a, "%s/%s", dir, entries[i]->d_name);
		if (!stat(kept[i].path, &st))
			kept[i].used = st.st_mtim;
		free(entries[i]);
	}
	if (n < 0)
		return;
	free(entries);
	qsort(kept, (size_t)n, sizeof(*kept), latest_first);
	for (int i = KEEP; i < n; i++)
		unlink(kept[i].path);
}

void index_save(struct arena *a, const struct syntax_env *env, const struct lib_files *files, const struct index *x)
{
	const char *dir = cache_dir(a);

	if (!dir || cache_make_dir(dir) || file_write(index_path(a, dir, env, files), (const char *)x->image, x->size))
		return;
	prune_cache(a, dir);
}
