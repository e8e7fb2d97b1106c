/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of @const out of an object file, and the compiler's words about a script's own C. */
#include "build/embedded.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "build/cache.h"
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

void embedded_refused(struct diag *d, const char *said, const char *hint)
{
	int shown = 0;

	diag_error(d, NO_SPAN, TAG_EMBEDDED, "the C in the script does not compile");
	while (said && *said && shown < MAX_LINES) {
		size_t n = strcspn(said, "\n");

		/* where it was included from, and make's own words, tell nothing */
		if (n && strncmp(said, "In file included", 16) && strncmp(said, "make", 4) && *said != ' ' && *said != '\t' &&
		    (memmem(said, n, "error", 5) || memmem(said, n, "undefined", 9) ||
		    memmem(said, n, "ERROR", 5) || memmem(said, n, "No such file", 12))) {
			size_t skip = own_folder(said, n);

			diag_say(d, "%.*s\n", (int)(n - skip), said + skip);
			shown++;
		}
		said += n + (said[n] == '\n');
	}
	if (hint)
		diag_hint(d, "%s", hint);
}
