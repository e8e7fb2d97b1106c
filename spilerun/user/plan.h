/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planning: which bytes of an object give way to a jump, for the instructions that are to be hooked.
 *
 * A window is a run of instructions, five bytes or more, that can run elsewhere: nothing may jump into its middle.
 * Everything here is in link-time addresses, so a plan serves every process that maps the file.
 */
#ifndef SPILERUN_USER_PLAN_H
#define SPILERUN_USER_PLAN_H

#include "spilerun/user/object.h"

/* What is wanted at one instruction. */
struct plan_point {
	uint64_t addr;
	uint32_t kind;			/* enum sp_site_kind */
	uint32_t hook;			/* enum sp_user_hook */
	uint32_t site, nsites;		/* in the script's table */
	bool fp;			/* the handler reads xmm registers */
	uint32_t condition;		/* of all its probes, index in the script + 1; 0: none, or they differ */
	/* the plan's answer */
	const char *refused;		/* why it can not be had; NULL: it is in a window */
	uint64_t at;			/* the instruction before which the hook runs: behind an endbr64 */
};

enum plan_means {
	PLAN_BLOCK,			/* straight code */
	PLAN_OVER_JCC,			/* a conditional jump is moved with it */
	PLAN_PADDING,			/* runs on into padding */
	PLAN_BOTH,
	PLAN_SHARED,			/* joined with the window of a neighbour */
	PLAN_HOP,			/* a short jump to padding nearby that holds the long one */
	PLAN_EXEC,			/* `mov $nr, %eax' before a syscall: the stub makes the call */
	PLAN_REDIRECTED,		/* nothing is written over it: the ways to it lead to its stub */
	PLAN_WAY,			/* such a way: no point in it */
	PLAN_TRAP,			/* a breakpoint: its signal handler goes on in the stub */
	PLAN_MEANS,
};

struct plan_window {
	uint64_t addr, end;		/* the moved instructions */
	uint64_t hop;			/* PLAN_HOP: where the long jump lies; else 0 */
	uint32_t point, npoints;	/* in the plan's points */
	enum plan_means means;
};

struct plan {
	struct plan_point *points;	/* by .addr */
	size_t npoints;
	struct plan_window *windows;	/* by .addr, disjoint */
	size_t nwindows;
};

enum insn_class { INSN_PLAIN, INSN_NOP, INSN_JCC, INSN_JMP, INSN_CALL, INSN_RET, INSN_SYSCALL, INSN_BAD };

struct insn {
	uint32_t off;			/* from the start of what was decoded */
	uint8_t len;
	uint8_t class;			/* enum insn_class */
	uint8_t relative;		/* a branch by displacement, or an operand off rip */
	uint8_t disp_off;		/* of the 32-bit displacement of an rip operand, 0: none */
	uint8_t modrm_off;
	uint64_t target;		/* of a relative branch */
};

/* Decodes the instruction at @addr.  False: no instruction. */
bool insn_decode(const uint8_t *p, size_t n, uint64_t addr, struct insn *insn);

/* Plans @n points (sorted by address; the plan takes the array).  NULL: out of memory. */
struct plan *plan_make(struct object *o, struct plan_point *points, size_t n);
void plan_free(struct plan *plan);

#endif
