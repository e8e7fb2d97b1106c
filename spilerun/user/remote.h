/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stopped thread of another process: its memory, and system calls made in its name.
 */
#ifndef SPILERUN_USER_REMOTE_H
#define SPILERUN_USER_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct remote {
	pid_t pid, tid;			/* process; the stopped thread that lends itself */
	int mem;			/* /proc/PID/mem */
	struct user_regs_struct saved;
	uint64_t syscall_insn;		/* in the vDSO; 0: not looked for yet */
	int pending[16];		/* signals that came meanwhile: delivered when it goes on */
	int npending;
};

/* @tid is in a ptrace stop of ours.  -1 with errno. */
int remote_open(struct remote *r, pid_t pid, pid_t tid);
/* Puts the registers back, a call that the stop interrupted wound back. */
void remote_close(struct remote *r);
/* Negative errno on failure. */
int64_t remote_syscall(struct remote *r, int64_t nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f);
bool remote_read(const struct remote *r, uint64_t addr, void *to, size_t n);
bool remote_write(const struct remote *r, uint64_t addr, const void *from, size_t n);
/* A value of the process's auxiliary vector; 0: not there. */
uint64_t remote_auxv(pid_t pid, uint64_t type);

/* All threads of a process, seized and stopped. */
struct stopped {
	pid_t pid;
	struct { pid_t tid; int pending; } *threads;
	size_t n, room;
};
/* Returns -1 with errno where a thread cannot be seized; nothing stays stopped then. */
int threads_stop(struct stopped *s, pid_t pid);
/* Winds interrupted calls back, delivers what came meanwhile, lets go. */
void threads_go(struct stopped *s);
/* Winds back the call that a stop interrupted, so that the program sees nothing of it. */
void wind_back(struct user_regs_struct *regs);

#endif
