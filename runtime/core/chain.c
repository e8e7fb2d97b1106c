/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls that led to a hit.  Start reading at walk().
 *
 * A chain is made when it is first asked for and kept for the rest of the hit, at the low end of the context's arena, so
 * that a handler which has to run again finds it there.  It is made with no lock held, where that can be: the tables and the
 * stack may have to be brought in.
 */
#include "unwind.h"

struct sp_chain {
	sp_u32 n;
	sp_u32 pad;
	struct sp_unwinder unwinder;
	struct sp_frame frame;
	sp_uaddr base;			/* of the object that the next two are for */
	sp_bool is_mapped;		/* it has a table in the process's memory */
	struct sp_frame_table table;
	struct sp_call calls[];
};
_Static_assert(sizeof(struct sp_chain) <= SP_CHAIN_HEAD && sizeof(struct sp_call) == 16, "sp_chain_bytes() is enough");

/* ---- walking ---- */

/* The mapping that the frame runs in; false: it is in none, or in one that cannot be run. */
static sp_bool place_of_frame(struct sp_ctx *c, const struct sp_frame *f, struct sp_module *m)
{
	return sp_plat_module(c, f->pc - f->is_call, 1, m) == SP_YES && m->executable;
}

/* By the object's rows: those that the process has sorted, else those that only its file has. */
static enum sp_unwound step_by_rows(struct sp_ctx *c, struct sp_chain *ch, const struct sp_module *m)
{
	enum sp_unwound done = SP_UNWOUND_NO_ROW;
	const struct sp_symbols *symbols;
	struct sp_frame_table copied;

	if (!m->base)
		return done;
	if (m->base != ch->base) {
		ch->is_mapped = sp_frame_table_find(c, m->base, m->limit, &ch->table);
		ch->base = m->base;
	}
	if (ch->is_mapped)
		done = sp_unwind_step(&ch->unwinder, &ch->table, &ch->frame);
	if (done == SP_UNWOUND_NO_ROW && m->file && sp_plat_symbols(c, m->file, 1, &symbols) == SP_YES &&
	    sp_frame_table_copy(symbols, m->base, &copied))
		done = sp_unwind_step(&ch->unwinder, &copied, &ch->frame);
	return done;
}

static sp_bool step(struct sp_ctx *c, struct sp_chain *ch, const struct sp_module *m)
{
	enum sp_unwound done = step_by_rows(c, ch, m);

	if (done == SP_UNWOUND_NO_ROW)
		done = sp_unwind_signal(&ch->unwinder, &ch->frame);
	if (done == SP_UNWOUND_NO_ROW)
		done = sp_unwind_by_fp(&ch->unwinder, &ch->frame);
	return done == SP_UNWOUND;
}

/* From the frame in @ch to the outermost, or as far as MAXBACKTRACE lets.  A return address into nowhere ends it. */
static void walk(struct sp_ctx *c, struct sp_chain *ch)
{
	struct sp_module m;

	ch->unwinder.c = c;
	ch->unwinder.abi = SP_UNWIND_ABI;
	ch->base = 0;
	ch->n = 0;
	do {
		sp_bool is_somewhere;

		sp_plat_frame(c, &ch->frame);
		is_somewhere = place_of_frame(c, &ch->frame, &m);
		if (ch->n && !is_somewhere)
			return;
		ch->calls[ch->n].pc = ch->frame.pc;
		ch->calls[ch->n].is_call = ch->frame.is_call;
		ch->n++;
		if (!is_somewhere)
			m.base = 0;
	} while (ch->n < sp_script.limits.maxbacktrace && step(c, ch, &m));
}

static struct sp_chain *chain_of(struct sp_ctx *c)
{
	return (struct sp_chain *)c->arena;
}

void sp_chain_make(struct sp_ctx *c)
{
	struct sp_chain *ch = chain_of(c);
	unsigned i;

	if (c->chain_made)
		return;
	for (i = 0; i < SP_FRAME_REGS; i++)
		ch->frame.r[i] = c->regs->r[i];
	ch->frame.known = (1ULL << SP_UNWIND_ABI->nregs) - 1;
	ch->frame.pc = c->regs->r[SP_REGS_PC];
	ch->frame.is_call = 0;
	walk(c, ch);
	c->chain_made = 1;
}

sp_bool sp_chain_get(struct sp_ctx *c, const struct sp_call **calls, sp_u32 *n)
{
	*n = 0;
	if (!c->regs || c->error)
		return 0;
	if (!c->chain_made && !sp_may_wait(c)) {
		sp_leave_for(c, SP_RETRY_CHAIN, 0);
		return 0;
	}
	sp_chain_make(c);
	*calls = chain_of(c)->calls;
	*n = chain_of(c)->n;
	return 1;
}

/* A chain from where the script says takes the place of the hit's own. */
sp_bool sp_chain_from(struct sp_ctx *c, sp_uaddr pc, sp_uaddr sp, sp_uaddr fp, const struct sp_call **calls, sp_u32 *n)
{
	struct sp_chain *ch = chain_of(c);
	const struct sp_unwind_abi *abi = SP_UNWIND_ABI;

	*n = 0;
	if (!c->regs || c->error)
		return 0;
	c->chain_made = 0;
	ch->frame.known = 1ULL << abi->sp | 1ULL << abi->fp;
	ch->frame.r[abi->sp] = sp;
	ch->frame.r[abi->fp] = fp;
	ch->frame.pc = pc;
	ch->frame.is_call = 0;
	walk(c, ch);
	*calls = ch->calls;
	*n = ch->n;
	return 1;
}

/* ---- what scripts ask for ---- */

sp_i64 sp_chain_pc(struct sp_ctx *c, sp_i64 level)
{
	const struct sp_call *calls;
	struct sp_text t;
	sp_u32 n;

	sp_chain_get(c, &calls, &n);
	if (level >= 0 && level < n)
		return calls[level].pc;
	if (c->error)
		return 0;
	sp_text_for_error(&t, c);
	sp_text_puts(&t, "reached end of stack before unwinding to level ");
	if (level < 0)
		sp_text_puts(&t, "-");
	sp_text_u64(&t, level < 0 ? -(sp_u64)level : (sp_u64)level, 10);
	sp_text_error(&t);
	return 0;
}

/* Addresses that do not fit in whole are left out. */
static struct sp_str addresses(struct sp_ctx *c, const struct sp_call *calls, sp_u32 n)
{
	char one[24], *end = one + sizeof(one);
	struct sp_text t;
	sp_u32 i;

	sp_text_arena(&t, c);
	for (i = 0; i < n; i++) {
		char *at = sp_digits(end, calls[i].pc, 16, 0);

		*--at = 'x';
		*--at = '0';
		if (i)
			*--at = ' ';
		if (end - at > (sp_i64)(t.size - t.n)) {
			t.cut = 1;
			break;
		}
		sp_text_put(&t, at, end - at);
	}
	return sp_text_end(&t);
}

struct sp_str sp_chain_addresses(struct sp_ctx *c)
{
	const struct sp_call *calls;
	sp_u32 n;

	if (!sp_chain_get(c, &calls, &n))
		return c->error ? SP_EMPTY : sp_no_chain(c);
	return addresses(c, calls, n);
}

struct sp_str sp_chain_callers(struct sp_ctx *c, sp_i64 levels)
{
	const struct sp_call *calls;
	sp_u32 n;

	if (levels >= 0)
		sp_chain_pc(c, levels);		/* fewer than that are a mistake */
	if (c->error || !sp_chain_get(c, &calls, &n))
		return SP_EMPTY;
	return addresses(c, calls, levels < 0 ? n : (sp_u32)levels + 1);
}
