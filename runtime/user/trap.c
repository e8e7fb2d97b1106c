/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints: the last resort, where no jump fits.
 *
 * The handler of SIGTRAP only moves the thread to the breakpoint's stub, which then does what every stub does.  spilerun
 * plants breakpoints only where the signal is neither blocked nor used by the program.
 */
#include "agent.h"

#define CONTEXT_RIP 168			/* of rip in struct ucontext (asm/ucontext.h, asm/sigcontext.h) */

enum { SP_SYS_RT_SIGACTION = 13, SP_SIGTRAP = 5 };

void sp_user_trap(int signal, void *info, void *context);

static sp_u64 find_stub(sp_u64 addr)
{
	const struct sp_user_plot *plot = (const void *)sp_user_config.plots;
	sp_u64 i;

	for (; plot; plot = (const void *)plot->next) {
		const struct sp_user_trap *traps = (const void *)plot->traps;

		for (i = 0; i < plot->ntraps; i++)
			if (traps[i].run_addr == addr)
				return traps[i].stub;
	}
	return 0;
}

/* Any other SIGTRAP does what it would have done without us: its default action, at the next try. */
static void give_to_program(void)
{
	const sp_u64 action[4] = { 0, 0, 0, 0 };	/* SIG_DFL */

	sp_user_syscall(SP_SYS_RT_SIGACTION, SP_SIGTRAP, (sp_i64)action, 0, 8);
	sp_user_syscall(SP_SYS_TGKILL, sp_user_syscall(SP_SYS_GETPID, 0, 0, 0, 0), sp_user_syscall(SP_SYS_GETTID, 0, 0, 0, 0),
			SP_SIGTRAP, 0);
}

void sp_user_trap(int signal, void *info, void *context)
{
	sp_u64 *rip = (sp_u64 *)((char *)context + CONTEXT_RIP);
	sp_u64 stub = find_stub(*rip - 1);

	(void)signal;
	(void)info;
	if (stub)
		*rip = stub;
	else
		give_to_program();
}
