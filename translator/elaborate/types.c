/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass types: one type for each expression, variable, key and function, by inference to a fixed point
 * (language.md 6.1).  Each walk carries down what is wanted and brings up what is there; it goes on until nothing
 * changes, then one more walk complains about what never got a type.  Start reading at infer_types(), then infer().
 */
#include "elaborate/elaborate.h"

#include <inttypes.h>

struct typing {
	struct program *p;
	bool changed;
	bool final;			/* fixed point reached: tell what is still open */
	struct function *fn;		/* whose body this is, or NULL */
};

static const char *const type_names[] = {
	[TY_UNKNOWN] = "unknown", [TY_LONG] = "long", [TY_STRING] = "string", [TY_STATS] = "stats", [TY_NONE] = "none",
};

static enum value_type infer(struct typing *t, struct expr *e, enum value_type want);

/* ------------------------------------------------------------------------------------------------ settling */

static enum value_type fail(struct expr *e, enum value_type want)
{
	e->kind = EXPR_ERROR;
	e->type = want;
	return want;
}

/* What is there against what is wanted. */
static enum value_type settle(struct typing *t, struct expr *e, enum value_type have, enum value_type want)
{
	e->type = have;
	if (want == TY_UNKNOWN || have == TY_UNKNOWN || have == want)
		return have;
	diag_error(t->p->diag, e->span, TAG_TYPE, "type mismatch: expected %s but found %s", type_names[want], type_names[have]);
	return fail(e, want);
}

/* A variable's value is used as @want. */
static enum value_type use_symbol(struct typing *t, struct expr *e, struct symbol *s, enum value_type want)
{
	if (want == TY_NONE)
		want = TY_UNKNOWN;
	if (s->type == TY_UNKNOWN && want != TY_UNKNOWN) {
		s->type = want;
		s->typed_at = e->span;
		t->changed = true;
	}
	e->type = s->type;
	if (want == TY_UNKNOWN || s->type == want)
		return s->type;
	diag_error(t->p->diag, e->span, TAG_TYPE, "type mismatch (%s): identifier '%s'", type_names[want], s->name->text);
	diag_note(t->p->diag, s->typed_at, "type was first inferred here (%s)", type_names[s->type]);
	return fail(e, want);
}

static void infer_key(struct typing *t, struct symbol *s, int i, struct expr *key)
{
	enum value_type have = infer(t, key, TY_UNKNOWN);

	if (have == TY_UNKNOWN && s->keys[i] != TY_UNKNOWN) {
		infer(t, key, s->keys[i]);
		return;
	}
	if (have == TY_UNKNOWN || key->kind == EXPR_ERROR)
		return;
	if (s->keys[i] == TY_UNKNOWN) {
		s->keys[i] = have;
		s->keyed_at = key->span;
		t->changed = true;
	}
	if (s->keys[i] == have)
		return;
	diag_error(t->p->diag, key->span, TAG_KEY_TYPE, "index %d type mismatch (%s): array '%s'", i, type_names[have],
		   s->name->text);
	diag_note(t->p->diag, s->keyed_at, "type of index %d was first inferred here (%s)", i, type_names[s->keys[i]]);
	fail(key, have);
}

static void infer_keys(struct typing *t, struct symbol *s, struct expr_list *keys)
{
	int i = 0;

	for (; keys && i < MAX_KEYS; keys = keys->next, i++)
		if (keys->e)
			infer_key(t, s, i, keys->e);
}

/* Two operands of one type. */
static enum value_type infer_alike(struct typing *t, struct expr *at, struct expr *l, struct expr *r, enum value_type want)
{
	enum value_type a = infer(t, l, want), b = infer(t, r, want);

	if (a == TY_UNKNOWN && b != TY_UNKNOWN)
		a = infer(t, l, b);
	else if (b == TY_UNKNOWN && a != TY_UNKNOWN)
		b = infer(t, r, a);
	if (a == b || l->kind == EXPR_ERROR || r->kind == EXPR_ERROR || a == TY_UNKNOWN || b == TY_UNKNOWN)
		return a;
	diag_error(t->p->diag, at->span, TAG_TYPE, "type mismatch: left and right sides don't agree (%s vs %s)",
		   type_names[a], type_names[b]);
	fail(r, a);
	return a;
}

/* ------------------------------------------------------------------------------------------------ kinds */

static enum value_type infer_binary(struct typing *t, struct expr *e, enum value_type want)
{
	enum op op = e->u.bin.op;

	if (op == OP_CONCAT) {
		infer(t, e->u.bin.l, TY_STRING);
		infer(t, e->u.bin.r, TY_STRING);
		return settle(t, e, TY_STRING, want);
	}
	if (op >= OP_LT && op <= OP_NE) {
		enum value_type both = infer_alike(t, e, e->u.bin.l, e->u.bin.r, TY_UNKNOWN);

		if (both == TY_STATS)
			settle(t, e->u.bin.l, TY_STATS, TY_LONG);
		return settle(t, e, TY_LONG, want);
	}
	infer(t, e->u.bin.l, TY_LONG);
	infer(t, e->u.bin.r, TY_LONG);
	return settle(t, e, TY_LONG, want);
}

static enum value_type infer_assign(struct typing *t, struct expr *e, enum value_type want)
{
	struct expr *l = e->u.assign.l, *r = e->u.assign.r;
	enum value_type type;

	if (e->u.assign.op == OP_AGGREGATE) {
		infer(t, l, TY_STATS);
		infer(t, r, TY_LONG);
		return settle(t, e, TY_LONG, want);
	}
	if (e->u.assign.compound != OP_NONE) {
		type = e->u.assign.compound == OP_CONCAT ? TY_STRING : TY_LONG;
		infer(t, l, type);
		infer(t, r, type);
		return settle(t, e, type, want);
	}
	if (t->final && l->type == TY_UNKNOWN && l->kind == EXPR_VAR && l->u.var.sym->type == TY_UNKNOWN) {
		infer(t, l, TY_UNKNOWN);	/* complains; its right side is part of the same mistake */
		return fail(r, TY_LONG);
	}
	type = infer(t, r, TY_UNKNOWN);
	if (type == TY_STATS)
		type = settle(t, r, TY_STATS, TY_LONG);
	type = infer(t, l, type == TY_UNKNOWN ? want : type);
	if (r->type == TY_UNKNOWN && type != TY_UNKNOWN)
		infer(t, r, type);
	return settle(t, e, type, want);
}

/* One type for two: whichever is known.  False where both are, and differ. */
static bool share(struct typing *t, enum value_type *a, enum value_type *b)
{
	if (*a == *b)
		return true;
	if (*a != TY_UNKNOWN && *b != TY_UNKNOWN)
		return false;
	t->changed = true;
	*(*a == TY_UNKNOWN ? a : b) = *a == TY_UNKNOWN ? *b : *a;
	return true;
}

/* Overloads have one list of parameter types and one type. */
static void share_types(struct typing *t, struct function *f)
{
	for (struct function *o = f->overload; o; o = o->overload) {
		for (struct param *q = f->params, *r = o->params; q && r; q = q->next, r = r->next) {
			struct symbol *open = q->sym->type == TY_UNKNOWN ? q->sym : r->sym;
			bool fresh = open->type == TY_UNKNOWN;

			if (share(t, &q->sym->type, &r->sym->type)) {
				if (fresh)
					open->typed_at = (open == q->sym ? r : q)->sym->typed_at;
				continue;
			}
			diag_error(t->p->diag, r->span, TAG_OVERLOAD, "type mismatch (%s): parameter '%s' of an overload of '%s'",
				   type_names[r->sym->type], r->name->text, f->name->text);
			diag_note(t->p->diag, q->sym->typed_at, "type was first inferred here (%s)", type_names[q->sym->type]);
		}
		if (share(t, &f->type, &o->type))
			continue;
		diag_error(t->p->diag, o->name_span, TAG_OVERLOAD, "return type mismatch (%s): overload of function '%s'",
			   type_names[o->type], o->name->text);
		diag_note(t->p->diag, f->name_span, "this one returns %s", type_names[f->type]);
	}
}

static enum value_type infer_call(struct typing *t, struct expr *e, enum value_type want)
{
	struct function *f = e->u.call.fn;
	struct param *q = f->params;

	share_types(t, f);
	for (struct expr_list *a = e->u.call.args; a && q; a = a->next, q = q->next) {
		enum value_type have = infer(t, a->e, q->sym->type);

		if (have == TY_STATS)
			settle(t, a->e, TY_STATS, TY_LONG);
		else if (q->sym->type == TY_UNKNOWN && have != TY_UNKNOWN) {
			q->sym->type = have;
			q->sym->typed_at = a->e->span;
			t->changed = true;
		}
	}
	if (f->type == TY_UNKNOWN && want != TY_UNKNOWN && want != TY_NONE && want != TY_STATS) {
		f->type = want;
		t->changed = true;
	}
	share_types(t, f);
	return settle(t, e, f->type, want == TY_NONE ? TY_UNKNOWN : want);
}

static void infer_target(struct typing *t, struct expr *e)
{
	if (e->u.target.operand)
		infer(t, e->u.target.operand, TY_LONG);
	for (struct access *a = e->u.target.path; a; a = a->next)
		if (a->kind == ACC_INDEX && a->index)
			infer(t, a->index, TY_LONG);
}

/* $x$, $$vars are strings even where nothing is known of them. */
static enum value_type target_type(const struct expr *e)
{
	const struct access *last = e->u.target.path;

	while (last && last->next)
		last = last->next;
	if (last && last->kind == ACC_PRETTY)
		return TY_STRING;
	return e->u.target.base == TB_NAME && e->u.target.name && !e->u.target.fetch && e->u.target.name->len > 1 &&
	       e->u.target.name->text[1] == '$' ? TY_STRING : TY_LONG;
}

static bool same_shape(const struct hist *a, const struct hist *b)
{
	return a->linear == b->linear && (!a->linear || (a->low == b->low && a->high == b->high && a->width == b->width));
}

static void infer_hist(struct typing *t, struct hist *h, struct span at)
{
	struct symbol *s = symbol_of(h->stat);

	infer(t, h->stat, TY_STATS);
	if (!s || h->stat->kind == EXPR_ERROR)
		return;
	if (!s->hist)
		s->hist = h;
	else if (!same_shape(s->hist, h))
		diag_error(t->p->diag, at, TAG_HISTOGRAM, "multiple histogram types declared on '%s'", s->name->text);
}

static void infer_extract(struct typing *t, struct expr *e)
{
	struct symbol *s = symbol_of(e->u.extract.stat);
	int64_t shift = e->u.extract.shift && e->u.extract.shift->kind == EXPR_NUM ? e->u.extract.shift->u.num : 0;

	infer(t, e->u.extract.stat, TY_STATS);
	if (!s || e->u.extract.stat->kind == EXPR_ERROR)
		return;
	if (e->u.extract.what == EX_MIN || e->u.extract.what == EX_MAX)
		s->stats |= SP_STAT_MINMAX;
	if (e->u.extract.what != EX_VARIANCE)
		return;
	if (shift < 0 || shift > 62)
		diag_error(t->p->diag, e->span, TAG_SHIFT, "bit shift (%" PRId64 ") out of range <0..62>", shift);
	else if ((s->stats & SP_STAT_VARIANCE) && s->shift != shift)
		diag_error(t->p->diag, e->span, TAG_SHIFT, "conflicting bit shifts declared (previously %d)", s->shift);
	else
		s->shift = (int)shift;
	s->stats |= SP_STAT_VARIANCE;
}

static enum value_type conversion_type(char conv)
{
	return conv == 's' ? TY_STRING : TY_LONG;
}

/* The next argument of a format, or NULL with the mistake told. */
static struct expr_list *take_arg(struct typing *t, struct expr_list *a, enum value_type want)
{
	infer(t, a->e, want);
	return a->next;
}

static void infer_format(struct typing *t, struct expr *e)
{
	struct expr_list *a = e->u.print.args;
	unsigned need = 0, have = 0;

	for (struct format_part *f = e->u.print.parts; f; f = f->next)
		need += f->kind == FMT_VALUE ? 1u + f->star_width + f->star_prec : 0;
	for (struct expr_list *l = a; l; l = l->next)
		have++;
	if (need != have) {
		diag_error(t->p->diag, e->span, TAG_FORMAT_ARGS, "Wrong number of args to formatted print operator: "
			   "expected %u, found %u", need, have);
		fail(e, TY_LONG);
		return;
	}
	for (struct format_part *f = e->u.print.parts; f; f = f->next) {
		if (f->kind != FMT_VALUE)
			continue;
		if (f->star_width)
			a = take_arg(t, a, TY_LONG);
		if (f->star_prec)
			a = take_arg(t, a, TY_LONG);
		a = take_arg(t, a, conversion_type(f->conv));
	}
}

static void infer_print(struct typing *t, struct expr *e)
{
	if (e->u.print.form == PRINT_F) {
		infer_format(t, e);
		return;
	}
	for (struct expr_list *a = e->u.print.args; a; a = a->next)
		if (a->e->kind == EXPR_HIST) {
			infer_hist(t, a->e->u.hist, a->e->span);
			a->e->type = TY_STATS;
		} else {
			infer(t, a->e, e->u.print.form == PRINT_CHAR ? TY_LONG : TY_UNKNOWN);
		}
}

static void infer_in(struct typing *t, struct expr *e)
{
	struct symbol *s = e->u.in.array ? symbol_of(e->u.in.array) : NULL;

	if (s && e->u.in.array->kind != EXPR_ERROR)
		infer_keys(t, s, e->u.in.keys);
	if (!e->u.in.hist)
		return;
	infer_hist(t, e->u.in.hist, e->span);
	for (struct expr_list *k = e->u.in.keys; k; k = k->next)
		if (k->e)
			infer(t, k->e, TY_LONG);
}

static enum value_type infer_ternary(struct typing *t, struct expr *e, enum value_type want)
{
	enum value_type yes, no;

	infer(t, e->u.tern.cond, TY_LONG);
	if (want != TY_UNKNOWN && want != TY_NONE) {
		infer(t, e->u.tern.yes, want);
		infer(t, e->u.tern.no, want);
		return settle(t, e, want, want);
	}
	yes = infer(t, e->u.tern.yes, TY_UNKNOWN);
	no = infer(t, e->u.tern.no, yes);
	if (yes == TY_UNKNOWN)
		yes = infer(t, e->u.tern.yes, no);
	return settle(t, e, yes, TY_UNKNOWN);
}

/* Kinds whose type is fixed, whatever is below them. */
static const enum value_type fixed[EXPR_KINDS] = {
	[EXPR_NUM] = TY_LONG, [EXPR_STR] = TY_STRING, [EXPR_UNARY] = TY_LONG, [EXPR_INCDEC] = TY_LONG, [EXPR_IN] = TY_LONG,
	[EXPR_REGEX] = TY_LONG, [EXPR_DEFINED] = TY_LONG, [EXPR_PERF] = TY_LONG,
	[EXPR_PROBEWRITE] = TY_LONG, [EXPR_CONST] = TY_LONG, [EXPR_REGISTER] = TY_LONG, [EXPR_DEREF] = TY_LONG,
	[EXPR_ENUM] = TY_LONG, [EXPR_ENUMNAME] = TY_STRING, [EXPR_EXTRACT] = TY_LONG, [EXPR_HIST] = TY_STATS,
	[EXPR_HISTINDEX] = TY_LONG,
};

static void infer_below(struct typing *t, struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
		infer(t, e->u.un.e, TY_LONG);
		break;
	case EXPR_INCDEC:
		infer(t, e->u.incdec.e, TY_LONG);
		break;
	case EXPR_IN:
		infer_in(t, e);
		break;
	case EXPR_REGEX:
		infer(t, e->u.regex.subject, TY_STRING);
		break;
	case EXPR_DEREF:
		infer(t, e->u.machine.b, TY_LONG);
		/* fall through */
	case EXPR_REGISTER:
		infer(t, e->u.machine.a, TY_LONG);
		break;
	case EXPR_ENUMNAME:
		infer(t, e->u.enumname.e, TY_LONG);
		break;
	case EXPR_EXTRACT:
		infer_extract(t, e);
		break;
	case EXPR_HIST:
		infer_hist(t, e->u.hist, e->span);
		break;
	case EXPR_HISTINDEX:
		infer_hist(t, e->u.histindex.hist, e->span);
		infer(t, e->u.histindex.bucket, TY_LONG);
		break;
	default:
		break;
	}
}

/* What was kept is typed where it is kept; the type also says that derive has settled the node. */
static enum value_type infer_entry(struct typing *t, struct expr *e, enum value_type want)
{
	enum value_type type = infer(t, e->u.entry.e, want);

	if (type != TY_UNKNOWN)
		return settle(t, e, type, want);
	e->type = TY_LONG;
	return TY_UNKNOWN;
}

static void still_open(struct typing *t, struct expr *e, const char *name, struct symbol *s)
{
	diag_error(t->p->diag, e->span, TAG_UNRESOLVED_TYPE, "unresolved type : identifier '%s'", name);
	/* once for each variable, not for each use */
	if (s)
		s->type = TY_LONG;
	fail(e, TY_LONG);
}

static enum value_type infer(struct typing *t, struct expr *e, enum value_type want)
{
	enum value_type type = fixed[e->kind];

	if (type != TY_UNKNOWN) {
		infer_below(t, e);
		return settle(t, e, type, want == TY_NONE ? TY_UNKNOWN : want);
	}
	switch (e->kind) {
	case EXPR_VAR:
		type = use_symbol(t, e, e->u.var.sym, want);
		break;
	case EXPR_INDEX:
		infer_keys(t, e->u.index.sym, e->u.index.keys);
		type = use_symbol(t, e, e->u.index.sym, want);
		break;
	case EXPR_CALL:
		type = infer_call(t, e, want);
		break;
	case EXPR_BINARY:
		return infer_binary(t, e, want == TY_NONE ? TY_UNKNOWN : want);
	case EXPR_TERNARY:
		return infer_ternary(t, e, want);
	case EXPR_ASSIGN:
		type = infer_assign(t, e, want == TY_NONE ? TY_UNKNOWN : want);
		break;
	case EXPR_ENTRY:
		return infer_entry(t, e, want == TY_NONE ? TY_UNKNOWN : want);
	case EXPR_TARGET:
		infer_target(t, e);
		return settle(t, e, target_type(e), want == TY_NONE ? TY_UNKNOWN : want);
	case EXPR_EMBEDDED:
		return settle(t, e, e->u.embedded.is_string ? TY_STRING : TY_LONG, want == TY_NONE ? TY_UNKNOWN : want);
	case EXPR_PRINT:
		infer_print(t, e);
		return settle(t, e, e->u.print.to_string ? TY_STRING : TY_LONG, want == TY_NONE ? TY_UNKNOWN : want);
	default:
		e->type = want;
		return want;
	}
	if (t->final && (e->kind == EXPR_VAR || e->kind == EXPR_INDEX) && type == TY_UNKNOWN)
		still_open(t, e, symbol_of(e)->name->text, symbol_of(e));
	if (t->final && e->kind == EXPR_CALL && (type == TY_UNKNOWN || type == TY_NONE) && want != TY_NONE)
		still_open(t, e, e->u.call.name->text, NULL);
	if (e->kind == EXPR_ERROR && type == TY_UNKNOWN)
		type = e->type;
	return type;
}

/* ------------------------------------------------------------------------------------------------ statements */

static void infer_stmt(struct stmt **sp, void *data);

static void infer_visit(struct expr **e, void *data)
{
	infer(data, *e, TY_UNKNOWN);
}

/* The array may not change under a loop over it. */
struct watch { struct program *p; const struct symbol *array; };

static bool function_writes(const struct function *f, const struct symbol *s, struct function_list *seen, struct arena *a);

static bool call_writes(const struct expr *e, const struct symbol *s, struct function_list *seen, struct arena *a)
{
	for (const struct function *f = e->u.call.fn; f; f = f->overload)
		if (function_writes(f, s, seen, a))
			return true;
	return false;
}

struct call_watch { const struct symbol *s; struct function_list *seen; struct arena *a; bool found; };

static const struct symbol *written_by(const struct expr *e)
{
	return e->kind == EXPR_ASSIGN ? symbol_of(e->u.assign.l) : e->kind == EXPR_INCDEC ? symbol_of(e->u.incdec.e) : NULL;
}

static void look_call_writes(struct expr **e, void *data)
{
	struct call_watch *w = data;

	if (written_by(*e) == w->s)
		w->found = true;
	if ((*e)->kind == EXPR_CALL && call_writes(*e, w->s, w->seen, w->a))
		w->found = true;
}

/* delete, and a nested loop that sorts. */
static void look_stmt_writes(struct stmt **sp, void *data)
{
	struct call_watch *w = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_DELETE && symbol_of(s->u.expr) == w->s)
		w->found = true;
	stmt_children(s, look_call_writes, look_stmt_writes, w);
}

static bool function_writes(const struct function *f, const struct symbol *s, struct function_list *seen, struct arena *a)
{
	struct call_watch w = { s, seen, a, false };
	struct stmt *body = f->body;

	for (unsigned i = 0; i < seen->n; i++)
		if (seen->fn[i] == f)
			return false;
	if (seen->n == seen->room)
		return false;
	seen->fn[seen->n++] = (struct function *)(uintptr_t)f;
	for (const struct global_use *g = f->globals; g; g = g->next)
		w.found |= g->write && g->sym == s;
	walk_stmt(body, look_call_writes, &w);
	look_stmt_writes(&body, &w);
	return w.found;
}

static void check_loop_expr(struct expr **ep, void *data)
{
	struct watch *w = data;
	struct expr *e = *ep;
	struct function *room[256];
	struct function_list seen = { room, 0, 256 };

	if (written_by(e) == w->array)
		diag_error(w->p->diag, e->span, TAG_LOOP_WRITE, "variable '%s' modified during 'foreach' iteration",
			   w->array->name->text);
	if (e->kind == EXPR_CALL && call_writes(e, w->array, &seen, w->p->arena))
		diag_error(w->p->diag, e->span, TAG_LOOP_WRITE, "function call modifies var '%s' during 'foreach' iteration",
			   w->array->name->text);
}

static void check_loop_stmt(struct stmt **sp, void *data)
{
	struct watch *w = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_DELETE && symbol_of(s->u.expr) == w->array)
		diag_error(w->p->diag, s->span, TAG_LOOP_WRITE, "variable '%s' modified during 'foreach' iteration",
			   w->array->name->text);
	stmt_children(s, check_loop_expr, check_loop_stmt, w);
}

static void check_loop(struct typing *t, struct stmt *s, struct symbol *array)
{
	struct watch w = { t->p, array };

	walk_stmt(s->u.foreach.body, check_loop_expr, &w);
	check_loop_stmt(&s->u.foreach.body, &w);
}

static void infer_foreach_array(struct typing *t, struct stmt *s)
{
	struct expr *array = s->u.foreach.array;
	struct symbol *sym = symbol_of(array);
	int i = 0;

	if (!sym || array->kind == EXPR_ERROR)
		return;
	for (struct foreach_key *k = s->u.foreach.keys; k && i < MAX_KEYS; k = k->next, i++)
		infer_key(t, sym, i, k->var);
	infer_keys(t, sym, s->u.foreach.slice);
	if (s->u.foreach.has_extract)
		use_symbol(t, array, sym, TY_STATS);
	array->type = sym->type;
	if (s->u.foreach.value && sym->type == TY_STATS) {
		diag_error(t->p->diag, s->u.foreach.value->span, TAG_TYPE, "invalid type stats: identifier '%s'",
			   s->u.foreach.value->kind == EXPR_VAR ? s->u.foreach.value->u.var.name->text : "?");
		fail(s->u.foreach.value, TY_STATS);
		s->u.foreach.value = NULL;
	} else if (s->u.foreach.value) {
		enum value_type have = infer(t, s->u.foreach.value, sym->type);

		if (sym->type == TY_UNKNOWN && have != TY_UNKNOWN)
			use_symbol(t, array, sym, have);
	}
	if (s->u.foreach.has_extract && (s->u.foreach.extract == EX_MIN || s->u.foreach.extract == EX_MAX))
		sym->stats |= SP_STAT_MINMAX;
	if (t->final)
		check_loop(t, s, sym);
}

static void infer_foreach(struct typing *t, struct stmt *s)
{
	if (s->u.foreach.limit)
		infer(t, s->u.foreach.limit, TY_LONG);
	if (s->u.foreach.array)
		infer_foreach_array(t, s);
	if (s->u.foreach.hist) {
		infer_hist(t, s->u.foreach.hist, s->span);
		for (struct foreach_key *k = s->u.foreach.keys; k; k = k->next)
			infer(t, k->var, TY_LONG);
		if (s->u.foreach.value)
			infer(t, s->u.foreach.value, TY_LONG);
	}
	infer_stmt(&s->u.foreach.body, t);
}

static void infer_return(struct typing *t, struct stmt *s)
{
	enum value_type have;

	if (!s->u.expr) {
		if (t->final && (t->fn->type == TY_LONG || t->fn->type == TY_STRING)) {
			diag_error(t->p->diag, s->span, TAG_RETURN_TYPE, "return type mismatch: 'return' without a value");
			diag_note(t->p->diag, t->fn->name_span, "function '%s' returns %s", t->fn->name->text,
				  type_names[t->fn->type]);
		}
		return;
	}
	have = infer(t, s->u.expr, t->fn ? t->fn->type : TY_UNKNOWN);
	if (have == TY_STATS)
		settle(t, s->u.expr, TY_STATS, TY_LONG);
	else if (t->fn && t->fn->type == TY_UNKNOWN && have != TY_UNKNOWN && have != TY_NONE) {
		t->fn->type = have;
		t->changed = true;
	}
}

static void infer_delete(struct typing *t, struct stmt *s)
{
	struct expr *e = s->u.expr;

	if (e->kind == EXPR_INDEX)
		infer_keys(t, e->u.index.sym, e->u.index.keys);
	else if (e->kind != EXPR_VAR && e->kind != EXPR_ERROR && e->kind != EXPR_TARGET)
		diag_error(t->p->diag, e->span, TAG_DELETE, "invalid operand of delete expression");
	if (symbol_of(e))
		e->type = symbol_of(e)->type;
}

static void infer_stmt(struct stmt **sp, void *data)
{
	struct typing *t = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	switch (s->kind) {
	case STMT_EXPR:
		infer(t, s->u.expr, TY_NONE);
		break;
	case STMT_IF:
		infer(t, s->u.branch.cond, TY_LONG);
		infer_stmt(&s->u.branch.yes, t);
		infer_stmt(&s->u.branch.no, t);
		break;
	case STMT_FOR:
		if (s->u.loop.init)
			infer(t, s->u.loop.init, TY_NONE);
		if (s->u.loop.cond)
			infer(t, s->u.loop.cond, TY_LONG);
		infer_stmt(&s->u.loop.body, t);
		if (s->u.loop.step)
			infer(t, s->u.loop.step, TY_NONE);
		break;
	case STMT_FOREACH:
		infer_foreach(t, s);
		break;
	case STMT_RETURN:
		infer_return(t, s);
		break;
	case STMT_DELETE:
		infer_delete(t, s);
		break;
	case STMT_TRY:
		infer_stmt(&s->u.try.body, t);
		if (s->u.try.message)
			infer(t, s->u.try.message, TY_STRING);
		infer_stmt(&s->u.try.handler, t);
		break;
	default:
		stmt_children(s, infer_visit, infer_stmt, t);
	}
}

/* ------------------------------------------------------------------------------------------------ the pass */

static void infer_probe(struct typing *t, struct probe *q)
{
	t->fn = NULL;
	for (struct entry_save *s = q->saves; s; s = s->next) {
		if (infer(t, s->e, TY_UNKNOWN) != TY_STRING)
			infer(t, s->e, TY_LONG);
	}
	if (q->condition)
		infer(t, q->condition, TY_LONG);
	infer_stmt(&q->body, t);
}

static void walk_all(struct typing *t)
{
	struct function_list *l = &t->p->state->functions;

	for (struct probe *q = t->p->probes; q; q = q->next)
		infer_probe(t, q);
	for (unsigned i = 0; i < l->n; i++) {
		t->fn = l->fn[i];
		infer_stmt(&l->fn[i]->body, t);
	}
}

/* What only appears as a loop's array, or is only deleted, can be anything: a number. */
static void settle_rest(struct program *p)
{
	struct function_list *l = &p->state->functions;

	for (struct symbol *g = p->globals; g; g = g->next) {
		if (g->type == TY_UNKNOWN)
			g->type = TY_LONG;
		for (int i = 0; i < g->nkeys; i++)
			if (g->keys[i] == TY_UNKNOWN)
				g->keys[i] = TY_LONG;
		if (g->nkeys < 0)
			g->nkeys = g->is_array ? 1 : 0;
		if (g->is_array && g->keys[0] == TY_UNKNOWN)
			g->keys[0] = TY_LONG;
	}
	for (unsigned i = 0; i < l->n; i++) {
		if (l->fn[i]->type == TY_UNKNOWN)
			l->fn[i]->type = TY_NONE;
		for (struct param *q = l->fn[i]->params; q; q = q->next)
			if (q->sym->type == TY_UNKNOWN)
				q->sym->type = TY_LONG;
	}
}

bool infer_types(struct program *p)
{
	struct typing t = { .p = p };
	unsigned before = diag_errors(p->diag);

	/* each round settles at least one more type, and there are only so many */
	do {
		t.changed = false;
		walk_all(&t);
	} while (t.changed && diag_errors(p->diag) == before);
	if (diag_errors(p->diag) == before) {
		t.final = true;
		walk_all(&t);
	}
	settle_rest(p);
	return diag_errors(p->diag) == before;
}
