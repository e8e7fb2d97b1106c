/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoint callbacks whose arguments drifted.
 *
 * sched_process_exit: (data, task); later also a bool, that the task is the last of its process.  Each trace header gives
 * check_trace_callback_type_NAME(), whose type tells which.
 */
#ifndef SPILE_COMPAT_TRACEPOINT_H
#define SPILE_COMPAT_TRACEPOINT_H

#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#define SP_SAME_TYPE(a, b) __builtin_types_compatible_p(a, b)

typedef void sp_exit_check_plain(void (*)(void *, struct task_struct *));
typedef void sp_exit_check_group(void (*)(void *, struct task_struct *, bool));
#define SP_EXIT_HAS_GROUP SP_SAME_TYPE(typeof(check_trace_callback_type_sched_process_exit), sp_exit_check_group)
static_assert(SP_EXIT_HAS_GROUP || SP_SAME_TYPE(typeof(check_trace_callback_type_sched_process_exit), sp_exit_check_plain),
	      "spile: the tracepoint sched_process_exit has drifted");

/* The callback to register for sched_process_exit: calls NAME(task). */
#define SP_EXIT_CALLBACK(name) \
	static __maybe_unused void name##_plain(void *data, struct task_struct *task) { name(task); } \
	static __maybe_unused void name##_group(void *data, struct task_struct *task, bool group) { name(task); }
#define SP_EXIT_CALLBACK_OF(name) \
	__builtin_choose_expr(SP_EXIT_HAS_GROUP, (void *)name##_group, (void *)name##_plain)

#endif
