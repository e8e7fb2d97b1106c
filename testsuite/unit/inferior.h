/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inferior.h - a program under ptrace, and the plain meaning of location expressions in it.
 *
 * The judge for debuginfo: what a struct loc_expr says is computed from the registers and memory of a stopped process
 * and compared with what the program's source says.  x86-64.
 */
#ifndef SPILE_INFERIOR_H
#define SPILE_INFERIOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "debuginfo/debuginfo.h"

struct inferior {
	pid_t pid;
	uint64_t bias;
	struct user_regs_struct regs;		/* at the last stop */
	struct user_fpregs_struct fpregs;
	struct user_regs_struct entry_regs;	/* at the last function entry, for entry values */
	const int64_t *index;			/* for LOC_INDEX */
	uint64_t operand;			/* for LOC_OPERAND */
	bool fault;				/* the last evaluation could not be done */
};

/* Start @path, stopped after exec, with the load bias of @obj known.  False: ptrace does not work here. */
bool inferior_start(struct inferior *inf, const struct object *obj);
/* Run until the instruction at link address @addr is about to execute; false if the program ended first. */
bool inferior_run_to(struct inferior *inf, uint64_t link_addr);
/* The same with a run-time address. */
bool inferior_run_to_run_addr(struct inferior *inf, uint64_t run_addr);
uint64_t inferior_peek(struct inferior *inf, uint64_t run_addr, unsigned size);
uint64_t inferior_eval(struct inferior *inf, const struct loc_expr *e);
void inferior_kill(struct inferior *inf);

#endif
