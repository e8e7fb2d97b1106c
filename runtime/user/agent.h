/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the agent's files share.  Start with agent.c: a hit from the stub to the handler. */
#ifndef SPILE_USER_AGENT_H
#define SPILE_USER_AGENT_H

#include "shared.h"

extern struct sp_user_config sp_user_config;

/* syscalls: raw, since no libc may be entered.  Returns a negative errno on failure. */
sp_i64 sp_user_syscall(sp_i64 nr, sp_i64 a, sp_i64 b, sp_i64 c, sp_i64 d);
enum {
	SP_SYS_RT_SIGPROCMASK = 14, SP_SYS_SCHED_YIELD = 24, SP_SYS_GETPID = 39, SP_SYS_GETUID = 102, SP_SYS_GETPPID = 110,
	SP_SYS_PRCTL = 157, SP_SYS_ARCH_PRCTL = 158, SP_SYS_GETTID = 186, SP_SYS_FUTEX = 202, SP_SYS_CLOCK_GETTIME = 228,
	SP_SYS_SIGALTSTACK = 131, SP_SYS_TGKILL = 234, SP_SYS_NANOSLEEP = 35,
};

struct sp_user_lane *sp_user_lane_at(sp_u32 number);	/* from 1 */
void sp_user_lane_set_up(struct sp_user_lane *lane);	/* the context's pointers, for this process */
void sp_user_ring_doorbell(void);

/* request.c: the thread asks spilerun for something and waits until it is done. */
void sp_user_request(struct sp_user_lane *lane, enum sp_user_request_kind kind, sp_u32 module);
void sp_user_loader_changed(struct sp_user_lane *lane);

#endif
