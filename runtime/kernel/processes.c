// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which processes are wanted: all of them; or, with a target, it and what it forks from now on.
 *
 * A process is known by its signal_struct, which all its threads share and which lives as long as any of them.  Forks and
 * exits come from tracepoints, found by name since their symbols are not exported, and hooked only for a target.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "kernel.h"
#include "compat/tracepoint.h"

#define HASH_BITS 8

struct process {
	struct hlist_node node;
	struct rcu_head rcu;
	const struct signal_struct *key;
};

static struct hlist_head known[1 << HASH_BITS];
static DEFINE_SPINLOCK(known_lock);		/* for writers; readers are under RCU */
static bool has_target;

static struct hlist_head *bucket(const struct signal_struct *key)
{
	return &known[hash_ptr(key, HASH_BITS)];
}

/* Under RCU or the lock. */
static struct process *find_process(const struct signal_struct *key)
{
	struct process *p;

	hlist_for_each_entry_rcu(p, bucket(key), node, lockdep_is_held(&known_lock))
		if (p->key == key)
			return p;
	return NULL;
}

static int add(const struct signal_struct *key)
{
	struct process *p = kzalloc(sizeof(*p), GFP_ATOMIC);
	unsigned long flags;

	if (!p)
		return -ENOMEM;
	p->key = key;
	spin_lock_irqsave(&known_lock, flags);
	hlist_add_head_rcu(&p->node, bucket(key));
	spin_unlock_irqrestore(&known_lock, flags);
	return 0;
}

static void drop(const struct signal_struct *key)
{
	struct process *p;
	unsigned long flags;

	spin_lock_irqsave(&known_lock, flags);
	p = find_process(key);
	if (p)
		hlist_del_rcu(&p->node);
	spin_unlock_irqrestore(&known_lock, flags);
	if (p)
		kfree_rcu(p, rcu);
}

static bool is_known(const struct signal_struct *key)
{
	bool yes;

	rcu_read_lock();
	yes = find_process(key) != NULL;
	rcu_read_unlock();
	return yes;
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (child->signal != parent->signal && is_known(parent->signal) && add(child->signal))
		sp_count_skip(sp_kernel.session, NULL, SP_SKIP_CONTEXT);
}

static void on_exit(struct task_struct *task)
{
	/* do_exit() has already taken the task off: none left means that the process is gone. */
	if (atomic_read(&task->signal->live) == 0 && is_known(task->signal))
		drop(task->signal);
}
SP_EXIT_CALLBACK(on_exit)

static struct hook {
	const char *name;
	void *callback;
	struct tracepoint *point;	/* NULL: not hooked */
} hooks[] = {
	{ "sched_process_fork", on_fork, NULL },
	{ "sched_process_exit", NULL, NULL },	/* in one of two forms */
};

static void match_hook(struct tracepoint *point, void *data)
{
	struct hook *hook = data;

	if (!strcmp(point->name, hook->name))
		hook->point = point;
}

static int hook_all(void)
{
	unsigned int i;
	int rc;

	hooks[1].callback = SP_EXIT_CALLBACK_OF(on_exit);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		for_each_kernel_tracepoint(match_hook, &hooks[i]);
		rc = hooks[i].point ? tracepoint_probe_register(hooks[i].point, hooks[i].callback, NULL) : -ENOENT;
		if (rc) {
			hooks[i].point = NULL;
			return rc;
		}
	}
	return 0;
}

static void unhook_all(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i].point)
			tracepoint_probe_unregister(hooks[i].point, hooks[i].callback, NULL);
		hooks[i].point = NULL;
	}
	tracepoint_synchronize_unregister();
}

/* @target: in the caller's pid namespace.  target() then gives its number in the machine's. */
int sp_processes_follow(int target)
{
	struct task_struct *task;
	struct pid *pid;
	int rc;

	if (!target)
		return 0;
	pid = find_get_pid(target);
	task = get_pid_task(pid, PIDTYPE_TGID);
	put_pid(pid);
	if (!task)
		return -ESRCH;
	has_target = true;
	sp_kernel.session->target = task->tgid;
	rc = hook_all();		/* before adding: a fork in between must not be missed */
	if (!rc)
		rc = add(task->signal);
	put_task_struct(task);
	return rc;
}

void sp_processes_forget(void)
{
	struct process *p;
	struct hlist_node *next;
	unsigned int i;

	if (!has_target)
		return;
	unhook_all();
	for (i = 0; i < ARRAY_SIZE(known); i++)
		hlist_for_each_entry_safe(p, next, &known[i], node) {
			hlist_del(&p->node);
			kfree(p);
		}
	has_target = false;
	rcu_barrier();			/* what drop() left to kfree_rcu() */
}

bool sp_process_wanted(struct task_struct *task)
{
	return !has_target || is_known(task->signal);
}

/* Asked while a file is mapped, mostly by the process itself, or for every process while a site is armed. */
bool sp_mm_wanted(struct mm_struct *mm)
{
	bool yes = true;

	if (!has_target)
		return true;
	if (current->mm == mm)
		return sp_process_wanted(current);
#ifdef CONFIG_MEMCG
	rcu_read_lock();
	if (mm->owner)
		yes = is_known(rcu_dereference(mm->owner)->signal);
	rcu_read_unlock();
#endif
	return yes;
}
