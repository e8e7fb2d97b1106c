/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads FILE.d:
 *
 *	provider NAME { probe NAME(PARAMETERS) [: (PARAMETERS)]; ... };
 *
 * Start at providers_read().
 */
#include "marks/provider.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct arena *a;
	const char *file, *at;
	unsigned line;
	bool line_begins;		/* nothing but blanks since the line's start */
	const char *error;
};

static bool fail(struct reader *r, const char *text)
{
	if (!r->error)
		r->error = arena_printf(r->a, "%s:%u: %s", r->file, r->line, text);
	return false;
}

static void step(struct reader *r)
{
	if (*r->at == '\n') {
		r->line++;
		r->line_begins = true;
	} else if (!isspace((unsigned char)*r->at)) {
		r->line_begins = false;
	}
	r->at++;
}

/* `# 12 "file.d"' and `#line 12 "file.d"' say where the next line came from; other lines with # say nothing. */
static void take_hash_line(struct reader *r)
{
	const char *s = r->at + 1, *name, *close;
	unsigned long line;
	char *end;

	s += strspn(s, " \t");
	if (!strncmp(s, "line", 4))
		s += 4 + strspn(s + 4, " \t");
	line = isdigit((unsigned char)*s) ? strtoul(s, &end, 10) : 0;
	r->at += strcspn(r->at, "\n");
	if (!line)
		return;
	name = end + strspn(end, " \t");
	close = *name == '"' ? strchr(name + 1, '"') : NULL;
	if (close && close < r->at)
		r->file = arena_strndup(r->a, name + 1, (size_t)(close - name) - 1);
	if (*r->at)
		r->at++;
	r->line = (unsigned)line;
	r->line_begins = true;
}

static void skip_comment(struct reader *r)
{
	const char *end = r->at[1] == '/' ? strchr(r->at, '\n') : strstr(r->at + 2, "*/");

	if (!end) {
		if (r->at[1] == '*')
			fail(r, "a comment has no end");
		end = r->at + strlen(r->at);
	} else if (r->at[1] == '*') {
		end += 2;
	}
	while (r->at < end)
		step(r);
}

/* Takes what is no text of the language; true where there was some. */
static bool skip_blank(struct reader *r)
{
	const char *from = r->at;

	for (;;) {
		if (isspace((unsigned char)*r->at))
			step(r);
		else if (*r->at == '#' && r->line_begins)
			take_hash_line(r);
		else if (r->at[0] == '/' && (r->at[1] == '*' || r->at[1] == '/'))
			skip_comment(r);
		else
			return r->at != from;
	}
}

static const char *take_name(struct reader *r)
{
	const char *from;

	skip_blank(r);
	from = r->at;
	if (!isalpha((unsigned char)*from) && *from != '_')
		return NULL;
	while (isalnum((unsigned char)*r->at) || *r->at == '_')
		step(r);
	return arena_strndup(r->a, from, (size_t)(r->at - from));
}

static bool take(struct reader *r, char c)
{
	skip_blank(r);
	if (*r->at != c)
		return false;
	step(r);
	return true;
}

static bool expect(struct reader *r, char c, const char *where)
{
	return take(r, c) || fail(r, arena_printf(r->a, "'%c' expected %s", c, where));
}

/* To the end of a string or of a character, which may hold any bracket. */
static void take_quoted(struct reader *r, struct strbuf *out)
{
	char quote = *r->at;

	do {
		if (*r->at == '\\' && r->at[1]) {
			strbuf_char(out, *r->at);
			step(r);
		}
		strbuf_char(out, *r->at);
		step(r);
	} while (*r->at && *r->at != quote);
	if (*r->at) {
		strbuf_char(out, quote);
		step(r);
	}
}

/*
 * Takes what comes before the bracket that closes, or, with @stop set, before that character outside all brackets, into @out
 * with blanks run together.  Returns how many commas are outside all brackets; fails at the end of the text.
 */
static unsigned take_balanced(struct reader *r, char stop, struct strbuf *out)
{
	unsigned depth = 0, commas = 0;

	while (!r->error) {
		bool blank = skip_blank(r);

		if (!*r->at) {
			fail(r, stop ? "a declaration has no end" : "a list of parameters has no end");
			break;
		}
		if (!depth && (stop ? *r->at == stop : strchr(")]}", *r->at) != NULL))
			break;
		if (blank && out->len)
			strbuf_char(out, ' ');
		if (*r->at == '"' || *r->at == '\'') {
			take_quoted(r, out);
			continue;
		}
		if (strchr("([{", *r->at))
			depth++;
		else if (strchr(")]}", *r->at))
			depth -= depth > 0;
		commas += !depth && *r->at == ',';
		strbuf_char(out, *r->at);
		step(r);
	}
	return commas;
}

/* "(PARAMETERS)" into @m. */
static bool take_parameters(struct reader *r, struct mark *m)
{
	struct strbuf b = { 0 };
	unsigned commas;

	if (!expect(r, '(', "behind the name of a probe"))
		return false;
	strbuf_add(&b, "");
	commas = take_balanced(r, 0, &b);
	m->parameters = arena_strdup(r->a, b.text);
	m->n = !b.len || !strcmp(b.text, "void") ? 0 : commas + 1;
	strbuf_free(&b);
	return !r->error && expect(r, ')', "behind the parameters");
}

/* Puts @m at the end of the provider's marks; the same mark again is passed over. */
static bool add_mark(struct reader *r, struct provider *p, struct mark *m)
{
	struct mark **tail = &p->marks;

	for (; *tail; tail = &(*tail)->next) {
		if (strcmp((*tail)->name, m->name))
			continue;
		return (*tail)->n == m->n || fail(r, arena_printf(r->a, "probe '%s' of provider '%s' is there twice, with "
								  "different parameters", m->name, p->name));
	}
	*tail = m;
	return true;
}

static bool take_mark(struct reader *r, struct provider *p)
{
	struct mark *m = ARENA_NEW(r->a, struct mark), translated;
	const char *word = take_name(r);

	if (!word || strcmp(word, "probe"))
		return fail(r, arena_printf(r->a, "'probe' or '}' expected in provider '%s'", p->name));
	m->name = take_name(r);
	if (!m->name)
		return fail(r, "the name of a probe expected");
	if (!take_parameters(r, m) || (take(r, ':') && !take_parameters(r, &translated)))
		return false;
	if (m->n > MARK_MAX_ARGS)
		return fail(r, arena_printf(r->a, "probe '%s' has %u parameters; a mark carries at most %d", m->name, m->n,
					    MARK_MAX_ARGS));
	return expect(r, ';', "behind a probe") && add_mark(r, p, m);
}

static bool take_provider(struct reader *r, struct provider ***tail)
{
	struct provider *p = ARENA_NEW(r->a, struct provider);

	p->name = take_name(r);
	if (!p->name)
		return fail(r, "the name of a provider expected");
	if (!expect(r, '{', "behind the name of a provider"))
		return false;
	while (!take(r, '}'))
		if (!take_mark(r, p))
			return false;
	**tail = p;
	*tail = &p->next;
	return true;
}

bool providers_read(struct arena *a, const char *file, const char *text, struct provider **out, const char **error)
{
	struct reader r = { .a = a, .file = file, .at = text, .line = 1, .line_begins = true };
	struct strbuf passed = { 0 };
	bool ok = true;

	*out = NULL;
	while (ok && (skip_blank(&r), *r.at) && !r.error) {
		const char *word;

		if (take(&r, ';'))
			continue;
		word = take_name(&r);
		if (word && !strcmp(word, "provider")) {
			ok = take_provider(&r, &out);
			continue;
		}
		strbuf_free(&passed);
		take_balanced(&r, ';', &passed);
	}
	strbuf_free(&passed);
	*error = r.error;
	return !r.error;
}
