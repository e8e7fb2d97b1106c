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

static bool parse_file(const char *text, struct arena *a, struct spec *out)
{
	size_t len = strcspn(text, ":+");

	if (len == 0)
		return false;
	out->file = arena_strndup(a, text, len);
	if (text[len] == 0)
		return true;
	if (strcmp(text + len, ":*") == 0) {
		out->lines = SPEC_ALL_LINES;
		return true;
	}
	out->lines = text[len] == '+' ? SPEC_RELATIVE : SPEC_ABSOLUTE;
	if (!parse_lines(text + len + 1, a, out))
		return false;
	return text[len] == ':' || out->lines == SPEC_RELATIVE;
}

/* The scopes before the function, split at each `::`. */
static void parse_scopes(const char *text, size_t len, struct arena *a, struct spec *out)
{
	unsigned count = 1;

	for (size_t i = 0; i + 1 < len; i++)
		count += text[i] == ':' && text[i + 1] == ':';
	out->scope = ARENA_ARRAY(a, const char *, count);
	if (len == 0) {
		out->global_scope = true;
		return;
	}
	while (len) {
		const char *end = memmem(text, len, "::", 2);
		size_t part = end ? (size_t)(end - text) : len;

		if (part)
			out->scope[out->nscope++] = arena_strndup(a, text, part);
		else if (out->nscope == 0)
			out->global_scope = true;
		text += end ? part + 2 : part;
		len -= end ? part + 2 : part;
	}
}

/* The last `::` of @text[0..len) that is not inside template arguments, or NULL. */
static const char *last_scope_end(const char *text, size_t len)
{
	int depth = 0;

	for (size_t i = len; i-- > 1; ) {
		if (text[i] == '>' && text[i - 1] != '-' && memchr(text, '<', i))
			depth++;
		else if (text[i] == '<' && depth > 0)
			depth--;
		else if (depth == 0 && text[i] == ':' && text[i - 1] == ':')
			return text + i - 1;
	}
	return NULL;
}

int spec_parse(const char *text, struct arena *a, struct spec *out, struct di_miss *miss)
{
	const char *at = strchr(text, '@'), *func = text, *scope_end;
	size_t len = at ? (size_t)(at - text) : strlen(text);

	memset(out, 0, sizeof(*out));
	scope_end = last_scope_end(text, len);
	if (scope_end) {
		parse_scopes(text, scope_end - text, a, out);
		func = scope_end + 2;
	}
	len -= func - text;
	/* A version in a symbol's name (`name@@VERS_1.0`) is no file. */
	if (at && at[1] == '@')
		at = NULL;
	out->func = arena_strndup(a, func, len);
	if (len == 0 || (at && !parse_file(at + 1, a, out)))
		return miss_set(miss, -EINVAL, DI_MALFORMED, arena_printf(a, "malformed specification '%s'", text));
	return 0;
}
