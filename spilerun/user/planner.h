/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What plan.c and redirect.c share: one function being planned. */
#ifndef SPILERUN_USER_PLANNER_H
#define SPILERUN_USER_PLANNER_H

#include "user/shared.h"
#include "spilerun/user/plan.h"
#include "spilerun/user/targets.h"

#define JUMP_LEN 5
#define WINDOW_MAX 48			/* bytes of a joined window */

/* One function, decoded, with the padding behind it. */
struct body {
	const struct object *o;
	const struct function *f;
	const uint8_t *bytes;
	uint8_t *marks;
	uint64_t lo;
	uint32_t size;			/* with padding */
	struct insn *insns;
	size_t n, room;
};

struct planner {
	struct plan *plan;
	struct marks marks;
	struct body body;
	size_t first;			/* the function's first window in the plan */
	size_t window_room;
};

struct choice {
	size_t first, last;		/* instructions */
	enum plan_means means;
};

static inline bool is_terminal(const struct insn *i)
{
	return i->class == INSN_RET || i->class == INSN_JMP;
}
static inline uint32_t insn_end(const struct body *b, size_t i)
{
	return b->insns[i].off + b->insns[i].len;
}
size_t insn_at(const struct body *b, uint64_t addr);	/* b->n: none starts there */
/* No byte of (from, to) may be arrived at, nor any of [from, to) be taken. */
bool bytes_are_free(const struct body *b, uint32_t from, uint32_t to);
bool run_is_movable(const struct body *b, size_t j, size_t k, bool jcc);
/* The best window for instruction @i that starts at @floor (an offset) or behind it. */
bool choose(const struct body *b, size_t i, uint32_t floor, uint32_t room, struct choice *c);
int add_window(struct planner *pl, struct plan_window w);
/* Notes that the bytes of a window, moved or written, are no one else's; or takes that back. */
void take_bytes(struct body *b, const struct plan_window *w, bool take);

/*
 * Second try for the return at @index: every jump that leads to its block is moved into a window of its own, and goes to
 * the stub instead.  @first: the function's first window in the plan.  -1: out of memory.
 */
int redirect(struct planner *pl, size_t first, uint32_t index);

#endif
