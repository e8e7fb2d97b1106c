/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the module and the program that reads it: requests of the device, and the memory both map.
 *
 * The device is /dev/NAME, NAME being the module's.  Its one opener asks, in this order: SETUP (memory, files looked
 * up), SET for each global that is given a value, mmap of all of it, START (begin probes, then sites; does not wait), STOP (probes out, end probes; does not
 * wait), close.  Closing at any point does what was left out of STOP, and waits for it.
 * After DETACH the opener reads no more: a full ring gives its oldest records up for new ones, and closing leaves the session as
 * it is.  The next opener asks ATTACH in place of SETUP and START, and goes on from there.
 * The mapping: one page with struct sp_control, then one ring for each CPU, each `stride' bytes long.
 */
#ifndef SPILE_WIRE_H
#define SPILE_WIRE_H

#include <linux/ioctl.h>
#include "platform.h"

#define SP_WIRE_ABI 3
#define SP_MODULE_VERSION "spile-3"	/* as /sys/module/NAME/version has it: a module of ours */

enum sp_phase {
	SP_PHASE_READY = 1,		/* set up; nothing has run */
	SP_PHASE_RUNNING,		/* begin probes are done and the sites are armed: a command may go */
	SP_PHASE_STOPPED,		/* end probes are done: what the rings hold now is all */
};

/* Written by the module, but for one word. */
struct sp_control {
	sp_u32 abi;			/* SP_WIRE_ABI */
	sp_u32 phase;			/* enum sp_phase; released after all that it stands for */
	sp_u32 nrings;
	sp_u32 exit_status;		/* of the session, right once STOPPED */
	sp_u64 stride;			/* bytes from one ring to the next */
	sp_u32 phase_seen;		/* the reader's: poll() reports a phase until it is here */
	sp_u32 pad;
};

struct sp_setup {
	sp_u32 abi;			/* in: SP_WIRE_ABI */
	sp_i32 target;			/* in: pid, in the caller's namespace, that is the target; 0: every process */
	sp_u32 ring_bytes;		/* in: data in each ring, a power of two; 0: the module's choice */
	sp_i32 remote_id;		/* in: as struct sp_session has it */
	sp_u64 map_bytes;		/* out: length of the mapping */
	sp_u64 seq;			/* out: records below this number may be gone; ATTACH */
	char remote_uri[SP_REMOTE_URI];	/* in: ends in a NUL */
};

_Static_assert(sizeof(struct sp_control) == 32 && sizeof(struct sp_setup) == 32 + SP_REMOTE_URI, "the wire is the same for both sides");
_Static_assert(sizeof(struct sp_ring) == 128, "ring data starts on a cache line");

/* A global's first value, between SETUP and START. */
struct sp_set {
	char word[4096];		/* in: NAME=VALUE and a NUL */
	char why[128];			/* out, with EINVAL: what is wrong with it */
};

#define SP_IOC_SETUP _IOWR('S', 1, struct sp_setup)
#define SP_IOC_START _IO('S', 2)
#define SP_IOC_STOP _IO('S', 3)
#define SP_IOC_SET _IOWR('S', 4, struct sp_set)
#define SP_IOC_DETACH _IO('S', 5)
#define SP_IOC_ATTACH _IOWR('S', 6, struct sp_setup)

/* poll(): POLLIN when a ring holds something or the phase is another than phase_seen, POLLHUP too once STOPPED. */

#endif
