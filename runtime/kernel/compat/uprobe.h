/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uprobes: the prototypes drifted twice, each known by its type and not by a version.
 *
 *	uprobe_register		(inode, offset, consumer) and a second function for a counter; or one with both, that gives a handle
 *	handler			(consumer, regs); or with a cookie behind
 *	filter			(consumer, context, mm); or without the context
 */
#ifndef SPILE_COMPAT_UPROBE_H
#define SPILE_COMPAT_UPROBE_H

#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/uprobes.h>

#ifndef SP_SAME_TYPE
#define SP_SAME_TYPE(a, b) __builtin_types_compatible_p(a, b)
#endif

typedef int sp_uprobe_register_plain(struct inode *, loff_t, struct uprobe_consumer *);
typedef struct uprobe *sp_uprobe_register_handle(struct inode *, loff_t, loff_t, struct uprobe_consumer *);
#define SP_UPROBE_HAS_HANDLE SP_SAME_TYPE(typeof(uprobe_register), sp_uprobe_register_handle)
static_assert(SP_UPROBE_HAS_HANDLE || SP_SAME_TYPE(typeof(uprobe_register), sp_uprobe_register_plain),
	      "spile: uprobe_register has drifted");

typedef int sp_uprobe_handler_plain(struct uprobe_consumer *, struct pt_regs *);
typedef int sp_uprobe_handler_cookie(struct uprobe_consumer *, struct pt_regs *, __u64 *);
#define SP_UPROBE_HAS_COOKIE SP_SAME_TYPE(typeof(((struct uprobe_consumer *)0)->handler), sp_uprobe_handler_cookie *)
static_assert(SP_UPROBE_HAS_COOKIE ||
	      SP_SAME_TYPE(typeof(((struct uprobe_consumer *)0)->handler), sp_uprobe_handler_plain *),
	      "spile: the handler of struct uprobe_consumer has drifted");

typedef bool sp_uprobe_filter_plain(struct uprobe_consumer *, struct mm_struct *);
#define SP_UPROBE_FILTER_IS_PLAIN SP_SAME_TYPE(typeof(((struct uprobe_consumer *)0)->filter), sp_uprobe_filter_plain *)

/* Each exists in one of the two forms only; named in dead branches in the other, so that no reference is left. */
extern int uprobe_register_refctr(struct inode *, loff_t, loff_t, struct uprobe_consumer *);
extern void uprobe_unregister(struct inode *, loff_t, struct uprobe_consumer *);
extern void uprobe_unregister_nosync(struct uprobe *, struct uprobe_consumer *);
extern void uprobe_unregister_sync(void);

/* A registered uprobe's name for removal: a handle, or the inode and offset. */
struct sp_uprobe {
	struct uprobe *handle;
	struct inode *inode;
	loff_t offset;
};

static inline int sp_uprobe_add(struct sp_uprobe *u, struct inode *inode, loff_t offset, loff_t counter,
				struct uprobe_consumer *consumer)
{
	u->inode = inode;
	u->offset = offset;
	if (!SP_UPROBE_HAS_HANDLE)
		return uprobe_register_refctr(inode, offset, counter, consumer);
	u->handle = __builtin_choose_expr(SP_UPROBE_HAS_HANDLE, uprobe_register, (sp_uprobe_register_handle *)0)(
		inode, offset, counter, consumer);
	return PTR_ERR_OR_ZERO(u->handle);
}

/* Handlers may still run until sp_uprobes_settle(). */
static inline void sp_uprobe_del(struct sp_uprobe *u, struct uprobe_consumer *consumer)
{
	if (SP_UPROBE_HAS_HANDLE)
		uprobe_unregister_nosync(u->handle, consumer);
	else
		uprobe_unregister(u->inode, u->offset, consumer);
}

/* Once for all that were removed: it costs tens of milliseconds. */
static inline void sp_uprobes_settle(void)
{
	if (SP_UPROBE_HAS_HANDLE)
		uprobe_unregister_sync();
}

/* Defines NAME's callbacks in each form, over `int NAME(consumer, regs)' and `bool NAME_filter(mm)'. */
#define SP_UPROBE_CALLBACKS(name) \
	static __maybe_unused int name##_cookie(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *data) \
	{ return name(uc, regs); } \
	static __maybe_unused bool name##_filter_plain(struct uprobe_consumer *uc, struct mm_struct *mm) \
	{ return name##_filter(mm); } \
	static __maybe_unused bool name##_filter_context(struct uprobe_consumer *uc, int context, struct mm_struct *mm) \
	{ return name##_filter(mm); }
#define SP_UPROBE_SET_CALLBACKS(uc, name) do { \
		(uc)->handler = (typeof((uc)->handler))(void *) \
			__builtin_choose_expr(SP_UPROBE_HAS_COOKIE, name##_cookie, name); \
		(uc)->filter = (typeof((uc)->filter))(void *) \
			__builtin_choose_expr(SP_UPROBE_FILTER_IS_PLAIN, name##_filter_plain, name##_filter_context); \
	} while (0)

#endif
