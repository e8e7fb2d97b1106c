/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values kept from a function's entry for its exits.
 *
 * A table of sets of WAYS entries, keyed by thread, CFA and slot.  An invocation that never exits (an exception,
 * longjmp) leaves an entry that the next call at that depth overwrites, or that goes when its set is full and it is
 * the oldest.  A string lies in a second table of the same make, whose entries each have room for one.
 *
 * Only a thread itself writes and reads its keys; another may only push them out, so a reader checks the key again after
 * the value.  An entry's .writer is claimed before anything in it changes.
 */
#include "core.h"

#define WAYS 8u
#define PER_SLOT 1024u			/* entries for each kind of value: depth times threads */
#define MOST 65536u
#define PER_STRING_SLOT 256u
#define MOST_STRINGS 4096u

struct entry {
	sp_u32 writer;			/* owner that is changing it; 0: stable */
	sp_u32 slot;			/* of the key, plus 1; 0: empty */
	sp_u64 thread;
	sp_uaddr cfa;
	sp_i64 value;
	sp_u64 stamp;			/* when it was put, in cycles: only compared */
};

static sp_u32 table_size(sp_u32 slots, sp_u32 per_slot, sp_u32 most)
{
	sp_u32 n = WAYS;

	if (!slots)
		return 0;
	while (n < most && n / per_slot < slots)
		n *= 2;
	return n;
}

sp_u32 sp_entry_count(const struct sp_script *script)
{
	return table_size(script->entry_slots, PER_SLOT, MOST);
}

sp_u64 sp_entry_bytes(sp_u32 entries)
{
	return (sp_u64)entries * sizeof(struct entry);
}

sp_u32 sp_entry_string_count(const struct sp_script *script)
{
	return table_size(script->entry_strings, PER_STRING_SLOT, MOST_STRINGS);
}

static sp_u64 string_room(const struct sp_script *script)
{
	return (script->limits.maxstringlen + 7) & ~(sp_u64)7;
}

sp_u64 sp_entry_string_bytes(const struct sp_script *script)
{
	return sp_entry_string_count(script) * (sizeof(struct entry) + string_room(script));
}

/* One of the two tables. */
struct table {
	struct entry *entries;
	sp_u32 n;
};

static struct table numbers_of(struct sp_session *s)
{
	struct table t = { sp_at(s, s->entries_off), s->entries };

	return t;
}

static struct table strings_of(struct sp_session *s)
{
	struct table t = { sp_at(s, s->entry_strings_off), s->entry_strings };

	return t;
}

/* Where the string of an entry lies: behind the table. */
static char *string_of(const struct table *t, const struct entry *e)
{
	return (char *)(t->entries + t->n) + (sp_u64)(e - t->entries) * string_room(&sp_script);
}

static struct entry *set_of(const struct table *t, sp_u32 slot, sp_u64 thread, sp_uaddr cfa)
{
	sp_u64 h = (thread ^ (cfa >> 3) * 0x9e3779b97f4a7c15ull ^ (sp_u64)slot << 48) * 0xd6e8feb86659fd93ull;

	return t->entries + ((h >> 32) & (t->n / WAYS - 1)) * WAYS;
}

static sp_bool has_key(const struct entry *e, sp_u32 slot, sp_u64 thread, sp_uaddr cfa)
{
	return __atomic_load_n(&e->slot, __ATOMIC_ACQUIRE) == slot + 1 &&
	       __atomic_load_n(&e->thread, __ATOMIC_RELAXED) == thread &&
	       __atomic_load_n(&e->cfa, __ATOMIC_RELAXED) == cfa;
}

/* The entry that holds the key, else an empty one, else the oldest. */
static struct entry *choose(struct entry *set, sp_u32 slot, sp_u64 thread, sp_uaddr cfa)
{
	struct entry *best = 0;
	sp_u64 age, best_age = 0;
	unsigned i;

	for (i = 0; i < WAYS; i++) {
		struct entry *e = &set[i];

		if (has_key(e, slot, thread, cfa))
			return e;
		if (__atomic_load_n(&e->writer, __ATOMIC_RELAXED))
			continue;
		age = __atomic_load_n(&e->slot, __ATOMIC_RELAXED) ? __atomic_load_n(&e->stamp, __ATOMIC_RELAXED) : 0;
		if (!best || age < best_age) {
			best = e;
			best_age = age;
		}
	}
	return best;
}

static sp_bool claim(struct entry *e, sp_u32 owner)
{
	sp_u32 none = 0;

	return __atomic_compare_exchange_n(&e->writer, &none, owner, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Keeps @v, and where @bytes is given the string of that length in the entry's room. */
static void put(struct sp_ctx *c, const struct table *t, sp_u32 slot, sp_uaddr cfa, sp_i64 v, const char *bytes)
{
	sp_u64 thread = sp_plat_id(c, SP_ID_THREAD_KEY);
	sp_u32 owner = sp_plat_owner(c);
	unsigned tries;

	if (!t->n)
		return;
	for (tries = 0; tries < WAYS; tries++) {
		struct entry *e = choose(set_of(t, slot, thread, cfa), slot, thread, cfa);

		if (!e || !claim(e, owner))
			continue;
		__atomic_store_n(&e->slot, 0, __ATOMIC_RELEASE);
		sp_barrier();
		__atomic_store_n(&e->thread, thread, __ATOMIC_RELAXED);
		__atomic_store_n(&e->cfa, cfa, __ATOMIC_RELAXED);
		__atomic_store_n(&e->value, v, __ATOMIC_RELAXED);
		if (bytes)
			sp_copy(string_of(t, e), bytes, v);
		__atomic_store_n(&e->stamp, sp_plat_cycles(), __ATOMIC_RELAXED);
		__atomic_store_n(&e->slot, slot + 1, __ATOMIC_RELEASE);
		__atomic_store_n(&e->writer, 0, __ATOMIC_RELEASE);
		return;
	}
	/* Every way is being written at once: the exit will find nothing, and counts it. */
}

void sp_entry_put(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, sp_i64 v)
{
	const struct table t = numbers_of(c->session);

	put(c, &t, slot, cfa, v, 0);
}

void sp_entry_put_str(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, struct sp_str s)
{
	const struct table t = strings_of(c->session);

	put(c, &t, slot, cfa, SP_MIN(s.n, sp_str_max()), s.p);
}

/* The entry with the key, and its value; NULL where there is none. */
static struct entry *find_entry(struct sp_ctx *c, const struct table *t, sp_u32 slot, sp_uaddr cfa, sp_i64 *v)
{
	sp_u64 thread = sp_plat_id(c, SP_ID_THREAD_KEY);
	struct entry *set;
	unsigned i;

	if (!t->n)
		return 0;
	set = set_of(t, slot, thread, cfa);
	for (i = 0; i < WAYS; i++) {
		if (!has_key(&set[i], slot, thread, cfa))
			continue;
		*v = __atomic_load_n(&set[i].value, __ATOMIC_ACQUIRE);
		if (has_key(&set[i], slot, thread, cfa))
			return &set[i];
	}
	return 0;
}

/* A copy, taken back where the entry was pushed out meanwhile. */
struct sp_str sp_entry_get_str(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa)
{
	const struct table t = strings_of(c->session);
	sp_u64 thread = sp_plat_id(c, SP_ID_THREAD_KEY);
	struct entry *e;
	struct sp_str s;
	sp_i64 n;

	e = find_entry(c, &t, slot, cfa, &n);
	if (e) {
		s = sp_str_keep(c, string_of(&t, e), SP_MIN((sp_u32)n, sp_str_max()));
		sp_barrier();
		if (has_key(e, slot, thread, cfa))
			return s;
	}
	sp_count(&c->session->losses[SP_LOST_ENTRY]);
	return SP_EMPTY;
}

sp_i64 sp_entry_get(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa)
{
	const struct table t = numbers_of(c->session);
	sp_i64 v;

	if (find_entry(c, &t, slot, cfa, &v))
		return v;
	sp_count(&c->session->losses[SP_LOST_ENTRY]);
	return 0;
}

sp_bool sp_entry_take(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, sp_i64 v)
{
	const struct table t = numbers_of(c->session);
	sp_i64 kept;
	struct entry *e = find_entry(c, &t, slot, cfa, &kept);

	if (!e || kept != v)
		return 0;
	/* whoever has it claimed is pushing it out: then it goes all the same */
	if (claim(e, sp_plat_owner(c))) {
		__atomic_store_n(&e->slot, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&e->writer, 0, __ATOMIC_RELEASE);
	}
	return 1;
}

static void mend(const struct table *t, sp_u32 owner)
{
	sp_u32 i;

	for (i = 0; i < t->n; i++) {
		if (__atomic_load_n(&t->entries[i].writer, __ATOMIC_RELAXED) != owner)
			continue;
		__atomic_store_n(&t->entries[i].slot, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&t->entries[i].writer, 0, __ATOMIC_RELEASE);
	}
}

void sp_entry_mend(struct sp_session *s, sp_u32 owner)
{
	const struct table numbers = numbers_of(s), strings = strings_of(s);

	mend(&numbers, owner);
	mend(&strings, owner);
}
