/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A regular expression's way through the room, and out of it with no more than its tables. */
#include "regex/inner.h"

#include <string.h>

static void *moved(struct arena *a, const void *p, size_t n)
{
	return memcpy(arena_alloc(a, n + 1), p, n);
}

/* The tables go to the caller's arena; what they were made from goes. */
static struct regex *keep(struct arena *a, const struct regex *re)
{
	struct regex *kept = moved(a, re, sizeof(*re));
	size_t row = re->nclasses * sizeof(uint16_t);
	struct regex_tagged *t;

	kept->search.next = moved(a, re->search.next, re->search.nstates * row);
	kept->search.flags = moved(a, re->search.flags, re->search.nstates);
	if (!re->tagged)
		return kept;
	t = kept->tagged = moved(a, re->tagged, sizeof(*t));
	t->next = moved(a, t->next, t->nstates * row);
	t->move = moved(a, t->move, t->nstates * row);
	t->final = moved(a, t->final, t->nstates * sizeof(uint16_t));
	t->final_end = moved(a, t->final_end, t->nstates * sizeof(uint16_t));
	t->moves = moved(a, t->moves, t->nmoves);
	return kept;
}

/*
 * Without groups one automaton looks for the first end of a match.  With groups, another one reads the subject from its
 * end and finds where the leftmost match starts: only from there on need anything be noted, of one match.
 */
static bool build(struct build *b, const struct node *tree, bool groups)
{
	struct nfa ahead, back;

	nfa_build(b->a, &ahead, tree, false);
	if (ahead.too_large)
		return false;
	classes_find(b->re, &ahead);
	if (!groups)
		return dfa_build(b, &ahead, true, &b->re->search);
	nfa_build(b->a, &back, tree, true);
	return dfa_build(b, &back, false, &b->re->search) && tagged_build(b, &ahead, 2 * (b->re->ngroups - 1));
}

struct regex *regex_compile(struct arena *a, const char *text, size_t n, bool groups, struct regex_fault *fault)
{
	struct arena *scratch = arena_new();
	struct regex re = { .ngroups = 0 }, *kept = NULL;
	struct build b = { .a = scratch, .re = &re };
	struct node *tree = regex_parse(scratch, text, n, &re.ngroups, fault);

	re.ngroups++;
	if (tree && build(&b, tree, groups))
		kept = keep(a, &re);
	else if (tree)
		*fault = (struct regex_fault){ 0, "too large: its automaton would have too many states" };
	if (!kept)
		fault->text = arena_strdup(a, fault->text);
	arena_free(scratch);
	return kept;
}
