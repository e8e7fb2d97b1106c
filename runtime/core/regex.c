/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions: walking the automata that the translator made, and what a match leaves to be asked for.
 *
 * Each byte of the subject is looked at once: without groups from the start to the first end of a match, with groups from
 * the end to the start, and then once more from where the leftmost match begins.  Start reading at sp_match().
 */
#include "core.h"

sp_bool sp_match(const struct sp_regex *re, struct sp_str s)
{
	sp_u32 state = re->start, i;

	for (i = 0; i < s.n && state > SP_RE_MATCHED; i++)
		state = re->next[state * re->nclasses + re->classes[(sp_u8)s.p[i]]];
	return (re->flags[state] & SP_RE_MATCH_AT_END) != 0;
}

#define NO_PLACE (~0u)

/* Where the leftmost match begins, or NO_PLACE. */
static sp_u32 regex_leftmost(const struct sp_regex *re, struct sp_str s)
{
	sp_u32 state = re->start, i, found = NO_PLACE;

	for (i = s.n; i && state; i--) {
		if (re->flags[state] & SP_RE_MATCH)
			found = i;
		state = re->next[state * re->nclasses + re->classes[(sp_u8)s.p[i - 1]]];
	}
	return !i && re->flags[state] & SP_RE_MATCH_AT_END ? 0 : found;
}

static void regex_moves(sp_u32 *regs, const sp_u8 *move, sp_u32 here)
{
	for (; *move != SP_RE_END; move += 2)
		regs[move[0]] = move[1] == SP_RE_HERE ? here : regs[move[1]];
}

/* A match ends at @here: its groups, from the registers that have them now. */
static void regex_note(struct sp_ctx *c, const struct sp_groups *g, sp_u32 final, const sp_u32 *regs, sp_u32 here)
{
	const sp_u8 *from = g->moves + final;
	sp_u32 i;

	c->groups[1] = here;
	for (i = 0; i < 2 * (g->ngroups - 1); i++)
		c->groups[2 + i] = from[i] == SP_RE_NONE ? NO_PLACE : regs[from[i]];
}

/* Notes are taken where the automaton leaves a state that may be the last, as they are written anew by each. */
static void regex_groups(struct sp_ctx *c, const struct sp_regex *re, struct sp_str s, sp_u32 from)
{
	const struct sp_groups *g = re->groups;
	sp_u32 regs[SP_RE_REGS], state = g->start[from != 0], i;

	regex_moves(regs, g->moves + g->start_moves[from != 0], from);
	for (i = from; i < s.n; i++) {
		sp_u32 cell = state * re->nclasses + re->classes[(sp_u8)s.p[i]];

		if (g->final[state] && !g->final[g->next[cell]])
			regex_note(c, g, g->final[state], regs, i);
		state = g->next[cell];
		if (!state)
			return;
		regex_moves(regs, g->moves + g->move[cell], i + 1);
	}
	if (g->final_end[state])
		regex_note(c, g, g->final_end[state], regs, i);
}

sp_bool sp_match_groups(struct sp_ctx *c, const struct sp_regex *re, struct sp_str s)
{
	sp_u32 from = regex_leftmost(re, s);

	c->ngroups = 0;
	if (from == NO_PLACE)
		return 0;
	c->subject = s;
	c->groups[0] = from;
	c->ngroups = re->groups->ngroups;
	regex_groups(c, re, s, from);
	return 1;
}

/* ---- the library's functions ---- */

static void regex_error(struct sp_ctx *c, const char *before, sp_i64 n, const char *after)
{
	char digits[24], *end = digits + sizeof(digits), *start = sp_digits(end, n < 0 ? -(sp_u64)n : (sp_u64)n, 10, 0);
	struct sp_text t;

	if (c->error)
		return;
	sp_text_for_error(&t, c);
	sp_text_puts(&t, before);
	if (n < 0)
		sp_text_puts(&t, "-");
	sp_text_put(&t, start, end - start);
	sp_text_puts(&t, after);
	sp_text_error(&t);
}

struct sp_str sp_matched(struct sp_ctx *c, sp_i64 n)
{
	sp_u32 begin, end;

	if (!c->ngroups) {
		regex_error(c, "Attempted to get subexpression ", n, " from failed match");
		return SP_EMPTY;
	}
	if (n < 0 || n >= c->ngroups) {
		regex_error(c, "Attempted to get nonexistent subexpression ", n, "");
		return SP_EMPTY;
	}
	begin = c->groups[2 * n];
	end = c->groups[2 * n + 1];
	if (begin == NO_PLACE || end == NO_PLACE)
		return SP_EMPTY;
	return sp_str_make(c->subject.p + begin, end - begin);
}

sp_i64 sp_ngroups(struct sp_ctx *c)
{
	if (!c->ngroups)
		sp_error(c, "Attempted to get subexpression count from failed match");
	return c->ngroups;
}
