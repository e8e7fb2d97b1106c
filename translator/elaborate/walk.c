/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking trees: every expression below a node, parents first.  And which script a place belongs to. */
#include "elaborate/elaborate.h"

#include <stdlib.h>

struct walk { expr_visitor visit; void *data; };

static void into_expr(struct expr **e, void *data)
{
	struct walk *w = data;

	if (!*e)
		return;
	w->visit(e, w->data);
	/* what is kept at entry belongs to the hidden probe, once derive has settled it */
	if (*e && !((*e)->kind == EXPR_ENTRY && (*e)->type))
		expr_children(*e, into_expr, w);
}

static void into_stmt(struct stmt **s, void *data)
{
	if (*s)
		stmt_children(*s, into_expr, into_stmt, data);
}

void walk_expr(struct expr **e, expr_visitor visit, void *data)
{
	struct walk w = { visit, data };

	into_expr(e, &w);
}

void walk_stmt(struct stmt *s, expr_visitor visit, void *data)
{
	struct walk w = { visit, data };

	into_stmt(&s, &w);
}

struct expr *expr_num(struct arena *a, struct span at, int64_t n)
{
	struct expr *e = ARENA_NEW(a, struct expr);

	e->kind = EXPR_NUM;
	e->type = TY_LONG;
	e->span = at;
	e->u.num = n;
	return e;
}

void script_register(struct program *p, struct script *s)
{
	struct elaboration *st = p->state;

	for (unsigned i = 0; i < st->nscripts; i++)
		if (st->scripts[i] == s)
			return;
	if (st->nscripts == st->room) {
		struct script **old = st->scripts;

		st->room = st->room ? st->room * 2 : 32;
		st->scripts = ARENA_ARRAY(p->arena, struct script *, st->room);
		for (unsigned i = 0; i < st->nscripts; i++)
			st->scripts[i] = old[i];
	}
	st->scripts[st->nscripts++] = s;
}

struct script *script_at(const struct program *p, struct span at)
{
	const struct elaboration *st = p->state;

	while (at.expanded)
		at = *at.expanded;
	for (unsigned i = 0; i < st->nscripts; i++)
		if (st->scripts[i]->source == at.source)
			return st->scripts[i];
	return NULL;
}

bool is_user_text(const struct program *p, struct span at)
{
	const struct script *s = script_at(p, at);

	return s && !s->is_library;
}

bool is_gated(const struct script *s)
{
	return s && (!s->is_library || s->source->is_gated);
}
