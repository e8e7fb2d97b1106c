/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass bind: every name to its symbol (language.md 3.3 to 3.5, 6.2).
 *
 * A name is looked up among parameters, the privates of the file its text stands in, the script's globals, those
 * of the library (which takes the file in, probes and all), and is a local of the handler or function otherwise.
 * Start reading at bind_symbols(), then bind_name().
 */
#include "elaborate/elaborate.h"

#include <stdlib.h>
#include <string.h>

struct scope {
	struct program *p;
	struct function *fn;		/* or NULL */
	struct symbol **locals;
	bool at_entry;			/* what a hidden probe keeps: it has no locals */
};

/* ------------------------------------------------------------------------------------------------ globals */

static struct symbol *global_make(struct program *p, struct global *g)
{
	struct symbol *s = ARENA_NEW(p->arena, struct symbol);

	s->kind = SYM_GLOBAL;
	s->name = g->name;
	s->span = g->span;
	s->nkeys = g->has_size ? -1 : g->init ? 0 : -1;
	s->is_array = g->has_size;
	s->keyed_at = g->span;
	s->wraps = g->wraps;
	s->size = g->size;
	s->init = g->init;
	s->is_library = g->script && g->script->is_library;
	if (g->init) {
		s->type = g->init->kind == EXPR_STR ? TY_STRING : TY_LONG;
		s->typed_at = g->init->span;
	}
	return s;
}

static void append_global(struct program *p, struct symbol *s)
{
	struct symbol **tail = p->state->last_global ? &p->state->last_global->next : &p->globals;

	*tail = s;
	p->state->last_global = s;
}

static struct global *find_global(struct script *s, const struct str *name, bool private_too)
{
	for (struct global *g = s->globals; g; g = g->next)
		if (g->name == name && (private_too || !g->is_private))
			return g;
	return NULL;
}

/* Gives the globals of a script their symbols. */
static void declare_globals(struct program *p, struct script *s)
{
	for (struct global *g = s->globals; g; g = g->next) {
		struct global *other = NULL;

		for (struct script *u = p->user; u && !other && !s->is_library; u = u->next) {
			other = find_global(u, g->name, u == s);
			if (other == g || (other && u != s && g->is_private))
				other = NULL;
		}
		if (g->sym)
			continue;
		g->sym = global_make(p, g);
		append_global(p, g->sym);
		if (other && other->sym) {
			diag_error(p->diag, g->span, TAG_GLOBAL, other->is_private != g->is_private ?
				   "global versus private variable declaration conflict: '%s'" :
				   "duplicate global name '%s'", g->name->text);
			diag_note(p->diag, other->span, "first declared here");
		}
	}
}

/* Takes a library file in, whole: its globals, its embedded C, its probes. */
static void include_script(struct program *p, struct script *s)
{
	struct script **tail = &p->library;

	if (!s->is_library)
		return;
	for (; *tail; tail = &(*tail)->next)
		if (*tail == s)
			return;
	*tail = s;
	script_register(p, s);
	declare_globals(p, s);
	derive_script(p, s);
}

/* The file's privates, what the script shares, what the library shares, of the same file first (language.md 6.2). */
static struct symbol *lookup_global(struct program *p, const struct str *name, struct span at)
{
	struct script *home = script_at(p, at), *const *found;
	struct global *own = home ? find_global(home, name, true) : NULL, *g = own && own->is_private ? own : NULL;
	unsigned n;

	for (struct script *s = p->user; s && !g; s = s->next)
		g = find_global(s, name, false);
	if (!g)
		g = own;
	if (g && g == own && home->is_library)
		include_script(p, home);
	if (!g) {
		found = library_find(p->tapset, LIB_GLOBAL, name->text, &n);
		if (n) {
			include_script(p, found[0]);
			g = find_global(found[0], name, false);
		}
	}
	return g ? g->sym : NULL;
}

/* ------------------------------------------------------------------------------------------------ variables */

static struct symbol *find_local(const struct scope *c, const struct str *name)
{
	for (struct param *q = c->fn ? c->fn->params : NULL; q; q = q->next)
		if (q->name == name)
			return q->sym;
	for (struct symbol *s = *c->locals; s; s = s->next)
		if (s->name == name)
			return s;
	return NULL;
}

static struct symbol *local_make(const struct scope *c, struct str *name, struct span at)
{
	struct symbol *s = ARENA_NEW(c->p->arena, struct symbol), **tail = c->locals;

	while (*tail)
		tail = &(*tail)->next;
	s->kind = SYM_LOCAL;
	s->name = name;
	s->span = at;
	s->nkeys = 0;
	s->keyed_at = at;
	*tail = s;
	return s;
}

static struct symbol *bind_name(const struct scope *c, struct str *name, struct span at, bool make_local)
{
	struct symbol *s = find_local(c, name);

	if (!s)
		s = lookup_global(c->p, name, at);
	if (!s && make_local && c->at_entry && *name->text != '$')
		diag_error(c->p->diag, at, TAG_ENTRY, "local variable '%s' has no value at the function's entry", name->text);
	if (!s && make_local)
		s = local_make(c, name, at);
	return s;
}

/* A symbol is used with @n keys (0: as a scalar). */
static bool note_arity(const struct scope *c, struct symbol *s, int n, struct span at)
{
	if (s->nkeys == -1) {
		if (n == 0 && s->is_array) {
			diag_error(c->p->diag, at, TAG_ARITY, "inconsistent arity: '%s' is declared as an array", s->name->text);
			diag_note(c->p->diag, s->span, "declared here");
			return false;
		}
		s->nkeys = n;
		s->is_array = n > 0;
		s->keyed_at = at;
	}
	if (s->nkeys == n)
		return true;
	diag_error(c->p->diag, at, TAG_ARITY, "inconsistent arity (%d vs %d): identifier '%s'", s->nkeys, n, s->name->text);
	diag_note(c->p->diag, s->keyed_at, "arity %d first inferred here", s->nkeys);
	return false;
}

static unsigned count(const struct expr_list *l)
{
	unsigned n = 0;

	for (; l; l = l->next)
		n++;
	return n;
}

static void bind_expr(struct expr **e, void *data);

static void bind_list(const struct scope *c, struct expr_list *l)
{
	for (; l; l = l->next)
		if (l->e)
			bind_expr(&l->e, (void *)(uintptr_t)c);
}

static void unresolved_array(const struct scope *c, struct expr *e, const struct str *name, unsigned arity)
{
	diag_error(c->p->diag, e->span, TAG_UNRESOLVED, "unresolved arity-%u global array %s, missing global declaration?",
		   arity, name->text);
	e->kind = EXPR_ERROR;
}

static void bind_index(const struct scope *c, struct expr *e)
{
	unsigned n = count(e->u.index.keys);
	struct symbol *s = bind_name(c, e->u.index.name, e->span, false);

	bind_list(c, e->u.index.keys);
	e->u.index.sym = s;
	if (!s)
		unresolved_array(c, e, e->u.index.name, n);
	else if (n > MAX_KEYS)
		diag_error(c->p->diag, e->span, TAG_ARITY, "more than %d keys", MAX_KEYS);
	else if (note_arity(c, s, (int)n, e->span))
		return;
	e->kind = EXPR_ERROR;
}

/* A VAR that names a whole array of @n keys. */
static void bind_array(const struct scope *c, struct expr *e, unsigned n)
{
	struct symbol *s;

	if (e->kind != EXPR_VAR)
		return;
	s = e->u.var.sym = bind_name(c, e->u.var.name, e->span, false);
	if (!s)
		unresolved_array(c, e, e->u.var.name, n);
	else if (n > MAX_KEYS || !note_arity(c, s, (int)n, e->span))
		e->kind = EXPR_ERROR;
}

/* A scalar or element that must be an aggregate: those are globals. */
static void bind_stat(const struct scope *c, struct expr *e)
{
	struct symbol *s;

	if (e->kind != EXPR_VAR) {
		bind_expr(&e, (void *)(uintptr_t)c);
		return;
	}
	s = bind_name(c, e->u.var.name, e->span, false);
	if (s && s->kind == SYM_GLOBAL) {
		e->u.var.sym = s;
		if (note_arity(c, s, 0, e->span))
			return;
	} else {
		diag_error(c->p->diag, e->span, TAG_UNRESOLVED, "stat locals not supported, missing global declaration?: "
			   "identifier '%s'", e->u.var.name->text);
	}
	e->kind = EXPR_ERROR;
}

static void bind_var(const struct scope *c, struct expr *e)
{
	e->u.var.sym = bind_name(c, e->u.var.name, e->span, true);
	if (!note_arity(c, e->u.var.sym, 0, e->span))
		e->kind = EXPR_ERROR;
}

/* ------------------------------------------------------------------------------------------------ calls */

static void ignore(struct expr **e, void *data)
{
	(void)e;
	(void)data;
}

struct candidates {
	struct function **fn;
	unsigned n, room;
	unsigned nprivate;		/* the first so many are private: they stay first, whatever the priorities */
	struct function *other;		/* of that name, with another number of parameters */
};

static int64_t priority(const struct function *f)
{
	return f->has_priority ? f->priority : f->script && f->script->is_library;
}

/* Behind those of the same priority: the order of declaration, the script's own before the library's. */
static void add_candidate(struct program *p, struct candidates *k, struct function *f)
{
	unsigned at = k->n;

	if (k->n == k->room) {
		struct function **old = k->fn;

		k->room = k->room ? k->room * 2 : 8;
		k->fn = ARENA_ARRAY(p->arena, struct function *, k->room);
		if (old)
			memcpy(k->fn, old, k->n * sizeof(*old));
	}
	for (; at > k->nprivate && priority(k->fn[at - 1]) > priority(f); at--)
		k->fn[at] = k->fn[at - 1];
	k->fn[at] = f;
	k->n++;
}

/* Functions of the library that an older language has not (language.md 13). */
static bool too_new(struct program *p, const struct expr *e)
{
	static const struct { const char *name, *since; } gated[] = { { "abort", "4.0" } };

	for (size_t i = 0; i < sizeof(gated) / sizeof(gated[0]); i++) {
		if (strcmp(e->u.call.name->text, gated[i].name) || !is_gated(script_at(p, e->span)))
			continue;
		if (p->options->check_version && is_user_text(p, e->span))
			diag_warning(p->diag, e->span, TAG_VERSION, "'%s' is as it is since version %s of the language",
				     gated[i].name, gated[i].since);
		return is_older(p, gated[i].since);
	}
	return false;
}

static void add_candidates(struct program *p, struct candidates *k, struct script *s, const struct expr *e, bool private)
{
	unsigned nargs = count(e->u.call.args);

	for (struct function *f = s->functions; f; f = f->next) {
		if (f->name != e->u.call.name || f->is_private != private)
			continue;
		if ((unsigned)f->nparams != nargs)
			k->other = f;
		else
			add_candidate(p, k, f);
	}
}

static void look_next(struct stmt **s, void *data)
{
	if (!*s)
		return;
	if ((*s)->kind == STMT_NEXT || ((*s)->kind == STMT_EMBEDDED && strstr((*s)->u.code->text, "STAP_NEXT")))
		*(bool *)data = true;
	stmt_children(*s, ignore, look_next, data);
}

/* Whether a call of @f can go on to another overload. */
static bool falls_through(const struct function *f)
{
	struct stmt *body = f->body;
	bool found = false;

	look_next(&body, &found);
	return found;
}

/* The first of the candidates, each linked to the one that its `next' goes on to; those that none reaches are left out. */
static struct function *link_overloads(const struct candidates *k)
{
	for (unsigned i = 0; i < k->n; i++) {
		k->fn[i]->overload = NULL;
		if (i)
			k->fn[i - 1]->overload = k->fn[i];
		if (!falls_through(k->fn[i]))
			break;
	}
	return k->n ? k->fn[0] : NULL;
}

/* Whether no function of the library can come before or behind these. */
static bool is_settled(const struct candidates *k)
{
	for (unsigned i = 0; i < k->n && (i < k->nprivate || !priority(k->fn[i])); i++)
		if (!falls_through(k->fn[i]))
			return true;
	return false;
}

struct function *function_of_call(struct program *p, const struct expr *e, struct function **other)
{
	struct script *home = script_at(p, e->span), *const *found;
	struct candidates k = { .n = 0 };
	unsigned n;

	/* private ones of the same file are preferred there */
	if (home)
		add_candidates(p, &k, home, e, true);
	k.nprivate = k.n;
	for (struct script *s = is_settled(&k) ? NULL : p->user; s; s = s->next)
		add_candidates(p, &k, s, e, false);
	if (!is_settled(&k) && !too_new(p, e)) {
		found = library_find(p->tapset, LIB_FUNCTION, e->u.call.name->text, &n);
		for (unsigned i = 0; i < n; i++)
			add_candidates(p, &k, found[i], e, false);
	}
	if (other)
		*other = k.other;
	return link_overloads(&k);
}

void function_use(struct program *p, struct function *f)
{
	struct function_list *l = &p->state->functions;

	if (f->used)
		return;
	f->used = true;
	if (f->script)
		include_script(p, f->script);
	if (l->n == l->room) {
		struct function **old = l->fn;

		l->room = l->room ? l->room * 2 : 32;
		l->fn = ARENA_ARRAY(p->arena, struct function *, l->room);
		if (old)
			memcpy(l->fn, old, l->n * sizeof(*old));
	}
	l->fn[l->n++] = f;
}

static void add_functions(struct program *p, struct function *f)
{
	for (; f; f = f->overload)
		function_use(p, f);
}

static void unresolved_function(struct program *p, const struct expr *e)
{
	unsigned nlib, n = 0;
	const char *const *lib = library_names(p->tapset, LIB_FUNCTION, &nlib);
	const char **names;

	for (struct script *s = p->user; s; s = s->next)
		for (struct function *f = s->functions; f; f = f->next)
			n++;
	names = ARENA_ARRAY(p->arena, const char *, n + nlib + 1);
	n = 0;
	for (struct script *s = p->user; s; s = s->next)
		for (struct function *f = s->functions; f; f = f->next)
			names[n++] = f->name->text;
	for (unsigned i = 0; i < nlib; i++)
		names[n++] = lib[i];
	diag_error(p->diag, e->span, TAG_UNRESOLVED, "unresolved function %s%s", e->u.call.name->text,
		   similar_text(p->arena, "similar", e->u.call.name->text, names, n, false));
}

/* Some of the library's functions are for those who know what they do. */
static void check_guru_call(struct program *p, const struct expr *e, const struct function *f)
{
	for (; f && !p->options->guru && is_user_text(p, e->span); f = f->overload)
		if (f->body && f->body->kind == STMT_EMBEDDED && strstr(f->body->u.code->text, "/* guru */")) {
			diag_error(p->diag, e->span, TAG_GURU, "function may not be used unless -g is specified: '%s'", f->name->text);
			return;
		}
}

static void bind_call(const struct scope *c, struct expr *e)
{
	struct function *other = NULL, *f = e->u.call.fn ? e->u.call.fn : function_of_call(c->p, e, &other);

	bind_list(c, e->u.call.args);
	e->u.call.fn = f;
	if (f) {
		check_guru_call(c->p, e, f);
		add_functions(c->p, f);
		return;
	}
	if (other) {
		diag_error(c->p->diag, e->span, TAG_ARITY, "arity mismatch found (function '%s' takes %d args)",
			   other->name->text, other->nparams);
		diag_note(c->p->diag, other->name_span, "declared here");
	} else {
		unresolved_function(c->p, e);
	}
	e->kind = EXPR_ERROR;
}

/* ------------------------------------------------------------------------------------------------ trees */

static void bind_in(const struct scope *c, struct expr *e)
{
	bind_list(c, e->u.in.keys);
	if (e->u.in.array)
		bind_array(c, e->u.in.array, count(e->u.in.keys));
	if (e->u.in.hist)
		bind_stat(c, e->u.in.hist->stat);
}

/* Anything may stand left of an assignment, as text; false (told): what stands there cannot be assigned to. */
static bool is_lvalue(const struct scope *c, const struct expr *l)
{
	if (l->kind == EXPR_VAR || l->kind == EXPR_INDEX || l->kind == EXPR_TARGET || l->kind == EXPR_ERROR)
		return true;
	if (l->kind == EXPR_ENTRY && l->u.entry.implied)	/* the script says $x: check.c has the words for it */
		return true;
	diag_error(c->p->diag, l->span, TAG_LVALUE, "Expecting lvalue for assignment%s",
		   l->kind == EXPR_BINARY && l->u.bin.op == OP_CONCAT ? ", try -> instead" : "");
	return false;
}

static void bind_expr(struct expr **ep, void *data)
{
	struct scope *c = data;
	struct expr *e = *ep;

	switch (e->kind) {
	case EXPR_VAR:
		bind_var(c, e);
		break;
	case EXPR_INDEX:
		bind_index(c, e);
		break;
	case EXPR_CALL:
		bind_call(c, e);
		break;
	case EXPR_IN:
		bind_in(c, e);
		break;
	case EXPR_EXTRACT:
		bind_stat(c, e->u.extract.stat);
		break;
	case EXPR_HIST:
		bind_stat(c, e->u.hist->stat);
		break;
	case EXPR_HISTINDEX:
		bind_stat(c, e->u.histindex.hist->stat);
		bind_expr(&e->u.histindex.bucket, c);
		break;
	case EXPR_PROBEWRITE:
		diag_error(c->p->diag, e->span, TAG_PROBEWRITE, "unexpected @probewrite");
		e->kind = EXPR_ERROR;
		break;
	case EXPR_ENTRY:
		break;
	case EXPR_ASSIGN:
		if (!is_lvalue(c, e->u.assign.l)) {
			e->kind = EXPR_ERROR;
			break;
		}
		if (e->u.assign.op == OP_AGGREGATE) {
			bind_stat(c, e->u.assign.l);
			bind_expr(&e->u.assign.r, c);
			break;
		}
		/* fall through */
	default:
		expr_children(e, bind_expr, c);
	}
}

static void bind_foreach(struct scope *c, struct stmt *s)
{
	unsigned n = 0;

	for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
		n++;
	if (s->u.foreach.limit)
		bind_expr(&s->u.foreach.limit, c);
	bind_list(c, s->u.foreach.slice);
	if (s->u.foreach.array)
		bind_array(c, s->u.foreach.array, n);
	if (s->u.foreach.slice && count(s->u.foreach.slice) != n)
		diag_error(c->p->diag, s->span, TAG_ARITY, "inconsistent arity (%u vs %u): slice", n, count(s->u.foreach.slice));
	if (s->u.foreach.hist)
		bind_stat(c, s->u.foreach.hist->stat);
	for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
		bind_expr(&k->var, c);
	if (s->u.foreach.value)
		bind_expr(&s->u.foreach.value, c);
}

/* Slices have positions without an expression. */
static void bind_delete(struct scope *c, struct stmt *s)
{
	struct expr *e = s->u.expr;

	if (e->kind != EXPR_VAR) {
		bind_expr(&s->u.expr, c);
		return;
	}
	e->u.var.sym = bind_name(c, e->u.var.name, e->span, true);
}

static void bind_stmt(struct stmt **sp, void *data)
{
	struct scope *c = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_FOREACH) {
		bind_foreach(c, s);
		bind_stmt(&s->u.foreach.body, c);
	} else if (s->kind == STMT_DELETE) {
		bind_delete(c, s);
	} else {
		stmt_children(s, bind_expr, bind_stmt, c);
	}
}

/* ------------------------------------------------------------------------------------------------ after a body */

struct writes { const struct symbol *sym; bool found; };

struct symbol *symbol_of(const struct expr *e)
{
	return e->kind == EXPR_VAR ? e->u.var.sym : e->kind == EXPR_INDEX ? e->u.index.sym : NULL;
}

static void look_write(struct expr **e, void *data)
{
	struct writes *w = data;
	const struct expr *to = (*e)->kind == EXPR_ASSIGN ? (*e)->u.assign.l :
				(*e)->kind == EXPR_INCDEC ? (*e)->u.incdec.e : NULL;

	if (to && symbol_of(to) == w->sym)
		w->found = true;
}

struct deletes { struct program *p; struct stmt *body; };

/* delete of a local that nothing assigns is a global that was not declared. */
static void check_delete(struct stmt **sp, void *data)
{
	struct deletes *d = data;
	struct stmt *s = *sp;
	struct writes w;

	if (!s)
		return;
	if (s->kind == STMT_DELETE && s->u.expr->kind == EXPR_VAR && s->u.expr->u.var.sym &&
	    s->u.expr->u.var.sym->kind == SYM_LOCAL) {
		w = (struct writes){ s->u.expr->u.var.sym, false };
		walk_stmt(d->body, look_write, &w);
		if (!w.found)
			diag_error(d->p->diag, s->u.expr->span, TAG_DELETE, "unresolved array in delete statement: "
				   "identifier '%s'", s->u.expr->u.var.name->text);
	}
	stmt_children(s, ignore, check_delete, data);
}

static void check_deletes(struct program *p, struct stmt *body)
{
	struct deletes d = { p, body };

	check_delete(&body, &d);
}

struct condition { struct program *p; const char *wrong; struct span at; };

static void look_condition(struct expr **ep, void *data)
{
	struct condition *c = data;
	struct expr *e = *ep;
	const char *wrong = NULL;

	if (e->kind == EXPR_CALL)
		wrong = "probe condition must not reference function";
	else if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCDEC || (e->kind == EXPR_EMBEDDED && has_effects(c->p, e)))
		wrong = "probe condition must not modify any variables";
	else if (e->kind == EXPR_VAR && !lookup_global(c->p, e->u.var.name, e->span))
		wrong = "probe condition must not reference undeclared global";
	if (wrong && !c->wrong) {
		c->wrong = wrong;
		c->at = e->span;
	}
}

static void bind_condition(struct scope *c, struct probe *q)
{
	struct condition k = { .p = c->p };

	walk_expr(&q->condition, look_condition, &k);
	if (k.wrong)
		diag_error(c->p->diag, k.at, TAG_PROBE_CONDITION, "%s", k.wrong);
	else
		bind_expr(&q->condition, c);
}

/* ------------------------------------------------------------------------------------------------ the pass */

void bind_probe(struct program *p, struct probe *q)
{
	struct scope c = { .p = p, .locals = &q->locals, .at_entry = q->hidden };

	for (struct entry_save *s = q->saves; s; s = s->next)
		bind_expr(&s->e, &c);
	if (q->condition)
		bind_condition(&c, q);
	bind_stmt(&q->body, &c);
	check_deletes(p, q->body);
}

static void add_use(struct program *p, struct function *f, struct symbol *s, bool write)
{
	struct global_use *g = ARENA_NEW(p->arena, struct global_use);

	s->in_c = true;
	g->sym = s;
	g->write = write;
	g->next = f->globals;
	f->globals = g;
}

/* The globals that a body in C names by "pragma:read:NAME" and "pragma:write:NAME", in comments of their own. */
static void bind_pragmas(struct program *p, struct function *f)
{
	static const char *const words[] = { "/* pragma:read:", "/* pragma:write:" };

	for (int write = 0; write < 2; write++)
		for (const char *at = f->body->u.code->text; (at = strstr(at, words[write])); ) {
			const char *name = at + strlen(words[write]);
			size_t n = strcspn(name, " *");
			struct symbol *s = lookup_global(p, str_intern_n(p->arena, name, n), f->body->span);

			at = name + n;
			if (!s)
				diag_error(p->diag, f->body->span, TAG_EMBEDDED, "unresolved pragma:%s global %.*s",
					   write ? "write" : "read", (int)n, name);
			else
				add_use(p, f, s, write);
		}
}

static void bind_function(struct program *p, struct function *f)
{
	struct scope c = { .p = p, .fn = f, .locals = &f->locals };

	for (struct param *q = f->params; q; q = q->next) {
		struct symbol *s = ARENA_NEW(p->arena, struct symbol);

		s->kind = SYM_PARAM;
		s->name = q->name;
		s->span = s->keyed_at = s->typed_at = q->span;
		s->type = q->type;
		q->sym = s;
	}
	f->type = f->declared;
	if (f->body && f->body->kind == STMT_EMBEDDED)
		bind_pragmas(p, f);
	bind_stmt(&f->body, &c);
	check_deletes(p, f->body);
}

static void check_wrapping(struct program *p)
{
	for (struct symbol *g = p->globals; g; g = g->next)
		if (g->wraps && g->nkeys == 0)
			diag_error(p->diag, g->span, TAG_GLOBAL, "wrapping not supported for scalars: identifier '%s'", g->name->text);
}

/*
 * Probes and functions until nothing new turns up: a call may take a library file in, whose probes are derived
 * there and then and stand behind the others.
 */
bool bind_symbols(struct program *p)
{
	struct function_list *l = &p->state->functions;
	unsigned before = diag_errors(p->diag), done = 0;
	struct probe *last = NULL;

	for (struct script *s = p->user; s; s = s->next)
		declare_globals(p, s);
	for (;;) {
		struct probe *q = last ? last->next : p->probes;

		if (q) {
			bind_probe(p, q);
			last = q;
		} else if (done < l->n) {
			bind_function(p, l->fn[done++]);
		} else {
			break;
		}
	}
	check_wrapping(p);
	return diag_errors(p->diag) == before;
}
