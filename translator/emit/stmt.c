/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements, and the order of things in a handler: condition, locks, what is kept at entry.
 *
 * Statements without a branch between them form a run, whose actions are charged at its start.  Inside a try block the
 * label `out' is the block's own, so that the same checks lead to its catch.  Start reading at emit_stmts().
 */
#include "emit/inner.h"

#include <string.h>

static void emit_stmt(struct body *b, struct stmt *s);

/* Statements after which a new run begins, as not all ways through them are one. */
static bool ends_run(const struct stmt *s)
{
	switch (s->kind) {
	case STMT_NULL:
	case STMT_EXPR:
	case STMT_DELETE:
		return false;
	default:
		return true;
	}
}

/* A block inside a block is the statements in it: both count alike. */
static unsigned run_cost(const struct stmt *s)
{
	unsigned n = 0;

	for (; s; s = s->next) {
		if (s->kind != STMT_NULL && s->kind != STMT_BLOCK && s->kind != STMT_TRY)
			n++;
		if (ends_run(s))
			break;
	}
	return n;
}

static const struct stmt *first_counted(const struct stmt *s)
{
	while (s && s->kind == STMT_NULL)
		s = s->next;
	return s;
}

static void charge(struct body *b, int place, unsigned cost)
{
	if (!cost)
		return;
	emit_line(b, "SP_STMT(c, %d, %u);", place, cost);
	b->uses_out = true;
	b->at = place;
}

static void start_run(struct body *b, const struct stmt *s, int place, unsigned extra)
{
	const struct stmt *first = first_counted(s);

	if (place < 0 && first)
		place = place_of_stmt(b->f, first);
	if (place >= 0)
		charge(b, place, run_cost(s) + extra);
}

void emit_stmts(struct body *b, struct stmt *first, int place, unsigned extra)
{
	bool at_start = true;

	if (!first && extra)
		charge(b, place, extra);
	for (struct stmt *s = first; s; s = s->next) {
		if (at_start) {
			start_run(b, s, place, extra);
			place = -1;
			extra = 0;
		}
		at_start = ends_run(s);
		b->temps[TEMP_LONG] = b->temps[TEMP_STRING] = 0;
		room_stmt(b, s);
		emit_stmt(b, s);
	}
}

/* The statement under an if or loop: the block's own, or the one. */
static void emit_branch(struct body *b, struct stmt *s, int place, unsigned extra)
{
	struct stmt *first = s && s->kind == STMT_BLOCK ? s->u.block : s, *next = first ? first->next : NULL;

	b->indent++;
	if (first && s->kind != STMT_BLOCK)
		first->next = NULL;
	emit_stmts(b, first, place, extra);
	if (first)
		first->next = next;
	b->indent--;
}

/* ---- branches ---- */

/* What is known of the context after two ways have met. */
struct known { int at; unsigned done; };

static struct known known_here(const struct body *b)
{
	return (struct known){ b->at, b->done };
}

static void known_set(struct body *b, struct known k)
{
	b->at = k.at;
	b->done = k.done;
}

static void known_meet(struct body *b, struct known k)
{
	if (b->at != k.at)
		b->at = -1;
	b->done &= k.done;
}

static void emit_if(struct body *b, struct stmt *s)
{
	struct cvalue cond = emit_value(b, s->u.branch.cond);
	struct known before, after_yes;

	emit_line(b, "if (%s) {", cond.text);
	before = known_here(b);
	emit_branch(b, s->u.branch.yes, -1, 0);
	after_yes = known_here(b);
	known_set(b, before);
	if (s->u.branch.no) {
		emit_line(b, "} else {");
		emit_branch(b, s->u.branch.no, -1, 0);
	}
	emit_line(b, "}");
	known_meet(b, after_yes);
}

static void loop_enter(struct body *b, struct loop *l, bool needs_label)
{
	*l = (struct loop){ .outer = b->loop };
	if (needs_label)
		l->label = ++b->nlabels;
	b->loop = l;
}

static void loop_leave(struct body *b)
{
	b->loop = b->loop->outer;
}

/* A statement as one C expression without anything before it, or NULL. */
static const char *as_expression(struct body *b, struct expr *e)
{
	struct body before = *b;
	struct strbuf aside = { 0 };
	const char *line = NULL;
	char *newline;

	b->to = &aside;
	b->indent = 0;
	emit_effect(b, e);
	newline = aside.text ? strchr(aside.text, '\n') : NULL;
	if (newline && !newline[1] && newline > aside.text && newline[-1] == ';' && strncmp(aside.text, "SP_", 3)) {
		newline[-1] = '\0';
		line = arena_strdup(b->f->a, aside.text);
	}
	strbuf_free(&aside);
	b->to = before.to;
	b->indent = before.indent;
	if (!line)
		undo(b, &before);
	return line;
}

/* for (;;) with the condition as a statement inside: it takes several steps. */
static void emit_long_loop(struct body *b, struct stmt *s, int place)
{
	struct loop l;
	int outer_mark;
	bool marked = room_mark(b, s, &outer_mark);

	emit_line(b, "for (;;) {");
	loop_enter(b, &l, s->u.loop.step != NULL);
	b->indent++;
	if (marked)
		room_turn(b, s);
	charge(b, place, 1);
	if (s->u.loop.cond)
		emit_line(b, "if (!%s)", operand(b, emit_value(b, s->u.loop.cond)));
	if (s->u.loop.cond)
		emit_line(b, "\tbreak;");
	b->indent--;
	emit_branch(b, s->u.loop.body, -1, 0);
	b->indent++;
	if (l.label_used)
		emit_line(b, "continue_%d:;", l.label);
	b->at = -1;
	b->temps[TEMP_LONG] = b->temps[TEMP_STRING] = 0;
	if (s->u.loop.step)
		emit_effect(b, s->u.loop.step);
	b->indent--;
	emit_line(b, "}");
	loop_leave(b);
	room_unmark(b, outer_mark);
}

/* The condition and the step are C expressions of their own. */
static void emit_short_loop(struct body *b, struct stmt *s, int place, const char *cond, const char *step)
{
	struct loop l;
	int outer_mark;
	bool marked = room_mark(b, s, &outer_mark);

	if (*cond && !*step)
		emit_line(b, "while (%s) {", cond);
	else
		emit_line(b, "for (;%s%s;%s%s) {", *cond ? " " : "", cond, *step ? " " : "", step);
	loop_enter(b, &l, false);
	b->indent++;
	if (marked)
		room_turn(b, s);
	b->indent--;
	emit_branch(b, s->u.loop.body, place, 1);
	emit_line(b, "}");
	loop_leave(b);
	room_unmark(b, outer_mark);
}

static void emit_for(struct body *b, struct stmt *s)
{
	int place = place_of_stmt(b->f, s);
	struct cvalue cond = { "", 0, true, false };
	const char *step = "";
	unsigned done;
	bool short_form;

	if (s->u.loop.init)
		emit_effect(b, s->u.loop.init);
	done = b->done;
	b->at = -1;
	short_form = !s->u.loop.cond || inline_value(b, s->u.loop.cond, &cond);
	if (short_form && s->u.loop.step)
		step = as_expression(b, s->u.loop.step);
	if (short_form && step)
		emit_short_loop(b, s, place, cond.text, step);
	else
		emit_long_loop(b, s, place);
	b->at = -1;
	b->done = done;
}

/* ---- foreach ---- */

static int sort_of(const struct stmt *s)
{
	int k = 1;

	if (s->u.foreach.direction)
		return s->u.foreach.direction * SP_SORT_VALUE;
	for (const struct foreach_key *i = s->u.foreach.keys; i; i = i->next, k++)
		if (i->direction)
			return i->direction * k;
	return SP_SORT_NONE;
}

static const char *limit_c(struct body *b, struct expr *limit)
{
	struct cvalue v;

	if (!limit)
		return "-1";
	if (limit->kind == EXPR_NUM)
		return c_number(b, limit->u.num < 0 ? 0 : limit->u.num);
	v = emit_value(b, limit);
	if (v.on) {
		const char *t = new_temp(b, TY_LONG);

		emit_line(b, "%s = %s;", t, v.text);
		v = temp_value(t);
	}
	return text(b, "%s < 0 ? 0 : %s", operand(b, v), operand(b, v));
}

/* Keys in an array of their own, slice@it, for as long as the loop runs.  Returns the bits of the positions without one. */
static unsigned keep_keys(struct body *b, const struct expr_list *keys, unsigned it)
{
	struct cvalue v[MAX_KEYS];
	const struct expr_list *i = keys;
	unsigned any = 0, n = 0;

	emit_list(b, keys, v, MAX_KEYS, 0);
	for (; i && n < MAX_KEYS; i = i->next, n++) {
		if (!i->e)
			any |= 1u << n;
		else
			emit_line(b, "slice%u[%u].%c = %s;", it, n, i->e->type == TY_STRING ? 's' : 'n', v[n].text);
	}
	strbuf_printf(&b->declarations, "\tunion sp_val slice%u[%u];\n", it, n);
	return any;
}

static void emit_slice(struct body *b, const struct expr_list *slice, unsigned it)
{
	unsigned any;

	if (!slice) {
		emit_line(b, "it%u.any = ~0u;", it);
		return;
	}
	any = keep_keys(b, slice, it);
	emit_line(b, "it%u.slice = slice%u;", it, it);
	emit_line(b, "it%u.any = %#x;", it, any);
}

static void assign_key(struct body *b, const struct expr *var, const char *what, unsigned it, const char *more)
{
	const struct symbol *s = var->u.var.sym;
	const char *call = text(b, "sp_iter_%s_%s(c, &it%u%s)", what, s->type == TY_STRING ? "str" : "long", it, more);

	assign_symbol(b, s, call);
	if (s->type == TY_STRING)
		check(b);
}

static void emit_foreach_map(struct body *b, struct stmt *s, int place)
{
	const struct symbol *array = s->u.foreach.array->kind == EXPR_INDEX ? s->u.foreach.array->u.index.sym
									    : s->u.foreach.array->u.var.sym;
	enum extractor by = s->u.foreach.has_extract ? s->u.foreach.extract : EX_COUNT;
	unsigned it = ++b->niters, k = 0;
	const char *limit = limit_c(b, s->u.foreach.limit);
	struct loop l;
	int outer_mark;
	bool marked;

	strbuf_printf(&b->declarations, "\tstruct sp_iter it%u;\n", it);
	emit_slice(b, s->u.foreach.slice, it);
	place_set(b, place);
	emit_line(b, "sp_iter_start(c, &it%u, %s, %d, %s, %s);", it, global_index(b->f->a, array), sort_of(s),
		  extract_c(by == EX_VARIANCE ? EX_COUNT : by), limit);
	check(b);
	marked = room_mark(b, s, &outer_mark);
	emit_line(b, "while (sp_iter_next(c, &it%u)) {", it);
	loop_enter(b, &l, false);
	b->indent++;
	if (marked)
		room_turn(b, s);
	for (const struct foreach_key *i = s->u.foreach.keys; i; i = i->next, k++)
		assign_key(b, i->var, "key", it, text(b, ", %u", k));
	if (s->u.foreach.value)
		assign_key(b, s->u.foreach.value, "value", it, "");
	b->indent--;
	emit_branch(b, s->u.foreach.body, place, 1);
	emit_line(b, "}");
	loop_leave(b);
	room_unmark(b, outer_mark);
}

/* The keys of the histogram's aggregate, evaluated once whether or not the loop asks for what they lead to. */
static void keep_hist_keys(struct body *b, const struct expr *stat, unsigned n)
{
	if (stat->kind != EXPR_INDEX)
		return;
	keep_keys(b, stat->u.index.keys, n);
	emit_line(b, "(void)slice%u;", n);
}

/* How many samples bucket @n of this turn has, for the loop's value. */
static void assign_count(struct body *b, const struct expr *var, const struct expr *stat, int place, unsigned n)
{
	const char *call = stat->kind == EXPR_INDEX ?
		text(b, "sp_map_hist_bucket(c, %s, slice%u, bucket%u)", global_index(b->f->a, stat->u.index.sym), n, n) :
		text(b, "sp_stat_hist_bucket(c, %s, bucket%u)", global_index(b->f->a, stat->u.var.sym), n);

	assign_symbol(b, var->u.var.sym, checked(b, TY_LONG, place, call).text);
}

/* Over a histogram: the numbers of its buckets. */
static void emit_foreach_hist(struct body *b, struct stmt *s, int place)
{
	const struct expr *stat = s->u.foreach.hist->stat;
	const struct symbol *sym = stat->kind == EXPR_INDEX ? stat->u.index.sym : stat->u.var.sym;
	const char *limit = limit_c(b, s->u.foreach.limit);
	unsigned n = ++b->niters;
	struct loop l;
	int outer_mark;
	bool marked;

	strbuf_printf(&b->declarations, "\tsp_i64 bucket%u, buckets%u;\n", n, n);
	keep_hist_keys(b, stat, n);
	emit_line(b, "buckets%u = sp_hist_buckets(%s);", n, global_index(b->f->a, sym));
	if (s->u.foreach.limit) {
		emit_line(b, "if (buckets%u > (%s))", n, limit);
		emit_line(b, "\tbuckets%u = %s;", n, limit);
	}
	marked = room_mark(b, s, &outer_mark);
	emit_line(b, "for (bucket%u = 0; bucket%u < buckets%u; bucket%u++) {", n, n, n, n);
	loop_enter(b, &l, false);
	b->indent++;
	if (marked)
		room_turn(b, s);
	assign_symbol(b, s->u.foreach.keys->var->u.var.sym, text(b, "bucket%u", n));
	if (s->u.foreach.value)
		assign_count(b, s->u.foreach.value, stat, place, n);
	b->indent--;
	emit_branch(b, s->u.foreach.body, place, 1);
	emit_line(b, "}");
	loop_leave(b);
	room_unmark(b, outer_mark);
}

static void emit_foreach(struct body *b, struct stmt *s)
{
	int place = place_of_stmt(b->f, s);
	unsigned done = b->done;

	b->at = -1;
	if (s->u.foreach.hist)
		emit_foreach_hist(b, s, place);
	else
		emit_foreach_map(b, s, place);
	b->at = -1;
	b->done = done;
}

/* ---- leaving ---- */

/* Out of the function: inside a try block `out' is the block's own label. */
static void emit_leave(struct body *b)
{
	if (b->try_depth) {
		b->uses_leave = true;
		emit_line(b, "goto leave;");
	} else {
		b->uses_out = true;
		emit_line(b, "goto out;");
	}
}

static void emit_return(struct body *b, struct stmt *s)
{
	if (s->u.expr) {
		struct cvalue v = emit_value(b, s->u.expr);

		emit_line(b, "ret = %s;", v.text);
	}
	emit_leave(b);
}

/* next: out of a handler; in a function, on to the next overload with the same arguments. */
static void emit_next(struct body *b, const struct stmt *s)
{
	if (!b->fn) {
		emit_leave(b);
	} else if (b->fn->overload) {
		b->uses_next = true;
		emit_line(b, "goto next;");
	} else {
		place_set(b, place_of_stmt(b->f, s));
		emit_line(b, "sp_error(c, \"all functions exhausted\");");
		b->uses_out = true;
		emit_line(b, "goto out;");
	}
}

static void emit_jump(struct body *b, struct stmt *s)
{
	struct loop *l = b->loop;

	if (!l) {
		diag_error(b->f->p->diag, s->span, TAG_SYNTAX, "cannot '%s' outside loop",
			   s->kind == STMT_BREAK ? "break" : "continue");
		b->f->failed = true;
	} else if (s->kind == STMT_BREAK) {
		emit_line(b, "break;");
	} else if (!l->label) {
		emit_line(b, "continue;");
	} else {
		l->label_used = true;
		emit_line(b, "goto continue_%d;", l->label);
	}
}

/* ---- try ---- */

/*
 * The block has a label `out' of its own; uncatchable errors go on to the outer one.  After the block c->error tells
 * whether it came to its end.
 */
static void emit_try(struct body *b, struct stmt *s)
{
	bool outer_uses_out = b->uses_out, catches;
	struct known before = known_here(b), after;

	emit_line(b, "{");
	b->indent++;
	emit_line(b, "__label__ out;");
	b->indent--;
	b->uses_out = false;
	b->try_depth++;
	emit_branch(b, s->u.try.body, -1, 0);
	b->try_depth--;
	catches = b->uses_out;
	if (catches)
		emit_line(b, "out:;");
	emit_line(b, "}");
	b->uses_out = outer_uses_out;
	if (!catches)
		return;
	after = known_here(b);
	b->at = -1;
	b->done = before.done;
	emit_line(b, "if (sp_unlikely(c->error != 0)) {");
	b->indent++;
	emit_line(b, "if (!sp_catchable(c))");
	emit_line(b, "\tgoto out;");
	b->uses_out = true;
	if (s->u.try.message)
		assign_symbol(b, s->u.try.message->u.var.sym, "sp_catch(c)");
	else
		emit_line(b, "sp_catch(c);");
	b->indent--;
	emit_branch(b, s->u.try.handler, -1, 0);
	emit_line(b, "}");
	known_meet(b, after);
	b->at = -1;
}

/* ---- the rest ---- */

static void emit_delete(struct body *b, struct stmt *s)
{
	struct expr *e = s->u.expr;
	const struct symbol *sym = e->kind == EXPR_INDEX ? e->u.index.sym : e->u.var.sym;
	const char *index = sym->kind == SYM_GLOBAL ? global_index(b->f->a, sym) : "", *keys;
	unsigned any;

	if (e->kind == EXPR_INDEX) {
		keys = emit_keys(b, e->u.index.keys, 0, false, &any);
		mark_written(b);
		if (any)
			emit_line(b, "sp_map_delete_slice(c, %s, %s, %#x);", index, keys, any);
		else
			emit_line(b, "sp_map_delete(c, %s, %s);", index, keys);
	} else if (sym->kind == SYM_GLOBAL && (sym->is_array || sym->type == TY_STATS)) {
		mark_written(b);
		emit_line(b, "sp_%s_clear(c, %s);", sym->is_array ? "map" : "stat", index);
	} else {
		assign_symbol(b, sym, sym->type == TY_STRING ? "SP_EMPTY" : "0");
	}
}

static void emit_block(struct body *b, struct stmt *s)
{
	emit_stmts(b, s->u.block, -1, 0);
}

static void emit_stmt(struct body *b, struct stmt *s)
{
	switch (s->kind) {
	case STMT_NULL:
		return;
	case STMT_BLOCK:
		emit_block(b, s);
		return;
	case STMT_EXPR:
		emit_effect(b, s->u.expr);
		return;
	case STMT_IF:
		emit_if(b, s);
		return;
	case STMT_FOR:
		emit_for(b, s);
		return;
	case STMT_FOREACH:
		emit_foreach(b, s);
		return;
	case STMT_RETURN:
		emit_return(b, s);
		return;
	case STMT_DELETE:
		emit_delete(b, s);
		return;
	case STMT_NEXT:
		emit_next(b, s);
		return;
	case STMT_BREAK:
	case STMT_CONTINUE:
		emit_jump(b, s);
		return;
	case STMT_TRY:
		emit_try(b, s);
		return;
	default:
		refuse(b->f, s->span, "embedded C among statements");
		return;
	}
}

/* ---- handlers ---- */

/* Values kept for the exits. */
static void emit_saves(struct body *b, const struct probe *pr)
{
	for (const struct entry_save *i = pr->saves; i; i = i->next) {
		struct cvalue v;

		b->temps[TEMP_LONG] = b->temps[TEMP_STRING] = 0;
		v = emit_value(b, i->e);
		b->f->entry_strings += i->e->type == TY_STRING;
		emit_line(b, "sp_entry_put%s(c, %u, sp_cfa(c), %s);", i->e->type == TY_STRING ? "_str" : "", i->slot, v.text);
	}
}

static void emit_condition(struct body *b, struct expr *condition)
{
	struct cvalue v = emit_value(b, condition);

	emit_line(b, "if (!%s)", operand(b, v));
	emit_line(b, "\tgoto out;");
	b->uses_out = true;
}

static void emit_lock(struct body *b)
{
	emit_line(b, "if (!sp_lock(c))");
	emit_line(b, "\tgoto out;");
	b->uses_out = true;
}

/*
 * Locks are held from the first top-level statement that touches a global to the last (spec/language.md 6.4): what
 * stands before them reads target memory with no lock held and may bring pages in.  Before version 4.4 of the language they
 * were held all through the handler.
 */
static void emit_locked(struct body *b, const struct probe *pr, struct stmt *first)
{
	struct stmt *begin = NULL, *last = NULL, *next;
	bool conditional = pr->condition && touch_expr(b->f, pr->condition) & TOUCH_GLOBALS;

	for (struct stmt *s = first; s; s = s->next) {
		if (!is_older(b->f->p, "4.4") && !(touch_stmt(b->f, s) & TOUCH_GLOBALS))
			continue;
		if (!begin)
			begin = s;
		last = s;
	}
	if (conditional)
		emit_lock(b);
	if (pr->condition)
		emit_condition(b, pr->condition);
	if (conditional && !last)
		emit_line(b, "sp_unlock(c);");
	if (!begin) {
		emit_stmts(b, first, -1, 0);
		return;
	}
	if (!conditional && begin != first) {
		struct stmt *before = first;

		while (before->next != begin)
			before = before->next;
		before->next = NULL;
		emit_stmts(b, first, -1, 0);
		before->next = begin;
	}
	if (!conditional)
		emit_lock(b);
	next = last->next;
	last->next = NULL;
	emit_stmts(b, conditional ? first : begin, -1, 0);
	last->next = next;
	if (next) {
		emit_line(b, "sp_unlock(c);");
		emit_stmts(b, next, -1, 0);
	}
}

/* Bodies of aliases and handler are blocks in a block: their statements all count as top-level ones. */
static struct stmt *flatten(struct stmt *s, struct stmt *rest)
{
	struct stmt *next;

	if (!s)
		return rest;
	next = flatten(s->next, rest);
	if (s->kind == STMT_BLOCK)
		return flatten(s->u.block, next);
	s->next = next;
	return s;
}

void emit_handler_body(struct body *b, const struct probe *pr)
{
	struct stmt *first = flatten(pr->body, NULL), all = { .kind = STMT_BLOCK, .u.block = first };

	find_stable(b, &all);
	for (const struct site *s = pr->sites; s; s = s->next) {
		if (!s->via)
			continue;
		emit_line(b, "if (sp_exit_follows(c, %u))", b->f->p->entry_slots++);
		emit_line(b, "\treturn;");
		break;
	}
	emit_saves(b, pr);
	if (pr->nlocks) {
		emit_locked(b, pr, first);
		return;
	}
	if (pr->condition)
		emit_condition(b, pr->condition);
	emit_stmts(b, first, -1, 0);
}
