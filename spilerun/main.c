/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way through a run: options, the command at its gate, the back end, the loop, the orderly end.
 *
 * Start reading at main().  Everything that waits is in run_wait().
 */
#include <errno.h>
#include <getopt.h>
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

static int usage(FILE *f)
{
	fputs("Usage: spilerun [-v] [-w] [-c CMD | -x PID] [-o FILE] SCRIPT [NAME=VALUE...]\n"
	      "Runs a built script: a module (.ko) in the kernel, a shared object (.so) inside the program.\n"
	      "  -c CMD   start CMD once the probes are in place, end when it ends\n"
	      "  -x PID   probe the process PID\n"
	      "  -o FILE  write to FILE; strftime conversions are expanded\n"
	      "  -v       say what is done;  -w  no warnings\n", f);
	return f == stderr;
}

/* Returns -1 to go on, else the exit status. */
static int options_parse(int argc, char **argv, struct run_options *o)
{
	int c;
	char *end;

	while ((c = getopt(argc, argv, "+c:x:o:vwh")) != -1)
		switch (c) {
		case 'c':
			o->command = optarg;
			break;
		case 'x':
			o->pid = (pid_t)strtol(optarg, &end, 10);
			if (*end || o->pid <= 0) {
				fputs("ERROR: Invalid target process ID number.\n", stderr);
				return 1;
			}
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'v':
			o->verbose = true;
			break;
		case 'w':
			o->quiet = true;
			break;
		default:
			return usage(c == 'h' ? stdout : stderr);
		}
	if (optind == argc)
		return usage(stderr);
	if (o->command && o->pid) {
		fputs("ERROR: You can't specify -c and -x together.\n", stderr);
		return 1;
	}
	if (o->pid && kill(o->pid, 0) && errno == ESRCH) {
		fprintf(stderr, "ERROR: cannot probe pid %d: No such process\n", (int)o->pid);
		return 1;
	}
	o->script = argv[optind];
	o->globals = argv + optind + 1;
	return -1;
}

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

static void show_record(void *data, unsigned kind, const char *text, size_t n)
{
	struct run *run = data;

	switch (kind) {
	case SP_REC_OUTPUT:
		output_write(text, n);
		break;
	case SP_REC_WARNING:
		run_warning(run, "%.*s", (int)n, text);
		break;
	case SP_REC_ERROR:
		run_error(run, "%.*s", (int)n, text);
		break;
	case SP_REC_EXIT:
		run_end(run);
		break;
	}
}

void run_drain(struct run *run)
{
	if (run->merge)
		merge_drain(run->merge, show_record, run);
	if (output_flush())
		run_end(run);
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

static void take_signals(struct run *run, int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			run_end(run);
}

/* Sleeps until something happens, and lets everyone concerned look at it. */
static void run_wait(struct run *run, int signals)
{
	struct epoll_event ev[16];
	int tick = run->backend->tick_ms ? run->backend->tick_ms(run) : -1;

	epoll_wait(run->epoll_fd, ev, 16, tick);
	take_signals(run, signals);
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
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd >= 0 && !run_watch(run, fd) ? fd : -1;
}

static int release(struct run *run)
{
	if (!run->command.pid || run->ending)
		return 0;
	if (run->backend->release)
		return run->backend->release(run);
	command_release(&run->command);
	return 0;
}

/* Opens, runs and stops the back end; the command's gate is opened in between. */
static void session(struct run *run, int signals)
{
	const struct backend *b = run->backend;

	if (b->open(run)) {
		run->broken = true;
		return;
	}
	if (b->start(run)) {
		run->broken = true;
	} else {
		run_drain(run);
		if (release(run)) {
			run->broken = true;
			run_end(run);
		}
		while (!run->ending)
			run_wait(run, signals);
	}
	b->stop(run);
	run_drain(run);
	if (b->summary)
		b->summary(run);
}

int main(int argc, char **argv)
{
	struct run_options options = { 0 };
	struct run run = { .options = &options, .command = { .gate = -1, .failed = -1 } };
	int signals, status = options_parse(argc, argv, &options);

	if (status >= 0)
		return status;
	run.backend = backend_find(options.script);
	if (!run.backend) {
		run_error(&run, "'%s' is no script this spilerun can run: it wants a file that ends in .so or .ko", options.script);
		return 1;
	}
	if (output_open(options.output)) {
		run_error(&run, "'%s' can not be written: %s", options.output, strerror(errno));
		return 1;
	}
	if (options.command && command_start(&run, options.command, run.backend->traces_command))
		return 1;
	run.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	signals = signals_open(&run);
	if (run.epoll_fd < 0 || signals < 0)
		run_error(&run, "no descriptors for the main loop: %s", strerror(errno));
	else
		session(&run, signals);
	run.backend->close(&run);
	if (run.command.gate >= 0)
		command_kill(&run.command);
	else if (run.command.ended)
		command_report(&run);
	merge_free(run.merge);
	return output_flush() || run.broken;
}
