/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees to an NFA (Thompson's construction, from the end to the start), forwards or backwards.
 *
 * Each state has the depth of its place in the tree: elements of a concatenation and rounds of a repeat lie one deeper
 * than the joints between them.  tagged.c reads from it which of two ways POSIX prefers.  Start reading at make().
 */
#include "regex/inner.h"

#include <string.h>

struct making {
	struct arena *a;
	struct nfa *nfa;
	bool backwards;
};

static int make(struct making *m, const struct node *node, unsigned depth, int next);

static int state_make(struct making *m, enum nfa_kind kind, unsigned depth, int first, int second)
{
	struct nfa *nfa = m->nfa;

	if (nfa->n == MOST_NFA_STATES) {
		nfa->too_large = true;
		return 0;
	}
	if (nfa->n == nfa->room) {
		struct nfa_state *more = ARENA_ARRAY(m->a, struct nfa_state, nfa->room * 2 + 16);

		if (nfa->n)
			memcpy(more, nfa->state, nfa->n * sizeof(*more));
		nfa->state = more;
		nfa->room = nfa->room * 2 + 16;
	}
	nfa->state[nfa->n] = (struct nfa_state){ .kind = kind, .depth = depth, .out = { first, second } };
	return (int)nfa->n++;
}

static int make_list(struct making *m, const struct node *element, unsigned depth, int next)
{
	unsigned n = 0, k;
	const struct node **each;

	for (const struct node *i = element; i; i = i->next)
		n++;
	each = ARENA_ARRAY(m->a, const struct node *, n + 1);
	for (k = 0; element; element = element->next)
		each[k++] = element;
	for (k = 0; k < n; k++) {
		if (k)
			next = state_make(m, NFA_EMPTY, depth, next, -1);
		next = make(m, each[m->backwards ? k : n - 1 - k], depth + 1, next);
	}
	return n ? next : state_make(m, NFA_EMPTY, depth, next, -1);
}

static int make_alternation(struct making *m, const struct node *branch, unsigned depth, int next)
{
	int first = make(m, branch, depth, next);

	if (!branch->next || m->nfa->too_large)
		return first;
	return state_make(m, NFA_EMPTY, depth, first, make_alternation(m, branch->next, depth, next));
}

/* One round or more; another one is preferred to leaving. */
static int make_rounds(struct making *m, const struct node *node, unsigned depth, int next)
{
	int joint = state_make(m, NFA_EMPTY, depth, -1, next);
	int body = make(m, node->child, depth + 1, joint);

	if (!m->nfa->too_large)
		m->nfa->state[joint].out[0] = body;
	return body;
}

static int make_repeat(struct making *m, const struct node *node, unsigned depth, int next)
{
	int left = node->min, entry = next;

	if (node->max == REPEAT_FOREVER) {
		entry = make_rounds(m, node, depth, next);
		if (!left)
			return state_make(m, NFA_EMPTY, depth, entry, next);
		left--;
	}
	for (int i = node->min; i < node->max && !m->nfa->too_large; i++)
		entry = state_make(m, NFA_EMPTY, depth, make(m, node->child, depth + 1, entry), next);
	for (; left > 0 && !m->nfa->too_large; left--)
		entry = make(m, node->child, depth + 1, state_make(m, NFA_EMPTY, depth, entry, -1));
	return entry == next ? state_make(m, NFA_EMPTY, depth, next, -1) : entry;
}

static int make_group(struct making *m, const struct node *node, unsigned depth, int next)
{
	bool tags = node->group && !m->backwards;
	int entry;

	if (!tags)
		return make(m, node->child, depth, next);
	entry = state_make(m, NFA_TAG, depth, next, -1);
	if (m->nfa->too_large)
		return 0;
	m->nfa->state[entry].tag = 2 * (node->group - 1) + 1;
	entry = state_make(m, NFA_TAG, depth, make(m, node->child, depth, entry), -1);
	m->nfa->state[entry].tag = 2 * (node->group - 1);
	m->nfa->state[entry].inside = 2 * (node->last_inside - node->group);
	return entry;
}

/* The state at which @node is entered, so that it goes on at @next. */
static int make(struct making *m, const struct node *node, unsigned depth, int next)
{
	int entry;

	if (m->nfa->too_large)
		return 0;
	switch (node->kind) {
	case NODE_CONCAT:
		return make_list(m, node->child, depth, next);
	case NODE_ALTERNATION:
		return make_alternation(m, node->child, depth, next);
	case NODE_REPEAT:
		return make_repeat(m, node, depth, next);
	case NODE_GROUP:
		return make_group(m, node, depth, next);
	case NODE_BEGIN: case NODE_END:
		return state_make(m, (node->kind == NODE_BEGIN) != m->backwards ? NFA_BEGIN : NFA_END, depth, next, -1);
	default:
		entry = state_make(m, NFA_BYTES, depth, next, -1);
		m->nfa->state[entry].set = node->set;
		return entry;
	}
}

void nfa_build(struct arena *a, struct nfa *nfa, const struct node *tree, bool backwards)
{
	struct making m = { a, nfa, backwards };

	*nfa = (struct nfa){ 0 };
	nfa->start = make(&m, tree, 1, state_make(&m, NFA_FINAL, 0, -1, -1));
}
