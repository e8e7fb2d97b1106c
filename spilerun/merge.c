/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merging: the records of all rings in the order of their sequence numbers.
 *
 * Numbers are dense over all rings (platform.h), so the next record is known by number, and a ring that shows a later one only waits.  The next record is mostly in the ring of the last one; the search starts there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "spilerun/spilerun.h"

struct merge {
	struct sp_ring **rings;
	size_t n, room;
	size_t at;			/* where the last record came from */
	uint64_t next;			/* number of the record whose turn it is */
	uint64_t gaps_until;		/* records below this may be gone for good: none of them is waited for */
	char *text;			/* one payload, made contiguous */
	size_t text_room;
};

struct merge *merge_new(uint64_t first)
{
	struct merge *m = calloc(1, sizeof(*m));

	if (m)
		m->next = first;
	return m;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	free(m->rings);
	free(m->text);
	free(m);
}

int merge_add(struct merge *m, struct sp_ring *ring)
{
	if (m->n == m->room) {
		size_t room = m->room ? 2 * m->room : 64;
		struct sp_ring **rings = realloc(m->rings, room * sizeof(*rings));

		if (!rings)
			return -1;
		m->rings = rings;
		m->room = room;
	}
	m->rings[m->n++] = ring;
	return 0;
}

void merge_remove(struct merge *m, struct sp_ring *ring)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->rings[i] == ring) {
			m->rings[i] = m->rings[--m->n];
			m->at = 0;
			return;
		}
}

/* Bytes of a ring may go round its end. */
static void ring_copy(const struct sp_ring *r, uint64_t pos, void *to, size_t n)
{
	size_t at = pos & (r->size - 1);
	size_t first = n < r->size - at ? n : r->size - at;

	if (!n)		/* then there may be nowhere to put it, either */
		return;
	memcpy(to, r->data + at, first);
	memcpy((char *)to + first, r->data, n - first);
}

/* The ring's oldest record, or false.  Pairs with the release of head in sp_ring_put(). */
static bool ring_peek(const struct sp_ring *r, struct sp_record *rec)
{
	uint64_t head = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);

	if (head == r->tail)
		return false;
	ring_copy(r, r->tail, rec, sizeof(*rec));
	return true;
}

/* A payload made contiguous; NULL where memory is short or the length is nonsense (a target may scribble on shared memory). */
static const char *ring_payload(struct merge *m, const struct sp_ring *r, const struct sp_record *rec)
{
	if (rec->len > r->size)
		return NULL;
	if (rec->len > m->text_room) {
		char *text = realloc(m->text, rec->len);

		if (!text)
			return NULL;
		m->text = text;
		m->text_room = rec->len;
	}
	ring_copy(r, r->tail + sizeof(*rec), m->text, rec->len);
	return m->text;
}

static void ring_consume(struct sp_ring *r, const struct sp_record *rec)
{
	uint64_t step = sizeof(*rec) + ((rec->len + 7ull) & ~7ull);
	uint64_t head = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);
	uint64_t left = head - r->tail;

	/* Pairs with the acquire of tail in sp_ring_put(). */
	__atomic_store_n(&r->tail, r->tail + (step < left ? step : left), __ATOMIC_RELEASE);
}

/* The lowest number of a record that is there; UINT64_MAX: none is. */
static uint64_t lowest_waiting(const struct merge *m)
{
	struct sp_record rec;
	uint64_t lowest = UINT64_MAX;

	for (size_t i = 0; i < m->n; i++)
		if (ring_peek(m->rings[i], &rec) && rec.seq < lowest)
			lowest = rec.seq;
	return lowest;
}

/* Finds the ring whose oldest record has the number m->next. */
static struct sp_ring *next_ring(struct merge *m, struct sp_record *rec)
{
	for (size_t i = 0; i < m->n; i++) {
		size_t at = m->at + i < m->n ? m->at + i : m->at + i - m->n;

		if (ring_peek(m->rings[at], rec) && rec->seq == m->next) {
			m->at = at;
			return m->rings[at];
		}
	}
	return NULL;
}

/* The same, passing over records that were overwritten before we came. */
static struct sp_ring *next_ring_or_gap(struct merge *m, struct sp_record *rec)
{
	struct sp_ring *r = next_ring(m, rec);

	while (!r && m->next < m->gaps_until) {
		uint64_t lowest = lowest_waiting(m);

		m->next = lowest < m->gaps_until ? lowest : m->gaps_until;
		r = next_ring(m, rec);
	}
	return r;
}

size_t merge_drain(struct merge *m, merge_sink *sink, void *data)
{
	struct sp_record rec;
	struct sp_ring *r;
	size_t count = 0;
	bool more = true;

	while (more && (r = next_ring_or_gap(m, &rec))) {
		const char *text = ring_payload(m, r, &rec);
		const struct merge_record out = { rec.kind, (unsigned)m->at, rec.seq, text, rec.len };

		if (text || !rec.len)
			more = sink(data, &out);
		ring_consume(r, &rec);
		m->next++;
		count++;
	}
	return count;
}

void merge_gaps_until(struct merge *m, uint64_t seq)
{
	m->gaps_until = seq;
}

bool merge_is_stuck(struct merge *m)
{
	struct sp_record rec;
	bool waiting = false;

	for (size_t i = 0; i < m->n; i++)
		if (ring_peek(m->rings[i], &rec)) {
			if (rec.seq == m->next)
				return false;
			waiting = true;
		}
	return waiting;
}

uint64_t merge_skip(struct merge *m)
{
	uint64_t lowest = lowest_waiting(m), skipped;

	if (lowest == UINT64_MAX || lowest == m->next)
		return 0;
	skipped = lowest > m->next ? lowest - m->next : 0;
	m->next = lowest;
	return skipped;
}

uint64_t merge_lost(const struct merge *m)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < m->n; i++)
		lost += __atomic_load_n(&m->rings[i]->lost, __ATOMIC_RELAXED);
	return lost;
}
