// SPDX-License-Identifier: GPL-2.0-or-later
/* The small primitives core/ asks for: target memory, clocks, identity, waiting. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "kernel.h"

#define LANES_MOST 8u

/* A kernel thread has no memory of its own and runs on the map of whoever was before it: that must not be read. */
static bool has_memory(void)
{
	return current->mm && !(current->flags & PF_KTHREAD);
}

sp_bool sp_plat_peek(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	return has_memory() && !copy_from_user_nofault(dst, (const void __user *)(unsigned long)addr, n);
}

sp_bool sp_plat_read(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	bool whole;

	if (!has_memory())
		return false;
	sp_hit_may_sleep(c->platform);
	whole = !copy_from_user(dst, (const void __user *)(unsigned long)addr, n);
	sp_hit_may_not_sleep(c->platform);
	return whole;
}

sp_bool sp_plat_write(struct sp_ctx *c, const void *src, sp_uaddr addr, sp_size n)
{
	bool whole;

	if (!has_memory())
		return false;
	sp_hit_may_sleep(c->platform);
	whole = !copy_to_user((void __user *)(unsigned long)addr, src, n);
	sp_hit_may_not_sleep(c->platform);
	return whole;
}

sp_bool sp_plat_peek_kernel(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	return !copy_from_kernel_nofault(dst, (const void *)(unsigned long)addr, n);
}

sp_u32 sp_plat_owner(struct sp_ctx *c)
{
	const struct sp_hit *h = c->platform;

	return h->number;
}

void sp_plat_relax(void)
{
	udelay(1);
}

/* All handlers run in the context of a task.  Those that take locks run with preemption off, and hold none now. */
sp_bool sp_plat_sleep(sp_u32 us)
{
	preempt_enable();
	usleep_range(us, us + us / 2);
	preempt_disable();
	return true;
}

/* The kernel gives a thread no second hit amid the first. */
sp_bool sp_plat_is_self(struct sp_ctx *c, sp_u32 owner)
{
	return false;
}

sp_u64 sp_plat_mono_ns(void)
{
	return ktime_get_mono_fast_ns();
}

sp_u64 sp_plat_real_ns(void)
{
	return ktime_get_real_fast_ns();
}

sp_u64 sp_plat_cycles(void)
{
	return get_cycles();
}

sp_u32 sp_plat_cpu(void)
{
	return raw_smp_processor_id();
}

/* One for each processor that can be, while these are not too many; all of their memory is had from the start. */
sp_u32 sp_plat_lanes(sp_u32 *bytes)
{
	*bytes = SZ_1M;
	return nr_cpu_ids > 1 ? min_t(u32, roundup_pow_of_two(nr_cpu_ids), LANES_MOST) : 0;
}

/* Preemption is off while probes count. */
sp_u32 sp_plat_lane(struct sp_ctx *c)
{
	return raw_smp_processor_id();
}

static sp_i64 parent_pid(void)
{
	sp_i64 pid;

	rcu_read_lock();
	pid = rcu_dereference(current->real_parent)->tgid;
	rcu_read_unlock();
	return pid;
}

/* Numbers of the machine's own pid namespace, as target() is. */
sp_i64 sp_plat_id(struct sp_ctx *c, enum sp_id which)
{
	switch (which) {
	case SP_ID_PID:
		return current->tgid;
	case SP_ID_TID:
		return current->pid;
	case SP_ID_PPID:
		return parent_pid();
	case SP_ID_UID:
		return from_kuid(&init_user_ns, current_uid());
	case SP_ID_THREAD_KEY:
		return (long)current;
	}
	return 0;
}

void sp_plat_execname(struct sp_ctx *c, char name[16])
{
	strscpy(name, current->comm, 16);
}
