/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of marks, FILE.d, and what is made of them: spile-dtrace (spec/probes.md B.6). */
#ifndef SPILE_MARKS_PROVIDER_H
#define SPILE_MARKS_PROVIDER_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/strbuf.h"

enum { MARK_MAX_ARGS = 12 };		/* what sys/sdt.h has macros for */

struct mark {
	const char *name;		/* as in the note: "query__start" */
	const char *parameters;		/* as in C, without the parentheses and comments, blanks run together */
	unsigned n;			/* how many they are */
	struct mark *next;
};

struct provider {
	const char *name;
	struct mark *marks;		/* in order */
	struct provider *next;
};

/*
 * Reads @text, the contents of @file; names of files and lines in `# LINE "FILE"' lines, as a preprocessor leaves them, are
 * followed.  Types, structures and whatever else ends in `;' between providers is passed over.
 * Returns true with *out (NULL: there is no provider), or false with *error, "FILE:LINE: what is wrong".  All in @a.
 */
bool providers_read(struct arena *a, const char *file, const char *text, struct provider **out, const char **error);

/* The C header: for each mark a macro, and a test whether something traces it.  @file: named in its first line. */
void providers_header(const struct provider *p, const char *file, struct strbuf *out);
/* The C source that defines the counters of all marks. */
void providers_source(const struct provider *p, struct strbuf *out);

#endif
