/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: hand over to spilerun, here or in a guest, and wait for its end. */
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/vm.h"

struct words {
	struct arena *a;
	const char **argv;
	int n;
};
enum { MAX_WORDS = 32 };		/* besides those of -G */

static void add(struct words *w, const char *word)
{
	w->argv[w->n++] = word;
}

static void add_with(struct words *w, const char *letter, const char *value)
{
	if (!value)
		return;
	add(w, letter);
	add(w, value);
}

static const char *number_or_null(struct arena *a, int64_t n)
{
	return n ? arena_printf(a, "%lld", (long long)n) : NULL;
}

const char *const *runner_words(struct arena *a, const struct run_job *job, enum run_place place)
{
	const struct options *o = job->options;
	struct words w = { a, NULL, 0 };
	size_t globals = 0;

	for (const struct define *g = o->globals; g; g = g->next)
		globals++;
	w.argv = ARENA_ARRAY(a, const char *, globals + MAX_WORDS);

	add(&w, job->layout->spilerun);
	if (o->verbose > 1)
		add(&w, "-v");
	if (o->no_warnings)
		add(&w, "-w");
	add_with(&w, "-c", o->command);
	add_with(&w, "-x", number_or_null(a, o->target_pid));
	add_with(&w, "-b", number_or_null(a, o->buffer_mb));
	add_with(&w, "-r", job->remote);
	if (place == RUN_HERE) {
		add_with(&w, "-o", o->output);
		add_with(&w, "-S", o->file_size);
		if (o->bulk)
			add(&w, "-B");
		if (o->flight)
			add(&w, o->output ? "-D" : "-L");
	}
	add(&w, job->object);
	for (const struct define *g = o->globals; g; g = g->next)
		add(&w, arena_printf(a, "%s=%s", g->name, g->value));
	return w.argv;
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

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2 };
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
	pid_t pid, self = getpid();
	sigset_t set, old;

	all_passed(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	take_signals();
	pid = fork();
	if (!pid) {
		/* However we end, the session ends with us, in order. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != self)
			_exit(1);
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

/* ---- in a guest --------------------------------------------------------------------------------- */

/* The file of -o lies on this side: what the guest writes dies with it.  Returns a descriptor, -1 after a message. */
int run_open_output(struct diag *d, const char *pattern)
{
	char name[4096];
	time_t now = time(NULL);
	int fd = -1;

	if (!pattern)
		return STDOUT_FILENO;
	errno = ENAMETOOLONG;
	if (strftime(name, sizeof(name), pattern, localtime(&now)))
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		diag_error(d, NO_SPAN, TAG_RUN, "'%s' can not be written: %s", pattern, strerror(errno));
	return fd;
}

static int guest_status(struct diag *d, const struct vm_result *r)
{
	switch (r->end) {
	case VM_EXITED:
		return r->value;
	case VM_SIGNALED:
		diag_error(d, NO_SPAN, TAG_RUN, "the runner was killed by signal %d (%s)", r->value, strsignal(r->value));
		break;
	case VM_INTERRUPTED:
		diag_error(d, NO_SPAN, TAG_RUN, "interrupted before the script ran");
		break;
	case VM_FAILED:
		break;
	}
	return 1;
}

static int run_in_guest(struct arena *a, struct diag *d, const struct run_job *job)
{
	const struct options *o = job->options;
	struct kernel_wish wish = { .release = o->vm_release, .fetcher = job->layout->fetch_kernel, .build = true };
	struct vm_spec spec = { .kernel = kernel_tree_find(a, &wish, d), .guest_init = job->layout->guest_init,
				.argv = runner_words(a, job, RUN_ELSEWHERE), .stdin_fd = STDIN_FILENO, .stderr_fd = STDERR_FILENO,
				.progress = isatty(STDERR_FILENO), .console = o->verbose > 2 };
	struct vm_result result;

	if (!spec.kernel)
		return 1;
	if (o->target_pid) {
		diag_error(d, NO_SPAN, TAG_RUN, "a process of this machine (-x %lld) is not in the guest of --vm",
			   (long long)o->target_pid);
		diag_hint(d, "start the program in the guest with -c, or use --runtime=user");
		return 1;
	}
	spec.stdout_fd = run_open_output(d, o->output);
	if (spec.stdout_fd < 0)
		return 1;
	result = vm_run(&spec, d);
	if (o->verbose)
		diag_say(d, "The guest took %u ms to boot.\n", result.boot_ms);
	if (spec.stdout_fd != STDOUT_FILENO)
		close(spec.stdout_fd);
	return guest_status(d, &result);
}

int run_script(struct arena *a, struct diag *d, const struct run_job *job)
{
	if (job->options->vm)
		return run_in_guest(a, d, job);
	return run_here(d, runner_words(a, job, RUN_HERE));
}
