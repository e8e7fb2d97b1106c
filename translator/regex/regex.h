/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions to automata (spec/language.md 5.5).
 *
 *	text - parse.c: a tree - nfa.c: an NFA - dfa.c, tagged.c: tables
 *
 * Nothing here knows scripts, probes or C: emit/regex.c prints the tables, runtime/core/regex.c walks them.  So matching is
 * one table look-up for each byte of the subject, whatever the expression, and all that could grow beyond measure grows
 * here, against a budget, where it is an error message.  Start reading at regex_compile().
 */
#ifndef SPILE_REGEX_H
#define SPILE_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spile.h"		/* limits and marks of the tables: one list for both sides */

struct arena;

/* What is wrong with an expression.  @position: bytes from its start; @text lives in the arena. */
struct regex_fault {
	size_t position;
	const char *text;
};

/* An automaton over classes of bytes.  State 0 is dead; there is no way out of it. */
struct regex_dfa {
	unsigned nstates, start;
	uint16_t *next;			/* nstates rows of nclasses */
	unsigned char *flags;		/* SP_RE_*, one for each state */
};

/*
 * An automaton that notes where groups begin and end.  It is walked from where a match is known to start, to the longest
 * one's end.  A transition first does moves between registers: pairs (to, from) in @moves, up to SP_RE_END.
 */
struct regex_tagged {
	unsigned nstates;
	unsigned start[2];		/* [0]: at the start of the subject, [1]: further in; 0: no match there */
	unsigned start_moves[2];
	unsigned nregs;
	uint16_t *next, *move;		/* nstates rows of nclasses: next state; where its moves begin in @moves */
	uint16_t *final, *final_end;	/* nstates: where in @moves stands, for each group's two ends, the register that has it,
					 * or SP_RE_NONE; 0: no match ends here.  final_end: at the subject's end */
	unsigned char *moves;
	unsigned nmoves;
};

struct regex {
	unsigned nclasses;
	unsigned char classes[256];
	unsigned ngroups;		/* the whole match included */
	struct regex_dfa search;	/* without groups: forwards, up to the first end of a match, which is final;
					 * with groups: backwards, flagged wherever a match starts */
	struct regex_tagged *tagged;	/* or NULL: only whether there is a match was asked for */
};

/* NULL with the fault filled where the text is no expression, or one whose automata are too large.  All in @a. */
struct regex *regex_compile(struct arena *a, const char *text, size_t n, bool groups, struct regex_fault *fault);

#endif
