/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits the direct children of a node, in order of evaluation.  A pass recurses through its visitor. */
#include "syntax/syntax.h"

typedef void visit_expr(struct expr **child, void *data);
typedef void visit_stmt(struct stmt **child, void *data);

static void one(struct expr **e, visit_expr *visit, void *data)
{
	if (*e)
		visit(e, data);
}

static void list(struct expr_list *l, visit_expr *visit, void *data)
{
	for (; l; l = l->next)
		one(&l->e, visit, data);
}

static void histogram(struct hist *h, visit_expr *visit, void *data)
{
	if (h)
		one(&h->stat, visit, data);
}

static void target(struct expr *e, visit_expr *visit, void *data)
{
	one(&e->u.target.operand, visit, data);
	for (struct access *a = e->u.target.path; a; a = a->next)
		if (a->kind == ACC_INDEX)
			one(&a->index, visit, data);
}

void expr_children(struct expr *e, visit_expr *visit, void *data)
{
	switch (e->kind) {
	case EXPR_ERROR: case EXPR_NUM: case EXPR_STR: case EXPR_VAR: case EXPR_PERF: case EXPR_PROBEWRITE:
	case EXPR_CONST: case EXPR_EMBEDDED: case EXPR_ENUM: case EXPR_KINDS:
		break;
	case EXPR_INDEX:
		list(e->u.index.keys, visit, data);
		break;
	case EXPR_CALL:
		list(e->u.call.args, visit, data);
		break;
	case EXPR_UNARY:
		one(&e->u.un.e, visit, data);
		break;
	case EXPR_BINARY:
		one(&e->u.bin.l, visit, data);
		one(&e->u.bin.r, visit, data);
		break;
	case EXPR_TERNARY:
		one(&e->u.tern.cond, visit, data);
		one(&e->u.tern.yes, visit, data);
		one(&e->u.tern.no, visit, data);
		break;
	case EXPR_ASSIGN:
		one(&e->u.assign.l, visit, data);
		one(&e->u.assign.r, visit, data);
		break;
	case EXPR_INCDEC:
		one(&e->u.incdec.e, visit, data);
		break;
	case EXPR_IN:
		list(e->u.in.keys, visit, data);
		one(&e->u.in.array, visit, data);
		histogram(e->u.in.hist, visit, data);
		break;
	case EXPR_REGEX:
		one(&e->u.regex.subject, visit, data);
		break;
	case EXPR_TARGET:
		target(e, visit, data);
		break;
	case EXPR_ENTRY:
		one(&e->u.entry.e, visit, data);
		break;
	case EXPR_DEFINED:
		one(&e->u.defined.e, visit, data);
		break;
	case EXPR_REGISTER: case EXPR_DEREF:
		one(&e->u.machine.a, visit, data);
		one(&e->u.machine.b, visit, data);
		break;
	case EXPR_ENUMNAME:
		one(&e->u.enumname.e, visit, data);
		break;
	case EXPR_EXTRACT:
		one(&e->u.extract.stat, visit, data);
		one(&e->u.extract.shift, visit, data);
		break;
	case EXPR_HIST:
		histogram(e->u.hist, visit, data);
		break;
	case EXPR_HISTINDEX:
		histogram(e->u.histindex.hist, visit, data);
		one(&e->u.histindex.bucket, visit, data);
		break;
	case EXPR_PRINT:
		list(e->u.print.before, visit, data);
		list(e->u.print.args, visit, data);
		break;
	}
}

static void nested(struct stmt **s, visit_stmt *visit, void *data)
{
	if (*s)
		visit(s, data);
}

/* The loop's limit and slice are read once, before keys and value are written. */
static void foreach(struct stmt *s, visit_expr *visit_e, visit_stmt *visit_s, void *data)
{
	one(&s->u.foreach.limit, visit_e, data);
	list(s->u.foreach.slice, visit_e, data);
	one(&s->u.foreach.array, visit_e, data);
	histogram(s->u.foreach.hist, visit_e, data);
	for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
		one(&k->var, visit_e, data);
	one(&s->u.foreach.value, visit_e, data);
	nested(&s->u.foreach.body, visit_s, data);
}

void stmt_children(struct stmt *s, visit_expr *visit_e, visit_stmt *visit_s, void *data)
{
	switch (s->kind) {
	case STMT_NULL: case STMT_NEXT: case STMT_BREAK: case STMT_CONTINUE: case STMT_EMBEDDED: case STMT_KINDS:
		break;
	case STMT_BLOCK:
		for (struct stmt **at = &s->u.block; *at; at = &(*at)->next)
			visit_s(at, data);
		break;
	case STMT_EXPR: case STMT_RETURN: case STMT_DELETE:
		one(&s->u.expr, visit_e, data);
		break;
	case STMT_IF:
		one(&s->u.branch.cond, visit_e, data);
		nested(&s->u.branch.yes, visit_s, data);
		nested(&s->u.branch.no, visit_s, data);
		break;
	case STMT_FOR:
		one(&s->u.loop.init, visit_e, data);
		one(&s->u.loop.cond, visit_e, data);
		nested(&s->u.loop.body, visit_s, data);
		one(&s->u.loop.step, visit_e, data);
		break;
	case STMT_FOREACH:
		foreach(s, visit_e, visit_s, data);
		break;
	case STMT_TRY:
		nested(&s->u.try.body, visit_s, data);
		one(&s->u.try.message, visit_e, data);
		nested(&s->u.try.handler, visit_s, data);
		break;
	}
}
