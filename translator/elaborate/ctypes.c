/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C types of script expressions.
 *
 * Target expressions bring types in; they go through local variables, assignments, ?:, @entry and the results of script
 * functions, not through globals, array elements or arithmetic.  A local that is assigned values of two types has none.
 * This comes before names are bound, so a name is a local where no script and no library file declares such a global.
 * Start reading at expr_ctype().
 */
#include "elaborate/ctypes.h"

#include <string.h>

enum { MAX_DEPTH = 24 };

/* A script function being looked into; NULL: the handler. */
struct frame {
	const struct function *fn;
	const struct expr_list *args;
	const struct frame *caller;
};

struct looking {
	struct ctype_place *place;
	const struct frame *frame;
	unsigned depth;
};

static const struct value_ctype unknown;

static struct value_ctype look(const struct looking *k, const struct expr *e);

/* ---- meeting of several values ---- */

struct meeting {
	const struct looking *k;
	const struct str *name;		/* assignments to this local; NULL: return statements */
	struct value_ctype v;
	bool clash;
};

static void meet(struct meeting *m, struct value_ctype v)
{
	if (!v.type)
		return;
	if (m->v.type && (m->v.at != v.at || strcmp(m->v.type->name, v.type->name)))
		m->clash = true;
	else
		m->v = v;
}

static struct value_ctype met(const struct meeting *m)
{
	return m->clash ? unknown : m->v;
}

static void look_assignment(struct expr **e, void *data)
{
	struct meeting *m = data;
	const struct expr *l = (*e)->kind == EXPR_ASSIGN ? (*e)->u.assign.l : NULL;

	if (l && l->kind == EXPR_VAR && l->u.var.name == m->name && (*e)->u.assign.op == OP_SET)
		meet(m, (*e)->u.assign.compound == OP_NONE ? look(m->k, (*e)->u.assign.r) : unknown);
}

static void no_expr(struct expr **e, void *data)
{
	(void)e;
	(void)data;
}

static void look_return(struct stmt **s, void *data)
{
	struct meeting *m = data;

	if (!*s)
		return;
	if ((*s)->kind == STMT_RETURN && (*s)->u.expr)
		meet(m, look(m->k, (*s)->u.expr));
	stmt_children(*s, no_expr, look_return, m);
}

/* ---- kinds ---- */

static bool is_global(const struct looking *k, const struct str *name)
{
	const struct program *p = k->place->p;
	unsigned n;

	for (const struct script *s = p->user; s; s = s->next)
		for (const struct global *g = s->globals; g; g = g->next)
			if (g->name == name)
				return true;
	library_find(p->tapset, LIB_GLOBAL, name->text, &n);
	return n > 0;
}

static bool is_busy(const struct ctype_place *place, const struct str *name)
{
	for (unsigned i = 0; i < place->nbusy; i++)
		if (place->busy[i] == name)
			return true;
	return place->nbusy == sizeof(place->busy) / sizeof(place->busy[0]);
}

static struct value_ctype of_variable(const struct looking *k, const struct str *name)
{
	const struct function *fn = k->frame ? k->frame->fn : NULL;
	const struct expr_list *arg = k->frame ? k->frame->args : NULL;
	struct meeting m = { .k = k, .name = name };

	for (const struct param *q = fn ? fn->params : NULL; q && arg; q = q->next, arg = arg->next)
		if (q->name == name) {
			struct looking outer = { k->place, k->frame->caller, k->depth };

			meet(&m, look(&outer, arg->e));
		}
	if (is_busy(k->place, name) || is_global(k, name))
		return unknown;
	k->place->busy[k->place->nbusy++] = name;
	walk_stmt(fn ? fn->body : k->place->body, look_assignment, &m);
	k->place->nbusy--;
	return met(&m);
}

static const struct function *function_named(const struct looking *k, const struct expr *call)
{
	const struct program *p = k->place->p;
	struct script *const *found;
	const struct function *of_library = NULL;
	unsigned n;
	int nargs = 0;

	for (const struct expr_list *a = call->u.call.args; a; a = a->next)
		nargs++;
	for (const struct script *s = p->user; s; s = s->next)
		for (const struct function *f = s->functions; f; f = f->next)
			if (f->name == call->u.call.name && f->nparams == nargs)
				return f;
	found = library_find(p->tapset, LIB_FUNCTION, call->u.call.name->text, &n);
	for (unsigned i = 0; i < n && !of_library; i++)
		for (const struct function *f = found[i]->functions; f; f = f->next)
			if (f->name == call->u.call.name && f->nparams == nargs)
				of_library = f;
	return of_library;
}

static struct value_ctype of_call(const struct looking *k, const struct expr *e)
{
	const struct function *fn = function_named(k, e);
	struct frame frame = { fn, e->u.call.args, k->frame };
	struct looking inner = { k->place, &frame, k->depth };
	struct meeting m = { .k = &inner };
	struct stmt *body;

	if (!fn || !fn->body)
		return unknown;
	body = fn->body;
	look_return(&body, &m);
	return met(&m);
}

static struct value_ctype of_target(const struct looking *k, const struct expr *e)
{
	struct target_result r;
	struct value_ctype v;

	k->place->ask(k->place->data, e, &r);
	if (r.kind != TARGET_FETCH || !r.ctype)
		return unknown;
	v.type = r.ctype;
	v.at = e->u.target.address;
	return v;
}

/* One arm may be a plain number, like 0 for "none". */
static struct value_ctype of_ternary(const struct looking *k, const struct expr *e)
{
	struct meeting m = { .k = k };

	meet(&m, look(k, e->u.tern.yes));
	meet(&m, look(k, e->u.tern.no));
	return met(&m);
}

static struct value_ctype look(const struct looking *outer, const struct expr *e)
{
	struct looking k = *outer;

	if (k.depth++ == MAX_DEPTH)
		return unknown;
	switch (e->kind) {
	case EXPR_TARGET:
		return of_target(&k, e);
	case EXPR_VAR:
		return of_variable(&k, e->u.var.name);
	case EXPR_TERNARY:
		return of_ternary(&k, e);
	case EXPR_ASSIGN:
		return e->u.assign.op == OP_SET && e->u.assign.compound == OP_NONE ? look(&k, e->u.assign.r) : unknown;
	case EXPR_ENTRY:
		return look(&k, e->u.entry.e);
	case EXPR_CALL:
		return of_call(&k, e);
	default:
		return unknown;
	}
}

struct value_ctype expr_ctype(struct ctype_place *place, const struct expr *e)
{
	const struct looking k = { place, NULL, 0 };

	return look(&k, e);
}
