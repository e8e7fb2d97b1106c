/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stable functions: those that say in C that their value is the same all through a hit (spec/language.md 11.2).
 *
 * Where a body calls one at several places, or in a loop, its value is kept at the first call that is reached, in a variable
 * of the C function, and read from then on.  It is not asked for ahead of the first call: many a handler leaves before it, and
 * an error of the function belongs where it is called.  Start reading at emit_stable().
 */
#include "emit/inner.h"

#include "syntax/syntax.h"

#include <string.h>

static bool is_stable(const struct function *fn)
{
	return fn && !fn->nparams && !fn->overload && (fn->type == TY_LONG || fn->type == TY_STRING) && fn->body &&
	       fn->body->kind == STMT_EMBEDDED && strstr(fn->body->u.code->text, "/* stable */");
}

struct counting { struct body *b; unsigned loops; };

static void count_call(struct body *b, const struct function *fn, bool in_loop)
{
	unsigned i = 0;

	while (i < b->nstable && b->stable[i].fn != fn)
		i++;
	if (i == MAX_STABLE)
		return;
	if (i == b->nstable)
		b->stable[b->nstable++] = (struct stable){ .fn = fn };
	b->stable[i].kept |= in_loop || b->stable[i].called;
	b->stable[i].called = true;
}

static void in_expr(struct expr **e, void *data)
{
	struct counting *n = data;

	if (!*e)
		return;
	if ((*e)->kind == EXPR_CALL && is_stable((*e)->u.call.fn))
		count_call(n->b, (*e)->u.call.fn, n->loops);
	expr_children(*e, in_expr, n);
}

static void in_stmt(struct stmt **s, void *data)
{
	struct counting *n = data;
	bool is_loop = *s && ((*s)->kind == STMT_FOR || (*s)->kind == STMT_FOREACH);

	if (!*s)
		return;
	n->loops += is_loop;
	stmt_children(*s, in_expr, in_stmt, n);
	n->loops -= is_loop;
}

void find_stable(struct body *b, struct stmt *body)
{
	struct counting n = { b, 0 };

	if (!b->f->p->options->unoptimised)
		in_stmt(&body, &n);
}

static const char *stable_c(struct body *b, const struct stable *k)
{
	return text(b, "the_%s", function_c(b->f, k->fn) + strlen("f_"));
}

bool emit_stable(struct body *b, const struct expr *e, struct cvalue *v)
{
	struct stable *k;
	const char *name;
	bool asks;
	unsigned i = 0;

	while (i < b->nstable && b->stable[i].fn != e->u.call.fn)
		i++;
	k = &b->stable[i];
	if (i == b->nstable || !k->kept)
		return false;
	name = stable_c(b, k);
	*v = temp_value(name);
	if (b->done & DONE_STABLE(i))
		return true;
	asks = k->emitted || b->loop;	/* some way to here may have called it */
	if (asks)
		emit_line(b, "if (!has_%s) {", name);
	b->indent += asks;
	place_set(b, place_of_expr(b->f, e));
	emit_line(b, "%s = %s(c);", name, function_c(b->f, k->fn));
	check(b);
	k->flagged |= b->indent - asks > 1;
	if (b->indent - asks > 1)
		emit_line(b, "has_%s = 1;", name);
	b->indent -= asks;
	if (asks)
		emit_line(b, "}");
	k->emitted = true;
	b->done |= DONE_STABLE(i);
	b->at = -1;		/* the function left its own places */
	return true;
}

void declare_stable(struct strbuf *to, struct body *b)
{
	for (unsigned i = 0; i < b->nstable; i++) {
		const struct stable *k = &b->stable[i];

		if (k->emitted && k->fn->type == TY_STRING)
			strbuf_printf(to, "\tstruct sp_str %s = SP_EMPTY;\n", stable_c(b, k));
		else if (k->emitted)
			strbuf_printf(to, "\tsp_i64 %s = 0;\n", stable_c(b, k));
		if (k->flagged)
			strbuf_printf(to, "\tsp_bool has_%s = 0;\n", stable_c(b, k));
	}
}

const char *stable_strings(struct body *b)
{
	const char *list = "";

	for (unsigned i = 0; i < b->nstable; i++)
		if (b->stable[i].kept && b->stable[i].fn->type == TY_STRING)
			list = text(b, "%s, &%s", list, stable_c(b, &b->stable[i]));
	return list;
}
