/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the probed program's memory and registers, and the operators that name places by number (spec/language.md 5.8, 5.9). */
#include "core.h"

#define GENERAL_REGISTERS 17u		/* rax to rip, by DWARF number */
#define REGISTER_RSP 7u
#define REGISTER_RIP 16u

void sp_store(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_u64 v)
{
	if (!c->error && !sp_plat_write(c, &v, addr, size))
		sp_error_addr(c, "write fault [man error::fault] at ", addr, "");
}

void sp_store_bits(struct sp_ctx *c, sp_uaddr addr, unsigned size, unsigned shift, unsigned bits, sp_u64 v)
{
	sp_u64 mask = (bits < 64 ? (1ull << bits) - 1 : ~0ull) << shift;
	sp_u64 old = c->error ? 0 : sp_load(c, addr, size);

	sp_store(c, addr, size, (old & ~mask) | (v << shift & mask));
}

/* The stack and instruction pointers are not the script's: what runs the hit stands on them. */
void sp_set_reg(struct sp_ctx *c, unsigned n, unsigned size, sp_u64 v)
{
	struct sp_regs *regs = (struct sp_regs *)(unsigned long)c->regs;
	sp_u64 mask = size == 1 ? 0xff : size == 2 ? 0xffff : ~0ull;

	if (c->error)
		return;
	if (!regs || n >= GENERAL_REGISTERS || n == REGISTER_RSP || n == REGISTER_RIP) {
		sp_error(c, "register access fault [man error::fault]");
		return;
	}
	if (size == 4)
		v &= 0xffffffffu;
	regs->r[n] = (regs->r[n] & ~mask) | (v & mask);
	c->set_regs |= 1u << n;
}

/* IEEE 754-2008 5.4.2, rounding to nearest, ties to even. */
sp_u64 sp_double_to_float(sp_u64 d)
{
	sp_u64 sign = d >> 32 & 0x80000000u, fraction = d & 0xfffffffffffffull;
	int exponent = (int)(d >> 52 & 0x7ff) - 1023 + 127, drop = 29;
	sp_u64 kept, rest, half;

	if (exponent == 0x7ff - 1023 + 127)
		return sign | 0x7f800000u | (fraction ? 0x400000u | fraction >> 29 : 0);
	if (exponent >= 0xff)
		return sign | 0x7f800000u;
	if (exponent < 1) {		/* a float without leading one, or nothing */
		if (exponent < -24)
			return sign;
		fraction |= 1ull << 52;
		drop += 1 - exponent;
		exponent = 0;
	}
	kept = fraction >> drop;
	rest = fraction & ((1ull << drop) - 1);
	half = 1ull << (drop - 1);
	kept += rest > half || (rest == half && kept & 1);
	/* a carry out of the fraction is one more in the exponent */
	return sign | (((sp_u64)exponent << 23) + kept);
}

sp_i64 sp_uregister(struct sp_ctx *c, sp_i64 n)
{
	if (!c->regs || n < 0 || n >= (sp_i64)GENERAL_REGISTERS) {
		sp_error(c, "register access fault [man error::fault]");
		return 0;
	}
	return c->regs->r[n];
}

static sp_bool is_load_size(struct sp_ctx *c, sp_i64 size)
{
	struct sp_text t;

	if (size == 1 || size == 2 || size == 4 || size == 8)
		return 1;
	if (c->error)
		return 0;
	sp_text_for_error(&t, c);
	if (size < 0)
		sp_text_puts(&t, "-");
	sp_text_u64(&t, size < 0 ? -(sp_u64)size : (sp_u64)size, 10);
	sp_text_puts(&t, " is no size of a load; 1, 2, 4 and 8 are");
	sp_text_error(&t);
	return 0;
}

sp_i64 sp_uderef(struct sp_ctx *c, sp_i64 size, sp_uaddr addr)
{
	return is_load_size(c, size) ? (sp_i64)sp_load(c, addr, size) : 0;
}

/* No event of ours interrupts the kernel, so there are none. */
sp_i64 sp_kregister(struct sp_ctx *c, sp_i64 n)
{
	(void)n;
	sp_error(c, "register access fault [man error::fault]");
	return 0;
}

sp_i64 sp_kderef(struct sp_ctx *c, sp_i64 size, sp_uaddr addr)
{
	sp_u64 v = 0;			/* little-endian: the low bytes come first */

	if (!is_load_size(c, size))
		return 0;
	if (!sp_plat_peek_kernel(c, &v, addr, size))
		sp_error_addr(c, "read fault [man error::fault] at ", addr, "");
	return v;
}

struct sp_str sp_enum_name(struct sp_ctx *c, sp_i64 v, const struct sp_enumerator *rows, sp_u32 n)
{
	struct sp_text t;
	sp_u32 i;

	for (i = 0; i < n; i++)
		if (rows[i].value == v)
			return sp_str_make(rows[i].name, SP_MIN(sp_text_len(rows[i].name), (sp_size)sp_str_max()));
	sp_text_arena(&t, c);
	if (v < 0)
		sp_text_puts(&t, "-");
	sp_text_u64(&t, v < 0 ? -(sp_u64)v : (sp_u64)v, 10);
	return sp_text_end(&t);
}
