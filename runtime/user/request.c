/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asking spilerun: rare, and the thread waits for the answer.  These are the only places where the agent sleeps.
 */
#include "agent.h"

#define WAIT_MS 200			/* between two looks at whether spilerun still lives */
#define WAIT_ROUNDS 50			/* then the thread goes on alone */

static sp_i64 futex(sp_u32 *word, sp_i64 op, sp_u32 value, const void *timeout)
{
	return sp_user_syscall(SP_SYS_FUTEX, (sp_i64)word, op, value, (sp_i64)timeout);
}

void sp_user_ring_doorbell(void)
{
	__atomic_fetch_add(&sp_user_config.shared->doorbell, 1, __ATOMIC_RELEASE);
	futex(&sp_user_config.shared->doorbell, 1 /* FUTEX_WAKE */, 1, 0);
}

/* Waits until @r is answered; a request that nobody answered is taken back. */
static void wait_done(struct sp_user_shared *shared, struct sp_user_request *r)
{
	struct { sp_i64 s, ns; } timeout = { 0, WAIT_MS * 1000000ll };
	int round;

	for (round = 0; round < WAIT_ROUNDS && !shared->gone; round++) {
		if (__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == SP_REQ_DONE)
			break;
		futex(&r->state, 0 /* FUTEX_WAIT */, SP_REQ_POSTED, &timeout);
	}
	__atomic_store_n(&r->state, SP_REQ_FREE, __ATOMIC_RELEASE);
}

void sp_user_request(struct sp_user_lane *lane, enum sp_user_request_kind kind, sp_u32 module)
{
	struct sp_user_shared *shared = sp_user_config.shared;
	sp_u32 i;

	(void)lane;
	if (shared->gone || __atomic_load_n(&sp_user_config.session->state, __ATOMIC_RELAXED) != SP_RUNNING)
		return;
	for (i = 0; i < SP_USER_REQUESTS; i++) {
		struct sp_user_request *r = &shared->requests[i];
		sp_u32 expected = SP_REQ_FREE;

		if (!__atomic_compare_exchange_n(&r->state, &expected, SP_REQ_FILLING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		r->kind = kind;
		r->module = module;
		/* asked of the kernel: in a vfork child what the thread's memory says is its parent's */
		r->pid = (sp_u32)sp_user_syscall(SP_SYS_GETPID, 0, 0, 0, 0);
		r->tid = (sp_u32)sp_user_syscall(SP_SYS_GETTID, 0, 0, 0, 0);
		__atomic_store_n(&r->state, SP_REQ_POSTED, __ATOMIC_RELEASE);
		sp_user_ring_doorbell();
		wait_done(shared, r);
		return;
	}
}

/* The loader calls its breakpoint before and after each change; only the settled map is of interest. */
void sp_user_loader_changed(struct sp_user_lane *lane)
{
	const sp_u32 *state = (const sp_u32 *)sp_user_config.loader_state;

	if (!state || *state == 0 /* RT_CONSISTENT */)
		sp_user_request(lane, SP_REQ_MAPS, 0);
}
