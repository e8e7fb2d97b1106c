/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a function is left: its return instructions, its jumps to other functions, and its calls of them. */
#ifndef SPILE_EXITS_H
#define SPILE_EXITS_H

#include "debuginfo/debuginfo.h"
#include "support/arena.h"

enum exit_kind {
	EXIT_RETURN,			/* ret */
	EXIT_TAIL,			/* a jump that leaves for another function, or starts this one anew */
	EXIT_TAIL_IF,			/* the same, conditional: it may also fall through */
};

struct exit_place {
	uint64_t addr;			/* link address of the instruction */
	enum exit_kind kind;
	uint64_t target;		/* of a direct jump: link address; else 0 */
};

struct call_place {
	uint64_t addr, ret;		/* link addresses of the instruction and of the one behind it */
	uint64_t target;		/* of the function called, or of its entry in the linkage table */
};

struct exit_list {
	struct exit_place *exit;	/* in the order of the ranges, then by address */
	unsigned n;
	struct call_place *call;	/* direct calls, in the same order */
	unsigned ncalls;
	unsigned undecided;		/* indirect jumps that could be either; taken as staying inside */
};

/*
 * The exits of the function at @entry whose code is @ranges (hot and cold parts; x86-64).
 * Method: a linear sweep over each range; compilers put no data between a function's first and last byte.
 * Returns 0, or -EINVAL with @miss filled where some byte is no instruction.
 */
int function_exits(struct object *obj, uint64_t entry, const struct addr_range *ranges, unsigned nranges,
		   struct arena *a, struct exit_list *out, struct di_miss *miss);

#endif
