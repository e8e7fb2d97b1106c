/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe points, their brace groups multiplied out, and the probes and aliases made of them.
 *
 * A point under construction is a list already: what its groups have made of it so far.
 * Start reading at points_join().
 */
#include <string.h>

#include "syntax/parser.h"
#include "syntax/parse.h"

/* Points one brace expression may multiply to. */
#define POINTS_MAX 65536

struct points point_step(struct parser *p, const struct token *word, const struct token *arg)
{
	struct component *c = ARENA_NEW(p->arena, struct component);
	struct probe_point *point = ARENA_NEW(p->arena, struct probe_point);

	c->span = word->span;
	c->name = word->text;
	if (arg) {
		c->arg = arg->kind == STRING ? ARG_STR : ARG_NUM;
		c->str = arg->text;
		c->num = arg->num;
		c->arg_span = arg->span;
	}
	point->components = c;
	point->span = arg ? span_join(word->span, arg->span) : word->span;
	return (struct points){ point, point, 1 };
}

struct points points_append(struct points a, struct points b)
{
	a.last->next = b.first;
	a.last = b.last;
	a.n += b.n;
	return a;
}

/* Copies @from in front of @rest. */
static struct component *components_copy(struct arena *a, const struct component *from, struct component *rest)
{
	struct component *first = rest, **end = &first;

	for (; from; from = from->next) {
		struct component *c = ARENA_NEW(a, struct component);

		*c = *from;
		c->next = rest;
		*end = c;
		end = &c->next;
	}
	return first;
}

static bool has_suffix(const struct probe_point *point)
{
	return point->optional || point->sufficient || point->condition;
}

struct points points_join(struct parser *p, struct span dot, struct points left, struct points right)
{
	struct points all = { 0 };

	if ((uint64_t)left.n * right.n > POINTS_MAX) {
		if (!p->too_many_told)
			diag_error(p->diag, dot, TAG_PROBE_POINT, "the groups multiply to more than %d probe points",
				   POINTS_MAX);
		p->too_many_told = true;
		return left;
	}
	for (struct probe_point *l = left.first; l; l = l->next) {
		if (has_suffix(l))
			diag_error(p->diag, l->span, TAG_PROBE_POINT,
				   "'?', '!' or condition must only be specified in suffix");
		for (struct probe_point *r = right.first; r; r = r->next) {
			struct probe_point *point = ARENA_NEW(p->arena, struct probe_point);

			*point = *r;
			point->next = NULL;
			point->components = components_copy(p->arena, l->components, r->components);
			point->span = span_join(l->span, r->span);
			all = all.n ? points_append(all, (struct points){ point, point, 1 }) :
			      (struct points){ point, point, 1 };
		}
	}
	return all;
}

struct points points_suffix(struct parser *p, struct span at, struct points points, int mark, struct expr *cond)
{
	for (struct probe_point *point = points.first; point; point = point->next) {
		if (mark && (point->optional || point->sufficient))
			diag_error(p->diag, at, TAG_PROBE_POINT, "'?' or '!' respecified");
		if (cond && point->condition)
			diag_error(p->diag, at, TAG_PROBE_POINT, "condition respecified");
		point->optional = point->optional || mark;	/* sufficient implies optional */
		point->sufficient = point->sufficient || mark == '!';
		if (cond)
			point->condition = cond;
	}
	return points;
}

/* The names of an alias are simple. */
static bool check_alias(struct parser *p, struct points points, struct span at)
{
	if (points.n != 1) {
		diag_error(p->diag, at, TAG_ALIAS, "expected probe point specifier: an alias has one name, "
			   "without braces or commas");
		return false;
	}
	if (has_suffix(points.first)) {
		diag_error(p->diag, at, TAG_ALIAS, "'?', '!' or condition must not follow an alias name");
		return false;
	}
	for (struct component *c = points.first->components; c; c = c->next) {
		if (c->arg != ARG_NONE)
			diag_error(p->diag, c->span, TAG_ALIAS, "alias component %s contains illegal parameter",
				   c->name->text);
		else if (strchr(c->name->text, '*'))
			diag_error(p->diag, c->span, TAG_ALIAS, "invalid use of wildcard probe point component");
		else
			continue;
		return false;
	}
	return true;
}

void chain_next(struct parser *p, struct alias_chain *chain, struct points points, struct span at, bool append)
{
	struct alias_name *name = ARENA_NEW(p->arena, struct alias_name);

	if (chain->append)
		diag_error(p->diag, at, TAG_ALIAS, "nothing may follow '+=' but the points it appends to");
	check_alias(p, chain->points, chain->at);
	name->components = chain->points.first->components;
	if (chain->last)
		chain->last->next = name;
	else
		chain->first = name;
	chain->last = name;
	chain->points = points;
	chain->at = at;
	chain->append = append;
}

static void add_alias(struct parser *p, struct span at, const struct alias_chain *chain, struct stmt *body,
		      struct stmt *epilogue)
{
	struct alias *a = ARENA_NEW(p->arena, struct alias);

	if (chain->append && epilogue)
		diag_error(p->diag, epilogue->span, TAG_ALIAS,
			   "Combined prologue and epilogue cannot be defined with '+='");
	a->span = at;
	a->names = chain->first;
	a->points = chain->points.first;
	a->append = chain->append;
	a->prologue = chain->append ? NULL : body;
	a->epilogue = chain->append ? body : epilogue;
	a->script = p->script;
	*p->aliases_end = a;
	p->aliases_end = &a->next;
}

void add_probe(struct parser *p, struct span at, struct alias_chain chain, struct stmt *body,
	       struct stmt *epilogue)
{
	struct probe_decl *probe;

	claims_settle(p, false);
	if (chain.first) {
		add_alias(p, at, &chain, body, epilogue);
		return;
	}
	if (epilogue)
		diag_error(p->diag, epilogue->span, TAG_ALIAS, "only an alias has an epilogue");
	probe = ARENA_NEW(p->arena, struct probe_decl);
	probe->span = at;
	probe->points = chain.points.first;
	probe->body = body;
	probe->script = p->script;
	*p->probes_end = probe;
	p->probes_end = &probe->next;
}
