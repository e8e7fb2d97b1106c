/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a provider's sites to probes: the body assembled from aliases and handler, each target variable resolved at
 * each site, and sites whose bodies come out alike put into one probe.
 *
 * A body is walked once for each site; what each target expression means there is written down as a list of
 * answers, in the order of the walk.  The answers' shape (what is fetched, what is replaced by which text, what is
 * missing) is the key of a group; the first site of a group makes its copy of the body.  What differs within a
 * group, where the values lie, are the variants.  A body without target expressions is one group whatever the
 * number of sites, and is walked once.
 *
 * In .return probes `$x' means the value at the function's entry: it is asked for at the site's entry site and read
 * from a slot that a hidden probe fills there.  Start reading at probes_make().
 */
#include "elaborate/ctypes.h"
#include "elaborate/elaborate.h"
#include "elaborate/texts.h"

#include <stdlib.h>
#include <string.h>

#include "probes/target.h"

/* A target expression may be replaced by an expression with target expressions in it; this deep. */
enum { MAX_REPLACEMENTS = 8 };

/* When a target expression is looked at. */
enum moment { AT_HIT, AT_ENTRY };

struct answer {
	enum { ANSWER_FETCH, ANSWER_REPLACE, ANSWER_TYPE, ANSWER_MISS } kind;
	enum moment moment;
	struct target_result result;
};
struct answers {
	struct answer *a;
	unsigned n, room;
	bool is_return;
};

/* One copy of the body, and the sites that share it. */
struct group {
	struct probe *probe, *entry;		/* entry: the hidden probe, or NULL */
	struct function **copy;			/* of m->copies, its own */
	struct fetch **fetch;			/* in the order of answers; NULL where the use was folded away */
	enum moment *moment;
	unsigned nfetch;
	struct texts variants, entry_variants;	/* those made so far */
	struct texts entries;			/* functions whose entry the hidden probe has */
	struct site *last, *last_entry;
};

struct making {
	struct program *p;
	const struct derivation *d;
	struct stmt *body;			/* as assembled; copied for each group */
	struct expr *condition;
	struct copies copies;			/* functions that are a part of it */
	bool is_return;
	struct ctype_place ctypes;
	struct texts shapes;			/* keys of groups */
	struct group **groups;			/* by number of shape, on the heap */
	unsigned room;
};

/* ------------------------------------------------------------------------------------------------ bodies */

struct probewrite { struct program *p; const struct stmt *handler; };
struct assigned { const struct str *name; bool found; };

static void look_assigned(struct expr **e, void *data)
{
	struct assigned *a = data;
	const struct expr *to = (*e)->kind == EXPR_ASSIGN ? (*e)->u.assign.l :
				(*e)->kind == EXPR_INCDEC ? (*e)->u.incdec.e : NULL;

	if (to && to->kind == EXPR_VAR && to->u.var.name == a->name)
		a->found = true;
}

static void settle_probewrite(struct expr **e, void *data)
{
	struct probewrite *w = data;
	struct assigned a;

	if ((*e)->kind != EXPR_PROBEWRITE)
		return;
	a = (struct assigned){ (*e)->u.perf.name, false };
	walk_stmt((struct stmt *)(uintptr_t)w->handler, look_assigned, &a);
	*e = expr_num(w->p->arena, (*e)->span, a.found);
}

static void add_part(struct making *m, struct stmt ***tail, const struct stmt *part, bool of_alias)
{
	struct probewrite w = { m->p, m->d->decl->body };

	if (!part)
		return;
	**tail = stmt_copy(m->p->arena, part);
	if (of_alias)
		walk_stmt(**tail, settle_probewrite, &w);
	*tail = &(**tail)->next;
}

/* `if (!called from there) next', before anything else, where a site is in a function as called from another. */
static struct stmt *caller_test(struct making *m)
{
	struct arena *a = m->p->arena;
	struct stmt *test = ARENA_NEW(a, struct stmt), *next = ARENA_NEW(a, struct stmt);
	struct expr *target = ARENA_NEW(a, struct expr), *not = ARENA_NEW(a, struct expr);

	target->kind = EXPR_TARGET;
	target->u.target.base = TB_NAME;
	target->u.target.name = str_intern(a, CALLER_TARGET);
	not->kind = EXPR_UNARY;
	not->u.un.op = OP_NOT;
	not->u.un.e = target;
	next->kind = STMT_NEXT;
	test->kind = STMT_IF;
	test->u.branch.cond = not;
	test->u.branch.yes = next;
	target->span = not->span = next->span = test->span = m->d->match.point->span;
	return test;
}

static bool needs_caller_test(const struct making *m)
{
	for (const struct site *s = m->d->found.sites; s; s = s->next)
		if (s->called_from)
			return true;
	return false;
}

/* Prologues from the point outwards, the handler, epilogues back inwards: { B { A { handler } A } B }. */
static struct stmt *assemble(struct making *m)
{
	struct arena *a = m->p->arena;
	struct stmt *block = ARENA_NEW(a, struct stmt), **tail = &block->u.block;
	const struct alias_use *uses[64];
	unsigned n = 0;

	block->kind = STMT_BLOCK;
	block->span = m->d->decl->span;
	if (needs_caller_test(m)) {
		*tail = caller_test(m);
		tail = &(*tail)->next;
	}
	for (const struct alias_use *u = m->d->uses; u; u = u->outer) {
		add_part(m, &tail, u->alias->prologue, true);
		if (n < sizeof(uses) / sizeof(uses[0]))
			uses[n++] = u;
	}
	add_part(m, &tail, m->d->decl->body, false);
	while (n)
		add_part(m, &tail, uses[--n]->alias->epilogue, true);
	/* a handler that came through no alias is its own block */
	return block->u.block && !block->u.block->next && block->u.block->kind == STMT_BLOCK ? block->u.block : block;
}

/* @one and those of the uses @u, from the point outwards: a && (b && c). */
static struct expr *and_conditions(struct program *p, const struct expr *one, const struct alias_use *u)
{
	struct expr *rest = u ? and_conditions(p, u->use->condition, u->outer) : NULL, *e;

	if (!one)
		return rest;
	if (!rest)
		return expr_copy(p->arena, one);
	e = ARENA_NEW(p->arena, struct expr);
	e->kind = EXPR_BINARY;
	e->span = one->span;
	e->u.bin.op = OP_LAND;
	e->u.bin.l = expr_copy(p->arena, one);
	e->u.bin.r = rest;
	return e;
}

static struct expr *conditions(struct making *m)
{
	return and_conditions(m->p, m->d->match.point->condition, m->d->uses);
}

const char *chain_text(struct program *p, const struct derivation *d, const char *first, const char *step)
{
	struct strbuf b = { 0 };
	const struct probe_point *pt = d->match.point;
	const char *text;

	strbuf_add(&b, first);
	for (const struct alias_use *u = d->uses; u; u = u->outer) {
		strbuf_printf(&b, "%s %s %s%s", components_text(p->arena, u->alias->names->components),
			      u->alias->append ? "+=" : "=", probe_point_text(p->arena, pt), step);
		pt = u->use;
	}
	strbuf_add(&b, probe_point_text(p->arena, pt));
	text = arena_strdup(p->arena, b.text);
	strbuf_free(&b);
	return text;
}

static void add_points(struct program *p, struct strbuf *b, const struct probe_point *pt, const char *comma)
{
	for (; pt; pt = pt->next)
		strbuf_printf(b, "%s%s", probe_point_text(p->arena, pt), pt->next ? comma : "");
}

/* The probe lines from the derived point to what the user wrote, each whole. */
static const char *lines_text(struct program *p, const struct derivation *d)
{
	struct strbuf b = { 0 };
	const char *text;

	for (const struct alias_use *u = d->uses; u; u = u->outer) {
		for (const struct alias_name *n = u->alias->names; n; n = n->next)
			strbuf_printf(&b, "%s %s ", components_text(p->arena, n->components),
				      u->alias->append && !n->next ? "+=" : "=");
		add_points(p, &b, u->alias->points, ", ");
		strbuf_add(&b, " <- ");
	}
	add_points(p, &b, d->decl->points, ",");
	text = arena_strdup(p->arena, b.text);
	strbuf_free(&b);
	return text;
}

/* ------------------------------------------------------------------------------------------------ asking */

static struct answer *add_answer(struct answers *all)
{
	if (all->n == all->room) {
		all->room = all->room ? all->room * 2 : 16;
		all->a = realloc(all->a, all->room * sizeof(*all->a));
		if (!all->a)
			abort();
	}
	all->a[all->n] = (struct answer){ 0 };
	return &all->a[all->n++];
}

bool is_return_value(const struct expr *target)
{
	const char *name = target->u.target.name ? target->u.target.name->text : "";

	return target->u.target.base == TB_NAME && (!strcmp(name, "$return") || !strcmp(name, "$$return"));
}

/* In a .return probe all but the return value, and what is reached through script values, is as it was at entry. */
static bool is_of_entry(const struct program *p, const struct expr *e)
{
	const char *name = e->u.target.name ? e->u.target.name->text : "";

	/* before version 4.1 @var was as well */
	if (e->u.target.base == TB_VAR)
		return is_older(p, "4.1");
	return e->u.target.base == TB_NAME && !is_return_value(e) && strcmp(name, CALLER_TARGET);
}

static bool uses_entry_value(const struct loc_expr *l)
{
	return l && (l->kind == LOC_ENTRY_VALUE || uses_entry_value(l->a) || uses_entry_value(l->b) ||
		     uses_entry_value(l->c));
}

static void miss_text(struct target_result *r, enum di_reason reason, const char *text)
{
	*r = (struct target_result){ .kind = TARGET_MISS, .miss = { .reason = reason, .text = text } };
}

static void ask(struct making *m, const struct site *site, const struct expr *e, struct target_result *r);

/* A target expression on the way to the type of another one. */
struct type_asking { struct making *m; const struct site *site; };

static void ask_on_the_way(void *data, const struct expr *e, struct target_result *r)
{
	const struct type_asking *t = data;

	ask(t->m, t->m->is_return && is_of_entry(t->m->p, e) && t->site ? t->site->entry : t->site, e, r);
}

static struct value_ctype ctype_at(struct making *m, const struct site *site, const struct expr *e)
{
	struct type_asking asking = { m, site };
	void *outer = m->ctypes.data;
	struct value_ctype v;

	m->ctypes.data = &asking;
	v = expr_ctype(&m->ctypes, e);
	m->ctypes.data = outer;
	return v;
}

static void ask_autocast(struct making *m, const struct site *site, const struct expr *e, struct target_result *r)
{
	struct value_ctype v = { 0 };

	if (!is_older(m->p, "2.6"))
		v = ctype_at(m, site, e->u.target.operand);
	if (v.type)
		target_autocast(m->p, site, e, v.type, v.at, r);
	else
		miss_text(r, DI_NO_TYPE, "unknown type in dereference");
	if (!v.type)
		r->miss.hint = "@cast(value, \"type\") gives a value a type";
}

static bool names_module(const struct expr *e)
{
	return (e->u.target.base == TB_VAR || e->u.target.base == TB_CAST) && e->u.target.module && e->u.target.module->len;
}

static void ask(struct making *m, const struct site *site, const struct expr *e, struct target_result *r)
{
	const struct provider *pr = m->d->match.provider;

	*r = (struct target_result){ .kind = TARGET_MISS };
	if (e->u.target.base == TB_AUTOCAST)
		ask_autocast(m, site, e, r);
	else if (names_module(e))
		target_in_modules(m->p, site, e, r);
	else if (!pr->target)
		miss_text(r, DI_NO_VARIABLE, arena_printf(m->p->arena, "%s probes have no target variables", pr->name));
	else if (!site)
		miss_text(r, DI_NO_VARIABLE, "the entry of this function is not known, so values can not be kept there");
	else
		pr->target(m->p, &m->d->match, site, e, r);
	if (r->kind == TARGET_FETCH && uses_entry_value(r->fetch.value))
		miss_text(r, DI_NO_LOCATION, "its value is only known as what a register held at the function's entry, "
			  "which " NOT_YET);
	/* a module of its own is named by the text, and autocast has looked for nothing */
	if (r->kind == TARGET_MISS && !r->miss.searched && site && !names_module(e) && e->u.target.base != TB_AUTOCAST)
		r->miss.searched = site->obj;
}

struct asking {
	struct making *m;
	const struct site *site;
	enum moment moment;
	unsigned depth;
	struct answers *all;
};

static void ask_in(struct expr **e, void *data);

static void ask_children(const struct asking *k, struct expr *e, enum moment moment)
{
	struct asking inner = *k;

	inner.moment = moment;
	expr_children(e, ask_in, &inner);
}

static void ask_target(const struct asking *k, struct expr *e)
{
	enum moment moment = k->m->is_return && is_of_entry(k->m->p, e) ? AT_ENTRY : k->moment;
	const struct site *site = moment == AT_ENTRY && k->site ? k->site->entry : k->site;
	unsigned at;

	ask_children(k, e, moment);
	add_answer(k->all);
	at = k->all->n - 1;
	k->all->a[at].moment = moment;
	ask(k->m, site, e, &k->all->a[at].result);
	if (k->all->a[at].result.kind == TARGET_REPLACE && k->depth == MAX_REPLACEMENTS)
		miss_text(&k->all->a[at].result, DI_UNSUPPORTED, "is nested too deeply");
	k->all->a[at].kind = k->all->a[at].result.kind == TARGET_FETCH ? ANSWER_FETCH :
			     k->all->a[at].result.kind == TARGET_REPLACE ? ANSWER_REPLACE : ANSWER_MISS;
	if (k->all->a[at].kind == ANSWER_REPLACE) {
		struct asking inner = *k;
		struct expr *r = k->all->a[at].result.replace;

		inner.depth++;
		ask_in(&r, &inner);
	}
}

static void ask_enum(const struct asking *k, const struct expr *e)
{
	struct answer *a = add_answer(k->all);

	target_enumerator(k->m->p, k->site, e, &a->result);
	a->kind = a->result.kind == TARGET_REPLACE ? ANSWER_REPLACE : ANSWER_MISS;
}

static void ask_enumname(const struct asking *k, struct expr *e)
{
	struct target_result r = { .kind = TARGET_MISS };
	struct answer *a;

	ask_children(k, e, k->moment);
	if (e->u.enumname.type)
		target_enum_type(k->m->p, k->site, e, &r);
	else
		r.ctype = ctype_at(k->m, k->site, e->u.enumname.e).type;
	if (r.ctype && r.ctype->kind != CTYPE_ENUM)
		miss_text(&r, DI_NO_TYPE, arena_printf(k->m->p->arena, "'%s' is no enum", r.ctype->name));
	else if (!r.ctype && !r.miss.text)
		miss_text(&r, DI_NO_TYPE, "the type of the value is not known; @enumname(value, \"type\") says it");
	a = add_answer(k->all);
	a->kind = r.ctype ? ANSWER_TYPE : ANSWER_MISS;
	a->result = r;
}

/* The one walk that asking and applying share: children of a target expression before it, its replacement after. */
static void ask_in(struct expr **e, void *data)
{
	struct asking *k = data;

	if (!*e)
		return;
	if ((*e)->kind == EXPR_TARGET)
		ask_target(k, *e);
	else if ((*e)->kind == EXPR_ENUM)
		ask_enum(k, *e);
	else if ((*e)->kind == EXPR_ENUMNAME)
		ask_enumname(k, *e);
	else
		ask_children(k, *e, (*e)->kind == EXPR_ENTRY && k->m->is_return ? AT_ENTRY : k->moment);
}

static void ask_in_stmt(struct stmt **s, void *data)
{
	if (*s)
		stmt_children(*s, ask_in, ask_in_stmt, data);
}

/* ------------------------------------------------------------------------------------------------ keys */

static void add_loc(struct strbuf *b, const struct loc_expr *l)
{
	if (!l) {
		strbuf_char(b, '-');
		return;
	}
	strbuf_printf(b, "(%d %d %lld %u %u %u %u %p", l->kind, l->op, (long long)l->num, l->reg, l->size, l->bits,
		      l->shift, l->kind == LOC_ADDRESS ? (const void *)l->obj : NULL);
	if (l->a || l->b || l->c) {
		add_loc(b, l->a);
		add_loc(b, l->b);
		add_loc(b, l->c);
	}
	strbuf_char(b, ')');
}

/* What a group's sites have in common. */
static void add_shape(struct strbuf *b, struct program *p, const struct answers *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		const struct answer *a = &all->a[i];

		strbuf_printf(b, "%d%d", a->kind, a->moment);
		if (a->kind == ANSWER_REPLACE)
			strbuf_add(b, expr_text(p->arena, a->result.replace));
		if (a->kind == ANSWER_TYPE)
			strbuf_printf(b, "%p %s", (const void *)a->result.ctype->obj, a->result.ctype->name);
		/* not the text, which names the place: one mistake, one message, and under @defined, one handler */
		if (a->kind == ANSWER_MISS)
			strbuf_printf(b, " %d", a->result.miss.reason);
		strbuf_char(b, '\n');
	}
}

/* What makes a variant of its own, among the uses that survived. */
static void add_places(struct strbuf *b, const struct group *g, const struct answers *all, enum moment moment)
{
	unsigned n = 0;

	for (unsigned i = 0; i < all->n; i++) {
		const struct fetch_variant *f = &all->a[i].result.fetch;

		if (all->a[i].kind != ANSWER_FETCH)
			continue;
		if (g->fetch[n] && g->moment[n] == moment) {
			add_loc(b, f->value);
			add_loc(b, f->address);
			strbuf_printf(b, " %d %u %u %u %u %d;", f->lvalue, f->reg, f->size, f->bit_offset, f->bit_size,
				      f->fault_is_zero);
		}
		n++;
	}
}

/* ------------------------------------------------------------------------------------------------ applying */

struct applying {
	struct making *m;
	struct group *g;
	const struct answers *all;
	const struct site *site;
	unsigned *at;			/* next answer */
	bool saving;			/* inside what is evaluated at the function's entry */
};

static void apply_in(struct expr **e, void *data);

static struct fetch *fetch_make(struct making *m, const struct answer *a, struct expr *e)
{
	struct arena *ar = m->p->arena;
	struct fetch *f = ARENA_NEW(ar, struct fetch);

	f->type = TY_LONG;
	f->ctype = a->result.ctype;
	f->operand = e->u.target.operand;
	for (struct access *s = e->u.target.path; s; s = s->next)
		f->nindex += s->kind == ACC_INDEX && s->index && s->index->kind != EXPR_NUM;
	f->index = ARENA_ARRAY(ar, struct expr *, f->nindex + 1);
	f->nindex = 0;
	for (struct access *s = e->u.target.path; s; s = s->next)
		if (s->kind == ACC_INDEX && s->index && s->index->kind != EXPR_NUM)
			f->index[f->nindex++] = s->index;
	return f;
}

static struct probe *hidden_probe(struct applying *k)
{
	struct program *p = k->m->p;
	struct probe *h = k->g->entry;

	if (h)
		return h;
	h = ARENA_NEW(p->arena, struct probe);
	h->provider = k->m->d->match.provider;
	h->kind = SP_PROBE_SITE;
	h->span = k->m->d->match.point->span;
	h->point = "entry";
	h->chain = chain_text(p, k->m->d, "", " <- ");
	h->hidden = true;
	k->g->entry = h;
	k->g->probe->entry_probe = h;
	return h;
}

/* Puts @e into the hidden probe's list; returns EXPR_ENTRY for its place.  @implied: the script did not write @entry. */
static struct expr *keep_at_entry(struct applying *k, struct expr *e, bool implied)
{
	struct program *p = k->m->p;
	struct probe *h = hidden_probe(k);
	struct entry_save **tail = &h->saves;
	struct expr *entry = ARENA_NEW(p->arena, struct expr);

	while (*tail)
		tail = &(*tail)->next;
	*tail = ARENA_NEW(p->arena, struct entry_save);
	(*tail)->slot = p->entry_slots++;
	(*tail)->e = e;
	entry->kind = EXPR_ENTRY;
	entry->type = TY_LONG;
	entry->span = e->span;
	entry->u.entry.e = e;
	entry->u.entry.slot = (*tail)->slot;
	entry->u.entry.implied = implied;
	return entry;
}

static void apply_children(struct applying *k, struct expr *e, bool saving)
{
	struct applying inner = *k;

	inner.saving = saving;
	expr_children(e, apply_in, &inner);
}

static void apply_fetch(struct applying *k, struct expr **e, const struct answer *a)
{
	(*e)->u.target.fetch = fetch_make(k->m, a, *e);
	k->g->fetch[k->g->nfetch] = (*e)->u.target.fetch;
	k->g->moment[k->g->nfetch++] = a->moment;
	if (a->moment == AT_ENTRY && !k->saving)
		*e = keep_at_entry(k, *e, true);
}

static const struct di_miss *miss_of(struct applying *k, const struct answer *a)
{
	struct di_miss *miss = ARENA_NEW(k->m->p->arena, struct di_miss);

	*miss = a->result.miss;
	return miss;
}

/* A string whose parts are read as it is made is kept at the entry whole. */
static void apply_replacement(struct applying *k, struct expr **e, const struct answer *a)
{
	struct span at = (*e)->span;
	struct applying inner = *k;
	bool whole = a->moment == AT_ENTRY && !k->saving && a->result.replace->kind == EXPR_PRINT &&
		     a->result.replace->u.print.guarded;

	*e = expr_copy(k->m->p->arena, a->result.replace);
	(*e)->span = at;
	inner.saving |= whole;
	apply_in(e, &inner);
	if (whole)
		*e = keep_at_entry(k, *e, true);
}

static void apply_enum(struct applying *k, struct expr **e)
{
	const struct answer *a = &k->all->a[(*k->at)++];

	if (a->kind == ANSWER_REPLACE)
		*e = expr_copy(k->m->p->arena, a->result.replace);
	else
		(*e)->u.perf.miss = miss_of(k, a);
}

static void apply_enumname(struct applying *k, struct expr *e)
{
	const struct answer *a;

	apply_children(k, e, k->saving);
	a = &k->all->a[(*k->at)++];
	if (a->kind == ANSWER_TYPE)
		e->u.enumname.ctype = a->result.ctype;
	else
		e->u.enumname.miss = miss_of(k, a);
}

static void apply_target(struct applying *k, struct expr **e)
{
	const struct answer *a;
	bool at_entry = k->m->is_return && is_of_entry(k->m->p, *e);

	apply_children(k, *e, k->saving || at_entry);
	a = &k->all->a[(*k->at)++];
	switch (a->kind) {
	case ANSWER_FETCH:
		apply_fetch(k, e, a);
		break;
	case ANSWER_REPLACE:
		apply_replacement(k, e, a);
		break;
	case ANSWER_TYPE:
	case ANSWER_MISS:
		(*e)->u.target.miss = miss_of(k, a);
		(*e)->u.target.where = k->site ? k->site->point : k->m->d->found.point;
		break;
	}
}

static void check_entry_calls(struct applying *k, struct expr *e)
{
	const struct function *f = reader_of_return(k->m->p, e->u.entry.e);

	if (f)
		diag_error(k->m->p->diag, e->span, TAG_ENTRY, "'%s' reads $return, which has no value yet at the function's entry",
			   f->name->text);
}

static void apply_entry(struct applying *k, struct expr **e)
{
	if (!k->m->is_return || k->saving) {
		diag_error(k->m->p->diag, (*e)->span, TAG_ENTRY, k->m->is_return ?
			   "@entry inside of @entry: all of the outer one is evaluated at the function's entry" :
			   "@entry is for .return probes only");
		apply_children(k, *e, k->saving);
		return;
	}
	check_entry_calls(k, *e);
	apply_children(k, *e, true);
	*e = keep_at_entry(k, (*e)->u.entry.e, false);
}

static void apply_in(struct expr **e, void *data)
{
	struct applying *k = data;

	if (!*e)
		return;
	if ((*e)->kind == EXPR_TARGET)
		apply_target(k, e);
	else if ((*e)->kind == EXPR_ENUM)
		apply_enum(k, e);
	else if ((*e)->kind == EXPR_ENUMNAME)
		apply_enumname(k, *e);
	else if ((*e)->kind == EXPR_ENTRY && !(*e)->type)
		apply_entry(k, e);
	else
		apply_children(k, *e, k->saving);
	/* that it can not be written is told by check.c, and enough */
	if (*e && (*e)->kind == EXPR_ASSIGN && (*e)->u.assign.l->kind == EXPR_ENTRY)
		(*e)->u.assign.l->u.entry.assigned = true;
}

static void apply_in_stmt(struct stmt **s, void *data)
{
	if (*s)
		stmt_children(*s, apply_in, apply_in_stmt, data);
}

/* Which fetches are still in the body once @defined and constant conditions are folded. */
static void mark_alive(struct expr **e, void *data)
{
	struct group *g = data;

	if ((*e)->kind != EXPR_TARGET || !(*e)->u.target.fetch)
		return;
	for (unsigned i = 0; i < g->nfetch; i++)
		if (g->fetch[i] == (*e)->u.target.fetch)
			(*e)->u.target.fetch->alive = true;
}

static bool entry_used(const struct making *m, const struct group *g, unsigned slot);

static void drop_dead_fetches(const struct making *m, struct group *g)
{
	struct entry_save **s = g->entry ? &g->entry->saves : NULL;

	walk_stmt(g->probe->body, mark_alive, g);
	for (unsigned i = 0; i < m->copies.n; i++)
		walk_stmt(g->copy[i]->body, mark_alive, g);
	while (s && *s) {
		if (!entry_used(m, g, (*s)->slot)) {
			*s = (*s)->next;
			continue;
		}
		walk_expr(&(*s)->e, mark_alive, g);
		s = &(*s)->next;
	}
	for (unsigned i = 0; i < g->nfetch; i++)
		if (!g->fetch[i]->alive)
			g->fetch[i] = NULL;
	if (g->entry && !g->entry->saves)
		g->probe->entry_probe = g->entry = NULL;
}

struct slot_use { unsigned slot; bool used; };

static void look_slot(struct expr **e, void *data)
{
	struct slot_use *u = data;

	if ((*e)->kind == EXPR_ENTRY && (*e)->u.entry.slot == u->slot)
		u->used = true;
}

static bool entry_used(const struct making *m, const struct group *g, unsigned slot)
{
	struct slot_use u = { slot, false };

	walk_stmt(g->probe->body, look_slot, &u);
	for (unsigned i = 0; i < m->copies.n; i++)
		walk_stmt(g->copy[i]->body, look_slot, &u);
	return u.used;
}

/* ------------------------------------------------------------------------------------------------ groups */

static void append_probe(struct program *p, struct probe *q)
{
	struct probe **tail = p->state->last_probe ? &p->state->last_probe->next : &p->probes;

	*tail = q;
	p->state->last_probe = q;
}

static struct probe *probe_make(struct making *m)
{
	const struct derivation *d = m->d;
	struct probe *q = ARENA_NEW(m->p->arena, struct probe);

	q->provider = d->match.provider;
	q->kind = d->found.kind;
	q->span = d->match.point->span;
	for (const struct alias_use *u = d->uses; u; u = u->outer) {
		q->span = u->use->span;
		q->alias = components_text(m->p->arena, u->use->components);
	}
	q->decl = d->decl;
	q->point = d->found.point;
	q->mark = d->match.point->sufficient ? '!' : d->match.point->optional ? '?' : 0;
	q->chain = chain_text(m->p, d, "", " <- ");
	if (m->p->options->last_pass == 2)
		q->lines = lines_text(m->p, d);
	if (m->p->options->timing)
		q->from = chain_text(m->p, d, " from: ", " from: ");
	q->order = d->found.order;
	q->interval_ns = d->found.interval_ns;
	q->random_ns = d->found.random_ns;
	q->in_ticks = d->found.in_ticks;
	q->body = stmt_copy(m->p->arena, m->body);
	if (m->condition)
		q->condition = expr_copy(m->p->arena, m->condition);
	return q;
}

/* The user may well mean the value at the return. */
static void warn_implied(struct expr **e, void *data)
{
	struct program *p = data;

	if ((*e)->kind == EXPR_ENTRY && (*e)->u.entry.implied && !(*e)->u.entry.assigned && is_user_text(p, (*e)->span))
		diag_warning(p->diag, (*e)->span, TAG_ENTRY, "confusing usage, value is captured as @entry(%.*s) in .return probe "
			     "[man stapprobes] RETURN PROBES", (int)(*e)->span.len, (*e)->span.source->text + (*e)->span.off);
}

static struct group *group_make(struct making *m, const struct answers *all, const struct site *site)
{
	struct arena *a = m->p->arena;
	struct group *g = ARENA_NEW(a, struct group);
	unsigned at = 0;
	struct applying k = { .m = m, .g = g, .all = all, .site = site, .at = &at };

	g->probe = probe_make(m);
	g->fetch = ARENA_ARRAY(a, struct fetch *, all->n + 1);
	g->moment = ARENA_ARRAY(a, enum moment, all->n + 1);
	copies_make(m->p, &m->copies, g->probe);
	g->copy = m->copies.copy;
	for (unsigned i = m->copies.n; i--; )
		apply_in_stmt(&g->copy[i]->body, &k);
	apply_in_stmt(&g->probe->body, &k);
	if (g->probe->condition)
		apply_in(&g->probe->condition, &k);
	copies_link(m->p, &m->copies, g->probe);
	fold_defined(m->p, g->probe->body);
	for (struct entry_save *s = g->entry ? g->entry->saves : NULL; s; s = s->next)
		fold_defined_in(m->p, s->e);
	for (unsigned i = 0; i < m->copies.n; i++)
		fold_defined(m->p, g->copy[i]->body);
	drop_dead_fetches(m, g);
	walk_stmt(g->probe->body, warn_implied, m->p);
	if (g->entry)
		append_probe(m->p, g->entry);
	append_probe(m->p, g->probe);
	return g;
}

static struct group *group_of(struct making *m, const struct answers *all, const struct site *site)
{
	struct strbuf b = { 0 };
	unsigned i;
	bool fresh;

	add_shape(&b, m->p, all);
	i = texts_add(&m->shapes, m->p->arena, b.text ? b.text : "", &fresh);
	strbuf_free(&b);
	if (!fresh)
		return m->groups[i];
	if (i >= m->room) {
		m->room = m->room ? m->room * 2 : 4;
		m->groups = realloc(m->groups, m->room * sizeof(*m->groups));
		if (!m->groups)
			abort();
	}
	return m->groups[i] = group_make(m, all, site);
}

/* Whether a value lies in a vector register, which the hit must then save. */
static bool needs_fp(const struct loc_expr *e, unsigned machine)
{
	struct loc_needs needs;

	if (!e)
		return false;
	loc_needs(e, machine, &needs);
	return needs.vector_regs;
}

static void add_variant(struct arena *a, struct group *g, const struct answers *all, enum moment moment, unsigned machine)
{
	unsigned n = 0;

	for (unsigned i = 0; i < all->n; i++) {
		struct fetch *f;

		if (all->a[i].kind != ANSWER_FETCH)
			continue;
		f = g->fetch[n];
		if (f && g->moment[n] == moment) {
			if (!(f->nvariants & (f->nvariants - 1))) {	/* full at powers of two */
				struct fetch_variant *old = f->variant;

				f->variant = ARENA_ARRAY(a, struct fetch_variant, f->nvariants ? f->nvariants * 2 : 1);
				if (old)
					memcpy(f->variant, old, f->nvariants * sizeof(*old));
			}
			f->variant[f->nvariants++] = all->a[i].result.fetch;
			(moment == AT_ENTRY ? g->entry : g->probe)->needs_fp |= needs_fp(all->a[i].result.fetch.value, machine);
		}
		n++;
	}
}

static void add_site(struct site **first, struct site **last, struct site *s)
{
	s->next = NULL;
	*(*last ? &(*last)->next : first) = s;
	*last = s;
}

/* The hidden probe's own copy of the entry site, once for each function. */
static void add_entry_site(struct making *m, struct group *g, const struct site *entry, const struct answers *all)
{
	struct arena *a = m->p->arena;
	struct probe *h = g->entry;
	struct strbuf b = { 0 };
	struct site *s;
	bool fresh;

	texts_add(&g->entries, a, arena_printf(a, "%p %llx", (void *)entry->obj, (unsigned long long)entry->addr), &fresh);
	if (!fresh)
		return;
	s = ARENA_NEW(a, struct site);
	*s = *entry;
	add_places(&b, g, all, AT_ENTRY);
	s->variant = texts_add(&g->entry_variants, a, b.text ? b.text : "", &fresh);
	if (fresh)
		add_variant(a, g, all, AT_ENTRY, entry->obj->machine);
	add_site(&h->sites, &g->last_entry, s);
	h->nsites++;
	h->nvariants = g->entry_variants.n;
	strbuf_free(&b);
}

static void place_site(struct making *m, struct group *g, struct site *s, const struct answers *all)
{
	struct strbuf b = { 0 };
	bool fresh;

	add_places(&b, g, all, AT_HIT);
	s->variant = texts_add(&g->variants, m->p->arena, b.text ? b.text : "", &fresh);
	if (fresh)
		add_variant(m->p->arena, g, all, AT_HIT, s->obj->machine);
	g->probe->nvariants = g->variants.n;
	if (!g->probe->point)
		g->probe->point = s->point;
	add_site(&g->probe->sites, &g->last, s);
	g->probe->nsites++;
	if (g->entry && s->entry)
		add_entry_site(m, g, s->entry, all);
	strbuf_free(&b);
}

/* ------------------------------------------------------------------------------------------------ the whole */

static void look_target(struct expr **e, void *data)
{
	if ((*e)->kind == EXPR_TARGET || (*e)->kind == EXPR_ENTRY || (*e)->kind == EXPR_ENUM || (*e)->kind == EXPR_ENUMNAME)
		*(bool *)data = true;
}

/*
 * Functions before those who call them: what they read of the function's entry is then kept before a call in an @entry needs it.
 */
static void ask_site(struct making *m, const struct site *site, struct answers *all)
{
	struct asking k = { .m = m, .site = site, .moment = AT_HIT, .all = all };

	all->n = 0;
	for (unsigned i = m->copies.n; i--; )
		ask_in_stmt(&m->copies.fn[i]->body, &k);
	ask_in_stmt(&m->body, &k);
	if (m->condition)
		ask_in(&m->condition, &k);
}

void probes_make(struct program *p, const struct derivation *d)
{
	struct making m = { .p = p, .d = d };
	struct answers all = { 0 };
	struct group *g = NULL;
	bool has_targets = false;

	m.body = assemble(&m);
	m.condition = conditions(&m);
	m.ctypes = (struct ctype_place){ .p = p, .body = m.body, .ask = ask_on_the_way };
	m.is_return = d->found.sites && (d->found.sites->kind == SP_SITE_RETURN || d->found.sites->kind == SP_SITE_TAIL);
	copies_find(p, m.body, &m.copies);
	has_targets = m.copies.n;
	walk_stmt(m.body, look_target, &has_targets);
	if (m.condition)
		walk_expr(&m.condition, look_target, &has_targets);
	if (!d->found.sites) {
		ask_site(&m, NULL, &all);
		g = group_of(&m, &all, NULL);
		add_variant(p->arena, g, &all, AT_HIT, 0);
	}
	for (struct site *s = d->found.sites, *next; s; s = next) {
		next = s->next;
		if (has_targets || !g) {
			ask_site(&m, s, &all);
			g = group_of(&m, &all, s);
		}
		place_site(&m, g, s, &all);
	}
	free(all.a);
	free(m.groups);
}
