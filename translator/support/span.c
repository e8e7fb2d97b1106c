/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans to lines and columns.  Lines are counted only when a message asks. */
#include "support/span.h"

#include <ctype.h>
#include <string.h>

void span_place(struct span s, unsigned *line, unsigned *column)
{
	const char *at, *end, *nl;

	*line = *column = 1;
	if (!s.source)
		return;
	at = s.source->text;
	end = at + (s.off < s.source->len ? s.off : s.source->len);
	while (at < end && (nl = memchr(at, '\n', (size_t)(end - at)))) {
		++*line;
		at = nl + 1;
	}
	*column = (unsigned)(end - at) + 1;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool span_at(const struct source *s, unsigned line, unsigned column, struct span *out)
{
	const char *at = s->text, *end = s->text + s->len, *stop;
	size_t n = 0;

	for (unsigned i = 1; i < line && at; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at += at != NULL;
	}
	if (!at || !line)
		return false;
	stop = memchr(at, '\n', (size_t)(end - at));
	stop = stop ? stop : end;
	if (column)
		at = column - 1 < (size_t)(stop - at) ? at + column - 1 : stop;
	while (!column && at < stop && isspace((unsigned char)*at))
		at++;
	while (at + n < stop && is_word(at[n]))
		n++;
	*out = (struct span){ s, (unsigned)(at - s->text), n ? (unsigned)n : 1, NULL };
	return true;
}

struct span span_join(struct span a, struct span b)
{
	/* A macro may put the two ends in different texts, or in the wrong order: keep the first then. */
	if (a.source != b.source || b.off + b.len < a.off + a.len)
		return a;
	a.len = b.off + b.len - a.off;
	return a;
}
