/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables in functions (language.md 5.9): a function that reads some, or calls one that does, is copied for each
 * probe that calls it, and is then a part of the probe's body as far as target variables go (sites.c).
 *
 * Names are not bound yet: a call is looked up where it stands.  Start reading at copies_find().
 */
#include "elaborate/elaborate.h"

#include <string.h>

/* What the body reaches. */
struct reaching {
	struct program *p;
	struct function **fn;
	bool *reads;			/* a target variable, itself or in what it calls */
	unsigned n, room;
	bool found;			/* in the body looked at */
};

static unsigned index_of(struct function *const *fn, unsigned n, const struct function *f)
{
	unsigned i = 0;

	while (i < n && fn[i] != f)
		i++;
	return i;
}

static void add(struct reaching *r, struct function *f)
{
	if (index_of(r->fn, r->n, f) < r->n)
		return;
	if (r->n == r->room) {
		struct function **old = r->fn;

		r->room = r->room ? r->room * 2 : 16;
		r->fn = ARENA_ARRAY(r->p->arena, struct function *, r->room);
		if (old)
			memcpy(r->fn, old, r->n * sizeof(*old));
	}
	r->fn[r->n++] = f;
}

static void look_calls(struct expr **e, void *data)
{
	struct reaching *r = data;

	if ((*e)->kind == EXPR_CALL)
		for (struct function *f = function_of_call(r->p, *e, NULL); f; f = f->overload)
			add(r, f);
}

/* Whether a body reads a target variable, as far as is known of what it calls. */
static void look_reads(struct expr **e, void *data)
{
	struct reaching *r = data;

	if ((*e)->kind == EXPR_TARGET || (*e)->kind == EXPR_ENTRY)
		r->found = true;
	if ((*e)->kind != EXPR_CALL)
		return;
	for (struct function *f = function_of_call(r->p, *e, NULL); f; f = f->overload)
		r->found |= r->reads[index_of(r->fn, r->n, f)];
}

/* Overloads are one: a copy goes on to copies. */
static bool spread(struct reaching *r, struct expr *e)
{
	struct function *head = function_of_call(r->p, e, NULL);
	bool any = false, all = true;

	for (struct function *f = head; f; f = f->overload) {
		bool reads = r->reads[index_of(r->fn, r->n, f)];

		any |= reads;
		all &= reads;
	}
	for (struct function *f = head; any && f; f = f->overload)
		r->reads[index_of(r->fn, r->n, f)] = true;
	return any && !all;
}

struct spreading { struct reaching *r; bool changed; };

static void spread_calls(struct expr **e, void *data)
{
	struct spreading *s = data;

	if ((*e)->kind == EXPR_CALL)
		s->changed |= spread(s->r, *e);
}

static void settle_reads(struct reaching *r, struct stmt *body)
{
	struct spreading s = { r, true };

	while (s.changed) {
		s.changed = false;
		walk_stmt(body, spread_calls, &s);
		for (unsigned i = 0; i < r->n; i++) {
			r->found = false;
			walk_stmt(r->fn[i]->body, look_reads, r);
			walk_stmt(r->fn[i]->body, spread_calls, &s);
			s.changed |= r->found && !r->reads[i];
			r->reads[i] |= r->found;
		}
	}
}

void copies_find(struct program *p, struct stmt *body, struct copies *c)
{
	struct reaching r = { .p = p };

	*c = (struct copies){ 0 };
	walk_stmt(body, look_calls, &r);
	for (unsigned i = 0; i < r.n; i++)
		walk_stmt(r.fn[i]->body, look_calls, &r);
	if (!r.n)
		return;
	r.reads = ARENA_ARRAY(p->arena, bool, r.n + 1);
	settle_reads(&r, body);
	c->fn = ARENA_ARRAY(p->arena, struct function *, r.n);
	for (unsigned i = 0; i < r.n; i++)
		if (r.reads[i])
			c->fn[c->n++] = r.fn[i];
}

static void look_return(struct expr **e, void *data)
{
	struct reaching *r = data;

	r->found |= (*e)->kind == EXPR_TARGET && is_return_value(*e);
}

const struct function *reader_of_return(struct program *p, struct expr *e)
{
	struct reaching r = { .p = p };

	walk_expr(&e, look_calls, &r);
	for (unsigned i = 0; i < r.n && !r.found; i++) {
		walk_stmt(r.fn[i]->body, look_calls, &r);
		walk_stmt(r.fn[i]->body, look_return, &r);
		if (r.found)
			return r.fn[i];
	}
	return NULL;
}

static struct param *copy_params(struct program *p, const struct param *from)
{
	struct param *first = NULL, **tail = &first;

	for (; from; from = from->next) {
		*tail = ARENA_NEW(p->arena, struct param);
		**tail = *from;
		(*tail)->next = NULL;
		tail = &(*tail)->next;
	}
	return first;
}

void copies_make(struct program *p, struct copies *c, struct probe *q)
{
	c->copy = ARENA_ARRAY(p->arena, struct function *, c->n + 1);
	for (unsigned i = 0; i < c->n; i++) {
		struct function *f = ARENA_NEW(p->arena, struct function);

		*f = *c->fn[i];
		f->probe = q;
		f->params = copy_params(p, f->params);
		f->body = stmt_copy(p->arena, f->body);
		f->locals = NULL;
		f->next = NULL;
		f->used = false;
		c->copy[i] = f;
	}
}

struct linking { struct program *p; const struct copies *c; };

static void link_call(struct expr **e, void *data)
{
	const struct linking *l = data;
	unsigned i;

	if ((*e)->kind != EXPR_CALL)
		return;
	i = index_of(l->c->fn, l->c->n, function_of_call(l->p, *e, NULL));
	if (i < l->c->n)
		(*e)->u.call.fn = l->c->copy[i];
}

void copies_link(struct program *p, struct copies *c, struct probe *q)
{
	struct linking l = { p, c };

	walk_stmt(q->body, link_call, &l);
	for (struct entry_save *s = q->entry_probe ? q->entry_probe->saves : NULL; s; s = s->next)
		walk_expr(&s->e, link_call, &l);
	for (unsigned i = 0; i < c->n; i++) {
		walk_stmt(c->copy[i]->body, link_call, &l);
		if (c->fn[i]->overload)
			c->copy[i]->overload = c->copy[index_of(c->fn, c->n, c->fn[i]->overload)];
	}
}
