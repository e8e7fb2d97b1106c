/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Giving back the arena's room.
 *
 * Strings are made in the hit's arena, which holds some hundred of full length.  So it goes back to a mark where a loop turns
 * and where a function ends; what locals still name moves down to the mark.  Between two statements nothing but locals
 * names strings above the innermost mark: temporaries live within one statement, and what a loop keeps for itself (a
 * slice's keys) is made before its mark.  Start reading at room_mark().
 */
#include "emit/inner.h"

#include "syntax/syntax.h"

/* Statements in a row that may make strings before their room is wanted back. */
enum { STRINGS_IN_A_ROW = 16 };

/* String locals that a loop fills, as ", &l_a, &l_b". */
struct filled {
	struct body *b;
	const struct symbol **symbol;
	unsigned n;
	const char *list;
};

static void add_local(struct filled *f, const struct symbol *s)
{
	const struct symbol **more;

	if (s->kind == SYM_GLOBAL || s->type != TY_STRING)
		return;
	for (unsigned i = 0; i < f->n; i++)
		if (f->symbol[i] == s)
			return;
	more = ARENA_ARRAY(f->b->f->a, const struct symbol *, f->n + 1);
	for (unsigned i = 0; i < f->n; i++)
		more[i] = f->symbol[i];
	more[f->n++] = s;
	f->symbol = more;
	f->list = text(f->b, "%s, &%s", f->list, symbol_c(f->b, s));
}

static void add_variable(struct filled *f, const struct expr *e)
{
	if (e && e->kind == EXPR_VAR)
		add_local(f, e->u.var.sym);
}

static void filled_by_expr(struct expr **e, void *data)
{
	if (!*e)
		return;
	if ((*e)->kind == EXPR_ASSIGN)
		add_variable(data, (*e)->u.assign.l);
	expr_children(*e, filled_by_expr, data);
}

static void filled_by_stmt(struct stmt **sp, void *data)
{
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_FOREACH) {
		for (const struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
			add_variable(data, k->var);
		add_variable(data, s->u.foreach.value);
	}
	if (s->kind == STMT_TRY)
		add_variable(data, s->u.try.message);
	if (s->kind != STMT_BLOCK) {
		stmt_children(s, filled_by_expr, filled_by_stmt, data);
		return;
	}
	for (struct stmt *i = s->u.block; i; i = i->next)
		filled_by_stmt(&i, data);
}

static const char *mark_c(struct body *b)
{
	if (b->mark)
		return text(b, "mark%d", b->mark);
	return b->fn ? "mark" : "c->arena";
}

bool room_mark(struct body *b, struct stmt *loop, int *outer_mark)
{
	*outer_mark = b->mark;
	if (!(touch_stmt(b->f, loop) & TOUCH_ARENA))
		return false;
	b->mark = ++b->nmarks;
	strbuf_printf(&b->declarations, "\tchar *mark%d;\n", b->mark);
	emit_line(b, "mark%d = c->arena_at;", b->mark);
	return true;
}

void room_turn(struct body *b, struct stmt *loop)
{
	struct filled f = { .b = b, .list = "" };

	filled_by_stmt(&loop, &f);
	emit_line(b, "SP_RELEASE(c, %s%s%s);", mark_c(b), f.list, stable_strings(b));
	b->strings = 0;
}

void room_unmark(struct body *b, int outer_mark)
{
	b->mark = outer_mark;
}

void room_stmt(struct body *b, struct stmt *s)
{
	struct filled f = { .b = b, .list = "" };

	if (!(touch_stmt(b->f, s) & TOUCH_ARENA) || ++b->strings <= STRINGS_IN_A_ROW)
		return;
	for (const struct symbol *i = b->fn ? b->fn->locals : b->probe->locals; i; i = i->next)
		add_local(&f, i);
	if (b->fn)
		for (const struct param *p = b->fn->params; p; p = p->next)
			add_local(&f, p->sym);
	emit_line(b, "SP_RELEASE(c, %s%s%s);", mark_c(b), f.list, stable_strings(b));
	b->strings = 1;
}
