/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader/writer locks on globals, which survive the death of whoever holds them.
 *
 * A plain count of readers could not: nobody would know whether the dead one was in it.  So a writer puts its
 * own number into the lock's word, and each reader sets its own bit in the lock's bitmap.  A reader sets its bit and
 * then looks for a writer; a writer sets the word and then looks for bits: one of the two sees the other (both
 * operations are sequentially consistent).  All that an owner holds can be read off, and recovery clears it.
 *
 * Nobody waits for ever: a lock that is not had in MAXTRYLOCK tries is a skipped hit.  The tries are TRYLOCKDELAY us
 * apart; after some, the back end is asked to sleep longer and longer, for a holder may be set aside for many
 * milliseconds.  Who waits holds nothing, so that all holders are about to let go: all that was had is given back first.
 * But a writer keeps its number in the word of the lock that only readers have, and no further reader comes in: many that
 * read in turn could otherwise keep it out.
 */
#include "core.h"

#define SPINS 20u			/* tries before we sleep */
#define SPIN_MOST_US 1000u		/* the longest pause without sleep */
#define NO_LOCK (~0u)

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

enum had { HAD, HELD_BY_OTHER, HELD_BY_READERS };

/* With readers left, the owner's number stays in the word: nobody else comes in. */
static enum had try_write(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	struct sp_global_state *state = &s->globals[global];
	sp_u32 was = 0;

	if (!__atomic_compare_exchange_n(&state->writer, &was, owner, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && was != owner)
		return HELD_BY_OTHER;
	return has_readers(s, global) ? HELD_BY_READERS : HAD;
}

static void end_write(struct sp_session *s, sp_u32 global)
{
	__atomic_store_n(&s->globals[global].writer, 0, __ATOMIC_RELEASE);
}

static void end_read(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	__atomic_fetch_and(&readers_of(s, global)[owner / 64], ~(1ull << (owner & 63)), __ATOMIC_RELEASE);
}

static enum had try_read(struct sp_session *s, sp_u32 global, sp_u32 owner)
{
	struct sp_global_state *state = &s->globals[global];

	if (__atomic_load_n(&state->writer, __ATOMIC_RELAXED))
		return HELD_BY_OTHER;
	__atomic_fetch_or(&readers_of(s, global)[owner / 64], 1ull << (owner & 63), __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&state->writer, __ATOMIC_SEQ_CST))
		return HAD;
	end_read(s, global, owner);
	return HELD_BY_OTHER;
}

static sp_bool is_shared(const struct sp_lock *lock, sp_u32 owner)
{
	return !lock->write && owner < SP_MAX_READERS;
}

static enum had try_lock(struct sp_session *s, const struct sp_lock *lock, sp_u32 owner)
{
	if (is_shared(lock, owner))
		return try_read(s, lock->global, owner);
	return try_write(s, lock->global, owner);
}

static void give_back_lock(struct sp_session *s, const struct sp_lock *lock, sp_u32 owner)
{
	if (is_shared(lock, owner))
		end_read(s, lock->global, owner);
	else
		end_write(s, lock->global);
}

static void give_back_first(struct sp_ctx *c, sp_u32 n, sp_u32 owner)
{
	while (n--)
		give_back_lock(c->session, &c->probe->locks[n], owner);
}

/* Whether one of the readers is an earlier hit of this thread. */
static sp_bool is_reader_itself(struct sp_ctx *c, sp_u32 global)
{
	const sp_u64 *readers = readers_of(c->session, global);
	sp_u32 i, words = __atomic_load_n(&c->session->owner_words, __ATOMIC_RELAXED);

	for (i = 0; i < words; i++) {
		sp_u64 bits = __atomic_load_n(&readers[i], __ATOMIC_RELAXED);

		for (; bits; bits &= bits - 1)
			if (sp_plat_is_self(c, i * 64 + __builtin_ctzll(bits)))
				return 1;
	}
	return 0;
}

/* Whether the lock can not be had before this very thread goes on: a handler of its own, amid which this one came, has it. */
static sp_bool waits_for_itself(struct sp_ctx *c, const struct sp_lock *lock)
{
	sp_u32 writer = __atomic_load_n(&c->session->globals[lock->global].writer, __ATOMIC_RELAXED);

	if (writer && sp_plat_is_self(c, writer))
		return 1;
	return lock->write && is_reader_itself(c, lock->global);
}

/* The @n-th sleep in a row: from 20 us up to 2 ms.  With the 100 tries of MAXTRYLOCK that is 150 ms. */
sp_u32 sp_sleep_us(sp_u32 n)
{
	return n / 2 < 7 ? 20u << n / 2 : 2000;
}

/*
 * One pause, @try of them so far.  The first ones are as short as TRYLOCKDELAY says.  A holder that has not let go by then
 * was set aside by the scheduler, and is not helped by our looking on.
 */
static void pause_between(const struct sp_global_state *state, sp_u32 try)
{
	sp_u64 until;

	if (try >= SPINS && sp_plat_sleep(sp_sleep_us(try - SPINS)))
		return;
	until = sp_plat_mono_ns() + (sp_u64)SP_MIN(sp_script.limits.trylockdelay_us, SPIN_MOST_US) * 1000;
	do
		sp_plat_relax();
	while (__atomic_load_n(&state->writer, __ATOMIC_RELAXED) && sp_plat_mono_ns() < until);
}

/* Takes the probe's locks in order.  The first that was not had, or their number; *had: why not. */
static sp_u32 take_locks(struct sp_ctx *c, sp_u32 owner, enum had *had)
{
	sp_u32 i;

	for (i = 0; i < c->probe->nlocks; i++) {
		*had = try_lock(c->session, &c->probe->locks[i], owner);
		if (sp_unlikely(*had != HAD))
			break;
	}
	return i;
}

/* Waits for lock @at, which was not had; all before it were. */
static sp_bool wait_locks(struct sp_ctx *c, sp_u32 owner, sp_u32 at, enum had had)
{
	const struct sp_lock *locks = c->probe->locks;
	struct sp_session *s = c->session;
	sp_u32 try = 0, furthest = NO_LOCK, kept = NO_LOCK;

	do {
		give_back_first(c, at, owner);
		if (kept != NO_LOCK && kept > at)
			end_write(s, locks[kept].global);
		kept = had == HELD_BY_READERS ? at : NO_LOCK;
		if (furthest == NO_LOCK || at > furthest) {
			sp_count(&s->globals[locks[at].global].contended);
			furthest = at;
			try = 0;
		}
		if (try >= sp_script.limits.maxtrylock || waits_for_itself(c, &locks[at])) {
			if (kept != NO_LOCK)
				end_write(s, locks[kept].global);
			sp_count(&s->globals[locks[at].global].timeouts);
			return 0;
		}
		pause_between(&s->globals[locks[at].global], try++);
		at = take_locks(c, owner, &had);
	} while (at < c->probe->nlocks);
	return 1;
}

sp_bool sp_lock(struct sp_ctx *c)
{
	struct sp_session *s = c->session;
	enum had had;
	sp_u32 at, owner;

	if (!c->probe->nlocks)
		return 1;
	owner = sp_plat_owner(c);
	if (owner < SP_MAX_READERS)
		sp_note_owner(s, owner);
	at = take_locks(c, owner, &had);
	if (sp_unlikely(at < c->probe->nlocks) && !wait_locks(c, owner, at, had)) {
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
	give_back_first(c, c->probe->nlocks, sp_plat_owner(c));
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
		end_write(s, i);
	}
	sp_entry_mend(s, owner);
}
