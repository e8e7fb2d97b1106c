/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass check: what is understood but can not be translated.  Mistakes that the reference, too, tells only in pass 3,
 * and each construct that spile does not carry out yet, by name and place.
 */
#include "elaborate/elaborate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct check {
	struct program *p;
	unsigned loops;			/* open around here */
	const struct function *fn;	/* or NULL */
};

/* The registers that scripts may write: all that hold a program's values, but for the vector ones. */
static bool has_place(const struct expr *to)
{
	const struct fetch *f = to->u.target.fetch;

	for (int i = 0; f && i < f->nvariants; i++) {
		const struct fetch_variant *v = &f->variant[i];

		if (v->lvalue == LV_NONE || (v->lvalue == LV_REGISTER && (v->reg > 15 || v->reg == 7)) ||
		    (v->size != 1 && v->size != 2 && v->size != 4 && v->size != 8))
			return false;
	}
	return true;
}

static void check_lvalue(struct check *c, const struct expr *at, const struct expr *to)
{
	struct diag *d = c->p->diag;

	if (to->kind == EXPR_VAR || to->kind == EXPR_INDEX || to->kind == EXPR_ERROR)
		return;
	if (to->kind == EXPR_ENTRY && to->u.entry.implied)
		diag_error(d, to->span, TAG_LVALUE, "write to target variable not permitted in .return probes: '%s'",
			   expr_text(c->p->arena, to->u.entry.e));
	else if (to->kind != EXPR_TARGET)
		diag_error(d, to->span, TAG_LVALUE, "invalid lvalue type: '%s'", expr_text(c->p->arena, to));
	else if (!c->p->options->guru)
		diag_error(d, to->span, TAG_GURU, to->u.target.base == TB_CAST ?
			   "write to @cast context variable not permitted; need stap -g" :
			   "write to target variable not permitted; need stap -g");
	else if (at->kind != EXPR_ASSIGN || at->u.assign.compound != OP_NONE)
		diag_error(d, at->span, TAG_LVALUE, "Only the following assign operator is implemented on target variables: =");
	else if (!has_place(to))
		diag_error(d, to->span, TAG_LVALUE, "'%s' can not be written: it is not in memory or a general register, as one piece",
			   expr_text(c->p->arena, to));
}

static void check_print(struct check *c, const struct expr *e)
{
	for (const struct expr_list *a = e->u.print.args; a; a = a->next)
		if (a->e->type == TY_STATS && a->e->kind != EXPR_HIST)
			diag_error(c->p->diag, a->e->span, TAG_PRINT, "cannot print a raw stats object");
}

static void check_expr(struct expr **ep, void *data)
{
	struct check *c = data;
	struct expr *e = *ep;

	if ((e->kind == EXPR_REGISTER || e->kind == EXPR_DEREF) && !e->u.machine.user && c->p->runtime == RUNTIME_USER)
		diag_error(c->p->diag, e->span, TAG_RUNTIME, "%s is for the kernel runtime: the user runtime has no access to the "
			   "kernel", e->kind == EXPR_REGISTER ? "@kregister" : "@kderef");
	if (e->kind == EXPR_PERF)
		diag_error(c->p->diag, e->span, TAG_NOT_YET, "@perf(\"%s\") has no counter to read: perf probes "
			   "(probe perf.type(N).config(N).counter(\"%s\")) are not there in spile " PACKAGE_VERSION,
			   e->u.perf.name->text, e->u.perf.name->text);
	if (e->kind == EXPR_ASSIGN)
		check_lvalue(c, e, e->u.assign.l);
	else if (e->kind == EXPR_INCDEC)
		check_lvalue(c, e, e->u.incdec.e);
	else if (e->kind == EXPR_PRINT)
		check_print(c, e);
	if (!(e->kind == EXPR_ENTRY && e->type))
		expr_children(e, check_expr, c);
}

static void check_stmt(struct stmt **sp, void *data)
{
	struct check *c = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	switch (s->kind) {
	case STMT_BREAK: case STMT_CONTINUE:
		if (!c->loops)
			diag_error(c->p->diag, s->span, TAG_LOOP, "cannot '%s' outside loop",
				   s->kind == STMT_BREAK ? "break" : "continue");
		break;
	case STMT_DELETE:
		if (s->u.expr->kind == EXPR_TARGET)
			check_lvalue(c, s->u.expr, s->u.expr);
		else
			check_expr(&s->u.expr, c);
		break;
	case STMT_FOR: case STMT_FOREACH:
		c->loops++;
		stmt_children(s, check_expr, check_stmt, c);
		c->loops--;
		break;
	default:
		stmt_children(s, check_expr, check_stmt, c);
	}
}

/*
 * A linear histogram has a bucket for each interval and three more (language.md 5.7).  The reference finds out when the
 * session starts; its words are kept.
 */
static void check_histograms(struct program *p)
{
	for (const struct symbol *s = p->globals; s; s = s->next) {
		const struct hist *h = s->hist;
		uint64_t n;

		if (!h || !h->linear)
			continue;
		if (h->width <= 0) {
			diag_error(p->diag, h->stat->span, TAG_HISTOGRAM, h->width ? "histogram: interval cannot be negative." :
				   "histogram: interval cannot be zero.");
			continue;
		}
		n = ((uint64_t)h->high - (uint64_t)h->low) / (uint64_t)h->width;
		if (h->high >= h->low && n <= (uint64_t)p->max_buckets - 3)
			continue;
		diag_error(p->diag, h->stat->span, TAG_HISTOGRAM, "global variable '%s' allocation failed: histogram: Number of "
			   "buckets must be between 1 and %" PRId64, s->name->text, p->max_buckets - 2);
		if (h->high >= h->low)
			diag_hint(p->diag, "from %" PRId64 " to %" PRId64 " by %" PRId64 " there are %" PRIu64
				  "; -D STP_MAX_BUCKETS=%" PRIu64 " is room for them", h->low, h->high, h->width, n + 1, n + 3);
	}
}

bool check_runnable(struct program *p)
{
	unsigned before = diag_errors(p->diag);
	struct check c = { .p = p };

	for (struct probe *q = p->probes; q; q = q->next) {
		for (struct entry_save *s = q->saves; s; s = s->next)
			check_expr(&s->e, &c);
		if (q->condition)
			check_expr(&q->condition, &c);
		check_stmt(&q->body, &c);
	}
	for (const struct function *f = p->functions; f; f = f->next) {
		struct stmt *body = f->body;

		c.fn = f;
		check_stmt(&body, &c);
	}
	check_histograms(p);
	return diag_errors(p->diag) == before;
}
