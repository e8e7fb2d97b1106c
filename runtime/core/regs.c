/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers by name and arguments by number, for x86-64.
 *
 * Numbers are DWARF's (psABI 3.6.2), the order of arguments is the calling convention's (psABI 3.2.3).
 */
#include "core.h"

#define RSP 7
#define RIP 16
#define FLAGS 255			/* not in the array: .flags */

/* Names in the order of their whole register; .shift and .bits cut the part out.  64 bits: whole. */
static const struct reg_name {
	char name[7];
	sp_u8 number, shift, bits;
} reg_names[] = {
	{ "rax", 0, 0, 64 }, { "rdx", 1, 0, 64 }, { "rcx", 2, 0, 64 }, { "rbx", 3, 0, 64 },
	{ "rsi", 4, 0, 64 }, { "rdi", 5, 0, 64 }, { "rbp", 6, 0, 64 }, { "rsp", 7, 0, 64 },
	{ "r8", 8, 0, 64 }, { "r9", 9, 0, 64 }, { "r10", 10, 0, 64 }, { "r11", 11, 0, 64 },
	{ "r12", 12, 0, 64 }, { "r13", 13, 0, 64 }, { "r14", 14, 0, 64 }, { "r15", 15, 0, 64 },
	{ "rip", 16, 0, 64 }, { "eflags", FLAGS, 0, 64 },
	{ "eax", 0, 0, 32 }, { "edx", 1, 0, 32 }, { "ecx", 2, 0, 32 }, { "ebx", 3, 0, 32 },
	{ "esi", 4, 0, 32 }, { "edi", 5, 0, 32 }, { "ebp", 6, 0, 32 }, { "esp", 7, 0, 32 },
	{ "eip", 16, 0, 32 }, { "flags", FLAGS, 0, 16 },
	{ "ax", 0, 0, 16 }, { "dx", 1, 0, 16 }, { "cx", 2, 0, 16 }, { "bx", 3, 0, 16 },
	{ "si", 4, 0, 16 }, { "di", 5, 0, 16 }, { "bp", 6, 0, 16 }, { "sp", 7, 0, 16 }, { "ip", 16, 0, 16 },
	{ "al", 0, 0, 8 }, { "dl", 1, 0, 8 }, { "cl", 2, 0, 8 }, { "bl", 3, 0, 8 },
	{ "ah", 0, 8, 8 }, { "dh", 1, 8, 8 }, { "ch", 2, 8, 8 }, { "bh", 3, 8, 8 },
};

static const struct reg_name *reg_find(struct sp_str name)
{
	unsigned i;

	for (i = 0; i < sizeof(reg_names) / sizeof(reg_names[0]); i++)
		if (sp_text_len(reg_names[i].name) == name.n && !sp_compare(reg_names[i].name, name.p, name.n))
			return &reg_names[i];
	return 0;
}

/* Sets the error "@before@name". */
static void name_error(struct sp_ctx *c, const char *before, struct sp_str name)
{
	struct sp_text t;

	if (c->error)
		return;
	sp_text_for_error(&t, c);
	sp_text_puts(&t, before);
	sp_text_put(&t, name.p, name.n);
	sp_text_error(&t);
}

sp_i64 sp_register(struct sp_ctx *c, struct sp_str name, sp_bool is_signed)
{
	const struct reg_name *reg = reg_find(name);
	sp_u64 v;

	if (!c->regs) {
		sp_error(c, "cannot access CPU registers in this context");
		return 0;
	}
	if (!reg) {
		name_error(c, "Unknown register: ", name);
		return 0;
	}
	v = (reg->number == FLAGS ? c->regs->flags : c->regs->r[reg->number]) >> reg->shift;
	return is_signed ? sp_sext(v, reg->bits) : sp_zext(v, reg->bits);
}

sp_u64 sp_thread_pointer(struct sp_ctx *c)
{
	return c->regs ? sp_plat_thread_pointer(c) : 0;
}

sp_i64 sp_addr(struct sp_ctx *c)
{
	return sp_reg(c, RIP);
}

/* The seventh argument and those after it lie above the return address. */
static sp_u64 stack_arg(struct sp_ctx *c, sp_i64 n)
{
	sp_uaddr at = c->regs->r[RSP] + 8 * (sp_u64)(n - 6);
	char buffer[100];
	struct sp_text t = { 0, buffer, 0, sizeof(buffer), 0 };
	sp_u64 v;

	if (sp_try_load(c, at, 8, &v) || c->error)
		return v;
	sp_text_puts(&t, "cannot access arg(");
	sp_text_u64(&t, n, 10);
	sp_text_puts(&t, ") at user stack address 0x");
	sp_text_u64(&t, at, 16);
	sp_warn(c, sp_str_make(buffer, t.n));
	return 0;
}

sp_u64 sp_arg(struct sp_ctx *c, sp_i64 n)
{
	static const sp_u8 in_order[6] = { 5, 4, 1, 2, 8, 9 };	/* rdi rsi rdx rcx r8 r9 */
	struct sp_text t;

	if (!c->regs) {
		sp_error(c, "cannot access function args in this context");
		return 0;
	}
	if (n >= 1 && n <= 6)
		return c->regs->r[in_order[n - 1]];
	if (n > 6 && n < 1000)
		return stack_arg(c, n);
	if (c->error)
		return 0;
	sp_text_for_error(&t, c);
	sp_text_puts(&t, n < 0 ? "cannot access arg(-" : "cannot access arg(");
	sp_text_u64(&t, n < 0 ? -(sp_u64)n : (sp_u64)n, 10);
	sp_text_puts(&t, ")");
	sp_text_error(&t);
	return 0;
}

sp_i64 sp_returnval(struct sp_ctx *c)
{
	if (!c->regs)
		sp_error(c, "cannot access CPU registers in this context");
	return sp_reg(c, 0);
}
