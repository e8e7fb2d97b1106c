/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of -c: split as a shell would, or handed to one, and held at a gate until the probes are in place.
 *
 * It is forked before spilerun changes any signal's mask or disposition, so that it inherits what spilerun was given.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "spilerun/spilerun.h"

/*
 * Text that needs a real shell: wordexp() would refuse these unquoted, and quoted ones are the shell's affair as well.
 * So are $$, $1 and the like: they mean the shell, and wordexp() would put spilerun's own process there.
 */
static bool needs_shell(const char *text)
{
	if (strpbrk(text, "|&;<>(){}`\n"))
		return true;
	for (const char *p = text; (p = strchr(p, '$')); p++)
		if (!isalpha((unsigned char)p[1]) && p[1] != '_')
			return true;
	return false;
}

static const char *wordexp_text(int e)
{
	static const struct { int code; const char *text; } texts[] = {
		{ WRDE_BADCHAR, "it holds a character that only a shell understands" },
		{ WRDE_BADVAL, "it names an undefined variable" },
		{ WRDE_CMDSUB, "it holds a command substitution" },
		{ WRDE_NOSPACE, "out of memory" },
		{ WRDE_SYNTAX, "a quote is not closed" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].code == e)
			return texts[i].text;
	return "unknown reason";
}

/* The child: waits at the gate, then becomes the command.  Only calls that are safe between fork and exec. */
static void child_main(char **argv, int gate, int failed, bool traced)
{
	char go;
	ssize_t n;

	do
		n = read(gate, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127);		/* spilerun gave up */
	if (traced)
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	execvp(argv[0], argv);
	while (write(failed, &errno, sizeof(errno)) < 0 && errno == EINTR)
		;
	_exit(127);
}

static int command_fork(struct run *run, char **argv, bool traced)
{
	int gate[2], failed[2];
	pid_t pid;

	if (pipe2(gate, O_CLOEXEC)) {
		run_error(run, "no pipe for the command: %s", strerror(errno));
		return -1;
	}
	if (pipe2(failed, O_CLOEXEC)) {
		run_error(run, "no pipe for the command: %s", strerror(errno));
		close(gate[0]);
		close(gate[1]);
		return -1;
	}
	pid = fork();
	if (!pid) {
		close(gate[1]);
		child_main(argv, gate[0], failed[1], traced);
	}
	close(gate[0]);
	close(failed[1]);
	if (pid < 0) {
		run_error(run, "the command could not be started: %s", strerror(errno));
		close(gate[1]);
		close(failed[0]);
		return -1;
	}
	run->command = (struct command){ .pid = pid, .gate = gate[1], .failed = failed[0] };
	return 0;
}

int command_start(struct run *run, const char *text, bool traced)
{
	wordexp_t words;
	int r, e;

	if (needs_shell(text)) {
		char *argv[] = { (char *)"sh", (char *)"-c", (char *)text, NULL };

		return command_fork(run, argv, traced);
	}
	e = wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF);
	if (e) {
		run_error(run, "the command of -c can not be split into words: %s: %s", wordexp_text(e), text);
		return -1;
	}
	if (!words.we_wordc) {
		run_error(run, "Empty CMD string invalid.");
		r = -1;
	} else {
		r = command_fork(run, words.we_wordv, traced);
	}
	wordfree(&words);
	return r;
}

void command_release(struct command *c)
{
	if (c->gate < 0)
		return;
	/* A failed write means that the child is gone, which SIGCHLD tells. */
	while (write(c->gate, "", 1) < 0 && errno == EINTR)
		;
	close(c->gate);
	c->gate = -1;
}

int command_exec_error(struct command *c)
{
	int e = 0;

	if (c->failed >= 0 && read(c->failed, &e, sizeof(e)) != sizeof(e))
		e = 0;
	return e;
}

void command_kill(struct command *c)
{
	if (!c->pid || c->ended)
		return;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, &c->status, 0);
	c->ended = true;
}

void command_report(struct run *run)
{
	const struct command *c = &run->command;
	int e = command_exec_error(&run->command);

	if (e)
		run_error(run, "the command could not be executed: %s: %s", run->options->command, strerror(e));
	else if (WIFEXITED(c->status) && WEXITSTATUS(c->status))
		run_warning(run, "Child process exited with status %d", WEXITSTATUS(c->status));
	else if (WIFSIGNALED(c->status))
		run_warning(run, "Child process exited with signal %d (%s)", WTERMSIG(c->status), strsignal(WTERMSIG(c->status)));
	if (c->status)
		run->broken = true;
}
