/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user back end of spilerun.
 */
#include "spilerun/spilerun.h"

static int user_open(struct run *run)
{
	run_error(run, "this build of spilerun can not run scripts inside a program yet");
	return -1;
}

static int user_start(struct run *run)
{
	(void)run;
	return -1;
}

static void user_wake(struct run *run)
{
	(void)run;
}

const struct backend backend_user = {
	.name = "user",
	.suffix = ".so",
	.traces_command = true,
	.open = user_open,
	.start = user_start,
	.wake = user_wake,
	.stop = user_wake,
	.close = user_wake,
};
