/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spec.c - the text `[scope::]FUNC[@FILE[:LINE | +LINE | :* | :N-M,K]]`, taken apart (probes.md A.6). */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

/* "12" at *at; false if there is no number, or one no line can have. */
static bool parse_number(const char **at, unsigned *out)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	v = strtoul(*at, &end, 10);
	*at = end;
	*out = v;
	return v <= INT32_MAX;
}

/* "N-M,K,..." after the colon. */
static bool parse_lines(const char *text, struct arena *a, struct spec *out)
{
	unsigned count = 1;

	for (const char *c = text; *c; c++)
		count += *c == ',';
	out->range = ARENA_ARRAY(a, struct line_range, count);
	for (;;) {
		struct line_range *r = &out->range[out->nrange];

		if (!parse_number(&text, &r->lo))
			return false;
		r->hi = r->lo;
		if (*text == '-') {
			text++;
			if (!parse_number(&text, &r->hi) || r->hi < r->lo)
				return false;
			out->lines = SPEC_LINE_SET;
		}
		out->nrange++;
		if (*text != ',')
			break;
		text++;
		out->lines = SPEC_LINE_SET;
	}
	return *text == 0;
}

/* Where the lines begin that are asked for at the end of @text: paths may hold `:' and `+', too (/usr/include/c++/12). */
static const char *lines_begin(const char *text)
{
	const char *colon = strrchr(text, ':'), *plus = strrchr(text, '+');

	if (plus && plus > (colon ? colon : text) && isdigit((unsigned char)plus[1]) &&
	    plus[1 + strspn(plus + 1, "0123456789,-")] == 0)
		return plus;
	return colon;
}

static bool parse_file(const char *text, struct arena *a, struct spec *out)
{
	const char *lines = lines_begin(text);
	size_t len = lines ? (size_t)(lines - text) : strlen(text);

	if (len == 0)
		return false;
	out->file = arena_strndup(a, text, len);
	if (!lines)
		return true;
	if (strcmp(lines, ":*") == 0) {
		out->lines = SPEC_ALL_LINES;
		return true;
	}
	out->lines = *lines == '+' ? SPEC_RELATIVE : SPEC_ABSOLUTE;
	if (!parse_lines(lines + 1, a, out))
		return false;
	return *lines == ':' || out->lines == SPEC_RELATIVE;
}

/* "operator" as a word, which begins the name of a function that may hold any sign: `operator<', `operator std::string'. */
static bool is_operator(const char *text, size_t len)
{
	static const char word[] = "operator";

	return len > sizeof(word) - 1 && memcmp(text, word, sizeof(word) - 1) == 0 &&
	       !isalnum((unsigned char)text[sizeof(word) - 1]) && text[sizeof(word) - 1] != '_';
}

/* The length of the scope that @text begins with, `::' behind it left out; @len: what is left is the function. */
static size_t scope_length(const char *text, size_t len)
{
	int depth = 0;

	if (is_operator(text, len))
		return len;
	for (size_t i = 0; i < len; i++) {
		if (strchr("<([{", text[i]))
			depth++;
		else if (strchr(">)]}", text[i]) && depth > 0 && (i == 0 || text[i] != '>' || text[i - 1] != '-'))
			depth--;
		else if (depth == 0 && text[i] == ':' && i + 1 < len && text[i + 1] == ':')
			return i;
	}
	return len;
}

/* Where no bracket that opens is closed, as in a pattern, only `::' counts. */
static bool has_open_bracket(const char *text, size_t len)
{
	int depth = 0;

	for (size_t i = 0; i < len && !is_operator(text + i, len - i); i++)
		depth += strchr("<([{", text[i]) ? 1 : strchr(">)]}", text[i]) && (i == 0 || text[i - 1] != '-') ? -1 : 0;
	return depth > 0;
}

/* Takes scopes off the front, and leaves the function. */
static void parse_name(const char *text, size_t len, struct arena *a, struct spec *out)
{
	bool is_loose = has_open_bracket(text, len);
	unsigned count = 1;

	for (size_t i = 0; i + 1 < len; i++)
		count += text[i] == ':' && text[i + 1] == ':';
	out->scope = ARENA_ARRAY(a, const char *, count);
	for (;;) {
		const char *next = is_loose ? memmem(text, len, "::", 2) : text + scope_length(text, len);
		size_t part = next ? (size_t)(next - text) : len;

		if (part == len)
			break;
		if (part)
			out->scope[out->nscope++] = arena_strndup(a, text, part);
		else if (out->nscope == 0)
			out->global_scope = true;
		text += part + 2;
		len -= part + 2;
	}
	out->func = arena_strndup(a, text, len);
}

int spec_parse(const char *text, struct arena *a, struct spec *out, struct di_miss *miss)
{
	const char *at = strchr(text, '@');

	memset(out, 0, sizeof(*out));
	parse_name(text, at ? (size_t)(at - text) : strlen(text), a, out);
	/* `name@@VERS_1.0' is the default version of a symbol, `name@VERS_1.0' may be one. */
	if (at && at[1] == '@') {
		out->version = arena_strdup(a, at + 2);
		at = NULL;
	}
	if (!*out->func || (at && !parse_file(at + 1, a, out)))
		return miss_set(miss, -EINVAL, DI_MALFORMED, arena_printf(a, "malformed specification '%s'", text));
	if (out->file && out->lines == SPEC_NO_LINE)
		out->version = out->file;
	return 0;
}
