/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptrace: stopping threads, lending one for system calls, letting all go as if nothing had been.
 *
 * No byte of the target is written to make a call: rip is set to a `syscall' in the vDSO, and the thread is run from
 * one system-call stop to the next.  An interrupted call is wound back by hand: what the kernel would restart by itself
 * as well as what it would give to the program as EINTR.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spilerun/user/remote.h"

#define TRACER_TRIES 50			/* 4 ms apart */

/* In-kernel codes that a stop inside a call leaves in rax (include/linux/errno.h). */
enum { ERESTARTSYS = 512, ERESTARTNOINTR = 513, ERESTARTNOHAND = 514, ERESTART_RESTARTBLOCK = 516 };

uint64_t remote_auxv(pid_t pid, uint64_t type)
{
	Elf64_auxv_t v[64];
	char path[40];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, v, sizeof(v));
	close(fd);
	for (ssize_t i = 0; i < n / (ssize_t)sizeof(v[0]); i++)
		if (v[i].a_type == type)
			return v[i].a_un.a_val;
	return 0;
}

bool remote_read(const struct remote *r, uint64_t addr, void *to, size_t n)
{
	return pread(r->mem, to, n, (off_t)addr) == (ssize_t)n;
}

bool remote_write(const struct remote *r, uint64_t addr, const void *from, size_t n)
{
	return pwrite(r->mem, from, n, (off_t)addr) == (ssize_t)n;
}

static int find_syscall(struct remote *r)
{
	uint8_t code[8192];
	uint64_t vdso = remote_auxv(r->pid, AT_SYSINFO_EHDR);
	ssize_t n = vdso ? pread(r->mem, code, sizeof(code), (off_t)vdso) : -1;

	for (ssize_t i = 0; i + 1 < n; i++)
		if (code[i] == 0x0f && code[i + 1] == 0x05) {
			r->syscall_insn = vdso + (uint64_t)i;
			return 0;
		}
	errno = ENOSYS;
	return -1;
}

int remote_open(struct remote *r, pid_t pid, pid_t tid)
{
	char path[40];

	*r = (struct remote){ .pid = pid, .tid = tid };
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	r->mem = open(path, O_RDWR | O_CLOEXEC);
	if (r->mem < 0)
		return -1;
	if (ptrace(PTRACE_GETREGS, tid, NULL, &r->saved) || ptrace(PTRACE_SETOPTIONS, tid, NULL, PTRACE_O_TRACESYSGOOD) ||
	    find_syscall(r)) {
		close(r->mem);
		return -1;
	}
	return 0;
}

void wind_back(struct user_regs_struct *regs)
{
	int64_t rax = (int64_t)regs->rax;

	if ((int64_t)regs->orig_rax < 0)
		return;
	switch (-rax) {
	case ERESTART_RESTARTBLOCK:
		regs->rax = SYS_restart_syscall;
		break;
	case ERESTARTSYS: case ERESTARTNOINTR: case ERESTARTNOHAND: case EINTR:
		regs->rax = regs->orig_rax;
		break;
	default:
		return;
	}
	regs->rip -= 2;
	regs->orig_rax = (unsigned long long)-1;
}

/* The program's own registers, ready to go on with.  After each call, since the kernel lets go by itself if we are killed. */
static void put_back(const struct remote *r)
{
	struct user_regs_struct regs = r->saved;

	wind_back(&regs);
	ptrace(PTRACE_SETREGS, r->tid, NULL, &regs);
}

void remote_close(struct remote *r)
{
	put_back(r);
	close(r->mem);
	r->mem = -1;
}

/* Runs to the next system-call stop.  Signals that arrive are kept for later. */
static int to_syscall_stop(struct remote *r)
{
	for (;;) {
		int status;

		if (ptrace(PTRACE_SYSCALL, r->tid, NULL, NULL))
			return -1;
		while (waitpid(r->tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return -1;
		if (!WIFSTOPPED(status)) {
			errno = ESRCH;
			return -1;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			return 0;
		if (!(status >> 16) && r->npending < (int)(sizeof(r->pending) / sizeof(r->pending[0])))
			r->pending[r->npending++] = WSTOPSIG(status);
	}
}

int64_t remote_syscall(struct remote *r, int64_t nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	struct user_regs_struct regs = r->saved;
	int64_t result;

	regs.rip = r->syscall_insn;
	regs.rax = (uint64_t)nr;
	regs.orig_rax = (unsigned long long)-1;
	regs.rdi = a;
	regs.rsi = b;
	regs.rdx = c;
	regs.r10 = d;
	regs.r8 = e;
	regs.r9 = f;
	if (ptrace(PTRACE_SETREGS, r->tid, NULL, &regs) || to_syscall_stop(r) || to_syscall_stop(r) ||
	    ptrace(PTRACE_GETREGS, r->tid, NULL, &regs))
		return -errno;
	result = (int64_t)regs.rax;
	put_back(r);
	return result;
}

/* ---- all threads of a process ------------------------------------------------------------------------ */

static bool is_stopped(const struct stopped *s, pid_t tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->threads[i].tid == tid)
			return true;
	return false;
}

/* Waits for the stop that PTRACE_INTERRUPT makes; a signal that comes first is kept.  False: the thread is gone. */
static bool wait_stop(pid_t tid, int *pending)
{
	int status;

	while (waitpid(tid, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	if (!WIFSTOPPED(status))
		return false;
	*pending = status >> 16 ? 0 : WSTOPSIG(status);
	return true;
}

static int stop_thread(struct stopped *s, pid_t tid)
{
	int pending = 0;

	if (s->n == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		void *threads = realloc(s->threads, room * sizeof(s->threads[0]));

		if (!threads)
			return -1;
		s->threads = threads;
		s->room = room;
	}
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL))
		return errno == ESRCH ? 0 : -1;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) || !wait_stop(tid, &pending))
		return 0;
	s->threads[s->n].tid = tid;
	s->threads[s->n++].pending = pending;
	return 1;
}

static int try_stop(struct stopped *s, pid_t pid)
{
	char path[40];
	bool more = true;

	*s = (struct stopped){ .pid = pid };
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	while (more) {		/* until a look shows no new thread */
		DIR *d = opendir(path);
		struct dirent *e;

		more = false;
		while (d && (e = readdir(d))) {
			pid_t tid = atoi(e->d_name);
			int r = tid && !is_stopped(s, tid) ? stop_thread(s, tid) : 0;

			if (r < 0) {
				r = errno;
				closedir(d);
				threads_go(s);
				errno = r;
				return -1;
			}
			more |= r;
		}
		if (d)
			closedir(d);
	}
	if (s->n)
		return 0;
	errno = ESRCH;
	return -1;
}

/* A process has one tracer at a time: another session's, which is soon done, is waited for. */
int threads_stop(struct stopped *s, pid_t pid)
{
	int r = try_stop(s, pid);

	for (int i = 0; r && errno == EPERM && i < TRACER_TRIES; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 4000000 }, NULL);
		r = try_stop(s, pid);
	}
	return r;
}

void threads_go(struct stopped *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct user_regs_struct regs;
		pid_t tid = s->threads[i].tid;
		int pending = s->threads[i].pending;

		/* with a signal on its way the kernel decides itself what becomes of the call */
		if (!pending && !ptrace(PTRACE_GETREGS, tid, NULL, &regs)) {
			wind_back(&regs);
			ptrace(PTRACE_SETREGS, tid, NULL, &regs);
		}
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)pending);
	}
	free(s->threads);
	*s = (struct stopped){ 0 };
}
