// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers of a hit by DWARF number: x86-64 psABI, figure 3.36. */
#include <linux/elf.h>
#include <linux/ptrace.h>
#include <linux/regset.h>
#include <linux/sched.h>
#include <asm/fsgsbase.h>

#include "kernel.h"

#ifndef CONFIG_X86_64
#error "spile: the kernel runtime knows the registers of x86-64 only"
#endif

#define XMM0_DWARF 17
#define XMM_REGISTERS 16
#define XMM0_IN_FXSAVE 160		/* Intel SDM 1, table 10-2 */

static const u16 general[] = {
#define AT(name) offsetof(struct pt_regs, name)
	AT(ax), AT(dx), AT(cx), AT(bx), AT(si), AT(di), AT(bp), AT(sp),
	AT(r8), AT(r9), AT(r10), AT(r11), AT(r12), AT(r13), AT(r14), AT(r15), AT(ip),
#undef AT
};

/* May fault in the save area, so preemption is on here. */
static void fill_fp(struct sp_hit *h)
{
	const struct user_regset_view *view = task_user_regset_view(current);
	unsigned int i;

	for (i = 0; i < view->n; i++) {
		const struct user_regset *set = &view->regsets[i];
		struct membuf to = { .p = h->fp, .left = sizeof(h->fp) };

		if (set->core_note_type != NT_PRFPREG || !set->regset_get)
			continue;
		if (set->regset_get(current, set, to) < 0)
			memset(h->fp, 0, sizeof(h->fp));
		for (i = 0; i < XMM_REGISTERS; i++)
			memcpy(&h->regs.r[XMM0_DWARF + i], h->fp + XMM0_IN_FXSAVE + 16 * i, 8);
		return;
	}
}

void sp_regs_fill(struct sp_hit *h, const struct pt_regs *regs, bool fp)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(general); i++)
		h->regs.r[i] = *(const unsigned long *)((const char *)regs + general[i]);
	h->regs.flags = regs->flags;
	h->c.regs = &h->regs;
	h->c.set_regs = 0;
	if (fp)
		fill_fp(h);
}

/* The kernel itself leaves %fs alone. */
sp_u64 sp_plat_thread_pointer(struct sp_ctx *c)
{
	return x86_fsbase_read_cpu();
}

void sp_regs_store(const struct sp_hit *h, struct pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(general); i++)
		if (h->c.set_regs & 1u << i)
			*(unsigned long *)((char *)regs + general[i]) = h->regs.r[i];
}
