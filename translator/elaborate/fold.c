/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constant folding (language.md 5.2, 9).  Start reading at fold_expr(), then fold_stmt(). */
#include "elaborate/elaborate.h"

#include <string.h>

struct fold {
	struct program *p;
	bool only_defined;		/* before binding: nothing but what hangs on @defined */
	bool dropped;			/* statements have gone, and what they used with them */
};

static void set_num(struct expr *e, int64_t n)
{
	e->kind = EXPR_NUM;
	e->type = TY_LONG;
	e->u.num = n;
}

/* The reference clamps the count of a folded shift to 0 .. 64, unlike the one of a shift at run time. */
static int64_t shift(enum op op, int64_t v, int64_t n)
{
	n = n < 0 ? 0 : n > 64 ? 64 : n;
	if (op == OP_SHL)
		return n == 64 ? 0 : (int64_t)((uint64_t)v << n);
	if (op == OP_USHR)
		return n == 64 ? 0 : (int64_t)((uint64_t)v >> n);
	return v >> (n > 63 ? 63 : n);
}

static bool fold_numbers(enum op op, int64_t a, int64_t b, int64_t *r)
{
	switch (op) {
	case OP_ADD: *r = (int64_t)((uint64_t)a + (uint64_t)b); return true;
	case OP_SUB: *r = (int64_t)((uint64_t)a - (uint64_t)b); return true;
	case OP_MUL: *r = (int64_t)((uint64_t)a * (uint64_t)b); return true;
	case OP_DIV: *r = b == -1 ? (int64_t)-(uint64_t)a : b ? a / b : 0; return b != 0;
	case OP_MOD: *r = b == -1 || !b ? 0 : a % b; return b != 0;
	case OP_SHL: case OP_SHR: case OP_USHR: *r = shift(op, a, b); return true;
	case OP_AND: *r = a & b; return true;
	case OP_OR: *r = a | b; return true;
	case OP_XOR: *r = a ^ b; return true;
	case OP_LT: *r = a < b; return true;
	case OP_GT: *r = a > b; return true;
	case OP_LE: *r = a <= b; return true;
	case OP_GE: *r = a >= b; return true;
	case OP_EQ: *r = a == b; return true;
	case OP_NE: *r = a != b; return true;
	case OP_LAND: *r = a && b; return true;
	case OP_LOR: *r = a || b; return true;
	default: return false;
	}
}

static int compare(const struct str *a, const struct str *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int d = n ? memcmp(a->text, b->text, n) : 0;

	return d ? d : a->len < b->len ? -1 : a->len > b->len;
}

static void fold_strings(struct program *p, struct expr *e, const struct str *a, const struct str *b)
{
	int64_t r;

	if (e->u.bin.op == OP_CONCAT && a->len + b->len < p->limits.maxstringlen) {
		char *text = arena_alloc(p->arena, a->len + b->len + 1);

		memcpy(text, a->text, a->len);
		memcpy(text + a->len, b->text, b->len);
		e->u.str = str_intern_n(p->arena, text, a->len + b->len);
		e->kind = EXPR_STR;
		e->type = TY_STRING;
	} else if (e->u.bin.op >= OP_LT && e->u.bin.op <= OP_NE && fold_numbers(e->u.bin.op, compare(a, b), 0, &r)) {
		set_num(e, r);
	}
}

/* What an operator makes of one constant, whatever the other operand is: nothing of it, or another constant. */
static const struct identity {
	enum op op;
	enum { LEFT = 1, RIGHT, EITHER } side;	/* where the constant stands */
	int64_t constant;
	bool absorbs;				/* the result is .result, not the other operand */
	int64_t result;
} identities[] = {
	{ OP_ADD, EITHER, 0, false, 0 }, { OP_SUB, RIGHT, 0, false, 0 },
	{ OP_MUL, EITHER, 1, false, 0 }, { OP_MUL, EITHER, 0, true, 0 },
	{ OP_DIV, RIGHT, 1, false, 0 }, { OP_MOD, RIGHT, 1, true, 0 },
	{ OP_SHL, RIGHT, 0, false, 0 }, { OP_SHL, LEFT, 0, true, 0 },
	{ OP_SHR, RIGHT, 0, false, 0 }, { OP_SHR, LEFT, 0, true, 0 },
	{ OP_AND, EITHER, -1, false, 0 }, { OP_AND, EITHER, 0, true, 0 },
	{ OP_OR, EITHER, 0, false, 0 }, { OP_OR, EITHER, -1, true, -1 },
	{ OP_XOR, EITHER, 0, false, 0 },
	{ OP_LAND, RIGHT, 0, true, 0 },
};

/* @e is an operation on @constant and @other.  An operand that does something stays. */
static void fold_identity(struct program *p, struct expr *e, const struct expr *other, int64_t constant, unsigned side)
{
	for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]); i++) {
		const struct identity *d = &identities[i];

		if (d->op != e->u.bin.op || !(d->side & side) || d->constant != constant)
			continue;
		if (!d->absorbs)
			*e = *other;
		else if (!has_effects(p, other))
			set_num(e, d->result);
		return;
	}
	/* any number but 0 is true */
	if (e->u.bin.op == OP_LOR && side == RIGHT && constant && !has_effects(p, other))
		set_num(e, 1);
}

/* One operand is constant, or none. */
static void fold_one(struct program *p, struct expr *e, const struct expr *l, const struct expr *r)
{
	if (l->kind == EXPR_NUM)
		fold_identity(p, e, r, l->u.num, LEFT);
	else if (r->kind == EXPR_NUM)
		fold_identity(p, e, l, r->u.num, RIGHT);
	else if (e->u.bin.op == OP_CONCAT && l->kind == EXPR_STR && !l->u.str->len)
		*e = *r;
	else if (e->u.bin.op == OP_CONCAT && r->kind == EXPR_STR && !r->u.str->len)
		*e = *l;
}

static void fold_binary(struct program *p, struct expr *e)
{
	const struct expr *l = e->u.bin.l, *r = e->u.bin.r;
	int64_t n;

	if (l->kind == EXPR_NUM && e->u.bin.op == OP_LAND && !l->u.num) {
		set_num(e, 0);
	} else if (l->kind == EXPR_NUM && e->u.bin.op == OP_LOR && l->u.num) {
		set_num(e, 1);
	} else if (l->kind == EXPR_NUM && r->kind == EXPR_NUM) {
		if (fold_numbers(e->u.bin.op, l->u.num, r->u.num, &n))
			set_num(e, n);
	} else if (l->kind == EXPR_STR && r->kind == EXPR_STR) {
		fold_strings(p, e, l->u.str, r->u.str);
	} else {
		fold_one(p, e, l, r);
	}
}

static void fold_unary(struct expr *e)
{
	int64_t n;

	if (e->u.un.e->kind != EXPR_NUM)
		return;
	n = e->u.un.e->u.num;
	set_num(e, e->u.un.op == OP_NEG ? (int64_t)-(uint64_t)n : e->u.un.op == OP_NOT ? !n :
		   e->u.un.op == OP_COMPL ? ~n : n);
}

static void look_miss(struct expr **e, void *data)
{
	if (((*e)->kind == EXPR_TARGET && !(*e)->u.target.fetch) || (*e)->kind == EXPR_ENUM ||
	    ((*e)->kind == EXPR_ENUMNAME && !(*e)->u.enumname.ctype))
		*(bool *)data = true;
}

static void look_defined(struct expr **e, void *data)
{
	if ((*e)->kind == EXPR_DEFINED)
		*(bool *)data = true;
}

static bool mentions_defined(struct expr *e)
{
	bool found = false;

	walk_expr(&e, look_defined, &found);
	return found;
}

static void fold_all(struct expr **e, void *data);

static void fold_expr(struct fold *f, struct expr *e)
{
	struct fold inner = *f;
	bool missing = false;

	/* a condition with @defined in it is folded whole */
	if (f->only_defined && e->kind == EXPR_TERNARY && mentions_defined(e->u.tern.cond)) {
		inner.only_defined = false;
		fold_expr(&inner, e->u.tern.cond);
	} else if (f->only_defined && e->kind == EXPR_BINARY && mentions_defined(e->u.bin.l)) {
		inner.only_defined = false;
		fold_expr(&inner, e->u.bin.l);
	}
	if (e->kind == EXPR_DEFINED) {
		walk_expr(&e->u.defined.e, look_miss, &missing);
		set_num(e, !missing);
		return;
	}
	expr_children(e, fold_all, f);
	if (e->kind == EXPR_TERNARY && e->u.tern.cond->kind == EXPR_NUM && (!f->only_defined || inner.only_defined != f->only_defined))
		*e = *(e->u.tern.cond->u.num ? e->u.tern.yes : e->u.tern.no);
	else if (e->kind == EXPR_BINARY && (!f->only_defined || inner.only_defined != f->only_defined))
		fold_binary(f->p, e);
	else if (e->kind == EXPR_UNARY && !f->only_defined)
		fold_unary(e);
}

static void fold_all(struct expr **e, void *data)
{
	if (*e && !((*e)->kind == EXPR_ENTRY && (*e)->type))
		fold_expr(data, *e);
}

static void fold_stmt(struct stmt **s, void *data);

static void make_null(struct fold *f, struct stmt *s)
{
	s->kind = STMT_NULL;
	f->dropped = true;
}

/* @s becomes what @by is; its place in a block stays. */
static void become(struct fold *f, struct stmt *s, const struct stmt *by)
{
	struct stmt *next = s->next;

	f->dropped = true;
	if (!by) {
		make_null(f, s);
		return;
	}
	*s = *by;
	s->next = next;
}

static void fold_if(struct fold *f, struct stmt *s)
{
	bool decides = !f->only_defined || mentions_defined(s->u.branch.cond);
	struct fold inner = *f;

	if (decides)
		inner.only_defined = false;
	fold_expr(&inner, s->u.branch.cond);
	if (decides && s->u.branch.cond->kind == EXPR_NUM) {
		become(f, s, s->u.branch.cond->u.num ? s->u.branch.yes : s->u.branch.no);
		fold_stmt(&s, f);
		return;
	}
	fold_stmt(&s->u.branch.yes, f);
	if (s->u.branch.no)
		fold_stmt(&s->u.branch.no, f);
}

static bool leaves(const struct stmt *s)
{
	return s->kind == STMT_NEXT || s->kind == STMT_RETURN || s->kind == STMT_BREAK || s->kind == STMT_CONTINUE;
}

static void fold_block(struct fold *f, struct stmt *block)
{
	for (struct stmt *s = block->u.block; s; s = s->next) {
		struct stmt *one = s;

		fold_stmt(&one, f);
		if (!f->only_defined && leaves(s) && s->next) {
			s->next = NULL;
			f->dropped = true;
		}
	}
}

static void fold_loop(struct fold *f, struct stmt *s)
{
	stmt_children(s, fold_all, fold_stmt, f);
	if (f->only_defined || !s->u.loop.cond || s->u.loop.cond->kind != EXPR_NUM || s->u.loop.cond->u.num)
		return;
	/* never entered: the first part is what is left */
	if (s->u.loop.init) {
		struct expr *init = s->u.loop.init;

		s->kind = STMT_EXPR;
		s->u.expr = init;
		f->dropped = true;
	} else {
		make_null(f, s);
	}
}

static void fold_foreach(struct fold *f, struct stmt *s)
{
	const struct expr *limit;

	stmt_children(s, fold_all, fold_stmt, f);
	limit = s->u.foreach.limit;
	if (!f->only_defined && limit && limit->kind == EXPR_NUM && limit->u.num <= 0)
		make_null(f, s);
}

static void fold_stmt(struct stmt **sp, void *data)
{
	struct fold *f = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	switch (s->kind) {
	case STMT_IF:
		fold_if(f, s);
		break;
	case STMT_BLOCK:
		fold_block(f, s);
		break;
	case STMT_FOR:
		fold_loop(f, s);
		break;
	case STMT_FOREACH:
		fold_foreach(f, s);
		break;
	default:
		stmt_children(s, fold_all, fold_stmt, f);
	}
}

void fold_defined(struct program *p, struct stmt *s)
{
	struct fold f = { .p = p, .only_defined = true };

	fold_stmt(&s, &f);
}

void fold_condition(struct program *p, struct expr *e)
{
	struct fold f = { .p = p };

	fold_expr(&f, e);
}

void fold_defined_in(struct program *p, struct expr *e)
{
	struct fold f = { .p = p, .only_defined = true };

	fold_expr(&f, e);
}

bool fold_body(struct program *p, struct stmt *s)
{
	struct fold f = { .p = p };

	fold_stmt(&s, &f);
	return f.dropped;
}
