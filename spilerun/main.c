/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way through a run: options, the command at its gate, the back end, the loop, the orderly end.
 *
 * Start reading at main().  Everything that waits is in run_wait().
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform.h"
#include "spilerun/spilerun.h"

static const struct backend *const backends[] = {
	&backend_user,
#ifdef SPILERUN_KERNEL
	&backend_kernel,
#endif
};

static const struct backend *backend_find(const char *script)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
		size_t n = strlen(script), m = strlen(backends[i]->suffix);

		if (n > m && !strcmp(script + n - m, backends[i]->suffix))
			return backends[i];
	}
	return NULL;
}

/* ---- the loop ------------------------------------------------------------------------------------ */

int run_watch(struct run *run, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(run->epoll_fd, EPOLL_CTL_ADD, fd, &ev);
}

void run_unwatch(struct run *run, int fd)
{
	epoll_ctl(run->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

void run_end(struct run *run)
{
	run->ending = true;
}

static bool show_record(void *data, const struct merge_record *rec)
{
	struct run *run = data;

	switch (rec->kind) {
	case SP_REC_OUTPUT:
		output_write(rec->ring, rec->seq, rec->text, rec->n);
		break;
	case SP_REC_WARNING:
		run_warning(run, "%.*s", (int)rec->n, rec->text);
		break;
	case SP_REC_ERROR:
		run_error(run, "%.*s", (int)rec->n, rec->text);
		break;
	case SP_REC_EXIT:
		run_end(run);
		break;
	}
	return output_has_room();
}

void run_drain(struct run *run)
{
	if (run->merge && !run->leaving && output_has_room())
		merge_drain(run->merge, show_record, run);
	output_flush();
}

void run_drain_all(struct run *run)
{
	size_t drained;

	do {
		drained = run->merge && !run->leaving ? merge_drain(run->merge, show_record, run) : 0;
		output_flush();
		while (!output_has_room())
			output_wait();
	} while (drained);
}

/* Children that changed state: the back end's, or the command. */
static void reap(struct run *run)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (run->backend->child && run->backend->child(run, pid, status))
			continue;
		if (pid == run->command.pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
			run->command.ended = true;
			run->command.status = status;
			run_end(run);
		}
	}
}

/* SIGQUIT: the session goes on, we do not. */
static void leave(struct run *run)
{
	if (run->ending)
		return;
	if (!run->backend->leave) {
		run_warning(run, "this session can not be left: in the %s runtime it lives in this process", run->backend->name);
	} else {
		run_drain(run);
		run->leaving = !run->backend->leave(run);
		if (run->leaving)
			run_end(run);
	}
}

void run_signals(struct run *run)
{
	struct signalfd_siginfo info;

	while (run->signal_fd >= 0 && read(run->signal_fd, &info, sizeof(info)) == sizeof(info))
		switch (info.ssi_signo) {
		case SIGCHLD:
			break;
		case SIGUSR2:
			output_next_file();
			break;
		case SIGQUIT:
			leave(run);
			break;
		default:
			run_end(run);
			if (++run->interrupts < 3)
				break;
			fputs("Too many interrupts received, exiting.\n", stderr);
			_exit(1);
		}
}

/*
 * Sleeps until something happens, or output can be written that could not be.  While there is too much of that, records are no
 * reason to wake up.
 */
static void run_sleep(struct run *run)
{
	int tick = run->backend->tick_ms ? run->backend->tick_ms(run) : -1, wake = run->options->wake_ms;
	struct pollfd p[3] = {
		{ .fd = run->signal_fd, .events = POLLIN },
		{ .fd = output_waits_for(), .events = POLLOUT },
		{ .fd = run->epoll_fd, .events = POLLIN },
	};

	if (wake && (tick < 0 || wake < tick))
		tick = wake;
	poll(p, output_has_room() ? 3 : 2, tick);
}

/* One turn of the loop: everyone concerned looks at what happened. */
static void run_wait(struct run *run)
{
	run_sleep(run);
	run_signals(run);
	if (run->leaving && run->ending)
		return;			/* what the rings hold is not ours any more */
	reap(run);
	run->backend->wake(run);
	run_drain(run);
}

/*
 * From here on signals arrive in the loop only, and a reader that goes away is an error code.  One that was ignored when
 * we were started stays so: nohup, and background jobs of a script.
 */
static int signals_open(struct run *run)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!sigaction(taken[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	run->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return run->signal_fd >= 0 ? run_watch(run, run->signal_fd) : -1;
}

/* ---- in the background (-D) -------------------------------------------------------------------------- */

/*
 * The child goes on and runs the session; the parent waits until that has started, prints the child's number and ends with 0, or ends
 * as the child did.  Returns in the child only, with the descriptor to tell by; -1 after a message.
 */
static int background_fork(struct run *run)
{
	int ends[2], status;
	pid_t pid = -1;
	char byte;

	if (!pipe2(ends, O_CLOEXEC))
		pid = fork();
	if (pid < 0) {
		run_error(run, "the background process could not be started: %s", strerror(errno));
		return -1;
	}
	if (!pid) {
		close(ends[0]);
		setsid();
		return ends[1];
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) == 1) {
		printf("%d\n", (int)pid);
		exit(fflush(stdout) ? 1 : 0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* The session has started.  Nobody must wait for us from here on, and there is no terminal to talk to. */
static void background_ready(struct run *run)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (run->background_fd < 0)
		return;
	output_to_background();
	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (write(run->background_fd, "", 1) != 1)
		run_end(run);
	close(run->background_fd);
	close(null);
	run->background_fd = -1;
}

/* ---- the way through --------------------------------------------------------------------------------- */

static int release(struct run *run)
{
	if (!run->command.pid || run->ending)
		return 0;
	if (run->backend->release)
		return run->backend->release(run);
	command_release(&run->command);
	return 0;
}

/* -L: the back end is told before its begin probes run, since nobody reads what they print. */
static int start(struct run *run)
{
	const struct backend *b = run->backend;

	if (run->options->load_only) {
		if (b->leave(run))
			return -1;
		run->leaving = true;
	}
	return b->start(run);
}

/* Opens, runs and stops the back end; the command's gate is opened in between. */
static void session(struct run *run)
{
	const struct backend *b = run->backend;

	if (b->open(run)) {
		run->broken = true;
		return;
	}
	if (start(run)) {
		run->broken = true;
		run->leaving = false;
	} else {
		background_ready(run);
		run_drain(run);
		if (release(run)) {
			run->broken = true;
			run_end(run);
		}
		while (!run->ending)
			run_wait(run);
	}
	if (run->leaving) {
		fprintf(stderr, "\nDisconnecting from systemtap module.\nTo reconnect, type \"spilerun -A %s\"\n", b->session_name(run));
		return;
	}
	b->stop(run);
	run_drain_all(run);
	if (b->summary)
		b->summary(run);
}

static const struct backend *backend_choose(struct run *run)
{
	const struct run_options *o = run->options;
	const struct backend *b = o->attach ? &backend_kernel : backend_find(o->script);

	if (!b)
		run_error(run, "'%s' is no script this spilerun can run: it wants a file that ends in .so or .ko", o->script);
	else if (o->load_only && !b->leave)
		run_error(run, "-F: in the %s runtime a session lives in a process, not in a buffer; give it a file with -o FILE", b->name);
	else if (o->bulk && !b->has_cpu_rings)
		run_error(run, "-b: buffers of the %s runtime belong to threads, so there is no file to write for each CPU", b->name);
	return run->broken ? NULL : b;
}

/* What is ours to leave behind: a command that was never let go, or one that has ended. */
static void command_end(struct run *run)
{
	if (run->command.gate >= 0)
		command_kill(&run->command);
	else if (run->command.ended)
		command_report(run);
}

int main(int argc, char **argv)
{
	struct run_options options = { 0 };
	struct run run = { .options = &options, .command = { .gate = -1, .failed = -1 }, .signal_fd = -1, .background_fd = -1 };
	int status = options_parse(argc, argv, &options);

	if (status >= 0)
		return status;
	if (options.remove)
		return module_remove_named(&run, options.script);
	run.backend = backend_choose(&run);
	if (!run.backend || output_open(&run))
		return 1;
	if (options.background && (run.background_fd = background_fork(&run)) < 0)
		return 1;
	if (options.command && command_start(&run, options.command, run.backend->traces_command))
		return 1;
	run.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (run.epoll_fd < 0 || signals_open(&run))
		run_error(&run, "no descriptors for the main loop: %s", strerror(errno));
	else
		session(&run);
	run.backend->close(&run);
	command_end(&run);
	merge_free(run.merge);
	return output_close() || run.broken;
}
