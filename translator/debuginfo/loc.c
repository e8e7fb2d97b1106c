/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loc.c - making, printing and measuring location expressions.  Constants fold as nodes are made, so that what is
 * printed and emitted is short.
 */
#include <string.h>

#include "debuginfo/internal.h"
#include "support/strbuf.h"

static const struct op_row {
	const char *name, *text;
	unsigned nargs;
} op_rows[] = {
#define LOC_OP(name, nargs, text, meaning) { #name, text, nargs },
#include "debuginfo/loc_ops.def"
#undef LOC_OP
};

struct loc_expr *loc_node(struct arena *a, enum loc_kind kind)
{
	struct loc_expr *e = ARENA_NEW(a, struct loc_expr);

	e->kind = kind;
	return e;
}

struct loc_expr *loc_const(struct arena *a, int64_t num)
{
	struct loc_expr *e = loc_node(a, LOC_CONST);

	e->num = num;
	return e;
}

struct loc_expr *loc_address(struct arena *a, const struct object *obj, uint64_t link_addr)
{
	struct loc_expr *e = loc_node(a, LOC_ADDRESS);

	e->num = link_addr;
	e->obj = obj;
	return e;
}

struct loc_expr *loc_reg(struct arena *a, unsigned reg)
{
	struct loc_expr *e = loc_node(a, LOC_REG);

	e->reg = reg;
	return e;
}

struct loc_expr *loc_index(struct arena *a, unsigned k)
{
	struct loc_expr *e = loc_node(a, LOC_INDEX);

	e->num = k;
	return e;
}

struct loc_expr *loc_deref(struct arena *a, struct loc_expr *addr, unsigned size)
{
	struct loc_expr *e = loc_node(a, LOC_DEREF);

	e->size = size;
	e->a = addr;
	return e;
}

static bool fold_unary(enum loc_op op, uint64_t x, uint64_t *out)
{
	switch (op) {
	case LOC_OP_NEG: *out = -x; return true;
	case LOC_OP_NOT: *out = ~x; return true;
	case LOC_OP_ABS: *out = (int64_t)x < 0 ? -x : x; return true;
	case LOC_OP_F32_TO_F64: {
		uint32_t bits = x;
		float f;
		double d;

		memcpy(&f, &bits, sizeof(f));
		d = f;
		memcpy(out, &d, sizeof(d));
		return true;
	}
	default: return false;
	}
}

/* False where the run-time must decide (division by zero is the script's error). */
static bool fold_binary(enum loc_op op, uint64_t x, uint64_t y, uint64_t *out)
{
	int64_t sx = x, sy = y;

	switch (op) {
	case LOC_OP_ADD: *out = x + y; break;
	case LOC_OP_SUB: *out = x - y; break;
	case LOC_OP_MUL: *out = x * y; break;
	case LOC_OP_SDIV:
		if (y == 0)
			return false;
		*out = sy == -1 ? -x : (uint64_t)(sx / sy);
		break;
	case LOC_OP_UMOD:
		if (y == 0)
			return false;
		*out = x % y;
		break;
	case LOC_OP_AND: *out = x & y; break;
	case LOC_OP_OR: *out = x | y; break;
	case LOC_OP_XOR: *out = x ^ y; break;
	case LOC_OP_SHL: *out = y < 64 ? x << y : 0; break;
	case LOC_OP_SHR: *out = y < 64 ? x >> y : 0; break;
	case LOC_OP_SAR: *out = sx >> (y < 64 ? y : 63); break;
	case LOC_OP_EQ: *out = x == y; break;
	case LOC_OP_NE: *out = x != y; break;
	case LOC_OP_SLT: *out = sx < sy; break;
	case LOC_OP_SLE: *out = sx <= sy; break;
	case LOC_OP_SGT: *out = sx > sy; break;
	case LOC_OP_SGE: *out = sx >= sy; break;
	default: return false;
	}
	return true;
}

struct loc_expr *loc_unary(struct arena *a, enum loc_op op, struct loc_expr *x)
{
	struct loc_expr *e;
	uint64_t folded;

	if (x->kind == LOC_CONST && fold_unary(op, x->num, &folded))
		return loc_const(a, folded);
	e = loc_node(a, LOC_UNARY);
	e->op = op;
	e->a = x;
	return e;
}

struct loc_expr *loc_add(struct arena *a, struct loc_expr *x, int64_t n)
{
	struct loc_expr *e;

	if (n == 0)
		return x;
	if (x->kind == LOC_CONST)
		return loc_const(a, (uint64_t)x->num + n);
	if (x->kind == LOC_ADDRESS)
		return loc_address(a, x->obj, (uint64_t)x->num + n);
	if (x->kind == LOC_BINARY && x->op == LOC_OP_ADD && x->b->kind == LOC_CONST)
		return loc_add(a, x->a, (uint64_t)x->b->num + n);
	e = loc_node(a, LOC_BINARY);
	e->op = LOC_OP_ADD;
	e->a = x;
	e->b = loc_const(a, n);
	return e;
}

struct loc_expr *loc_binary(struct arena *a, enum loc_op op, struct loc_expr *x, struct loc_expr *y)
{
	struct loc_expr *e;
	uint64_t folded;

	if (x->kind == LOC_CONST && y->kind == LOC_CONST && fold_binary(op, x->num, y->num, &folded))
		return loc_const(a, folded);
	if (op == LOC_OP_ADD && y->kind == LOC_CONST)
		return loc_add(a, x, y->num);
	if (op == LOC_OP_ADD && x->kind == LOC_CONST)
		return loc_add(a, y, x->num);
	if (op == LOC_OP_SUB && y->kind == LOC_CONST)
		return loc_add(a, x, -(uint64_t)y->num);
	if (op == LOC_OP_MUL && y->kind == LOC_CONST && y->num == 1)
		return x;
	e = loc_node(a, LOC_BINARY);
	e->op = op;
	e->a = x;
	e->b = y;
	return e;
}

struct loc_expr *loc_select(struct arena *a, struct loc_expr *cond, struct loc_expr *x, struct loc_expr *y)
{
	struct loc_expr *e;

	if (cond->kind == LOC_CONST)
		return cond->num ? x : y;
	e = loc_node(a, LOC_SELECT);
	e->a = cond;
	e->b = x;
	e->c = y;
	return e;
}

/* How many low bits of @e can be other than zero. */
static unsigned bits_used(const struct loc_expr *e)
{
	switch (e->kind) {
	case LOC_DEREF: return e->size * 8;
	case LOC_ZERO_EXTEND:
	case LOC_BITS: return e->bits;
	default: return 64;
	}
}

struct loc_expr *loc_extend(struct arena *a, struct loc_expr *x, unsigned bits, bool is_signed)
{
	struct loc_expr *e;

	if (bits >= 64)
		return x;
	if (x->kind == LOC_CONST) {
		uint64_t up = (uint64_t)x->num << (64 - bits);

		return loc_const(a, is_signed ? (int64_t)up >> (64 - bits) : (int64_t)(up >> (64 - bits)));
	}
	if (!is_signed && bits_used(x) <= bits)
		return x;
	/* What was cut off higher up does not matter. */
	if ((x->kind == LOC_ZERO_EXTEND || x->kind == LOC_SIGN_EXTEND) && x->bits >= bits)
		x = x->a;
	e = loc_node(a, is_signed ? LOC_SIGN_EXTEND : LOC_ZERO_EXTEND);
	e->bits = bits;
	e->a = x;
	return e;
}

struct loc_expr *loc_bits(struct arena *a, struct loc_expr *x, unsigned shift, unsigned bits)
{
	struct loc_expr *e;

	if (shift >= 64)
		return loc_const(a, 0);
	if (bits > 64 - shift)
		bits = 64 - shift;
	if (shift == 0)
		return loc_extend(a, x, bits, false);
	if (x->kind == LOC_CONST)
		return loc_extend(a, loc_const(a, (uint64_t)x->num >> shift), bits, false);
	e = loc_node(a, LOC_BITS);
	e->shift = shift;
	e->bits = bits;
	e->a = x;
	return e;
}

static void print(struct strbuf *b, const struct loc_expr *e, unsigned machine);

static void print_call(struct strbuf *b, const char *name, const struct loc_expr *e, unsigned machine)
{
	strbuf_printf(b, "%s(", name);
	print(b, e->a, machine);
	if (e->b) {
		strbuf_add(b, ", ");
		print(b, e->b, machine);
	}
	if (e->c) {
		strbuf_add(b, ", ");
		print(b, e->c, machine);
	}
	strbuf_char(b, ')');
}

static void print_operator(struct strbuf *b, const struct loc_expr *e, unsigned machine)
{
	const struct op_row *row = &op_rows[e->op];

	if (!*row->text) {
		print_call(b, row->name, e, machine);
		return;
	}
	strbuf_char(b, '(');
	if (e->kind == LOC_BINARY) {
		print(b, e->a, machine);
		if (e->op == LOC_OP_ADD && e->b->kind == LOC_CONST && e->b->num < 0 && e->b->num != INT64_MIN) {
			strbuf_printf(b, " - 0x%llx)", -(long long)e->b->num);
			return;
		}
		strbuf_printf(b, " %s ", row->text);
		print(b, e->b, machine);
	} else {
		strbuf_add(b, row->text);
		print(b, e->a, machine);
	}
	strbuf_char(b, ')');
}

static void print(struct strbuf *b, const struct loc_expr *e, unsigned machine)
{
	const char *name;

	switch (e->kind) {
	case LOC_CONST:
		if (e->num > -10 && e->num < 10)
			strbuf_printf(b, "%d", (int)e->num);
		else if (e->num < 0 && e->num > INT32_MIN)
			strbuf_printf(b, "-0x%x", (unsigned)-e->num);
		else
			strbuf_printf(b, "0x%llx", (unsigned long long)e->num);
		break;
	case LOC_ADDRESS:
		strbuf_printf(b, "bias+0x%llx", (unsigned long long)e->num);
		break;
	case LOC_REG:
		name = register_name(machine, e->reg);
		if (name)
			strbuf_add(b, name);
		else
			strbuf_printf(b, "reg%u", e->reg);
		break;
	case LOC_INDEX:
		strbuf_printf(b, "index%u", (unsigned)e->num);
		break;
	case LOC_OPERAND:
		strbuf_add(b, "operand");
		break;
	case LOC_DEREF:
		strbuf_printf(b, "*(u%u*)", e->size * 8);
		print(b, e->a, machine);
		break;
	case LOC_UNARY:
	case LOC_BINARY:
		print_operator(b, e, machine);
		break;
	case LOC_SELECT:
		print_call(b, "select", e, machine);
		break;
	case LOC_SIGN_EXTEND:
	case LOC_ZERO_EXTEND:
		strbuf_printf(b, "(%c%u)", e->kind == LOC_SIGN_EXTEND ? 's' : 'u', e->bits);
		print(b, e->a, machine);
		break;
	case LOC_BITS:
		print(b, e->a, machine);
		strbuf_printf(b, "[%u..%u]", e->shift, e->shift + e->bits - 1);
		break;
	case LOC_ENTRY_VALUE:
		print_call(b, "entry", e, machine);
		break;
	}
}

const char *loc_print(const struct loc_expr *e, unsigned machine, struct arena *a)
{
	struct strbuf b = { 0 };
	char *text;

	print(&b, e, machine);
	text = arena_strdup(a, b.text ? b.text : "");
	strbuf_free(&b);
	return text;
}

static void collect_needs(const struct loc_expr *e, unsigned machine, struct loc_needs *out)
{
	if (!e)
		return;
	switch (e->kind) {
	case LOC_REG:
		if (e->reg >= 64 || (machine == EM_X86_64 && e->reg >= 17 && e->reg <= 32))
			out->vector_regs = true;
		else
			out->gprs |= 1ULL << e->reg;
		break;
	case LOC_INDEX:
		if (out->nindex < e->num + 1)
			out->nindex = e->num + 1;
		break;
	case LOC_ADDRESS: out->own_bias = true; break;
	case LOC_DEREF: out->reads_memory = true; break;
	case LOC_ENTRY_VALUE: out->entry_value = true; break;
	case LOC_BINARY:
		if ((e->op == LOC_OP_SDIV || e->op == LOC_OP_UMOD) && (e->b->kind != LOC_CONST || e->b->num == 0))
			out->can_divide_by_zero = true;
		break;
	default: break;
	}
	collect_needs(e->a, machine, out);
	collect_needs(e->b, machine, out);
	collect_needs(e->c, machine, out);
}

void loc_needs(const struct loc_expr *e, unsigned machine, struct loc_needs *out)
{
	memset(out, 0, sizeof(*out));
	collect_needs(e, machine, out);
}
