/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What trees touch and change.
 *
 * Three questions: does this statement touch a global, itself or in a function it calls (locks are held from the first
 * such statement to the last); does it make strings, which take room in the arena; and can evaluating this expression change a value that was read before it (then that
 * value needs a temporary, as C does not say in which order operands are evaluated).
 */
#include "emit/inner.h"

#include "syntax/syntax.h"

#include <string.h>

struct touching {
	const struct cfile *f;
	unsigned touch;
};

static void in_expr(struct expr **e, void *data);
static void in_stmt(struct stmt **s, void *data);

static unsigned of_symbol(const struct symbol *s, bool write)
{
	if (!s || s->kind != SYM_GLOBAL)
		return 0;
	return write ? TOUCH_READS | TOUCH_WRITES : TOUCH_READS;
}

/* The symbol that an expression names, where it names one. */
static const struct symbol *named(const struct expr *e)
{
	if (!e)
		return NULL;
	if (e->kind == EXPR_VAR)
		return e->u.var.sym;
	return e->kind == EXPR_INDEX ? e->u.index.sym : NULL;
}

static unsigned of_call(const struct cfile *f, const struct function *fn)
{
	unsigned touch = 0;

	for (; fn; fn = fn->overload)
		if ((unsigned)fn->id < f->nfunction_ids)
			touch |= f->function_touch[fn->id];
	return touch;
}

static unsigned of_hist(const struct hist *h)
{
	return h ? of_symbol(named(h->stat), false) : 0;
}

/* A string that is neither literal nor a local is made where it is asked for. */
static bool makes_string(const struct expr *e)
{
	const struct symbol *s = e->kind == EXPR_VAR ? e->u.var.sym : NULL;

	return e->type == TY_STRING && e->kind != EXPR_STR && !(s && s->kind != SYM_GLOBAL);
}

/* Functions in C over spile.h that give no string make none either, but for those that say so by its types. */
static unsigned of_c_function(const struct function *fn)
{
	unsigned touch = 0;

	for (const struct global_use *g = fn->globals; g; g = g->next)
		touch |= of_symbol(g->sym, g->write);
	return touch | (fn->type == TY_STRING || strstr(fn->body->u.code->text, "struct sp_str") ? TOUCH_ARENA : 0);
}

/* The node alone; its children are visited by themselves. */
static unsigned of_globals(const struct cfile *f, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_VAR:
	case EXPR_INDEX:
		return of_symbol(named(e), false);
	case EXPR_ASSIGN:
		return of_symbol(named(e->u.assign.l), true);
	case EXPR_INCDEC:
		return of_symbol(named(e->u.incdec.e), true);
	case EXPR_CALL:
		return of_call(f, e->u.call.fn);
	case EXPR_IN:
		return of_symbol(named(e->u.in.array), false) | of_hist(e->u.in.hist);
	case EXPR_EXTRACT:
		return of_symbol(named(e->u.extract.stat), false);
	case EXPR_HIST:
		return of_hist(e->u.hist);
	case EXPR_HISTINDEX:
		return of_hist(e->u.histindex.hist);
	default:
		return 0;
	}
}

static unsigned of_node(const struct cfile *f, const struct expr *e)
{
	return of_globals(f, e) | (makes_string(e) ? TOUCH_ARENA : 0);
}

static void in_expr(struct expr **e, void *data)
{
	struct touching *t = data;

	if (!*e)
		return;
	t->touch |= of_node(t->f, *e);
	expr_children(*e, in_expr, t);
	if ((*e)->kind == EXPR_TARGET && (*e)->u.target.fetch) {
		struct fetch *fetch = (*e)->u.target.fetch;

		for (int i = 0; i < fetch->nindex; i++)
			in_expr(&fetch->index[i], t);
		in_expr(&fetch->operand, t);
	}
}

/* A variable that foreach or catch fills. */
static unsigned of_filled(const struct expr *var)
{
	return of_symbol(named(var), true) | (var && var->type == TY_STRING ? TOUCH_ARENA : 0);
}

static void in_stmt(struct stmt **s, void *data)
{
	struct touching *t = data;

	if (!*s)
		return;
	if ((*s)->kind == STMT_DELETE)
		t->touch |= of_symbol(named((*s)->u.expr), true);
	if ((*s)->kind == STMT_FOREACH) {
		bool sorts = (*s)->u.foreach.direction;

		for (struct foreach_key *k = (*s)->u.foreach.keys; k; k = k->next) {
			sorts |= k->direction != 0;
			t->touch |= of_filled(k->var);
		}
		t->touch |= of_filled((*s)->u.foreach.value);
		t->touch |= of_symbol(named((*s)->u.foreach.array), sorts) | of_hist((*s)->u.foreach.hist);
	}
	if ((*s)->kind == STMT_TRY)
		t->touch |= of_filled((*s)->u.try.message);
	if ((*s)->kind == STMT_BLOCK) {
		for (struct stmt *i = (*s)->u.block; i; i = i->next)
			in_stmt(&i, t);
		return;
	}
	stmt_children(*s, in_expr, in_stmt, t);
}

unsigned touch_expr(const struct cfile *f, struct expr *e)
{
	struct touching t = { f, 0 };

	in_expr(&e, &t);
	return t.touch;
}

unsigned touch_stmt(const struct cfile *f, struct stmt *s)
{
	struct touching t = { f, 0 };

	in_stmt(&s, &t);
	return t.touch;
}

/* Functions call each other in circles: repeat until nothing new is learnt. */
void touch_functions(struct cfile *f)
{
	bool changed = true;

	for (struct function *fn = f->p->functions; fn; fn = fn->next)
		if ((unsigned)fn->id >= f->nfunction_ids)
			f->nfunction_ids = fn->id + 1;
	f->function_touch = arena_alloc(f->a, f->nfunction_ids + 1);
	while (changed) {
		changed = false;
		for (struct function *fn = f->p->functions; fn; fn = fn->next) {
			unsigned touch = !fn->body ? 0 : fn->body->kind == STMT_EMBEDDED ? of_c_function(fn)
						       : touch_stmt(f, fn->body);

			if (touch != f->function_touch[fn->id])
				changed = true;
			f->function_touch[fn->id] = touch;
		}
	}
}

struct changing {
	const struct cfile *f;
	unsigned on;
};

static void change_in(struct expr **e, void *data)
{
	struct changing *ch = data;
	const struct symbol *s = NULL;

	if (!*e)
		return;
	if ((*e)->kind == EXPR_ASSIGN)
		s = named((*e)->u.assign.l);
	else if ((*e)->kind == EXPR_INCDEC)
		s = named((*e)->u.incdec.e);
	else if ((*e)->kind == EXPR_CALL && of_call(ch->f, (*e)->u.call.fn) & TOUCH_WRITES)
		ch->on |= ON_GLOBALS;
	if (s)
		ch->on |= s->kind == SYM_GLOBAL ? ON_GLOBALS : ON_LOCALS;
	if ((*e)->kind == EXPR_ASSIGN && (*e)->u.assign.l->kind == EXPR_TARGET)
		ch->on |= ON_REGISTERS;
	expr_children(*e, change_in, ch);
}

unsigned expr_changes(const struct cfile *f, struct expr *e)
{
	struct changing ch = { f, 0 };

	change_in(&e, &ch);
	return ch.on;
}
