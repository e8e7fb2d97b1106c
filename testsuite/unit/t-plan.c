/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows and stubs, on functions written here in assembler: how each is planned, and that it computes the same with the
 * jump in place, each of its hooks being passed once for each time its instruction is reached.
 *
 * The program plans its own file and patches itself; the hooks lead to an agent that only counts.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "spilerun/user/stub.h"

#define FUNCTION(name, body) \
	__asm__(".text\n.p2align 5\n.globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n" body \
		"\n.cfi_endproc\n.size " #name ", . - " #name "\n.p2align 5\n"); \
	long name(long a, long b)

long twice_plus(long a, long b);
long unit_datum = 1000;
long (*unit_pointer)(long a, long b) = twice_plus;

FUNCTION(twice_plus, "lea (%rdi,%rdi), %rax\n add %rsi, %rax\n ret");
FUNCTION(just_return, "ret");
FUNCTION(five_bytes, "lea 5(%rdi), %rax\n ret\n .byte 0x48, 0x8d, 0x07, 0xc3");
FUNCTION(rip_operand, "mov unit_datum(%rip), %rax\n add %rdi, %rax\n ret");
FUNCTION(short_branch, "mov %rsi, %rax\n test %rdi, %rdi\n je 1f\n add %rdi, %rax\n 1: add $1, %rax\n ret");
FUNCTION(branch_first, "test %rdi, %rdi\n je 1f\n lea 7(%rsi), %rax\n ret\n 1: lea 9(%rsi), %rax\n ret");
FUNCTION(calls_direct, "sub $8, %rsp\n call twice_plus\n add $8, %rsp\n ret");
FUNCTION(calls_pointer, "push %rbx\n call *unit_pointer(%rip)\n pop %rbx\n ret");
FUNCTION(calls_register, "lea twice_plus(%rip), %rax\n push %rbx\n call *%rax\n pop %rbx\n ret");
FUNCTION(tail_jump, "add $1, %rdi\n jmp twice_plus");
FUNCTION(loop_to_second, "xor %eax, %eax\n 1: add %rsi, %rax\n dec %rdi\n jg 1b\n ret");
FUNCTION(bare_returns, "mov %rsi, %rax\n test %rdi, %rdi\n js 1f\n add $3, %rax\n cmp $5, %rdi\n jg 1f\n"
	 "add $40, %rax\n 1: ret\n .byte 0x48, 0x8d, 0x07, 0xc3, 0x90");
FUNCTION(red_zone, "mov %rdi, -8(%rsp)\n mov %rsi, -120(%rsp)\n nop\n mov -120(%rsp), %rax\n add -8(%rsp), %rax\n ret");
/* 153 bytes: the padding behind this return is the only one that a short jump from the next function reaches. */
FUNCTION(long_one, "mov %rsi, %rax\n test %rdi, %rdi\n .byte 0x0f, 0x88\n .long 1f - . - 4\n"
	 ".rept 35\n add $1, %rax\n .endr\n 1: ret");
FUNCTION(its_neighbour, "xor %eax, %eax\n 1: add %rsi, %rax\n dec %rdi\n jg 1b\n ret");
FUNCTION(keeps_flags, "xor %eax, %eax\n cmp %rsi, %rdi\n nopl 0(%rax)\n setg %al\n ret");

void count_entry(void);
__asm__(".text\n.globl count_entry\ncount_entry:\n lock incq hits_here(%rip)\n ret\n");
uint64_t hits_here;

/* One function: where hooks go, how it is to be planned, how often the hooks are passed for the arguments below. */
static const struct expected {
	const char *what;
	long (*f)(long a, long b);
	uint32_t offset;		/* of the hooked instruction */
	uint32_t kind;
	int means;			/* enum plan_means; -2: any */
	unsigned hits;			/* of the six calls */
} table[] = {
	{ "entry of straight code", twice_plus, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "a function of one byte", just_return, 0, SP_SITE_ENTRY, PLAN_PADDING, 6 },
	{ "an operand off rip", rip_operand, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "a branch within the window", branch_first, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "straight code before a branch", short_branch, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "a call in the window", calls_direct, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "a call through memory off rip", calls_pointer, 0, SP_SITE_ENTRY, PLAN_BLOCK, 6 },
	{ "a call through a register", calls_register, 8, SP_SITE_PLACE, -2, 6 },
	{ "a tail call's jump", tail_jump, 4, SP_SITE_TAIL, -2, 6 },
	{ "a loop to the second instruction", loop_to_second, 0, SP_SITE_ENTRY, PLAN_HOP, 6 },
	{ "a return that branches lead to", bare_returns, 22, SP_SITE_RETURN, PLAN_REDIRECTED, 6 },
	{ "a place above live stack", red_zone, 10, SP_SITE_PLACE, PLAN_BLOCK, 6 },
	{ "a place between compare and use", keeps_flags, 5, SP_SITE_PLACE, PLAN_BLOCK, 6 },
};
#define ROWS (sizeof(table) / sizeof(table[0]))
static const long arguments[6][2] = { { 0, 0 }, { 1, 5 }, { -3, 9 }, { 5, 5 }, { 7, -2 }, { 20, 100 } };

static uint64_t bias;

/* Link-time address of the hooked instruction. */
static uint64_t site_addr(const struct expected *e)
{
	return (uint64_t)e->f + e->offset - bias;
}

static const struct plan_window *window_of(const struct plan *plan, uint32_t point)
{
	for (size_t i = 0; i < plan->nwindows; i++)
		if (point >= plan->windows[i].point && point < plan->windows[i].point + plan->windows[i].npoints)
			return &plan->windows[i];
	return NULL;
}

static struct plan *plan_one(struct object *o, const struct expected *e)
{
	struct plan_point *p = calloc(1, sizeof(*p));

	*p = (struct plan_point){ .addr = site_addr(e), .kind = e->kind, .nsites = 1 };
	return plan_make(o, p, 1);
}

static void run(const struct expected *e, long results[6])
{
	for (int i = 0; i < 6; i++)
		results[i] = e->f(arguments[i][0], arguments[i][1]);
}

/* Writes or takes back a plot's jumps in our own code. */
static void patch(const struct plot *plot, bool in)
{
	const struct sp_user_patch *book = plot_book(plot);

	for (size_t i = 0; i < plot->njumps; i++) {
		uint8_t *at = (uint8_t *)plot->jumps[i].run_addr;
		uint8_t *page = (uint8_t *)((uint64_t)at & ~4095ull);

		mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
		memcpy(at, in ? plot->jumps[i].bytes : book[i].bytes, plot->jumps[i].len);
		mprotect(page, 8192, PROT_READ | PROT_EXEC);
	}
}

static void check_runs(struct object *o, const struct plan *plan, const struct expected *e)
{
	uint64_t near = ((uint64_t)e->f & ~4095ull) - (64u << 20);
	size_t room = plot_room(plan, 0);
	void *at = mmap((void *)near, room, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct plot plot;
	long before[6], after[6];

	if (at == MAP_FAILED || plot_make(&plot, o, plan, bias, (uint64_t)at, (uint64_t)count_entry, (uint64_t)count_entry, 0, 0, 0)) {
		check_result(false, __LINE__, e->what, "no room near the code");
		return;
	}
	/* a mapping made writable here only; in a target it never is */
	memcpy(at, plot.bytes, plot.size);
	/* just_return gives back what happens to be in rax: its result says nothing */
	run(e, before);
	hits_here = 0;
	patch(&plot, true);
	run(e, after);
	patch(&plot, false);
	check_num((long long)hits_here, e->hits, __LINE__, e->what);
	if (e->f != just_return)
		check_result(!memcmp(before, after, sizeof(before)), __LINE__, e->what, "computes something else");
	munmap(at, room);
	plot_free(&plot);
}

static void check_row(struct object *o, const struct expected *e)
{
	struct plan *plan = plan_one(o, e);
	const struct plan_window *w = plan && !plan->points[0].refused ? window_of(plan, 0) : NULL;

	if (e->means >= 0)
		check_num(w ? (int)w->means : -1, e->means, __LINE__, e->what);
	else
		check_result(w != NULL, __LINE__, e->what, "is refused");
	if (w)
		check_runs(o, plan, e);
	plan_free(plan);
}

/* Entry and return of a function of five bytes share a window. */
static void check_shared(struct object *o)
{
	struct plan_point *p = calloc(2, sizeof(*p));
	struct plan *plan;
	struct expected e = { .what = "entry and return share a window", .f = five_bytes, .hits = 12 };

	p[0] = (struct plan_point){ .addr = site_addr(&e), .kind = SP_SITE_ENTRY, .nsites = 1 };
	p[1] = (struct plan_point){ .addr = site_addr(&e) + 4, .kind = SP_SITE_RETURN, .nsites = 1 };
	plan = plan_make(o, p, 2);
	CHECK(plan && !plan->points[0].refused && !plan->points[1].refused);
	CHECK_NUM(plan->nwindows, 1);
	check_runs(o, plan, &e);
	plan_free(plan);
}

/* ---- a whole file: no byte is written by two jumps ------------------------------------------------------ */

struct span {
	uint64_t lo, hi;
};

static int span_order(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Entries and returns of all functions. */
static size_t all_points(const struct object *o, struct plan_point **points)
{
	size_t n = 0, room = 0;

	*points = NULL;
	for (size_t i = 0; i < o->nfunctions; i++) {
		const struct function *f = &o->functions[i];
		size_t left;
		const uint8_t *p = object_at(o, f->lo, &left);
		struct insn insn = { .len = 1 };

		for (uint64_t at = f->lo; p && at < f->hi; at += insn.len, p += insn.len) {
			bool known = insn_decode(p, f->hi - at, at, &insn);

			if (!known)
				insn = (struct insn){ .len = 1 };
			if (at != f->lo && (!known || insn.class != INSN_RET))
				continue;
			if (n == room) {
				room = room ? 2 * room : 1024;
				*points = realloc(*points, room * sizeof(**points));
			}
			(*points)[n++] = (struct plan_point){ .addr = at, .nsites = 1,
							      .kind = at == f->lo ? SP_SITE_ENTRY : SP_SITE_RETURN };
		}
	}
	return n;
}

static void check_disjoint(const char *path)
{
	struct object *o = object_open(path);
	struct plan_point *points;
	struct plan *plan;
	struct span *spans;
	size_t n = 0, meet = 0, npoints;

	if (!o)
		return;		/* not on this machine */
	object_functions(o);
	npoints = all_points(o, &points);
	plan = plan_make(o, points, npoints);
	spans = plan ? calloc(2 * plan->nwindows + 1, sizeof(*spans)) : NULL;
	for (size_t i = 0; spans && i < plan->nwindows; i++) {
		const struct plan_window *w = &plan->windows[i];

		if (w->means == PLAN_REDIRECTED)
			continue;
		spans[n++] = (struct span){ w->addr, w->addr + (w->hop ? 2 : w->means == PLAN_TRAP ? 1 : 5) };
		if (w->hop)
			spans[n++] = (struct span){ w->hop, w->hop + 5 };
	}
	check_result(n > 1, __LINE__, path, "nothing is planned in it");
	if (n)
		qsort(spans, n, sizeof(*spans), span_order);
	for (size_t i = 1; i < n; i++)
		meet += spans[i].lo < spans[i - 1].hi;
	check_num((long long)meet, 0, __LINE__, path);
	free(spans);
	plan_free(plan);
	object_free(o);
}

static void check_refused(struct object *o)
{
	struct plan_point *p = calloc(1, sizeof(*p));
	struct plan *plan;

	*p = (struct plan_point){ .addr = (uint64_t)twice_plus - bias + 1, .kind = SP_SITE_PLACE, .nsites = 1 };
	plan = plan_make(o, p, 1);
	CHECK(plan && plan->points[0].refused);
	CHECK_NUM(plan->nwindows, 0);
	plan_free(plan);
}

int main(void)
{
	struct object *o = object_open("/proc/self/exe");

	CHECK(o != NULL);
	if (!o)
		return check_end();
	bias = o->fixed ? 0 : (uint64_t)twice_plus - object_symbol(o, "twice_plus");
	for (size_t i = 0; i < ROWS; i++)
		check_row(o, &table[i]);
	check_shared(o);
	check_refused(o);
	object_free(o);
	check_disjoint("/proc/self/exe");
	check_disjoint("/lib/x86_64-linux-gnu/libc.so.6");
	check_disjoint("/usr/bin/perl");
	return check_end();
}
