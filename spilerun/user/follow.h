/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following processes through exec, fork and their loaders, and the guardian that mends them when spilerun is gone. */
#ifndef SPILERUN_USER_FOLLOW_H
#define SPILERUN_USER_FOLLOW_H

#include "spilerun/user/user.h"

int follow_open(struct user_run *u);		/* the doorbell's thread and the guardian; -1 after a message */
/* @pid is in a stop right after its exec: gets in, plants, lets go.  @must: failing is an error, the process is killed. */
int follow_exec_stop(struct user_run *u, pid_t pid, bool must);
bool follow_child(struct user_run *u, pid_t pid, int status);
void follow_wake(struct user_run *u);		/* requests, new processes, dead ones */
void follow_stop(struct user_run *u);		/* takes patches out of every process */
void follow_close(struct user_run *u);

#endif
