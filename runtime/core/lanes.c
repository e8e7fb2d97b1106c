/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lanes: where each processor counts for itself.
 *
 * Were hits to add to the elements of a counted array, their lines would travel between the processors all the time.
 * So such an array has a few lanes, one for each processor while there are not too many.  A lane is a hash table of its
 * own, from keys to what was added here since somebody last looked at the element; a hit whose keys are in its lane
 * touches one line of memory, which no other processor wants.  Which lane a hit takes is a guess that may be wrong, so
 * additions are atomic all the same.
 *
 *	lane:	slot, slot, ...		a slot: a tag (struct slot), then a value as elements have it
 *
 * Three things hold.  Keys are in a lane only while their element is in the table: new keys go through the table first,
 * so that capacity and order are the table's alone.  The value of an element is what it says itself plus what its slots
 * say.  And whoever looks at values, sets them or deletes is alone with the array (elaborate/locks.c), and folds the
 * lanes into the elements first.
 *
 * A slot is looked for in TRIES places from where its hash says.  Where all are taken, hits add to the element.
 */
#include "map.h"

#define TRIES 8u
#define AHEAD 8u			/* elements whose slots are fetched while others are folded */
#define NUMBER_BIT (1ull << 63)

/*
 * What tells a slot from others, 0 where it is free.  For arrays by a single number: the number, with one bit turned, so
 * that a likely number is not the one without a tag.  Else the hash of the keys and the number of the element.
 */
struct slot {
	sp_u64 tag;
};

#define LINE 64u

/* No aggregate lies across more lines of memory than it must. */
static sp_u32 slot_size(sp_u32 value_bytes)
{
	sp_u32 bytes = sizeof(struct slot) + value_bytes;

	return bytes <= LINE / 4 ? LINE / 4 : (bytes + LINE - 1) & -LINE;
}

/*
 * How many lanes, and slots in each: few more than elements, since memory that does not fit the processor's cache costs
 * more than a second try; fewer where they would take more than the back end gives.
 */
static sp_u32 lanes_for(sp_u32 global, sp_u32 capacity, sp_u32 value_bytes, sp_u32 *slots)
{
	sp_u32 bytes = 0, lanes = sp_script.globals[global].counted ? sp_plat_lanes(&bytes) : 0;

	*slots = TRIES;
	while (*slots < capacity + (sp_u64)capacity / 4 && 2ull * *slots * slot_size(value_bytes) <= bytes)
		*slots *= 2;
	return lanes;
}

static sp_u64 lane_size(sp_u32 slots, sp_u32 value_bytes)
{
	return (((sp_u64)slots + TRIES) * slot_size(value_bytes) + LINE - 1) & -(sp_u64)LINE;
}

/* Behind the elements: a spare one, then the lanes. */
static sp_u64 lanes_offset(sp_u64 elements_end, sp_u32 element_size)
{
	return (elements_end + element_size + LINE - 1) & -(sp_u64)LINE;
}

sp_u64 sp_lanes_end(sp_u32 global, sp_u32 capacity, sp_u64 elements_end, sp_u32 element_size, sp_u32 value_bytes)
{
	sp_u32 slots, lanes = lanes_for(global, capacity, value_bytes, &slots);

	if (!lanes)
		return elements_end;
	return lanes_offset(elements_end, element_size) + lanes * lane_size(slots, value_bytes);
}

void sp_lanes_init(struct map *m, sp_u32 global)
{
	const struct sp_global *g = &sp_script.globals[global];
	sp_u32 value_bytes = m->element_size - m->value_at;

	m->lanes = lanes_for(global, m->capacity, value_bytes, &m->slots);
	m->lane_bytes = lane_size(m->slots, value_bytes);
	m->lanes_at = lanes_offset(m->elements_at + (sp_u64)m->capacity * m->element_size, m->element_size);
	m->slot_bytes = slot_size(value_bytes);
	m->one_number = g->nkeys == 1 && g->keys[0] == SP_LONG;
}

/* ---- counting: beside others ---- */

static struct slot *slot_at(struct map *m, sp_u32 lane, sp_u32 hash, sp_u32 try)
{
	sp_u32 i = (hash & (m->slots - 1)) + try;

	return (struct slot *)((char *)m + m->lanes_at + lane * m->lane_bytes + (sp_u64)i * m->slot_bytes);
}

static sp_u64 tag_of_number(sp_i64 key)
{
	return (sp_u64)key ^ NUMBER_BIT;
}

static sp_u64 tag_of(struct map *m, sp_u32 at)
{
	const struct element *e = element(m, at);

	return m->one_number ? tag_of_number(first_number(e)) : (sp_u64)e->hash << 32 | at;
}

/* Says so before anything is added: a word too many costs a look, one too few an addition. */
static void note(sp_u32 *lanes, sp_u32 lane)
{
	if (sp_unlikely(!(__atomic_load_n(lanes, __ATOMIC_RELAXED) >> lane & 1)))
		__atomic_fetch_or(lanes, 1u << lane, __ATOMIC_RELAXED);
}

static void *find_number(struct map *m, sp_u32 lane, sp_i64 key, sp_u32 hash)
{
	struct slot *slot = slot_at(m, lane, hash, 0);
	sp_u64 want = tag_of_number(key), tag;
	sp_u32 i;

	for (i = 0; i < TRIES; i++, slot = (struct slot *)((char *)slot + m->slot_bytes)) {
		tag = __atomic_load_n(&slot->tag, __ATOMIC_RELAXED);
		if (!tag)
			return 0;
		if (tag == want)
			return slot + 1;
	}
	return 0;
}

static void *find_keys(struct map *m, sp_u32 lane, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	sp_u32 i;

	for (i = 0; i < TRIES; i++) {
		struct slot *slot = slot_at(m, lane, hash, i);
		sp_u64 tag = __atomic_load_n(&slot->tag, __ATOMIC_ACQUIRE);

		if (!tag)
			return 0;
		if (tag >> 32 == hash && sp_map_has_keys(g, element(m, (sp_u32)tag), keys, 0))
			return slot + 1;
	}
	return 0;
}

void *sp_lane_find(struct sp_ctx *c, struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	sp_u32 lane = sp_plat_lane(c) & (m->lanes - 1);
	void *value = m->one_number ? find_number(m, lane, keys->n, hash) : find_keys(m, lane, g, keys, hash);

	if (sp_likely(value != 0))
		note(&m->dirty, lane);
	return value;
}

void *sp_lane_claim(struct sp_ctx *c, struct map *m, sp_u32 at)
{
	sp_u32 lane = sp_plat_lane(c) & (m->lanes - 1), i;
	struct element *e = element(m, at);
	sp_u64 tag = tag_of(m, at), was = 0;

	note(&m->held, lane);
	note(&m->dirty, lane);
	for (i = 0; tag && i < TRIES; i++, was = 0) {
		struct slot *slot = slot_at(m, lane, e->hash, i);

		if (__atomic_compare_exchange_n(&slot->tag, &was, tag, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED) || was == tag)
			return slot + 1;
	}
	return value_of(m, e);
}

/* ---- looking: alone ---- */

struct visit {
	sp_u64 tag;
	sp_u32 hash;
	sp_u32 lanes;			/* still to be seen, a bit each */
	sp_u32 try;
};

static void visit(struct visit *v, struct map *m, sp_u32 at, sp_u32 lanes)
{
	v->tag = tag_of(m, at);
	v->hash = element(m, at)->hash;
	v->lanes = v->tag ? lanes : 0;
	v->try = 0;
}

/*
 * The next slot that is the element's, or NULL.  There is one in a lane, before the first free place; once slots have become
 * free there may be another one behind it.
 */
static struct slot *next_slot(struct visit *v, struct map *m)
{
	while (v->lanes) {
		sp_u32 lane = __builtin_ctz(v->lanes);

		while (v->try < TRIES) {
			struct slot *slot = slot_at(m, lane, v->hash, v->try++);
			sp_u64 tag = slot->tag;

			if (!m->thinned && (!tag || tag == v->tag))
				v->try = TRIES;
			if (tag == v->tag)
				return slot;
		}
		v->lanes &= v->lanes - 1;
		v->try = 0;
	}
	return 0;
}

static void merge(void *to, const void *from, sp_u32 global)
{
	if (sp_script.globals[global].type == SP_STATS)
		sp_stat_merge(to, from, global);
	else
		*(sp_i64 *)to = sp_add(*(sp_i64 *)to, *(const sp_i64 *)from);
}

/* The spare element's value is element m->folding's.  Cut short, it can be done again. */
static void finish_fold(struct map *m)
{
	sp_u32 at = m->folding, bytes = m->element_size - m->value_at;
	struct visit v;
	struct slot *slot;

	visit(&v, m, at, m->dirty);
	while ((slot = next_slot(&v, m)))
		sp_zero(slot + 1, bytes);
	sp_copy(value_of(m, element(m, at)), value_of(m, element(m, m->capacity + 1)), bytes);
	__atomic_store_n(&m->folding, 0, __ATOMIC_RELEASE);
}

void sp_lanes_fold(struct map *m, sp_u32 global, sp_u32 at)
{
	void *total = value_of(m, element(m, m->capacity + 1));
	struct visit v;
	struct slot *slot;

	visit(&v, m, at, m->dirty);
	slot = next_slot(&v, m);
	if (!slot)
		return;
	sp_copy(total, value_of(m, element(m, at)), m->element_size - m->value_at);
	for (; slot; slot = next_slot(&v, m))
		merge(total, slot + 1, global);
	__atomic_store_n(&m->folding, at, __ATOMIC_RELEASE);
	finish_fold(m);
}

/* The element behind @at in the list; its slots are on their way when it comes to them. */
static sp_u32 step_ahead(struct map *m, sp_u32 at)
{
	sp_u32 lanes;

	if (!at)
		return 0;
	for (lanes = m->dirty; lanes; lanes &= lanes - 1)
		__builtin_prefetch(slot_at(m, __builtin_ctz(lanes), element(m, at)->hash, 0));
	return element(m, at)->next;
}

void sp_lanes_fold_all(struct map *m, sp_u32 global)
{
	sp_u32 at, ahead = m->first, i;

	for (i = 0; i < AHEAD; i++)
		ahead = step_ahead(m, ahead);
	for (at = m->first; at; at = element(m, at)->next) {
		ahead = step_ahead(m, ahead);
		sp_lanes_fold(m, global, at);
	}
	m->dirty = 0;
}

/* A slot is empty before it is free. */
static void give_up(struct map *m, struct slot *slot)
{
	m->thinned = 1;
	sp_zero(slot + 1, m->element_size - m->value_at);
	__atomic_store_n(&slot->tag, 0, __ATOMIC_RELEASE);
}

void sp_lanes_drop(struct map *m, sp_u32 at)
{
	struct visit v;
	struct slot *slot;

	visit(&v, m, at, m->held);
	while ((slot = next_slot(&v, m)))
		give_up(m, slot);
}

/* Whether the tag is an element's that is in the table. */
static sp_bool is_tag(struct map *m, sp_u32 global, sp_u64 tag)
{
	const struct element *e = element(m, (sp_u32)tag);
	union sp_val key;

	if (m->one_number) {
		key.n = (sp_i64)(tag ^ NUMBER_BIT);
		return sp_map_locate(m, global, &key) != 0;
	}
	return e->born && e->hash == tag >> 32;
}

/* Slots of elements that were being dropped go, too. */
void sp_lanes_mend(struct map *m, sp_u32 global)
{
	sp_u32 lanes, i;

	if (m->folding)
		finish_fold(m);
	for (lanes = m->held; lanes; lanes &= lanes - 1)
		for (i = 0; i < m->slots + TRIES; i++) {
			struct slot *slot = slot_at(m, __builtin_ctz(lanes), 0, i);

			if (slot->tag && !is_tag(m, global, slot->tag))
				give_up(m, slot);
		}
}
