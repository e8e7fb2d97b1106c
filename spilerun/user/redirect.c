/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Returns without room: a bare `ret', or `pop; ret', that branches of the same function lead to.
 *
 * Nothing is written over such a block.  Where all ways to it are known (direct jumps of this function, and the code that
 * falls into it), each way gets a window, and the moved jump goes to the block's stub; the block itself is never reached
 * again.  The windows of one block stand or fall together.
 */
#include "spilerun/user/planner.h"

/* Windows made for one block, so that they can be taken back. */
struct attempt {
	struct planner *pl;
	size_t first;			/* the function's first window */
	size_t kept;			/* windows that stay whatever happens */
};

static bool in_window(const struct attempt *a, uint64_t addr)
{
	const struct plan *plan = a->pl->plan;

	for (size_t i = a->first; i < plan->nwindows; i++)
		if (addr >= plan->windows[i].addr && addr < plan->windows[i].end)
			return true;
	return false;
}

static int add(struct attempt *a, size_t j, size_t k)
{
	struct body *b = &a->pl->body;
	struct plan_window w = { b->lo + b->insns[j].off, b->lo + insn_end(b, k), 0, 0, 0, PLAN_WAY };

	take_bytes(b, &w, true);
	return add_window(a->pl, w);
}

static void give_up(struct attempt *a)
{
	struct plan *plan = a->pl->plan;

	while (plan->nwindows > a->kept)
		take_bytes(&a->pl->body, &plan->windows[--plan->nwindows], false);
}

/* The first instruction of the block that ends with the return @i, or b->n where something arrives from elsewhere. */
static size_t block_start(const struct body *b, size_t i)
{
	size_t s = i;

	while (s && !(b->marks[b->insns[s].off] & MARK_TARGET)) {
		enum insn_class before = b->insns[s - 1].class;

		if (before != INSN_PLAIN && before != INSN_NOP)
			break;
		s--;
	}
	return s && run_is_movable(b, s, i, false) && !(b->marks[b->insns[s].off] & MARK_OTHER) ? s : b->n;
}

enum way { WAY_NONE, WAY_MADE, WAY_FAILED };

/* The code that falls into the block: a window that ends where the block starts. */
static enum way way_of_fall(struct attempt *a, size_t s)
{
	struct body *b = &a->pl->body;
	size_t last = s - 1, j;

	while (last && b->insns[last].class == INSN_NOP)
		last--;
	if (is_terminal(&b->insns[last]))
		return WAY_NONE;
	if (b->insns[last].class == INSN_CALL || b->insns[last].class == INSN_SYSCALL)
		return WAY_FAILED;	/* a thread may return there */
	for (size_t i = a->first; i < a->pl->plan->nwindows; i++)
		if (a->pl->plan->windows[i].end == b->lo + b->insns[s].off)
			return WAY_MADE;
	for (j = s; j-- > 0 && insn_end(b, s - 1) - b->insns[j].off <= WINDOW_MAX;) {
		if (!run_is_movable(b, j, s - 1, true))
			return WAY_FAILED;
		if (insn_end(b, s - 1) - b->insns[j].off < JUMP_LEN)
			continue;
		if (!bytes_are_free(b, b->insns[j].off, insn_end(b, s - 1)))
			return WAY_FAILED;
		return add(a, j, s - 1) ? WAY_FAILED : WAY_MADE;
	}
	return WAY_FAILED;
}

/* A jump to the block. */
static enum way way_of_jump(struct attempt *a, size_t m)
{
	struct body *b = &a->pl->body;
	struct choice c;

	if (in_window(a, b->lo + b->insns[m].off))
		return WAY_MADE;
	if (b->insns[m].class == INSN_BAD || b->insns[m].class == INSN_CALL || !choose(b, m, 0, JUMP_LEN, &c))
		return WAY_FAILED;
	return add(a, c.first, c.last) ? WAY_FAILED : WAY_MADE;
}

static bool make_ways(struct attempt *a, size_t s)
{
	struct body *b = &a->pl->body;
	uint64_t block = b->lo + b->insns[s].off;

	if (way_of_fall(a, s) == WAY_FAILED)
		return false;
	for (size_t m = 0; m < b->n; m++)
		if (b->insns[m].relative && b->insns[m].target == block && way_of_jump(a, m) == WAY_FAILED)
			return false;
	return true;
}

int redirect(struct planner *pl, size_t first, uint32_t index)
{
	struct body *b = &pl->body;
	struct plan_point *p = &pl->plan->points[index];
	struct attempt a = { pl, first, pl->plan->nwindows };
	size_t i = insn_at(b, p->addr), s;

	if (i == b->n || b->insns[i].class != INSN_RET || in_window(&a, p->addr))
		return 0;
	s = block_start(b, i);
	if (s == b->n)
		return 0;
	for (size_t w = first; w < pl->plan->nwindows; w++)
		take_bytes(b, &pl->plan->windows[w], true);
	if (!make_ways(&a, s)) {
		give_up(&a);
		return 0;
	}
	p->refused = NULL;
	p->at = p->addr;
	return add_window(pl, (struct plan_window){ b->lo + b->insns[s].off, b->lo + insn_end(b, i), 0, index, 1,
						    PLAN_REDIRECTED });
}
