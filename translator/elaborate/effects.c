/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What code does besides giving values: effects, reachable functions, which variables are read and written. */
#include "elaborate/elaborate.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ effects */

struct effects { bool found; unsigned depth; };

/* Mutual recursion ends here; such a deep chain of calls counts as doing something. */
enum { MAX_CALL_DEPTH = 32 };

static void look_effect(struct expr **e, void *data);

static bool is_pure_c(const struct str *code)
{
	return strstr(code->text, "/* pure */") || strstr(code->text, "/* stable */");
}

/* Assigning a local of its own is no effect of a function. */
static bool writes_local(const struct expr *to)
{
	const struct symbol *s = symbol_of(to);

	return s && s->kind != SYM_GLOBAL;
}

static bool walks_locals(const struct foreach_key *keys)
{
	for (const struct foreach_key *k = keys; k; k = k->next)
		if (k->var && !writes_local(k->var))
			return false;
	return true;
}

static void look_stmt_effect(struct stmt **sp, void *data)
{
	struct effects *x = data;
	struct stmt *s = *sp;

	if (!s || x->found)
		return;
	switch (s->kind) {
	case STMT_DELETE:
		x->found = true;
		break;
	case STMT_EMBEDDED:
		x->found = !is_pure_c(s->u.code);
		break;
	case STMT_FOREACH:
		x->found = !walks_locals(s->u.foreach.keys) || (s->u.foreach.value && !writes_local(s->u.foreach.value));
		break;
	case STMT_TRY:
		x->found = s->u.try.message && !writes_local(s->u.try.message);
		break;
	default:
		break;
	}
	if (!x->found)
		stmt_children(s, look_effect, look_stmt_effect, x);
}

static bool function_has_effects(const struct function *f, unsigned depth)
{
	struct effects x = { false, depth + 1 };
	struct stmt *body = f->body;

	if (depth >= MAX_CALL_DEPTH)
		return true;
	look_stmt_effect(&body, &x);
	return x.found;
}

static bool is_effect(const struct expr *e, unsigned depth)
{
	switch (e->kind) {
	case EXPR_ASSIGN:
		return !depth || !writes_local(e->u.assign.l);
	case EXPR_INCDEC:
		return !depth || !writes_local(e->u.incdec.e);
	case EXPR_PRINT:
		return !e->u.print.to_string;
	case EXPR_EMBEDDED:
		return !is_pure_c(e->u.embedded.code);
	case EXPR_CALL:
		for (const struct function *f = e->u.call.fn; f; f = f->overload)
			if (function_has_effects(f, depth))
				return true;
		return !e->u.call.fn;
	case EXPR_ERROR:
		return true;
	default:
		return false;
	}
}

static void look_effect(struct expr **e, void *data)
{
	struct effects *x = data;

	if (!*e || x->found)
		return;
	if (is_effect(*e, x->depth))
		x->found = true;
	else
		expr_children(*e, look_effect, x);
}

bool has_effects(const struct program *p, const struct expr *e)
{
	struct effects x = { false, 0 };
	struct expr *at = (struct expr *)(uintptr_t)e;

	(void)p;
	look_effect(&at, &x);
	return x.found;
}

/* ------------------------------------------------------------------------------------------------ reach */

struct reach { struct function_list list; };

static void look_call(struct expr **e, void *data)
{
	struct reach *r = data;
	struct function *f = (*e)->kind == EXPR_CALL ? (*e)->u.call.fn : NULL;

	for (; f; f = f->overload)
		if (!f->used) {
			f->used = true;
			r->list.fn[r->list.n++] = f;
		}
}

void reach_functions(struct program *p)
{
	struct function_list *l = &p->state->functions;
	struct reach r = { { ARENA_ARRAY(p->arena, struct function *, l->n + 1), 0, l->n } };

	for (unsigned i = 0; i < l->n; i++)
		l->fn[i]->used = false;
	for (struct probe *q = p->probes; q; q = q->next) {
		for (struct entry_save *s = q->saves; s; s = s->next)
			walk_expr(&s->e, look_call, &r);
		walk_stmt(q->body, look_call, &r);
	}
	for (unsigned i = 0; i < r.list.n; i++)
		walk_stmt(r.list.fn[i]->body, look_call, &r);
	*l = r.list;
}

/* ------------------------------------------------------------------------------------------------ uses */

static void use_expr(struct expr *e, bool value_used);

static void use_visit(struct expr **e, void *data)
{
	(void)data;
	use_expr(*e, true);
}

static void use_list(struct expr_list *l)
{
	for (; l; l = l->next)
		if (l->e)
			use_expr(l->e, true);
}

/*
 * The place a value is put into; @also_read: its old value counts, too.  A global that is only counted up is not read
 * by that, so that it is printed at the end; for a local it makes no difference to anybody.
 */
static void use_place(struct expr *e, bool also_read)
{
	struct symbol *s = symbol_of(e);

	if (!s) {
		use_expr(e, true);
		return;
	}
	s->written = true;
	s->read |= also_read;
	if (e->kind == EXPR_INDEX)
		use_list(e->u.index.keys);
}

static void use_expr(struct expr *e, bool value_used)
{
	struct symbol *s = symbol_of(e);

	if (s)
		s->read = true;
	if (e->kind == EXPR_ASSIGN) {
		use_place(e->u.assign.l, e->u.assign.compound != OP_NONE && (value_used || writes_local(e->u.assign.l)));
		use_expr(e->u.assign.r, true);
	} else if (e->kind == EXPR_INCDEC) {
		use_place(e->u.incdec.e, value_used || writes_local(e->u.incdec.e));
	} else if (!(e->kind == EXPR_ENTRY && e->type)) {
		expr_children(e, use_visit, NULL);
	}
}

static void use_foreach(struct stmt *s)
{
	for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
		use_place(k->var, false);
	if (s->u.foreach.value)
		use_place(s->u.foreach.value, false);
	if (s->u.foreach.array)
		use_expr(s->u.foreach.array, true);
	if (s->u.foreach.hist)
		use_expr(s->u.foreach.hist->stat, true);
	if (s->u.foreach.limit)
		use_expr(s->u.foreach.limit, true);
	use_list(s->u.foreach.slice);
}

static void use_stmt(struct stmt **sp, void *data)
{
	struct stmt *s = *sp;

	if (!s)
		return;
	switch (s->kind) {
	case STMT_EXPR:
		use_expr(s->u.expr, false);
		break;
	case STMT_FOR:
		if (s->u.loop.init)
			use_expr(s->u.loop.init, false);
		if (s->u.loop.cond)
			use_expr(s->u.loop.cond, true);
		if (s->u.loop.step)
			use_expr(s->u.loop.step, false);
		use_stmt(&s->u.loop.body, data);
		break;
	case STMT_FOREACH:
		use_foreach(s);
		use_stmt(&s->u.foreach.body, data);
		break;
	case STMT_DELETE:
		use_place(s->u.expr, false);
		break;
	case STMT_TRY:
		if (s->u.try.message)
			use_place(s->u.try.message, false);
		use_stmt(&s->u.try.body, data);
		use_stmt(&s->u.try.handler, data);
		break;
	default:
		stmt_children(s, use_visit, use_stmt, data);
	}
}

static void forget(struct symbol *s)
{
	for (; s; s = s->next)
		s->read = s->written = false;
}

/* -G gives it its first value. */
static bool is_set_outside(const struct program *p, const struct symbol *g)
{
	for (const struct define *d = p->options->globals; d; d = d->next)
		if (!g->is_library && !strcmp(d->name, g->name->text))
			return true;
	return false;
}

void scan_uses(struct program *p)
{
	struct function_list *l = &p->state->functions;

	forget(p->globals);
	for (struct symbol *g = p->globals; g; g = g->next)
		g->written = is_set_outside(p, g);
	for (struct probe *q = p->probes; q; q = q->next)
		forget(q->locals);
	for (unsigned i = 0; i < l->n; i++)
		forget(l->fn[i]->locals);
	for (struct probe *q = p->probes; q; q = q->next) {
		for (struct entry_save *s = q->saves; s; s = s->next)
			use_expr(s->e, true);
		if (q->condition)
			use_expr(q->condition, true);
		use_stmt(&q->body, NULL);
	}
	for (unsigned i = 0; i < l->n; i++) {
		use_stmt(&l->fn[i]->body, NULL);
		for (const struct global_use *g = l->fn[i]->globals; g; g = g->next)
			*(g->write ? &g->sym->written : &g->sym->read) = true;
	}
}
