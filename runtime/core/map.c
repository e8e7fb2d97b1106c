/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays: hash maps of a capacity fixed when the session starts.
 *
 * A map's memory is its head, then bucket heads, then elements (then lanes), all numbered from 1 so that zeroed memory is
 * an empty map and only the pages that elements reach are ever touched.  An element is a struct element, then its keys
 * (a number: 8 bytes; a string: its length and up to MAXSTRINGLEN-1 bytes, in place), then its value.
 * Elements hang in their bucket's chain, and in one list that foreach follows: in order of insertion until it is sorted.
 *
 * Arrays that probes at sites only add to (.counted) are added to by many at once: see make_beside(), and lanes.c for
 * where the sums are.  Nobody deletes from them meanwhile, so a chain only grows at its head.  What was inserted so is in
 * its chain alone; settle() puts it into the list before anybody, now alone, looks at that.
 *
 * Every other change of these links happens between begin_change() and end_change().  A process killed between them
 * leaves .changing set; sp_map_mend() then makes the links anew from the elements that say they are alive.
 * All is done under the global's lock; read this file from locate().
 */
#include "map.h"

struct key_string { sp_u32 n; char p[]; };

#define FULL_TRIES 100			/* microseconds or so, until an array without a free element is full */
#define FULL_SLEEPS 100			/* the same while somebody may give one back */

/* ---- layout ---- */

static sp_u32 string_bytes(void)
{
	return (sizeof(struct key_string) + sp_script.limits.maxstringlen + 7) & ~7u;
}

static sp_u32 slot_bytes(sp_u8 type)
{
	return type == SP_STRING ? string_bytes() : 8;
}

static sp_u32 keys_bytes(const struct sp_global *g)
{
	sp_u32 n = 0, i;

	for (i = 0; i < g->nkeys; i++)
		n += slot_bytes(g->keys[i]);
	return n;
}

static sp_u32 value_bytes(sp_u32 global)
{
	sp_u8 type = sp_script.globals[global].type;

	return type == SP_STATS ? (sp_u32)sp_stat_size(global) : slot_bytes(type);
}

static sp_u32 capacity_of(sp_u32 global)
{
	sp_u32 n = sp_script.globals[global].capacity;

	if (!n)
		n = sp_script.limits.maxmapentries;
	return SP_MIN(SP_MAX(n, 1), 0x7fffffffu);
}

static sp_u32 buckets_of(sp_u32 capacity)
{
	int bias = sp_script.limits.maphashbias;
	sp_u32 n = 8;

	while (n < capacity)
		n *= 2;
	if (bias < 0)
		return SP_MAX(n >> -bias, 1);
	return (sp_u64)n << bias <= 1u << 30 ? n << bias : SP_MAX(n, 1u << 30);
}

static sp_u64 elements_at(sp_u32 capacity)
{
	return (sizeof(struct map) + (sp_u64)buckets_of(capacity) * sizeof(sp_u32) + 63) & ~63ull;
}

static sp_u32 element_bytes(sp_u32 global)
{
	return sizeof(struct element) + keys_bytes(&sp_script.globals[global]) + value_bytes(global);
}

sp_u64 sp_map_size(sp_u32 global)
{
	sp_u32 capacity = capacity_of(global), element_size = element_bytes(global);
	sp_u64 end = elements_at(capacity) + (sp_u64)capacity * element_size;

	return sp_lanes_end(global, capacity, end, element_size, value_bytes(global));
}

void sp_map_init(void *memory, sp_u32 global)
{
	struct map *m = memory;

	m->capacity = capacity_of(global);
	m->nbuckets = buckets_of(m->capacity);
	m->element_size = element_bytes(global);
	m->value_at = sizeof(struct element) + keys_bytes(&sp_script.globals[global]);
	m->elements_at = elements_at(m->capacity);
	sp_lanes_init(m, global);
}

static struct map *map_of(struct sp_ctx *c, sp_u32 global)
{
	return sp_at(c->session, c->session->globals[global].off);
}

static void *key_of(const struct sp_global *g, const struct element *e, sp_u32 key)
{
	char *p = (char *)(e + 1);
	sp_u32 i;

	for (i = 0; i < key; i++)
		p += slot_bytes(g->keys[i]);
	return p;
}

/* ---- keys ---- */

static sp_u64 mix(sp_u64 h, sp_u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

struct map_word { sp_u64 v; } __attribute__((packed, may_alias));

static sp_u64 mix_string(sp_u64 h, const char *p, sp_u32 n)
{
	sp_u64 rest = n;

	for (; n >= 8; n -= 8, p += 8)
		h = mix(h, ((const struct map_word *)p)->v);
	while (n--)
		rest = rest << 8 | (unsigned char)*p++;
	return mix(h, rest);
}

/* The bytes of a string key that count. */
static sp_u32 key_length(struct sp_str s)
{
	return SP_MIN(s.n, sp_str_max());
}

static sp_u32 hash_keys(const struct map *m, const struct sp_global *g, const union sp_val *keys)
{
	sp_u64 h = 0x51ed270b7a3cull;
	sp_u32 i;

	if (sp_likely(m->one_number))
		return mix(h, keys->n);
	for (i = 0; i < g->nkeys; i++)
		h = g->keys[i] == SP_STRING ? mix_string(h, keys[i].s.p, key_length(keys[i].s)) : mix(h, keys[i].n);
	return h;
}

sp_bool sp_map_has_keys(const struct sp_global *g, const struct element *e, const union sp_val *keys, sp_u32 any)
{
	const char *p = (const char *)(e + 1);
	sp_u32 i;

	for (i = 0; i < g->nkeys; p += slot_bytes(g->keys[i]), i++) {
		const struct key_string *s = (const struct key_string *)p;

		if (any >> i & 1)
			continue;
		if (g->keys[i] != SP_STRING) {
			if (*(const sp_i64 *)p != keys[i].n)
				return 0;
		} else if (s->n != key_length(keys[i].s) || sp_compare(s->p, keys[i].s.p, s->n)) {
			return 0;
		}
	}
	return 1;
}

static void store_keys(const struct sp_global *g, struct element *e, const union sp_val *keys)
{
	char *p = (char *)(e + 1);
	sp_u32 i;

	for (i = 0; i < g->nkeys; p += slot_bytes(g->keys[i]), i++) {
		struct key_string *s = (struct key_string *)p;

		if (g->keys[i] != SP_STRING) {
			*(sp_i64 *)p = keys[i].n;
			continue;
		}
		s->n = key_length(keys[i].s);
		sp_copy(s->p, keys[i].s.p, s->n);
	}
}

/* The element with @keys in a chain from @at up to @end, or 0. */
static sp_u32 locate_between(struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash, sp_u32 at,
			     sp_u32 end)
{
	while (at != end) {
		struct element *e = element(m, at);

		if (m->one_number ? first_number(e) == keys->n : e->hash == hash && sp_map_has_keys(g, e, keys, 0))
			return at;
		at = e->chain;
	}
	return 0;
}

/* The element with @keys, or 0. */
static sp_u32 locate(struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	sp_u32 head = __atomic_load_n(&m->buckets[hash & (m->nbuckets - 1)], __ATOMIC_ACQUIRE);

	return locate_between(m, g, keys, hash, head, 0);
}

sp_u32 sp_map_locate(struct map *m, sp_u32 global, const union sp_val *keys)
{
	const struct sp_global *g = &sp_script.globals[global];

	return locate(m, g, keys, hash_keys(m, g, keys));
}

static sp_u32 find(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	return sp_map_locate(map_of(c, global), global, keys);
}

/* The value of element @at, all of it: what is still in the lanes comes in first. */
static void *whole_value(struct map *m, sp_u32 global, sp_u32 at)
{
	if (sp_unlikely(m->dirty))
		sp_lanes_fold(m, global, at);
	return value_of(m, element(m, at));
}

/* ---- changes ---- */

static void begin_change(struct map *m)
{
	__atomic_store_n(&m->changing, 1, __ATOMIC_RELAXED);
	sp_barrier();
}

static void end_change(struct map *m)
{
	__atomic_store_n(&m->changing, 0, __ATOMIC_RELEASE);
}

static void chain_in(struct map *m, sp_u32 at)
{
	struct element *e = element(m, at);
	sp_u32 *bucket = &m->buckets[e->hash & (m->nbuckets - 1)];

	e->chain = *bucket;
	*bucket = at;
}

static void list_append(struct map *m, sp_u32 at)
{
	struct element *e = element(m, at);

	e->prev = m->last;
	e->next = 0;
	if (m->last)
		element(m, m->last)->next = at;
	else
		m->first = at;
	m->last = at;
}

static void unlink(struct map *m, sp_u32 at)
{
	struct element *e = element(m, at);
	sp_u32 *link = &m->buckets[e->hash & (m->nbuckets - 1)];

	while (*link != at)
		link = &element(m, *link)->chain;
	*link = e->chain;
	*(e->prev ? &element(m, e->prev)->next : &m->first) = e->next;
	*(e->next ? &element(m, e->next)->prev : &m->last) = e->prev;
}

/* Its way to the free chain is one step, which the high half keeps from being mistaken for an earlier state. */
static void give_back(struct map *m, sp_u32 at)
{
	sp_u64 was = __atomic_load_n(&m->free, __ATOMIC_RELAXED);

	do
		element(m, at)->chain = (sp_u32)was;
	while (!__atomic_compare_exchange_n(&m->free, &was, (was >> 32) << 32 | at, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void drop(struct map *m, sp_u32 at)
{
	struct element *e = element(m, at);

	begin_change(m);
	__atomic_store_n(&e->born, 0, __ATOMIC_RELAXED);
	sp_barrier();
	sp_lanes_drop(m, at);
	unlink(m, at);
	give_back(m, at);
	m->count--;
	end_change(m);
}

/* How two elements are ordered: by the key or value that .kind says. */
struct order {
	const struct sp_global *g;
	int sort;			/* SP_SORT_VALUE, a key from 1, or BY_BIRTH; negative: descending */
	enum sp_extract by;
};
#define BY_BIRTH 101

static int compare_long(sp_i64 a, sp_i64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_slots(sp_u8 type, const void *a, const void *b)
{
	const struct key_string *x = a, *y = b;

	if (type != SP_STRING)
		return compare_long(*(const sp_i64 *)a, *(const sp_i64 *)b);
	return sp_strcmp(sp_str_make(x->p, x->n), sp_str_make(y->p, y->n));
}

static int compare_up(struct map *m, const struct order *o, struct element *a, struct element *b)
{
	int sort = o->sort < 0 ? -o->sort : o->sort;

	if (sort == BY_BIRTH)
		return compare_long(a->born, b->born);
	if (sort != SP_SORT_VALUE)
		return compare_slots(o->g->keys[sort - 1], key_of(o->g, a, sort - 1), key_of(o->g, b, sort - 1));
	if (o->g->type == SP_STATS)
		return compare_long(sp_stat_rank(value_of(m, a), o->by), sp_stat_rank(value_of(m, b), o->by));
	return compare_slots(o->g->type, value_of(m, a), value_of(m, b));
}

/* Whether @a may stay in front of @b. */
static sp_bool in_order(struct map *m, const struct order *o, sp_u32 a, sp_u32 b)
{
	int order = compare_up(m, o, element(m, a), element(m, b));

	return o->sort < 0 ? order >= 0 : order <= 0;
}

/*
 * Merges the run at *a, at most @length long, with the run behind it, and appends the result behind *last.
 * Leaves in *a where the next pair begins.
 */
static void merge_pair(struct map *m, const struct order *o, sp_u32 *a, sp_u32 *last, sp_u32 length)
{
	sp_u32 left = *a, right = left, nleft = 0, nright = length;

	while (nleft < length && right) {
		right = element(m, right)->next;
		nleft++;
	}
	while (nleft || (nright && right)) {
		sp_u32 taken;

		if (nleft && (!nright || !right || in_order(m, o, left, right))) {
			taken = left;
			left = element(m, left)->next;
			nleft--;
		} else {
			taken = right;
			right = element(m, right)->next;
			nright--;
		}
		*(*last ? &element(m, *last)->next : &m->first) = taken;
		element(m, taken)->prev = *last;
		*last = taken;
	}
	*a = right;
}

/* Merge sort of the list from the bottom up: stable, in place, no recursion. */
static void sort_list(struct map *m, const struct order *o)
{
	sp_u32 length = 1, pairs;

	do {
		sp_u32 a = m->first, last = 0;

		for (pairs = 0; a; pairs++)
			merge_pair(m, o, &a, &last, length);
		if (last)
			element(m, last)->next = 0;
		m->last = last;
		length *= 2;
	} while (pairs > 1);
}

static void sort_map(struct map *m, const struct order *o)
{
	begin_change(m);
	sort_list(m, o);
	m->sorted = o->sort != BY_BIRTH;
	end_change(m);
}

/* A wrapping array gives up its oldest element; the list is first put back into order of insertion. */
static void drop_oldest(struct map *m)
{
	struct order o;

	if (m->sorted) {
		o.g = 0;
		o.sort = BY_BIRTH;
		o.by = SP_COUNT;
		sort_map(m, &o);
	}
	drop(m, m->first);
}

static void overflow(struct sp_ctx *c, struct map *m, const struct sp_global *g)
{
	struct sp_text t;

	if (c->error)
		return;
	sp_text_for_error(&t, c);
	if (g->type == SP_STATS) {
		sp_text_puts(&t, "aggregation overflow in ");
		sp_text_puts(&t, g->name);
	} else if (!g->capacity) {
		sp_error_limit(c, "Array overflow, check MAXMAPENTRIES", "MAXMAPENTRIES", m->capacity);
		return;
	} else {
		sp_text_puts(&t, "Array overflow, check size limit (");
		sp_text_u64(&t, m->capacity, 10);
		sp_text_puts(&t, ")");
	}
	sp_text_error(&t);
}

/* An element that nothing leads to, or 0: one given back before one never used. */
static sp_u32 take_element(struct map *m)
{
	sp_u64 was = __atomic_load_n(&m->free, __ATOMIC_ACQUIRE);
	sp_u32 used;

	while ((sp_u32)was) {
		sp_u64 rest = ((was >> 32) + 1) << 32 | element(m, (sp_u32)was)->chain;

		if (__atomic_compare_exchange_n(&m->free, &was, rest, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			return (sp_u32)was;
	}
	used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);
	while (used < m->capacity)
		if (__atomic_compare_exchange_n(&m->used, &used, used + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return used + 1;
	return 0;
}

static void fill(struct map *m, sp_u32 at, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	struct element *e = element(m, at);

	e->hash = hash;
	store_keys(g, e, keys);
	if (g->type == SP_STRING)
		((struct key_string *)value_of(m, e))->n = 0;
	else
		sp_zero(value_of(m, e), m->element_size - m->value_at);
}

static sp_u32 insert(struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	struct element *e;
	sp_u32 at;

	begin_change(m);
	at = take_element(m);
	fill(m, at, g, keys, hash);
	e = element(m, at);
	chain_in(m, at);
	list_append(m, at);
	m->count++;
	__atomic_store_n(&e->born, ++m->born, __ATOMIC_RELEASE);
	end_change(m);
	return at;
}

/* All links anew, from the elements that say they are alive. */
static void relink(struct map *m)
{
	struct order o = { 0, BY_BIRTH, SP_COUNT };
	sp_u32 at;

	sp_zero(m->buckets, (sp_size)m->nbuckets * sizeof(sp_u32));
	m->free = m->first = m->last = m->count = 0;
	m->making = 0;		/* those who died amid that */
	m->sorted = 0;
	for (at = 1; at <= m->used; at++) {
		struct element *e = element(m, at);

		if (!e->born) {
			give_back(m, at);
			continue;
		}
		m->sorted |= m->last && element(m, m->last)->born > e->born;
		chain_in(m, at);
		list_append(m, at);
		m->count++;
	}
	if (m->sorted)
		sort_list(m, &o);
	m->sorted = 0;
}

/* Whether the element is in its chain: taken and never put there, it is whoever's that died meanwhile. */
static sp_bool is_chained(struct map *m, sp_u32 at)
{
	sp_u32 i = m->buckets[element(m, at)->hash & (m->nbuckets - 1)];

	while (i && i != at)
		i = element(m, i)->chain;
	return i != 0;
}

/*
 * Elements that are in their chain alone come into the list, in the order in which they were taken.  Until all of them say
 * that they are alive the chains stay as they are, so that this can be done again where it was cut short.
 */
static void settle(struct map *m)
{
	sp_u32 at;

	for (at = 1; at <= m->used; at++)
		if (!element(m, at)->born && is_chained(m, at))
			element(m, at)->born = ++m->born;
	begin_change(m);
	m->loose = 0;
	relink(m);
	end_change(m);
}

/* The array of somebody who is alone with it. */
static struct map *own_map(struct sp_ctx *c, sp_u32 global)
{
	struct map *m = map_of(c, global);

	if (sp_unlikely(m->loose))
		settle(m);
	return m;
}

/* The value of @keys' element, made where it is not there; NULL and an error where there is no room. */
static void *make(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	const struct sp_global *g = &sp_script.globals[global];
	struct map *m = own_map(c, global);
	sp_u32 hash = hash_keys(m, g, keys), at = locate(m, g, keys, hash);

	if (sp_unlikely(!at)) {
		if (m->count >= m->capacity && !g->wraps) {
			overflow(c, m, g);
			return 0;
		}
		c->wrote = 1;
		if (m->count >= m->capacity)
			drop_oldest(m);
		at = insert(m, g, keys, hash);
	}
	c->wrote = 1;
	return whole_value(m, global, at);
}

/* Puts element @at into its chain beside others who do the same; if one of them is first, that one's. */
static sp_u32 chain_in_beside(struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash, sp_u32 at)
{
	sp_u32 *bucket = &m->buckets[hash & (m->nbuckets - 1)], head = __atomic_load_n(bucket, __ATOMIC_ACQUIRE), seen = 0, other;

	do {
		other = locate_between(m, g, keys, hash, head, seen);
		if (other) {
			give_back(m, at);
			return other;
		}
		seen = head;
		element(m, at)->chain = head;
	} while (!__atomic_compare_exchange_n(bucket, &head, at, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
	return at;
}

/* Makes an element beside others.  0: there is none to take. */
static sp_u32 insert_beside(struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash)
{
	sp_u32 at;

	__atomic_fetch_add(&m->making, 1, __ATOMIC_SEQ_CST);
	at = take_element(m);
	if (at) {
		fill(m, at, g, keys, hash);
		__atomic_store_n(&m->loose, 1, __ATOMIC_RELAXED);
		at = chain_in_beside(m, g, keys, hash, at);
	}
	__atomic_fetch_sub(&m->making, 1, __ATOMIC_SEQ_CST);
	return at;
}

/*
 * Waits for an element that may be given back: whoever finds another's for its key has taken one for nothing until then,
 * and may be set aside by the scheduler amid that.  False: the array is full.
 */
static sp_bool wait_for_element(struct map *m, sp_u32 try)
{
	if (try < FULL_TRIES) {
		sp_plat_relax();
		return 1;
	}
	return __atomic_load_n(&m->making, __ATOMIC_SEQ_CST) && try - FULL_TRIES < FULL_SLEEPS &&
	       sp_plat_sleep(sp_sleep_us(try - FULL_TRIES));
}

/* make() for counted arrays, with the lock shared or none: where to add for @keys. */
static void *make_beside(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	const struct sp_global *g = &sp_script.globals[global];
	struct map *m = map_of(c, global);
	sp_u32 hash = hash_keys(m, g, keys), at, tries = 0;
	void *value = m->lanes ? sp_lane_find(c, m, g, keys, hash) : 0;

	c->wrote = 1;
	if (sp_likely(value != 0))
		return value;
	at = locate(m, g, keys, hash);
	if (!at)
		at = insert_beside(m, g, keys, hash);
	while (sp_unlikely(!at) && wait_for_element(m, tries++)) {
		at = locate(m, g, keys, hash);
		if (!at)
			at = insert_beside(m, g, keys, hash);
	}
	if (sp_unlikely(!at)) {
		overflow(c, m, g);
		return 0;
	}
	return m->lanes ? sp_lane_claim(c, m, at) : value_of(m, element(m, at));
}

void sp_map_mend(struct sp_session *s, sp_u32 global)
{
	struct map *m = sp_at(s, s->globals[global].off);

	if (!m->changing && !m->folding)
		return;
	begin_change(m);
	relink(m);
	sp_lanes_mend(m, global);
	end_change(m);
}

/* ---- what scripts do ---- */

sp_i64 sp_map_get_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	struct map *m = map_of(c, global);
	sp_u32 at = find(c, global, keys);

	return at ? *(sp_i64 *)whole_value(m, global, at) : 0;
}

struct sp_str sp_map_get_str(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	struct map *m = map_of(c, global);
	sp_u32 at = find(c, global, keys);

	return at ? sp_string_load(c, value_of(m, element(m, at))) : SP_EMPTY;
}

void sp_map_set_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 v)
{
	sp_i64 *value = make(c, global, keys);

	if (value)
		*value = v;
}

void sp_map_set_str(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, struct sp_str v)
{
	void *value = make(c, global, keys);

	if (value)
		sp_string_store(c, value, v);
}

sp_i64 sp_map_add_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 d)
{
	sp_i64 *value = make(c, global, keys);

	return value ? (*value = sp_add(*value, d)) : 0;
}

void sp_map_count(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 d)
{
	sp_i64 *value = make_beside(c, global, keys);

	if (value)
		__atomic_fetch_add(value, d, __ATOMIC_RELAXED);
}

sp_bool sp_map_has(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	return find(c, global, keys) != 0;
}

void sp_map_delete(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	sp_u32 at = find(c, global, keys);

	if (!at)
		return;
	c->wrote = 1;
	drop(own_map(c, global), at);
}

void sp_map_clear(struct sp_ctx *c, sp_u32 global)
{
	struct map *m = own_map(c, global);

	c->wrote = 1;
	while (m->last)
		drop(m, m->last);
	m->sorted = 0;
	m->thinned = 0;			/* all slots are free */
}

sp_bool sp_map_has_slice(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_u32 any)
{
	const struct sp_global *g = &sp_script.globals[global];
	struct map *m = own_map(c, global);
	sp_u32 at;

	for (at = m->first; at; at = element(m, at)->next)
		if (sp_map_has_keys(g, element(m, at), keys, any))
			return 1;
	return 0;
}

void sp_map_delete_slice(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_u32 any)
{
	const struct sp_global *g = &sp_script.globals[global];
	struct map *m = own_map(c, global);
	sp_u32 at, next;

	for (at = m->first; at; at = next) {
		next = element(m, at)->next;
		if (!sp_map_has_keys(g, element(m, at), keys, any))
			continue;
		c->wrote = 1;
		drop(m, at);
	}
}

/* ---- arrays of aggregates ---- */

static struct sp_stat *stat_at(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	struct map *m = map_of(c, global);
	sp_u32 at = find(c, global, keys);

	return at ? whole_value(m, global, at) : 0;
}

void sp_map_stat_add(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 v)
{
	struct sp_stat *st = sp_script.globals[global].counted ? make_beside(c, global, keys) : make(c, global, keys);

	if (st)
		sp_stat_feed(st, global, v);
}

sp_i64 sp_map_stat_get(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, enum sp_extract what)
{
	return sp_stat_extract(c, stat_at(c, global, keys), global, what);
}

sp_i64 sp_map_hist_bucket(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 bucket)
{
	return sp_stat_bucket(c, stat_at(c, global, keys), global, bucket);
}

void sp_map_hist_print(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	struct sp_text t = { 0 };

	t.c = c;
	t.size = ~0u;
	sp_hist_text(&t, c, stat_at(c, global, keys), global);
}

struct sp_str sp_map_hist_sprint(struct sp_ctx *c, sp_u32 global, const union sp_val *keys)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	sp_hist_text(&t, c, stat_at(c, global, keys), global);
	return sp_text_end(&t);
}

/* ---- foreach ---- */

void sp_iter_start(struct sp_ctx *c, struct sp_iter *it, sp_u32 global, int sort, enum sp_extract by, sp_i64 limit)
{
	struct map *m = own_map(c, global);
	struct order o;

	it->global = global;
	it->at = 0;
	it->left = limit;
	if (m->dirty)
		sp_lanes_fold_all(m, global);
	if (sort == SP_SORT_NONE)
		return;
	o.g = &sp_script.globals[global];
	o.sort = sort;
	o.by = by;
	sort_map(m, &o);
}

/* Elements count against the limit before the slice is looked at. */
sp_bool sp_iter_next(struct sp_ctx *c, struct sp_iter *it)
{
	const struct sp_global *g = &sp_script.globals[it->global];
	struct map *m = map_of(c, it->global);

	do {
		it->at = it->at ? element(m, it->at)->next : m->first;
		if (!it->at || it->left == 0)
			return 0;
		if (it->left > 0)
			it->left--;
	} while (it->any != ~0u && !sp_map_has_keys(g, element(m, it->at), it->slice, it->any));
	return 1;
}

sp_i64 sp_iter_key_long(struct sp_ctx *c, const struct sp_iter *it, sp_u32 key)
{
	struct map *m = map_of(c, it->global);

	return *(sp_i64 *)key_of(&sp_script.globals[it->global], element(m, it->at), key);
}

struct sp_str sp_iter_key_str(struct sp_ctx *c, const struct sp_iter *it, sp_u32 key)
{
	struct map *m = map_of(c, it->global);
	struct key_string *s = key_of(&sp_script.globals[it->global], element(m, it->at), key);

	return sp_str_keep(c, s->p, s->n);
}

sp_i64 sp_iter_value_long(struct sp_ctx *c, const struct sp_iter *it)
{
	struct map *m = map_of(c, it->global);

	return *(sp_i64 *)whole_value(m, it->global, it->at);
}

struct sp_str sp_iter_value_str(struct sp_ctx *c, const struct sp_iter *it)
{
	struct map *m = map_of(c, it->global);

	return sp_string_load(c, value_of(m, element(m, it->at)));
}
