/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: hand over to spilerun and wait for its end. */
#include "run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 16 };

/* The command line of spilerun, NULL-terminated. */
static const char *const *runner_words(struct arena *a, const struct run_job *job)
{
	const char **argv = ARENA_ARRAY(a, const char *, MAX_WORDS);
	const struct options *o = job->options;
	int n = 0;

	argv[n++] = job->layout->spilerun;
	if (o->verbose > 1)
		argv[n++] = "-v";
	if (o->no_warnings)
		argv[n++] = "-w";
	if (o->command) {
		argv[n++] = "-c";
		argv[n++] = o->command;
	}
	if (o->target_pid) {
		argv[n++] = "-x";
		argv[n++] = arena_printf(a, "%lld", (long long)o->target_pid);
	}
	if (o->output) {
		argv[n++] = "-o";
		argv[n++] = o->output;
	}
	argv[n++] = job->object;
	return argv;
}

/* ---- here --------------------------------------------------------------------------------------- */

static volatile sig_atomic_t runner;	/* its pid: the handler below can reach nothing else */

static void pass_on(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	/* the terminal's own go to the whole foreground group, spilerun included */
	if (runner > 0 && info->si_code <= 0)
		kill((pid_t)runner, sig);
	errno = saved;
}

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { NPASSED = sizeof(passed_on) / sizeof(passed_on[0]) };

static void all_passed(sigset_t *set)
{
	sigemptyset(set);
	for (int i = 0; i < NPASSED; i++)
		sigaddset(set, passed_on[i]);
}

static void take_signals(void)
{
	struct sigaction act = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART }, old;

	all_passed(&act.sa_mask);
	for (int i = 0; i < NPASSED; i++)
		if (!sigaction(passed_on[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &act, NULL);
}

/* Signals wait from before the fork until the handler knows the child. */
static pid_t start(const char *const *argv)
{
	sigset_t set, old;
	pid_t pid;

	all_passed(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	take_signals();
	pid = fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &old, NULL);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(errno == ENOENT ? 127 : 126);
	}
	runner = pid;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

static int run_here(struct diag *d, const char *const *argv)
{
	int status = 0;
	pid_t pid;

	if (access(argv[0], X_OK)) {
		diag_error(d, NO_SPAN, TAG_RUN, "the runner '%s' is not there: %s", argv[0], strerror(errno));
		return 1;
	}
	pid = start(argv);
	if (pid < 0) {
		diag_error(d, NO_SPAN, TAG_RUN, "cannot start '%s': %s", argv[0], strerror(errno));
		return 1;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	runner = 0;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	diag_error(d, NO_SPAN, TAG_RUN, "the runner was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	return 1;
}

int run_script(struct arena *a, struct diag *d, const struct run_job *job)
{
	return run_here(d, runner_words(a, job));
}
