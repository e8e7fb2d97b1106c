/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C in a module: the kernel's headers, and how its memory is reached.  Start reading at common.h. */
#ifndef SP_EMBEDDED_KERNEL_H
#define SP_EMBEDDED_KERNEL_H

#include <linux/module.h>
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/profile.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>
#include <linux/utsname.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#include "common.h"

static inline struct pt_regs *sp_c_uregs(struct sp_ctx *hit)
{
	return hit->regs && current->mm ? task_pt_regs(current) : NULL;
}

static inline bool sp_c_read_kernel(struct context *c, void *to, unsigned long from, sp_size n)
{
	return !copy_from_kernel_nofault(to, (const void *)from, n);
}

/* Byte by byte: what is exported copies from the kernel only. */
static inline bool sp_c_write_kernel(struct context *c, unsigned long to, const void *from, sp_size n)
{
	bool whole = false;

	if ((long)to >= 0)		/* the lower half is the user's */
		return false;
	pagefault_disable();
	for (sp_size i = 0; i < n; i++)
		__put_kernel_nofault((char *)to + i, (const char *)from + i, char, bad);
	whole = true;
bad:
	pagefault_enable();
	return whole;
}

static inline bool sp_c_write_user(struct context *c, unsigned long to, const void *from, sp_size n)
{
	return current->mm && !copy_to_user_nofault((void __user *)to, from, n);
}

#define _stp_is_compat_task() (IS_ENABLED(CONFIG_COMPAT) && test_thread_flag(TIF_ADDR32))
#define _stp_current_pt_regs() (current->mm ? task_pt_regs(current) : NULL)
#define _stp_random_u(n) ((n) ? get_random_u32() % (n) : 0)

#endif
