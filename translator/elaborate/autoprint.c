/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hidden end probes that print what a script only ever wrote (language.md 6.3).  They are made after types are
 * known, as trees that are bound and typed from the start.
 */
#include "elaborate/elaborate.h"

#include <string.h>

struct making {
	struct arena *a;
	struct probe *probe;
	struct symbol *global;
	bool is_pointer;		/* its value is shown in hexadecimal */
};

static struct expr *node(struct making *m, enum expr_kind kind, enum value_type type)
{
	struct expr *e = ARENA_NEW(m->a, struct expr);

	e->kind = kind;
	e->type = type;
	e->span = m->global->span;
	return e;
}

static struct stmt *statement(struct making *m, enum stmt_kind kind)
{
	struct stmt *s = ARENA_NEW(m->a, struct stmt);

	s->kind = kind;
	s->span = m->global->span;
	return s;
}

static struct expr *variable(struct making *m, struct symbol *s)
{
	struct expr *e = node(m, EXPR_VAR, s->type);

	e->u.var.name = s->name;
	e->u.var.sym = s;
	return e;
}

static struct symbol *local(struct making *m, const char *name, enum value_type type)
{
	struct symbol *s = ARENA_NEW(m->a, struct symbol), **tail = &m->probe->locals;

	while (*tail)
		tail = &(*tail)->next;
	s->kind = SYM_LOCAL;
	s->name = str_intern(m->a, name);
	s->span = m->global->span;
	s->type = type;
	*tail = s;
	return s;
}

static void add_arg(struct making *m, struct expr *print, struct expr *arg)
{
	struct expr_list **tail = &print->u.print.args;

	while (*tail)
		tail = &(*tail)->next;
	*tail = ARENA_NEW(m->a, struct expr_list);
	(*tail)->e = arg;
}

static void add_part(struct making *m, struct expr *print, const char *text, char conv, char flag)
{
	struct format_part **tail = &print->u.print.parts;

	while (*tail)
		tail = &(*tail)->next;
	*tail = ARENA_NEW(m->a, struct format_part);
	(*tail)->kind = text ? FMT_TEXT : FMT_VALUE;
	(*tail)->text = text ? str_intern(m->a, text) : NULL;
	(*tail)->conv = conv;
	(*tail)->flag = flag;
}

/*
 * A printf of @format, made of text, %d and %#c for some c; its arguments are @args in order.  The format stands in
 * the node twice, as the parser would leave it: whole, and in parts.  The reference writes # for all but numbers that
 * are a global's value, though it says something for %#x alone.
 */
static struct stmt *print_stmt(struct making *m, const char *format, struct expr **args)
{
	struct expr *print = node(m, EXPR_PRINT, TY_LONG);
	struct stmt *s = statement(m, STMT_EXPR);

	print->u.print.form = PRINT_F;
	print->u.print.text = str_intern(m->a, format);
	while (*format) {
		size_t n = strcspn(format, "%");
		char flag;

		if (n)
			add_part(m, print, arena_strndup(m->a, format, n), 0, 0);
		format += n;
		if (!*format)
			break;
		flag = format[1] == '#' ? '#' : 0;
		format += flag ? 2 : 1;
		add_part(m, print, NULL, *format++, flag);
		add_arg(m, print, *args++);
	}
	s->u.expr = print;
	return s;
}

/* ---- values that are C pointers ---- */

struct pointing { const struct symbol *global; bool pointer, other; };

/* What @e has for a C type, as far as a target expression gives it one. */
static void look_value(struct pointing *p, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_TARGET:
		if (e->u.target.fetch && e->u.target.fetch->ctype &&
		    (e->u.target.address || e->u.target.fetch->ctype->kind == CTYPE_POINTER))
			p->pointer = true;
		else
			p->other = true;
		break;
	case EXPR_ENTRY:
		look_value(p, e->u.entry.e);
		break;
	case EXPR_ASSIGN:
		look_value(p, e->u.assign.r);
		break;
	case EXPR_TERNARY:
		look_value(p, e->u.tern.yes);
		look_value(p, e->u.tern.no);
		break;
	case EXPR_NUM:			/* 0 for "none" */
		p->other |= e->u.num != 0;
		break;
	default:
		p->other = true;
	}
}

static void look_assignment(struct expr **e, void *data)
{
	struct pointing *p = data;

	if ((*e)->kind == EXPR_ASSIGN && symbol_of((*e)->u.assign.l) == p->global) {
		p->other |= (*e)->u.assign.compound != OP_NONE;
		look_value(p, *e);
	} else if ((*e)->kind == EXPR_INCDEC && symbol_of((*e)->u.incdec.e) == p->global) {
		p->other = true;
	}
}

/* True where all that is ever put into the global is a C pointer, or 0. */
static bool is_pointer(const struct program *p, const struct symbol *g)
{
	struct pointing k = { .global = g };

	for (const struct probe *q = p->probes; q; q = q->next)
		walk_stmt(q->body, look_assignment, &k);
	for (unsigned i = 0; i < p->state->functions.n; i++)
		walk_stmt(p->state->functions.fn[i]->body, look_assignment, &k);
	return k.pointer && !k.other;
}

static const char *value_format(const struct symbol *s)
{
	return s->type == TY_STRING ? "\"%#s\"" : "%d";
}

/* " @count=%#d @min=%#d ..." and its five arguments; @stat makes a fresh operand each time. */
static void stat_args(struct making *m, struct expr *(*stat)(struct making *), struct expr **args)
{
	static const enum extractor what[] = { EX_COUNT, EX_MIN, EX_MAX, EX_SUM, EX_AVG };

	for (int i = 0; i < 5; i++) {
		args[i] = node(m, EXPR_EXTRACT, TY_LONG);
		args[i]->u.extract.what = what[i];
		args[i]->u.extract.stat = stat(m);
	}
	m->global->stats |= SP_STAT_MINMAX;
}
#define STAT_FORMAT " @count=%#d @min=%#d @max=%#d @sum=%#d @avg=%#d\n"

static struct expr *scalar_stat(struct making *m)
{
	return variable(m, m->global);
}

/* @count(g) == 0 */
static struct expr *is_empty(struct making *m)
{
	struct expr *e = node(m, EXPR_BINARY, TY_LONG), *count = node(m, EXPR_EXTRACT, TY_LONG);

	count->u.extract.what = EX_COUNT;
	count->u.extract.stat = variable(m, m->global);
	e->u.bin.op = OP_EQ;
	e->u.bin.l = count;
	e->u.bin.r = expr_num(m->a, m->global->span, 0);
	return e;
}

static struct stmt *scalar_body(struct making *m)
{
	const char *name = m->global->name->text;
	struct expr *args[6] = { NULL };
	struct stmt *s;

	if (m->global->type != TY_STATS) {
		const char *value = m->is_pointer ? "%#x" : value_format(m->global);

		args[0] = variable(m, m->global);
		return print_stmt(m, arena_printf(m->a, "%s=%s\n", name, value), args);
	}
	stat_args(m, scalar_stat, args);
	s = statement(m, STMT_IF);
	s->u.branch.cond = is_empty(m);
	s->u.branch.yes = print_stmt(m, arena_printf(m->a, "%s @count=0x0\n", name), args);
	s->u.branch.no = print_stmt(m, arena_printf(m->a, "%s%s", name, STAT_FORMAT), args);
	return s;
}

static struct expr *element(struct making *m)
{
	struct expr *e = node(m, EXPR_INDEX, m->global->type);
	struct expr_list **tail = &e->u.index.keys;
	struct symbol *key = m->probe->locals;

	e->u.index.name = m->global->name;
	e->u.index.sym = m->global;
	for (int i = 0; i < m->global->nkeys; i++, key = key->next) {
		*tail = ARENA_NEW(m->a, struct expr_list);
		(*tail)->e = variable(m, key);
		tail = &(*tail)->next;
	}
	return e;
}

/* foreach (v = [k0, k1] in g-) printf(...); for aggregates, sorted by count, foreach ([k0, k1] in g-). */
static struct stmt *array_body(struct making *m)
{
	struct symbol *g = m->global;
	struct stmt *s = statement(m, STMT_FOREACH);
	struct foreach_key **tail = &s->u.foreach.keys;
	struct expr *args[MAX_KEYS + 6] = { NULL };
	struct strbuf format = { 0 };
	int n = 0;

	strbuf_printf(&format, "%s[", g->name->text);
	for (; n < g->nkeys; n++) {
		struct symbol *key = local(m, arena_printf(m->a, "__idx%d", n), g->keys[n]);

		*tail = ARENA_NEW(m->a, struct foreach_key);
		(*tail)->var = variable(m, key);
		tail = &(*tail)->next;
		strbuf_printf(&format, "%s%s", n ? "," : "", g->keys[n] == TY_STRING ? "\"%#s\"" : "%#d");
		args[n] = variable(m, key);
	}
	s->u.foreach.array = variable(m, g);
	s->u.foreach.sorted_by_value = true;
	s->u.foreach.direction = -1;
	if (g->type == TY_STATS) {
		stat_args(m, element, args + n);
		strbuf_add(&format, "]");
		strbuf_add(&format, STAT_FORMAT);
	} else {
		s->u.foreach.value = variable(m, local(m, "__val", g->type));
		args[n] = variable(m, s->u.foreach.value->u.var.sym);
		strbuf_printf(&format, "]=%s\n", value_format(g));
	}
	s->u.foreach.body = print_stmt(m, format.text, args);
	strbuf_free(&format);
	return s;
}

static struct probe *end_probe(struct program *p, struct symbol *g)
{
	struct probe *q = ARENA_NEW(p->arena, struct probe);
	struct making m = { p->arena, q, g, g->type == TY_LONG && !g->is_array && is_pointer(p, g) };

	q->provider = &provider_begin;
	q->kind = SP_PROBE_END;
	q->span = g->span;
	q->point = q->chain = q->lines = "end";
	q->from = " from: end";
	q->order = INT64_MAX;		/* after the script's own */
	q->body = statement(&m, STMT_BLOCK);
	q->body->u.block = g->is_array ? array_body(&m) : scalar_body(&m);
	return q;
}

void add_autoprint(struct program *p)
{
	scan_uses(p);
	for (struct symbol *g = p->globals; g; g = g->next) {
		struct probe *q, **tail = p->state->last_probe ? &p->state->last_probe->next : &p->probes;

		if (g->is_library || g->read || !g->written)
			continue;
		q = end_probe(p, g);
		*tail = q;
		p->state->last_probe = q;
	}
}
