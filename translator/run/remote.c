/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session on several hosts at once: their files sent, their runners started, what they say shown as it comes, and all of it
 * ended in order.  Start reading at remotes_run().  How a host is reached is in link.c.
 */
#include "run/remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/link.h"
#include "support/file.h"

#define INTERRUPTS_MAX 3

struct show {
	struct arena *a;
	struct diag *d;
	struct remotes *remotes;
	const struct options *options;
	const struct layout *layout;
	int out;			/* where standard output of all goes */
	int signals;
	unsigned interrupts;
	bool broken;			/* our own output cannot be written */
};

struct remotes *remotes_open(struct arena *a, struct diag *d, const struct options *options, const struct layout *layout)
{
	struct remotes *rs = ARENA_NEW(a, struct remotes);

	rs->all = ARENA_ARRAY(a, struct remote, (size_t)options->nremotes);
	signal(SIGPIPE, SIG_IGN);
	for (; rs->n < options->nremotes; rs->n++) {
		rs->all[rs->n].uri = options->remotes[rs->n];
		if (link_open(a, d, &rs->all[rs->n], layout))
			continue;
		rs->n++;
		remotes_close(rs);
		return NULL;
	}
	return rs;
}

void remotes_close(struct remotes *rs)
{
	for (int i = 0; rs && i < rs->n; i++)
		if (rs->all[i].link)
			link_close(rs->all[i].link);
}

/* ---- starting ----------------------------------------------------------------------------------------- */

/* Quoted-printable, with blanks quoted too: a word stays one. */
static void add_quoted(struct strbuf *b, const char *word)
{
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c > ' ' && c < 127 && c != '=')
			strbuf_char(b, *word);
		else
			strbuf_printf(b, "=%02X", c);
	}
}

static bool refused(const struct show *s, const struct remote *r, const char *what, const char *why)
{
	diag_error(s->d, NO_SPAN, TAG_RUN, "remote '%s': %s: %s", r->uri, what, why);
	return false;
}

/* Sends a command, or several bytes after one, and takes its OK. */
static bool command(const struct show *s, const struct remote *r, const char *text, const char *bytes, size_t n)
{
	char *line;

	if (!link_say(r->link, text, strlen(text)) || !link_say(r->link, bytes, n) || !(line = link_line(s->a, r->link)))
		return refused(s, r, "the connection broke", strerror(errno ? errno : EPIPE));
	if (!strcmp(line, "OK"))
		return true;
	return refused(s, r, "the far end refused", strncmp(line, "ERROR: ", 7) ? line : line + 7);
}

/* What remote_id() and remote_uri() give there. */
static const char *number_and_uri(const struct show *s, const struct remote *r)
{
	return arena_printf(s->a, "%d:%s", (int)(r - s->remotes->all), r->uri);
}

static bool start_far(const struct show *s, const struct remote *r)
{
	const char *slash = strrchr(r->object, '/'), *name = slash ? slash + 1 : r->object;
	struct run_job job = { .object = name, .options = s->options, .layout = s->layout, .remote = number_and_uri(s, r) };
	const char *const *argv = runner_words(s->a, &job, RUN_ELSEWHERE);
	struct strbuf line = { 0 };
	char *bytes;
	size_t len;
	int e = file_read(s->a, r->object, &bytes, &len);
	bool good;

	if (e)
		return refused(s, r, r->object, strerror(-e));
	strbuf_add(&line, "run");
	for (int i = 1; argv[i]; i++) {
		strbuf_char(&line, ' ');
		add_quoted(&line, argv[i]);
	}
	strbuf_char(&line, '\n');
	good = command(s, r, "option data\n", NULL, 0) &&
	       command(s, r, arena_printf(s->a, "file %zu %s\n", len, name), bytes, len) &&
	       command(s, r, line.text, NULL, 0);
	strbuf_free(&line);
	return good;
}

static bool start_here(const struct show *s, const struct remote *r)
{
	struct run_job job = {
		.object = r->object, .options = s->options, .layout = s->layout, .remote = number_and_uri(s, r),
	};
	bool good = link_start(s->d, r->link, runner_words(s->a, &job, RUN_ELSEWHERE), true);

	if (good) {
		close(r->link->to);
		r->link->to = -1;
	}
	return good;
}

/* ---- what they say ------------------------------------------------------------------------------------ */

static void put(struct show *s, int stream, const char *text, size_t n)
{
	int fd = stream == 1 ? s->out : STDERR_FILENO;

	while (n && !(s->broken && stream == 1)) {
		ssize_t done = write(fd, text, n);

		if (done > 0) {
			text += done;
			n -= (size_t)done;
		} else if (errno != EINTR) {
			if (stream == 1)
				diag_error(s->d, NO_SPAN, TAG_RUN, "the output can not be written: %s", strerror(errno));
			s->broken = true;
			return;
		}
	}
}

static void put_line(struct show *s, int host, int stream)
{
	struct strbuf *b = &s->remotes->all[host].link->partial[stream], line = { 0 };

	strbuf_printf(&line, "%d: ", host);
	strbuf_add_n(&line, b->text, b->len);
	if (b->text[b->len - 1] != '\n')
		strbuf_char(&line, '\n');	/* the host has ended amid a line */
	put(s, stream, line.text, line.len);
	strbuf_free(&line);
	b->len = 0;
}

/* Text of one host as it is, or in whole lines behind its number. */
static void show_text(struct show *s, int host, int stream, const char *text, size_t n)
{
	struct strbuf *b = &s->remotes->all[host].link->partial[stream];

	if (!s->options->remote_prefix) {
		put(s, stream, text, n);
		return;
	}
	while (n) {
		const char *stop = memchr(text, '\n', n);
		size_t piece = stop ? (size_t)(stop - text) + 1 : n;

		strbuf_add_n(b, text, piece);
		if (stop)
			put_line(s, host, stream);
		text += piece;
		n -= piece;
	}
}

static void host_ended(struct show *s, int host, int status)
{
	struct remote_link *l = s->remotes->all[host].link;

	for (int stream = 1; stream <= 2; stream++)
		if (l->partial[stream].len)
			put_line(s, host, stream);
	l->ended = true;
	l->status = status;
}

/* "data stdout|stderr SIZE", "quit STATUS" */
static bool obey(struct show *s, int host, const char *line)
{
	struct remote_link *l = s->remotes->all[host].link;

	if (!strncmp(line, "quit", 4)) {
		host_ended(s, host, (int)strtol(line + 4, NULL, 10) != 0);
		return true;
	}
	l->stream = !strncmp(line, "data stdout ", 12) ? 1 : !strncmp(line, "data stderr ", 12) ? 2 : 0;
	l->left = l->stream ? strtoll(line + 12, NULL, 10) : -1;
	return l->left >= 0;
}

/* All that one host has sent so far. */
static bool take_apart(struct show *s, int host)
{
	struct remote_link *l = s->remotes->all[host].link;

	while (!l->ended && l->start < l->end) {
		size_t n = l->end - l->start;
		char *at = l->in + l->start, *stop;

		if (l->left > 0) {
			if ((long long)n > l->left)
				n = (size_t)l->left;
			show_text(s, host, l->stream, at, n);
			l->start += n;
			l->left -= (long long)n;
			continue;
		}
		stop = memchr(at, '\n', n);
		if (!stop)
			return n < sizeof(l->in);
		*stop = 0;
		l->start = (size_t)(stop + 1 - l->in);
		if (!obey(s, host, at))
			return false;
	}
	return true;
}

static void hear_far(struct show *s, int host)
{
	struct remote *r = &s->remotes->all[host];

	if (link_fill(r->link) && take_apart(s, host))
		return;
	if (!r->link->ended) {
		diag_error(s->d, NO_SPAN, TAG_RUN, "remote '%s': the connection broke", r->uri);
		host_ended(s, host, 1);
	}
}

/* The runner of this machine: its two streams, and its end once both have ended. */
static void hear_here(struct show *s, int host, int *fd, int stream)
{
	struct remote_link *l = s->remotes->all[host].link;
	char piece[1 << 15];
	ssize_t n = read(*fd, piece, sizeof(piece));
	int status = 0;

	if (n > 0) {
		show_text(s, host, stream, piece, (size_t)n);
		return;
	}
	if (n < 0 && errno == EINTR)
		return;
	close(*fd);
	*fd = -1;
	if (l->from >= 0 || l->err >= 0)
		return;
	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	l->pid = 0;
	host_ended(s, host, status != 0);
}

/* ---- until all have ended ----------------------------------------------------------------------------- */

static void interrupt(struct show *s)
{
	s->interrupts++;
	for (int i = 0; i < s->remotes->n; i++) {
		struct remote_link *l = s->remotes->all[i].link;

		if (l->ended)
			continue;
		if (l->direct)
			kill(l->pid, s->interrupts < INTERRUPTS_MAX ? SIGINT : SIGKILL);
		else if (s->interrupts < INTERRUPTS_MAX)
			link_say(l, "quit\n", 5);
		if (s->interrupts >= INTERRUPTS_MAX)
			host_ended(s, i, 1);
	}
	if (s->interrupts >= INTERRUPTS_MAX)
		diag_say(s->d, "Too many interrupts received, exiting.\n");
}

static bool some_run(const struct show *s)
{
	for (int i = 0; i < s->remotes->n; i++)
		if (!s->remotes->all[i].link->ended)
			return true;
	return false;
}

/* One turn: sleeps until a host says something or a signal comes. */
static void turn(struct show *s, struct pollfd *p)
{
	struct signalfd_siginfo info;
	int n = s->remotes->n;

	for (int i = 0; i < n; i++) {
		struct remote_link *l = s->remotes->all[i].link;

		p[2 * i] = (struct pollfd){ .fd = l->ended ? -1 : l->from, .events = POLLIN };
		p[2 * i + 1] = (struct pollfd){ .fd = l->ended ? -1 : l->err, .events = POLLIN };
	}
	p[2 * n] = (struct pollfd){ .fd = s->signals, .events = POLLIN };
	if (poll(p, 2 * (nfds_t)n + 1, -1) < 0)
		return;
	for (int i = 0; i < n; i++) {
		struct remote_link *l = s->remotes->all[i].link;

		if (p[2 * i].revents && l->direct)
			hear_here(s, i, &l->from, 1);
		else if (p[2 * i].revents)
			hear_far(s, i);
		if (p[2 * i + 1].revents && l->err >= 0)
			hear_here(s, i, &l->err, 2);
	}
	while (s->signals >= 0 && read(s->signals, &info, sizeof(info)) == sizeof(info))
		interrupt(s);
}

static int take_signals(void)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!sigaction(taken[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int first_failure(const struct remotes *rs)
{
	for (int i = 0; i < rs->n; i++)
		if (rs->all[i].link->status)
			return rs->all[i].link->status;
	return 0;
}

int remotes_run(struct arena *a, struct diag *d, struct remotes *remotes, const struct options *options,
		const struct layout *layout)
{
	struct show s = { .a = a, .d = d, .remotes = remotes, .options = options, .layout = layout };
	struct pollfd *p = ARENA_ARRAY(a, struct pollfd, 2 * (size_t)remotes->n + 1);
	bool asked = false;

	s.out = run_open_output(d, options->output);
	if (s.out < 0)
		return 1;
	s.signals = take_signals();
	for (int i = 0; i < remotes->n; i++) {
		struct remote *r = &remotes->all[i];

		if (!(r->link->direct ? start_here(&s, r) : start_far(&s, r)))
			host_ended(&s, i, 1);
		else
			take_apart(&s, i);	/* what came along with the last answer */
	}
	while (some_run(&s)) {
		turn(&s, p);
		if (s.broken && !asked) {
			asked = true;
			interrupt(&s);
		}
	}
	if (s.out != STDOUT_FILENO)
		close(s.out);
	return s.broken ? 1 : first_failure(remotes);
}
