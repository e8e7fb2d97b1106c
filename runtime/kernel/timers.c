// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timer probes.
 *
 * The timer itself only counts a tick; the handler runs in a work item.  In the timer's interrupt it would meet a handler
 * on its own CPU that holds a lock it wants, and skip; here it waits like any other.  Its registers, thread and memory
 * are nobody's.
 */
#include <linux/random.h>
#include <linux/slab.h>

#include "kernel.h"
#include "compat/hrtimer.h"

#define INTERVAL_MIN_NS 10000		/* below it, ticks would take the whole CPU */

struct probe_timer {
	struct hrtimer timer;
	struct work_struct work;
	atomic_t due;			/* ticks whose handler has not run */
	const struct sp_probe *probe;
	bool runs;
};
static struct probe_timer *timers;
static u32 ntimers;

static u64 next_interval(const struct sp_probe *p)
{
	u64 unit = p->flags & SP_PROBE_TICKS ? TICK_NSEC : 1;
	u64 ns = p->interval_ns * unit, spread = p->random_ns * unit;

	if (spread) {
		u64 random = (u64)get_random_u32() << 32 | get_random_u32();

		ns = ns - min(ns, spread) + random % (2 * spread + 1);
	}
	return max_t(u64, ns, INTERVAL_MIN_NS);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct probe_timer *t = container_of(timer, struct probe_timer, timer);

	atomic_inc(&t->due);
	queue_work(sp_kernel.workers, &t->work);
	hrtimer_forward_now(timer, ns_to_ktime(next_interval(t->probe)));
	return HRTIMER_RESTART;
}

static void timer_run(struct probe_timer *t)
{
	t->runs = true;
	hrtimer_start(&t->timer, ns_to_ktime(next_interval(t->probe)), HRTIMER_MODE_REL);
}

static void run_due(struct work_struct *work)
{
	struct probe_timer *t = container_of(work, struct probe_timer, work);
	struct sp_hit *h;

	while (sp_state() == SP_RUNNING && atomic_dec_if_positive(&t->due) >= 0) {
		h = sp_hit_get();
		if (!h)
			continue;
		sp_hit_run(h, t->probe);
		sp_hit_put(h);
		cond_resched();
	}
}

int sp_timers_start(void)
{
	u32 i, n = 0;

	for (i = 0; i < sp_script.nprobes; i++)
		n += sp_script.probes[i].kind == SP_PROBE_TIMER;
	if (!n)
		return 0;
	timers = kvcalloc(n, sizeof(*timers), GFP_KERNEL);
	if (!timers)
		return -ENOMEM;
	for (i = 0; i < sp_script.nprobes; i++) {
		struct probe_timer *t = &timers[ntimers];

		if (sp_script.probes[i].kind != SP_PROBE_TIMER)
			continue;
		t->probe = &sp_script.probes[i];
		INIT_WORK(&t->work, run_due);
		sp_hrtimer_make(&t->timer, tick);
		if (sp_is_armed(sp_kernel.session, t->probe))
			timer_run(t);
		ntimers++;
	}
	return 0;
}

/* One that is armed again begins a whole interval. */
void sp_timers_rearm(void)
{
	u32 i;

	for (i = 0; i < ntimers; i++) {
		struct probe_timer *t = &timers[i];

		if (t->runs == sp_is_armed(sp_kernel.session, t->probe))
			continue;
		if (!t->runs) {
			timer_run(t);
			continue;
		}
		hrtimer_cancel(&t->timer);
		atomic_set(&t->due, 0);
		t->runs = false;
	}
}

void sp_timers_stop(void)
{
	u32 i;

	for (i = 0; i < ntimers; i++) {
		hrtimer_cancel(&timers[i].timer);
		cancel_work_sync(&timers[i].work);
	}
	kvfree(timers);
	timers = NULL;
	ntimers = 0;
}
