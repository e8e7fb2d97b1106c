/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hrtimer_init() and setting .function became hrtimer_setup().  A function that is absent has no type to test, so the
 * module's builder looks for it among the exported symbols and defines HAVE_hrtimer_setup.
 */
#ifndef SPILE_COMPAT_HRTIMER_H
#define SPILE_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

static inline void sp_hrtimer_make(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
#ifdef HAVE_hrtimer_setup
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#endif
}

#endif
