/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the script's text goes: standard output, the file of -o, files in turn (-S), or a file for each CPU (-B).
 *
 * Whatever may hold us up (a pipe, a terminal) is only written to when it takes at once what it is given, since programs
 * wait for us meanwhile; the rest stays pending, and beyond a limit records stay in their rings, where losses are counted.
 * Only when the session is over do we wait.  Start reading at output_write().
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "spilerun/bulk.h"
#include "spilerun/spilerun.h"

#define FLUSH_AT (64u << 10)		/* pending bytes that are worth a write */
#define PENDING_MAX (1u << 20)		/* pending bytes beyond which no more are wanted */
#define MB 1048576ull

struct sink {
	int fd;				/* -1: not open */
	bool waits;			/* not a file: a write may hold us up */
	char *pending;
	size_t used, room;
	uint64_t size;			/* of the file, pending text included */
	bool amid_line;			/* its last byte ends no line */
	unsigned number;		/* of the file, in its turn */
	char *name;			/* NULL: standard output */
	char **names;			/* the last ones of -S, to be removed */
};

static struct run *run;
static struct sink *sinks;		/* one, or one for each CPU */
static unsigned nsinks;
static bool shares_stderr;		/* messages end up where the text does */
static bool background;
static bool dead;			/* nobody takes text any more: it is dropped and counted */
static uint64_t lost;

/* ---- files ------------------------------------------------------------------------------------------ */

/* cli.md 6.2.  Returns a string to be freed; NULL where the pattern gives no name. */
static char *file_name(const struct run_options *o, unsigned cpu, unsigned number)
{
	char name[PATH_MAX], which[32] = "", turn[32] = "";
	time_t now = time(NULL);
	bool numbered = o->file_mb || number;
	char *full = NULL;

	if (!strftime(name, sizeof(name), o->output ? o->output : "stpd", localtime(&now)))
		return NULL;
	if (o->bulk)
		snprintf(which, sizeof(which), !o->output || numbered || o->background ? "_cpu%u" : "_%u", cpu);
	if (numbered)
		snprintf(turn, sizeof(turn), ".%u", number);
	return asprintf(&full, "%s%s%s", name, which, turn) < 0 ? NULL : full;
}

static void look_at(struct sink *s)
{
	struct stat out, err;

	s->waits = fstat(s->fd, &out) || !(S_ISREG(out.st_mode) || S_ISBLK(out.st_mode));
	shares_stderr |= !fstat(STDERR_FILENO, &err) && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

/* Remembers the name for its removal, and removes the one whose turn it is. */
static void keep_so_many(struct sink *s, unsigned count)
{
	char **place;

	if (!s->names)
		s->names = calloc(count, sizeof(*s->names));
	if (!s->names)
		return;
	place = &s->names[s->number % count];
	if (*place)
		unlink(*place);
	free(*place);
	*place = strdup(s->name);
}

static int sink_open(struct sink *s)
{
	const struct run_options *o = run->options;
	char *name = file_name(o, (unsigned)(s - sinks), s->number);
	int fd = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666) : -1;

	if (fd < 0) {
		run_error(run, "'%s' can not be written: %s", name ? name : o->output, strerror(name ? errno : ENAMETOOLONG));
		free(name);
		return -1;
	}
	if (s->fd >= 0)
		close(s->fd);
	free(s->name);
	s->fd = fd;
	s->name = name;
	s->size = 0;
	look_at(s);
	if (o->file_count)
		keep_so_many(s, o->file_count);
	return 0;
}

int output_open(struct run *of)
{
	const struct run_options *o = of->options;

	run = of;
	nsinks = o->bulk ? (unsigned)sysconf(_SC_NPROCESSORS_CONF) : 1;
	sinks = calloc(nsinks, sizeof(*sinks));
	if (!sinks) {
		nsinks = 0;
		run_error(run, "out of memory");
		return -1;
	}
	for (unsigned i = 0; i < nsinks; i++)
		sinks[i].fd = -1;
	if (!o->output && !o->bulk) {
		sinks[0].fd = STDOUT_FILENO;
		look_at(&sinks[0]);
		return 0;
	}
	for (unsigned i = 0; i < nsinks; i++)
		if (sink_open(&sinks[i]))
			return -1;
	return 0;
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static void give_up(const struct sink *s, int error)
{
	if (dead)
		return;
	dead = true;
	if (error == EPIPE)
		run_error(run, "nobody reads the output any more: %s", strerror(error));
	else if (error)
		run_error(run, "'%s' can not be written: %s", s->name ? s->name : "standard output", strerror(error));
	run_end(run);
}

static bool takes_more(const struct sink *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };

	return !s->waits || poll(&p, 1, 0) == 1;
}

/* poll() promises room for PIPE_BUF bytes, no more. */
static void sink_flush(struct sink *s)
{
	size_t at = 0;

	while (!dead && at < s->used && takes_more(s)) {
		size_t piece = s->waits && s->used - at > PIPE_BUF ? PIPE_BUF : s->used - at;
		ssize_t n = write(s->fd, s->pending + at, piece);

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			break;
		else if (n < 0 && errno != EINTR)
			give_up(s, errno);
	}
	if (dead) {
		lost += s->used - at;
		s->used = 0;
		return;
	}
	memmove(s->pending, s->pending + at, s->used - at);
	s->used -= at;
}

static void append(struct sink *s, const void *data, size_t n)
{
	if (n > s->room - s->used) {
		size_t room = s->used + n + FLUSH_AT;
		char *more = realloc(s->pending, room);

		if (!more) {
			lost += n;
			return;
		}
		s->pending = more;
		s->room = room;
	}
	memcpy(s->pending + s->used, data, n);
	s->used += n;
	s->size += n;
}

static void next_file(struct sink *s)
{
	sink_flush(s);
	s->number++;
	if (!dead && sink_open(s))
		give_up(s, 0);
}

static void write_record(struct sink *s, uint64_t seq, const char *text, size_t n)
{
	const struct bulk_header head = { BULK_MAGIC, (uint32_t)n, seq };

	if (s->size && run->options->file_mb && s->size + sizeof(head) + n > run->options->file_mb * MB)
		next_file(s);
	append(s, &head, sizeof(head));
	append(s, text, n);
}

/* How much of @text still goes into this file: whole lines, where there are any.  0: none of it. */
static size_t fitting(const struct sink *s, const char *text, size_t n)
{
	uint64_t most = run->options->file_mb * MB, left = most > s->size ? most - s->size : 0;
	const char *stop;

	if (!most || n <= left)
		return n;
	stop = memrchr(text, '\n', (size_t)left);
	if (!stop && (!s->size || s->amid_line)) {
		stop = memchr(text, '\n', n);
		if (!stop)
			return n;
	}
	return stop ? (size_t)(stop - text) + 1 : 0;
}

/* Files change between lines, also where a handler printed so much that its text comes in pieces. */
static void write_lines(struct sink *s, const char *text, size_t n)
{
	while (n && !dead) {
		size_t piece = fitting(s, text, n);

		append(s, text, piece);
		if (piece)
			s->amid_line = text[piece - 1] != '\n';
		text += piece;
		n -= piece;
		if (n)
			next_file(s);
	}
	if (dead)
		lost += n;
}

void output_write(unsigned cpu, uint64_t seq, const char *text, size_t n)
{
	const struct run_options *o = run->options;
	struct sink *s = &sinks[o->bulk && cpu < nsinks ? cpu : 0];

	if (dead)
		lost += n;
	else if (o->bulk)
		write_record(s, seq, text, n);
	else
		write_lines(s, text, n);
	if (s->used >= FLUSH_AT)
		sink_flush(s);
}

void output_flush(void)
{
	for (unsigned i = 0; i < nsinks; i++)
		if (sinks[i].used)
			sink_flush(&sinks[i]);
}

bool output_has_room(void)
{
	for (unsigned i = 0; i < nsinks; i++)
		if (sinks[i].used > PENDING_MAX)
			return false;
	return true;
}

int output_waits_for(void)
{
	for (unsigned i = 0; i < nsinks; i++)
		if (sinks[i].used)
			return sinks[i].fd;
	return -1;
}

void output_next_file(void)
{
	for (unsigned i = 0; i < nsinks; i++)
		if (sinks[i].name)
			next_file(&sinks[i]);
}

void output_to_background(void)
{
	background = true;
}

void output_message(const char *text)
{
	struct sink *s = nsinks ? &sinks[0] : NULL;

	output_flush();
	if (s && s->fd >= 0 && !dead && !run->options->bulk && (background || (shares_stderr && s->used))) {
		append(s, text, strlen(text));
		sink_flush(s);
	} else {
		fputs(text, stderr);
	}
}

void output_wait(void)
{
	struct pollfd p[2] = {
		{ .fd = output_waits_for(), .events = POLLOUT },
		{ .fd = run->signal_fd, .events = POLLIN },
	};

	if (p[0].fd < 0)
		return;
	poll(p, 2, -1);
	run_signals(run);
	if (run->interrupts > 1)
		give_up(&sinks[0], EINTR);
	output_flush();
}

int output_close(void)
{
	output_flush();
	while (output_waits_for() >= 0)
		output_wait();
	if (lost)
		run_warning(run, "%llu bytes of output were lost", (unsigned long long)lost);
	return dead || lost ? -1 : 0;
}
