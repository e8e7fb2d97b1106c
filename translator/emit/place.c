/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in the script, as run-time errors name them: "near operator '/' at x.stp:3:14".
 *
 * The token of a statement or operator is found in the source text again: trees keep spans, not tokens.
 */
#include "emit/inner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/syntax.h"

unsigned text_table_add(struct text_table *t, struct arena *a, const char *s)
{
	for (unsigned i = 0; i < t->n; i++)
		if (!strcmp(t->text[i], s))
			return i;
	if (t->n == t->room) {
		const char **more;

		t->room = t->room ? 2 * t->room : 32;
		more = ARENA_ARRAY(a, const char *, t->room);
		if (t->n)
			memcpy(more, t->text, t->n * sizeof(*more));
		t->text = more;
	}
	t->text[t->n] = s;
	return t->n++;
}

int place_of(struct cfile *f, struct span at, const char *token)
{
	unsigned line = 0, column = 0;
	const char *file = at.source ? at.source->name : "<none>";

	if (at.source)
		span_place(at, &line, &column);
	return text_table_add(&f->places, f->a, arena_printf(f->a, "%s, %s, %u, %u",
		c_string(f->a, token, strlen(token)), c_string(f->a, file, strlen(file)), line, column));
}

/* An operator stands between its operands; parentheses and comments may stand there too. */
static struct span operator_span(struct span whole, struct span left, const char *op)
{
	struct span s = whole;
	unsigned off = left.off + left.len, end = whole.off + whole.len;
	size_t n = strlen(op);

	if (!whole.source || left.source != whole.source)
		return whole;
	for (; off + n <= end; off++) {
		if (memcmp(whole.source->text + off, op, n))
			continue;
		s.off = off;
		s.len = n;
		return s;
	}
	return whole;
}

/* "identifier 'x'" for the word at the start of @at. */
static int word_place(struct cfile *f, struct span at, const char *class)
{
	size_t n = 0;
	const char *s;

	if (!at.source)
		return place_of(f, at, class);
	s = at.source->text + at.off;
	while (at.off + n < at.source->len && (isalnum((unsigned char)s[n]) || (s[n] && strchr("_$@", s[n]))))
		n++;
	return place_of(f, at, arena_printf(f->a, "%s '%.*s'", class, (int)n, s));
}

static int operator_place(struct cfile *f, const struct expr *e, const struct expr *left, const char *op)
{
	return place_of(f, left ? operator_span(e->span, left->span, op) : e->span,
			arena_printf(f->a, "operator '%s'", op));
}

int place_of_expr(struct cfile *f, const struct expr *e)
{
	const char *op;

	switch (e->kind) {
	case EXPR_BINARY:
		return operator_place(f, e, e->u.bin.l, op_text(e->u.bin.op));
	case EXPR_UNARY:
		return operator_place(f, e, NULL, op_text(e->u.un.op));
	case EXPR_TERNARY:
		return operator_place(f, e, e->u.tern.cond, "?");
	case EXPR_ASSIGN:
		op = op_text(e->u.assign.op);
		if (e->u.assign.compound)
			op = arena_printf(f->a, "%s=", op_text(e->u.assign.compound));
		return operator_place(f, e, e->u.assign.l, op);
	case EXPR_INCDEC:
		return operator_place(f, e, e->u.incdec.postfix ? e->u.incdec.e : NULL, op_text(e->u.incdec.op));
	case EXPR_NUM:
		return word_place(f, e->span, "number");
	case EXPR_EXTRACT:
	case EXPR_ENTRY:
	case EXPR_DEREF:
		return word_place(f, e->span, "operator");
	case EXPR_TARGET:
		if (e->u.target.base == TB_VAR || e->u.target.base == TB_CAST)
			return word_place(f, e->span, "operator");
		return word_place(f, e->span, "identifier");
	default:
		return word_place(f, e->span, "identifier");
	}
}

int place_of_stmt(struct cfile *f, const struct stmt *s)
{
	if (s->kind == STMT_EXPR && s->u.expr)
		return place_of_expr(f, s->u.expr);
	return place_of(f, s->span, "keyword");
}

void place_set(struct body *b, int place)
{
	if (b->at == place)
		return;
	emit_line(b, "c->at = %d;", place);
	b->at = place;
}
