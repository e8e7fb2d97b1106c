/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: the only module that prints messages.  It owns carets, colour, counts, duplicates and -w.
 *
 *	open.stp:4:18: error: '$flags' has no location at do_open+0x16 [no-location]
 *	    4 |   printf("%d\n", $flags)
 *	      |                  ^~~~~~
 *	hint: its location list covers do_open+0x0..+0x9; probe a statement there
 */
#ifndef SPILE_DIAG_H
#define SPILE_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "support/span.h"

enum diag_tag {
#define TAG(e, text) TAG_##e,
#include "support/tags.def"
#undef TAG
	DIAG_TAGS
};

struct diag;

/* @out receives the messages (usually stderr); @colour: wrap words in SGR sequences. */
struct diag *diag_new(FILE *out, bool colour);
void diag_free(struct diag *d);
void diag_colour(struct diag *d, bool on);
/*
 * Other colours: "error=01;31:caret=01", names error warning note hint source caret token, values of SGR (ECMA-48 8.3.117).
 * False: @spec is not such a list; the colours are what they were.
 */
bool diag_colours(struct diag *d, const char *spec);
void diag_hide_warnings(struct diag *d);	/* -w; what is hidden is no error either, whatever -W says */
void diag_warnings_fail(struct diag *d);	/* -W: a warning counts as an error too */
void diag_verbose(struct diag *d);		/* -v: what is said again and again is shown each time */
void diag_silence(struct diag *d, bool on);	/* listings: print nothing, still count */

#define DIAG_PRINTF __attribute__((format(printf, 4, 5)))
/* A message at a place (span.source NULL: none).  The same text at the same place is told once. */
void diag_error(struct diag *d, struct span at, enum diag_tag tag, const char *format, ...) DIAG_PRINTF;
void diag_warning(struct diag *d, struct span at, enum diag_tag tag, const char *format, ...) DIAG_PRINTF;
/* These belong to the message before, and vanish with it where that was a duplicate or hidden. */
void diag_note(struct diag *d, struct span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_hint(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Tells how many messages were left out, since the same had been said at other places already.  Once, at the end. */
void diag_end(struct diag *d);
/* Progress and -v lines: to the same stream, no prefix. */
void diag_say(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * From now on errors are kept for a catalogue: diag_catalogue() prints "SEMANTIC_ERRORS: N", a line of file, line, column,
 * token and message, between tabs, for each, and an end mark (cli.md 2.1).
 */
void diag_collect(struct diag *d);
void diag_catalogue(const struct diag *d, FILE *out);

unsigned diag_errors(const struct diag *d);
unsigned diag_warnings(const struct diag *d);

/* No place: for errors of options, files, the machine. */
#define NO_SPAN ((struct span){ 0 })

/* A broken invariant of ours: prints and aborts. */
_Noreturn void bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define BUG(...) bug(__FILE__, __LINE__, __VA_ARGS__)

#endif
