/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which globals a handler touches, and how (language.md 6.4): shared where it only reads, exclusive where it writes;
 * what is only added to is shared by those who add, and reading it is exclusive.  That goes for aggregates (but not where a
 * variance is kept, step by step), and for numbers and arrays of them that probes at sites only add to: these are counted
 * (runtime/core/cells.c, map.c).  Called functions count.  A global that no handler outside begin, end and error
 * touches exclusively needs no lock at all.
 */
#include "elaborate/elaborate.h"

#include <string.h>

enum {
	TOUCH_READ = 1, TOUCH_WRITE = 2,	/* shared, exclusive */
	TOUCH_CHANGE = 4,			/* its value becomes another */
	TOUCH_ADD = 8,				/* added to, and not looked at */
	TOUCH_NEW = TOUCH_WRITE | TOUCH_CHANGE,
};

struct touches {
	unsigned char *global;		/* TOUCH_ by global id */
	struct function_list *functions;
	unsigned char **of_function;	/* by function id */
	unsigned nglobals;
	bool changed;
};

static void touch(struct touches *t, const struct symbol *s, unsigned how)
{
	if (s && s->kind == SYM_GLOBAL)
		t->global[s->id] |= (unsigned char)how;
}

static void touch_visit(struct expr **ep, void *data);

static void touch_place(struct touches *t, struct expr *e, unsigned how)
{
	const struct symbol *s = symbol_of(e);

	touch(t, s, how);
	if (!s)
		touch_visit(&e, t);
	else
		expr_children(e, touch_visit, t);
}

/* What `<<<' does to the aggregate at @e: scalars can always be fed by several at once, elements where they are counted. */
static unsigned feeding(struct expr *e)
{
	const struct symbol *s = symbol_of(e);

	if (!s || (s->stats & SP_STAT_VARIANCE))
		return TOUCH_WRITE;
	return e->kind == EXPR_VAR ? TOUCH_READ : TOUCH_ADD;
}

/* A statement x++, x--, x += n, x -= n: nobody looks at the value. */
static bool is_addition(const struct expr *e)
{
	return e->kind == EXPR_INCDEC ||
	       (e->kind == EXPR_ASSIGN && e->u.assign.op == OP_SET && e->type == TY_LONG &&
		(e->u.assign.compound == OP_ADD || e->u.assign.compound == OP_SUB));
}

static void touch_addition(struct touches *t, struct expr *e)
{
	touch_place(t, e->kind == EXPR_INCDEC ? e->u.incdec.e : e->u.assign.l, TOUCH_ADD | TOUCH_CHANGE);
	if (e->kind == EXPR_ASSIGN)
		touch_visit(&e->u.assign.r, t);
}

static void touch_call(struct touches *t, const struct expr *e)
{
	for (const struct function *f = e->u.call.fn; f; f = f->overload)
		for (unsigned i = 0; i < t->nglobals; i++)
			t->global[i] |= t->of_function[f->id][i];
}

static void touch_visit(struct expr **ep, void *data)
{
	struct touches *t = data;
	struct expr *e = *ep;

	switch (e->kind) {
	case EXPR_ASSIGN:
		touch_place(t, e->u.assign.l, TOUCH_CHANGE | (e->u.assign.op == OP_AGGREGATE ? feeding(e->u.assign.l) : TOUCH_WRITE));
		touch_visit(&e->u.assign.r, t);
		break;
	case EXPR_INCDEC:
		touch_place(t, e->u.incdec.e, TOUCH_NEW);
		break;
	case EXPR_EXTRACT:
		touch_place(t, e->u.extract.stat, TOUCH_WRITE);
		break;
	case EXPR_HIST:
		touch_place(t, e->u.hist->stat, TOUCH_WRITE);
		break;
	case EXPR_HISTINDEX:
		touch_place(t, e->u.histindex.hist->stat, TOUCH_WRITE);
		touch_visit(&e->u.histindex.bucket, t);
		break;
	case EXPR_ENTRY:
		break;
	case EXPR_CALL:
		touch_call(t, e);
		expr_children(e, touch_visit, t);
		break;
	default:
		touch(t, symbol_of(e), TOUCH_READ);
		expr_children(e, touch_visit, t);
	}
}

static void touch_foreach(struct touches *t, struct stmt *s)
{
	const struct symbol *array = s->u.foreach.array ? symbol_of(s->u.foreach.array) : NULL;
	bool sorts = s->u.foreach.direction != 0;

	for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next) {
		sorts |= k->direction != 0;
		touch_place(t, k->var, TOUCH_NEW);
	}
	if (s->u.foreach.value)
		touch_place(t, s->u.foreach.value, TOUCH_NEW);
	if (array)
		touch(t, array, sorts || array->type == TY_STATS ? TOUCH_WRITE : TOUCH_READ);
	if (s->u.foreach.hist)
		touch_place(t, s->u.foreach.hist->stat, TOUCH_WRITE);
	if (s->u.foreach.limit)
		touch_visit(&s->u.foreach.limit, t);
	for (struct expr_list *l = s->u.foreach.slice; l; l = l->next)
		if (l->e)
			touch_visit(&l->e, t);
}

static void touch_stmt(struct stmt **sp, void *data)
{
	struct touches *t = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	switch (s->kind) {
	case STMT_EXPR:
		if (is_addition(s->u.expr))
			touch_addition(t, s->u.expr);
		else
			touch_visit(&s->u.expr, t);
		break;
	case STMT_DELETE:
		touch_place(t, s->u.expr, TOUCH_NEW);
		break;
	case STMT_FOREACH:
		touch_foreach(t, s);
		touch_stmt(&s->u.foreach.body, t);
		break;
	case STMT_TRY:
		if (s->u.try.message)
			touch_place(t, s->u.try.message, TOUCH_NEW);
		touch_stmt(&s->u.try.body, t);
		touch_stmt(&s->u.try.handler, t);
		break;
	default:
		stmt_children(s, touch_visit, touch_stmt, t);
	}
}

/* What each function touches, calls included: until nothing is added. */
static void touch_functions(struct touches *t)
{
	struct function_list *l = t->functions;

	do {
		t->changed = false;
		for (unsigned i = 0; i < l->n; i++) {
			unsigned char before[256];
			unsigned n = t->nglobals;

			t->global = t->of_function[i];
			for (unsigned at = 0; at < n; at += sizeof(before)) {
				unsigned part = n - at < sizeof(before) ? n - at : (unsigned)sizeof(before);

				memcpy(before, t->global + at, part);
				touch_stmt(&l->fn[i]->body, t);
				for (const struct global_use *g = l->fn[i]->globals; g; g = g->next)
					touch(t, g->sym, g->write ? TOUCH_NEW : TOUCH_READ);
				t->changed |= memcmp(before, t->global + at, part) != 0;
			}
		}
	} while (t->changed);
}

static void touch_probe(struct touches *t, struct probe *q)
{
	for (struct entry_save *s = q->saves; s; s = s->next)
		touch_visit(&s->e, t);
	if (q->condition)
		touch_visit(&q->condition, t);
	touch_stmt(&q->body, t);
}

static bool takes_locks(const struct probe *q)
{
	return q->kind == SP_PROBE_TIMER || q->kind == SP_PROBE_SITE;
}

/* ------------------------------------------------------------------------------------------------ conditions */

/* Events of these kinds can be armed and disarmed; begin, end and error probes only test their condition. */
static bool same_condition(const struct program *p, const struct expr *a, const struct expr *b)
{
	return a->span.source == b->span.source && a->span.off == b->span.off &&
	       !strcmp(expr_text(p->arena, a), expr_text(p->arena, b));
}

static void look_hit(struct expr **e, void *data)
{
	if ((*e)->kind == EXPR_TARGET || (*e)->kind == EXPR_ENTRY)
		*(bool *)data = true;
}

/* Without a hit there is nothing to look at: such a condition is only tested by the handler. */
static bool needs_hit(struct probe *q)
{
	bool found = false;

	walk_expr(&q->condition, look_hit, &found);
	return found;
}

/* Copies of one condition, of probes made from the same text, are one. */
static void number_conditions(struct program *p)
{
	unsigned room = 0;

	for (struct probe *q = p->probes; q; q = q->next)
		room += q->condition && takes_locks(q);
	p->conditions = ARENA_ARRAY(p->arena, struct expr *, room + 1);
	for (struct probe *q = p->probes; q; q = q->next) {
		unsigned i = 0;

		if (!q->condition || !takes_locks(q) || needs_hit(q))
			continue;
		while (i < p->nconditions && !same_condition(p, p->conditions[i], q->condition))
			i++;
		if (i == p->nconditions)
			p->conditions[p->nconditions++] = q->condition;
		q->condition_id = (int)i + 1;
	}
}

/* What the probe touches, with what the conditions hang on that it may change: it looks at them again. */
static void touch_all(struct touches *t, struct program *p, struct probe *q, unsigned char **of_condition)
{
	unsigned char *mine = t->global;
	unsigned *sets = ARENA_ARRAY(p->arena, unsigned, p->nconditions + 1), n = 0;

	touch_probe(t, q);
	for (unsigned k = 0; k < p->nconditions; k++)
		for (unsigned i = 0; i < t->nglobals; i++)
			if (mine[i] & TOUCH_CHANGE && of_condition[k][i]) {
				sets[n++] = k;
				break;
			}
	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i < t->nglobals; i++)
			mine[i] |= of_condition[sets[k]][i];
	q->sets = sets;
	q->nsets = n;
}

static unsigned char **touched_by_conditions(struct touches *t, struct program *p)
{
	unsigned char **all = ARENA_ARRAY(p->arena, unsigned char *, p->nconditions + 1);

	for (unsigned k = 0; k < p->nconditions; k++) {
		t->global = all[k] = arena_alloc(p->arena, t->nglobals);
		touch_visit(&p->conditions[k], t);
	}
	return all;
}

static void set_locks(struct program *p, struct probe *q, const unsigned char *mine, const unsigned char *contested,
		      struct symbol **globals, unsigned n)
{
	q->locks = arena_alloc(p->arena, (n + 1) * sizeof(*q->locks));
	for (unsigned i = 0; i < n; i++)
		if (mine[i] && contested[i]) {
			q->locks[q->nlocks].global = globals[i];
			q->locks[q->nlocks++].write = mine[i] & TOUCH_WRITE;
		}
}

static bool may_be_counted(const struct symbol *s)
{
	if (s->in_c)
		return false;
	return s->type == TY_LONG ? !s->wraps : s->type == TY_STATS && s->is_array && !s->wraps;
}

/* Sets .counted of the globals that probes at sites add to, and do nothing else with. */
static void find_counted(struct program *p, struct touches *t, unsigned char **of_condition, struct symbol **globals)
{
	unsigned char *at_sites = arena_alloc(p->arena, t->nglobals);

	for (struct probe *q = p->probes; q; q = q->next) {
		if (q->kind != SP_PROBE_SITE)
			continue;
		memset(t->global, 0, t->nglobals);
		touch_all(t, p, q, of_condition);
		for (unsigned i = 0; i < t->nglobals; i++)
			at_sites[i] |= t->global[i];
	}
	for (unsigned i = 0; i < t->nglobals; i++)
		globals[i]->counted = at_sites[i] == (TOUCH_ADD | TOUCH_CHANGE) && may_be_counted(globals[i]);
}

/* The lock that a touch needs: TOUCH_READ shared, TOUCH_WRITE exclusive. */
static unsigned needed(const struct symbol *s, unsigned how)
{
	how &= ~TOUCH_CHANGE;
	if (!s->counted)
		return how & TOUCH_ADD ? (how & ~TOUCH_ADD) | TOUCH_WRITE : how;
	return how & (TOUCH_READ | TOUCH_WRITE) ? TOUCH_WRITE : how ? TOUCH_READ : 0;
}

static void touch_needs(struct touches *t, struct program *p, struct probe *q, unsigned char **of_condition,
			struct symbol **globals)
{
	memset(t->global, 0, t->nglobals);
	touch_all(t, p, q, of_condition);
	for (unsigned i = 0; i < t->nglobals; i++)
		t->global[i] = (unsigned char)needed(globals[i], t->global[i]);
}

void find_locks(struct program *p)
{
	struct touches t = { .functions = &p->state->functions };
	struct symbol **globals;
	unsigned char *contested, **of_condition;
	unsigned i = 0;

	number_conditions(p);
	for (struct symbol *g = p->globals; g; g = g->next)
		t.nglobals++;
	if (!t.nglobals)
		return;
	globals = ARENA_ARRAY(p->arena, struct symbol *, t.nglobals);
	for (struct symbol *g = p->globals; g; g = g->next)
		globals[i++] = g;
	t.of_function = ARENA_ARRAY(p->arena, unsigned char *, t.functions->n + 1);
	for (i = 0; i < t.functions->n; i++)
		t.of_function[i] = arena_alloc(p->arena, t.nglobals);
	touch_functions(&t);
	of_condition = touched_by_conditions(&t, p);
	contested = arena_alloc(p->arena, t.nglobals);
	t.global = arena_alloc(p->arena, t.nglobals);
	find_counted(p, &t, of_condition, globals);
	for (struct probe *q = p->probes; q; q = q->next) {
		if (!takes_locks(q))
			continue;
		touch_needs(&t, p, q, of_condition, globals);
		for (i = 0; i < t.nglobals; i++)
			contested[i] |= t.global[i] & TOUCH_WRITE;
	}
	for (struct probe *q = p->probes; q; q = q->next) {
		if (!takes_locks(q))
			continue;
		touch_needs(&t, p, q, of_condition, globals);
		set_locks(p, q, t.global, contested, globals, t.nglobals);
	}
}
