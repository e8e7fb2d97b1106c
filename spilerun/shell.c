/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spilesh: the far end of --remote (cli.md 6.6).  Takes one command a line on standard input and answers on standard output:
 *
 *	stap VERSION		stapsh VERSION MACHINE RELEASE
 *	option data|verbose	OK
 *	file SIZE NAME		reads SIZE bytes, keeps them in a folder of its own that is removed at the end; OK
 *	run WORD...		starts spilerun with these words, quoted-printable; OK
 *	quit			ends what runs, in order, and then itself
 *
 * With `data', what spilerun prints comes as `data stdout|stderr SIZE' and the bytes, and its end as `quit STATUS'; without, it is
 * simply on standard output and error, and the status is our own.  Start reading at commands[].
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROTOCOL_VERSION "5.6"
#define FILE_MAX (1ll << 30)
#define WORDS_MAX 256

static struct {
	char in[1 << 16];		/* bytes read and not used yet */
	size_t start, end;
	bool ended;			/* the other side is gone */
	bool greeted, data, verbose;
	char folder[PATH_MAX];		/* "": none yet */
	pid_t runner;			/* 0: nothing runs */
	int runner_fd;			/* pidfd */
	int pipes[2];			/* its output and errors, with `data' */
} sh = { .runner_fd = -1, .pipes = { -1, -1 } };

/* ---- both directions ---------------------------------------------------------------------------------- */

static bool write_all(const void *data, size_t n)
{
	const char *at = data;

	while (n) {
		ssize_t done = write(STDOUT_FILENO, at, n);

		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			at += done;
			n -= (size_t)done;
		}
	}
	return true;
}

static void reply(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void reply(const char *format, ...)
{
	char line[1024];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line) - 1, format, ap);
	va_end(ap);
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n++] = '\n';
	if (!write_all(line, (size_t)n))
		sh.ended = true;
}

/* Waits for bytes; false at the end. */
static bool fill(void)
{
	ssize_t n;

	if (sh.start == sh.end)
		sh.start = sh.end = 0;
	if (sh.start && sh.end == sizeof(sh.in)) {
		memmove(sh.in, sh.in + sh.start, sh.end - sh.start);
		sh.end -= sh.start;
		sh.start = 0;
	}
	do
		n = read(STDIN_FILENO, sh.in + sh.end, sizeof(sh.in) - sh.end);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return sh.ended = true, false;
	sh.end += (size_t)n;
	return true;
}

/* The next line if a whole one is there, without its end; NULL: not yet. */
static char *take_line(void)
{
	char *line = sh.in + sh.start, *stop = memchr(line, '\n', sh.end - sh.start);

	if (!stop) {
		if (sh.end - sh.start == sizeof(sh.in))
			sh.ended = true;	/* no command is that long */
		return NULL;
	}
	*stop = 0;
	sh.start = (size_t)(stop + 1 - sh.in);
	return line;
}

/* ---- the commands ------------------------------------------------------------------------------------- */

static void do_stap(char *args)
{
	struct utsname u;

	(void)args;
	uname(&u);
	sh.greeted = true;
	reply("stapsh %s %s %s", PROTOCOL_VERSION, u.machine, u.release);
}

static void do_option(char *args)
{
	if (!strcmp(args, "data"))
		sh.data = true;
	else if (!strcmp(args, "verbose"))
		sh.verbose = true;
	else {
		reply("ERROR: unknown option '%.100s'", args);
		return;
	}
	reply("OK");
}

static bool make_folder(void)
{
	const char *base = getenv("TMPDIR");

	if (*sh.folder)
		return true;
	snprintf(sh.folder, sizeof(sh.folder), "%s/spileshXXXXXX", base && *base ? base : "/tmp");
	if (mkdtemp(sh.folder) && !chdir(sh.folder))
		return true;
	*sh.folder = 0;
	return false;
}

/* A plain name: it stays in our folder. */
static bool is_plain(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

	return n && n < 200 && !name[n] && *name != '.' && *name != '-';
}

/* Takes the bytes, whether or not they can be kept: what follows them is the next command.  0 or an errno. */
static int take_file(int fd, long long size)
{
	int error = fd < 0 ? errno : 0;

	while (size > 0 && (sh.start < sh.end || fill())) {
		size_t n = sh.end - sh.start;

		if ((long long)n > size)
			n = (size_t)size;
		if (!error && write(fd, sh.in + sh.start, n) != (ssize_t)n)
			error = errno ? errno : ENOSPC;
		sh.start += n;
		size -= (long long)n;
	}
	return error;
}

static void do_file(char *args)
{
	char *name;
	long long size = strtoll(args, &name, 10);
	int fd, error;

	if (size < 0 || size > FILE_MAX || *name != ' ' || !is_plain(name + 1)) {
		reply("ERROR: bad file command");
		sh.ended = true;		/* nobody knows where the next command begins */
		return;
	}
	fd = make_folder() ? open(name + 1, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700) : -1;
	error = take_file(fd, size);
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	if (error)
		reply("ERROR: file '%s' can not be written: %s", name + 1, strerror(error));
	else
		reply("OK");
}

static int hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* Quoted-printable (RFC 2045 6.7), in place: =XX is a byte. */
static bool unquote(char *word)
{
	char *to = word;

	for (char *p = word; *p; p++) {
		if (*p == '=') {
			if (hex(p[1]) < 0 || hex(p[2]) < 0)
				return false;
			*to++ = (char)(hex(p[1]) << 4 | hex(p[2]));
			p += 2;
		} else {
			*to++ = *p;
		}
	}
	*to = 0;
	return true;
}

/* spilerun stands beside us, wherever that is. */
static void runner_path(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 10);

	while (n > 0 && path[n - 1] != '/')
		n--;
	strcpy(path + (n > 0 ? n : 0), "spilerun");
}

static void runner_main(char **argv, const int out[2])
{
	int null = open("/dev/null", O_RDONLY);
	char path[PATH_MAX];
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);			/* a terminal's signals are not for it: we pass on what is meant */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = SIGHUP; sig <= SIGTERM; sig++)
		signal(sig, SIG_DFL);
	dup2(null, STDIN_FILENO);
	if (sh.data) {
		dup2(out[0], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
	}
	runner_path(path, sizeof(path));
	execv(path, argv);
	fprintf(stderr, "ERROR: '%s' could not be started: %s\n", path, strerror(errno));
	_exit(1);
}

static bool start_runner(char **argv)
{
	int out[2], err[2];

	if (pipe2(out, O_CLOEXEC))
		return false;
	if (pipe2(err, O_CLOEXEC)) {
		close(out[0]);
		close(out[1]);
		return false;
	}
	sh.runner = fork();
	if (!sh.runner)
		runner_main(argv, (const int[]){ out[1], err[1] });
	close(out[1]);
	close(err[1]);
	sh.pipes[0] = out[0];
	sh.pipes[1] = err[0];
	if (sh.runner < 0)
		return sh.runner = 0, false;
	sh.runner_fd = (int)syscall(SYS_pidfd_open, sh.runner, 0);
	return sh.runner_fd >= 0;
}

static void do_run(char *args)
{
	char *argv[WORDS_MAX + 2] = { (char *)"spilerun" }, *rest, *word;
	int n = 1;

	for (word = strtok_r(args, " ", &rest); word && n < WORDS_MAX; word = strtok_r(NULL, " ", &rest)) {
		if (!unquote(word)) {
			reply("ERROR: a word is not quoted as it should be");
			return;
		}
		argv[n++] = word;
	}
	if (sh.runner)
		reply("ERROR: something runs already");
	else if (word)
		reply("ERROR: too many words");
	else if (!make_folder() || !start_runner(argv))
		reply("ERROR: spilerun could not be started: %s", strerror(errno));
	else
		reply("OK");
}

static void do_quit(char *args)
{
	(void)args;
	if (sh.runner)
		kill(sh.runner, SIGINT);	/* its end is ours */
	else
		sh.ended = true;
}

static const struct {
	const char *name;
	void (*run)(char *args);
} commands[] = {
	{ "stap", do_stap },
	{ "option", do_option },
	{ "file", do_file },
	{ "run", do_run },
	{ "quit", do_quit },
};

static void obey(char *line)
{
	size_t n = strcspn(line, " ");
	char *args = line + n + (line[n] == ' ');

	line[n] = 0;
	if (sh.verbose)
		fprintf(stderr, "spilesh: %s\n", line);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, line))
			continue;
		if (commands[i].run != do_stap && !sh.greeted)
			break;
		commands[i].run(args);
		return;
	}
	reply("ERROR: unknown command '%.100s'", line);
}

/* ---- what the runner says ----------------------------------------------------------------------------- */

/* Passes on what one pipe holds now.  false: it holds nothing. */
static bool pass_on(int which)
{
	static const char *const names[] = { "stdout", "stderr" };
	char piece[1 << 15];
	struct pollfd p = { .fd = sh.pipes[which], .events = POLLIN };
	ssize_t n;

	if (p.fd < 0 || poll(&p, 1, 0) != 1)
		return false;
	n = read(p.fd, piece, sizeof(piece));
	if (n <= 0) {
		close(p.fd);
		sh.pipes[which] = -1;
		return false;
	}
	reply("data %s %zd", names[which], n);
	if (!write_all(piece, (size_t)n))
		sh.ended = true;
	return true;
}

/* The runner has ended: a program it started may hold the pipes open, but what it said itself is there. */
static int runner_end(void)
{
	int status = 1, code;

	while (pass_on(0) || pass_on(1))
		;
	waitpid(sh.runner, &status, 0);
	code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	sh.runner = 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "ERROR: the runner was killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (sh.data)
		reply("quit %d", code);
	return code;
}

/* Until the runner has ended, or the other side is gone with nothing running. */
static int serve(void)
{
	bool told = false;
	char *line;

	for (;;) {
		struct pollfd p[4] = {
			{ .fd = sh.ended ? -1 : STDIN_FILENO, .events = POLLIN },
			{ .fd = sh.pipes[0], .events = POLLIN },
			{ .fd = sh.pipes[1], .events = POLLIN },
			{ .fd = sh.runner_fd, .events = POLLIN },
		};

		while (!sh.ended && (line = take_line()))
			obey(line);
		if (sh.ended && !sh.runner)
			return 0;
		if (sh.ended && !told) {
			kill(sh.runner, SIGHUP);
			told = true;
			continue;
		}
		p[1].fd = sh.pipes[0];
		p[2].fd = sh.pipes[1];
		p[3].fd = sh.runner_fd;
		if (poll(p, 4, -1) < 0)
			continue;
		if (p[0].revents)
			fill();
		pass_on(0);
		pass_on(1);
		if (p[3].revents)
			return runner_end();
	}
}

/* Our folder holds plain files only. */
static void remove_folder(void)
{
	char *const argv[] = { (char *)"rm", (char *)"-rf", (char *)"--", sh.folder, NULL };
	pid_t pid;

	if (!*sh.folder || chdir("/"))
		return;
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	int status;

	/* The terminal's signals are the other side's affair; a reader that is gone is an error code. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	status = serve();
	remove_folder();
	return status;
}
