/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A back end for unit tests: one process, any number of threads, target memory that a test lays out.
 *
 * A test defines its own sp_script, calls host_start() once, and runs handlers with host_run() or calls core functions
 * in host_context().  What was emitted is in host_out, host_err and host_warn.
 */
#ifndef SPILE_HOST_PLATFORM_H
#define SPILE_HOST_PLATFORM_H

#include <stdbool.h>

#include "platform.h"

extern struct sp_session *host_session;
extern char host_out[65536], host_err[4096], host_warn[4096];
extern sp_u32 host_self;		/* an owner that is an earlier hit of the thread; 0: none */
extern sp_u32 host_lanes, host_lane_bytes;	/* that counted arrays get: to be set before host_start() */
extern __thread sp_u32 host_cpu;	/* the thread's lane + 1; 0: by its owner number */
extern const struct sp_regs *host_regs;	/* of the hits from now on; NULL: they have none */
extern sp_u64 host_slept_us;		/* asked of sp_plat_sleep() in all */
extern bool (*host_on_sleep)(void);	/* what it does and returns; NULL: this context may not sleep */
extern unsigned host_rearms;		/* calls of sp_plat_rearm() */
extern int host_exits;			/* SP_REC_EXIT records */
extern int host_states;			/* calls of sp_plat_state_changed() */
extern unsigned host_reads;		/* calls of sp_plat_read() */
extern sp_i64 host_thread_key;
extern sp_u64 host_cycles;		/* one more at each look */

/* Target memory: HOST_PAGES pages from HOST_BASE on, each present, absent (a read brings it in) or bad. */
#define HOST_BASE 0x10000ull
#define HOST_PAGES 8
enum host_page { HOST_PRESENT, HOST_ABSENT, HOST_BAD };
extern enum host_page host_pages[HOST_PAGES];
extern char host_memory[HOST_PAGES * 4096];

/* The one mapping there is, and its symbols; with host_names_absent they have to be waited for. */
extern struct sp_module host_module;
extern const struct sp_symbols *host_symbols;
extern sp_bool host_names_absent;

void host_start(void);			/* a fresh session, RUNNING */
void host_start_shared(void);		/* the same in memory that forked processes share */
void host_be_owner(sp_u32 owner);	/* this thread's number from now on */
struct sp_ctx *host_context(void);	/* this thread's, as at the start of a handler of host_probe */
void host_run(const struct sp_probe *probe);
void host_clear(void);			/* forgets what was emitted */
const char *host_text(struct sp_str s);	/* NUL-terminated, good until the eighth call after it */
const char *host_printed(struct sp_ctx *c);	/* what is staged, which is then dropped */

#endif
