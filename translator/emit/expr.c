/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions.
 *
 * emit_value() returns C text for a value and prints, before the statement it will stand in, what must come first.
 * Operands are evaluated left to right (spec/language.md 5.4): where a later operand changes what an earlier one
 * reads, the earlier one moves into a temporary.  Start reading at emit_value().
 */
#include "emit/inner.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* ---- values ---- */

static struct cvalue primary(const char *text, unsigned on)
{
	return (struct cvalue){ text, on, true, false };
}

static struct cvalue compound(const char *text, unsigned on)
{
	return (struct cvalue){ text, on, false, false };
}

static struct cvalue truth_value(const char *text, unsigned on)
{
	return (struct cvalue){ text, on, false, true };
}

struct cvalue temp_value(const char *name)
{
	return primary(name, 0);
}

const char *operand(struct body *b, struct cvalue v)
{
	return v.primary ? v.text : text(b, "(%s)", v.text);
}

const char *c_number(struct body *b, int64_t n)
{
	if (n == INT64_MIN)
		return "(-9223372036854775807LL - 1)";
	if (n > INT_MAX || n < INT_MIN)
		return text(b, n < 0 ? "(%" PRId64 "LL)" : "%" PRId64 "LL", n);
	return text(b, n < 0 ? "(%" PRId64 ")" : "%" PRId64, n);
}

const char *new_temp(struct body *b, enum value_type type)
{
	int kind = type == TY_STRING ? TEMP_STRING : TEMP_LONG;
	unsigned n = ++b->temps[kind];

	if (n > b->most_temps[kind])
		b->most_temps[kind] = n;
	return text(b, "%c%u", kind == TEMP_STRING ? 's' : 't', n);
}

static struct cvalue saved(struct body *b, enum value_type type, struct cvalue v)
{
	const char *t = new_temp(b, type);

	emit_line(b, "%s = %s;", t, v.text);
	return temp_value(t);
}

void check(struct body *b)
{
	b->uses_out = true;
	emit_line(b, "SP_CHECK(c);");
}

struct cvalue checked(struct body *b, enum value_type type, int place, const char *call)
{
	const char *t;

	place_set(b, place);
	if (b->unused_value) {
		emit_line(b, "%s;", call);
		check(b);
		return primary("0", 0);
	}
	t = new_temp(b, type);
	emit_line(b, "%s = %s;", t, call);
	check(b);
	return temp_value(t);
}

/* A handler that changed a global cannot be run again; the runtime wants to know before it does. */
void mark_written(struct body *b)
{
	if (b->done & DONE_WROTE || (b->probe && !b->probe->nlocks))
		return;
	emit_line(b, "c->wrote = 1;");
	b->done |= DONE_WROTE;
}

void emit_list(struct body *b, const struct expr_list *list, struct cvalue *v, unsigned n, unsigned later)
{
	const struct expr_list *i = list;

	for (unsigned k = 0; k < n && i; k++, i = i->next) {
		unsigned changes = later;

		if (!i->e) {		/* '*' in a slice */
			v[k] = primary("0", 0);
			continue;
		}
		for (const struct expr_list *j = i->next; j; j = j->next)
			if (j->e)
				changes |= expr_changes(b->f, j->e);
		v[k] = emit_value(b, i->e);
		if (v[k].on & changes)
			v[k] = saved(b, i->e->type, v[k]);
	}
}

/* Two operands, the first safe from the second. */
static void emit_pair(struct body *b, struct expr *l, struct expr *r, struct cvalue *lv, struct cvalue *rv)
{
	struct expr_list second = { r, NULL }, first = { l, &second };
	struct cvalue v[2];

	emit_list(b, &first, v, 2, 0);
	*lv = v[0];
	*rv = v[1];
}

const char *array_item(struct body *b, enum value_type type, struct cvalue v)
{
	return text(b, "{ .%c = %s }", type == TY_STRING ? 's' : 'n', v.text);
}

/* A literal or a local: as cheap as a temporary, however often it stands in the text. */
static bool is_plain(const struct expr *e)
{
	return e->kind == EXPR_NUM || e->kind == EXPR_STR ||
	       (e->kind == EXPR_VAR && e->u.var.sym->kind != SYM_GLOBAL);
}

const char *emit_keys(struct body *b, const struct expr_list *keys, unsigned later, bool twice, unsigned *any)
{
	struct cvalue v[MAX_KEYS];
	const struct expr_list *i = keys;
	const char *list = "";
	unsigned stars = 0;

	emit_list(b, keys, v, MAX_KEYS, later);
	for (unsigned k = 0; i && k < MAX_KEYS; k++, i = i->next) {
		enum value_type type = i->e ? i->e->type : TY_LONG;

		if (!i->e)
			stars |= 1u << k;
		else if (twice && v[k].on && !is_plain(i->e))
			v[k] = saved(b, type, v[k]);
		list = text(b, "%s%s%s", list, k ? ", " : "", array_item(b, type, v[k]));
	}
	if (any)
		*any = stars;
	return text(b, "SP_VALS(%s)", list);
}

/* ---- names ---- */

void note_read(struct body *b, const struct symbol *s)
{
	const struct symbol **more;

	for (unsigned i = 0; i < b->nread; i++)
		if (b->read[i] == s)
			return;
	more = ARENA_ARRAY(b->f->a, const struct symbol *, b->nread + 1);
	if (b->nread)
		memcpy(more, b->read, b->nread * sizeof(*more));
	more[b->nread++] = s;
	b->read = more;
}

static bool is_string_global(const struct symbol *s)
{
	return s->kind == SYM_GLOBAL && s->type == TY_STRING;
}

bool is_counter(const struct symbol *s)
{
	return s->counted && !s->is_array && s->type == TY_LONG;
}

static struct cvalue emit_var(struct body *b, const struct expr *e)
{
	const struct symbol *s = e->u.var.sym;
	const char *c = symbol_c(b, s);

	if (is_string_global(s))
		return checked(b, TY_STRING, place_of_expr(b->f, e), text(b, "sp_string_load(c, &%s)", c));
	if (is_counter(s))
		return primary(text(b, "sp_add(%s, sp_counter(c, %s))", c, counter_index(b->f->a, s)), ON_GLOBALS);
	if (s->kind != SYM_GLOBAL)
		note_read(b, s);
	return primary(c, s->kind == SYM_GLOBAL ? ON_GLOBALS : ON_LOCALS);
}

void assign_symbol(struct body *b, const struct symbol *s, const char *value)
{
	if (s->kind == SYM_GLOBAL)
		mark_written(b);
	if (is_string_global(s))
		emit_line(b, "sp_string_store(c, &%s, %s);", symbol_c(b, s), value);
	else if (is_counter(s))
		emit_line(b, "sp_counter_set(c, %s, &%s, %s);", counter_index(b->f->a, s), symbol_c(b, s), value);
	else
		emit_line(b, "%s = %s;", symbol_c(b, s), value);
}

/* ---- map elements ---- */

static const char *map_get(struct body *b, const struct symbol *s, const char *keys)
{
	return text(b, "sp_map_get_%s(c, %s, %s)", s->type == TY_STRING ? "str" : "long",
		    global_index(b->f->a, s), keys);
}

static struct cvalue emit_index(struct body *b, struct expr *e)
{
	const struct symbol *s = e->u.index.sym;
	const char *keys = emit_keys(b, e->u.index.keys, 0, false, NULL);

	if (s->type == TY_STRING)
		return checked(b, TY_STRING, place_of_expr(b->f, e), map_get(b, s, keys));
	return primary(map_get(b, s, keys), ON_GLOBALS | ON_LOCALS);
}

static void map_set(struct body *b, const struct symbol *s, const char *keys, const char *value, int place)
{
	mark_written(b);
	place_set(b, place);
	emit_line(b, "sp_map_set_%s(c, %s, %s, %s);", s->type == TY_STRING ? "str" : "long",
		  global_index(b->f->a, s), keys, value);
	check(b);
}

/* ---- operators ---- */

/* How a binary operator on numbers looks in C: a call, or infix where C means the same. */
static const struct { const char *call, *infix; bool fails; } arithmetic[OPS] = {
	[OP_ADD] = { "sp_add(%s, %s)", NULL, false },
	[OP_SUB] = { "sp_sub(%s, %s)", NULL, false },
	[OP_MUL] = { "sp_mul(%s, %s)", NULL, false },
	[OP_DIV] = { "sp_div(c, %s, %s)", NULL, true },
	[OP_MOD] = { "sp_mod(c, %s, %s)", NULL, true },
	[OP_SHL] = { "sp_shl(%s, %s)", NULL, false },
	[OP_SHR] = { "sp_shr(%s, %s)", NULL, false },
	[OP_USHR] = { "sp_ushr(%s, %s)", NULL, false },
	[OP_AND] = { NULL, "&", false },
	[OP_XOR] = { NULL, "^", false },
	[OP_OR] = { NULL, "|", false },
	[OP_LT] = { NULL, "<", false },
	[OP_GT] = { NULL, ">", false },
	[OP_LE] = { NULL, "<=", false },
	[OP_GE] = { NULL, ">=", false },
	[OP_EQ] = { NULL, "==", false },
	[OP_NE] = { NULL, "!=", false },
	[OP_CONCAT] = { "sp_concat(c, %s, %s)", NULL, true },
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static const char *call_text(struct body *b, const char *format, const char *l, const char *r)
{
	return arena_printf(b->f->a, format, l, r);
}
#pragma GCC diagnostic pop

/* @at: the expression whose place an error names. */
static struct cvalue combine(struct body *b, enum op op, enum value_type operands, struct cvalue l, struct cvalue r,
			     const struct expr *at)
{
	unsigned on = l.on | r.on;
	struct cvalue v;

	if (arithmetic[op].infix) {
		v = operands == TY_STRING
			? compound(text(b, "sp_strcmp(%s, %s) %s 0", l.text, r.text, arithmetic[op].infix), on)
			: compound(text(b, "%s %s %s", operand(b, l), arithmetic[op].infix, operand(b, r)), on);
		v.is_truth = op >= OP_LT && op <= OP_NE;
		return v;
	}
	if (!arithmetic[op].call)
		BUG("no arithmetic for operator %d", op);
	if (!arithmetic[op].fails)
		return primary(call_text(b, arithmetic[op].call, l.text, r.text), on);
	return checked(b, op == OP_CONCAT ? TY_STRING : TY_LONG, place_of_expr(b->f, at),
		       call_text(b, arithmetic[op].call, l.text, r.text));
}

void undo(struct body *b, const struct body *before)
{
	struct body now = *b;

	*b = *before;
	b->most_temps[TEMP_LONG] = now.most_temps[TEMP_LONG];
	b->most_temps[TEMP_STRING] = now.most_temps[TEMP_STRING];
	b->declarations = now.declarations;
}

bool inline_value(struct body *b, struct expr *e, struct cvalue *v)
{
	struct body before = *b;
	struct strbuf aside = { 0 };
	bool is_text;

	b->to = &aside;
	*v = emit_value(b, e);
	is_text = !aside.len;
	strbuf_free(&aside);
	b->to = before.to;
	if (!is_text)
		undo(b, &before);
	return is_text;
}

/* 0 or 1. */
static const char *truth(struct body *b, struct cvalue v)
{
	return v.is_truth ? v.text : text(b, "%s != 0", operand(b, v));
}

/* a && b, a || b: the second is evaluated only where the first leaves it open. */
static struct cvalue emit_logic(struct body *b, struct expr *e)
{
	bool is_and = e->u.bin.op == OP_LAND, unused = b->unused_value;
	unsigned done;
	struct cvalue l = emit_value(b, e->u.bin.l), r;
	const char *t;
	int at;

	if (!unused && inline_value(b, e->u.bin.r, &r))
		return truth_value(text(b, "%s %s %s", operand(b, l), is_and ? "&&" : "||", operand(b, r)), l.on | r.on);
	t = new_temp(b, TY_LONG);
	emit_line(b, "%s = %s;", t, truth(b, l));
	emit_line(b, is_and ? "if (%s) {" : "if (!%s) {", t);
	at = b->at;
	done = b->done;
	b->indent++;
	if (unused)
		emit_effect(b, e->u.bin.r);
	else
		emit_line(b, "%s = %s;", t, truth(b, emit_value(b, e->u.bin.r)));
	b->indent--;
	emit_line(b, "}");
	b->at = b->at == at ? at : -1;
	b->done = done;
	return temp_value(t);
}

/* One arm of a ?: that needs statements; @t NULL: only its effects are wanted. */
static void emit_arm(struct body *b, struct expr *e, const char *t)
{
	b->indent++;
	if (t)
		emit_line(b, "%s = %s;", t, emit_value(b, e).text);
	else
		emit_effect(b, e);
	b->indent--;
}

static struct cvalue emit_ternary(struct body *b, struct expr *e)
{
	struct cvalue cond = emit_value(b, e->u.tern.cond), yes, no;
	bool unused = b->unused_value;
	unsigned done;
	const char *t;
	int at;

	if (!unused && inline_value(b, e->u.tern.yes, &yes) && inline_value(b, e->u.tern.no, &no))
		return compound(text(b, "%s ? %s : %s", operand(b, cond), operand(b, yes), operand(b, no)),
				cond.on | yes.on | no.on);
	t = unused ? NULL : new_temp(b, e->type);
	emit_line(b, "if (%s) {", cond.text);
	at = b->at;
	done = b->done;
	emit_arm(b, e->u.tern.yes, t);
	emit_line(b, "} else {");
	b->at = at;
	b->done = done;
	emit_arm(b, e->u.tern.no, t);
	emit_line(b, "}");
	b->at = -1;
	b->done = done;
	return temp_value(unused ? "0" : t);
}

static struct cvalue emit_unary(struct body *b, struct expr *e)
{
	struct cvalue v = emit_value(b, e->u.un.e);

	switch (e->u.un.op) {
	case OP_PLUS:
		return v;
	case OP_NEG:
		return primary(text(b, "sp_neg(%s)", v.text), v.on);
	case OP_NOT:
		return primary(text(b, "!%s", operand(b, v)), v.on);
	default:
		return primary(text(b, "~%s", operand(b, v)), v.on);
	}
}

/* ---- assignment ---- */

/* x <<< n: keys, then the sample, then the store. */
static struct cvalue emit_sample(struct body *b, struct expr *e)
{
	struct expr *l = e->u.assign.l, *r = e->u.assign.r;
	const char *keys = NULL;
	struct cvalue v;

	if (l->kind == EXPR_INDEX)
		keys = emit_keys(b, l->u.index.keys, expr_changes(b->f, r), false, NULL);
	v = emit_value(b, r);
	mark_written(b);
	if (!keys) {
		emit_line(b, "sp_stat_add(c, %s, %s);", global_index(b->f->a, l->u.var.sym), v.text);
		return v;
	}
	place_set(b, place_of_expr(b->f, e));
	emit_line(b, "sp_map_stat_add(c, %s, %s, %s);", global_index(b->f->a, l->u.index.sym), keys, v.text);
	check(b);
	return v;
}

static const char *added(struct body *b, enum op op, struct cvalue v)
{
	return op == OP_SUB ? text(b, "sp_neg(%s)", v.text) : v.text;
}

static struct cvalue count_element(struct body *b, const struct symbol *s, const char *keys, enum op op, struct cvalue v,
				   int place)
{
	mark_written(b);
	place_set(b, place);
	emit_line(b, "sp_map_count(c, %s, %s, %s);", global_index(b->f->a, s), keys, added(b, op, v));
	check(b);
	return primary("0", 0);
}

/* The new value of an element: @r, or what @op makes of the old one and @r. */
static struct cvalue store_element(struct body *b, struct expr *e, struct expr *l, enum op op, struct expr *r,
				   bool unused)
{
	const struct symbol *s = l->u.index.sym;
	const char *keys = emit_keys(b, l->u.index.keys, expr_changes(b->f, r), op != OP_NONE, NULL);
	struct cvalue v = emit_value(b, r);
	int place = place_of_expr(b->f, e);

	if (s->counted && unused && (op == OP_ADD || op == OP_SUB))
		return count_element(b, s, keys, op, v, place);
	if (op == OP_ADD || op == OP_SUB) {
		mark_written(b);
		b->unused_value = unused;
		v = checked(b, TY_LONG, place, text(b, "sp_map_add_long(c, %s, %s, %s)", global_index(b->f->a, s), keys,
			    added(b, op, v)));
		b->unused_value = false;
		return v;
	}
	if (op != OP_NONE) {
		struct cvalue old = s->type == TY_STRING
			? checked(b, TY_STRING, place, map_get(b, s, keys)) : primary(map_get(b, s, keys), 0);

		v = combine(b, op, s->type, old, v, e);
	}
	if (!unused && (v.on || op != OP_NONE))
		v = saved(b, s->type, v);
	map_set(b, s, keys, v.text, place);
	return v;
}

static struct cvalue store_variable(struct body *b, struct expr *e, struct expr *l, enum op op, struct expr *r,
				    bool unused)
{
	const struct symbol *s = l->u.var.sym;
	struct cvalue v = emit_value(b, r);

	if (is_counter(s) && unused && (op == OP_ADD || op == OP_SUB)) {
		mark_written(b);
		emit_line(b, "sp_counter_add(c, %s, %s);", counter_index(b->f->a, s), added(b, op, v));
		return primary("0", 0);
	}
	if (op != OP_NONE)
		v = combine(b, op, s->type, emit_var(b, l), v, e);
	assign_symbol(b, s, v.text);
	/* what was stored: a global string would have to be read back, so keep the view */
	if (is_string_global(s))
		return v;
	if (is_counter(s))
		return unused ? primary("0", 0) : emit_var(b, l);
	if (s->kind != SYM_GLOBAL && !unused)
		note_read(b, s);
	return primary(symbol_c(b, s), s->kind == SYM_GLOBAL ? ON_GLOBALS : ON_LOCALS);
}

static struct cvalue store(struct body *b, struct expr *e, struct expr *l, enum op op, struct expr *r, bool unused)
{
	if (l->kind == EXPR_INDEX)
		return store_element(b, e, l, op, r, unused);
	if (l->kind == EXPR_VAR)
		return store_variable(b, e, l, op, r, unused);
	return emit_target_store(b, e, l, r);
}

/* ++ and --: an addition of 1; a postfix one gives what was there before. */
static struct cvalue emit_incdec(struct body *b, struct expr *e, bool unused)
{
	struct expr *l = e->u.incdec.e;
	struct expr one = { .kind = EXPR_NUM, .type = TY_LONG, .span = e->span, .u.num = 1 };
	bool inc = e->u.incdec.op == OP_INC;
	struct cvalue before = { 0 }, v;

	if (e->u.incdec.postfix && !unused && l->kind == EXPR_VAR)
		before = saved(b, TY_LONG, emit_var(b, l));
	v = store(b, e, l, inc ? OP_ADD : OP_SUB, &one, unused || before.text);
	if (!e->u.incdec.postfix || unused)
		return v;
	if (before.text)
		return before;
	return primary(text(b, "%s(%s, 1)", inc ? "sp_sub" : "sp_add", v.text), v.on);
}

/* ---- calls, membership, extractors ---- */

static const char *extract_names[] = {
	[EX_COUNT] = "SP_COUNT", [EX_SUM] = "SP_SUM", [EX_MIN] = "SP_MIN", [EX_MAX] = "SP_MAX",
	[EX_AVG] = "SP_AVG", [EX_VARIANCE] = "SP_VARIANCE",
};

const char *extract_c(enum extractor what)
{
	return extract_names[what];
}

static struct cvalue emit_call(struct body *b, struct expr *e)
{
	struct function *fn = e->u.call.fn;
	struct cvalue v[MAX_ARGS];
	const struct expr_list *i = e->u.call.args;
	const char *call = text(b, "%s(c", function_c(b->f, fn));
	int place = place_of_expr(b->f, e);
	struct cvalue result = primary("0", 0);

	if (emit_stable(b, e, &result))
		return result;
	if (fn->nparams > MAX_ARGS) {
		refuse(b->f, e->span, "a function with more than 32 parameters");
		return result;
	}
	emit_list(b, i, v, MAX_ARGS, 0);
	for (unsigned k = 0; i; k++, i = i->next)
		call = text(b, "%s, %s", call, v[k].text);
	call = text(b, "%s)", call);
	if (touch_expr(b->f, e) & TOUCH_WRITES)
		mark_written(b);
	if (fn->type == TY_LONG || fn->type == TY_STRING) {
		result = checked(b, fn->type, place, call);
	} else {
		place_set(b, place);
		emit_line(b, "%s;", call);
		check(b);
	}
	b->at = -1;		/* the function left its own places */
	return result;
}

/* f(c, G_x, ...) for an aggregate, f of the map functions for one in a map. */
static const char *stat_call(struct body *b, struct expr *stat, const char *what, const char *more)
{
	if (stat->kind == EXPR_INDEX)
		return text(b, "sp_map_%s(c, %s, %s%s)", what, global_index(b->f->a, stat->u.index.sym),
			    emit_keys(b, stat->u.index.keys, 0, false, NULL), more);
	return text(b, "sp_stat_%s(c, %s%s)", what, global_index(b->f->a, stat->u.var.sym), more);
}

const char *hist_call(struct body *b, const struct hist *h, const char *what, const char *more)
{
	return stat_call(b, h->stat, text(b, "hist_%s", what), more);
}

static struct cvalue emit_extract(struct body *b, struct expr *e)
{
	enum extractor what = e->u.extract.what;
	struct expr *stat = e->u.extract.stat;
	const char *call = stat_call(b, stat, stat->kind == EXPR_INDEX ? "stat_get" : "get",
				     text(b, ", %s", extract_c(what)));

	/* before version 1.5 the sum of nothing was an error, as the average still is */
	if (what == EX_SUM && is_older(b->f->p, "1.5"))
		call = text(b, "(%s, %s)", stat_call(b, stat, stat->kind == EXPR_INDEX ? "stat_get" : "get",
						     text(b, ", %s", extract_c(EX_AVG))), call);
	else if (what == EX_COUNT || what == EX_SUM)
		return primary(call, ON_GLOBALS | ON_LOCALS);
	return checked(b, TY_LONG, place_of_expr(b->f, e), call);
}

static struct cvalue emit_bucket(struct body *b, struct expr *e, const struct hist *h, struct expr *bucket)
{
	struct cvalue n = emit_value(b, bucket);

	return checked(b, TY_LONG, place_of_expr(b->f, e), hist_call(b, h, "bucket", text(b, ", %s", n.text)));
}

static struct cvalue emit_in(struct body *b, struct expr *e)
{
	const struct symbol *s;
	const char *keys;
	unsigned any;

	if (e->u.in.hist) {
		struct cvalue n = emit_bucket(b, e, e->u.in.hist, e->u.in.keys->e);

		return compound(text(b, "%s != 0", n.text), n.on);
	}
	s = e->u.in.array->kind == EXPR_INDEX ? e->u.in.array->u.index.sym : e->u.in.array->u.var.sym;
	keys = emit_keys(b, e->u.in.keys, 0, false, &any);
	if (any)
		return primary(text(b, "sp_map_has_slice(c, %s, %s, %#x)", global_index(b->f->a, s), keys, any),
			       ON_GLOBALS | ON_LOCALS);
	return primary(text(b, "sp_map_has(c, %s, %s)", global_index(b->f->a, s), keys), ON_GLOBALS | ON_LOCALS);
}

/* @uregister(n), @uderef(size, address) and what reads the kernel's. */
static struct cvalue emit_machine(struct body *b, struct expr *e)
{
	struct expr_list second = { e->u.machine.b, NULL }, first = { e->u.machine.a, e->u.machine.b ? &second : NULL };
	const char *which = e->u.machine.user ? "u" : "k";
	struct cvalue v[2];

	emit_list(b, &first, v, 2, 0);
	if (e->kind == EXPR_REGISTER)
		return checked(b, TY_LONG, place_of_expr(b->f, e), text(b, "sp_%sregister(c, %s)", which, v[0].text));
	return checked(b, TY_LONG, place_of_expr(b->f, e), text(b, "sp_%sderef(c, %s, %s)", which, v[0].text, v[1].text));
}

/* A value kept at the function's entry. */
static struct cvalue emit_entry(struct body *b, struct expr *e)
{
	if (e->type == TY_STRING)
		return checked(b, TY_STRING, place_of_expr(b->f, e),
			       text(b, "sp_entry_get_str(c, %u, sp_cfa(c))", e->u.entry.slot));
	return primary(text(b, "sp_entry_get(c, %u, sp_cfa(c))", e->u.entry.slot), 0);
}

/* enumerators_N for these rows; equal tables are one. */
static unsigned enum_table(struct body *b, const struct ctype_enumerator *row, unsigned n)
{
	struct cfile *f = b->f;
	struct strbuf rows = { 0 };
	unsigned before = f->enums.n, at;

	strbuf_add(&rows, "");
	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&rows, "\t{ %s, %s },\n", c_number(b, row[i].value), c_string(f->a, row[i].name, strlen(row[i].name)));
	at = text_table_add(&f->enums, f->a, arena_strdup(f->a, rows.text));
	if (at == before)
		strbuf_printf(&f->formats, "static const struct sp_enumerator enumerators_%u[] = {\n%s};\n\n", at, rows.text);
	strbuf_free(&rows);
	return at;
}

static struct cvalue emit_enumname(struct body *b, struct expr *e)
{
	const struct ctype_enumerator *row;
	unsigned n = ctype_enumerators(e->u.enumname.ctype, b->f->a, &row);
	struct cvalue v = emit_value(b, e->u.enumname.e);

	return checked(b, TY_STRING, place_of_expr(b->f, e), n ?
		       text(b, "sp_enum_name(c, %s, enumerators_%u, %u)", v.text, enum_table(b, row, n), n) :
		       text(b, "sp_enum_name(c, %s, 0, 0)", v.text));
}

static struct cvalue emit_literal(struct body *b, const struct str *s)
{
	size_t most = b->f->p->limits.maxstringlen ? b->f->p->limits.maxstringlen - 1 : s->len;

	if (!s->len)
		return primary("SP_EMPTY", 0);
	return primary(text(b, "SP_STR(%s)", c_string(b->f->a, s->text, s->len < most ? s->len : most)), 0);
}

static struct cvalue emit_binary(struct body *b, struct expr *e)
{
	struct cvalue l, r;

	if (e->u.bin.op == OP_LAND || e->u.bin.op == OP_LOR)
		return emit_logic(b, e);
	emit_pair(b, e->u.bin.l, e->u.bin.r, &l, &r);
	return combine(b, e->u.bin.op, e->u.bin.l->type, l, r, e);
}

/* What the language has and no back end runs yet. */
static const char *const not_built[EXPR_KINDS] = {
	[EXPR_PERF] = "@perf",
	[EXPR_PROBEWRITE] = "@probewrite",
	[EXPR_HIST] = "a histogram as a value",
};

static struct cvalue value_of(struct body *b, struct expr *e)
{
	switch (e->kind) {
	case EXPR_NUM:
		return primary(c_number(b, e->u.num), 0);
	case EXPR_STR:
		return emit_literal(b, e->u.str);
	case EXPR_VAR:
		return emit_var(b, e);
	case EXPR_INDEX:
		return emit_index(b, e);
	case EXPR_CALL:
		return emit_call(b, e);
	case EXPR_UNARY:
		return emit_unary(b, e);
	case EXPR_BINARY:
		return emit_binary(b, e);
	case EXPR_TERNARY:
		return emit_ternary(b, e);
	case EXPR_IN:
		return emit_in(b, e);
	case EXPR_REGEX:
		return emit_match(b, e);
	case EXPR_TARGET:
		return emit_target(b, e);
	case EXPR_EMBEDDED:
		return emit_embedded(b, e);
	case EXPR_CONST:
		return emit_const(b, e);
	case EXPR_ENTRY:
		return emit_entry(b, e);
	case EXPR_DEFINED:
		return primary(e->u.defined.value ? "1" : "0", 0);
	case EXPR_REGISTER:
	case EXPR_DEREF:
		return emit_machine(b, e);
	case EXPR_ENUMNAME:
		return emit_enumname(b, e);
	case EXPR_EXTRACT:
		return emit_extract(b, e);
	case EXPR_HISTINDEX:
		return emit_bucket(b, e, e->u.histindex.hist, e->u.histindex.bucket);
	case EXPR_PRINT:
		return emit_print(b, e);
	default:
		refuse(b->f, e->span, not_built[e->kind] ? not_built[e->kind] : "this expression");
		return primary(e->type == TY_STRING ? "SP_EMPTY" : "0", 0);
	}
}

static struct cvalue emit_assign(struct body *b, struct expr *e, bool unused)
{
	if (e->u.assign.op == OP_AGGREGATE)
		return emit_sample(b, e);
	return store(b, e, e->u.assign.l, e->u.assign.compound, e->u.assign.r, unused);
}

/* Assignments take several steps, so they are told apart from the flag whether their value is wanted. */
static struct cvalue evaluate(struct body *b, struct expr *e, bool unused)
{
	bool outer = b->unused_value;
	struct cvalue v;

	b->unused_value = false;
	if (e->kind == EXPR_ASSIGN) {
		v = emit_assign(b, e, unused);
	} else if (e->kind == EXPR_INCDEC) {
		v = emit_incdec(b, e, unused);
	} else {
		b->unused_value = unused;
		v = value_of(b, e);
	}
	b->unused_value = outer;
	return v;
}

struct cvalue emit_value(struct body *b, struct expr *e)
{
	return evaluate(b, e, false);
}

/* A statement may well compute nothing: then nothing is printed for it, unless it is a ?: or && with effects. */
void emit_effect(struct body *b, struct expr *e)
{
	evaluate(b, e, true);
}
