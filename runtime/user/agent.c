/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent inside the target: from a stub to the probes of its sites.
 *
 * entry.S calls sp_user_enter() on the target's stack and sp_user_hit() on the lane's.  The hit path takes no lock,
 * allocates nothing and makes no system call, but for what the script itself asks of it.  spilerun runs the same code
 * in its own process for begin, end and timer probes, by sp_user_host_run().
 */
#include "agent.h"
#include "core/core.h"

struct sp_user_config sp_user_config;

#define cfg sp_user_config
#define HITS_NESTED 4			/* signal handlers of one thread, each amid a hit of the other */
#define SET_UP_TRIES 100
#define SET_UP_PAUSE_US 100

struct stack_top;
struct stack_top *sp_user_enter(const struct sp_user_frame *frame, const struct sp_user_desc *desc);
void sp_user_hit(struct sp_user_lane *lane, struct sp_user_frame *frame, const struct sp_user_desc *desc);
void sp_user_entry(void);
void sp_user_entry_fp(void);
void sp_user_trap(int signal, void *info, void *context);
void sp_user_trap_return(void);

struct sp_user_lane *sp_user_lane_at(sp_u32 number)
{
	return (void *)((char *)cfg.session + cfg.shared->lanes_off + (number - 1) * cfg.shared->lane_size);
}

/*
 * The thread's fs base.  Where rdfsbase may not be used, the C libraries' thread control block says it in
 * its first word; that is only relied upon once the kernel has confirmed it (before a program has set up its thread-local
 * storage there is nothing at %fs:0, and Go keeps something else there).
 */
static sp_u64 thread_base(void)
{
	sp_u64 base;

	if (cfg.fsgsbase) {
		__asm__ volatile("rdfsbase %0" : "=r"(base));
	} else if (cfg.fs_self) {
		__asm__ volatile("mov %%fs:0, %0" : "=r"(base));
	} else {
		sp_user_syscall(SP_SYS_ARCH_PRCTL, 0x1003 /* ARCH_GET_FS */, (sp_i64)&base, 0, 0);
		if (base && *(sp_u64 *)base == base)
			cfg.fs_self = 1;
	}
	return base;
}

sp_u64 sp_plat_thread_pointer(struct sp_ctx *c)
{
	(void)c;
	return thread_base();
}

/* ---- the process: set up once, by spilerun or by a fork child itself ---- */

static sp_bool claim(sp_u32 *word, sp_u32 value)
{
	sp_u32 expected = 0;

	return __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/*
 * Another thread is at it: done in a moment, or, set aside by the scheduler, in some milliseconds.  A hit of a signal
 * handler amid this thread's own doing is skipped.
 */
static sp_bool await_set_up(struct sp_user_local *local)
{
	sp_u32 i;

	for (i = 0; i < SET_UP_TRIES && __atomic_load_n(&local->setter, __ATOMIC_RELAXED) != thread_base() + 1; i++) {
		if (__atomic_load_n(&local->ready, __ATOMIC_ACQUIRE) == 2)
			return 1;
		sp_plat_sleep(SET_UP_PAUSE_US);
	}
	return __atomic_load_n(&local->ready, __ATOMIC_ACQUIRE) == 2;
}

/* A fork child's first hit: the page that fork wiped says so. */
static sp_bool process_set_up(struct sp_user_local *local)
{
	sp_u32 i, pid;

	if (!claim(&local->ready, 1))
		return await_set_up(local);
	__atomic_store_n(&local->setter, thread_base() + 1, __ATOMIC_RELAXED);
	pid = (sp_u32)sp_user_syscall(SP_SYS_GETPID, 0, 0, 0, 0);
	for (i = 0; i < SP_USER_PROCS; i++)
		if (claim(&cfg.shared->procs[i].pid, pid)) {
			local->proc = i;
			__atomic_store_n(&local->ready, 2, __ATOMIC_RELEASE);
			sp_user_ring_doorbell();
			return 1;
		}
	__atomic_store_n(&local->ready, 0, __ATOMIC_RELEASE);
	return 0;
}

/* ---- lanes ---- */

/* Raises the number of lanes that spilerun looks at to @number. */
static void lanes_used(sp_u32 number)
{
	sp_u32 used = __atomic_load_n(&cfg.shared->lanes_used, __ATOMIC_RELAXED);

	while (used < number &&
	       !__atomic_compare_exchange_n(&cfg.shared->lanes_used, &used, number, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void sp_user_lane_set_up(struct sp_user_lane *lane)
{
	struct sp_ctx *c = &lane->ctx;
	char *at = (char *)lane + SP_USER_LANE_HEAD;

	c->session = cfg.session;
	c->globals = sp_at(cfg.session, cfg.session->globals_off);
	c->regs = &lane->regs;
	c->platform = lane;
	c->arena = at;
	c->arena_end = at + sp_user_arena_size(&sp_script);
	c->out = c->arena_end;
	c->out_size = SP_USER_OUT;
	lane->sp = 0;
}

/* A free lane for process slot @proc, or NULL where all are taken. */
static struct sp_user_lane *lane_claim(sp_u32 proc)
{
	sp_u32 n;

	for (n = 1; n <= SP_USER_LANES; n++) {
		struct sp_user_lane *lane = sp_user_lane_at(n);

		if (lane->proc || !claim(&lane->proc, proc + 1))
			continue;
		lane->number = lane->home = n;
		lane->tid = (sp_u32)sp_user_syscall(SP_SYS_GETTID, 0, 0, 0, 0);
		((struct sp_ring *)((char *)lane + sp_user_ring_off(&sp_script)))->size = cfg.shared->ring_bytes;
		__atomic_store_n(&lane->busy, 0, __ATOMIC_RELAXED);
		sp_user_lane_set_up(lane);
		lanes_used(n);
		return lane;
	}
	return 0;
}

/*
 * Gives back the lanes of this process's threads that have ended.  C libraries use a dead thread's memory for the next
 * one, which then finds the lane by the same key; so this is for the program that has had more threads than lanes.
 */
static void lanes_reclaim(struct sp_user_local *local)
{
	sp_u32 i, pid = cfg.shared->procs[local->proc].pid;

	for (i = 0; i < SP_USER_THREADS; i++) {
		struct sp_user_thread *t = &local->threads[i];
		struct sp_user_lane *lane = t->lane ? sp_user_lane_at(t->lane) : 0;

		if (!lane || sp_user_syscall(SP_SYS_TGKILL, pid, lane->tid, 0, 0) != -3 /* ESRCH */)
			continue;
		if (!claim(&lane->busy, SP_LANE_ENTERED))
			continue;	/* a new thread has come by it, see lane_of() */
		t->lane = 0;
		sp_locks_recover(cfg.session, lane->number);
		__atomic_store_n(&lane->proc, 0, __ATOMIC_RELEASE);
	}
}

/* The row of the thread @key: its own, an empty one, or else one whose thread has ended; NULL where all are taken. */
static struct sp_user_thread *thread_row(struct sp_user_local *local, sp_u64 key)
{
	sp_u32 at = (sp_u32)((key >> 6) ^ (key >> 12) ^ (key >> 18)), i;

	for (i = 0; i < SP_USER_THREADS; i++, at++) {
		struct sp_user_thread *t = &local->threads[at & (SP_USER_THREADS - 1)];
		sp_u64 found = __atomic_load_n(&t->key, __ATOMIC_RELAXED);

		if (found == key)
			return t;
		if (!found && __atomic_compare_exchange_n(&t->key, &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return t;
	}
	lanes_reclaim(local);
	for (i = 0; i < SP_USER_THREADS; i++) {
		struct sp_user_thread *t = &local->threads[i];
		sp_u64 found = t->key;

		if (!t->lane && __atomic_compare_exchange_n(&t->key, &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return t;
	}
	return 0;
}

static struct sp_user_lane *lane_of(struct sp_user_local *local, sp_u64 key)
{
	struct sp_user_thread *t = thread_row(local, key);
	struct sp_user_lane *lane;

	if (sp_unlikely(!t))
		return 0;
	if (sp_likely(t->lane))
		return sp_user_lane_at(t->lane);
	lane = lane_claim(local->proc);
	if (!lane) {
		lanes_reclaim(local);
		lane = lane_claim(local->proc);
	}
	if (lane)
		t->lane = lane->number;
	return lane;
}

/* Whether the thread runs on its alternate signal stack; the kernel looks at the stack pointer. */
static sp_bool on_signal_stack(void)
{
	struct { void *sp; sp_i32 flags; sp_u64 size; } stack = { 0, 0, 0 };

	return sp_user_syscall(SP_SYS_SIGALTSTACK, 0, (sp_i64)&stack, 0, 0) || stack.flags & 1 /* SS_ONSTACK */;
}

/*
 * Whether the hit that made the lane busy will never go on, seen from a hit of the same thread at stack pointer @sp.  It lives
 * if this is a hit inside it, in a signal handler of the program's, which runs on a lane's stack, on an alternate one or,
 * where the signal came before the stacks were switched, further down on the program's.  It is dead where the program has
 * jumped out of such a signal handler, or a vfork child was killed in a probe handler.
 */
static sp_bool is_dead(const struct sp_user_lane *lane, sp_u32 was, sp_u64 sp)
{
	if (sp - (sp_u64)cfg.stacks < SP_USER_STACKS || (was == SP_LANE_ENTERED && sp < lane->sp))
		return 0;
	return !on_signal_stack();
}

/* Takes the lane for a hit at stack pointer @sp. */
static sp_bool lane_take(struct sp_user_lane *lane, sp_u64 sp)
{
	sp_u32 was = SP_LANE_FREE;

	if (sp_unlikely(!__atomic_compare_exchange_n(&lane->busy, &was, SP_LANE_ENTERED, 0, __ATOMIC_ACQUIRE,
						     __ATOMIC_RELAXED))) {
		if (!is_dead(lane, was, sp))
			return 0;
		__atomic_store_n(&lane->busy, SP_LANE_ENTERED, __ATOMIC_RELAXED);
		sp_locks_recover(cfg.session, lane->number);
	}
	lane->sp = sp;
	return 1;
}

/* The lane for a hit at @sp: the thread's own, or amid a hit of its own another. */
static struct sp_user_lane *lane_for(struct sp_user_local *local, sp_u64 sp, enum sp_skip *why)
{
	sp_u64 key = thread_base() + 1, level;
	sp_u32 home = 0;

	for (level = 0; level < HITS_NESTED; level++) {
		struct sp_user_lane *lane = lane_of(local, key + (level << 60));

		if (sp_unlikely(!lane)) {
			*why = SP_SKIP_CONTEXT;
			return 0;
		}
		home = home ? home : lane->number;
		if (sp_unlikely(!lane_take(lane, sp)))
			continue;
		lane->home = home;
		return lane;
	}
	*why = SP_SKIP_REENTRY;
	return 0;
}

/* ---- a hit ---- */

/* What entry.S finds on top of the stack to run on.  It frees the lane itself, once it has left that stack. */
struct stack_top {
	struct sp_user_lane *lane;
	sp_u32 *busy;
};

/* Returns the stack to run on, or NULL: nothing is to be done. */
struct stack_top *sp_user_enter(const struct sp_user_frame *frame, const struct sp_user_desc *desc)
{
	struct sp_user_local *local = cfg.local;
	struct sp_user_lane *lane;
	struct stack_top *top;
	enum sp_skip why;

	if (desc->hook == SP_HOOK_SITES && __atomic_load_n(&cfg.session->state, __ATOMIC_RELAXED) != SP_RUNNING)
		return 0;
	if (sp_unlikely(__atomic_load_n(&local->ready, __ATOMIC_ACQUIRE) != 2) && !process_set_up(local)) {
		sp_count_skip(cfg.session, 0, SP_SKIP_CONTEXT);
		return 0;
	}
	lane = lane_for(local, (sp_u64)&frame->ret + SP_USER_FRAME_BELOW, &why);
	if (sp_unlikely(!lane)) {
		if (desc->hook == SP_HOOK_SITES || why != SP_SKIP_REENTRY)
			sp_count_skip(cfg.session, 0, why);
		return 0;
	}
	top = (struct stack_top *)(cfg.stacks + sp_user_stack_end(lane->number)) - 1;
	*top = (struct stack_top){ lane, &lane->busy };
	return top;
}

/* The stub saved either rflags or what lahf and seto say: SF ZF AF PF CF in ah, OF in al. */
static sp_u64 flags_of(const struct sp_user_frame *f, const struct sp_user_desc *desc)
{
	if (desc->flags & SP_DESC_PUSHFQ)
		return f->flags;
	return (f->flags >> 8 & 0xff) | (f->flags & 1) << 11 | 0x202;
}

static void fill_regs(struct sp_regs *r, const struct sp_user_frame *f, const struct sp_user_desc *desc)
{
	r->r[0] = f->rax;
	r->r[1] = f->rdx;
	r->r[2] = f->rcx;
	r->r[3] = f->rbx;
	r->r[4] = f->rsi;
	r->r[5] = f->rdi;
	r->r[6] = f->rbp;
	r->r[7] = (sp_u64)&f->ret + SP_USER_FRAME_BELOW;
	r->r[8] = f->r8;
	r->r[9] = f->r9;
	r->r[10] = f->r10;
	r->r[11] = f->r11;
	r->r[12] = f->r12;
	r->r[13] = f->r13;
	r->r[14] = f->r14;
	r->r[15] = f->r15;
	r->r[16] = desc->run_addr;
	r->flags = flags_of(f, desc);
}

/* Registers that the script has changed go back into the frame that entry.S and the stub restore. */
static void store_regs(struct sp_user_frame *f, const struct sp_regs *r, sp_u32 set)
{
	sp_u64 *const to[16] = {
		&f->rax, &f->rdx, &f->rcx, &f->rbx, &f->rsi, &f->rdi, &f->rbp, 0,
		&f->r8, &f->r9, &f->r10, &f->r11, &f->r12, &f->r13, &f->r14, &f->r15,
	};
	unsigned i;

	for (i = 0; i < 16; i++)
		if (set & 1u << i && to[i])
			*to[i] = r->r[i];
}

static void run_sites(struct sp_user_lane *lane, const struct sp_user_desc *desc)
{
	struct sp_ctx *c = &lane->ctx;
	sp_u32 i;

	c->bias = desc->bias;
	for (i = desc->site; i < desc->site + desc->nsites; i++) {
		const struct sp_site *site = &sp_script.sites[i];

		c->site = site;
		sp_run_probe(c, &sp_script.probes[site->probe]);
	}
}

/* Nothing that was learnt of the program holds any more.  Once the numbers of hits are used up, what bears one has to go. */
static void begin_hit(struct sp_user_lane *lane)
{
	if (sp_unlikely(++lane->hit == SP_USER_HITS)) {
		lane->hit = 1;
		sp_zero(lane->pages, sizeof(lane->pages));
	}
	lane->looked = 0;
	lane->ids[0] = lane->ids[1] = 0;
}

void sp_user_hit(struct sp_user_lane *lane, struct sp_user_frame *frame, const struct sp_user_desc *desc)
{
	__atomic_store_n(&lane->busy, SP_LANE_RUNS, __ATOMIC_RELAXED);
	begin_hit(lane);
	/* rsp points into a page the program has just used */
	lane->pages[(lane->sp >> 12) % SP_USER_PAGES] = (lane->sp & ~4095ull) | lane->hit;
	switch (desc->hook) {
	case SP_HOOK_SITES:
		fill_regs(&lane->regs, frame, desc);
		lane->ctx.set_regs = 0;
		run_sites(lane, desc);
		if (sp_unlikely(lane->ctx.set_regs))
			store_regs(frame, &lane->regs, lane->ctx.set_regs);
		break;
	case SP_HOOK_LOADER:
		sp_user_loader_changed(lane);
		break;
	case SP_HOOK_EXEC:
		sp_user_request(lane, SP_REQ_EXEC, 0);
		break;
	case SP_HOOK_EXEC_FAILED:
		sp_user_request(lane, SP_REQ_EXEC_FAILED, 0);
		break;
	}
}

/* ---- in spilerun ---- */

/* The lane that spilerun keeps, as for an event without registers; NULL: counted as a skip. */
static struct sp_ctx *host_context(void)
{
	struct sp_user_lane *lane = lane_of(cfg.local, thread_base() + 1);

	if (!lane) {
		sp_count_skip(cfg.session, 0, SP_SKIP_CONTEXT);
		return 0;
	}
	begin_hit(lane);
	lane->ctx.regs = 0;
	lane->ctx.site = 0;
	lane->ctx.bias = 0;
	return &lane->ctx;
}

/* begin, end, error, timer probes: one at a time. */
static void host_run(const struct sp_probe *probe)
{
	struct sp_ctx *c = host_context();

	if (c)
		sp_run_probe(c, probe);
}

static void tell_skips(void)
{
	struct sp_ctx *c = host_context();

	if (c)
		sp_tell_skips(c);
}

static void refresh_all(void)
{
	struct sp_ctx *c = host_context();

	if (c)
		sp_refresh_all(c);
}

__attribute__((visibility("default"))) const struct sp_user_agent sp_agent = {
	.abi = SP_ABI,
	.size = sizeof(struct sp_user_agent),
	.script = &sp_script,
	.config = &sp_user_config,
	.entry = sp_user_entry,
	.entry_fp = sp_user_entry_fp,
	.trap = sp_user_trap,
	.trap_return = sp_user_trap_return,
	.session_size = sp_session_size,
	.session_init = sp_session_init,
	.session_set = sp_session_set,
	.summary = sp_summary,
	.timing_report = sp_timing_report,
	.locks_recover = sp_locks_recover,
	.host_run = host_run,
	.tell_skips = tell_skips,
	.refresh_all = refresh_all,
	.symbols_open = sp_symbols_open,
	.symbols_split_path = sp_symbols_split_path,
	.symbols_split = sp_symbols_split,
	.symbols_make = sp_symbols_make,
	.timing_now = sp_timing_now,
	.timing_started = sp_timing_started,
};
