/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The primitives of platform.h inside a target: identity, clocks, target memory, output.
 */
#include "agent.h"

#define cfg sp_user_config

sp_i64 sp_user_syscall(sp_i64 nr, sp_i64 a, sp_i64 b, sp_i64 c, sp_i64 d)
{
	register sp_i64 r10 __asm__("r10") = d;
	register sp_i64 r8 __asm__("r8") = 0;
	register sp_i64 r9 __asm__("r9") = 0;
	sp_i64 ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

struct time_spec { sp_i64 s, ns; };
#define CPU_LOOKS 64

static struct sp_user_lane *lane_of_ctx(struct sp_ctx *c)
{
	return c->platform;
}

/* ---- target memory ---- */

/*
 * Whether the page can be read, without a signal if it can not: rt_sigprocmask() reads its second argument before
 * it finds that the first makes no sense.  It brings an absent page in, changes nothing, and is right where
 * mincore, msync and /proc/self/mem are wrong (protected pages, files cut short).
 */
static sp_bool page_is_readable(sp_u64 page)
{
	if (page >> 52)
		return 0;
	return sp_user_syscall(SP_SYS_RT_SIGPROCMASK, -1, (sp_i64)(page << 12), 0, 8) == -22 /* EINVAL */;
}

/* Pages are remembered for one hit only: nobody tells us when the program unmaps one. */
static sp_bool page_is_known(struct sp_user_lane *lane, sp_u64 page)
{
	sp_u64 *slot = &lane->pages[page % SP_USER_PAGES], known = page << 12 | lane->hit;

	if (sp_likely(*slot == known))
		return 1;
	if (!page_is_readable(page))
		return 0;
	*slot = known;
	return 1;
}

/* One access where the size allows: no other thread of the program sees, or makes, half a store. */
static void copy_whole(volatile void *to, const volatile void *from, sp_size n)
{
	sp_size i;

	switch (n) {
	case 8:
		*(volatile sp_u64 *)to = *(const volatile sp_u64 *)from;
		break;
	case 4:
		*(volatile sp_u32 *)to = *(const volatile sp_u32 *)from;
		break;
	case 2:
		*(volatile sp_u16 *)to = *(const volatile sp_u16 *)from;
		break;
	default:
		for (i = 0; i < n; i++)
			((volatile sp_u8 *)to)[i] = ((const volatile sp_u8 *)from)[i];
	}
}

sp_bool sp_plat_read(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	struct sp_user_lane *lane = lane_of_ctx(c);
	sp_u64 page;

	if (!n)
		return 1;
	if (addr + n - 1 < addr)
		return 0;
	for (page = addr >> 12; page <= (addr + n - 1) >> 12; page++)
		if (!page_is_known(lane, page))
			return 0;
	copy_whole(dst, (const volatile void *)addr, n);
	return 1;
}

/* The test of a page brings it in, which cannot wait for a lock of ours: so a peek is a read. */
sp_bool sp_plat_peek(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	return sp_plat_read(c, dst, addr, n);
}

/*
 * Whether the page can be written, found out without changing it and without a signal: FUTEX_WAKE_OP adds 0 to a word of
 * it, in one step for every other thread too (futex(2)).  The word whose waiters are to be woken is one of ours that has none.
 */
static sp_bool page_is_writable(struct sp_user_lane *lane, sp_u64 page)
{
	enum { WAKE_OP_PRIVATE = 5 | 128, ADD_0_AND_COMPARE = 1 << 28 | 0x7a5 };
	register sp_i64 r10 __asm__("r10") = 0;
	register sp_i64 r8 __asm__("r8") = (sp_i64)(page << 12);
	register sp_i64 r9 __asm__("r9") = ADD_0_AND_COMPARE;
	sp_i64 ret;

	if (page >> 52)
		return 0;
	__asm__ volatile("syscall" : "=a"(ret) : "a"(SP_SYS_FUTEX), "D"(&lane->futex), "S"(WAKE_OP_PRIVATE), "d"(0),
			 "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return ret >= 0;
}

/* spilerun runs the same code for begin and end probes; what they write would be its own memory. */
sp_bool sp_plat_write(struct sp_ctx *c, const void *src, sp_uaddr addr, sp_size n)
{
	struct sp_user_lane *lane = lane_of_ctx(c);

	if (cfg.host || addr + n - 1 < addr || !page_is_writable(lane, addr >> 12) ||
	    ((addr + n - 1) >> 12 != addr >> 12 && !page_is_writable(lane, (addr + n - 1) >> 12)))
		return 0;
	copy_whole((volatile void *)addr, src, n);
	return 1;
}

sp_bool sp_plat_peek_kernel(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	(void)c;
	(void)dst;
	(void)addr;
	(void)n;
	return 0;
}

sp_bool sp_plat_object_bias(struct sp_ctx *c, sp_u32 object, sp_u64 *bias)
{
	(void)c;
	if (!cfg.biases || cfg.biases[object] == SP_USER_NOT_MAPPED)
		return 0;
	*bias = cfg.biases[object];
	return 1;
}

/* ---- output ---- */

sp_bool sp_plat_emit(struct sp_ctx *c, enum sp_record_kind kind, const void *data, sp_u32 len)
{
	struct sp_user_lane *lane = lane_of_ctx(c);
	struct sp_ring *ring = (struct sp_ring *)((char *)lane + sp_user_ring_off(&sp_script));
	sp_u64 before = ring->head - __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
	sp_bool fitted = sp_ring_put(ring, &cfg.session->seq, kind, data, len);

	/* spilerun looks every few milliseconds; it is only called when half the ring is full */
	if (before < ring->size / 2 && ring->head - ring->tail >= ring->size / 2)
		sp_user_ring_doorbell();
	return fitted;
}

void sp_plat_state_changed(struct sp_session *s)
{
	(void)s;
	sp_user_ring_doorbell();
}

/* The stubs read the words themselves; spilerun has its timers to see to. */
void sp_plat_rearm(struct sp_session *s)
{
	(void)s;
	sp_user_ring_doorbell();
}

/* ---- identity ---- */

_Static_assert(SP_USER_LANES < SP_MAX_COUNTING, "lanes are owners of cells");

sp_u32 sp_plat_owner(struct sp_ctx *c)
{
	return lane_of_ctx(c)->number;
}

/* About a microsecond, then the processor is offered: the holder may be waiting for it. */
void sp_plat_relax(void)
{
	int i;

	for (i = 0; i < 32; i++)
		__asm__ volatile("pause" ::: "memory");
	sp_user_syscall(SP_SYS_SCHED_YIELD, 0, 0, 0, 0);
}

sp_bool sp_plat_sleep(sp_u32 us)
{
	struct time_spec pause = { us / 1000000, us % 1000000 * 1000ll };

	sp_user_syscall(SP_SYS_NANOSLEEP, (sp_i64)&pause, 0, 0, 0);
	return 1;
}

/* Hits of one thread, in signal handlers amid others of it, have lanes of their own with the same home. */
sp_bool sp_plat_is_self(struct sp_ctx *c, sp_u32 owner)
{
	const struct sp_user_lane *lane = lane_of_ctx(c), *other = sp_user_lane_at(owner);

	return owner && owner <= SP_USER_LANES && owner != lane->number && other->home == lane->home && other->proc == lane->proc;
}

/* Asked of the kernel once a hit: a fork or vfork child shares what its parent's memory says. */
static sp_i64 cached_id(sp_i64 *id, sp_i64 nr)
{
	if (!*id)
		*id = sp_user_syscall(nr, 0, 0, 0, 0);
	return *id;
}

sp_i64 sp_plat_id(struct sp_ctx *c, enum sp_id which)
{
	struct sp_user_lane *lane = lane_of_ctx(c);

	switch (which) {
	case SP_ID_PID:
		return cached_id(&lane->ids[0], SP_SYS_GETPID);
	case SP_ID_TID:
		return cached_id(&lane->ids[1], SP_SYS_GETTID);
	case SP_ID_PPID:
		return sp_user_syscall(SP_SYS_GETPPID, 0, 0, 0, 0);
	case SP_ID_UID:
		return sp_user_syscall(SP_SYS_GETUID, 0, 0, 0, 0);
	default:
		return lane->home;
	}
}

void sp_plat_execname(struct sp_ctx *c, char name[16])
{
	(void)c;
	sp_user_syscall(SP_SYS_PRCTL, 16 /* PR_GET_NAME */, (sp_i64)name, 0, 0);
}

/* ---- clocks ---- */

static sp_u64 clock_ns(sp_i64 which)
{
	struct time_spec t = { 0, 0 };

	if (sp_likely(cfg.vdso_clock))
		((int (*)(int, struct time_spec *))cfg.vdso_clock)((int)which, &t);
	else
		sp_user_syscall(SP_SYS_CLOCK_GETTIME, which, (sp_i64)&t, 0, 0);
	return (sp_u64)t.s * 1000000000u + (sp_u64)t.ns;
}

sp_u64 sp_plat_mono_ns(void)
{
	return clock_ns(1 /* CLOCK_MONOTONIC */);
}

sp_u64 sp_plat_real_ns(void)
{
	return clock_ns(0 /* CLOCK_REALTIME */);
}

sp_u64 sp_plat_cycles(void)
{
	sp_u32 low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (sp_u64)high << 32 | low;
}

/* The kernel keeps the processor's number in the limit of a segment (vsyscall.h), readable everywhere. */
sp_u32 sp_plat_cpu(void)
{
	sp_u32 limit;

	__asm__ volatile("lsl %1, %0" : "=r"(limit) : "r"(0x7b));
	return limit & 0xfff;
}

/* Shared memory that nobody touches is never had; but addresses are, in every process. */
sp_u32 sp_plat_lanes(sp_u32 *bytes)
{
	*bytes = 16u << 20;
	return 16;
}

/* To ask for the processor takes longer than to count, and threads move rarely. */
sp_u32 sp_plat_lane(struct sp_ctx *c)
{
	struct sp_user_lane *lane = lane_of_ctx(c);

	if (sp_unlikely(!lane->cpu_looks--)) {
		lane->cpu = (sp_u16)sp_plat_cpu();
		lane->cpu_looks = CPU_LOOKS;
	}
	return lane->cpu;
}
