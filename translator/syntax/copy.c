/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deep copies of trees.  A node is copied whole, its lists are copied, then its children in place;
 * so a new kind of node needs a line here only if it holds a list.  Start at expr_copy().
 */
#include "syntax/syntax.h"

static void copy_child(struct expr **e, void *data)
{
	*e = expr_copy(data, *e);
}

static void copy_stmt(struct stmt **s, void *data)
{
	struct stmt *next = (*s)->next;

	*s = stmt_copy(data, *s);
	(*s)->next = next;	/* a block goes on with its old statements, each copied in turn */
}

static struct expr_list *copy_list(struct arena *a, const struct expr_list *from)
{
	struct expr_list *first = NULL, **end = &first;

	for (; from; from = from->next, end = &(*end)->next) {
		*end = ARENA_NEW(a, struct expr_list);
		(*end)->e = from->e;
	}
	return first;
}

static struct access *copy_path(struct arena *a, const struct access *from)
{
	struct access *first = NULL, **end = &first;

	for (; from; from = from->next, end = &(*end)->next) {
		*end = ARENA_NEW(a, struct access);
		**end = *from;
		(*end)->next = NULL;
	}
	return first;
}

static struct foreach_key *copy_keys(struct arena *a, const struct foreach_key *from)
{
	struct foreach_key *first = NULL, **end = &first;

	for (; from; from = from->next, end = &(*end)->next) {
		*end = ARENA_NEW(a, struct foreach_key);
		**end = *from;
		(*end)->next = NULL;
	}
	return first;
}

static struct hist *copy_hist(struct arena *a, const struct hist *from)
{
	struct hist *h;

	if (!from)
		return NULL;
	h = ARENA_NEW(a, struct hist);
	*h = *from;
	return h;
}

struct expr *expr_copy(struct arena *a, const struct expr *from)
{
	struct expr *e;

	if (!from)
		return NULL;
	e = ARENA_NEW(a, struct expr);
	*e = *from;
	switch (e->kind) {
	case EXPR_INDEX:
		e->u.index.keys = copy_list(a, e->u.index.keys);
		break;
	case EXPR_CALL:
		e->u.call.args = copy_list(a, e->u.call.args);
		break;
	case EXPR_IN:
		e->u.in.keys = copy_list(a, e->u.in.keys);
		e->u.in.hist = copy_hist(a, e->u.in.hist);
		break;
	case EXPR_TARGET:
		e->u.target.path = copy_path(a, e->u.target.path);
		break;
	case EXPR_HIST:
		e->u.hist = copy_hist(a, e->u.hist);
		break;
	case EXPR_HISTINDEX:
		e->u.histindex.hist = copy_hist(a, e->u.histindex.hist);
		break;
	case EXPR_PRINT:	/* the format's parts are never changed, and shared */
		e->u.print.before = copy_list(a, e->u.print.before);
		e->u.print.args = copy_list(a, e->u.print.args);
		break;
	default:
		break;
	}
	expr_children(e, copy_child, a);
	return e;
}

struct stmt *stmt_copy(struct arena *a, const struct stmt *from)
{
	struct stmt *s;

	if (!from)
		return NULL;
	s = ARENA_NEW(a, struct stmt);
	*s = *from;
	s->next = NULL;
	if (s->kind == STMT_FOREACH) {
		s->u.foreach.keys = copy_keys(a, s->u.foreach.keys);
		s->u.foreach.slice = copy_list(a, s->u.foreach.slice);
		s->u.foreach.hist = copy_hist(a, s->u.foreach.hist);
	}
	stmt_children(s, copy_child, copy_stmt, a);
	return s;
}
