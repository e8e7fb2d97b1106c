/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exits of a function, found by disassembling it.
 *
 * A return instruction is one; so is a jump out of the function's ranges (a tail call), and a jump to the function's own
 * entry, which calls it anew.  Hard are indirect jumps, each of which is a switch, a computed goto or a tail call through
 * a pointer.  They are told apart one by one (a function may hold several kinds):
 *
 *	jmp *X(%rip), jmp *8(%reg)	through a pointer in memory, without an index: a tail call
 *	jmp *T(,%reg,8)			a table of pointers: its first entries say whether they lead back inside
 *	jmp *%reg			what loaded the register last: an addition to a table's start (offsets): a switch;
 *					a load with an index: a table as above; a local variable of a frame that still
 *					stands: a computed goto; anything else: a tail call
 *	notrack jmp *%reg		a switch: only those do without an endbr64 at the target
 *
 * A Go function that found its stack too small jumps back to its entry right behind a call: that is no exit.
 */
#include "probes/exits.h"

#include <Zydis/Zydis.h>
#include <errno.h>
#include <string.h>

/* How far to look back for the load of a jump's register: a table load stands within a few instructions. */
enum { LOOK_BACK = 16, TABLE_LOOK = 4 };
enum { RSP = 7 };			/* DWARF number */

struct insn {
	uint64_t addr;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

struct sweep {
	struct object *obj;
	uint64_t entry;
	struct addr_range *ranges;
	unsigned nranges, room_ranges;
	ZydisDecoder decoder;
	struct insn past[LOOK_BACK];	/* a ring: the instructions before the one at hand */
	unsigned npast;			/* how many have been seen in this range */
	uint64_t last_lea;		/* what the last lea X(%rip) gave; 0: none */
	bool is_go;
	struct exit_list *out;
	unsigned room, room_calls;
	struct arena *a;
};

static bool is_inside(const struct sweep *s, uint64_t addr)
{
	for (unsigned i = 0; i < s->nranges; i++)
		if (addr >= s->ranges[i].lo && addr < s->ranges[i].hi)
			return true;
	return false;
}

/* A list of @n things of @size bytes, with room for at least one more. */
static void *with_room(struct arena *a, void *list, unsigned n, unsigned *room, size_t size)
{
	void *more;

	if (n < *room)
		return list;
	*room = *room ? 2 * *room : 16;
	more = arena_alloc(a, *room * size);
	if (n)
		memcpy(more, list, n * size);
	return more;
}

static void add_exit(struct sweep *s, uint64_t addr, enum exit_kind kind, uint64_t target)
{
	struct exit_list *l = s->out;

	l->exit = with_room(s->a, l->exit, l->n, &s->room, sizeof(*l->exit));
	l->exit[l->n++] = (struct exit_place){ addr, kind, target };
}

static void add_call(struct sweep *s, const struct insn *in)
{
	struct exit_list *l = s->out;
	uint64_t target;

	if (in->op[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&in->i, &in->op[0], in->addr, &target)))
		return;
	l->call = with_room(s->a, l->call, l->ncalls, &s->room_calls, sizeof(*l->call));
	l->call[l->ncalls++] = (struct call_place){ in->addr, in->addr + in->i.length, target };
}

/* The instruction @back places before the one at hand; NULL where the range has none or it is forgotten. */
static const struct insn *earlier(const struct sweep *s, unsigned back)
{
	if (back > s->npast || back > LOOK_BACK)
		return NULL;
	return &s->past[(s->npast - back) % LOOK_BACK];
}

/* ---- direct jumps ---- */

static bool is_register(const struct loc_expr *e, unsigned reg, int64_t off)
{
	return e && e->kind == LOC_BINARY && e->op == LOC_OP_ADD && e->a->kind == LOC_REG && e->a->reg == reg &&
	       e->b->kind == LOC_CONST && e->b->num == off;
}

/* The linkage table has a frame description too, and is no part of any function. */
static bool same_section(const struct sweep *s, uint64_t addr)
{
	struct section own, other;

	return object_section_at(s->obj, s->entry, &own) && object_section_at(s->obj, addr, &other) &&
	       own.link_addr == other.link_addr;
}

static bool is_named_function(const struct sweep *s, uint64_t addr)
{
	struct symbol_info symbol;

	return object_symbol_at(s->obj, addr, &symbol) && symbol.link_addr == addr && !strstr(symbol.name, ".cold");
}

/*
 * A part that was split off has unwind information of its own.  Where nothing else told of it (no DWARF, no symbol), it is
 * known by a frame that stands at its first instruction, by a jump into its middle, or by a conditional jump to it:
 * compilers hardly make a tail call of that.
 */
static bool take_cold_part(struct sweep *s, uint64_t target, bool conditional)
{
	struct addr_range fde, *more;
	const struct loc_expr *cfa;

	if (!fde_covering(s->obj, target, &fde) || !same_section(s, fde.lo) || is_named_function(s, fde.lo))
		return false;
	cfa = frame_cfa(s->obj, fde.lo, s->a);
	if (!conditional && target == fde.lo && (!cfa || is_register(cfa, RSP, 8)))
		return false;
	if (s->nranges == s->room_ranges) {
		s->room_ranges = 2 * s->nranges + 4;
		more = ARENA_ARRAY(s->a, struct addr_range, s->room_ranges);
		memcpy(more, s->ranges, s->nranges * sizeof(*more));
		s->ranges = more;
	}
	s->ranges[s->nranges++] = fde;
	return true;
}

static bool is_stack_retry(const struct sweep *s)
{
	const struct insn *before = earlier(s, 1);

	return s->is_go && before && before->i.mnemonic == ZYDIS_MNEMONIC_CALL;
}

static void direct_jump(struct sweep *s, const struct insn *in, enum exit_kind kind)
{
	uint64_t target;

	if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&in->i, &in->op[0], in->addr, &target)))
		return;
	if (target == s->entry ? !is_stack_retry(s) : !is_inside(s, target) && !take_cold_part(s, target, kind == EXIT_TAIL_IF))
		add_exit(s, in->addr, kind, target);
}

/* ---- indirect jumps ---- */

enum verdict { STAYS, LEAVES, UNDECIDED };

static ZydisRegister whole(ZydisRegister r)
{
	return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
}

static bool writes_register(const struct insn *in, ZydisRegister reg)
{
	for (unsigned i = 0; i < in->i.operand_count; i++)
		if (in->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && whole(in->op[i].reg.value) == reg &&
		    in->op[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			return true;
	return false;
}

/* What the first entries of a table of pointers at @table say.  Empty ones are filled by the loader: no answer. */
static enum verdict pointer_table(const struct sweep *s, uint64_t table)
{
	for (unsigned i = 0; i < TABLE_LOOK; i++) {
		const unsigned char *p = object_bytes(s->obj, table + 8 * i, 8);
		uint64_t v;

		if (!p)
			return UNDECIDED;
		memcpy(&v, p, sizeof(v));
		if (v)
			return is_inside(s, v) ? STAYS : LEAVES;
	}
	return UNDECIDED;
}

static enum verdict through_memory(const struct sweep *s, const ZydisDecodedOperand *m)
{
	if (m->mem.index == ZYDIS_REGISTER_NONE)
		return LEAVES;
	if (m->mem.base == ZYDIS_REGISTER_NONE)
		return pointer_table(s, (uint64_t)m->mem.disp.value);
	return s->last_lea ? pointer_table(s, s->last_lea + (uint64_t)m->mem.disp.value) : UNDECIDED;
}

/* rbp is the caller's again before a tail call: while something is loaded by it, the frame stands. */
static bool in_frame(const struct insn *load, bool frame_dropped)
{
	return load->op[1].mem.base == ZYDIS_REGISTER_RBP && !frame_dropped;
}

static enum verdict through_register(const struct sweep *s, ZydisRegister reg)
{
	const struct insn *in;
	bool frame_dropped = false;

	for (unsigned back = 1; (in = earlier(s, back)); back++) {
		if (in->i.mnemonic == ZYDIS_MNEMONIC_CALL)
			return LEAVES;		/* the register outlived a call, or is what it returned */
		if (!writes_register(in, reg)) {
			frame_dropped |= writes_register(in, ZYDIS_REGISTER_RBP);
			continue;
		}
		if (in->i.mnemonic == ZYDIS_MNEMONIC_ADD)
			return STAYS;
		if (in->i.mnemonic == ZYDIS_MNEMONIC_MOV && in->op[1].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return in_frame(in, frame_dropped) ? STAYS : through_memory(s, &in->op[1]);
		return LEAVES;
	}
	return LEAVES;
}

static void indirect_jump(struct sweep *s, const struct insn *in)
{
	enum verdict v;

	if (in->i.attributes & ZYDIS_ATTRIB_HAS_NOTRACK)
		v = STAYS;
	else if (in->op[0].type == ZYDIS_OPERAND_TYPE_MEMORY)
		v = through_memory(s, &in->op[0]);
	else
		v = through_register(s, whole(in->op[0].reg.value));
	if (v == LEAVES)
		add_exit(s, in->addr, EXIT_TAIL, 0);
	if (v == UNDECIDED)
		s->out->undecided++;
}

/* ---- the sweep ---- */

static void note_lea(struct sweep *s, const struct insn *in)
{
	if (in->i.mnemonic != ZYDIS_MNEMONIC_LEA || in->op[1].mem.base != ZYDIS_REGISTER_RIP)
		return;
	if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&in->i, &in->op[1], in->addr, &s->last_lea)))
		s->last_lea = 0;
}

static void look_at(struct sweep *s, const struct insn *in)
{
	switch (in->i.meta.category) {
	case ZYDIS_CATEGORY_RET:
		if (in->i.mnemonic == ZYDIS_MNEMONIC_RET)
			add_exit(s, in->addr, EXIT_RETURN, 0);
		break;
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (in->i.mnemonic != ZYDIS_MNEMONIC_JMP)
			break;
		if (in->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			direct_jump(s, in, EXIT_TAIL);
		else
			indirect_jump(s, in);
		break;
	case ZYDIS_CATEGORY_COND_BR:
		if (in->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			direct_jump(s, in, EXIT_TAIL_IF);
		break;
	case ZYDIS_CATEGORY_CALL:
		add_call(s, in);
		break;
	default:
		note_lea(s, in);
	}
}

static int sweep_range(struct sweep *s, struct addr_range part, struct di_miss *miss)
{
	size_t size = part.hi - part.lo, at = 0;
	const unsigned char *code = object_bytes(s->obj, part.lo, size);

	s->npast = 0;
	s->last_lea = 0;
	while (code && at < size) {
		struct insn *in = &s->past[s->npast % LOOK_BACK], now;

		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&s->decoder, code + at, size - at, &now.i, now.op)))
			break;
		now.addr = part.lo + at;
		look_at(s, &now);
		*in = now;
		s->npast++;
		at += now.i.length;
	}
	if (code && at == size)
		return 0;
	*miss = (struct di_miss){ .reason = DI_UNSUPPORTED };
	miss->text = code ? arena_printf(s->a, "the code at 0x%llx cannot be disassembled",
					 (unsigned long long)(part.lo + at))
			  : arena_printf(s->a, "the code at 0x%llx is not in the file", (unsigned long long)part.lo);
	return -EINVAL;
}

int function_exits(struct object *obj, uint64_t entry, const struct addr_range *ranges, unsigned nranges,
		   struct arena *a, struct exit_list *out, struct di_miss *miss)
{
	struct sweep s = { .obj = obj, .entry = entry, .nranges = nranges, .room_ranges = nranges, .out = out, .a = a };
	struct section go;
	int error;

	*out = (struct exit_list){ 0 };
	s.is_go = object_section(obj, ".gopclntab", &go);
	ZydisDecoderInit(&s.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	s.ranges = ARENA_ARRAY(a, struct addr_range, nranges + 1);
	memcpy(s.ranges, ranges, nranges * sizeof(*ranges));
	for (unsigned i = 0; i < s.nranges; i++) {	/* cold parts join on the way */
		error = sweep_range(&s, s.ranges[i], miss);
		if (error)
			return error;
	}
	return 0;
}
