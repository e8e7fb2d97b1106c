/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following processes.
 *
 * A thread that is about to exec says so and waits; it is seized, execs, stops in the new program, which is entered and let
 * go.  A loader that has changed the map says so and waits while the new objects are planted.  A fork child takes a slot in
 * the shared memory at its first hit.  Deaths are seen by pidfd.
 *
 * The guardian is a child that does nothing while spilerun lives; when the pipe between them ends without a word, it
 * wakes the threads that wait and takes the patches out of every process.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spilerun/user/follow.h"

static long futex(uint32_t *word, int op, uint32_t value)
{
	return syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

/* ---- doorbell: a futex turned into a descriptor ---------------------------------------------------------------- */

static void *bell_main(void *data)
{
	struct user_run *u = data;
	uint32_t last = 0;
	uint64_t one = 1;

	while (!__atomic_load_n(&u->bell_stops, __ATOMIC_ACQUIRE)) {
		uint32_t now = __atomic_load_n(&u->shared->doorbell, __ATOMIC_ACQUIRE);

		if (now == last) {
			futex(&u->shared->doorbell, FUTEX_WAIT, last);
			continue;
		}
		last = now;
		if (write(u->bell, &one, sizeof(one)) < 0)
			break;
	}
	return NULL;
}

/* ---- the guardian ------------------------------------------------------------------------------------------------- */

static void answer_all(struct user_run *u)
{
	for (uint32_t i = 0; i < SP_USER_REQUESTS; i++) {
		struct sp_user_request *r = &u->shared->requests[i];
		uint32_t expected = SP_REQ_POSTED;

		if (__atomic_compare_exchange_n(&r->state, &expected, SP_REQ_DONE, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			futex(&r->state, FUTEX_WAKE, INT32_MAX);
	}
}

static void guardian_main(struct user_run *u, int pipe_end)
{
	char word;
	ssize_t n;
	int null;

	setsid();
	prctl(PR_SET_NAME, "spile-guardian");
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)	/* whoever reads our output must not wait for us */
		dup2(null, fd);
	do
		n = read(pipe_end, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		_exit(0);		/* an orderly end */
	__atomic_store_n(&u->session->state, SP_STOPPED, __ATOMIC_RELEASE);
	__atomic_store_n(&u->shared->gone, 1, __ATOMIC_RELEASE);
	answer_all(u);
	processes_leave(u);
	_exit(0);
}

static int start_guardian(struct user_run *u)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	u->guardian = fork();
	if (!u->guardian) {
		close(ends[1]);
		if (u->run->command.gate >= 0)
			close(u->run->command.gate);
		guardian_main(u, ends[0]);
	}
	close(ends[0]);
	u->guardian_pipe = ends[1];
	return u->guardian < 0 ? -1 : 0;
}

int follow_open(struct user_run *u)
{
	u->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (u->bell < 0 || run_watch(u->run, u->bell) || (u->script->nsites && start_guardian(u)) ||
	    pthread_create(&u->bell_thread, NULL, bell_main, u)) {
		run_error(u->run, "the session can not be set up: %s", strerror(errno));
		return -1;
	}
	u->bell_runs = true;
	return 0;
}

void follow_close(struct user_run *u)
{
	if (u->bell_runs) {
		__atomic_store_n(&u->bell_stops, true, __ATOMIC_RELEASE);
		__atomic_fetch_add(&u->shared->doorbell, 1, __ATOMIC_RELEASE);
		futex(&u->shared->doorbell, FUTEX_WAKE, INT32_MAX);
		pthread_join(u->bell_thread, NULL);
	}
	if (u->guardian_pipe >= 0) {
		while (write(u->guardian_pipe, "q", 1) < 0 && errno == EINTR)
			;
		close(u->guardian_pipe);
	}
	if (u->guardian > 0)
		waitpid(u->guardian, NULL, 0);
	for (uint32_t i = 0; i < SP_USER_PROCS; i++)
		if (u->pidfds[i] >= 0)
			close(u->pidfds[i]);
	if (u->bell >= 0)
		close(u->bell);
}

/* ---- seized threads ------------------------------------------------------------------------------------------------- */

static bool is_seized(const struct user_run *u, pid_t tid)
{
	for (size_t i = 0; i < u->nseized; i++)
		if (u->seized[i] == tid)
			return true;
	return false;
}

static void forget_seized(struct user_run *u, pid_t tid)
{
	for (size_t i = 0; i < u->nseized; i++)
		if (u->seized[i] == tid) {
			u->seized[i] = u->seized[--u->nseized];
			return;
		}
}

static void seize(struct user_run *u, pid_t tid)
{
	pid_t *more = realloc(u->seized, (u->nseized + 1) * sizeof(*more));

	if (!more)
		return;
	u->seized = more;
	if (is_seized(u, tid))
		return;
	if (ptrace(PTRACE_SEIZE, tid, NULL, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD)) {
		if (!process_is_dying(tid))
			run_warning(u->run, "process %d is not followed through its exec: %s", tid, strerror(errno));
		return;
	}
	u->seized[u->nseized++] = tid;
}

/* Stops and lets go a thread that did not exec. */
static void unseize(struct user_run *u, pid_t tid)
{
	int status, signal = 0;

	if (!is_seized(u, tid))
		return;
	forget_seized(u, tid);
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL))
		return;
	while (waitpid(tid, &status, __WALL) < 0)
		if (errno != EINTR)
			return;
	if (WIFSTOPPED(status)) {
		signal = status >> 16 ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal);
	} else if (tid == u->run->command.pid) {
		u->run->command.ended = true;
		u->run->command.status = status;
		run_end(u->run);
	}
}

/* Signals that came while we held the process are sent on: the first by the detach itself. */
static void detach(pid_t pid, const struct remote *r)
{
	for (int i = 1; i < r->npending; i++)
		syscall(SYS_tgkill, pid, pid, r->pending[i]);
	ptrace(PTRACE_DETACH, pid, NULL, (void *)(intptr_t)(r->npending ? r->pending[0] : 0));
}

/* A traced exec of a program that would change user or group leaves them as they are: it would not do what it does. */
static bool changes_user(pid_t pid)
{
	char path[40];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return geteuid() && !stat(path, &st) &&
	       ((st.st_mode & S_ISUID && st.st_uid != geteuid()) || (st.st_mode & S_ISGID && st.st_gid != getegid()));
}

int follow_exec_stop(struct user_run *u, pid_t pid, bool must)
{
	struct remote r = { .mem = -1 };
	int e;

	if (must && changes_user(pid)) {
		run_error(u->run, "the command is setuid or setgid: it can not be traced without being changed, run spile as root");
		kill(pid, SIGKILL);
		return -1;
	}

	if (!u->script->nsites) {
		detach(pid, &r);
		return 0;
	}
	if (!remote_open(&r, pid, pid)) {
		int done = process_enter(u, &r);

		e = errno;
		remote_close(&r);
		if (done >= 0) {
			detach(pid, &r);
			return 0;
		}
		errno = e;
	}
	if (must) {
		run_error(u->run, "the probes could not be brought into the command: %s", strerror(errno));
		kill(pid, SIGKILL);
		return -1;
	}
	if (!process_is_dying(pid))
		run_warning(u->run, "process %d is not probed after its exec: %s", pid, strerror(errno));
	detach(pid, &r);
	return 0;
}

/* The exec event comes amid the call, whose end would overwrite rax: on to the stop behind it. */
static bool to_exec_exit(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL))
		return false;
	while (waitpid(pid, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	return WIFSTOPPED(status);
}

bool follow_child(struct user_run *u, pid_t pid, int status)
{
	int event = status >> 16;

	if (pid == u->guardian)
		return true;
	if (!WIFSTOPPED(status)) {
		forget_seized(u, pid);
		return pid != u->run->command.pid;
	}
	switch (event) {
	case PTRACE_EVENT_EXEC: {
		unsigned long former = (unsigned long)pid;

		ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
		forget_seized(u, (pid_t)former);
		forget_seized(u, pid);
		if (to_exec_exit(pid))
			follow_exec_stop(u, pid, false);
		return true;
	}
	case PTRACE_EVENT_STOP:
		ptrace(WSTOPSIG(status) == SIGTRAP ? PTRACE_CONT : PTRACE_LISTEN, pid, NULL, NULL);
		return true;
	default:
		ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)WSTOPSIG(status));
		return true;
	}
}

/* ---- requests --------------------------------------------------------------------------------------------------------- */

/* The loader of @pid waits in thread @tid: its map has changed. */
static void update_maps(struct user_run *u, pid_t pid, pid_t tid)
{
	struct stopped s;
	struct remote r;
	int done = -1, tries = 20;

	do {
		if (threads_stop(&s, pid)) {
			if (!process_is_dying(pid))
				run_warning(u->run, "new libraries of process %d are not probed: %s", pid, strerror(errno));
			return;
		}
		if (!remote_open(&r, pid, tid)) {
			done = process_update(u, &r);
			remote_close(&r);
		}
		threads_go(&s);
	} while (done < 0 && errno == EAGAIN && --tries);
}

static void serve(struct user_run *u, struct sp_user_request *r)
{
	switch (r->kind) {
	case SP_REQ_MAPS:
		update_maps(u, (pid_t)r->pid, (pid_t)r->tid);
		break;
	case SP_REQ_LOOK:
		names_look(u, (pid_t)r->pid);
		break;
	case SP_REQ_NAMES:
		names_load(u, r->module);
		break;
	case SP_REQ_EXEC:
		seize(u, (pid_t)r->tid);
		break;
	case SP_REQ_EXEC_FAILED:
		unseize(u, (pid_t)r->tid);
		break;
	}
	__atomic_store_n(&r->state, SP_REQ_DONE, __ATOMIC_RELEASE);
	futex(&r->state, FUTEX_WAKE, INT32_MAX);
}

/* Processes that told of themselves get a pidfd; those whose pidfd is ready have died. */
static void watch_processes(struct user_run *u)
{
	for (uint32_t i = 0; i < SP_USER_PROCS; i++) {
		struct sp_user_proc *p = &u->shared->procs[i];
		uint32_t pid = __atomic_load_n(&p->pid, __ATOMIC_ACQUIRE);
		struct pollfd pfd;

		if (!pid || pid == (uint32_t)getpid())
			continue;
		if (!p->known) {
			u->pidfds[i] = (int)syscall(SYS_pidfd_open, pid, 0);
			p->known = 1;
			if (u->pidfds[i] >= 0)
				run_watch(u->run, u->pidfds[i]);
			else
				process_slot_free(u, i);
		}
		pfd = (struct pollfd){ .fd = u->pidfds[i], .events = POLLIN };
		if (u->pidfds[i] >= 0 && poll(&pfd, 1, 0) == 1)
			process_slot_free(u, i);
	}
}

void follow_wake(struct user_run *u)
{
	uint64_t rings;

	while (read(u->bell, &rings, sizeof(rings)) > 0)
		;
	watch_processes(u);
	for (uint32_t i = 0; i < SP_USER_REQUESTS; i++)
		if (__atomic_load_n(&u->shared->requests[i].state, __ATOMIC_ACQUIRE) == SP_REQ_POSTED)
			serve(u, &u->shared->requests[i]);
}

void follow_stop(struct user_run *u)
{
	answer_all(u);
	while (u->nseized)
		unseize(u, u->seized[0]);
	if (u->script->nsites)
		processes_leave(u);
}
