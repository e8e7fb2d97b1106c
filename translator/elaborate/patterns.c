/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass patterns: the automata of the regular expressions that are left, each distinct text once.
 *
 * Comes after dead code is gone, as the reference does not look at expressions that can not run either.  What groups matched
 * is noted only where some function that is called asks for it.
 */
#include "elaborate/elaborate.h"
#include "regex/regex.h"

#include <string.h>

/* Functions and expressions in C say so, as SystemTap's do (embedded-c.md 2). */
static bool asks_for_groups(const struct str *code)
{
	return strstr(code->text, "/* pragma:tagged_dfa */") != NULL;
}

static void look_groups(struct expr **e, void *data)
{
	if ((*e)->kind == EXPR_EMBEDDED && asks_for_groups((*e)->u.embedded.code))
		*(bool *)data = true;
}

static struct pattern *pattern_make(struct program *p, const struct expr *e)
{
	struct pattern **at = &p->patterns;
	struct regex_fault fault;
	int id = 0;

	for (; *at; at = &(*at)->next, id++)
		if ((*at)->text == e->u.regex.re)
			return *at;
	*at = ARENA_NEW(p->arena, struct pattern);
	(*at)->text = e->u.regex.re;
	(*at)->id = id;
	(*at)->automaton = regex_compile(p->arena, e->u.regex.re->text, e->u.regex.re->len, p->needs_groups, &fault);
	if (!(*at)->automaton)
		(*at)->fault = arena_printf(p->arena, "regex compilation error (at position %zu): %s", fault.position, fault.text);
	return *at;
}

static void compile(struct expr **ep, void *data)
{
	struct program *p = data;
	struct expr *e = *ep;

	if (e->kind != EXPR_REGEX)
		return;
	e->u.regex.pattern = pattern_make(p, e);
	if (e->u.regex.pattern->fault)
		diag_error(p->diag, e->u.regex.re_span, TAG_REGEX, "%s: string '%s'", e->u.regex.pattern->fault,
			   e->u.regex.re->text);
}

static void walk_program(struct program *p, expr_visitor visit, void *data)
{
	for (struct probe *q = p->probes; q; q = q->next) {
		for (struct entry_save *s = q->saves; s; s = s->next)
			walk_expr(&s->e, visit, data);
		if (q->condition)
			walk_expr(&q->condition, visit, data);
		walk_stmt(q->body, visit, data);
	}
	for (struct function *f = p->functions; f; f = f->next)
		walk_stmt(f->body, visit, data);
}

bool compile_patterns(struct program *p)
{
	unsigned before = diag_errors(p->diag);

	for (const struct function *f = p->functions; f; f = f->next)
		if (f->body && f->body->kind == STMT_EMBEDDED)
			p->needs_groups |= asks_for_groups(f->body->u.code);
	walk_program(p, look_groups, &p->needs_groups);
	walk_program(p, compile, p);
	return diag_errors(p->diag) == before;
}
