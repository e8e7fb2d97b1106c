/* SPDX-License-Identifier: GPL-2.0-or-later */
/* location.c - DWARF location expressions, run on symbols instead of values.
 *
 * A stack machine (DWARF5 2.5) whose stack holds trees: what a debugger would compute at run time becomes one struct
 * loc_expr, and a branch becomes a LOC_SELECT of the results of both ways.  The result is a struct place, which says
 * what kind of thing was found.  Start at place_of_variable(), then run().
 */
#include <elfutils/known-dwarf.h>
#include <errno.h>
#include <string.h>

#include "debuginfo/internal.h"
#include "support/strbuf.h"

enum {
	STACK_MAX = 64,
	OPS_MAX = 4096,			/* operations run for one expression, all branches counted */
	DEPTH_MAX = 8,			/* expressions inside expressions: frame base, entry value, CFA */
};

struct stack {
	struct entry {
		struct loc_expr *e;
		bool is_float;		/* bits of a float or double: may be delivered, not computed with */
	} at[STACK_MAX];
	unsigned n;
};

struct machine {
	const struct loc_context *c;
	struct arena *arena;
	Dwarf_Attribute *attr;		/* the expression's attribute; NULL for CFI */
	const Dwarf_Op *ops;
	size_t nops;
	unsigned budget;
	const char *why;		/* set when something cannot be handled */
};

static const char *op_name(unsigned op)
{
	switch (op) {
#define DWARF_ONE_KNOWN_DW_OP(name, value) case value: return #value;
	DWARF_ALL_KNOWN_DW_OP
#undef DWARF_ONE_KNOWN_DW_OP
	default: return "an unknown DW_OP";
	}
}

static bool refuse(struct machine *m, const char *why)
{
	if (!m->why)
		m->why = why;
	return false;
}

/* ---------------------------------------------------------------------------------------------- the stack */

static bool push_entry(struct machine *m, struct stack *s, struct loc_expr *e, bool is_float)
{
	if (!e)
		return refuse(m, "an operand has no value here");
	if (s->n == STACK_MAX)
		return refuse(m, "a location expression nests too deep");
	s->at[s->n++] = (struct entry) { e, is_float };
	return true;
}

static bool push(struct machine *m, struct stack *s, struct loc_expr *e)
{
	return push_entry(m, s, e, false);
}

/* NULL (and a refusal) when there is nothing, or a floating value, to compute with. */
static struct loc_expr *pop(struct machine *m, struct stack *s)
{
	if (s->n == 0) {
		refuse(m, "a location expression takes more than it has (damaged debuginfo)");
		return NULL;
	}
	if (s->at[--s->n].is_float) {
		refuse(m, "floating-point arithmetic in a location expression");
		return NULL;
	}
	return s->at[s->n].e;
}

static bool pick(struct machine *m, struct stack *s, unsigned depth)
{
	if (depth >= s->n)
		return refuse(m, "a location expression takes more than it has (damaged debuginfo)");
	return push_entry(m, s, s->at[s->n - 1 - depth].e, s->at[s->n - 1 - depth].is_float);
}

static bool rotate(struct machine *m, struct stack *s, unsigned n)
{
	struct entry top;

	if (s->n < n)
		return refuse(m, "a location expression takes more than it has (damaged debuginfo)");
	top = s->at[s->n - 1];
	for (unsigned i = 1; i < n; i++)
		s->at[s->n - i] = s->at[s->n - i - 1];
	s->at[s->n - n] = top;
	return true;
}

/* ---------------------------------------------------------------------------------------------- operations */

static int binary_operator(unsigned op)
{
	switch (op) {
	case DW_OP_plus: return LOC_OP_ADD;
	case DW_OP_minus: return LOC_OP_SUB;
	case DW_OP_mul: return LOC_OP_MUL;
	case DW_OP_div: return LOC_OP_SDIV;
	case DW_OP_mod: return LOC_OP_UMOD;
	case DW_OP_and: return LOC_OP_AND;
	case DW_OP_or: return LOC_OP_OR;
	case DW_OP_xor: return LOC_OP_XOR;
	case DW_OP_shl: return LOC_OP_SHL;
	case DW_OP_shr: return LOC_OP_SHR;
	case DW_OP_shra: return LOC_OP_SAR;
	case DW_OP_eq: return LOC_OP_EQ;
	case DW_OP_ne: return LOC_OP_NE;
	case DW_OP_lt: return LOC_OP_SLT;
	case DW_OP_le: return LOC_OP_SLE;
	case DW_OP_gt: return LOC_OP_SGT;
	case DW_OP_ge: return LOC_OP_SGE;
	default: return -1;
	}
}

static bool run_binary(struct machine *m, struct stack *s, enum loc_op op)
{
	struct loc_expr *y = pop(m, s), *x = y ? pop(m, s) : NULL;

	return x && push(m, s, loc_binary(m->arena, op, x, y));
}

static bool run_unary(struct machine *m, struct stack *s, enum loc_op op)
{
	struct loc_expr *x = pop(m, s);

	return x && push(m, s, loc_unary(m->arena, op, x));
}

static bool run_deref(struct machine *m, struct stack *s, unsigned size, bool is_float)
{
	struct place memory = { .kind = PLACE_MEMORY, .e = pop(m, s) };

	if (!memory.e)
		return false;
	if (size < 1 || size > 8)
		return refuse(m, "a location expression reads more than 64 bits");
	return push_entry(m, s, place_read(m->arena, &memory, 0, size), is_float);
}

static struct loc_expr *place_value(struct machine *m, const struct place *p)
{
	switch (p->kind) {
	case PLACE_REGISTER: return loc_reg(m->arena, p->reg);
	case PLACE_MEMORY:
	case PLACE_VALUE: return p->e;
	default: return NULL;
	}
}

static int nested_place(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nops, struct place *out)
{
	struct loc_context deeper = *m->c;

	if (++deeper.depth > DEPTH_MAX) {
		refuse(m, "location expressions refer to each other");
		return -ENOSYS;
	}
	return place_of_ops(&deeper, attr, ops, nops, out, &m->why);
}

static bool push_frame_base(struct machine *m, struct stack *s, int64_t offset)
{
	struct place base;
	Dwarf_Attribute attr;
	Dwarf_Die function;
	struct loc_expr *e;
	Dwarf_Op *ops;
	size_t nops;

	if (!m->c->scope)
		return refuse(m, "a frame base is needed where there is no function");
	function = m->c->scope->function;
	if (!die_attr(&function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, m->c->pc, &ops, &nops, 1) != 1)
		return refuse(m, "the function has no frame base at this address");
	if (nested_place(m, &attr, ops, nops, &base) != 0)
		return false;
	e = place_value(m, &base);
	return e ? push(m, s, loc_add(m->arena, e, offset)) : refuse(m, "the frame base is no address");
}

static bool push_cfa(struct machine *m, struct stack *s)
{
	struct loc_expr *cfa = m->c->depth < DEPTH_MAX ? frame_cfa(m->c->obj, m->c->pc, m->arena) : NULL;

	return cfa ? push(m, s, cfa) : refuse(m, "there is no call frame information at this address");
}

/* At the entry itself, what a register held at entry is what it holds. */
static bool at_entry(const struct loc_context *c)
{
	Dwarf_Die function;
	uint64_t entry;

	if (!c->scope)
		return false;
	function = c->scope->function;
	return die_entry(&function, &entry) && entry == c->pc;
}

static bool push_entry_value(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	struct place place;
	struct loc_expr *e;
	Dwarf_Op *ops;
	size_t nops;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &inner) != 0 ||
	    dwarf_getlocation(&inner, &ops, &nops) != 0)
		return refuse(m, "an entry value is damaged");
	if (nested_place(m, &inner, ops, nops, &place) != 0)
		return false;
	e = place_value(m, &place);
	if (!e)
		return refuse(m, "an entry value is no single value");
	if (!at_entry(m->c)) {
		struct loc_expr *node = loc_node(m->arena, LOC_ENTRY_VALUE);

		node->a = e;
		e = node;
	}
	return push(m, s, e);
}

static bool push_indexed(struct machine *m, struct stack *s, const Dwarf_Op *op, bool is_address)
{
	Dwarf_Attribute entry;
	Dwarf_Addr addr;
	Dwarf_Word word;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &entry) != 0)
		return refuse(m, "an indexed address is damaged");
	if (is_address && dwarf_formaddr(&entry, &addr) == 0)
		return push(m, s, loc_address(m->arena, m->c->obj, addr));
	if (!is_address && dwarf_formaddr(&entry, &addr) == 0)
		return push(m, s, loc_const(m->arena, addr));
	if (!is_address && dwarf_formudata(&entry, &word) == 0)
		return push(m, s, loc_const(m->arena, word));
	return refuse(m, "an indexed address is damaged");
}

static bool run_tls(struct machine *m, struct stack *s)
{
	struct loc_expr *offset = pop(m, s), *e;
	const char *why;

	if (!offset)
		return false;
	if (offset->kind == LOC_ADDRESS)
		offset = loc_const(m->arena, offset->num);
	e = tls_address(m->c->obj, m->arena, offset, &why);
	return e ? push(m, s, e) : refuse(m, why);
}

/* ---- typed operations (DWARF5 2.5.1.4): integers are cut and extended, floating values only carried ---- */

struct op_type {
	bool is_generic, is_float, is_signed;
	unsigned size;
};

static bool type_of_op(struct machine *m, const Dwarf_Op *op, bool zero_is_generic, struct op_type *out)
{
	uint64_t size = 0, encoding = 0;
	Dwarf_Die die;

	memset(out, 0, sizeof(*out));
	if (zero_is_generic && op->number == 0) {
		out->is_generic = true;
		return true;
	}
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &die) != 0 || dwarf_tag(&die) != DW_TAG_base_type ||
	    !die_unsigned(&die, DW_AT_byte_size, &size) || !die_unsigned(&die, DW_AT_encoding, &encoding))
		return refuse(m, "a typed operation without a base type");
	if (size < 1 || size > 8)
		return refuse(m, "a typed operation on more than 64 bits");
	out->size = size;
	out->is_float = encoding == DW_ATE_float;
	out->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return true;
}

static bool run_convert(struct machine *m, struct stack *s, const Dwarf_Op *op, bool reinterpret)
{
	struct op_type t;
	struct loc_expr *x;

	if (!type_of_op(m, op, true, &t))
		return false;
	if (reinterpret && s->n > 0 && (t.is_float || s->at[s->n - 1].is_float)) {
		s->at[s->n - 1].is_float = t.is_float;
		return true;
	}
	if (t.is_float)
		return refuse(m, "a conversion to floating point in a location expression");
	x = pop(m, s);
	if (!x)
		return false;
	return push(m, s, t.is_generic ? x : loc_extend(m->arena, x, t.size * 8, t.is_signed));
}

static bool run_regval_type(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	struct loc_expr *reg = loc_reg(m->arena, op->number);
	struct op_type t;

	if (!type_of_op(m, op, false, &t))
		return false;
	return push_entry(m, s, loc_extend(m->arena, reg, t.size * 8, t.is_signed), t.is_float);
}

static bool run_deref_type(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	struct op_type t;

	if (!type_of_op(m, op, false, &t) || !run_deref(m, s, t.size, t.is_float))
		return false;
	s->at[s->n - 1].e = loc_extend(m->arena, s->at[s->n - 1].e, t.size * 8, t.is_signed);
	return true;
}

static bool run_const_type(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	struct op_type t;
	Dwarf_Attribute value;
	Dwarf_Block block;
	uint64_t v = 0;

	if (!type_of_op(m, op, false, &t))
		return false;
	if (dwarf_getlocation_attr(m->attr, op, &value) != 0 || dwarf_formblock(&value, &block) != 0 ||
	    block.length > sizeof(v))
		return refuse(m, "a typed constant of more than 64 bits");
	memcpy(&v, block.data, block.length);
	return push_entry(m, s, loc_extend(m->arena, loc_const(m->arena, v), t.size * 8, t.is_signed), t.is_float);
}

static bool run_typed(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_convert: case DW_OP_GNU_convert: return run_convert(m, s, op, false);
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret: return run_convert(m, s, op, true);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type: return run_regval_type(m, s, op);
	case DW_OP_deref_type: case DW_OP_GNU_deref_type: return run_deref_type(m, s, op);
	case DW_OP_const_type: case DW_OP_GNU_const_type: return run_const_type(m, s, op);
	default: return refuse(m, op_name(op->atom));
	}
}

static unsigned address_size(const struct machine *m)
{
	return m->c->obj->elf_class == 32 ? 4 : 8;
}

/* The operations that only move the stack; false with m->why set when one cannot be done. */
static bool run_op(struct machine *m, struct stack *s, const Dwarf_Op *op)
{
	int binary = binary_operator(op->atom);

	if (binary >= 0)
		return run_binary(m, s, binary);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(m, s, loc_const(m->arena, op->atom - DW_OP_lit0));
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push(m, s, loc_add(m->arena, loc_reg(m->arena, op->atom - DW_OP_breg0), op->number));
	switch (op->atom) {
	case DW_OP_nop: return true;
	case DW_OP_addr: return push(m, s, loc_address(m->arena, m->c->obj, op->number));
	case DW_OP_addrx: case DW_OP_GNU_addr_index: return push_indexed(m, s, op, true);
	case DW_OP_constx: case DW_OP_GNU_const_index: return push_indexed(m, s, op, false);
	case DW_OP_const1u: case DW_OP_const2u: case DW_OP_const4u: case DW_OP_const8u: case DW_OP_constu:
	case DW_OP_const1s: case DW_OP_const2s: case DW_OP_const4s: case DW_OP_const8s: case DW_OP_consts:
		return push(m, s, loc_const(m->arena, op->number));	/* libdw has extended it by its form */
	case DW_OP_bregx: return push(m, s, loc_add(m->arena, loc_reg(m->arena, op->number), op->number2));
	case DW_OP_fbreg: return push_frame_base(m, s, op->number);
	case DW_OP_call_frame_cfa: return push_cfa(m, s);
	case DW_OP_dup: return pick(m, s, 0);
	case DW_OP_over: return pick(m, s, 1);
	case DW_OP_pick: return pick(m, s, op->number);
	case DW_OP_drop: return s->n ? s->n--, true : refuse(m, "a location expression is damaged");
	case DW_OP_swap: return rotate(m, s, 2);
	case DW_OP_rot: return rotate(m, s, 3);
	case DW_OP_deref: return run_deref(m, s, address_size(m), false);
	case DW_OP_deref_size: return run_deref(m, s, op->number, false);
	case DW_OP_abs: return run_unary(m, s, LOC_OP_ABS);
	case DW_OP_neg: return run_unary(m, s, LOC_OP_NEG);
	case DW_OP_not: return run_unary(m, s, LOC_OP_NOT);
	case DW_OP_plus_uconst:
		return push(m, s, loc_const(m->arena, op->number)) && run_binary(m, s, LOC_OP_ADD);
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address: return run_tls(m, s);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value: return push_entry_value(m, s, op);
	default: return run_typed(m, s, op);
	}
}

/* ---------------------------------------------------------------------------------------------- the machine */

/* Where a forward jump lands: the operation at that byte offset; nops: the end. */
static bool jump_target(struct machine *m, size_t from, size_t *out)
{
	uint64_t to = m->ops[from].offset + 3 + (int16_t)m->ops[from].number;

	for (size_t i = from + 1; i < m->nops; i++)
		if (m->ops[i].offset == to) {
			*out = i;
			return true;
		}
	*out = m->nops;
	/* Past the last operation is the end; anything else, backward above all, would be a loop. */
	return (int16_t)m->ops[from].number >= 0 && to > m->ops[m->nops - 1].offset ? true :
	       refuse(m, "a backward branch in a location expression");
}

static bool run(struct machine *m, struct stack *s, size_t *at, struct place *out);

/* Both ways of a conditional branch, to the end of the expression, into one. */
static bool run_branch(struct machine *m, struct stack *s, size_t *at, struct place *out)
{
	struct stack *other = ARENA_NEW(m->arena, struct stack);
	struct loc_expr *cond = pop(m, s);
	struct place taken, not_taken;
	size_t to, next = *at + 1;

	if (!cond || !jump_target(m, *at, &to))
		return false;
	*other = *s;
	if (!run(m, other, &to, &taken) || !run(m, s, &next, &not_taken))
		return false;
	if (to != m->nops || next != m->nops || taken.kind != not_taken.kind ||
	    (taken.kind != PLACE_MEMORY && taken.kind != PLACE_VALUE))
		return refuse(m, "a branch between different kinds of location");
	*out = taken;
	out->e = loc_select(m->arena, cond, taken.e, not_taken.e);
	*at = m->nops;
	return true;
}

static bool implicit_bytes(struct machine *m, const Dwarf_Op *op, struct place *out)
{
	Dwarf_Block block;

	if (!m->attr || dwarf_getlocation_implicit_value(m->attr, op, &block) != 0)
		return refuse(m, "an implicit value is damaged");
	*out = (struct place) { .kind = PLACE_BYTES, .bytes = block.data, .nbytes = block.length };
	return true;
}

static bool implicit_pointer(struct machine *m, const Dwarf_Op *op, struct place *out)
{
	*out = (struct place) { .kind = PLACE_POINTER, .target_offset = (int64_t)op->number2 };
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &out->target) != 0)
		return refuse(m, "an implicit pointer is damaged");
	return true;
}

/* Operations that say at once where the thing is; 1: done, 0: not one of these, -1: refused. */
static int run_terminal(struct machine *m, struct stack *s, const Dwarf_Op *op, struct place *out)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		*out = (struct place) { .kind = PLACE_REGISTER, .reg = op->atom - DW_OP_reg0 };
		return 1;
	}
	switch (op->atom) {
	case DW_OP_regx:
		*out = (struct place) { .kind = PLACE_REGISTER, .reg = op->number };
		return 1;
	case DW_OP_stack_value:
		if (s->n == 0)
			return refuse(m, "a location expression is damaged") - 1;
		*out = (struct place) { .kind = PLACE_VALUE, .e = s->at[s->n - 1].e };
		return 1;
	case DW_OP_implicit_value:
		return implicit_bytes(m, op, out) ? 1 : -1;
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return implicit_pointer(m, op, out) ? 1 : -1;
	default:
		return 0;
	}
}

static bool is_piece(unsigned atom)
{
	return atom == DW_OP_piece || atom == DW_OP_bit_piece;
}

/* One location, from *at to its piece operation or the end; *at is left there. */
static bool run(struct machine *m, struct stack *s, size_t *at, struct place *out)
{
	while (*at < m->nops && !is_piece(m->ops[*at].atom)) {
		const Dwarf_Op *op = &m->ops[*at];
		int done;

		if (m->budget-- == 0)
			return refuse(m, "a location expression is too long");
		if (op->atom == DW_OP_bra)
			return run_branch(m, s, at, out);
		if (op->atom == DW_OP_skip) {
			if (!jump_target(m, *at, at))
				return false;
			continue;
		}
		done = run_terminal(m, s, op, out);
		++*at;
		if (done < 0)
			return false;
		if (done > 0)
			return *at >= m->nops || is_piece(m->ops[*at].atom) ||
			       refuse(m, "operations after a location's end");
		if (!run_op(m, s, op))
			return false;
	}
	if (s->n == 0)
		*out = (struct place) { .kind = PLACE_NONE };
	else
		*out = (struct place) { .kind = PLACE_MEMORY, .e = s->at[s->n - 1].e };
	return true;
}

static bool add_piece(struct machine *m, const Dwarf_Op *op, const struct place *part, struct place *whole)
{
	struct piece *piece = &whole->piece[whole->npiece++];
	uint64_t size = op->number;

	if (op->atom == DW_OP_bit_piece) {
		if (op->number % 8 || op->number2)
			return refuse(m, "DW_OP_bit_piece that is not whole bytes");
		size /= 8;
	}
	piece->at = ARENA_NEW(m->arena, struct place);
	*piece->at = *part;
	piece->size = size;
	return true;
}

int place_of_ops(const struct loc_context *c, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nops,
		 struct place *out, const char **why)
{
	struct machine m = {
		.c = c, .arena = c->arena, .attr = attr, .ops = ops, .nops = nops, .budget = OPS_MAX,
	};
	struct place whole = { .kind = PLACE_PIECES };
	struct stack stack;
	bool ok = true;

	for (size_t at = 0; ok && at < nops; at++) {
		stack.n = 0;
		ok = run(&m, &stack, &at, out);
		if (!ok || at >= nops)
			break;
		if (!whole.piece)
			whole.piece = ARENA_ARRAY(c->arena, struct piece, nops);
		ok = add_piece(&m, &ops[at], out, &whole);
	}
	if (ok && nops == 0)
		*out = (struct place) { .kind = PLACE_NONE };
	else if (ok && whole.npiece)
		*out = whole;
	*why = m.why;
	return ok ? 0 : -ENOSYS;
}

int place_of_member(const struct loc_context *c, Dwarf_Die *member, struct loc_expr *whole, struct place *out,
		    const char **why)
{
	struct machine m = { .c = c, .arena = c->arena, .budget = OPS_MAX };
	struct stack stack = { .at = { { .e = whole } }, .n = 1 };	/* as DWARF5 5.7.3 has it */
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t at = 0;
	bool ok;

	*why = "where it is in the object is damaged";
	if (!die_attr(member, DW_AT_data_member_location, &attr) || dwarf_getlocation(&attr, &ops, &m.nops) != 0)
		return -ENOSYS;
	m.attr = &attr;
	m.ops = ops;
	ok = run(&m, &stack, &at, out) && at == m.nops && out->kind == PLACE_MEMORY;
	if (m.why)
		*why = m.why;
	return ok ? 0 : -ENOSYS;
}

/* ---------------------------------------------------------------------------------------------- variables */

static int place_of_constant(Dwarf_Attribute *attr, struct arena *a, struct place *out)
{
	Dwarf_Block block;
	Dwarf_Sword number;
	const char *text;

	if (dwarf_formblock(attr, &block) == 0) {
		*out = (struct place) { .kind = PLACE_BYTES, .bytes = block.data, .nbytes = block.length };
		return 0;
	}
	if (dwarf_formsdata(attr, &number) == 0) {
		*out = (struct place) { .kind = PLACE_VALUE, .e = loc_const(a, number) };
		return 0;
	}
	text = dwarf_formstring(attr);
	if (!text)
		return -ENOSYS;
	*out = (struct place) {
		.kind = PLACE_BYTES, .bytes = (const unsigned char *)text, .nbytes = strlen(text) + 1,
	};
	return 0;
}

/* A declaration of something defined elsewhere, or a global whose location was left out: ask the symbol table (C.1). */
static bool place_of_symbol(const struct loc_context *c, Dwarf_Die *var, struct place *out)
{
	const char *name = die_string(var, DW_AT_linkage_name);
	struct symbol_info sym;

	if (!name)
		name = dwarf_diename(var);
	if (!name || !die_flag(var, DW_AT_external) || !object_symbol_named(c->obj, name, &sym) ||
	    sym.is_function || sym.is_ifunc || sym.is_tls)
		return false;
	*out = (struct place) { .kind = PLACE_MEMORY, .e = loc_address(c->arena, c->obj, sym.link_addr) };
	return true;
}

/* Instructions at a function's start that change no register and no memory a variable lives in.  Compilers let the
 * location lists of parameters begin after them. */
static const struct quiet { unsigned char bytes[5]; unsigned len; } quiet_instructions[] = {
	{ { 0xf3, 0x0f, 0x1e, 0xfa }, 4 },		/* endbr64 */
	{ { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, 5 },	/* the nop that -mnop-mcount leaves */
	{ { 0x90 }, 1 },				/* nop: -fpatchable-function-entry */
};

/* The address after the quiet instruction at @pc, or 0. */
static uint64_t after_quiet_instruction(struct object *obj, uint64_t pc)
{
	for (unsigned i = 0; i < sizeof(quiet_instructions) / sizeof(quiet_instructions[0]); i++) {
		const struct quiet *q = &quiet_instructions[i];
		const unsigned char *code = object_bytes(obj, pc, q->len);

		if (code && obj->machine == EM_X86_64 && memcmp(code, q->bytes, q->len) == 0)
			return pc + q->len;
	}
	return 0;
}

/* The operations of a location at the pc, or where nothing quiet stands between. */
static bool operations_at(const struct loc_context *c, Dwarf_Attribute *attr, Dwarf_Op **ops, size_t *nops)
{
	enum { QUIET_MAX = 4 };
	uint64_t pc = c->pc;

	for (int i = 0; i < QUIET_MAX && pc; i++) {
		if (dwarf_getlocation_addr(attr, pc, ops, nops, 1) == 1)
			return true;
		pc = after_quiet_instruction(c->obj, pc);
	}
	return false;
}

int place_of_variable(const struct loc_context *c, Dwarf_Die *var, struct place *out, const char **why)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nops;
	int err;

	*why = NULL;
	if (die_attr(var, DW_AT_location, &attr)) {
		if (!operations_at(c, &attr, &ops, &nops))
			return -ENOENT;
		err = place_of_ops(c, &attr, ops, nops, out, why);
		return err == 0 && out->kind == PLACE_NONE ? -ENOENT : err;
	}
	if (die_attr(var, DW_AT_const_value, &attr)) {
		err = place_of_constant(&attr, c->arena, out);
		if (err)
			*why = "a constant of an unknown form";
		return err;
	}
	return place_of_symbol(c, var, out) ? 0 : -ENOENT;
}

const char *location_ranges_text(const struct loc_context *c, Dwarf_Die *var)
{
	enum { SHOWN = 6 };
	Dwarf_Addr base = 0, start, end;
	struct strbuf text = { 0 };
	const char *function = NULL, *copy = NULL;
	uint64_t entry = 0;
	ptrdiff_t off = 0;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nops;

	if (!die_attr(var, DW_AT_location, &attr))
		return NULL;
	if (c->scope) {
		Dwarf_Die die = c->scope->function;

		function = dwarf_diename(&die);
		die_entry(&die, &entry);
	}
	for (unsigned i = 0; (off = dwarf_getlocations(&attr, off, &base, &start, &end, &ops, &nops)) > 0; i++) {
		if (nops == 0 || start >= end || end == (Dwarf_Addr)-1)
			continue;
		if (i == SHOWN) {
			strbuf_add(&text, ", ...");
			break;
		}
		strbuf_add(&text, text.len ? ", " : "");
		if (function && start >= entry)
			strbuf_printf(&text, "%s+0x%llx..+0x%llx", function, (unsigned long long)(start - entry),
				      (unsigned long long)(end - entry));
		else
			strbuf_printf(&text, "0x%llx..0x%llx", (unsigned long long)start, (unsigned long long)end);
	}
	if (text.len)
		copy = arena_strdup(c->arena, text.text);
	strbuf_free(&text);
	return copy;
}
