// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module and its device: start reading here.
 *
 * Owns the session's life: memory comes with SETUP and goes with the last close, whoever closes and why, but for a session
 * that was left on purpose (DETACH), which the module's removal ends at the latest.  A reader that
 * is killed closes, so probes are out and end probes have run before its process is gone; the module can then be removed.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "kernel.h"

struct sp_kernel_state sp_kernel;

static unsigned long device_open;		/* bit 0: has an opener */
static DEFINE_MUTEX(requests);			/* one request at a time */

/* Reader's side of an irq_work: tells poll(), and ends the session where a handler has asked for it. */
static void wake_reader(struct irq_work *work)
{
	if (sp_kernel.session && (sp_state() > SP_RUNNING || READ_ONCE(sp_kernel.rearm_asked)))
		queue_work(sp_kernel.workers, &sp_kernel.control_work);
	wake_up_interruptible(&sp_kernel.readers);
}

static void session_free(void)
{
	sp_processes_forget();
	sp_objects_put();
	sp_maps_free();
	irq_work_sync(&sp_kernel.wake);
	if (sp_kernel.workers)
		destroy_workqueue(sp_kernel.workers);
	sp_hits_free();
	sp_transport_free();
	vfree(sp_kernel.session);
	memset(&sp_kernel, 0, sizeof(sp_kernel));
}

static int session_make(const struct sp_setup *setup)
{
	int rc;

	init_waitqueue_head(&sp_kernel.readers);
	init_irq_work(&sp_kernel.wake, wake_reader);
	INIT_WORK(&sp_kernel.control_work, sp_session_control);
	if (sp_script.limits.maxmemory_kb && sp_session_size(&sp_script) >> 10 > sp_script.limits.maxmemory_kb)
		return -E2BIG;
	/* Unbound: a handler may run long, and a timer's must not wait behind it on one CPU. */
	sp_kernel.workers = alloc_workqueue("%s", WQ_UNBOUND | WQ_HIGHPRI, 0, THIS_MODULE->name);
	sp_kernel.session = vzalloc(sp_session_size(&sp_script));
	if (!sp_kernel.workers || !sp_kernel.session)
		return -ENOMEM;
	sp_session_init(sp_kernel.session, &sp_script);
	sp_kernel.session->state = SP_STARTING;
	sp_kernel.session->remote_id = setup->remote_id;
	memcpy(sp_kernel.session->remote_uri, setup->remote_uri, SP_REMOTE_URI - 1);
	rc = sp_transport_make(setup->ring_bytes);
	if (!rc)
		rc = sp_hits_make();
	if (!rc)
		rc = sp_objects_find();
	if (!rc)
		rc = sp_maps_make();
	if (!rc)
		rc = sp_processes_follow(setup->target);
	return rc;
}

static long setup_request(struct sp_setup __user *arg)
{
	struct sp_setup setup;
	int rc;

	if (sp_kernel.session)
		return -EBUSY;
	if (copy_from_user(&setup, arg, sizeof(setup)))
		return -EFAULT;
	if (setup.abi != SP_WIRE_ABI || sp_script.abi != SP_ABI)
		return -EPROTO;
	rc = session_make(&setup);
	if (rc) {
		session_free();
		return rc;
	}
	setup.map_bytes = sp_kernel.map_bytes;
	return copy_to_user(arg, &setup, sizeof(setup)) ? -EFAULT : 0;
}

static long set_request(struct sp_set __user *arg)
{
	struct sp_set *set = memdup_user(arg, sizeof(*set));
	const char *why;
	long rc = 0;

	if (IS_ERR(set))
		return PTR_ERR(set);
	set->word[sizeof(set->word) - 1] = '\0';
	why = READ_ONCE(sp_kernel.start_asked) ? "the script runs already" : sp_session_set(sp_kernel.session, set->word);
	if (why) {
		strscpy(set->why, why, sizeof(set->why));
		rc = copy_to_user(arg->why, set->why, sizeof(set->why)) ? -EFAULT : -EINVAL;
	}
	kfree(set);
	return rc;
}

/*
 * A new reader for a session that was left.  Whoever was just making room in a ring, with preemption off, has finished once
 * synchronize_rcu() returns; from then on tails are the reader's alone.
 */
static long attach_request(struct sp_setup __user *arg)
{
	struct sp_setup setup;

	if (copy_from_user(&setup, arg, sizeof(setup)))
		return -EFAULT;
	if (setup.abi != SP_WIRE_ABI)
		return -EPROTO;
	if (!sp_kernel.detached)
		return -EBUSY;
	WRITE_ONCE(sp_kernel.detached, false);
	synchronize_rcu();
	setup.map_bytes = sp_kernel.map_bytes;
	setup.seq = READ_ONCE(sp_kernel.session->seq);
	sp_kernel.control->phase_seen = 0;	/* whatever it is, it is news */
	return copy_to_user(arg, &setup, sizeof(setup)) ? -EFAULT : 0;
}

static long device_ioctl(struct file *file, unsigned int request, unsigned long arg)
{
	long rc = 0;

	mutex_lock(&requests);
	if (request == SP_IOC_SETUP) {
		rc = setup_request((struct sp_setup __user *)arg);
	} else if (!sp_kernel.session) {
		rc = -ENXIO;
	} else if (request == SP_IOC_SET) {
		rc = set_request((struct sp_set __user *)arg);
	} else if (request == SP_IOC_START || request == SP_IOC_STOP) {
		if (request == SP_IOC_START)
			WRITE_ONCE(sp_kernel.start_asked, true);
		else
			WRITE_ONCE(sp_kernel.stop_asked, true);
		queue_work(sp_kernel.workers, &sp_kernel.control_work);
	} else if (request == SP_IOC_DETACH) {
		WRITE_ONCE(sp_kernel.detached, true);
	} else if (request == SP_IOC_ATTACH) {
		rc = attach_request((struct sp_setup __user *)arg);
	} else {
		rc = -ENOTTY;
	}
	mutex_unlock(&requests);
	return rc;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	int rc = -ENXIO;

	mutex_lock(&requests);
	if (sp_kernel.control)
		rc = remap_vmalloc_range(vma, sp_kernel.control, vma->vm_pgoff);
	mutex_unlock(&requests);
	return rc;
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	__poll_t events = 0;
	u32 phase;

	if (!sp_kernel.session)
		return EPOLLERR;
	poll_wait(file, &sp_kernel.readers, table);
	/* Before the look into the rings: whoever writes after it sees that we wait.  Pairs with sp_plat_emit(). */
	atomic_set(&sp_kernel.reader_waits, 1);
	smp_mb();
	phase = smp_load_acquire(&sp_kernel.control->phase);
	if ((!sp_kernel.detached && sp_transport_holds_data()) || phase != READ_ONCE(sp_kernel.control->phase_seen))
		events |= EPOLLIN | EPOLLRDNORM;
	if (phase == SP_PHASE_STOPPED)
		events |= EPOLLHUP;
	return events;
}

static int device_opened(struct inode *inode, struct file *file)
{
	return test_and_set_bit(0, &device_open) ? -EBUSY : 0;
}

static void session_end(void)
{
	if (!sp_kernel.session)
		return;
	WRITE_ONCE(sp_kernel.reader_gone, true);
	WRITE_ONCE(sp_kernel.stop_asked, true);
	queue_work(sp_kernel.workers, &sp_kernel.control_work);
	flush_work(&sp_kernel.control_work);
	session_free();
}

static int device_release(struct inode *inode, struct file *file)
{
	if (!sp_kernel.detached)
		session_end();
	clear_bit(0, &device_open);
	return 0;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_opened,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.mmap = device_mmap,
	.poll = device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.fops = &device_operations,
	.mode = 0600,
};

static int __init module_start(void)
{
	device.name = THIS_MODULE->name;	/* patched in after linking: KBUILD_MODNAME is a place holder */
	return misc_register(&device);
}

static void __exit module_stop(void)
{
	misc_deregister(&device);
	session_end();			/* one that was left */
}

module_init(module_start);
module_exit(module_stop);
MODULE_LICENSE("GPL");
MODULE_INFO(version, SP_MODULE_VERSION);
MODULE_DESCRIPTION("a compiled tracing script");
