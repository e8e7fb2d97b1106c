/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the kernel back end: what its files share.  device.c is where to start reading.
 *
 * A module is one script and holds one session at a time, so its state is one object, `sp_kernel'.  Handlers run in
 * task context only: uprobes in the task they hit, timers, begin and end probes in a work item.  None runs in an
 * interrupt, so nothing here has to keep interrupts off against a handler.
 */
#ifndef SPILE_KERNEL_H
#define SPILE_KERNEL_H

#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "platform.h"
#include "wire.h"

#define SP_FXSAVE_BYTES 512

/* One probe hit.  From a pool and not the CPU's, since a handler may sleep, and wake elsewhere. */
struct sp_hit {
	struct sp_ctx c;		/* .platform points back here */
	struct sp_regs regs;
	u32 number;			/* 1 and up: the owner's name on locks */
	bool preemptible;		/* begin, end, error: alone, lock nothing, and may wait for room in a ring */
	char fp[SP_FXSAVE_BYTES] __aligned(16);
};

struct sp_kernel_state {
	struct sp_session *session;	/* NULL: nothing set up */
	struct sp_control *control;	/* first page of the memory shared with the reader */
	u64 map_bytes;
	bool reader_gone;		/* the device is being closed: nobody will make room */
	bool detached;			/* nobody reads for now: rings keep what is newest */
	bool start_asked, stop_asked;
	bool started;			/* begin probes have run; control_work's own */
	bool rearm_asked;		/* a probe's condition has changed */
	atomic_t reader_waits;		/* poll() found nothing since the last wake-up */
	wait_queue_head_t readers;
	struct irq_work wake;
	struct workqueue_struct *workers;
	struct work_struct control_work;
};
extern struct sp_kernel_state sp_kernel;

static inline u32 sp_state(void)
{
	return READ_ONCE(sp_kernel.session->state);
}

/* transport.c: the shared memory and its rings. */
int sp_transport_make(u32 ring_bytes);
void sp_transport_free(void);
bool sp_transport_holds_data(void);
void sp_transport_wake(void);			/* any context */
void sp_warn_text(const char *format, ...) __printf(1, 2);	/* a WARNING record; not from a handler */

/* hits.c: the pool. */
int sp_hits_make(void);
void sp_hits_free(void);
struct sp_hit *sp_hit_get(void);		/* NULL: all in use, counted as a skip */
void sp_hit_put(struct sp_hit *h);
void sp_hit_run(struct sp_hit *h, const struct sp_probe *probe);	/* preemption off, but for what follows */

/* Around what may sleep amid a handler. */
static inline void sp_hit_may_sleep(const struct sp_hit *h)
{
	if (!h->preemptible)
		preempt_enable();
}

static inline void sp_hit_may_not_sleep(const struct sp_hit *h)
{
	if (!h->preemptible)
		preempt_disable();
}

/* registers.c */
struct pt_regs;
void sp_regs_fill(struct sp_hit *h, const struct pt_regs *regs, bool fp);
void sp_regs_store(const struct sp_hit *h, struct pt_regs *regs);	/* those that the script has changed */

/* objects.c: the files probed. */
int sp_objects_find(void);			/* in the opener's context: its root, its mounts */
void sp_objects_put(void);
struct inode *sp_object_inode(u32 object);	/* NULL: not found */
int sp_object_error(u32 object);		/* why */

/* maps.c: what processes have mapped. */
int sp_maps_make(void);
void sp_maps_free(void);
struct mm_struct;
bool sp_map_lock(struct sp_ctx *c, struct mm_struct *mm, bool wait);	/* for reading */

/* processes.c: the target and its descendants. */
int sp_processes_follow(int target);		/* 0: every process is wanted */
void sp_processes_forget(void);
bool sp_process_wanted(struct task_struct *task);
bool sp_mm_wanted(struct mm_struct *mm);	/* may say yes where it cannot know */

/* uprobes.c */
void sp_uprobes_make(void);
void sp_uprobes_rearm(void);			/* as the probes' conditions are now */
void sp_uprobes_remove(void);			/* returns once no handler runs */

/* timers.c */
int sp_timers_start(void);
void sp_timers_rearm(void);			/* as the probes' conditions are now */
void sp_timers_stop(void);			/* returns once no handler runs */

/* session.c: what START and STOP set going, in a work item. */
void sp_session_control(struct work_struct *work);

#endif
