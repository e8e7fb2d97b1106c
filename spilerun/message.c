/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spilerun's own messages: errors, warnings (each text once), and notes for -v. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spilerun/spilerun.h"

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE };

static const struct { const char *plain, *coloured; } heads[] = {
	[LEVEL_ERROR] = { "ERROR: ", "\033[1;31mERROR: \033[0m" },
	[LEVEL_WARNING] = { "WARNING: ", "\033[1;35mWARNING: \033[0m" },
	[LEVEL_NOTE] = { "spilerun: ", "spilerun: " },
};

static char *format_text(const char *format, va_list ap)
{
	char *text = NULL;

	return vasprintf(&text, format, ap) < 0 ? NULL : text;
}

static void message(const struct run *run, enum level level, const char *text)
{
	char *line = NULL;

	if (asprintf(&line, "%s%s\n", run->options->colour ? heads[level].coloured : heads[level].plain, text) >= 0)
		output_message(line);
	free(line);
}

void run_error(struct run *run, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = format_text(format, ap);
	va_end(ap);
	message(run, LEVEL_ERROR, text ? text : format);
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
		message(run, LEVEL_WARNING, text ? text : format);
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
	message(run, LEVEL_NOTE, text ? text : format);
	free(text);
}
