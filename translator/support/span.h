/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where something stands: a source text, and a span of bytes in it. */
#ifndef SPILE_SPAN_H
#define SPILE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

/* A text that was read: a file, or the script given with -e (named <input>). */
struct source {
	const char *name;	/* as messages show it */
	const char *text;
	size_t len;
	bool is_gated;		/* library text that --compatible binds as it does the user's */
};

/* Bytes off .. off+len of a source.  Where a macro was expanded, `expanded' is the span of its use. */
struct span {
	const struct source *source;	/* NULL: no place (options, the tool's own probes) */
	unsigned off, len;
	const struct span *expanded;
};

/* 1-based line and column (bytes) of a span's start. */
void span_place(struct span s, unsigned *line, unsigned *column);
/* The word or the byte there; the first word of the line where @column is 0.  False: there is no such line. */
bool span_at(const struct source *s, unsigned line, unsigned column, struct span *out);
/* From the start of @a to the end of @b, both in one source. */
struct span span_join(struct span a, struct span b);

#endif
