/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinding by call frame information: what unwind.c offers to chain.c and to its unit test.
 *
 * A frame's caller is found from the rows that compilers write for exceptions and debuggers (DWARF4 6.4; .eh_frame as
 * in the Linux Standard Base 10.6.1), read where the program itself has them mapped.
 */
#ifndef SPILE_CORE_UNWIND_H
#define SPILE_CORE_UNWIND_H

#include "core.h"

#define SP_FRAME_REGS 33		/* DWARF numbers below this are followed; x86-64 has 17, AArch64 33 */
#define SP_ROWS_KEPT 4			/* rows that DW_CFA_remember_state may have put aside */

/* What differs between architectures.  Sources: x86-64 psABI 3.6 and 3.7, DWARF for the Arm 64-bit Architecture 4. */
struct sp_unwind_abi {
	sp_u8 nregs;
	sp_u8 sp, fp, ra;		/* DWARF numbers; .ra: the column that return addresses are in where no entry says */
	sp_u8 pushes_ra;		/* 1: a call leaves the return address on the stack; 0: in .ra */
	sp_u8 has_ra_state;		/* DW_CFA_AARCH64_negate_ra_state: return addresses may be signed */
	sp_u64 ra_mask;			/* what is left of a signed one */
	sp_u8 sigreturn[12];		/* code that a signal handler returns to */
	sp_u8 nsigreturn;
	sp_u16 saved_pc;		/* where the kernel has put the registers, from the stack pointer at that code */
	sp_u16 saved[SP_FRAME_REGS];	/* by DWARF number; 0: not there */
};
extern const struct sp_unwind_abi sp_unwind_x86_64, sp_unwind_aarch64;
/* The one that the runtime is built for, and where its struct sp_regs has the program counter. */
#if defined(__aarch64__)
#define SP_UNWIND_ABI (&sp_unwind_aarch64)
#define SP_REGS_PC 32
#else
#define SP_UNWIND_ABI (&sp_unwind_x86_64)
#define SP_REGS_PC 16
#endif

/* One call on its way up the stack. */
struct sp_frame {
	sp_uaddr pc;
	sp_u64 r[SP_FRAME_REGS];	/* by DWARF number, as they were in this frame */
	sp_u64 known;			/* bit i: r[i] is known */
	sp_bool is_call;		/* .pc is a return address: the call lies before it */
};

/* How a register of the caller is found: by kind[], with value[]. */
struct sp_row {
	sp_u8 kind[SP_FRAME_REGS];
	sp_i32 value[SP_FRAME_REGS];
	sp_u8 cfa_is_expression, ra_is_signed;
	sp_u16 cfa_reg;
	sp_i32 cfa_offset;		/* or where its expression lies, as in value[] */
};

/* Room to work in, too large for a stack. */
struct sp_unwinder {
	struct sp_ctx *c;
	const struct sp_unwind_abi *abi;
	struct sp_row row, first, kept[SP_ROWS_KEPT];
	sp_u32 nkept;
	sp_u64 stack[16];		/* of an expression */
	struct sp_frame next;
};

/* Where an object has its rows: in the process's memory, or in a copy of ours. */
struct sp_frame_table {
	sp_uaddr header;		/* run-time address of .eh_frame_hdr; 0: see .copy */
	sp_uaddr limit;			/* nothing of the object lies at or above; of a copy, the end of its section */
	sp_u64 bias;
	const struct sp_symbols *copy;	/* addresses in it are link-time addresses */
};
/*
 * Finds the tables of the object whose ELF header is at @base, by its program headers, in the program's memory.
 * False: it is none, or has none.
 */
sp_bool sp_frame_table_find(struct sp_ctx *c, sp_uaddr base, sp_uaddr limit, struct sp_frame_table *t);

/* The same of the copy in @s.  False: it has none. */
sp_bool sp_frame_table_copy(const struct sp_symbols *s, sp_uaddr base, struct sp_frame_table *t);
/* Lists the entries of @s's copied section, at most @room. */
void sp_fdes_make(struct sp_symbols *s, sp_u32 room);

enum sp_unwound {
	SP_UNWOUND,			/* the frame is now its caller's */
	SP_UNWOUND_END,			/* the row says that there is no caller */
	SP_UNWOUND_NO_ROW,		/* nothing covers the place */
	SP_UNWOUND_BROKEN,		/* a row that makes no sense, or memory that is not there */
};
/* One step by the rows of @t.  Reads memory, so it may sleep; bounded in time whatever it finds there. */
enum sp_unwound sp_unwind_step(struct sp_unwinder *u, const struct sp_frame_table *t, struct sp_frame *f);
/* One step without rows: over a signal's frame, else by the frame pointer.  Never SP_UNWOUND_NO_ROW. */
enum sp_unwound sp_unwind_signal(struct sp_unwinder *u, struct sp_frame *f);
enum sp_unwound sp_unwind_by_fp(struct sp_unwinder *u, struct sp_frame *f);

#endif
