/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -l and -L (cli.md 5.2, 5.4). */
#include "elaborate/list.h"

#include <stdlib.h>
#include <string.h>

#include "elaborate/elaborate.h"

struct lines {
	char **line;
	unsigned n, room;
};

static void add_line(struct lines *l, char *text)
{
	if (l->n == l->room) {
		l->room = l->room ? l->room * 2 : 256;
		l->line = realloc(l->line, l->room * sizeof(*l->line));
		if (!l->line)
			abort();
	}
	l->line[l->n++] = text;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_site(struct lines *l, struct program *p, const struct probe *q, const struct site *s, bool variables)
{
	struct strbuf b = { 0 };

	strbuf_add(&b, q->alias ? q->alias : s->list_point ? s->list_point : s->point);
	if (variables && q->provider->list)
		q->provider->list(p, s, &b);
	add_line(l, arena_strdup(p->arena, b.text));
	strbuf_free(&b);
}

bool list_points(FILE *out, struct program *p, bool with_variables)
{
	struct lines l = { 0 };

	derive_probes(p);
	for (const struct probe *q = p->probes; q; q = q->next) {
		if (q->hidden)
			continue;
		if (!q->sites)
			add_line(&l, arena_strdup(p->arena, q->alias ? q->alias : q->point));
		for (const struct site *s = q->sites; s; s = s->next)
			add_site(&l, p, q, s, with_variables);
	}
	if (l.n)
		qsort(l.line, l.n, sizeof(*l.line), by_bytes);
	for (unsigned i = 0; i < l.n; i++)
		if (!i || strcmp(l.line[i], l.line[i - 1]))
			fprintf(out, "%s\n", l.line[i]);
	free(l.line);
	return l.n > 0;
}
