/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of @const out of an object file, and the compiler's words about a script's own C. */
#include "build/embedded.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "build/cache.h"
#include "emit/emit.h"
#include "support/file.h"

enum { MAX_ERRORS = 20 };

/* The section headers of a relocatable file; NULL with *@n 0 where it is none. */
static const Elf64_Shdr *section_headers(const char *bytes, size_t len, size_t *n)
{
	const Elf64_Ehdr *header = (const void *)bytes;

	*n = 0;
	if (len < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > len || header->e_shoff % 8 ||
	    header->e_shnum > (len - header->e_shoff) / sizeof(Elf64_Shdr))
		return NULL;
	*n = header->e_shnum;
	return (const void *)(bytes + header->e_shoff);
}

/* Whether a relocation is to fill in some of the @size bytes at @at (offsets in the file). */
static bool is_relocated(const char *bytes, size_t len, size_t at, size_t size)
{
	size_t n;
	const Elf64_Shdr *s = section_headers(bytes, len, &n);

	for (size_t i = 0; i < n; i++) {
		const Elf64_Shdr *of = s[i].sh_type == SHT_RELA && s[i].sh_info < n ? &s[s[i].sh_info] : NULL;
		const Elf64_Rela *r;

		if (!of || at < of->sh_offset || at - of->sh_offset >= of->sh_size || s[i].sh_offset > len ||
		    s[i].sh_size > len - s[i].sh_offset || s[i].sh_offset % 8)
			continue;
		r = (const void *)(bytes + s[i].sh_offset);
		for (size_t k = 0; k < s[i].sh_size / sizeof(*r); k++)
			if (r[k].r_offset < at - of->sh_offset + size && r[k].r_offset + 8 > at - of->sh_offset)
				return true;
	}
	return false;
}

const char *constants_read(struct arena *a, struct diag *d, const struct build_job *job, const char *object)
{
	static const char mark[16] = "spile constants";
	struct strbuf lines = { 0 };
	const char *at, *result;
	bool good = true;
	char *bytes;
	size_t len;

	at = file_read(a, object, &bytes, &len) ? NULL : memmem(bytes, len, mark, sizeof(mark));
	if (!at || (size_t)(bytes + len - at) < sizeof(mark) + job->nconstants * sizeof(int64_t)) {
		diag_error(d, NO_SPAN, TAG_BUILD, "the values of @const cannot be read from '%s'", object);
		return NULL;
	}
	at += sizeof(mark);
	for (unsigned i = 0; i < job->nconstants; i++, at += sizeof(int64_t)) {
		int64_t v;

		if (is_relocated(bytes, len, (size_t)(at - bytes), sizeof(v))) {
			diag_error(d, job->constant_spans[i], TAG_EMBEDDED, "this is an address, which is no constant: it is known "
				   "where the code is loaded");
			diag_hint(d, "%%{ ... %%} in an expression is evaluated there");
			good = false;
		}
		memcpy(&v, at, sizeof(v));
		if (v == INT64_MIN)
			strbuf_printf(&lines, "#define K_%u (-9223372036854775807LL - 1)\n", i);
		else
			strbuf_printf(&lines, "#define K_%u (%" PRId64 "LL)\n", i, v);
	}
	result = good ? arena_strdup(a, lines.text ? lines.text : "") : NULL;
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

/* "NAME:", and where the linker speaks, which knows files by their whole path, "/FOLDER/NAME:"; 0: the line is of another. */
static size_t name_length(const char *at, const char *name)
{
	char folder[PATH_MAX];
	size_t n = strlen(name), skip = 0;

	if (!line_starts(at, name) && getcwd(folder, sizeof(folder)) && line_starts(at, folder) &&
	    at[strlen(folder)] == '/')
		skip = strlen(folder) + 1;
	return line_starts(at + skip, name) && at[skip + n] == ':' ? skip + n + 1 : 0;
}

/* The place in a script that line @at, or the part of one from there on, begins with; false: none of ours. */
static bool place_of(const struct build_job *job, const char *at, struct span *place)
{
	for (const struct source *const *s = job->sources; *s; s++) {
		size_t n = name_length(at, (*s)->name);
		unsigned line = 0, column = 0;

		if (n && sscanf(at + n, "%u:%u", &line, &column) >= 1 && span_at(*s, line, column, place))
			return true;
	}
	return false;
}

/* What line @at says is wrong, without its place. */
static const char *message_of(struct arena *a, const char *at)
{
	static const char *const words[] = { ": fatal error: ", ": error: ", ": " };
	size_t n = line_length(at);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = memmem(at, n, words[i], strlen(words[i]));

		if (word)
			return arena_strndup(a, word + strlen(words[i]), n - (size_t)(word + strlen(words[i]) - at));
	}
	return arena_strndup(a, at, n);
}

/* Behind "/usr/bin/ld: ", which stands before some of the linker's lines. */
static const char *behind_linker(const char *at)
{
	size_t n = strcspn(at, " \n");

	return n > 3 && !strncmp(at + n - 3, "ld:", 3) && at[n] == ' ' ? at + n + 1 : at;
}

/* Whether an earlier line says the same as line @at; the linker says some things twice. */
static bool is_repeated(const char *said, const char *at)
{
	const char *text = behind_linker(at);

	for (; said < at; said = next_line(said)) {
		const char *before = behind_linker(said);

		if (line_length(before) == line_length(text) && !strncmp(before, text, line_length(text)))
			return true;
	}
	return false;
}

/* Line @at, an error, as one of the script; false: it is not. */
static bool show_error(struct arena *a, struct diag *d, const struct build_job *job, const char *at)
{
	const char *use = is_ours(at) ? use_of_macro(at) : behind_linker(at);
	struct span place = NO_SPAN;

	if (!use)
		return false;
	at = is_ours(at) ? at : use;
	if (place_of(job, use, &place))
		diag_error(d, place, TAG_EMBEDDED, "%s", message_of(a, at));
	else
		diag_error(d, NO_SPAN, TAG_EMBEDDED, "%.*s", (int)line_length(at), at);
	return true;
}

/* The compiler only stumbled around the script's C, for want of something in it. */
static void show_around(struct arena *a, struct diag *d, const struct build_job *job, const char *at)
{
	struct span place = NO_SPAN;

	if (line_starts(at, EMBEDDED_AROUND) && place_of(job, at + strlen(EMBEDDED_AROUND), &place))
		diag_error(d, place, TAG_EMBEDDED, "%s, around this C", message_of(a, at));
	else
		diag_error(d, NO_SPAN, TAG_EMBEDDED, "%.*s", (int)line_length(at), at);
}

void embedded_refused(struct diag *d, const struct build_job *job, const char *said, const char *hint)
{
	struct arena *a = arena_new();
	const char *first = NULL;
	bool missing = false;
	int shown = 0;

	for (const char *at = said ? said : ""; *at && shown < MAX_ERRORS; at = next_line(at)) {
		if (!is_error(at) || is_repeated(said, at))
			continue;
		first = first ? first : at;
		shown += show_error(a, d, job, at);
		missing |= !is_ours(at) && (line_has(at, "undeclared") || line_has(at, "implicit declaration") ||
					    line_has(at, "undefined") || line_has(at, "No such file"));
	}
	if (!shown && first)
		show_around(a, d, job, first);
	else if (!shown)
		diag_error(d, NO_SPAN, TAG_EMBEDDED, "the C in the script does not compile");
	if (hint && missing)
		diag_hint(d, "%s", hint);
	arena_free(a);
}
