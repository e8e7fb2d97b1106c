/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe conditions: `probe P if (expr)'.
 *
 * The session has a word for each condition, whether it holds.  Whoever changes a global that a condition hangs on has locks on
 * all globals of that condition, and looks at it before it gives them back; so the words follow the globals in order, and
 * no other handler sees the one without the other.  A handler tests its condition once more at its top, under its own locks:
 * the words only spare hits, they decide nothing.
 */
#include "core.h"

static sp_u32 *armed_words(struct sp_session *s)
{
	return sp_at(s, s->armed_off);
}

/* Whether the word changed. */
static sp_bool look_at_condition(struct sp_ctx *c, sp_u32 i)
{
	sp_u32 *word = armed_words(c->session) + i, holds;

	c->error = 0;
	holds = sp_script.conditions[i](c) || c->error;
	if (__atomic_load_n(word, __ATOMIC_RELAXED) == holds)
		return 0;
	__atomic_store_n(word, holds, __ATOMIC_RELAXED);
	return 1;
}

/* What the handler left in the context is not for the conditions to change: it may have ended in an error. */
static void look_at_conditions(struct sp_ctx *c, const sp_u16 *which, sp_u32 n)
{
	const char *error = c->error;
	char hint = c->hint[0], *arena = c->arena_at;
	sp_u32 at = c->at, callers = c->ncallers, i;
	sp_u64 from = sp_script.timing_unit ? sp_timing_now() : 0;
	sp_bool changed = 0;

	for (i = 0; i < n; i++)
		changed |= look_at_condition(c, which ? which[i] : i);
	c->error = error;
	c->hint[0] = hint;
	c->arena_at = arena;
	c->at = at;
	c->ncallers = callers;
	if (sp_script.timing_unit && n)
		sp_timing_refreshed(c->session, from);
	if (changed)
		sp_plat_rearm(c->session);
}

void sp_refresh(struct sp_ctx *c)
{
	look_at_conditions(c, c->probe->sets, c->probe->nsets);
}

void sp_refresh_all(struct sp_ctx *c)
{
	static const struct sp_probe none = { .point = "", .name = "" };

	sp_ctx_begin(c, &none);
	look_at_conditions(c, 0, sp_script.nconditions);
}

void sp_arm_all(struct sp_session *s)
{
	sp_u32 i;

	for (i = 0; i < sp_script.nconditions; i++)
		__atomic_store_n(armed_words(s) + i, 1, __ATOMIC_RELAXED);
}
