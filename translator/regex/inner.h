/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside regex/: trees, the NFA, and the budget that every step draws on. */
#ifndef SPILE_REGEX_INNER_H
#define SPILE_REGEX_INNER_H

#include "regex/regex.h"
#include "support/arena.h"

/* ---- sets of bytes ---- */

struct byte_set { uint64_t bits[4]; };

static inline bool set_has(const struct byte_set *s, unsigned byte)
{
	return s->bits[byte / 64] >> byte % 64 & 1;
}

static inline void set_add(struct byte_set *s, unsigned byte)
{
	s->bits[byte / 64] |= 1ULL << byte % 64;
}

/* ---- parse.c: trees ---- */

enum node_kind { NODE_BYTES, NODE_BEGIN, NODE_END, NODE_CONCAT, NODE_ALTERNATION, NODE_REPEAT, NODE_GROUP };
enum { REPEAT_FOREVER = -1, REPEAT_MOST = 32767 };	/* RE_DUP_MAX of POSIX is 255 or more; regcomp() has this */

struct node {
	enum node_kind kind;
	struct byte_set set;		/* BYTES */
	struct node *child;		/* all that have any; linked by .next; CONCAT without: matches nothing at all */
	struct node *next;
	int min, max;			/* REPEAT */
	unsigned group, last_inside;	/* GROUP: its number, 0: (?:); the highest of it and those inside */
};

struct node *regex_parse(struct arena *a, const char *text, size_t n, unsigned *ngroups, struct regex_fault *fault);

/* ---- nfa.c ---- */

enum nfa_kind { NFA_EMPTY, NFA_TAG, NFA_BYTES, NFA_BEGIN, NFA_END, NFA_FINAL };

struct nfa_state {
	enum nfa_kind kind;
	struct byte_set set;		/* BYTES */
	unsigned tag;			/* TAG: 2 * (group - 1), + 1 at its end */
	unsigned inside;		/* TAG at a start: how many tags, from tag + 2 on, groups inside have */
	int out[2];			/* the first is preferred; -1: none */
	unsigned depth;			/* how deep in the tree: see tagged.c */
};

struct nfa {
	struct nfa_state *state;
	unsigned n, room;
	int start;
	bool too_large;
};

/* @backwards: for the subject read from its end, without tags.  too_large set: not to be used. */
void nfa_build(struct arena *a, struct nfa *nfa, const struct node *tree, bool backwards);

/* ---- sets of states, found again by their contents ---- */

struct state_table {
	int **key;			/* key[0]: how many follow */
	unsigned n, room;
	unsigned *slot;			/* open addressing; 0: free, else number + 1 */
	unsigned nslots;
};

/* The number of @key; a copy is kept where it is new, *is_new then true. */
unsigned state_number(struct arena *a, struct state_table *t, const int *key, bool *is_new);

/* ---- dfa.c, tagged.c ---- */

/* What one expression may cost: about a tenth of a second and some megabytes. */
enum { MOST_NFA_STATES = 20000, MOST_STATES = 4096, MOST_CELLS = 1 << 16, MOST_WORK = 10000000 };

struct build {
	struct arena *a;
	struct regex *re;
	unsigned long work;		/* done so far */
};

static inline bool afford(struct build *b, unsigned long work)
{
	b->work += work;
	return b->work <= MOST_WORK;
}

/* Numbers the classes of bytes that no set of @nfa tells apart. */
void classes_find(struct regex *re, const struct nfa *nfa);
/* Any byte of a class. */
unsigned class_byte(const struct regex *re, unsigned class);
/* A search: @nfa's matches may start anywhere.  @first_end: states behind the first end of a match are one.  False: too large. */
bool dfa_build(struct build *b, const struct nfa *nfa, bool first_end, struct regex_dfa *dfa);
bool tagged_build(struct build *b, const struct nfa *nfa, unsigned ntags);

#endif
