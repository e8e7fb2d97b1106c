/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stubs: the hooks of a window's points between its moved instructions, then the way back.
 *
 * A hook keeps the red zone, rax and the flags on the target's stack, and calls the agent with its descriptor's address
 * (entry.S takes it from there).  At function entries and exits flags are kept by lahf and seto, which is quicker than
 * pushfq but does not keep the direction flag; inside a function it may be set, so there pushfq is used and it is cleared.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "spilerun/user/stub.h"

#define HOOK_MAX 80			/* bytes of one hook */
#define INSN_MAX 24			/* bytes of one moved instruction: a call becomes push, mov, jmp */
#define JUMP_LEN 5
#define HEAD_MAX (sizeof(struct sp_user_plot) + 64 - sizeof(struct sp_user_plot) % 64)

struct writer {
	const struct object *o;
	uint8_t *start, *at;
	uint64_t addr;			/* of start in the target */
	uint64_t bias;
	uint64_t common, common_fp;	/* jumps to the agent */
	uint64_t armed;			/* address of the conditions' words in the target */
	const struct plan *plan;
	uint64_t *stubs;		/* of each window, once written; 0 before */
};

static uint64_t here(const struct writer *w)
{
	return w->addr + (uint64_t)(w->at - w->start);
}

static void put(struct writer *w, const void *bytes, size_t n)
{
	memcpy(w->at, bytes, n);
	w->at += n;
}

static void put_u32(struct writer *w, uint32_t v)
{
	put(w, &v, 4);
}

/* An opcode whose last four bytes are the distance to @target. */
static void put_rel32(struct writer *w, const void *opcode, size_t n, uint64_t target)
{
	put(w, opcode, n);
	put_u32(w, (uint32_t)(target - (here(w) + 4)));
}

static void put_jump(struct writer *w, uint64_t target)
{
	put_rel32(w, "\xe9", 1, target);
}

/* Where a branch to link-time address @link_addr is to go: to the stub of a block that is no longer reached. */
static uint64_t destination(const struct writer *w, uint64_t link_addr)
{
	size_t lo = 0, hi = w->plan->nwindows;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (w->plan->windows[mid].addr < link_addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < w->plan->nwindows && w->plan->windows[lo].addr == link_addr && w->plan->windows[lo].means == PLAN_REDIRECTED)
		return w->stubs[lo];
	return link_addr + w->bias;
}

/* ---- hooks ---------------------------------------------------------------------------------------- */

static void put_call_agent(struct writer *w, uint64_t desc, bool pushfq, bool fp)
{
	put(w, "\x50", 1);					/* push %rax */
	if (pushfq)
		put(w, "\x9c\xfc", 2);				/* pushfq; cld */
	else
		put(w, "\x9f\x0f\x90\xc0\x50", 5);		/* lahf; seto %al; push %rax */
	put_rel32(w, "\x48\x8d\x05", 3, desc);			/* lea desc(%rip), %rax */
	put_rel32(w, "\xe8", 1, fp ? w->common_fp : w->common);
	if (pushfq)
		put(w, "\x9d", 1);				/* popfq */
	else
		put(w, "\x58\x04\x7f\x9e", 4);			/* pop %rax; add $0x7f, %al; sahf */
	put(w, "\x58", 1);					/* pop %rax */
}

/* The distance of a short branch whose last byte is at @from. */
static void set_short(const struct writer *w, uint8_t *from)
{
	*from = (uint8_t)(w->at - (from + 1));
}

/*
 * A hook whose probes have a condition looks at its word first, in a way that leaves the flags alone: a hit while it does
 * not hold costs eight instructions.
 */
static void put_hook(struct writer *w, uint64_t desc, bool pushfq, bool fp, bool conditional)
{
	uint8_t *disarmed, *over;

	put(w, "\x48\x8d\x64\x24\x80", 5);			/* lea -128(%rsp), %rsp */
	if (!conditional) {
		put_call_agent(w, desc, pushfq, fp);
	} else {
		put(w, "\x51", 1);				/* push %rcx */
		put_rel32(w, "\x48\x8b\x0d", 3, desc + offsetof(struct sp_user_desc, armed));	/* mov armed(%rip), %rcx */
		put(w, "\x8b\x09\xe3\x00", 4);			/* mov (%rcx), %ecx; jrcxz disarmed */
		disarmed = w->at - 1;
		put(w, "\x59", 1);				/* pop %rcx */
		put_call_agent(w, desc, pushfq, fp);
		put(w, "\xeb\x00", 2);				/* jmp over */
		over = w->at - 1;
		set_short(w, disarmed);
		put(w, "\x59", 1);				/* disarmed: pop %rcx */
		set_short(w, over);
	}
	put(w, "\x48\x8d\xa4\x24\x80\x00\x00\x00", 8);		/* over: lea 128(%rsp), %rsp */
}

/* ---- moved instructions ----------------------------------------------------------------------------- */

/* The instruction's own bytes, with an rip operand's displacement changed for the new place. */
static uint8_t *put_copy(struct writer *w, const uint8_t *p, const struct insn *i, uint64_t from)
{
	uint8_t *copy = w->at;
	uint64_t to = here(w);
	int32_t disp;

	put(w, p, i->len);
	if (i->disp_off) {
		memcpy(&disp, p + i->disp_off, 4);
		disp = (int32_t)((uint64_t)(int64_t)disp + from - to);
		memcpy(copy + i->disp_off, &disp, 4);
	}
	return copy;
}

/* A call returns to where it always did, so that nobody who looks at the stack meets a stub. */
static void put_call(struct writer *w, const uint8_t *p, const struct insn *i, uint64_t from)
{
	uint64_t ret = from + i->len;

	put(w, "\x68", 1);					/* push $low (sign-extended) */
	put_u32(w, (uint32_t)ret);
	put(w, "\xc7\x44\x24\x04", 4);				/* movl $high, 4(%rsp) */
	put_u32(w, (uint32_t)(ret >> 32));
	if (i->relative) {
		put_jump(w, i->target + w->bias);
		return;
	}
	/* call *operand (/2 in the ModRM byte's reg field) becomes jmp *operand (/4): two bits change */
	put_copy(w, p, i, from)[i->modrm_off] ^= 6 << 3;
}

static void put_jcc(struct writer *w, const uint8_t *p, const struct insn *i, uint64_t target)
{
	uint8_t condition = p[i->len == 2 ? 0 : i->len - 5] & 0x0f;
	uint8_t opcode[2] = { 0x0f, 0x80 | condition };

	put_rel32(w, opcode, 2, target);
}

/* The instruction at link-time address @addr, moved to where the writer stands. */
static void put_moved(struct writer *w, const uint8_t *p, const struct insn *i, uint64_t addr)
{
	uint64_t from = addr + w->bias;

	if (i->class == INSN_CALL)
		put_call(w, p, i, from);
	else if (i->class == INSN_JCC && i->relative)
		put_jcc(w, p, i, destination(w, i->target));
	else if (i->class == INSN_JMP && i->relative)
		put_jump(w, destination(w, i->target));
	else
		put_copy(w, p, i, from);
}

/* ---- windows ----------------------------------------------------------------------------------------- */

static bool inside_function(const struct plan_point *p)
{
	return p->kind == SP_SITE_PLACE || p->kind == SP_SITE_MARK || p->kind == SP_SITE_TAIL;
}

static void fill_desc(struct sp_user_desc *d, const struct plan_point *p, const struct writer *w)
{
	uint64_t bias = w->bias;

	d->run_addr = p->addr + bias;
	d->bias = bias;
	d->site = p->site;
	d->nsites = p->nsites;
	d->hook = p->hook;
	d->flags = inside_function(p) ? SP_DESC_PUSHFQ : 0;
	d->armed = p->condition ? w->armed + (p->condition - 1) * sizeof(uint32_t) : 0;
}

/*
 * A tail call that depends on a condition: the hook runs only where it is taken.
 * jncc over; hook; jmp target; over:
 */
static void put_conditional_tail(struct writer *w, const uint8_t *p, const struct insn *i, const struct plan_point *point,
				 uint64_t desc)
{
	uint8_t condition = (p[i->len == 2 ? 0 : i->len - 5] & 0x0f) ^ 1;
	uint8_t opcode[2] = { 0x0f, 0x80 | condition }, *over;
	uint32_t distance;

	put(w, opcode, 2);
	over = w->at;
	put_u32(w, 0);
	put_hook(w, desc, inside_function(point), point->fp, point->condition);
	put_jump(w, i->target + w->bias);
	distance = (uint32_t)(w->at - (over + 4));
	memcpy(over, &distance, 4);
}

/* The call itself is made in the stub, to learn of its failure; success never returns. */
static void put_exec(struct writer *w, const struct plan_window *win, const uint8_t *p, uint64_t desc)
{
	for (uint32_t i = 0; i < win->npoints; i++, desc += sizeof(struct sp_user_desc)) {
		const struct plan_point *pt = &w->plan->points[win->point + i];

		put_hook(w, desc, inside_function(pt), pt->fp, pt->condition);
	}
	put(w, p, 7);						/* mov $nr, %eax; syscall */
	put_hook(w, desc, true, false, false);
	put_jump(w, win->addr + 7 + w->bias);
}

/* Descriptors of a window's points lie in the order of the points. */
static void put_window(struct writer *w, const struct plan *plan, const struct plan_window *win, uint64_t desc)
{
	size_t left;
	const uint8_t *p = object_at(w->o, win->addr, &left);
	struct insn i = { 0 };
	uint32_t point = win->point, end = win->point + win->npoints;

	if (win->means == PLAN_EXEC) {
		put_exec(w, win, p, desc);
		return;
	}
	for (uint64_t addr = win->addr; addr < win->end; addr += i.len, p += i.len, left -= i.len) {
		bool moved = false;

		if (!insn_decode(p, left, addr, &i))
			return;		/* cannot be: the plan decoded it */
		for (; point < end && plan->points[point].at == addr; point++, desc += sizeof(struct sp_user_desc)) {
			const struct plan_point *pt = &plan->points[point];

			if (pt->kind == SP_SITE_TAIL && i.class == INSN_JCC) {
				put_conditional_tail(w, p, &i, pt, desc);
				moved = true;
			} else {
				put_hook(w, desc, inside_function(pt), pt->fp, pt->condition);
			}
		}
		if (!moved)
			put_moved(w, p, &i, addr);
	}
	if (i.class != INSN_RET && i.class != INSN_JMP)
		put_jump(w, destination(w, win->end));
}

/* ---- the plot ----------------------------------------------------------------------------------------- */

static size_t descs_needed(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nwindows; i++)
		n += plan->windows[i].npoints + (plan->windows[i].means == PLAN_EXEC);
	return n;
}

static size_t code_needed(const struct plan *plan)
{
	size_t n = 64;

	for (size_t i = 0; i < plan->nwindows; i++) {
		const struct plan_window *w = &plan->windows[i];

		n += 2 * HOOK_MAX + w->npoints * (HOOK_MAX + 16) + (w->end - w->addr) * 12 + INSN_MAX;
	}
	return n;
}

static size_t traps_needed(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nwindows; i++)
		n += plan->windows[i].means == PLAN_TRAP;
	return n;
}

static size_t patches_needed(const struct plan *plan, size_t ngates)
{
	return 2 * plan->nwindows + ngates;
}

size_t plot_room(const struct plan *plan, size_t ngates)
{
	size_t n = HEAD_MAX + descs_needed(plan) * sizeof(struct sp_user_desc) + code_needed(plan) +
		   patches_needed(plan, ngates) * sizeof(struct sp_user_patch) +
		   traps_needed(plan) * sizeof(struct sp_user_trap);

	return (n + 4095) & ~(size_t)4095;
}

/* Notes the bytes at @link_addr in the book and the jump that will cover them. */
static void add_jump(struct plot *plot, const struct object *o, uint64_t link_addr, uint64_t bias, uint8_t len,
		     uint64_t target)
{
	struct sp_user_plot *head = (void *)plot->bytes;
	struct sp_user_patch *patch = plot_book(plot) + head->npatches++;
	struct plot_jump *j = &plot->jumps[plot->njumps++];
	size_t left;
	const uint8_t *p = object_at(o, link_addr, &left);
	int32_t rel = (int32_t)(target - (link_addr + bias + len));

	patch->run_addr = j->run_addr = link_addr + bias;
	patch->kind = SP_PATCH_CODE;
	patch->len = j->len = len;
	memcpy(patch->bytes, p, len);
	j->bytes[0] = len == 1 ? 0xcc : len == 2 ? 0xeb : 0xe9;
	memcpy(j->bytes + 1, &rel, len - 1u);
}

static void add_trap(struct plot *plot, uint64_t run_addr, uint64_t stub)
{
	struct sp_user_plot *head = (void *)plot->bytes;
	struct sp_user_trap *traps = (void *)(plot->bytes + (head->traps - plot->addr));

	traps[head->ntraps++] = (struct sp_user_trap){ run_addr, stub };
}

static void put_common(struct writer *w, uint64_t entry)
{
	put(w, "\xff\x25\x00\x00\x00\x00", 6);			/* jmp *0(%rip) */
	put(w, &entry, 8);
}

/* One window's descriptors and stub; the jump to it, unless ways lead there. */
static struct sp_user_desc *put_one(struct plot *plot, struct writer *w, const struct plan_window *win, struct sp_user_desc *desc)
{
	uint64_t stub = here(w), desc_addr = plot->addr + (uint64_t)((uint8_t *)desc - plot->bytes);

	w->stubs[win - w->plan->windows] = stub;
	for (uint32_t k = 0; k < win->npoints; k++)
		fill_desc(desc++, &w->plan->points[win->point + k], w);
	if (win->means == PLAN_EXEC)
		*desc++ = (struct sp_user_desc){ .run_addr = win->addr + w->bias, .bias = w->bias,
						 .hook = SP_HOOK_EXEC_FAILED, .flags = SP_DESC_PUSHFQ };
	put_window(w, w->plan, win, desc_addr);
	if (win->means == PLAN_REDIRECTED)
		return desc;
	if (win->means == PLAN_TRAP) {
		add_trap(plot, win->addr + w->bias, stub);
		add_jump(plot, w->o, win->addr, w->bias, 1, stub);
		return desc;
	}
	if (win->hop)
		add_jump(plot, w->o, win->hop, w->bias, JUMP_LEN, stub);
	add_jump(plot, w->o, win->addr, w->bias, win->hop ? 2 : JUMP_LEN, win->hop ? win->hop + w->bias : stub);
	return desc;
}

/* Blocks that others lead to come first, so that their stubs are known. */
static void put_windows(struct plot *plot, struct writer *w, struct sp_user_desc *desc)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < w->plan->nwindows; i++)
			if ((w->plan->windows[i].means == PLAN_REDIRECTED) == (pass == 0))
				desc = put_one(plot, w, &w->plan->windows[i], desc);
}

int plot_make(struct plot *plot, const struct object *o, const struct plan *plan, uint64_t bias, uint64_t addr,
	      uint64_t entry, uint64_t entry_fp, uint64_t armed, uint32_t object, size_t ngates)
{
	struct sp_user_plot *head;
	size_t descs = HEAD_MAX, code = descs + descs_needed(plan) * sizeof(struct sp_user_desc);
	size_t book = (code + code_needed(plan) + 7) & ~(size_t)7;
	struct writer w = { .o = o, .bias = bias, .plan = plan, .armed = armed, .stubs = calloc(plan->nwindows + 1, 8) };

	*plot = (struct plot){ .size = plot_room(plan, ngates), .addr = addr };
	plot->bytes = calloc(1, plot->size);
	plot->jumps = calloc(2 * plan->nwindows + 1, sizeof(*plot->jumps));
	if (!plot->bytes || !plot->jumps || !w.stubs) {
		free(w.stubs);
		plot_free(plot);
		return -1;
	}
	head = (void *)plot->bytes;
	*head = (struct sp_user_plot){ .size = plot->size, .bias = bias, .patches = addr + book, .object = object,
				       .code = addr + code, .code_end = addr + book,
				       .traps = addr + book + patches_needed(plan, ngates) * sizeof(struct sp_user_patch) };
	w.start = w.at = plot->bytes + code;
	w.addr = addr + code;
	w.common = here(&w);
	put_common(&w, entry);
	w.common_fp = here(&w);
	put_common(&w, entry_fp);
	put_windows(plot, &w, (void *)(plot->bytes + descs));
	free(w.stubs);
	return 0;
}

void plot_free(struct plot *plot)
{
	free(plot->bytes);
	free(plot->jumps);
	*plot = (struct plot){ 0 };
}
