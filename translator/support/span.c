/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans to lines and columns.  Lines are counted only when a message asks. */
#include "support/span.h"

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

struct span span_join(struct span a, struct span b)
{
	/* A macro may put the two ends in different texts, or in the wrong order: keep the first then. */
	if (a.source != b.source || b.off + b.len < a.off + a.len)
		return a;
	a.len = b.off + b.len - a.off;
	return a;
}
