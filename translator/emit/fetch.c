/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables: location expressions as C, to be read and (-g) to be written.
 *
 * A handler at sites that all find $x in the same way reads it in line.  Where the ways differ, a helper function holds
 * them behind a switch over the site's variant, so that the handler stays as small as the script's text.
 */
#include "emit/inner.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

/* One location expression being printed. */
struct fetcher {
	struct body *b;
	const struct object *own;	/* the probed object: c->bias is its load bias */
	const char **index;		/* C text of the run-time index expressions */
	const char *operand;		/* of what @cast works on */
	bool fault_is_zero;
	bool fails;			/* a check must follow */
	struct span span;
};

/* Operators whose C text in loc_ops.def is empty. */
static const char *const op_calls[] = {
	[LOC_OP_ABS] = "sp_dwarf_abs",
	[LOC_OP_F32_TO_F64] = "sp_float_bits",
	[LOC_OP_SDIV] = "sp_dwarf_div",
	[LOC_OP_UMOD] = "sp_dwarf_mod",
	[LOC_OP_SHL] = "sp_dwarf_shl",
	[LOC_OP_SHR] = "sp_dwarf_shr",
	[LOC_OP_SAR] = "sp_dwarf_sar",
};

static const struct { const char *infix; unsigned operands; bool is_signed; } ops[] = {
#define LOC_OP(name, nargs, text, meaning) [LOC_OP_##name] = { text, nargs, meaning[0] == 'S' && meaning[1] == ' ' },
#include "debuginfo/loc_ops.def"
#undef LOC_OP
};

static const char *loc_c(struct fetcher *x, const struct loc_expr *e);

static unsigned object_index(const struct program *p, const struct object *obj)
{
	for (unsigned i = 0; i < p->nobjects; i++)
		if (p->objects[i] == obj)
			return i;
	BUG("an address in an object that was never opened: %s", obj->path);
}

/* What lies above @bits of a value will be cut off: a cut at more bits below that need not be made. */
static const struct loc_expr *cut(const struct loc_expr *e, unsigned bits)
{
	while ((e->kind == LOC_ZERO_EXTEND || e->kind == LOC_SIGN_EXTEND) && e->bits >= bits)
		e = e->a;
	return e;
}

/* Text that stands alone between commas needs no parentheses around the whole. */
static const char *argument(struct fetcher *x, const char *s)
{
	unsigned depth = 0;

	for (const char *p = s; *p; p++) {
		depth += *p == '(';
		depth -= *p == ')';
		if (!depth)
			return *s == '(' && !p[1] ? arena_strndup(x->b->f->a, s + 1, p - s - 1) : s;
	}
	return s;
}

static const char *address_c(struct fetcher *x, const struct loc_expr *e)
{
	if (e->obj && !e->obj->is_dyn)
		return text(x->b, "0x%" PRIx64 "ULL", (uint64_t)e->num);
	if (!e->obj || e->obj == x->own)
		return text(x->b, "(c->bias + 0x%" PRIx64 ")", (uint64_t)e->num);
	x->fails = true;
	x->b->f->needs_maps = true;
	return text(x->b, "(sp_object_bias(c, %u) + 0x%" PRIx64 ")", object_index(x->b->f->p, e->obj), (uint64_t)e->num);
}

enum { FS_BASE = 58 };		/* x86-64 psABI figure 3.36 */

static const char *reg_c(struct fetcher *x, unsigned reg)
{
	const char *name = register_name(EM_X86_64, reg);

	if (reg == FS_BASE)
		return "sp_thread_pointer(c)";
	return name ? text(x->b, "sp_reg(c, %u /* %s */)", reg, name) : text(x->b, "sp_reg(c, %u)", reg);
}

static const char *deref_c(struct fetcher *x, const struct loc_expr *e)
{
	x->fails = true;
	return text(x->b, "%s(c, %s, %u)", x->fault_is_zero ? "sp_load_or_zero" : "sp_load", argument(x, loc_c(x, e->a)),
		    e->size);
}

static const char *op_c(struct fetcher *x, const struct loc_expr *e)
{
	const char *a = loc_c(x, e->a), *l = "";

	if (e->op == LOC_OP_SDIV || e->op == LOC_OP_UMOD) {
		x->fails = true;
		l = "c, ";
	}
	if (ops[e->op].operands == 1)
		return *ops[e->op].infix ? text(x->b, "(%s%s)", ops[e->op].infix, a)
					 : text(x->b, "%s(%s)", op_calls[e->op], a);
	if (!*ops[e->op].infix)
		return text(x->b, "%s(%s%s, %s)", op_calls[e->op], l, a, loc_c(x, e->b));
	if (ops[e->op].is_signed)
		return text(x->b, "(sp_u64)((sp_i64)%s %s (sp_i64)%s)", a, ops[e->op].infix, loc_c(x, e->b));
	return text(x->b, "(%s %s %s)", a, ops[e->op].infix, loc_c(x, e->b));
}

static const char *cannot(struct fetcher *x, const char *what)
{
	refuse(x->b->f, x->span, what);
	return "0";
}

/* The tree as a C expression of type sp_u64 (or one that converts to it without change). */
static const char *loc_c(struct fetcher *x, const struct loc_expr *e)
{
	switch (e->kind) {
	case LOC_CONST:
		return text(x->b, (uint64_t)e->num > 9 ? "0x%" PRIx64 "ULL" : "%" PRIu64, (uint64_t)e->num);
	case LOC_ADDRESS:
		return address_c(x, e);
	case LOC_REG:
		return reg_c(x, e->reg);
	case LOC_INDEX:
		return text(x->b, "(sp_u64)%s", x->index[e->num]);
	case LOC_OPERAND:
		return text(x->b, "(sp_u64)%s", x->operand);
	case LOC_DEREF:
		return deref_c(x, e);
	case LOC_UNARY:
	case LOC_BINARY:
		return op_c(x, e);
	case LOC_SELECT: {
		const char *cond = loc_c(x, e->a), *yes = loc_c(x, e->b);

		return text(x->b, "(%s ? %s : %s)", cond, yes, loc_c(x, e->c));
	}
	case LOC_SIGN_EXTEND:
		return text(x->b, "(sp_u64)sp_sext(%s, %u)", argument(x, loc_c(x, cut(e->a, e->bits))), e->bits);
	case LOC_ZERO_EXTEND:
		return text(x->b, "(sp_u64)sp_zext(%s, %u)", argument(x, loc_c(x, cut(e->a, e->bits))), e->bits);
	case LOC_BITS:
		if (e->bits >= 64)
			return text(x->b, "(%s >> %u)", loc_c(x, e->a), e->shift);
		return text(x->b, "(sp_u64)sp_zext(%s >> %u, %u)", loc_c(x, e->a), e->shift, e->bits);
	case LOC_ENTRY_VALUE:
		return cannot(x, "a variable that is described by a register's value at function entry");
	}
	BUG("location expression of kind %d", e->kind);
}

static const char *variant_c(struct fetcher *x, const struct fetch_variant *v)
{
	const char *s;

	if (!v->value)
		return cannot(x, "this target expression as a value");
	x->fault_is_zero = v->fault_is_zero;
	if (v->value->kind == LOC_CONST)
		return c_number(x->b, v->value->num);
	s = loc_c(x, v->value);
	/* extensions give sp_i64 already */
	return strncmp(s, "(sp_u64)sp_", 11) ? text(x->b, "(sp_i64)%s", s) : s + strlen("(sp_u64)");
}

static const struct object *probed_object(const struct body *b)
{
	const struct probe *pr = b->probe ? b->probe : b->fn ? b->fn->probe : NULL;

	return pr && pr->sites ? pr->sites->obj : NULL;
}

/* Whether all variants are read in the same way; @ways: their C text. */
static bool same_ways(const char **ways, int n)
{
	for (int i = 1; i < n; i++)
		if (strcmp(ways[i], ways[0]))
			return false;
	return true;
}

/* "case 1: case 3: return ...;" for each way, the most frequent first variant as the default. */
static void print_ways(struct strbuf *to, const char **ways, int n)
{
	strbuf_add(to, "\tswitch (SP_VARIANT(c)) {\n");
	for (int i = 1; i < n; i++) {
		bool told = !strcmp(ways[i], ways[0]);

		for (int j = 1; j < i && !told; j++)
			told = !strcmp(ways[i], ways[j]);
		if (told)
			continue;
		for (int j = i; j < n; j++)
			if (!strcmp(ways[i], ways[j]))
				strbuf_printf(to, "\tcase %d:\n", j);
		strbuf_printf(to, "\t\treturn %s;\n", ways[i]);
	}
	strbuf_printf(to, "\tdefault:\n\t\treturn %s;\n\t}\n", ways[0]);
}

/* A helper that reads @name in one of several ways; equal helpers are one. */
static const char *helper(struct fetcher *x, const struct fetch *fetch, const char *name, const char **ways)
{
	struct cfile *f = x->b->f;
	struct strbuf s = { 0 };
	unsigned n, before = f->fetches.n;

	strbuf_add(&s, "(struct sp_ctx *c");
	for (int i = 0; i < fetch->nindex; i++)
		strbuf_printf(&s, ", sp_i64 i%d", i);
	if (fetch->operand)
		strbuf_add(&s, ", sp_i64 operand");
	strbuf_add(&s, ")\n{\n");
	print_ways(&s, ways, fetch->nvariants);
	strbuf_add(&s, "}\n\n");
	n = text_table_add(&f->fetches, f->a, arena_strdup(f->a, s.text));
	if (n == before)
		strbuf_printf(&f->functions, "/* %s, which its sites hold in different places. */\n"
			      "static sp_i64 fetch_%u%s", name, n, s.text);
	strbuf_free(&s);
	return text(x->b, "fetch_%u(c", n);
}

/*
 * C text of index expressions and operand: plain names, as the tree may use them more than once.
 * Returns them as further arguments of a call: ", l_i, t1".
 */
static const char *inputs(struct fetcher *x, const struct fetch *fetch)
{
	const char *args = "";

	x->index = ARENA_ARRAY(x->b->f->a, const char *, fetch->nindex + 1);
	for (int i = 0; i < fetch->nindex + (fetch->operand ? 1 : 0); i++) {
		struct expr *e = i < fetch->nindex ? fetch->index[i] : fetch->operand;
		struct cvalue v = emit_value(x->b, e);
		const char *t = v.text;

		if (e->kind != EXPR_NUM && v.on) {
			t = new_temp(x->b, TY_LONG);
			emit_line(x->b, "%s = %s;", t, v.text);
		}
		if (i < fetch->nindex)
			x->index[i] = t;
		else
			x->operand = t;
		args = text(x->b, "%s, %s", args, t);
	}
	return args;
}

/* The same ways again, inside a helper, where the inputs are its parameters. */
static void name_parameters(struct fetcher *x, const struct fetch *fetch)
{
	for (int i = 0; i < fetch->nindex; i++)
		x->index[i] = text(x->b, "i%d", i);
	x->operand = "operand";
}

static const char *shown_name(const struct expr *e)
{
	return e->u.target.name ? e->u.target.name->text : "the value";
}

struct cvalue emit_target(struct body *b, struct expr *e)
{
	const struct fetch *fetch = e->u.target.fetch;
	struct fetcher x = { .b = b, .own = probed_object(b), .span = e->span };
	const char **ways, *value, *args;

	if (!fetch || !fetch->nvariants) {
		refuse(b->f, e->span, "this target expression here");
		return temp_value("0");
	}
	args = inputs(&x, fetch);
	ways = ARENA_ARRAY(b->f->a, const char *, fetch->nvariants);
	for (int i = 0; i < fetch->nvariants; i++)
		ways[i] = variant_c(&x, &fetch->variant[i]);
	value = ways[0];
	if (!same_ways(ways, fetch->nvariants)) {
		name_parameters(&x, fetch);
		for (int i = 0; i < fetch->nvariants; i++)
			ways[i] = variant_c(&x, &fetch->variant[i]);
		value = text(b, "%s%s)", helper(&x, fetch, shown_name(e), ways), args);
	}
	if (x.fails)
		return checked(b, TY_LONG, place_of_expr(b->f, e), value);
	return (struct cvalue){ value, ON_REGISTERS, strncmp(value, "(sp_i64)", 8) != 0, false };
}

/* ---- writing ---- */

/* The statement that stores @v where @way says. */
static const char *store_c(struct fetcher *x, const struct fetch_variant *way, const char *v)
{
	const char *address;

	if (way->lvalue == LV_REGISTER)
		return text(x->b, "sp_set_reg(c, %u, %u, %s);", way->reg, way->size, v);
	if (way->lvalue != LV_MEMORY || !way->address)
		return text(x->b, "%s;", cannot(x, "writing a value that has no place of its own"));
	address = argument(x, loc_c(x, way->address));
	if (way->bit_size)
		return text(x->b, "sp_store_bits(c, %s, %u, %u, %u, %s);", address, way->size, way->bit_offset, way->bit_size, v);
	/* a float is a double to the script */
	if (way->value && way->value->kind == LOC_UNARY && way->value->op == LOC_OP_F32_TO_F64)
		v = text(x->b, "sp_double_to_float(%s)", v);
	return text(x->b, "sp_store(c, %s, %u, %s);", address, way->size, v);
}

static void emit_ways(struct body *b, const char **ways, int n)
{
	emit_line(b, "switch (SP_VARIANT(c)) {");
	for (int i = 1; i < n; i++) {
		emit_line(b, "case %d:", i);
		emit_line(b, "\t%s", ways[i]);
		emit_line(b, "\tbreak;");
	}
	emit_line(b, "default:");
	emit_line(b, "\t%s", ways[0]);
	emit_line(b, "}");
}

/* Indices, then the right side, then the store (language.md 5.4). */
struct cvalue emit_target_store(struct body *b, struct expr *e, struct expr *l, struct expr *r)
{
	const struct fetch *fetch = l->u.target.fetch;
	struct fetcher x = { .b = b, .own = probed_object(b), .span = l->span };
	const char **ways, *t;
	struct cvalue v;

	if (!fetch || !fetch->nvariants) {
		refuse(b->f, l->span, "this target expression here");
		return temp_value("0");
	}
	inputs(&x, fetch);
	v = emit_value(b, r);
	t = new_temp(b, TY_LONG);
	emit_line(b, "%s = %s;", t, v.text);
	ways = ARENA_ARRAY(b->f->a, const char *, fetch->nvariants);
	for (int i = 0; i < fetch->nvariants; i++)
		ways[i] = store_c(&x, &fetch->variant[i], t);
	mark_written(b);
	place_set(b, place_of_expr(b->f, e));
	if (same_ways(ways, fetch->nvariants))
		emit_line(b, "%s", ways[0]);
	else
		emit_ways(b, ways, fetch->nvariants);
	check(b);
	return temp_value(t);
}
