/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections to other hosts: the schemes of --remote, each one row of the table below.  Start reading at schemes[]. */
#include "run/link.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"

#define PROTOCOL_VERSION "5.6"

struct opening {
	struct arena *a;
	struct diag *d;
	struct remote *r;
	const struct layout *layout;
	const char *rest;		/* of the URI, behind the scheme */
};

static bool failed(const struct opening *o, const char *what)
{
	diag_error(o->d, NO_SPAN, TAG_RUN, "remote '%s': %s", o->r->uri, what);
	return false;
}

/* ---- bytes and lines ---------------------------------------------------------------------------------- */

bool link_say(struct remote_link *l, const void *data, size_t n)
{
	const char *at = data;

	while (n) {
		ssize_t done = l->to < 0 ? -1 : write(l->to, at, n);

		if (done < 0 && (l->to < 0 || errno != EINTR))
			return false;
		if (done > 0) {
			at += done;
			n -= (size_t)done;
		}
	}
	return true;
}

static bool link_say_text(struct remote_link *l, const char *text)
{
	return link_say(l, text, strlen(text));
}

bool link_fill(struct remote_link *l)
{
	ssize_t n;

	if (l->start == l->end)
		l->start = l->end = 0;
	if (l->start) {
		memmove(l->in, l->in + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	if (l->end == sizeof(l->in))
		return false;
	do
		n = read(l->from, l->in + l->end, sizeof(l->in) - l->end);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	l->end += (size_t)n;
	return true;
}

char *link_line(struct arena *a, struct remote_link *l)
{
	const char *stop;
	char *line;

	while (!(stop = memchr(l->in + l->start, '\n', l->end - l->start)))
		if (!link_fill(l))
			return NULL;
	line = arena_strndup(a, l->in + l->start, (size_t)(stop - l->in) - l->start);
	l->start = (size_t)(stop - l->in) + 1;
	return line;
}

/* ---- programs ----------------------------------------------------------------------------------------- */

/*
 * Interrupts of the terminal are ours to pass on, in words: a program that only carries them must not die of one.  (ssh leaves an
 * ignored SIGINT ignored.)
 */
static void child_main(const char *const *argv, int in, int out, int err)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (err >= 0) {
		setpgid(0, 0);
		dup2(err, STDERR_FILENO);
	} else {
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
	}
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	fprintf(stderr, "ERROR: '%s' could not be started: %s\n", argv[0], strerror(errno));
	_exit(127);
}

bool link_start(struct diag *d, struct remote_link *l, const char *const *argv, bool wants_errors)
{
	int in[2], out[2], err[2] = { -1, -1 };

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || (wants_errors && pipe2(err, O_CLOEXEC))) {
		diag_error(d, NO_SPAN, TAG_RUN, "no pipe for '%s': %s", argv[0], strerror(errno));
		return false;
	}
	l->pid = fork();
	if (!l->pid)
		child_main(argv, in[0], out[1], err[1]);
	close(in[0]);
	close(out[1]);
	if (wants_errors)
		close(err[1]);
	l->to = in[1];
	l->from = out[0];
	l->err = err[0];
	if (l->pid > 0)
		return true;
	l->pid = 0;
	diag_error(d, NO_SPAN, TAG_RUN, "'%s' could not be started: %s", argv[0], strerror(errno));
	return false;
}

void link_close(struct remote_link *l)
{
	if (l->to >= 0)
		close(l->to);
	if (l->from >= 0 && l->from != l->to)
		close(l->from);
	if (l->err >= 0)
		close(l->err);
	l->to = l->from = l->err = -1;
	if (l->pid > 0)
		waitpid(l->pid, NULL, 0);
	l->pid = 0;
	for (int i = 0; i < 3; i++)
		strbuf_free(&l->partial[i]);
}

static const char *beside_runner(const struct opening *o, const char *name)
{
	const char *slash = strrchr(o->layout->spilerun, '/');

	return arena_printf(o->a, "%.*s/%s", (int)(slash ? slash - o->layout->spilerun : 1), slash ? o->layout->spilerun : ".", name);
}

/* ---- the schemes -------------------------------------------------------------------------------------- */

/* What the far end says of itself.  NULL: it is gone. */
static char *greet(const struct opening *o)
{
	return link_say_text(o->r->link, "stap " PROTOCOL_VERSION "\n") ? link_line(o->a, o->r->link) : NULL;
}

/* "stapsh VERSION MACHINE RELEASE" */
static bool introduced(const struct opening *o, char *line)
{
	char *rest, *word = line ? strtok_r(line, " ", &rest) : NULL, *version;

	if (!word || strcmp(word, "stapsh"))
		return failed(o, line ? "the far end is no spilesh" : "the far end went away before it said what it is");
	version = strtok_r(NULL, " ", &rest);
	o->r->machine = version ? strtok_r(NULL, " ", &rest) : NULL;
	o->r->release = o->r->machine ? strtok_r(NULL, " ", &rest) : NULL;
	return o->r->release || failed(o, "the far end does not say what machine it is");
}

static bool open_direct(const struct opening *o)
{
	struct utsname u;

	uname(&u);
	o->r->link->direct = true;
	o->r->machine = arena_strdup(o->a, u.machine);
	o->r->release = arena_strdup(o->a, u.release);
	return true;
}

static bool open_shell(const struct opening *o)
{
	return link_start(o->d, o->r->link, (const char *const[]){ beside_runner(o, "spilesh"), NULL }, false) &&
	       introduced(o, greet(o));
}

static bool open_socket(const struct opening *o)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(o->rest) >= sizeof(addr.sun_path))
		return failed(o, "the socket's path is too long");
	strcpy(addr.sun_path, o->rest);
	o->r->link->to = o->r->link->from = fd;
	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return failed(o, arena_printf(o->a, "no connection: %s", strerror(errno)));
	return introduced(o, greet(o));
}

/* "ssh [-p PORT] [USER@]HOST COMMAND", from what stands in the URI. */
static const char *const *ssh_words(const struct opening *o, const char *command)
{
	const char **argv = ARENA_ARRAY(o->a, const char *, 8);
	const char *host = strncmp(o->rest, "//", 2) ? o->rest : o->rest + 2;
	size_t n = strcspn(host, "/");
	const char *whole = arena_strndup(o->a, host, n), *colon = strrchr(whole, ':');
	int i = 0;

	argv[i++] = "ssh";
	argv[i++] = "-T";
	if (colon) {
		argv[i++] = "-p";
		argv[i++] = colon + 1;
		whole = arena_strndup(o->a, whole, (size_t)(colon - whole));
	}
	argv[i++] = "--";
	argv[i++] = whole;
	argv[i++] = command;
	return argv;
}

/*
 * Run by a shell there, in one connection.  Where spile is not installed it says so, takes the two programs that a session needs
 * (their sizes, then their bytes: `read' takes no byte beyond its line, `head -c' none beyond its count), and removes them at the end.
 */
#define ABSENT "spilesh-is-absent "
static const char far_script[] =
	"sh -c 'command -v spilesh >/dev/null && exec spilesh; read hello; echo " ABSENT "`uname -m`; read a b; "
	"umask 077; d=`mktemp -d` || exit 1; head -c $a >$d/spilesh; head -c $b >$d/spilerun; chmod 700 $d/*; "
	"$d/spilesh; s=$?; rm -rf $d; exit $s'";

static bool send_programs(const struct opening *o, const char *machine)
{
	const char *const files[] = { beside_runner(o, "spilesh"), o->layout->spilerun };
	struct utsname u;
	size_t len[2];
	char *bytes[2];

	uname(&u);
	if (strcmp(machine, u.machine))
		return failed(o, arena_printf(o->a, "it is a %s machine without spile; install it there", machine));
	for (int i = 0; i < 2; i++) {
		int e = file_read(o->a, files[i], &bytes[i], &len[i]);

		if (e)
			return failed(o, arena_printf(o->a, "cannot read '%s': %s", files[i], strerror(-e)));
	}
	return link_say_text(o->r->link, arena_printf(o->a, "%zu %zu\n", len[0], len[1])) &&
	       link_say(o->r->link, bytes[0], len[0]) && link_say(o->r->link, bytes[1], len[1]);
}

static bool open_ssh(const struct opening *o)
{
	char *line;

	if (!o->rest[strspn(o->rest, "/")])
		return failed(o, "there is no host in it");
	if (!link_start(o->d, o->r->link, ssh_words(o, far_script), false))
		return false;
	line = greet(o);
	if (line && !strncmp(line, ABSENT, sizeof(ABSENT) - 1)) {
		if (!send_programs(o, line + sizeof(ABSENT) - 1))
			return false;
		line = greet(o);
	}
	return introduced(o, line);
}

static bool open_libvirt(const struct opening *o)
{
	const char *path = getenv("PATH");

	for (const char *dir = path ? path : ""; *dir; dir += strcspn(dir, ":") + (dir[strcspn(dir, ":")] == ':'))
		if (!access(arena_printf(o->a, "%.*s/virsh", (int)strcspn(dir, ":"), dir), X_OK))
			return failed(o, "libvirt: is not done yet by spile; try ssh, or unix: on the guest's channel");
	return failed(o, "libvirt: needs the program virsh, which is not here");
}

static const struct scheme {
	const char *name;
	bool (*open)(const struct opening *o);
} schemes[] = {
	{ "direct", open_direct },
	{ "stapsh", open_shell },
	{ "unix", open_socket },
	{ "ssh", open_ssh },
	{ "libvirt", open_libvirt },
};

/* The length of the scheme, without the colon; 0: there is none, it is [USER@]HOST[:PORT]. */
static size_t scheme_length(const char *uri)
{
	size_t n = strcspn(uri, ":@/.");
	const char *port = uri + n + 1;

	if (uri[n] != ':' || !n)
		return 0;
	return *port && strspn(port, "0123456789") == strlen(port) ? 0 : n;
}

bool link_open(struct arena *a, struct diag *d, struct remote *r, const struct layout *layout)
{
	size_t n = scheme_length(r->uri);
	struct opening o = { a, d, r, layout, n ? r->uri + n + 1 : r->uri };

	r->link = ARENA_NEW(a, struct remote_link);
	r->link->to = r->link->from = r->link->err = -1;
	if (!n)
		return open_ssh(&o);
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strlen(schemes[i].name) == n && !strncmp(schemes[i].name, r->uri, n))
			return schemes[i].open(&o);
	diag_error(d, NO_SPAN, TAG_RUN, "unrecognized URI scheme '%.*s' in remote: %s on remote '%s'", (int)n, r->uri, o.rest, r->uri);
	return false;
}
