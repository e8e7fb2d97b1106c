/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planning windows, function by function.  See plan.h; plan_make() is the place to start.
 *
 * For each point the means are tried from the cheapest: straight code, over conditional jumps, on into padding, both;
 * starting at the point itself, then before it.  A window that would meet its neighbour's is joined with it.  Then
 * comes a short jump to padding nearby, for returns the jumps that lead there (redirect.c), and last a breakpoint.  What
 * is left is refused with its reason.
 *
 * A window holds at most one branch that leaves it, as its last instruction.  It never holds the address behind a call or
 * a system call, since a thread may return there.
 */
#include <stdlib.h>
#include <string.h>

#include "spilerun/user/planner.h"

#define HOP_LEN 2
#define HOP_REACH 160			/* of a short jump, and what may be in its way */
#define PAD_MAX 64			/* bytes of padding looked at behind a function */

/* ---- decoding ------------------------------------------------------------------------------------ */

/* Whether the byte at @addr belongs to no section: fill before the next one. */
static bool is_fill(const struct object *o, uint64_t addr)
{
	if (!o->shdr)
		return false;
	for (int i = 0; i < o->ehdr->e_shnum; i++)
		if (o->shdr[i].sh_flags & SHF_ALLOC && addr - o->shdr[i].sh_addr < o->shdr[i].sh_size)
			return false;
	return true;
}

/* Where the padding behind @f ends: at the next function, the segment's end, or the first byte that is none. */
static uint32_t padded_size(struct planner *pl, const struct function *f)
{
	const struct object *o = pl->body.o;
	size_t left, index = (size_t)(f - o->functions);
	const uint8_t *p = object_at(o, f->lo, &left);
	uint64_t size = f->hi - f->lo, limit = size + PAD_MAX;
	struct insn insn;

	if (!p || size > left || size > UINT32_MAX / 2)
		return 0;
	if (index + 1 < o->nfunctions && o->functions[index + 1].lo - f->lo < limit)
		limit = o->functions[index + 1].lo - f->lo;
	if (limit > left)
		limit = left;
	while (size < limit) {
		if (p[size] == 0xcc || is_fill(o, f->lo + size)) {
			size++;
			continue;
		}
		if (!insn_decode(p + size, limit - size, f->lo + size, &insn) || insn.class != INSN_NOP)
			break;
		size += insn.len;
	}
	return (uint32_t)size;
}

static int add_insn(struct body *b, struct insn insn)
{
	if (b->n == b->room) {
		size_t room = b->room ? 2 * b->room : 4096;
		struct insn *insns = realloc(b->insns, room * sizeof(insn));

		if (!insns)
			return -1;
		b->insns = insns;
		b->room = room;
	}
	b->insns[b->n++] = insn;
	return 0;
}

/* Decodes the function and notes its own short jumps.  An undecodable byte ends nothing: it is an instruction that cannot move. */
static int body_decode(struct planner *pl, const struct function *f)
{
	struct body *b = &pl->body;
	size_t left;

	b->f = f;
	b->lo = f->lo;
	b->size = padded_size(pl, f);
	b->bytes = object_at(b->o, f->lo, &left);
	b->marks = marks_at(&pl->marks, f->lo, &left);
	b->n = 0;
	if (!b->marks)
		b->size = 0;
	for (uint32_t at = 0; at < b->size;) {
		struct insn insn = { .len = 1, .class = INSN_BAD };

		if (at >= f->hi - f->lo && (b->bytes[at] == 0xcc || is_fill(b->o, b->lo + at)))
			insn.class = INSN_NOP;
		else if (!insn_decode(b->bytes + at, b->size - at, b->lo + at, &insn))
			insn = (struct insn){ .len = 1, .class = INSN_BAD };
		insn.off = at;
		if (insn.relative)
			marks_branch(&pl->marks, b->lo + at, insn.target);
		if (add_insn(b, insn))
			return -1;
		at += insn.len;
	}
	return 0;
}

size_t insn_at(const struct body *b, uint64_t addr)
{
	size_t lo = 0, hi = b->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (b->lo + b->insns[mid].off < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < b->n && b->lo + b->insns[lo].off == addr ? lo : b->n;
}

/* ---- windows ------------------------------------------------------------------------------------- */

/* No byte of (from, to) may be arrived at, nor hold a jump of ours. */
bool bytes_are_free(const struct body *b, uint32_t from, uint32_t to)
{
	if (to > b->size)
		return false;
	for (uint32_t at = from; at < to; at++)
		if (b->marks[at] & (at == from ? MARK_USED : MARK_TARGET | MARK_USED))
			return false;
	return true;
}

/* Whether instructions @j to @k can move together. */
bool run_is_movable(const struct body *b, size_t j, size_t k, bool jcc)
{
	for (size_t m = j; m <= k; m++) {
		enum insn_class class = b->insns[m].class;

		if (class == INSN_BAD)
			return false;
		if (m < k && class != INSN_PLAIN && class != INSN_NOP && !(jcc && class == INSN_JCC))
			return false;
	}
	return true;
}

/*
 * The shortest end for a window that starts at instruction @j and holds @i: returns its last instruction, or b->n.
 * @room: bytes that the jump needs.
 */
static size_t window_end(const struct body *b, size_t j, size_t i, uint32_t room, bool jcc, bool padding)
{
	uint32_t start = b->insns[j].off;

	for (size_t k = i; k < b->n && insn_end(b, k) - start <= WINDOW_MAX; k++) {
		uint32_t end = insn_end(b, k);

		if (!run_is_movable(b, j, k, jcc))
			return b->n;
		if (end - start >= room)
			return bytes_are_free(b, start, end) ? k : b->n;
		if (!is_terminal(&b->insns[k]))
			continue;
		if (!padding)
			return b->n;
		for (size_t m = k + 1; m < b->n && insn_end(b, m - 1) - start < room; m++)
			if (b->insns[m].class != INSN_NOP || b->marks[b->insns[m].off] & MARK_TARGET)
				return b->n;
		return bytes_are_free(b, start, start + room) ? k : b->n;
	}
	return b->n;
}

/* The best window for instruction @i that starts at @floor (an offset) or behind it. */
bool choose(const struct body *b, size_t i, uint32_t floor, uint32_t room, struct choice *c)
{
	for (int pass = 0; pass < 4; pass++)
		for (size_t j = i + 1; j-- > 0;) {
			size_t k;

			if (b->insns[j].off < floor || insn_end(b, i) - b->insns[j].off > WINDOW_MAX / 2)
				break;
			k = window_end(b, j, i, room, pass & 1, pass & 2);
			if (k < b->n) {
				*c = (struct choice){ j, k, PLAN_BLOCK + (enum plan_means)pass };
				return true;
			}
		}
	return false;
}

/* Behind the last byte that is moved or written over. */
static uint64_t taken_end(const struct plan_window *w)
{
	return w->hop || w->means == PLAN_TRAP || w->end > w->addr + JUMP_LEN ? w->end : w->addr + JUMP_LEN;
}

/* Whether five bytes at @addr are padding that no one uses, near enough for a short jump at @from. */
static bool padding_serves(struct planner *pl, uint64_t addr, uint64_t from)
{
	size_t n;
	const uint8_t *m = marks_at(&pl->marks, addr, &n);
	int64_t distance = (int64_t)(addr - (from + HOP_LEN));

	if (!m || n < JUMP_LEN || distance < -128 || distance > 127)
		return false;
	/* windows of this function bear no marks yet, since neighbours may still join them */
	for (size_t i = pl->first; i < pl->plan->nwindows; i++)
		if (addr < taken_end(&pl->plan->windows[i]) && addr + JUMP_LEN > pl->plan->windows[i].addr)
			return false;
	for (int i = 0; i < JUMP_LEN; i++)
		if (!(m[i] & MARK_WANTED) || m[i] & (MARK_TARGET | MARK_USED))
			return false;
	return true;
}

/*
 * Padding in [lo, hi): no-operations behind an instruction that never falls through.  Decoding starts at @lo, which is
 * the start of an instruction.  Link-time address, or 0.
 */
static uint64_t padding_between(struct planner *pl, uint64_t lo, uint64_t hi, uint64_t from)
{
	bool after_end = false;
	uint64_t run = 0;

	while (lo < hi) {
		size_t left;
		const uint8_t *p = object_at(pl->body.o, lo, &left);
		struct insn insn = { .len = 1, .class = INSN_NOP };

		if (!p || (*p != 0xcc && !insn_decode(p, left, lo, &insn)))
			return 0;
		if (insn.class == INSN_NOP && after_end) {
			run = run ? run : lo;
			if (lo + insn.len - run >= JUMP_LEN && padding_serves(pl, run, from))
				return run;
		} else {
			run = 0;
			after_end = is_terminal(&insn);
		}
		lo += insn.len;
	}
	return 0;
}

/*
 * Five bytes of padding that a short jump at @from reaches: in or behind a function nearby, or in code between two of
 * them that no unwind table covers (start-up code).  Link-time address, or 0.
 */
static uint64_t find_padding(struct planner *pl, uint64_t from)
{
	const struct object *o = pl->body.o;
	size_t at = (size_t)(pl->body.f - o->functions), first = at;

	while (first && o->functions[first].hi + HOP_REACH > from)
		first--;
	for (size_t i = first; i < o->nfunctions && o->functions[i].lo < from + HOP_REACH; i++) {
		uint64_t end = i + 1 < o->nfunctions ? o->functions[i + 1].lo : o->functions[i].hi + PAD_MAX;
		uint64_t lo = o->functions[i].lo, pad;

		if (end - lo > 1 << 20)
			continue;	/* too long to be decoded for this */
		pad = padding_between(pl, lo, end, from);
		if (pad)
			return pad;
	}
	return 0;
}

/* ---- one function's points ------------------------------------------------------------------------ */

static struct plan_window *last_window(struct planner *pl)
{
	struct plan_window *w = pl->plan->nwindows ? &pl->plan->windows[pl->plan->nwindows - 1] : NULL;

	return w && w->addr >= pl->body.lo ? w : NULL;
}

int add_window(struct planner *pl, struct plan_window w)
{
	struct plan *plan = pl->plan;

	if (plan->nwindows == pl->window_room) {
		size_t room = pl->window_room ? 2 * pl->window_room : 64;
		struct plan_window *windows = realloc(plan->windows, room * sizeof(w));

		if (!windows)
			return -1;
		plan->windows = windows;
		pl->window_room = room;
	}
	plan->windows[plan->nwindows++] = w;
	return 0;
}

void take_bytes(struct body *b, const struct plan_window *w, bool take)
{
	for (uint64_t at = w->addr, end = taken_end(w); at < end && at - b->lo < b->size; at++) {
		if (take)
			b->marks[at - b->lo] |= MARK_USED;
		else
			b->marks[at - b->lo] &= (uint8_t)~MARK_USED;
	}
}

/* Joins instruction @i to the last window, where both fit in one. */
static bool join(struct planner *pl, size_t i)
{
	struct body *b = &pl->body;
	struct plan_window *w = last_window(pl);
	size_t first, k;

	if (!w || b->insns[i].off + b->lo - w->addr > WINDOW_MAX)
		return false;
	if (w->means == PLAN_EXEC && b->lo + b->insns[i].off != w->addr)
		return false;
	if (b->lo + b->insns[i].off < w->end) {
		w->npoints++;
		return true;
	}
	first = insn_at(b, w->addr);
	if (first == b->n)
		return false;
	k = window_end(b, first, i, w->hop ? HOP_LEN : JUMP_LEN, true, true);
	if (k == b->n)
		return false;
	w->end = b->lo + insn_end(b, k);
	if (!w->hop)
		w->means = PLAN_SHARED;
	w->npoints++;
	return true;
}

static int hop(struct planner *pl, size_t i, uint32_t floor, uint32_t point, bool *done)
{
	struct body *b = &pl->body;
	struct choice c;
	uint64_t pad;
	size_t left;

	*done = false;
	if (!choose(b, i, floor, HOP_LEN, &c))
		return 0;
	pad = find_padding(pl, b->lo + b->insns[c.first].off);
	if (!pad)
		return 0;
	memset(marks_at(&pl->marks, pad, &left), MARK_USED | MARK_WANTED, JUMP_LEN);
	*done = true;
	return add_window(pl, (struct plan_window){ b->lo + b->insns[c.first].off, b->lo + insn_end(b, c.last), pad,
						     point, 1, PLAN_HOP });
}

static bool is_endbr(const struct body *b, size_t i)
{
	return b->insns[i].len == 4 && !memcmp(b->bytes + b->insns[i].off, "\xf3\x0f\x1e\xfa", 4);
}

static const char *refusal(const struct body *b, size_t i)
{
	if (b->insns[i].class == INSN_BAD)
		return "the instruction cannot be moved";
	if (b->marks[b->insns[i].off] & MARK_USED)
		return "a jump of another probe lies there";
	return "no room for a jump: code arrives too close to it";
}

/* A `mov $nr, %eax' before a system call is an instruction of five bytes, which is a window by itself. */
static int plan_exec(struct planner *pl, uint32_t index)
{
	struct plan_point *p = &pl->plan->points[index];
	struct plan_window *w = pl->plan->nwindows ? &pl->plan->windows[pl->plan->nwindows - 1] : NULL;

	p->at = p->addr;
	if (w && p->addr == w->addr && w->end >= p->addr + JUMP_LEN && !w->hop) {
		w->means = PLAN_EXEC;	/* a function that starts with it */
		w->end = p->addr + JUMP_LEN;
		w->npoints++;
		return 0;
	}
	if (w && p->addr >= w->addr && p->addr < w->end) {
		p->refused = "it lies in the window of another probe";
		return 0;
	}
	return add_window(pl, (struct plan_window){ p->addr, p->addr + JUMP_LEN, 0, index, 1, PLAN_EXEC });
}

/* Plans point @index, whose neighbours before it are planned already. */
static int plan_point(struct planner *pl, uint32_t index)
{
	struct body *b = &pl->body;
	struct plan_point *p = &pl->plan->points[index];
	struct plan_window *w = last_window(pl);
	size_t i = insn_at(b, p->addr);
	uint32_t floor;
	struct choice c;
	bool done;

	if (i == b->n) {
		p->refused = "the address is not the start of an instruction";
		return 0;
	}
	if (is_endbr(b, i) && i + 1 < b->n && !(b->marks[b->insns[i + 1].off] & MARK_TARGET))
		i++;
	p->at = b->lo + b->insns[i].off;
	if (w && p->at < w->end)
		return join(pl, i) ? 0 : (p->refused = "it lies in the window of another probe", 0);
	floor = w ? (uint32_t)(w->end - b->lo) : 0;
	if (w && w->end - w->addr < JUMP_LEN && !w->hop)
		floor = (uint32_t)(w->addr + JUMP_LEN - b->lo);
	if (choose(b, i, floor, JUMP_LEN, &c))
		return add_window(pl, (struct plan_window){ b->lo + b->insns[c.first].off, b->lo + insn_end(b, c.last), 0,
							     index, 1, c.means });
	if (join(pl, i))
		return 0;
	if (hop(pl, i, floor, index, &done) || done)
		return done ? 0 : -1;
	p->refused = refusal(b, i);
	return 0;
}

/* Code whose bytes or addresses others compare: signal-return stubs, and Go's hand-made return address. */
static const char *untouchable(const struct body *b)
{
	static const uint8_t sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

	if (b->size >= sizeof(sigreturn) && !memcmp(b->bytes, sigreturn, sizeof(sigreturn)))
		return "it is the return from a signal handler, known by its bytes";
	return NULL;
}

/* What no jump can have gets a breakpoint, where its first byte is nobody else's. */
static int plan_trap(struct planner *pl, size_t first, uint32_t index)
{
	struct body *b = &pl->body;
	struct plan_point *p = &pl->plan->points[index];
	size_t i = insn_at(b, p->at ? p->at : p->addr);

	if (i == b->n || b->insns[i].class == INSN_BAD || b->marks[b->insns[i].off] & MARK_USED)
		return 0;
	for (size_t k = first; k < pl->plan->nwindows; k++) {
		const struct plan_window *w = &pl->plan->windows[k];

		if (p->at >= w->addr && p->at < taken_end(w))
			return 0;
	}
	p->refused = NULL;
	return add_window(pl, (struct plan_window){ p->at, b->lo + insn_end(b, i), 0, index, 1, PLAN_TRAP });
}

static int plan_function(struct planner *pl, const struct function *f, size_t from, size_t to)
{
	struct plan_point *p = pl->plan->points;
	const char *why;
	size_t first = pl->first = pl->plan->nwindows;

	if (body_decode(pl, f))
		return -1;
	why = pl->body.size ? untouchable(&pl->body) : "its bytes are not in the file";
	for (size_t i = from; i < to; i++) {
		if (p[i].hook == SP_HOOK_EXEC) {
			if (plan_exec(pl, (uint32_t)i))
				return -1;
		} else if (why)
			p[i].refused = why;
		else if (plan_point(pl, (uint32_t)i))
			return -1;
	}
	for (size_t i = from; i < to && !why; i++)
		if (p[i].refused && p[i].kind == SP_SITE_RETURN && redirect(pl, first, (uint32_t)i))
			return -1;
	for (size_t i = from; i < to && !why; i++)
		if (p[i].refused && plan_trap(pl, first, (uint32_t)i))
			return -1;
	/* the padding that windows run on into is in reach of the next functions' short jumps */
	for (size_t k = first; k < pl->plan->nwindows; k++)
		take_bytes(&pl->body, &pl->plan->windows[k], true);
	return 0;
}

/* ---- the whole object ------------------------------------------------------------------------------ */

/* Calls @f for each function with points: plan.points[from..to). */
static int each_function(struct planner *pl, int (*f)(struct planner *, const struct function *, size_t, size_t))
{
	struct plan *plan = pl->plan;

	for (size_t from = 0, to; from < plan->npoints; from = to) {
		const struct function *fn = object_function_at(pl->body.o, plan->points[from].addr);

		to = from + 1;
		if (!fn && plan->points[from].hook == SP_HOOK_EXEC) {
			if (plan_exec(pl, (uint32_t)from))
				return -1;
			continue;
		}
		if (!fn) {
			plan->points[from].refused = "no function is known there: neither unwind table nor symbol covers it";
			continue;
		}
		while (to < plan->npoints && plan->points[to].addr < fn->hi)
			to++;
		if (f(pl, fn, from, to))
			return -1;
	}
	return 0;
}

/* The function, its padding, and what a short jump from it reaches. */
static int mark_wanted(struct planner *pl, const struct function *f, size_t from, size_t to)
{
	uint64_t end = f->lo + padded_size(pl, f) + HOP_REACH;

	(void)from;
	(void)to;
	for (uint64_t at = f->lo - HOP_REACH; at < end;) {
		size_t left;
		uint8_t *marks = marks_at(&pl->marks, at, &left);

		if (!marks) {
			at++;
			continue;
		}
		if (left > end - at)
			left = end - at;
		memset(marks, MARK_WANTED, left);
		at += left;
	}
	return 0;
}

static int window_order(const void *a, const void *b)
{
	const struct plan_window *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* The search is not worth its while for single instructions. */
static bool needs_targets(const struct plan *plan)
{
	for (size_t i = 0; i < plan->npoints; i++)
		if (plan->points[i].hook != SP_HOOK_EXEC)
			return true;
	return false;
}

static int plan_all(struct planner *pl)
{
	struct object *o = (struct object *)pl->body.o;

	if (object_functions(o) || marks_make(&pl->marks, o))
		return -1;
	if (needs_targets(pl->plan)) {
		each_function(pl, mark_wanted);
		pl->plan->nwindows = 0;
		marks_search(&pl->marks);
		for (size_t i = 0; i < o->nfunctions; i++)
			marks_landing_pads(&pl->marks, &o->functions[i]);
	}
	return each_function(pl, plan_function);
}

struct plan *plan_make(struct object *o, struct plan_point *points, size_t n)
{
	struct planner pl = { .plan = calloc(1, sizeof(struct plan)), .body = { .o = o } };
	int r;

	if (!pl.plan) {
		free(points);
		return NULL;
	}
	pl.plan->points = points;
	pl.plan->npoints = n;
	r = plan_all(&pl);
	marks_free(&pl.marks);
	free(pl.body.insns);
	if (pl.plan->nwindows)
		qsort(pl.plan->windows, pl.plan->nwindows, sizeof(struct plan_window), window_order);
	if (r) {
		plan_free(pl.plan);
		return NULL;
	}
	return pl.plan;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->points);
	free(plan->windows);
	free(plan);
}
