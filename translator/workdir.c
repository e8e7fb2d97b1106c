/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The temporary directory.  The sweeper, a process that does nothing but wait for our end, makes it and, where we do
 * not come to removing it ourselves, removes it: a signal handler may not walk a directory, and who is killed outright
 * has not even a handler.  As it is there before the directory, no moment is without it.  The one piece of global state
 * in the translator, since a handler can reach nothing else.
 */
#include "workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/file.h"

static char path[PATH_MAX];
static volatile sig_atomic_t present;
static bool owned;			/* by the user: stays */

static volatile sig_atomic_t sweeper, line = -1;	/* its process, and our end of a socket to it */

/* What it answers. */
struct made {
	int error;			/* an errno, or 0 */
	char path[PATH_MAX];
};

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void sweep_and_leave(int sig)
{
	(void)sig;
	if (line >= 0) {
		close(line);
		waitpid(sweeper, NULL, 0);
	}
	_exit(1);
}

static void take_signals(void)
{
	struct sigaction act = { .sa_handler = sweep_and_leave };

	sigemptyset(&act.sa_mask);
	for (unsigned i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++) {
		struct sigaction old;

		sigaddset(&act.sa_mask, ending_signals[i]);
		/* what nohup and the like took away stays away */
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &act, NULL);
	}
}

/* Compilers that we had started may go on for a moment, and put files where we have looked already. */
static void sweep(void)
{
	const struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };

	for (int i = 0; i < 100; i++) {
		tree_remove(path);
		if (access(path, F_OK))
			break;
		nanosleep(&pause, NULL);
	}
}

/* A byte: all is well.  No more to read, or an error: we were ended.  Nobody must wait for this process, so it holds no
 * other file. */
static void sweeper_main(int end)
{
	struct made made = { 0 };
	sigset_t all;
	char byte;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "spile-sweeper");
	null = open("/dev/null", O_RDWR);
	dup2(end, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_range(3, ~0u, 0);
	made.error = mkdtemp(path) ? 0 : errno;
	memcpy(made.path, path, sizeof(path));
	if ((send(STDIN_FILENO, &made, sizeof(made), 0) < 0 || read(STDIN_FILENO, &byte, 1) != 1) && !made.error)
		sweep();
	_exit(0);
}

/* Starts it with a pattern in @path, and waits until that is the name of the directory.  0 or an errno. */
static int sweeper_start(void)
{
	struct made made = { .error = EPIPE };
	int ends[2];
	ssize_t n;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return errno;
	sweeper = fork();
	if (!sweeper)
		sweeper_main(ends[1]);
	if (sweeper < 0)
		made.error = errno;
	close(ends[1]);
	line = ends[0];
	do
		n = recv(line, &made, sizeof(made), 0);
	while (n < 0 && errno == EINTR);
	memcpy(path, made.path, sizeof(path));
	return made.error;
}

static void sweeper_dismiss(void)
{
	int end = line;

	if (end < 0)
		return;
	send(end, "", 1, MSG_NOSIGNAL);
	line = -1;
	close(end);
	if (sweeper > 0)
		waitpid(sweeper, NULL, 0);
}

/* The user's folder, by its full name. */
static const char *take_own(const char *dir)
{
	char full[PATH_MAX];

	if ((mkdir(dir, 0777) && errno != EEXIST) || !realpath(dir, full))
		return NULL;
	strcpy(path, full);
	present = owned = true;
	return path;
}

const char *workdir_make(const char *own)
{
	const char *base = getenv("TMPDIR");
	int error;

	if (present)
		return path;
	if (own)
		return take_own(own);
	if (snprintf(path, sizeof(path), "%s/spileXXXXXX", base && *base ? base : "/tmp") >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	take_signals();
	error = sweeper_start();
	if (error) {
		sweeper_dismiss();
		errno = error;
		return NULL;
	}
	present = 1;
	return path;
}

void workdir_remove(bool keep)
{
	if (present && !keep && !owned)
		tree_remove(path);
	present = 0;
	sweeper_dismiss();
}

const char *workdir_path(void)
{
	return present ? path : NULL;
}
