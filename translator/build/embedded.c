/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of @const out of an object file, and the compiler's words about a script's own C. */
#include "build/embedded.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "build/cache.h"
#include "emit/emit.h"
#include "support/file.h"

enum { MAX_LINES = 20 };

const char *constants_read(struct arena *a, const char *object, unsigned n)
{
	static const char mark[16] = "spile constants";
	struct strbuf lines = { 0 };
	const char *at, *result;
	char *bytes;
	size_t len;

	if (file_read(a, object, &bytes, &len))
		return NULL;
	at = memmem(bytes, len, mark, sizeof(mark));
	if (!at || (size_t)(bytes + len - at) < sizeof(mark) + n * sizeof(int64_t))
		return NULL;
	at += sizeof(mark);
	for (unsigned i = 0; i < n; i++, at += sizeof(int64_t)) {
		int64_t v;

		memcpy(&v, at, sizeof(v));
		if (v == INT64_MIN)
			strbuf_printf(&lines, "#define K_%u (-9223372036854775807LL - 1)\n", i);
		else
			strbuf_printf(&lines, "#define K_%u (%" PRId64 "LL)\n", i, v);
	}
	result = arena_strdup(a, lines.text ? lines.text : "");
	strbuf_free(&lines);
	return result;
}

const char *constants_cached(struct arena *a, const char *entry)
{
	char *text, *end;
	size_t len;

	if (!entry || !cache_use(entry) || file_read(a, entry, &text, &len))
		return NULL;
	for (end = text; *end == '#'; end++)
		end += strcspn(end, "\n");
	*end = 0;
	return text;
}

/* The linker knows the script's file by its whole path. */
static size_t own_folder(const char *line, size_t n)
{
	char folder[PATH_MAX];
	size_t len = getcwd(folder, sizeof(folder)) ? strlen(folder) : 0;

	return len && len + 1 < n && !strncmp(line, folder, len) && line[len] == '/' ? len + 1 : 0;
}

static size_t line_length(const char *at)
{
	return strcspn(at, "\n");
}

static const char *next_line(const char *at)
{
	at += line_length(at);
	return at + (*at == '\n');
}

static bool line_has(const char *at, const char *word)
{
	return memmem(at, line_length(at), word, strlen(word));
}

static bool line_starts(const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word));
}

/* Where it was included from, and make's own words, tell nothing. */
static bool is_error(const char *at)
{
	return *at != ' ' && *at != '\t' && !line_starts(at, "In file included") && !line_starts(at, "make") &&
	       !line_has(at, "warnings being treated as errors") &&
	       (line_has(at, "error") || line_has(at, "undefined") || line_has(at, "ERROR") || line_has(at, "No such file"));
}

/* Of the text around the script's C, or of our headers; not of a header that the script includes. */
static bool is_ours(const char *at)
{
	static const char *const headers[] = { "common.h:", "support.h:", "user.h:", "kernel.h:" };
	const char *folder = memmem(at, line_length(at), "/embedded/", 10);
	bool header = false;

	for (size_t i = 0; folder && i < sizeof(headers) / sizeof(headers[0]); i++)
		header |= line_starts(folder + strlen("/embedded/"), headers[i]);
	return header || line_starts(at, EMBEDDED_OWN) || line_starts(at, EMBEDDED_AROUND);
}

/* The line of the script that used our macro in which the error of line @at is; NULL where none is told. */
static const char *use_of_macro(const char *at)
{
	const char *use = NULL;

	for (at = next_line(at); *at && !is_error(at); at = next_line(at))
		if (line_has(at, "in expansion of macro") && !is_ours(at) && *at != ' ')
			use = at;
	return use;
}

/* The compiler's picture of the place: the line of the script and a caret below it. */
static void show_picture(struct diag *d, const char *at)
{
	for (int i = 0; i < 2; i++) {
		at = next_line(at);
		if (*at != ' ' || !line_has(at, " | "))
			return;
		diag_say(d, "%.*s\n", (int)line_length(at), at);
	}
}

/* Line @at, an error, as one of the script; false: it is not. */
static bool show_error(struct diag *d, const char *at)
{
	const char *use = is_ours(at) ? use_of_macro(at) : at, *what = memmem(at, line_length(at), ": error: ", 9);
	size_t n, skip;

	if (!use)
		return false;
	skip = own_folder(use, line_length(use));
	if (use == at) {
		diag_say(d, "%.*s\n", (int)(line_length(at) - skip), at + skip);
	} else {
		n = strstr(use, ": note: ") ? (size_t)(strstr(use, ": note: ") - use) : line_length(use);
		what = what ? what : at;
		diag_say(d, "%.*s%.*s\n", (int)(n - skip), use + skip, (int)line_length(what), what);
	}
	show_picture(d, use);
	return true;
}

/* The compiler only stumbled around the script's C, for want of something in it. */
static void show_around(struct diag *d, const char *at)
{
	size_t skip = strlen(EMBEDDED_AROUND), n;
	const char *what = memmem(at, line_length(at), ": error: ", 9);

	if (!what || !line_starts(at, EMBEDDED_AROUND)) {
		diag_say(d, "%.*s\n", (int)line_length(at), at);
		return;
	}
	n = strcspn(at + skip, ">\n");
	diag_say(d, "%.*s%.*s, around this C\n", (int)n, at + skip, (int)line_length(what), what);
}

void embedded_refused(struct diag *d, const char *said, const char *hint)
{
	const char *first = NULL;
	bool missing = false;
	int shown = 0;

	diag_error(d, NO_SPAN, TAG_EMBEDDED, "the C in the script does not compile");
	for (const char *at = said ? said : ""; *at && shown < MAX_LINES; at = next_line(at)) {
		if (!is_error(at))
			continue;
		first = first ? first : at;
		shown += show_error(d, at);
		missing |= !is_ours(at) && (line_has(at, "undeclared") || line_has(at, "implicit declaration") ||
					    line_has(at, "undefined") || line_has(at, "No such file"));
	}
	if (!shown && first)
		show_around(d, first);
	if (hint && missing)
		diag_hint(d, "%s", hint);
}
