/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes dead and prune: what can not run or can not be seen goes, with the warnings of language.md 9; then what is
 * left gets its numbers.  Start reading at drop_dead() and prune_unused().
 */
#include "elaborate/elaborate.h"

#include <string.h>

struct pruning {
	struct program *p;
	bool fold;			/* types are known: constants may be folded */
	bool changed;
	struct symbol *locals;		/* of the body now looked at */
};

#define WARN(k, at, tag, ...) do { \
		if (is_user_text((k)->p, (at))) \
			diag_warning((k)->p->diag, (at), (tag), __VA_ARGS__); \
	} while (0)

/* ------------------------------------------------------------------------------------------------ assignments nobody reads */

static void elide_assignment(struct expr **ep, void *data)
{
	struct pruning *k = data;
	struct expr *e = *ep;
	struct symbol *s;

	if (!e)
		return;
	if (e->kind == EXPR_ENTRY && e->type)
		return;
	expr_children(e, elide_assignment, k);
	if (e->kind != EXPR_ASSIGN || e->u.assign.op != OP_SET || e->u.assign.compound != OP_NONE)
		return;
	s = e->u.assign.l->kind == EXPR_VAR ? e->u.assign.l->u.var.sym : NULL;
	if (!s || s->kind != SYM_LOCAL || s->read)
		return;
	WARN(k, e->span, TAG_ELIDED, "Eliding assignment to '%s'", s->name->text);
	*e = *e->u.assign.r;
	e->elided = true;
	k->changed = true;
}

static void elide_in_stmt(struct stmt **s, void *data)
{
	if (*s)
		stmt_children(*s, elide_assignment, elide_in_stmt, data);
}

/* ------------------------------------------------------------------------------------------------ statements without effect */

static bool is_empty(const struct stmt *s)
{
	if (!s || s->kind == STMT_NULL)
		return true;
	if (s->kind != STMT_BLOCK)
		return false;
	for (const struct stmt *q = s->u.block; q; q = q->next)
		if (!is_empty(q))
			return false;
	return true;
}

static bool is_next(const struct stmt *s)
{
	return s->kind == STMT_BLOCK && s->u.block && s->u.block->kind == STMT_NEXT;
}

static void drop(struct pruning *k, struct stmt *s)
{
	s->kind = STMT_NULL;
	k->changed = true;
}

static void drop_expr(struct pruning *k, struct stmt *s)
{
	struct expr *e = s->u.expr;

	if (has_effects(k->p, e))
		return;
	/* of an assignment elided just now one message is enough */
	if (!e->elided)
		WARN(k, e->span, TAG_ELIDED, "Eliding side-effect-free expression : '%s'", expr_text(k->p->arena, e));
	drop(k, s);
}

static void drop_if(struct pruning *k, struct stmt *s)
{
	struct expr *cond = s->u.branch.cond;

	if (is_empty(s->u.branch.no))
		s->u.branch.no = NULL;
	if (!is_empty(s->u.branch.yes) || s->u.branch.no)
		return;
	if (!has_effects(k->p, cond)) {
		drop(k, s);
		return;
	}
	s->kind = STMT_EXPR;
	s->u.expr = cond;
	k->changed = true;
}

static bool harmless(const struct pruning *k, const struct expr *e)
{
	return !e || !has_effects(k->p, e);
}

static void drop_useless(struct stmt **sp, void *data);

/* Nulls go; nested blocks stay, they cost nothing. */
static void drop_nulls(struct stmt *block)
{
	for (struct stmt **at = &block->u.block; *at; )
		if (is_empty(*at))
			*at = (*at)->next;
		else
			at = &(*at)->next;
}

static void nothing(struct expr **e, void *data)
{
	(void)e;
	(void)data;
}

static void drop_useless(struct stmt **sp, void *data)
{
	struct pruning *k = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	stmt_children(s, nothing, drop_useless, k);
	switch (s->kind) {
	case STMT_EXPR:
		drop_expr(k, s);
		break;
	case STMT_IF:
		drop_if(k, s);
		break;
	case STMT_FOR:
		if (is_empty(s->u.loop.body) && harmless(k, s->u.loop.init) && harmless(k, s->u.loop.cond) &&
		    harmless(k, s->u.loop.step) && s->u.loop.cond)
			drop(k, s);
		break;
	case STMT_FOREACH:
		if (is_empty(s->u.foreach.body) && harmless(k, s->u.foreach.limit))
			drop(k, s);
		break;
	case STMT_TRY:
		if (is_empty(s->u.try.body))
			drop(k, s);
		break;
	case STMT_BLOCK:
		drop_nulls(s);
		break;
	default:
		break;
	}
}

static void prune_body(struct pruning *k, struct stmt *body)
{
	if (k->fold && fold_body(k->p, body))
		k->changed = true;
	elide_in_stmt(&body, k);
	drop_useless(&body, k);
}

/* ------------------------------------------------------------------------------------------------ variables */

static const char *similar_locals(struct pruning *k, const struct symbol *s, const struct symbol *all)
{
	const char *names[64];
	unsigned n = 0;

	for (; all && n < 64; all = all->next)
		if (all != s)
			names[n++] = all->name->text;
	return similar_text(k->p->arena, "similar", s->name->text, names, n, false);
}

static void warn_never_assigned(struct pruning *k, const struct symbol *all, const char *what)
{
	for (const struct symbol *s = all; s; s = s->next)
		if (s->read && !s->written && !s->init)
			WARN(k, s->span, TAG_NEVER_ASSIGNED, "never-assigned %s variable '%s'%s", what, s->name->text,
			     similar_locals(k, s, all));
}

static void warn_unused(struct pruning *k)
{
	for (const struct symbol *s = k->p->globals; s; s = s->next)
		if (!s->read && !s->written)
			WARN(k, s->span, TAG_ELIDED, "Eliding unused variable '%s'", s->name->text);
}

/* ------------------------------------------------------------------------------------------------ the pass before types */

static void elide_empty_probes(struct pruning *k)
{
	struct probe *prev = NULL, *next;

	for (struct probe *q = k->p->probes; q; q = next) {
		next = q->next;
		if (q->hidden || !is_empty(q->body)) {
			prev = q;
			continue;
		}
		WARN(k, q->span, TAG_ELIDED, "Probe '%s' has been elided", q->chain);
		*(prev ? &prev->next : &k->p->probes) = next;
		if (q->entry_probe)
			q->entry_probe->saves = NULL;
	}
}

/* Hidden probes whose return probe is gone, or no longer reads what they keep. */
static void drop_hidden(struct program *p)
{
	struct probe **at = &p->probes;

	while (*at)
		if ((*at)->hidden && !(*at)->saves)
			*at = (*at)->next;
		else
			at = &(*at)->next;
}

static void relist(struct program *p)
{
	p->state->last_probe = NULL;
	for (struct probe *q = p->probes; q; q = q->next)
		p->state->last_probe = q;
}

/* What a condition that never holds guards can not run; the probe is there all the same. */
static void prune_condition(struct pruning *k, struct probe *q)
{
	struct stmt *next;

	fold_condition(k->p, q->condition);
	if (q->condition->kind != EXPR_NUM || q->condition->u.num || !q->body || is_next(q->body))
		return;
	next = ARENA_NEW(k->p->arena, struct stmt);
	next->kind = STMT_NEXT;
	next->span = q->condition->span;
	q->body->kind = STMT_BLOCK;
	q->body->u.block = next;
	k->changed = true;
}

static void prune_round(struct pruning *k)
{
	struct function_list *l = &k->p->state->functions;

	k->changed = false;
	reach_functions(k->p);
	scan_uses(k->p);
	for (struct probe *q = k->p->probes; q; q = q->next) {
		if (q->condition && k->fold)
			prune_condition(k, q);
		if (q->body)
			prune_body(k, q->body);
	}
	for (unsigned i = 0; i < l->n; i++)
		prune_body(k, l->fn[i]->body);
}

static void warn_variables(struct pruning *k)
{
	struct function_list *l = &k->p->state->functions;

	scan_uses(k->p);
	for (struct probe *q = k->p->probes; q; q = q->next)
		warn_never_assigned(k, q->locals, "local");
	for (unsigned i = 0; i < l->n; i++)
		warn_never_assigned(k, l->fn[i]->locals, "local");
	warn_never_assigned(k, k->p->globals, "global");
	warn_unused(k);
}

/* Rounds until nothing more goes, then the probes that are empty. */
static bool prune_all(struct pruning *k)
{
	struct program *p = k->p;

	do
		prune_round(k);
	while (k->changed);
	elide_empty_probes(k);
	drop_hidden(p);
	relist(p);
	reach_functions(p);
	scan_uses(p);
	if (!p->probes)
		diag_error(p->diag, NO_SPAN, TAG_NO_PROBES, "no probes found");
	return p->probes;
}

bool drop_dead(struct program *p)
{
	struct pruning k = { .p = p };

	reach_functions(p);
	scan_uses(p);
	if (p->options->unoptimised)
		return true;
	warn_variables(&k);
	return prune_all(&k);
}

/* ------------------------------------------------------------------------------------------------ target variables that are missing */

/* What @e lacks to have a value; false where it lacks nothing. */
static bool is_missing(const struct expr *e, const struct di_miss **miss)
{
	switch (e->kind) {
	case EXPR_TARGET:
		*miss = e->u.target.miss;
		return !e->u.target.fetch;
	case EXPR_ENUM:
		*miss = e->u.perf.miss;
		return true;
	case EXPR_ENUMNAME:
		*miss = e->u.enumname.miss;
		return !e->u.enumname.ctype;
	default:
		return false;
	}
}

/* --skip-badvars */
static void replace_missing(struct program *p, struct expr *e)
{
	if (is_user_text(p, e->span))
		diag_warning(p->diag, e->span, TAG_TARGET, "Bad $context variable being substituted with literal 0");
	if (e->type == TY_STRING) {
		e->kind = EXPR_STR;
		e->u.str = str_intern(p->arena, "");
		return;
	}
	e->kind = EXPR_NUM;
	e->u.num = 0;
}

static void tell_missing(struct expr **ep, void *data)
{
	struct program *p = data;
	struct expr *e = *ep;
	const struct di_miss *m;

	if (!is_missing(e, &m))
		return;
	if (!m) {		/* in a function that no probe's handler calls */
		diag_error(p->diag, e->span, TAG_TARGET, "unresolved target-symbol expression '%s'", expr_text(p->arena, e));
		return;
	}
	if (p->options->skip_badvars) {
		replace_missing(p, e);
		return;
	}
	diag_error(p->diag, e->span, m->reason == DI_UNSUPPORTED ? TAG_NOT_YET : TAG_TARGET,
		   "unresolved target-symbol expression '%s': %s%s", expr_text(p->arena, e),
		   m->text ? m->text : "not found", m->nalt ? similar_text(p->arena, "alternatives", "", m->alt, m->nalt, true) : "");
	if (e->kind == EXPR_TARGET && e->u.target.where)
		diag_note(p->diag, NO_SPAN, "at %s", e->u.target.where);
	if (m->decl_file)
		diag_note(p->diag, NO_SPAN, "declared at %s:%u", m->decl_file, m->decl_line);
	if (m->readable)
		diag_note(p->diag, NO_SPAN, "readable there: %s", m->readable);
	tell_searched(p, m);
	if (m->hint)
		diag_hint(p->diag, "%s", m->hint);
}

static void tell_all_missing(struct program *p)
{
	struct function_list *l = &p->state->functions;

	for (struct probe *q = p->probes; q; q = q->next) {
		for (struct entry_save *s = q->saves; s; s = s->next)
			walk_expr(&s->e, tell_missing, p);
		if (q->condition)
			walk_expr(&q->condition, tell_missing, p);
		walk_stmt(q->body, tell_missing, p);
	}
	for (unsigned i = 0; i < l->n; i++)
		walk_stmt(l->fn[i]->body, tell_missing, p);
}

/* ------------------------------------------------------------------------------------------------ numbers */

static void keep_used(struct symbol **list)
{
	int id = 0;

	while (*list)
		if ((*list)->read || (*list)->written) {
			(*list)->id = id++;
			list = &(*list)->next;
		} else {
			*list = (*list)->next;
		}
}

/* Functions of @f's name in @s, before @f itself where that is one of them: *found then. */
static unsigned count_before(const struct script *s, const struct function *f, bool *found)
{
	unsigned n = 0;

	for (const struct function *g = s->functions; g && !*found; g = g->next) {
		*found = s == f->script && g->span.off == f->span.off;
		n += !*found && g->name == f->name;
	}
	return n;
}

/*
 * Overloads count in the order in which they were written, priorities aside: the library's files in the order of the
 * search, then the user's.  Copies count as what they copy.
 */
static unsigned overload_number(struct program *p, const struct function *f)
{
	struct script *const *of_library;
	unsigned n = 0, nfound;
	bool found = false;

	of_library = library_find(p->tapset, LIB_FUNCTION, f->name->text, &nfound);
	for (unsigned i = 0; i < nfound && !found; i++)
		n += count_before(of_library[i], f, &found);
	for (const struct script *s = p->user; s && !found; s = s->next)
		n += count_before(s, f, &found);
	return found ? n : count_before(f->script, f, &found);	/* private to a file that has no other of the name */
}

static void number(struct program *p)
{
	struct function_list *l = &p->state->functions;
	struct function **tail = &p->functions;
	int id = 0;

	/* while each file's functions are still linked; only -p2 -v shows them */
	p->state->overload_number = ARENA_ARRAY(p->arena, unsigned, l->n + 1);
	for (unsigned i = 0; p->options->last_pass == 2 && p->options->verbose && i < l->n; i++)
		p->state->overload_number[i] = overload_number(p, l->fn[i]);
	for (unsigned i = 0; i < l->n; i++) {
		l->fn[i]->id = (int)i;
		keep_used(&l->fn[i]->locals);
		*tail = l->fn[i];
		tail = &l->fn[i]->next;
	}
	*tail = NULL;
	for (struct probe *q = p->probes; q; q = q->next) {
		q->id = id++;
		keep_used(&q->locals);
	}
	keep_used(&p->globals);
}

bool prune_unused(struct program *p)
{
	unsigned before = diag_errors(p->diag);
	struct pruning k = { .p = p, .fold = true };

	check_outside(p);
	if (!p->options->unoptimised && !prune_all(&k))
		return false;
	if (!p->options->no_autoprint && !is_older(p, "1.4"))
		add_autoprint(p);
	scan_uses(p);
	tell_all_missing(p);
	number(p);
	check_privilege(p);
	find_locks(p);
	return diag_errors(p->diag) == before;
}
