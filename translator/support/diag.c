/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics.  A message is rendered into text once, compared with what was told before (same text
 * at the same place: dropped), then written.  Notes and hints follow the fate of the message before
 * them.  Start reading at report().
 */
#include "support/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/strbuf.h"

/* Longer source lines are shown in part, around the caret. */
#define SHOWN_WIDTH 160

struct told {				/* one message given before */
	struct told *next;
	const struct str *text;
	const struct source *source;
	unsigned off;
};

struct similar {			/* one text, wherever it was said */
	struct similar *next;
	const struct str *text;
};

#define TOLD_BUCKETS 256

/* What has a colour: the word of each level, and the parts of an excerpt.  Names as in SPILE_COLORS. */
enum level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE, LEVEL_HINT, PART_SOURCE, PART_CARET, PART_TOKEN, PAINTED };

static const struct { const char *word, *colour; } painted[] = {
	[LEVEL_ERROR]	= { "error",	"01;31" },
	[LEVEL_WARNING]	= { "warning",	"00;33" },
	[LEVEL_NOTE]	= { "note",	"01;36" },
	[LEVEL_HINT]	= { "hint",	"01;32" },
	[PART_SOURCE]	= { "source",	"00;34" },
	[PART_CARET]	= { "caret",	"01" },
	[PART_TOKEN]	= { "token",	"01" },
};

struct kept { struct kept *next; struct span at; const char *text; };	/* for the catalogue */

struct diag {
	FILE *out;
	bool colour, hide_warnings, warnings_fail, silent, verbose;
	bool attached;			/* the message before was shown, so its notes are too */
	unsigned errors, warnings;
	unsigned errors_left_out, warnings_left_out;
	struct arena *arena;
	struct similar *similar[TOLD_BUCKETS];
	struct told *told[TOLD_BUCKETS];
	const char *colours[PAINTED];
	bool collects;
	struct kept *kept, **kept_end;
};

static const char *const tag_names[] = {
#define TAG(e, text) [TAG_##e] = text,
#include "support/tags.def"
#undef TAG
};

struct diag *diag_new(FILE *out, bool colour)
{
	struct arena *a = arena_new();
	struct diag *d = ARENA_NEW(a, struct diag);

	d->arena = a;
	d->out = out;
	d->colour = colour;
	for (int i = 0; i < PAINTED; i++)
		d->colours[i] = painted[i].colour;
	return d;
}

void diag_colour(struct diag *d, bool on)
{
	d->colour = on;
}

/* One "name=value" of @n bytes. */
static bool set_colour(struct diag *d, const char **colours, const char *item, size_t n)
{
	for (int i = 0; i < PAINTED; i++) {
		size_t len = strlen(painted[i].word);

		if (n <= len || item[len] != '=' || strncmp(item, painted[i].word, len))
			continue;
		colours[i] = arena_strndup(d->arena, item + len + 1, n - len - 1);
		return strspn(colours[i], "0123456789;") == strlen(colours[i]);
	}
	return false;
}

bool diag_colours(struct diag *d, const char *spec)
{
	const char *colours[PAINTED];

	memcpy(colours, d->colours, sizeof(colours));
	while (*spec) {
		size_t n = strcspn(spec, ":");

		if (!set_colour(d, colours, spec, n))
			return false;
		spec += n + (spec[n] == ':');
	}
	memcpy(d->colours, colours, sizeof(colours));
	return true;
}

static void paint(const struct diag *d, struct strbuf *b, enum level what)
{
	if (d->colour && *d->colours[what])
		strbuf_printf(b, "\033[%sm", d->colours[what]);
}

static void unpaint(const struct diag *d, struct strbuf *b, enum level what)
{
	if (d->colour && *d->colours[what])
		strbuf_add(b, "\033[0m");
}

void diag_free(struct diag *d)
{
	if (d)
		arena_free(d->arena);
}

void diag_hide_warnings(struct diag *d)
{
	d->hide_warnings = true;
}

void diag_warnings_fail(struct diag *d)
{
	d->warnings_fail = true;
}

void diag_verbose(struct diag *d)
{
	d->verbose = true;
}

void diag_silence(struct diag *d, bool on)
{
	d->silent = on;
}

unsigned diag_errors(const struct diag *d)
{
	return d->errors;
}

unsigned diag_warnings(const struct diag *d)
{
	return d->warnings;
}

/* True when the same text was told at the same place before; remembers it otherwise. */
static bool told_before(struct diag *d, struct span at, const char *text, size_t len)
{
	const struct str *s = str_intern_n(d->arena, text, len);
	struct told **bucket = &d->told[((size_t)s >> 4) % TOLD_BUCKETS];
	struct told *t;

	for (t = *bucket; t; t = t->next)
		if (t->text == s && t->source == at.source && t->off == at.off)
			return true;
	t = ARENA_NEW(d->arena, struct told);
	*t = (struct told){ *bucket, s, at.source, at.off };
	*bucket = t;
	return false;
}

/* True when the same was said at another place: a macro's fault, say.  Once is enough, but with -v (language.md 9). */
static bool said_elsewhere(struct diag *d, const char *text, size_t len)
{
	const struct str *s = str_intern_n(d->arena, text, len);
	struct similar **bucket = &d->similar[((size_t)s >> 4) % TOLD_BUCKETS], *k;

	for (k = *bucket; k && k->text != s; k = k->next)
		;
	if (!k) {
		k = ARENA_NEW(d->arena, struct similar);
		*k = (struct similar){ *bucket, s };
		*bucket = k;
		return false;
	}
	return !d->verbose;
}

/* Bytes that a terminal would act upon are shown as dots. */
static void add_visible(struct strbuf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		strbuf_char(b, c == '\t' || c == '\n' || (c >= ' ' && c != 0x7f) ? s[i] : '.');
	}
}

static void add_part(const struct diag *d, struct strbuf *b, enum level part, const char *s, size_t n)
{
	if (!n)
		return;
	paint(d, b, part);
	add_visible(b, s, n);
	unpaint(d, b, part);
}

/* The source line and the caret under it. */
static void add_excerpt(const struct diag *d, struct strbuf *b, struct span at, unsigned line, unsigned column)
{
	const char *text = at.source->text, *end = text + at.source->len;
	const char *here = text + (at.off < at.source->len ? at.off : at.source->len);
	const char *start = here - (column - 1), *stop = memchr(here, '\n', (size_t)(end - here));
	size_t marked;

	if (!stop)
		stop = end;
	if (here - start > SHOWN_WIDTH / 2)
		start = here - SHOWN_WIDTH / 2;
	if (stop - start > SHOWN_WIDTH)
		stop = start + SHOWN_WIDTH;
	marked = at.len < (size_t)(stop - here) ? at.len : (size_t)(stop - here);
	strbuf_printf(b, "%5u | ", line);
	add_part(d, b, PART_SOURCE, start, (size_t)(here - start));
	add_part(d, b, PART_TOKEN, here, marked);
	add_part(d, b, PART_SOURCE, here + marked, (size_t)(stop - here) - marked);
	strbuf_add(b, "\n      | ");
	for (const char *p = start; p < here; p++)
		strbuf_char(b, *p == '\t' ? '\t' : ' ');
	paint(d, b, PART_CARET);
	strbuf_char(b, '^');
	for (size_t i = 1; i < marked; i++)
		strbuf_char(b, '~');
	unpaint(d, b, PART_CARET);
	strbuf_char(b, '\n');
}

static void write_message(struct diag *d, enum level level, struct span at, const char *tag, const char *text,
			  size_t len)
{
	struct strbuf b = { 0 };
	unsigned line = 0, column = 0;

	if (at.source) {
		span_place(at, &line, &column);
		strbuf_printf(&b, "%s:%u:%u: ", at.source->name, line, column);
	}
	paint(d, &b, level);
	strbuf_printf(&b, "%s:", painted[level].word);
	unpaint(d, &b, level);
	strbuf_char(&b, ' ');
	add_visible(&b, text, len);
	if (tag)
		strbuf_printf(&b, " [%s]", tag);
	strbuf_char(&b, '\n');
	if (at.source)
		add_excerpt(d, &b, at, line, column);
	fwrite(b.text, 1, b.len, d->out);
	strbuf_free(&b);
}

/* Where a macro or argument put the text there, its uses as well, outward to the user's line. */
static void write_expansions(struct diag *d, const struct span *use)
{
	for (; use && use->source; use = use->expanded) {
		const char *name = use->source->text + use->off;
		struct strbuf b = { 0 };

		strbuf_printf(&b, "in expansion of %s'%.*s'", *name == '@' ? "macro " : "", (int)use->len, name);
		write_message(d, LEVEL_NOTE, (struct span){ use->source, use->off, use->len, NULL }, NULL, b.text, b.len);
		strbuf_free(&b);
	}
}

static void keep(struct diag *d, struct span at, const char *text, size_t len)
{
	struct kept *k = ARENA_NEW(d->arena, struct kept);

	*k = (struct kept){ NULL, at, arena_strndup(d->arena, text, len) };
	*d->kept_end = k;
	d->kept_end = &k->next;
}

void diag_collect(struct diag *d)
{
	d->collects = true;
	d->kept_end = &d->kept;
}

/* One field: its line breaks and tabs would end it. */
static void print_field(FILE *out, const char *s, size_t n)
{
	fputc('\t', out);
	for (size_t i = 0; i < n; i++)
		fputc((unsigned char)s[i] < ' ' || s[i] == 0x7f ? ' ' : s[i], out);
}

void diag_catalogue(const struct diag *d, FILE *out)
{
	unsigned n = 0;

	for (const struct kept *k = d->kept; k; k = k->next)
		n++;
	fprintf(out, "SEMANTIC_ERRORS: %u\n", n);
	for (const struct kept *k = d->kept; k; k = k->next) {
		const char *name = k->at.source ? k->at.source->name : "";
		unsigned line = 0, column = 0;

		if (k->at.source)
			span_place(k->at, &line, &column);
		fputs("SEMANTIC_ERROR", out);
		print_field(out, name, strlen(name));
		fprintf(out, "\t%u\t%u", line, column);
		print_field(out, k->at.source ? k->at.source->text + k->at.off : "", k->at.source ? k->at.len : 0);
		print_field(out, k->text, strlen(k->text));
		fputc('\n', out);
	}
	fputs("SEMANTIC_ERRORS_END\n", out);
}

static void report(struct diag *d, enum level level, struct span at, const char *tag, const char *format,
		   va_list args)
{
	bool warning = level == LEVEL_WARNING, follows = level == LEVEL_NOTE || level == LEVEL_HINT;
	struct strbuf b = { 0 };

	if (follows && !d->attached)
		return;
	strbuf_vprintf(&b, format, args);
	strbuf_add_n(&b, "", 0);
	if (!follows) {
		d->attached = false;
		if ((warning && d->hide_warnings) || told_before(d, at, b.text, b.len))
			goto out;
		d->warnings += warning;
		d->errors += !warning || d->warnings_fail;
		if (d->collects && !warning)
			keep(d, at, b.text, b.len);
		if (said_elsewhere(d, b.text, b.len)) {
			*(warning ? &d->warnings_left_out : &d->errors_left_out) += 1;
			goto out;
		}
		d->attached = !d->silent;
	}
	if (d->attached) {
		write_message(d, level, at, tag, b.text, b.len);
		write_expansions(d, at.expanded);
	}
out:
	strbuf_free(&b);
}

void diag_error(struct diag *d, struct span at, enum diag_tag tag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(d, LEVEL_ERROR, at, tag_names[tag], format, args);
	va_end(args);
}

void diag_warning(struct diag *d, struct span at, enum diag_tag tag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(d, LEVEL_WARNING, at, tag_names[tag], format, args);
	va_end(args);
}

void diag_note(struct diag *d, struct span at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(d, LEVEL_NOTE, at, NULL, format, args);
	va_end(args);
}

void diag_hint(struct diag *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(d, LEVEL_HINT, NO_SPAN, NULL, format, args);
	va_end(args);
}

static void say_left_out(struct diag *d, unsigned n, const char *what)
{
	if (n)
		diag_say(d, "Number of similar %s messages suppressed: %u.\n", what, n);
}

void diag_end(struct diag *d)
{
	if (d->silent)
		return;
	say_left_out(d, d->errors_left_out, "error");
	say_left_out(d, d->warnings_left_out, "warning");
	if (d->errors_left_out || d->warnings_left_out)
		diag_say(d, "Rerun with -v to see them.\n");
}

void diag_say(struct diag *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(d->out, format, args);
	va_end(args);
}

void bug(const char *file, int line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "spile: bug at %s:%d: ", file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}
