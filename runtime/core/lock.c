/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader/writer locks on globals, which survive the death of whoever holds them.
 *
 * A plain count of readers could not: nobody would know whether the dead one was in it.  So a writer puts its
 * own number into the lock's word, and each reader sets its own bit in the lock's bitmap.  A reader sets its bit and
 * then looks for a writer; a writer sets the word and then looks for bits: one of the two sees the other (both
 * operations are sequentially consistent).  All that an owner holds can be read off, and recovery clears it.
 *
 * Nobody waits for ever: a lock that is not had within MAXTRYLOCK tries is a skipped hit.  The tries are TRYLOCKDELAY us
 * apart; where the back end can, it sleeps between the later ones, for a holder may be set aside for many milliseconds.
 */
#include "core.h"

#define SPINS 20u			/* tries before we sleep */

static sp_u64 *readers_of(struct sp_session *s, sp_u32 global)
{
	return (sp_u64 *)sp_at(s, s->readers_off) + (sp_size)global * (SP_MAX_READERS / 64);
}

/* Whoever looks at all owners' bits or cells looks at no more than there have been owners. */
void sp_note_owner(struct sp_session *s, sp_u32 owner)
{
	sp_u32 words = owner / 64 + 1, seen = __atomic_load_n(&s->owner_words, __ATOMIC_SEQ_CST);

	while (seen < words &&
	       !__atomic_compare_exchange_n(&s->owner_words, &seen, words, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

static sp_bool has_readers(struct sp_session *s, sp_u32 global)
{
	sp_u64 *readers = readers_of(s, global);
	sp_u32 i, words = __atomic_load_n(&s->owner_words, __ATOMIC_SEQ_CST);

	for (i = 0; i < words; i++)
		if (__atomic_load_n(&readers[i], __ATOMIC_SEQ_CST))
			return 1;
	return 0;
}

static sp_bool try_write(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	struct sp_global_state *state = &s->globals[global];
	sp_u32 none = 0;

	if (!__atomic_compare_exchange_n(&state->writer, &none, owner, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return 0;
	if (!has_readers(s, global))
		return 1;
	__atomic_store_n(&state->writer, 0, __ATOMIC_RELEASE);
	return 0;
}

static void end_read(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	__atomic_fetch_and(&readers_of(s, global)[owner / 64], ~(1ull << (owner & 63)), __ATOMIC_RELEASE);
}

static sp_bool try_read(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	struct sp_global_state *state = &s->globals[global];

	if (__atomic_load_n(&state->writer, __ATOMIC_RELAXED))
		return 0;
	__atomic_fetch_or(&readers_of(s, global)[owner / 64], 1ull << (owner & 63), __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&state->writer, __ATOMIC_SEQ_CST))
		return 1;
	end_read(s, global, owner);
	return 0;
}

static sp_bool is_shared(const struct sp_lock *lock, sp_u32 owner)
{
	return !lock->write && owner < SP_MAX_READERS;
}

static sp_bool try_lock(struct sp_session *s, const struct sp_lock *lock, sp_u32 owner)
{
	if (is_shared(lock, owner))
		return try_read(s, lock->global, owner);
	return try_write(s, lock->global, owner);
}

/* Whether the lock can not be had before this very thread goes on: a handler of its own, amid which this one came, has it. */
static sp_bool waits_for_itself(struct sp_ctx *c, const struct sp_lock *lock)
{
	struct sp_session *s = c->session;
	sp_u32 writer = __atomic_load_n(&s->globals[lock->global].writer, __ATOMIC_RELAXED), i, words;
	const sp_u64 *readers = readers_of(s, lock->global);

	if (writer)
		return sp_plat_is_self(c, writer);
	words = __atomic_load_n(&s->owner_words, __ATOMIC_RELAXED);
	for (i = 0; lock->write && i < words; i++) {
		sp_u64 bits = __atomic_load_n(&readers[i], __ATOMIC_RELAXED);

		for (; bits; bits &= bits - 1)
			if (sp_plat_is_self(c, i * 64 + __builtin_ctzll(bits)))
				return 1;
	}
	return 0;
}

/*
 * One pause, @try of them so far.  The first ones are as short as TRYLOCKDELAY says.  A holder that has not let go by then
 * was set aside by the scheduler, and is not helped by our looking on: the back end may sleep.
 */
static void pause_between(struct sp_global_state *state, sp_u32 try)
{
	sp_u64 until = sp_plat_mono_ns() + (sp_u64)sp_script.limits.trylockdelay_us * 1000;

	if (try >= SPINS && sp_plat_sleep(try - SPINS))
		return;
	do
		sp_plat_relax();
	while (__atomic_load_n(&state->writer, __ATOMIC_RELAXED) && sp_plat_mono_ns() < until);
}

static sp_bool wait_lock(struct sp_ctx *c, const struct sp_lock *lock, sp_u32 owner)
{
	struct sp_session *s = c->session;
	struct sp_global_state *state = &s->globals[lock->global];
	sp_u32 i;

	sp_count(&state->contended);
	for (i = 0; i < sp_script.limits.maxtrylock && !waits_for_itself(c, lock); i++) {
		pause_between(state, i);
		if (try_lock(s, lock, owner))
			return 1;
	}
	sp_count(&state->timeouts);
	return 0;
}

static void unlock_first(struct sp_ctx *c, sp_u32 n, sp_u32 owner)
{
	struct sp_session *s = c->session;

	while (n--) {
		const struct sp_lock *lock = &c->probe->locks[n];

		if (is_shared(lock, owner))
			end_read(s, lock->global, owner);
		else
			__atomic_store_n(&s->globals[lock->global].writer, 0, __ATOMIC_RELEASE);
	}
}

sp_bool sp_lock(struct sp_ctx *c)
{
	const struct sp_probe *probe = c->probe;
	struct sp_session *s = c->session;
	sp_u32 i, owner;

	if (!probe->nlocks)
		return 1;
	owner = sp_plat_owner(c);
	if (owner < SP_MAX_READERS)
		sp_note_owner(s, owner);
	for (i = 0; i < probe->nlocks; i++) {
		const struct sp_lock *lock = &probe->locks[i];

		if (sp_likely(try_lock(s, lock, owner)) || wait_lock(c, lock, owner))
			continue;
		unlock_first(c, i, owner);
		sp_count_skip(s, c, SP_SKIP_LOCK);
		return 0;
	}
	c->locked = 1;
	return 1;
}

void sp_unlock(struct sp_ctx *c)
{
	if (!c->locked)
		return;
	if (c->probe->nsets && c->wrote)
		sp_refresh(c);
	unlock_first(c, c->probe->nlocks, sp_plat_owner(c));
	c->locked = 0;
}

void sp_locks_recover(struct sp_session *s, sp_u32 owner)
{
	sp_u32 i;

	for (i = 0; i < s->nglobals; i++) {
		struct sp_global_state *state = &s->globals[i];

		if (owner < SP_MAX_READERS)
			end_read(s, i, owner);
		if (__atomic_load_n(&state->writer, __ATOMIC_ACQUIRE) != owner)
			continue;
		if (sp_script.globals[i].is_map && state->off)
			sp_map_mend(s, i);
		sp_arm_all(s);		/* it may have changed what they hang on */
		__atomic_store_n(&state->writer, 0, __ATOMIC_RELEASE);
	}
	sp_entry_mend(s, owner);
}
