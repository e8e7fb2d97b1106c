/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names-make.c - reads all units of an object and makes its index.
 *
 * A thread for each processor takes unit after unit and notes, for each, the names of its functions.  The threads
 * read sections only, since a libdw handle may not be shared; names that are in another file are asked of libdw when
 * they have ended.  Start at image_make().
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debuginfo/names-image.h"

enum {
	THREADS_MAX = 4,
	JOBS = THREADS_MAX + 1,		/* the last one: names asked of libdw */
	TAKE = 8,			/* units a thread reads at a time */
};

/* Names by the place of their text, each with the last unit that was noted for it. */
struct name { const char *text; uint32_t last_unit; uint32_t row; };

struct asked { unsigned unit; uint64_t off; };

struct job {
	struct making *making;
	struct scan scan;
	pthread_t thread;
	struct name *name;
	unsigned nname, name_room;
	uint32_t *slot;			/* 1 + index in .name */
	unsigned nslot;
	uint32_t *noted;		/* names, unit by unit */
	unsigned nnoted, noted_room;
	struct asked *asked;
	unsigned nasked, asked_room;
};

struct making {
	struct object *obj;
	const struct scan_source *from;
	atomic_uint next;		/* unit to be taken */
	const uint8_t *map;		/* the file's mapping: pages of it can be given back */
	size_t map_size;
	struct job job[JOBS];
	unsigned njob;
	/* By unit: who read it, and where in the job's .noted its names are; and the same of names asked for. */
	struct { uint8_t job; bool unread; uint32_t first, n, asked_first, nasked; } *unit;
};

static void *more(void *old, unsigned *room, size_t size)
{
	*room = *room ? 2 * *room : 1024;
	old = realloc(old, *room * size);
	if (!old)
		abort();
	return old;
}

/* ---------------------------------------------------------------------------------------------- noting names */

static unsigned slot_of(const struct job *j, const char *text)
{
	unsigned i = ((uintptr_t)text * 0x9e3779b97f4a7c15u >> 32) & (j->nslot - 1);

	while (j->slot[i] && j->name[j->slot[i] - 1].text != text)
		i = (i + 1) & (j->nslot - 1);
	return i;
}

static void more_slots(struct job *j)
{
	free(j->slot);
	j->nslot = j->nslot ? 2 * j->nslot : 4096;
	j->slot = calloc(j->nslot, sizeof(*j->slot));
	if (!j->slot)
		abort();
	for (unsigned i = 0; i < j->nname; i++)
		j->slot[slot_of(j, j->name[i].text)] = i + 1;
}

static void note(struct job *j, unsigned unit, const char *text)
{
	unsigned at;
	struct name *n;

	if (!text)
		return;
	if (2 * j->nname >= j->nslot)
		more_slots(j);
	at = slot_of(j, text);
	if (!j->slot[at]) {
		if (j->nname == j->name_room)
			j->name = more(j->name, &j->name_room, sizeof(*j->name));
		j->name[j->nname++] = (struct name){ text, UINT32_MAX, 0 };
		j->slot[at] = j->nname;
	}
	n = &j->name[j->slot[at] - 1];
	if (n->last_unit == unit)
		return;
	n->last_unit = unit;
	if (j->nnoted == j->noted_room)
		j->noted = more(j->noted, &j->noted_room, sizeof(*j->noted));
	j->noted[j->nnoted++] = j->slot[at] - 1;
}

/* Pages of .debug_info that are read once need not stay: a file's own mapping, which nobody has written to. */
static void give_back(const struct making *m, const struct unit *first, const struct unit *last)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), lo = (uintptr_t)(m->from->info.at + first->start);
	uintptr_t hi = (uintptr_t)(m->from->info.at + last->end);

	lo = (lo + page - 1) / page * page;
	hi = hi / page * page;
	if (m->map && lo < hi && lo >= (uintptr_t)m->map && hi <= (uintptr_t)(m->map + m->map_size))
		madvise((void *)lo, hi - lo, MADV_DONTNEED);
}

static void read_unit(struct making *m, struct job *j, unsigned i)
{
	m->unit[i].job = (uint8_t)(j - m->job);
	m->unit[i].first = j->nnoted;
	if (!scan_unit(&j->scan, i)) {
		m->unit[i].unread = true;
		return;
	}
	for (unsigned k = 0; k < j->scan.nentry; k++) {
		const struct scan_entry *e = &j->scan.entry[k];

		note(j, i, e->name);
		note(j, i, e->linkage);
		if (!e->ask)
			continue;
		if (j->nasked == j->asked_room)
			j->asked = more(j->asked, &j->asked_room, sizeof(*j->asked));
		j->asked[j->nasked++] = (struct asked){ i, e->off };
	}
	m->unit[i].n = j->nnoted - m->unit[i].first;
}

static void *run_job(void *data)
{
	struct job *j = data;
	struct making *m = j->making;
	unsigned i;

	while ((i = atomic_fetch_add(&m->next, TAKE)) < m->from->nunit) {
		unsigned end = m->from->nunit - i > TAKE ? i + TAKE : m->from->nunit;

		for (unsigned k = i; k < end; k++)
			read_unit(m, j, k);
		give_back(m, &m->from->unit[i], &m->from->unit[end - 1]);
	}
	return NULL;
}

static int asked_order(const void *x, const void *y)
{
	const struct asked *a = x, *b = y;

	return a->unit != b->unit ? (a->unit < b->unit ? -1 : 1) : a->off < b->off ? -1 : a->off > b->off;
}

/* Names that are in a supplementary file (DW_FORM_GNU_ref_alt and the like), by the object's own libdw handle. */
static void ask_rest(struct making *m)
{
	struct job *rest = &m->job[JOBS - 1];

	for (unsigned k = 0; k < m->njob; k++) {
		struct job *j = &m->job[k];

		if (j->nasked)
			qsort(j->asked, j->nasked, sizeof(*j->asked), asked_order);
		for (unsigned i = 0; i < j->nasked; i++) {
			unsigned unit = j->asked[i].unit;
			Dwarf_Die die = { .addr = (void *)(uintptr_t)(m->from->info.at + j->asked[i].off),
					  .cu = units_die(m->obj, unit)->own };
			const char *name, *linkage;

			if (!i || j->asked[i - 1].unit != unit)
				m->unit[unit].asked_first = rest->nnoted;
			die_function_names(&die, &name, &linkage);
			note(rest, unit, name);
			note(rest, unit, linkage);
			m->unit[unit].nasked = rest->nnoted - m->unit[unit].asked_first;
		}
	}
}

/* ---------------------------------------------------------------------------------------------- the block */

struct block { char *bytes; size_t len, room; };

static uint64_t add(struct block *b, const void *bytes, size_t n)
{
	uint64_t at = b->len;

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
	return at;
}

static void align(struct block *b)
{
	add(b, NULL, (8 - b->len % 8) % 8);
}

static void add_number(struct block *b, uint32_t v)
{
	unsigned char bytes[5];
	unsigned n = 0;

	do {
		bytes[n++] = (unsigned char)((v & 127) | (v > 127 ? 128 : 0));
		v >>= 7;
	} while (v);
	add(b, bytes, n);
}

/* Names of all jobs, those with equal texts joined. */
struct joined {
	const char **text;		/* by row */
	uint32_t nrow, nslot;
	uint32_t *slot;			/* 1 + row */
	uint32_t *first;		/* by row, where its units begin in .unit; one more than there are rows */
	uint32_t *unit;
};

static void join_names(struct making *m, struct joined *g)
{
	uint32_t total = 0;

	for (unsigned k = 0; k < JOBS; k++)
		total += m->job[k].nname;
	for (g->nslot = 64; g->nslot < 2 * total; g->nslot *= 2)
		;
	g->slot = calloc(g->nslot, sizeof(*g->slot));
	g->text = calloc(total + 1, sizeof(*g->text));
	if (!g->slot || !g->text)
		abort();
	for (unsigned k = 0; k < JOBS; k++) {
		for (unsigned i = 0; i < m->job[k].nname; i++) {
			struct name *n = &m->job[k].name[i];
			uint32_t at = (uint32_t)name_hash(n->text) & (g->nslot - 1);

			while (g->slot[at] && strcmp(g->text[g->slot[at] - 1], n->text))
				at = (at + 1) & (g->nslot - 1);
			if (!g->slot[at]) {
				g->text[g->nrow++] = n->text;
				g->slot[at] = g->nrow;
			}
			n->row = g->slot[at] - 1;
		}
	}
}

/* Calls for each name of each unit, in order of units. */
static void each_noted(const struct making *m, struct joined *g,
		       void (*f)(struct joined *g, uint32_t row, uint32_t unit))
{
	const struct job *rest = &m->job[JOBS - 1];

	for (unsigned i = 0; i < m->from->nunit; i++) {
		const struct job *j = &m->job[m->unit[i].job];

		for (unsigned k = 0; k < m->unit[i].n; k++)
			f(g, j->name[j->noted[m->unit[i].first + k]].row, i);
		for (unsigned k = 0; k < m->unit[i].nasked; k++)
			f(g, rest->name[rest->noted[m->unit[i].asked_first + k]].row, i);
	}
}

static void count_one(struct joined *g, uint32_t row, uint32_t unit)
{
	(void)unit;
	g->first[row + 2]++;
}

static void put_one(struct joined *g, uint32_t row, uint32_t unit)
{
	g->unit[g->first[row + 1]++] = unit;
}

/* The units of each row: counted, then filled in. */
static void join_units(const struct making *m, struct joined *g)
{
	g->first = calloc((size_t)g->nrow + 3, sizeof(*g->first));
	if (!g->first)
		abort();
	each_noted(m, g, count_one);
	for (uint32_t i = 2; i < g->nrow + 2; i++)
		g->first[i] += g->first[i - 1];
	g->unit = calloc((size_t)g->first[g->nrow + 1] + 1, sizeof(*g->unit));
	if (!g->unit)
		abort();
	each_noted(m, g, put_one);
}

static void add_rows(struct block *b, uint64_t rows, const struct joined *g)
{
	for (uint32_t i = 0; i < g->nrow; i++) {
		struct name_row row = { (uint32_t)add(b, g->text[i], strlen(g->text[i]) + 1), (uint32_t)b->len };
		uint32_t before = 0, n = 0;

		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			n += k == g->first[i] || g->unit[k] != g->unit[k - 1];
		add_number(b, n);
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
			if (k > g->first[i] && g->unit[k] == g->unit[k - 1])
				continue;
			add_number(b, g->unit[k] - before);
			before = g->unit[k];
		}
		memcpy(b->bytes + rows + i * sizeof(row), &row, sizeof(row));
	}
}

static struct image *assemble(struct making *m, const struct image_key *key)
{
	struct image head = { .magic = IMAGE_MAGIC, .key = *key };
	struct arena *a = arena_new();
	struct joined g = { 0 };
	struct block b = { 0 };
	const struct cover *cover = units_cover(m->obj, a, &head.ncover);

	join_names(m, &g);
	join_units(m, &g);
	add(&b, NULL, sizeof(head));
	align(&b);
	head.nslot = g.nslot;
	head.slots = add(&b, g.slot, g.nslot * sizeof(*g.slot));
	head.nname = g.nrow;
	align(&b);
	head.names = add(&b, NULL, g.nrow * sizeof(struct name_row));
	head.covers = add(&b, cover, head.ncover * sizeof(*cover));
	head.units = b.len;
	head.nunit = m->from->nunit;
	for (uint32_t i = 0; i < head.nunit; i++) {
		struct unit u = m->from->unit[i];

		u.raw = u.raw && !m->unit[i].unread;
		add(&b, &u, sizeof(u));
	}
	add_rows(&b, head.names, &g);
	add(&b, NULL, 8 - b.len % 8);
	free(g.slot);
	free(g.text);
	free(g.first);
	free(g.unit);
	arena_free(a);
	if (b.len >= UINT32_MAX) {	/* offsets would not fit */
		free(b.bytes);
		return NULL;
	}
	head.size = b.len;
	memcpy(b.bytes, &head, sizeof(head));
	((struct image *)(void *)b.bytes)->sum = image_sum((struct image *)(void *)b.bytes);
	return (struct image *)(void *)b.bytes;
}

/* ---------------------------------------------------------------------------------------------- all of it */

static void job_close(struct job *j)
{
	scan_close(&j->scan);
	free(j->name);
	free(j->slot);
	free(j->noted);
	free(j->asked);
}

/* As many threads as there are processors; those that cannot be had are done without. */
static void read_all(struct making *m)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	bool started[THREADS_MAX] = { false };

	m->njob = processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
	for (unsigned k = 0; k < m->njob; k++) {
		m->job[k].making = m;
		scan_open(&m->job[k].scan, m->from);
		started[k] = k && !pthread_create(&m->job[k].thread, NULL, run_job, &m->job[k]);
	}
	run_job(&m->job[0]);
	for (unsigned k = 1; k < m->njob; k++)
		if (started[k])
			pthread_join(m->job[k].thread, NULL);
	ask_rest(m);
}

struct image *image_make(struct object *obj, const struct scan_source *from, const struct image_key *key)
{
	struct making *m = calloc(1, sizeof(*m));
	struct image *image;

	if (!m)
		abort();
	m->obj = obj;
	m->from = from;
	m->map = (const uint8_t *)elf_rawfile(dwarf_getelf(object_dwarf(obj)), &m->map_size);
	m->unit = calloc(from->nunit + 1, sizeof(*m->unit));
	if (!m->unit)
		abort();
	read_all(m);
	image = assemble(m, key);
	for (unsigned k = 0; k < JOBS; k++)
		job_close(&m->job[k]);
	free(m->unit);
	free(m);
	return image;
}
