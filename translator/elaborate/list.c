/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -l and -L (cli.md 5.2, 5.4): one line for each point, whatever it derives to; with -L the variables that all it derives
 * to have in common.  Start reading at list_points().
 */
#include "elaborate/list.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "elaborate/elaborate.h"
#include "elaborate/lines.h"

/* " name:type" of one place each, with the blank. */
struct names { const char **name; unsigned n, room; };

struct entry {				/* one point */
	const char *point;
	struct names names;
	struct entry *next;
};

enum { BUCKETS = 1024 };

struct listing {
	struct program *p;
	struct entry *bucket[BUCKETS];
	struct lines lines;
};

/* ---- variables ---- */

static void add_name(struct program *p, struct names *l, const char *text, size_t len)
{
	if (l->n == l->room) {
		const char **more = ARENA_ARRAY(p->arena, const char *, l->room ? l->room * 2 : 16);

		if (l->n)
			memcpy(more, l->name, l->n * sizeof(*more));
		l->name = more;
		l->room = l->room ? l->room * 2 : 16;
	}
	l->name[l->n++] = arena_strndup(p->arena, text, len);
}

/* What the bodies of aliases set.  Names that begin with "__" are theirs alone. */
static void add_alias_names(struct program *p, struct names *l, const struct probe *q)
{
	for (const struct symbol *s = q->locals; s; s = s->next) {
		const char *type = s->type == TY_STRING ? "string" : s->type == TY_LONG ? "long" : "unknown";
		const char *text = arena_printf(p->arena, " %s:%s", s->name->text, type);

		if (strncmp(s->name->text, "__", 2))
			add_name(p, l, text, strlen(text));
	}
}

/* A provider's text, " $a:char const* $b:int", cut before each " $". */
static void add_target_names(struct program *p, struct names *l, const struct probe *q, const struct site *s)
{
	struct strbuf b = { 0 };
	const char *at, *next;

	strbuf_add(&b, "");
	if (q->provider->list)
		q->provider->list(p, s, &b);
	for (at = b.text; at && *at; at = next) {
		next = strstr(at + 1, " $");
		if (!next)
			next = at + strlen(at);
		add_name(p, l, at, (size_t)(next - at));
	}
	strbuf_free(&b);
}

static bool has_name(const struct names *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->name[i], name))
			return true;
	return false;
}

static void keep_common(struct names *l, const struct names *other)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++)
		if (has_name(other, l->name[i]))
			l->name[n++] = l->name[i];
	l->n = n;
}

/* ---- points ---- */

/* The entry of @point, made where it is new. */
static struct entry *entry_of(struct listing *l, const char *point, bool *fresh)
{
	unsigned h = 5381;
	struct entry **at;

	for (const char *c = point; *c; c++)
		h = h * 33 + (unsigned char)*c;
	for (at = &l->bucket[h % BUCKETS]; *at; at = &(*at)->next)
		if (!strcmp((*at)->point, point))
			break;
	*fresh = !*at;
	if (*fresh) {
		*at = ARENA_NEW(l->p->arena, struct entry);
		(*at)->point = point;
	}
	return *at;
}

static void add_point(struct listing *l, const struct probe *q, const struct site *s, bool variables)
{
	struct program *p = l->p;
	const char *point = q->alias ? q->alias : !s ? q->point : s->list_point ? s->list_point : s->point;
	struct names names = { 0 };
	struct entry *e;
	bool fresh;

	if (s && p->options->verbose)
		point = arena_printf(p->arena, "%s /* pc=%s+0x%llx */", point, s->obj->is_dyn ? ".dynamic" : ".absolute",
				     (unsigned long long)s->addr);
	e = entry_of(l, point, &fresh);
	if (!variables)
		return;
	add_alias_names(p, &names, q);
	if (s)
		add_target_names(p, &names, q, s);
	if (fresh)
		e->names = names;
	else
		keep_common(&e->names, &names);
}

static void add_line(struct listing *l, const struct entry *e)
{
	struct strbuf b = { 0 };

	strbuf_add(&b, e->point);
	for (unsigned i = 0; i < e->names.n; i++)
		strbuf_add(&b, e->names.name[i]);
	lines_add(&l->lines, arena_strdup(l->p->arena, b.text));
	strbuf_free(&b);
}

/* ---- what could be made complete ---- */

/* @pattern with the arguments that the user gave, if each word the user wrote fits it. */
static bool fill_pattern(const struct probe_point *pt, const char *pattern, struct strbuf *out)
{
	const struct component *c = pt->components;
	struct pattern_word w;

	while (pattern_next(&pattern, &w)) {
		char name[64];

		if (w.len >= sizeof(name))
			return false;
		memcpy(name, w.name, w.len);
		name[w.len] = 0;
		strbuf_printf(out, "%s%s", out->len ? "." : "", name);
		if (c && fnmatch(c->name->text, name, 0))
			return false;
		if (c && c->arg != ARG_NONE && (int)c->arg != w.arg)
			return false;
		if (c && c->arg == ARG_NUM)
			strbuf_printf(out, "(%lld)", (long long)c->num);
		else if (c && c->arg == ARG_STR)
			strbuf_printf(out, "(\"%s\")", c->str->text);
		else if (w.arg != ARG_NONE)
			strbuf_add(out, w.arg == ARG_NUM ? "(number)" : "(string)");
		c = c ? c->next : NULL;
	}
	return !c;
}

/* `timer.*': nothing is complete, but the user is told what could be. */
static void add_forms(struct listing *l, const struct probe_point *pt)
{
	const unsigned backend = l->p->runtime == RUNTIME_USER ? BE_USER : BE_KERNEL;

	for (const struct provider *const *q = providers; *q; q++)
		for (const char *const *pattern = (*q)->patterns; *pattern; pattern++) {
			struct strbuf b = { 0 };

			if (((*q)->backends & backend) && fill_pattern(pt, *pattern, &b))
				lines_add(&l->lines, arena_strdup(l->p->arena, b.text));
			strbuf_free(&b);
		}
}

static bool is_incomplete(const struct probe_point *pt)
{
	const struct component *last = pt->components;
	struct point_match m;

	while (last->next)
		last = last->next;
	for (const struct provider *const *q = providers; *q; q++)
		for (const char *const *pattern = (*q)->patterns; *pattern; pattern++)
			if (pattern_match(*pattern, pt, &m))
				return false;
	return !pt->optional && !pt->sufficient;
}

/* ---- the whole ---- */

bool list_points(FILE *out, struct program *p, bool with_variables)
{
	struct listing l = { .p = p };

	derive_probes(p);
	if (with_variables) {
		bind_symbols(p);
		infer_types(p);
	}
	for (const struct probe *q = p->probes; q; q = q->next) {
		/* what a library file that came in brought along was not asked for */
		if (q->hidden || (q->decl && q->decl->script->is_library))
			continue;
		if (!q->sites)
			add_point(&l, q, NULL, with_variables);
		for (const struct site *s = q->sites; s; s = s->next)
			add_point(&l, q, s, with_variables);
	}
	for (int i = 0; i < BUCKETS; i++)
		for (const struct entry *e = l.bucket[i]; e; e = e->next)
			add_line(&l, e);
	for (const struct probe_point *pt = l.lines.n ? NULL : p->user->probes ? p->user->probes->points : NULL; pt; pt = pt->next)
		if (is_incomplete(pt))
			add_forms(&l, pt);
	return lines_print(out, &l.lines) > 0;
}
