/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters: numbers that probes at sites only add to.  Each owner adds to a cell of its own, which no one else writes, so
 * that a hit needs neither a lock nor an atomic operation and two processors share no cache line; a counter is its variable
 * plus the sum of its cells.  Whoever reads or sets one has its lock alone, or nothing else runs (elaborate/locks.c).
 */
#include "core.h"

static sp_u64 row_bytes(const struct sp_script *script)
{
	return ((sp_u64)script->ncells * sizeof(sp_i64) + 63) & ~63ull;
}

sp_u64 sp_cells_bytes(const struct sp_script *script)
{
	return row_bytes(script) * SP_MAX_COUNTING;
}

sp_i64 *sp_cells_of(struct sp_session *s, sp_u32 owner)
{
	return sp_at(s, s->cells_off + row_bytes(&sp_script) * owner);
}

/* One more than the highest owner so far can be. */
static sp_u32 counting_owners(struct sp_session *s)
{
	return SP_MIN(__atomic_load_n(&s->owner_words, __ATOMIC_SEQ_CST) * 64, SP_MAX_COUNTING);
}

sp_i64 sp_counter(struct sp_ctx *c, sp_u32 cell)
{
	sp_i64 sum = 0;
	sp_u32 i, n = counting_owners(c->session);

	for (i = 0; i < n; i++)
		sum = sp_add(sum, __atomic_load_n(&sp_cells_of(c->session, i)[cell], __ATOMIC_RELAXED));
	return sum;
}

void sp_counter_set(struct sp_ctx *c, sp_u32 cell, sp_i64 *variable, sp_i64 v)
{
	sp_u32 i, n = counting_owners(c->session);

	for (i = 0; i < n; i++)
		sp_cells_of(c->session, i)[cell] = 0;
	*variable = v;
}
