/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The temporary directory.  A signal handler may not walk a directory, but it may fork: rm(1) does the walking
 * there.  The one piece of global state in the translator, since a handler can reach nothing else.
 * Where we are killed outright a process that does nothing but wait for our end removes it.
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"

static char path[PATH_MAX];
static volatile sig_atomic_t present;
static bool owned;			/* by the user: stays */

static pid_t sweeper;
static int sweeper_pipe = -1;

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void remove_and_leave(int sig)
{
	int saved = errno;

	(void)sig;
	if (present) {
		pid_t pid = fork();

		if (!pid) {
			execl("/bin/rm", "rm", "-rf", "--", path, (char *)NULL);
			_exit(127);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	errno = saved;
	_exit(1);
}

static void take_signals(void)
{
	struct sigaction act = { .sa_handler = remove_and_leave };

	sigemptyset(&act.sa_mask);
	for (unsigned i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++) {
		struct sigaction old;

		sigaddset(&act.sa_mask, ending_signals[i]);
		/* what nohup and the like took away stays away */
		if (!sigaction(ending_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &act, NULL);
	}
}

/* A byte: all is well.  The end of the pipe without one: we were killed.  Nobody must wait for this process, so it holds no other file. */
static void sweeper_main(int pipe_fd)
{
	sigset_t all;
	char byte;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "spile-sweeper");
	null = open("/dev/null", O_RDWR);
	dup2(pipe_fd, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_range(3, ~0u, 0);
	if (!read(STDIN_FILENO, &byte, 1))
		tree_remove(path);
	_exit(0);
}

/* Without one we go on: it is needed only where we are killed. */
static void sweeper_start(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return;
	sweeper = fork();
	if (!sweeper)
		sweeper_main(ends[0]);
	close(ends[0]);
	sweeper_pipe = ends[1];
}

static void sweeper_dismiss(void)
{
	ssize_t n;

	if (sweeper_pipe < 0)
		return;
	do
		n = write(sweeper_pipe, "", 1);
	while (n < 0 && errno == EINTR);
	close(sweeper_pipe);
	sweeper_pipe = -1;
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

	if (present)
		return path;
	if (own)
		return take_own(own);
	if (snprintf(path, sizeof(path), "%s/spileXXXXXX", base && *base ? base : "/tmp") >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	take_signals();
	if (!mkdtemp(path))
		return NULL;
	present = 1;
	sweeper_start();
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
