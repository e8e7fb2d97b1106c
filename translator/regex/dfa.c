/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An NFA to a DFA that searches (subset construction).
 *
 * A state is the set of NFA states that wait for a byte, and whether a match ends there.  A search begins a new
 * match at each byte: those that a byte has led to and the start belong together.  Start reading at dfa_build().
 */
#include "regex/inner.h"

#include <string.h>

/* ---- classes of bytes ---- */

/* Splits each class into its bytes inside of @s and those outside. */
static void classes_split(struct regex *re, const struct byte_set *s)
{
	int moved[256];

	memset(moved, -1, sizeof(moved));
	for (unsigned b = 0; b < 256; b++) {
		unsigned from = re->classes[b];
		bool all = true;

		if (!set_has(s, b))
			continue;
		for (unsigned other = 0; moved[from] < 0 && all && other < 256; other++)
			all = re->classes[other] != from || set_has(s, other);
		if (moved[from] < 0)
			moved[from] = all ? (int)from : (int)re->nclasses++;
		re->classes[b] = (unsigned char)moved[from];
	}
}

void classes_find(struct regex *re, const struct nfa *nfa)
{
	const struct byte_set *last = NULL;

	memset(re->classes, 0, sizeof(re->classes));
	re->nclasses = 1;
	for (unsigned i = 0; i < nfa->n; i++) {
		const struct byte_set *s = &nfa->state[i].set;

		if (nfa->state[i].kind != NFA_BYTES || (last && !memcmp(last, s, sizeof(*s))))
			continue;
		classes_split(re, s);
		last = s;
	}
}

unsigned class_byte(const struct regex *re, unsigned class)
{
	unsigned b = 0;

	while (re->classes[b] != class)
		b++;
	return b;
}

/* ---- sets of states, found again ---- */

static unsigned hash(const int *key)
{
	unsigned h = 2166136261u;

	for (int i = 0; i <= key[0]; i++)
		h = (h ^ (unsigned)key[i]) * 16777619u;
	return h ^ h >> 15;
}

static unsigned *slot_of(const struct state_table *t, const int *key)
{
	unsigned at = hash(key) & (t->nslots - 1);

	while (t->slot[at] && (t->key[t->slot[at] - 1][0] != key[0] ||
			       memcmp(t->key[t->slot[at] - 1], key, ((size_t)key[0] + 1) * sizeof(*key))))
		at = (at + 1) & (t->nslots - 1);
	return &t->slot[at];
}

static void grow(struct arena *a, struct state_table *t)
{
	int **more = ARENA_ARRAY(a, int *, t->room * 2 + 32);

	if (t->n)
		memcpy(more, t->key, t->n * sizeof(*more));
	t->key = more;
	t->room = t->room * 2 + 32;
	t->nslots = t->nslots ? t->nslots : 32;
	while (t->nslots < t->room * 2)
		t->nslots *= 2;
	t->slot = ARENA_ARRAY(a, unsigned, t->nslots);
	for (unsigned i = 0; i < t->n; i++)
		*slot_of(t, t->key[i]) = i + 1;
}

unsigned state_number(struct arena *a, struct state_table *t, const int *key, bool *is_new)
{
	size_t size = ((size_t)key[0] + 1) * sizeof(*key);
	unsigned *slot;

	if (t->n == t->room)
		grow(a, t);
	slot = slot_of(t, key);
	*is_new = !*slot;
	if (!*is_new)
		return *slot - 1;
	t->key[t->n] = arena_alloc(a, size);
	memcpy(t->key[t->n], key, size);
	*slot = ++t->n;
	return t->n - 1;
}

/* ---- subsets ---- */

enum { DEAD, MATCHED };			/* numbers of the states that are always there */

struct subsets {
	struct build *b;
	const struct nfa *nfa;
	bool first_end;
	struct state_table table;
	unsigned char *seen;		/* NFA states in the set that is being made */
	int *stack, *set;
};

/* Adds what @from leads to without a byte.  @begin, @end: the subject's start or end is here. */
static void add(struct subsets *s, int from, bool begin, bool end)
{
	unsigned depth = 0;

	s->stack[depth++] = from;
	while (depth) {
		int at = s->stack[--depth];
		const struct nfa_state *state = &s->nfa->state[at];

		if (s->seen[at])
			continue;
		s->seen[at] = 1;
		s->b->work++;
		if (state->kind == NFA_BYTES || state->kind == NFA_FINAL || (state->kind == NFA_BEGIN && !begin) ||
		    (state->kind == NFA_END && !end))
			continue;
		for (int i = 1; i >= 0; i--)
			if (state->out[i] >= 0 && !s->seen[state->out[i]])
				s->stack[depth++] = state->out[i];
	}
}

/* SP_RE_*: whether a match ends at what was added.  The subject's end may let it go further. */
static int flags_here(struct subsets *s, bool begin)
{
	int flags = 0;

	for (unsigned i = 0; i < s->nfa->n; i++)
		if (s->seen[i] && s->nfa->state[i].kind == NFA_FINAL)
			flags = SP_RE_MATCH | SP_RE_MATCH_AT_END;
	for (unsigned i = 0; i < s->nfa->n; i++)
		if (s->seen[i] && s->nfa->state[i].kind == NFA_END)
			add(s, s->nfa->state[i].out[0], begin, true);
	for (unsigned i = 0; i < s->nfa->n; i++)
		if (s->seen[i] && s->nfa->state[i].kind == NFA_FINAL)
			flags |= SP_RE_MATCH_AT_END;
	return flags;
}

/* The state of all that was added: flags, then the NFA states that wait for a byte.  Then nothing is added. */
static unsigned number(struct subsets *s, bool begin)
{
	unsigned n = 1;
	bool is_new;

	for (unsigned i = 0; i < s->nfa->n; i++)
		if (s->seen[i] && s->nfa->state[i].kind == NFA_BYTES)
			s->set[++n] = (int)i;
	s->set[0] = (int)n;
	s->set[1] = flags_here(s, begin);
	memset(s->seen, 0, s->nfa->n);
	s->b->work += s->nfa->n;
	if (s->set[1] & SP_RE_MATCH && s->first_end)
		return MATCHED;
	return n > 1 || s->set[1] ? state_number(s->b->a, &s->table, s->set, &is_new) : DEAD;
}

static unsigned step(struct subsets *s, const int *from, unsigned byte)
{
	const struct nfa_state *state = s->nfa->state;

	for (int i = 2; i <= from[0]; i++)
		if (set_has(&state[from[i]].set, byte))
			add(s, state[from[i]].out[0], false, false);
	add(s, s->nfa->start, false, false);
	return number(s, false);
}

/* The states that are always there get keys that no set has. */
static void fixed_states(struct subsets *s)
{
	static const int dead[] = { 1, 0 }, matched[] = { 1, SP_RE_MATCH | SP_RE_MATCH_AT_END };
	bool is_new;

	state_number(s->b->a, &s->table, dead, &is_new);
	if (s->first_end)
		state_number(s->b->a, &s->table, matched, &is_new);
}

static bool fill(struct subsets *s, struct regex_dfa *dfa)
{
	unsigned nclasses = s->b->re->nclasses, most = MOST_CELLS / nclasses;

	most = most < MOST_STATES ? most : MOST_STATES;
	dfa->next = ARENA_ARRAY(s->b->a, uint16_t, (size_t)(most + 1) * nclasses);
	dfa->flags = arena_alloc(s->b->a, most + 1);
	if (s->first_end) {
		dfa->flags[MATCHED] = SP_RE_MATCH | SP_RE_MATCH_AT_END;
		for (unsigned c = 0; c < nclasses; c++)
			dfa->next[MATCHED * nclasses + c] = MATCHED;
	}
	for (unsigned i = s->first_end ? 2 : 1; i < s->table.n; i++) {
		dfa->flags[i] = (unsigned char)s->table.key[i][1];
		for (unsigned c = 0; c < nclasses; c++) {
			dfa->next[i * nclasses + c] = (uint16_t)step(s, s->table.key[i], class_byte(s->b->re, c));
			if (s->table.n > most || !afford(s->b, 0))
				return false;
		}
	}
	dfa->nstates = s->table.n;
	return true;
}

bool dfa_build(struct build *b, const struct nfa *nfa, bool first_end, struct regex_dfa *dfa)
{
	struct subsets s = { .b = b, .nfa = nfa, .first_end = first_end };

	s.seen = arena_alloc(b->a, nfa->n);
	s.stack = ARENA_ARRAY(b->a, int, nfa->n * 2 + 2);
	s.set = ARENA_ARRAY(b->a, int, nfa->n + 2);
	fixed_states(&s);
	add(&s, nfa->start, true, false);
	dfa->start = number(&s, true);
	return fill(&s, dfa);
}
