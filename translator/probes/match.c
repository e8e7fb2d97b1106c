/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of probe points: "process(string).mark(string)".  Which words fit, one component at a time, and the
 * table of all families.  Start reading at pattern_match().
 */
#include "probes/probes.h"

#include <string.h>

#define PROVIDER(name) &provider_##name,
const struct provider *const providers[] = {
#include "probes/providers.def"
	NULL
};
#undef PROVIDER

bool pattern_next(const char **cursor, struct pattern_word *out)
{
	const char *s = *cursor;

	if (!*s)
		return false;
	out->name = s;
	out->len = strcspn(s, ".(");
	out->arg = ARG_NONE;
	s += out->len;
	if (*s == '(') {
		out->arg = s[1] == 'n' ? ARG_NUM : ARG_STR;
		s = strchr(s, ')') + 1;
	}
	*cursor = *s == '.' ? s + 1 : s;
	return true;
}

bool pattern_word_fits(const struct pattern_word *w, const struct component *c)
{
	return w->len == c->name->len && !memcmp(w->name, c->name->text, w->len) && w->arg == (int)c->arg;
}

bool pattern_match(const char *pattern, const struct probe_point *point, struct point_match *m)
{
	const struct component *c = point->components;
	struct pattern_word w;
	const char *at = pattern;
	unsigned n = 0;

	while (pattern_next(&at, &w)) {
		if (!c || n == MAX_COMPONENTS || !pattern_word_fits(&w, c))
			return false;
		m->component[n++] = c;
		c = c->next;
	}
	if (c)
		return false;
	m->pattern = pattern;
	m->point = point;
	m->n = n;
	return true;
}

/* Quotes and backslashes as the script language would read them back. */
static void add_literal(struct strbuf *b, const struct str *s)
{
	strbuf_char(b, '"');
	for (size_t i = 0; i < s->len; i++) {
		if (s->text[i] == '"')
			strbuf_char(b, '\\');
		strbuf_char(b, s->text[i]);
	}
	strbuf_char(b, '"');
}

const char *components_text(struct arena *a, const struct component *c)
{
	struct strbuf b = { 0 };
	const char *text;

	strbuf_add(&b, "");
	for (; c; c = c->next) {
		strbuf_add_n(&b, c->name->text, c->name->len);
		if (c->arg == ARG_NUM)
			strbuf_printf(&b, "(%lld)", (long long)c->num);
		if (c->arg == ARG_STR) {
			strbuf_char(&b, '(');
			add_literal(&b, c->str);
			strbuf_char(&b, ')');
		}
		if (c->next)
			strbuf_char(&b, '.');
	}
	text = b.text ? arena_strndup(a, b.text, b.len) : "";
	strbuf_free(&b);
	return text;
}
