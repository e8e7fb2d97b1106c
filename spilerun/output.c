/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output: the script's text, buffered, and spilerun's own messages.
 *
 * Script text goes to standard output or the file of -o; messages go to standard error, after the text that came before them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "spilerun/spilerun.h"

static int out_fd = STDOUT_FILENO;
static char buffer[1 << 16];
static size_t used;
static bool dead;			/* nobody reads any more: text is dropped */

int output_open(const char *path)
{
	char name[4096];
	time_t now = time(NULL);

	if (!path)
		return 0;
	if (!strftime(name, sizeof(name), path, localtime(&now)))
		return errno = ENAMETOOLONG, -1;
	out_fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	return out_fd < 0 ? -1 : 0;
}

int output_flush(void)
{
	size_t at = 0;

	while (!dead && at < used) {
		ssize_t n = write(out_fd, buffer + at, used - at);

		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			dead = true;
	}
	used = 0;
	return dead ? -1 : 0;
}

void output_write(const void *data, size_t n)
{
	while (n) {
		size_t piece = n < sizeof(buffer) - used ? n : sizeof(buffer) - used;

		memcpy(buffer + used, data, piece);
		used += piece;
		data = (const char *)data + piece;
		n -= piece;
		if (used == sizeof(buffer))
			output_flush();
	}
}

static void message(const char *head, const char *text)
{
	output_flush();
	fprintf(stderr, "%s%s\n", head, text);
}

static char *format_text(const char *format, va_list ap)
{
	char *text = NULL;

	return vasprintf(&text, format, ap) < 0 ? NULL : text;
}

void run_error(struct run *run, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = format_text(format, ap);
	va_end(ap);
	message("ERROR: ", text ? text : format);
	free(text);
	run->broken = true;
}

/* Whether @text was not shown before; remembers it.  The list is short: warnings of one run. */
static bool first_time(const char *text)
{
	static char **seen;
	static size_t n;
	char **more;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(seen[i], text))
			return false;
	more = n < 10000 ? realloc(seen, (n + 1) * sizeof(*seen)) : NULL;
	if (more) {
		seen = more;
		seen[n] = strdup(text);
		n += seen[n] != NULL;
	}
	return true;
}

void run_warning(struct run *run, const char *format, ...)
{
	va_list ap;
	char *text;

	if (run->options->quiet)
		return;
	va_start(ap, format);
	text = format_text(format, ap);
	va_end(ap);
	if (!text || run->options->verbose || first_time(text))
		message("WARNING: ", text ? text : format);
	free(text);
}

void run_note(struct run *run, const char *format, ...)
{
	va_list ap;
	char *text;

	if (!run->options->verbose)
		return;
	va_start(ap, format);
	text = format_text(format, ap);
	va_end(ap);
	message("spilerun: ", text ? text : format);
	free(text);
}
