/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a frame to its caller by call frame information.  Start reading at sp_unwind_step().
 *
 * The tables are read where the program has them mapped: .eh_frame_hdr sorts the entries by address, in every object
 * that its loader or ours may have brought in, so nothing has to be prepared.  Nothing read is trusted: each loop is
 * bounded, each read is checked, and what makes no sense ends the chain.
 */
#include "unwind.h"
#include "elf.h"

enum {
	WINDOW = 64,			/* bytes of a table read at once */
	ENTRY_MAX = 1 << 16,		/* bytes of one entry */
	OPS_MAX = 512,			/* operators of one expression */
	PHDRS_MAX = 64,
	FDES_LOG2 = 26,			/* steps of a search */
	FP_REACH = 8 << 20,		/* bytes from a frame to the next by the frame pointer */
};

const struct sp_unwind_abi sp_unwind_x86_64 = {
	.nregs = 17, .sp = 7, .fp = 6, .ra = 16, .pushes_ra = 1, .ra_mask = ~0ULL,
	.sigreturn = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 }, .nsigreturn = 9,	/* mov $15, %rax; syscall */
	/* struct ucontext is on top of the stack; its registers begin at 40 (asm/sigcontext.h) */
	.saved_pc = 40 + 8 * 16,
	.saved = {
		40 + 8 * 13, 40 + 8 * 12, 40 + 8 * 14, 40 + 8 * 11, 40 + 8 * 9, 40 + 8 * 8, 40 + 8 * 10, 40 + 8 * 15,
		40, 40 + 8, 40 + 8 * 2, 40 + 8 * 3, 40 + 8 * 4, 40 + 8 * 5, 40 + 8 * 6, 40 + 8 * 7, 40 + 8 * 16,
	},
};

#define X(n) (312 + 8 * (n))		/* siginfo 128, struct ucontext to its registers 176, fault address 8 */
const struct sp_unwind_abi sp_unwind_aarch64 = {
	.nregs = 33, .sp = 31, .fp = 29, .ra = 30, .has_ra_state = 1, .ra_mask = (1ULL << 48) - 1,
	.sigreturn = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }, .nsigreturn = 8,	/* mov x8, #139; svc #0 */
	.saved_pc = X(32),
	.saved = {
		X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15), X(16),
		X(17), X(18), X(19), X(20), X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30), X(31), X(32),
	},
};
#undef X

/* ---- bytes of the tables --------------------------------------------------------------------------------- */

struct bytes {
	struct sp_ctx *c;
	const struct sp_symbols *copy;	/* they are in its section, not in the process's memory */
	sp_uaddr at, end;
	sp_bool bad;			/* something was not there: every value since is 0 */
	sp_uaddr have;			/* of what is in the window */
	sp_u32 nhave;
	sp_u8 window[WINDOW];
};

static void bytes_start(struct bytes *b, struct sp_ctx *c, const struct sp_symbols *copy, sp_uaddr at, sp_uaddr end)
{
	b->c = c;
	b->copy = copy;
	b->at = at;
	b->end = end;
	b->bad = end < at;
	b->have = at;
	b->nhave = 0;
}

static sp_bool window_fill(struct bytes *b)
{
	sp_u64 n = SP_PAGE - (b->at & (SP_PAGE - 1));

	n = SP_MIN(SP_MIN(n, (sp_u64)WINDOW), b->end - b->at);
	b->have = b->at;
	b->nhave = n;
	if (b->copy) {
		sp_u64 at = b->at - b->copy->frames_addr;

		if (at >= b->copy->frames_size || n > b->copy->frames_size - at)
			b->nhave = 0;
		sp_copy(b->window, (const char *)b->copy + b->copy->frames_off + at, b->nhave);
	} else if (!sp_plat_read(b->c, b->window, b->at, n)) {
		b->nhave = 0;
	}
	return b->nhave != 0;
}

static sp_u8 take_u8(struct bytes *b)
{
	if (b->bad || b->at >= b->end || (b->at - b->have >= b->nhave && !window_fill(b))) {
		b->bad = 1;
		return 0;
	}
	return b->window[b->at++ - b->have];
}

static sp_u64 take_word(struct bytes *b, unsigned size)
{
	sp_u64 v = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		v |= (sp_u64)take_u8(b) << (8 * i);
	return v;
}

static sp_u64 take_uleb(struct bytes *b)
{
	sp_u64 v = 0;
	unsigned shift;
	sp_u8 byte;

	for (shift = 0; shift < 70; shift += 7) {
		byte = take_u8(b);
		if (shift < 64)
			v |= (sp_u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	b->bad = 1;
	return 0;
}

static sp_i64 take_sleb(struct bytes *b)
{
	sp_u64 v = 0;
	unsigned shift = 0;
	sp_u8 byte;

	do {
		byte = take_u8(b);
		if (shift < 64)
			v |= (sp_u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 70);
	return shift < 64 && byte & 0x40 ? (sp_i64)(v | -(1ULL << shift)) : (sp_i64)v;
}

static void skip(struct bytes *b, sp_u64 n)
{
	if (n > b->end - b->at)
		b->bad = 1;
	else
		b->at += n;
}

enum {
	EH_OMIT = 0xff, EH_FORM = 0x0f, EH_BASE = 0x70, EH_PCREL = 0x10, EH_DATAREL = 0x30, EH_INDIRECT = 0x80,
};

/* Bytes that a value takes; 0: as many as it needs. */
static unsigned form_size(sp_u8 encoding)
{
	static const sp_u8 sizes[16] = { 8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8, 0, 0, 0 };

	return sizes[encoding & EH_FORM];
}

/* A pointer as .eh_frame has it (LSB 10.5.1); @data: what it may be relative to. */
static sp_u64 take_pointer(struct bytes *b, sp_u8 encoding, sp_u64 data)
{
	sp_uaddr at = b->at;
	unsigned size = form_size(encoding);
	sp_u64 v = 0;

	if (encoding == EH_OMIT)
		return 0;
	if (size)
		v = take_word(b, size);
	else if ((encoding & EH_FORM) == 1)
		v = take_uleb(b);
	else if ((encoding & EH_FORM) == 9)
		v = take_sleb(b);
	else
		b->bad = 1;
	if (size && size < 8 && encoding & 8)
		v = sp_sext(v, 8 * size);
	if ((encoding & EH_BASE) == EH_PCREL)
		v += at;
	else if ((encoding & EH_BASE) == EH_DATAREL)
		v += data;
	else if (encoding & EH_BASE)
		b->bad = 1;
	return v;
}

/* ---- finding the entry for a place ------------------------------------------------------------------------ */

sp_bool sp_frame_table_find(struct sp_ctx *c, sp_uaddr base, sp_uaddr limit, struct sp_frame_table *t)
{
	struct sp_elf_header e;
	struct sp_elf_segment p;
	sp_bool loaded = 0;
	sp_u32 i;

	t->header = t->bias = 0;
	t->limit = limit;
	t->copy = 0;
	if (!sp_plat_read(c, &e, base, sizeof(e)) || sp_compare(e.ident, SP_ELF_MAGIC, 6) || e.phentsize != sizeof(p))
		return 0;
	for (i = 0; i < e.phnum && i < PHDRS_MAX; i++) {
		if (!sp_plat_read(c, &p, base + e.phoff + i * sizeof(p), sizeof(p)))
			return 0;
		if (p.type == SP_ELF_LOAD && !loaded) {	/* the first one holds the header that we look at */
			t->bias = base - (p.vaddr - p.offset);
			loaded = 1;
		} else if (p.type == SP_ELF_EH_FRAME) {
			t->header = p.vaddr;
		}
	}
	if (!loaded || !t->header)
		return 0;
	t->header += t->bias;
	return t->header < limit;
}

sp_bool sp_frame_table_copy(const struct sp_symbols *s, sp_uaddr base, struct sp_frame_table *t)
{
	t->header = 0;
	t->bias = base - s->load;
	t->limit = s->frames_addr + s->frames_size;
	t->copy = s;
	return s->nfdes != 0;
}

/* Address of the entry for link-time address @pc in a copy; 0: none, though 0 may be an entry of .debug_frame. */
static sp_uaddr entry_find_copied(const struct sp_symbols *s, sp_u64 pc)
{
	const struct sp_fde *fdes = (const void *)((const char *)s + s->fdes_off);
	sp_u32 low = 0, high = s->nfdes;

	while (low < high) {
		sp_u32 middle = low + (high - low) / 2;

		if (fdes[middle].start <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? fdes[low - 1].at : 0;
}

/* Address of the entry that the sorted table gives for @pc; 0: none. */
static sp_uaddr entry_find(struct sp_ctx *c, const struct sp_frame_table *t, sp_uaddr pc)
{
	struct bytes b;
	sp_u8 head[4];
	sp_u64 n, low = 0, high;
	unsigned size, steps;
	sp_uaddr table, found = 0;

	if (!sp_plat_read(c, head, t->header, 4) || head[0] != 1 || head[2] == EH_OMIT)
		return 0;
	size = form_size(head[3]);
	if ((head[3] & EH_BASE) != EH_DATAREL || size < 4)
		return 0;
	bytes_start(&b, c, 0, t->header + 4, t->header + 4 + 20);
	take_pointer(&b, head[1], t->header);
	n = take_pointer(&b, head[2], t->header);
	table = b.at;
	if (b.bad || n > (t->limit - table) / (2 * size))
		return 0;
	for (high = n, steps = 0; low < high && steps < FDES_LOG2; steps++) {
		sp_u64 middle = (low + high) / 2;
		sp_uaddr start, entry;

		bytes_start(&b, c, 0, table + middle * 2 * size, table + (middle + 1) * 2 * size);
		start = take_pointer(&b, head[3], t->header);
		entry = take_pointer(&b, head[3], t->header);
		if (b.bad)
			return 0;
		if (start <= pc) {
			found = entry;
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return found;
}

/* What an entry (FDE) and what it shares with others (CIE) say. */
struct frame_entry {
	sp_uaddr start, end;		/* code that it covers */
	sp_uaddr program, program_end;
	sp_uaddr common, common_end;	/* the shared part's program */
	sp_u64 code_align;
	sp_i64 data_align;
	sp_u64 ra;
	sp_u8 encoding;
	sp_bool augmented, is_signal;
	const struct sp_symbols *copy;	/* where all of it is */
	sp_u64 bias;			/* of the addresses of code that it has */
};

/* Length and identity of the entry at @at: *@b stands behind them. */
static sp_bool entry_open(struct bytes *b, struct sp_ctx *c, const struct sp_frame_table *t, sp_uaddr at, sp_u64 *id,
			  sp_uaddr *id_at)
{
	sp_u64 length;

	bytes_start(b, c, t->copy, at, t->limit);
	length = take_word(b, 4);
	if (length == 0xffffffff)
		length = take_word(b, 8);
	if (b->bad || length < 4 || length > ENTRY_MAX || length > t->limit - b->at)
		return 0;
	b->end = b->at + length;
	*id_at = b->at;
	*id = take_word(b, 4);
	return !b->bad;
}

/* The letters of a CIE's augmentation: what each has in the data that follows. */
static void read_augmentation(struct bytes *b, const char *letters, struct frame_entry *e)
{
	sp_u64 n = take_uleb(b);
	sp_uaddr end = b->at + n;

	if (n > b->end - b->at) {
		b->bad = 1;
		return;
	}
	for (; *letters && !b->bad && b->at <= end; letters++) {
		if (*letters == 'R')
			e->encoding = take_u8(b);
		else if (*letters == 'L')
			take_u8(b);
		else if (*letters == 'P')
			take_pointer(b, take_u8(b) & (sp_u8)~EH_INDIRECT, 0);
		else if (*letters == 'S')
			e->is_signal = 1;
		else if (*letters != 'B' && *letters != 'G')	/* AArch64: signed by key B; tagged stack */
			break;
	}
	b->at = end;
	e->augmented = 1;
}

/* Whether an entry is one that others share; else where the shared one is. */
static sp_bool is_common(const struct sp_frame_table *t, sp_u64 id, sp_uaddr id_at, sp_uaddr *common)
{
	sp_bool is_debug = t->copy && t->copy->frames_debug;

	*common = is_debug ? t->copy->frames_addr + id : id_at - id;
	return id == (is_debug ? 0xffffffff : 0);
}

static sp_bool read_common(struct sp_ctx *c, const struct sp_frame_table *t, sp_uaddr at, struct frame_entry *e)
{
	struct bytes b;
	char letters[8];
	sp_u64 id;
	sp_uaddr id_at, common;
	sp_u8 version;
	unsigned i;

	if (!entry_open(&b, c, t, at, &id, &id_at) || !is_common(t, id, id_at, &common))
		return 0;
	version = take_u8(&b);
	for (i = 0; (letters[i] = (char)take_u8(&b)) && i + 1 < sizeof(letters); i++)
		;
	if (letters[i] || (version != 1 && version != 3 && version != 4))
		return 0;
	if (version == 4 && (take_u8(&b) != 8 || take_u8(&b)))	/* sizes of an address, and of a segment's number */
		return 0;
	e->code_align = take_uleb(&b);
	e->data_align = take_sleb(&b);
	e->ra = version == 1 ? take_u8(&b) : take_uleb(&b);
	if (letters[0] == 'z')
		read_augmentation(&b, letters + 1, e);
	else if (letters[0])
		return 0;
	e->common = b.at;
	e->common_end = b.end;
	return !b.bad;
}

static sp_bool entry_read(struct sp_ctx *c, const struct sp_frame_table *t, sp_uaddr at, struct frame_entry *e)
{
	struct bytes b;
	sp_u64 id;
	sp_uaddr id_at, common;

	sp_zero(e, sizeof(*e));
	e->copy = t->copy;
	e->bias = t->copy ? t->bias : 0;
	if (!entry_open(&b, c, t, at, &id, &id_at) || is_common(t, id, id_at, &common) || !read_common(c, t, common, e))
		return 0;
	e->start = take_pointer(&b, e->encoding, t->header) + e->bias;
	e->end = e->start + take_pointer(&b, e->encoding & EH_FORM, 0);
	if (e->augmented)
		skip(&b, take_uleb(&b));
	e->program = b.at;
	e->program_end = b.end;
	return !b.bad;
}

static sp_bool starts_before(const void *data, const void *a, const void *b)
{
	const struct sp_fde *x = a, *y = b;

	(void)data;
	return x->start < y->start;
}

void sp_fdes_make(struct sp_symbols *s, sp_u32 room)
{
	struct sp_fde *fdes = (struct sp_fde *)((char *)s + s->fdes_off);
	struct sp_frame_table t = { 0, s->frames_addr + s->frames_size, 0, s };
	sp_uaddr at = s->frames_addr, id_at;
	struct frame_entry e;
	struct bytes b;
	sp_u64 id;

	while (at < t.limit && s->nfdes < room) {
		sp_uaddr here = at;

		if (!entry_open(&b, 0, &t, at, &id, &id_at)) {
			at += 4;		/* an end mark, of one of several tables linked together */
			continue;
		}
		at = b.end;
		if (!entry_read(0, &t, here, &e) || !e.start || e.end <= e.start)
			continue;
		fdes[s->nfdes].start = e.start;
		fdes[s->nfdes++].at = here;
	}
	sp_sort_pairs(fdes, s->nfdes, starts_before, 0);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

enum rule {
	RULE_SAME, RULE_UNDEFINED, RULE_OFFSET, RULE_VAL_OFFSET, RULE_REGISTER, RULE_EXPRESSION, RULE_VAL_EXPRESSION,
};

/* DWARF4 table 7.23 */
enum {
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,
	CFA_NOP = 0, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED, CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER, CFA_RECALL, CFA_DEF, CFA_DEF_REGISTER, CFA_DEF_OFFSET,
	CFA_DEF_EXPRESSION, CFA_EXPRESSION, CFA_OFFSET_SF, CFA_DEF_SF, CFA_DEF_OFFSET_SF, CFA_VAL_OFFSET, CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION, CFA_AARCH64_NEGATE_RA_STATE = 0x2d, CFA_GNU_ARGS_SIZE = 0x2e, CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

struct program {
	struct bytes b;
	const struct frame_entry *e;
	sp_uaddr loc, pc;		/* the row grows up to the last change at or before @pc */
	sp_uaddr base;			/* expressions lie so far from here */
};

static void set_rule(struct sp_unwinder *u, sp_u64 reg, enum rule kind, sp_i64 value)
{
	if (reg >= SP_FRAME_REGS)
		return;			/* vector registers and the like: no frame hangs on them */
	u->row.kind[reg] = kind;
	u->row.value[reg] = value;
}

static void restore_rule(struct sp_unwinder *u, sp_u64 reg)
{
	if (reg >= SP_FRAME_REGS)
		return;
	u->row.kind[reg] = u->first.kind[reg];
	u->row.value[reg] = u->first.value[reg];
}

/* A block's place, noted as a distance from the program's base; the program goes on behind it. */
static sp_i64 take_block(struct program *p)
{
	sp_i64 at = p->b.at - p->base;

	skip(&p->b, take_uleb(&p->b));
	return at;
}

static void def_cfa(struct sp_unwinder *u, sp_u64 reg, sp_i64 offset)
{
	u->row.cfa_is_expression = 0;
	u->row.cfa_reg = SP_MIN(reg, 0xffff);
	u->row.cfa_offset = offset;
}

static void keep_row(struct sp_unwinder *u, struct program *p)
{
	if (u->nkept == SP_ROWS_KEPT)
		p->b.bad = 1;
	else
		sp_copy(&u->kept[u->nkept++], &u->row, sizeof(u->row));
}

static void recall_row(struct sp_unwinder *u, struct program *p)
{
	if (!u->nkept)
		p->b.bad = 1;
	else
		sp_copy(&u->row, &u->kept[--u->nkept], sizeof(u->row));
}

/* Instructions about the canonical frame address; false: @op is none. */
static sp_bool cfa_instruction(struct sp_unwinder *u, struct program *p, unsigned op)
{
	sp_i64 align = p->e->data_align;
	sp_u64 reg;

	switch (op) {
	case CFA_DEF:
		reg = take_uleb(&p->b);
		def_cfa(u, reg, take_uleb(&p->b));
		return 1;
	case CFA_DEF_SF:
		reg = take_uleb(&p->b);
		def_cfa(u, reg, take_sleb(&p->b) * align);
		return 1;
	case CFA_DEF_REGISTER:
		def_cfa(u, take_uleb(&p->b), u->row.cfa_offset);
		return 1;
	case CFA_DEF_OFFSET:
		def_cfa(u, u->row.cfa_reg, take_uleb(&p->b));
		return 1;
	case CFA_DEF_OFFSET_SF:
		def_cfa(u, u->row.cfa_reg, take_sleb(&p->b) * align);
		return 1;
	case CFA_DEF_EXPRESSION:
		u->row.cfa_offset = take_block(p);
		u->row.cfa_is_expression = 1;
		return 1;
	default:
		return 0;
	}
}

/* Instructions about one register; false: @op is none. */
static sp_bool register_instruction(struct sp_unwinder *u, struct program *p, unsigned op)
{
	sp_i64 align = p->e->data_align;
	sp_u64 reg = op == CFA_NOP || op > CFA_GNU_NEGATIVE_OFFSET ? 0 : take_uleb(&p->b);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_rule(u, reg, RULE_OFFSET, take_uleb(&p->b) * align);
		return 1;
	case CFA_OFFSET_SF:
		set_rule(u, reg, RULE_OFFSET, take_sleb(&p->b) * align);
		return 1;
	case CFA_GNU_NEGATIVE_OFFSET:
		set_rule(u, reg, RULE_OFFSET, -(sp_i64)take_uleb(&p->b) * align);
		return 1;
	case CFA_VAL_OFFSET:
		set_rule(u, reg, RULE_VAL_OFFSET, take_uleb(&p->b) * align);
		return 1;
	case CFA_VAL_OFFSET_SF:
		set_rule(u, reg, RULE_VAL_OFFSET, take_sleb(&p->b) * align);
		return 1;
	case CFA_RESTORE_EXTENDED:
		restore_rule(u, reg);
		return 1;
	case CFA_UNDEFINED:
		set_rule(u, reg, RULE_UNDEFINED, 0);
		return 1;
	case CFA_SAME_VALUE:
		set_rule(u, reg, RULE_SAME, 0);
		return 1;
	case CFA_REGISTER:
		set_rule(u, reg, RULE_REGISTER, SP_MIN(take_uleb(&p->b), SP_FRAME_REGS));
		return 1;
	case CFA_EXPRESSION:
		set_rule(u, reg, RULE_EXPRESSION, take_block(p));
		return 1;
	case CFA_VAL_EXPRESSION:
		set_rule(u, reg, RULE_VAL_EXPRESSION, take_block(p));
		return 1;
	default:
		return 0;
	}
}

/* Moves on by @units of code; false: the row for the place is complete. */
static sp_bool advance(struct program *p, sp_u64 units)
{
	p->loc += units * p->e->code_align;
	return p->loc <= p->pc;
}

/* One instruction; false: the row is complete. */
static sp_bool instruction(struct sp_unwinder *u, struct program *p)
{
	unsigned op = take_u8(&p->b), low = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		return advance(p, low);
	case CFA_OFFSET:
		set_rule(u, low, RULE_OFFSET, take_uleb(&p->b) * p->e->data_align);
		return 1;
	case CFA_RESTORE:
		restore_rule(u, low);
		return 1;
	}
	switch (op) {
	case CFA_NOP:
		return 1;
	case CFA_SET_LOC:
		p->loc = take_pointer(&p->b, p->e->encoding, 0) + p->e->bias;
		return p->loc <= p->pc;
	case CFA_ADVANCE1:
		return advance(p, take_u8(&p->b));
	case CFA_ADVANCE2:
		return advance(p, take_word(&p->b, 2));
	case CFA_ADVANCE4:
		return advance(p, take_word(&p->b, 4));
	case CFA_REMEMBER:
		keep_row(u, p);
		return 1;
	case CFA_RECALL:
		recall_row(u, p);
		return 1;
	case CFA_GNU_ARGS_SIZE:
		take_uleb(&p->b);
		return 1;
	case CFA_AARCH64_NEGATE_RA_STATE:
		u->row.ra_is_signed ^= 1;
		p->b.bad |= !u->abi->has_ra_state;
		return 1;
	}
	if (!cfa_instruction(u, p, op) && !register_instruction(u, p, op))
		p->b.bad = 1;
	return 1;
}

static sp_bool run_program(struct sp_unwinder *u, struct program *p, sp_uaddr at, sp_uaddr end)
{
	bytes_start(&p->b, u->c, p->e->copy, at, end);
	while (p->b.at < p->b.end && !p->b.bad)
		if (!instruction(u, p))
			break;
	return !p->b.bad;
}

/* The row for @pc into u->row. */
static sp_bool row_make(struct sp_unwinder *u, const struct frame_entry *e, sp_uaddr pc)
{
	struct program p;

	sp_zero(&u->row, sizeof(u->row));
	u->nkept = 0;
	p.e = e;
	p.loc = e->start;
	p.pc = pc;
	p.base = e->common;
	if (!run_program(u, &p, e->common, e->common_end))
		return 0;
	sp_copy(&u->first, &u->row, sizeof(u->row));
	return run_program(u, &p, e->program, e->program_end);
}

/* ---- expressions: DWARF4 2.5, without what frames never have ------------------------------------------------ */

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST8S = 0x0f, OP_CONSTU = 0x10, OP_CONSTS = 0x11,
	OP_DUP = 0x12, OP_DROP = 0x13, OP_OVER = 0x14, OP_PICK = 0x15, OP_SWAP = 0x16, OP_ROT = 0x17, OP_ABS = 0x19,
	OP_AND = 0x1a, OP_DIV = 0x1b, OP_MINUS = 0x1c, OP_MOD = 0x1d, OP_MUL = 0x1e, OP_NEG = 0x1f, OP_NOT = 0x20,
	OP_OR = 0x21, OP_PLUS = 0x22, OP_PLUS_UCONST = 0x23, OP_SHL = 0x24, OP_SHR = 0x25, OP_SHRA = 0x26, OP_XOR = 0x27,
	OP_BRA = 0x28, OP_EQ = 0x29, OP_GE = 0x2a, OP_GT = 0x2b, OP_LE = 0x2c, OP_LT = 0x2d, OP_NE = 0x2e, OP_SKIP = 0x2f,
	OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_BREG0 = 0x70, OP_BREG31 = 0x8f, OP_BREGX = 0x92, OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct expression {
	struct sp_unwinder *u;
	const struct sp_frame *f;
	struct bytes b;
	sp_uaddr start;
	sp_u32 n;			/* values on u->stack */
};

static void push(struct expression *x, sp_u64 v)
{
	if (x->n < sizeof(x->u->stack) / sizeof(x->u->stack[0]))
		x->u->stack[x->n++] = v;
	else
		x->b.bad = 1;
}

static sp_u64 pop(struct expression *x)
{
	if (!x->n) {
		x->b.bad = 1;
		return 0;
	}
	return x->u->stack[--x->n];
}

static sp_u64 frame_reg(struct expression *x, sp_u64 reg)
{
	if (reg >= SP_FRAME_REGS || !(x->f->known >> reg & 1)) {
		x->b.bad = 1;
		return 0;
	}
	return x->f->r[reg];
}

static void load(struct expression *x, unsigned size)
{
	sp_u64 v = 0;

	if (size > 8 || !sp_plat_read(x->u->c, &v, pop(x), size))
		x->b.bad = 1;
	push(x, v);
}

static void pick(struct expression *x, sp_u32 from_top)
{
	if (from_top >= x->n)
		x->b.bad = 1;
	else
		push(x, x->u->stack[x->n - 1 - from_top]);
}

/* Two operands; DIV and MOD by 0, and what is none of these, are mistakes. */
static void binary(struct expression *x, unsigned op)
{
	sp_u64 b = pop(x), a = pop(x);
	sp_i64 sa = a, sb = b;

	switch (op) {
	case OP_AND: push(x, a & b); break;
	case OP_OR: push(x, a | b); break;
	case OP_XOR: push(x, a ^ b); break;
	case OP_PLUS: push(x, a + b); break;
	case OP_MINUS: push(x, a - b); break;
	case OP_MUL: push(x, a * b); break;
	case OP_SHL: push(x, sp_dwarf_shl(a, b)); break;
	case OP_SHR: push(x, sp_dwarf_shr(a, b)); break;
	case OP_SHRA: push(x, sp_dwarf_sar(a, b)); break;
	case OP_EQ: push(x, a == b); break;
	case OP_NE: push(x, a != b); break;
	case OP_GE: push(x, sa >= sb); break;
	case OP_GT: push(x, sa > sb); break;
	case OP_LE: push(x, sa <= sb); break;
	case OP_LT: push(x, sa < sb); break;
	default: x->b.bad = 1;
	}
}

/* Constants and registers; false: @op is none. */
static sp_bool operand(struct expression *x, unsigned op)
{
	unsigned size;
	sp_u64 v;

	if (op >= OP_LIT0 && op <= OP_LIT31) {
		push(x, op - OP_LIT0);
	} else if (op >= OP_BREG0 && op <= OP_BREG31) {
		v = frame_reg(x, op - OP_BREG0);
		push(x, v + take_sleb(&x->b));
	} else if (op == OP_BREGX) {
		v = frame_reg(x, take_uleb(&x->b));
		push(x, v + take_sleb(&x->b));
	} else if (op >= OP_CONST1U && op <= OP_CONST8S) {
		size = 1u << (op - OP_CONST1U) / 2;
		v = take_word(&x->b, size);
		push(x, op & 1 ? (sp_u64)sp_sext(v, 8 * size) : v);
	} else if (op == OP_CONSTU) {
		push(x, take_uleb(&x->b));
	} else if (op == OP_CONSTS) {
		push(x, take_sleb(&x->b));
	} else {
		return 0;
	}
	return 1;
}

static void jump(struct expression *x, sp_i64 distance)
{
	sp_uaddr to = x->b.at + distance;

	if (to < x->start || to > x->b.end)
		x->b.bad = 1;
	else
		x->b.at = to;
}

static void swap(struct expression *x)
{
	sp_u64 b = pop(x), a = pop(x);

	push(x, b);
	push(x, a);
}

static void operator(struct expression *x, unsigned op)
{
	sp_i64 distance;

	switch (op) {
	case OP_NOP: break;
	case OP_DEREF: load(x, 8); break;
	case OP_DEREF_SIZE: load(x, take_u8(&x->b)); break;
	case OP_DUP: pick(x, 0); break;
	case OP_OVER: pick(x, 1); break;
	case OP_PICK: pick(x, take_u8(&x->b)); break;
	case OP_DROP: pop(x); break;
	case OP_SWAP: swap(x); break;
	case OP_NEG: push(x, -pop(x)); break;
	case OP_NOT: push(x, ~pop(x)); break;
	case OP_ABS: push(x, sp_dwarf_abs(pop(x))); break;
	case OP_PLUS_UCONST: push(x, pop(x) + take_uleb(&x->b)); break;
	case OP_SKIP: jump(x, sp_sext(take_word(&x->b, 2), 16)); break;
	case OP_BRA:
		distance = sp_sext(take_word(&x->b, 2), 16);
		if (pop(x))
			jump(x, distance);
		break;
	default: binary(x, op);
	}
}

/* The value of the expression whose length and bytes are at @at; @first: what is on the stack before. */
static sp_bool evaluate(struct sp_unwinder *u, const struct sp_frame *f, const struct sp_symbols *copy, sp_uaddr at,
			sp_u64 *value, const sp_u64 *first)
{
	struct expression x;
	sp_u32 ops = 0;
	sp_u64 n;

	x.u = u;
	x.f = f;
	x.n = 0;
	bytes_start(&x.b, u->c, copy, at, at + ENTRY_MAX);
	n = take_uleb(&x.b);
	if (n > x.b.end - x.b.at)
		return 0;
	x.start = x.b.at;
	x.b.end = x.b.at + n;
	if (first)
		push(&x, *first);
	while (!x.b.bad && x.b.at < x.b.end && ops++ < OPS_MAX) {
		unsigned op = take_u8(&x.b);

		if (!operand(&x, op))
			operator(&x, op);
	}
	*value = pop(&x);
	return !x.b.bad && x.b.at == x.b.end;
}

/* ---- a step -------------------------------------------------------------------------------------------------- */

static sp_bool find_cfa(struct sp_unwinder *u, const struct sp_frame *f, const struct frame_entry *e, sp_u64 *cfa)
{
	const struct sp_row *row = &u->row;

	if (row->cfa_is_expression)
		return evaluate(u, f, e->copy, e->common + row->cfa_offset, cfa, 0);
	if (row->cfa_reg >= SP_FRAME_REGS || !(f->known >> row->cfa_reg & 1))
		return 0;
	*cfa = f->r[row->cfa_reg] + row->cfa_offset;
	return 1;
}

static void set_reg(struct sp_frame *f, unsigned reg, sp_u64 v)
{
	f->r[reg] = v;
	f->known |= 1ULL << reg;
}

/* Register @reg of the caller; false where memory that it should be in is not there. */
static sp_bool recover(struct sp_unwinder *u, const struct sp_frame *f, const struct frame_entry *e, unsigned reg,
		       sp_u64 cfa)
{
	struct sp_frame *next = &u->next;
	sp_i64 value = u->row.value[reg];
	sp_u64 v = 0;

	switch (u->row.kind[reg]) {
	case RULE_SAME:
		if (f->known >> reg & 1)
			set_reg(next, reg, f->r[reg]);
		return 1;
	case RULE_OFFSET:
		if (!sp_plat_read(u->c, &v, cfa + value, 8))
			return 0;
		break;
	case RULE_VAL_OFFSET:
		v = cfa + value;
		break;
	case RULE_REGISTER:
		if (value >= SP_FRAME_REGS || !(f->known >> value & 1))
			return 1;
		v = f->r[value];
		break;
	case RULE_EXPRESSION:
		if (!evaluate(u, f, e->copy, e->common + value, &v, &cfa) || !sp_plat_read(u->c, &v, v, 8))
			return 0;
		break;
	case RULE_VAL_EXPRESSION:
		if (!evaluate(u, f, e->copy, e->common + value, &v, &cfa))
			return 0;
		break;
	default:
		return 1;		/* not to be known */
	}
	set_reg(next, reg, v);
	return 1;
}

/* Makes u->next the frame, unless it makes no sense: a stack is left upwards, and each step gets somewhere. */
static enum sp_unwound arrive(struct sp_unwinder *u, struct sp_frame *f, sp_bool is_signal)
{
	unsigned sp = u->abi->sp;
	struct sp_frame *next = &u->next;

	if (!next->pc)
		return SP_UNWOUND_END;
	if (!is_signal && f->known >> sp & 1 &&
	    (next->r[sp] < f->r[sp] || (next->r[sp] == f->r[sp] && next->pc == f->pc)))
		return SP_UNWOUND_BROKEN;
	next->is_call = !is_signal;
	sp_copy(f, next, sizeof(*f));
	return SP_UNWOUND;
}

enum sp_unwound sp_unwind_step(struct sp_unwinder *u, const struct sp_frame_table *t, struct sp_frame *f)
{
	sp_uaddr pc = f->pc - f->is_call, at;
	struct frame_entry e;
	sp_u64 cfa;
	unsigned i;

	at = t->copy ? entry_find_copied(t->copy, pc - t->bias) : entry_find(u->c, t, pc);
	if (!at || !entry_read(u->c, t, at, &e) || pc < e.start || pc >= e.end)
		return SP_UNWOUND_NO_ROW;
	if (e.ra >= SP_FRAME_REGS || !row_make(u, &e, pc))
		return SP_UNWOUND_BROKEN;
	if (u->row.kind[e.ra] == RULE_UNDEFINED)
		return SP_UNWOUND_END;
	if (!find_cfa(u, f, &e, &cfa))
		return SP_UNWOUND_BROKEN;
	u->next.known = 0;
	for (i = 0; i < u->abi->nregs; i++)
		if (!recover(u, f, &e, i, cfa))
			return SP_UNWOUND_BROKEN;
	if (u->row.kind[u->abi->sp] == RULE_SAME)
		set_reg(&u->next, u->abi->sp, cfa);
	if (!(u->next.known >> e.ra & 1) || !(u->next.known >> u->abi->sp & 1))
		return SP_UNWOUND_BROKEN;
	u->next.pc = u->next.r[e.ra];
	if (u->row.ra_is_signed)
		u->next.pc &= u->abi->ra_mask;
	return arrive(u, f, e.is_signal);
}

/* A C library without rows for the code that handlers return to: it is known by its bytes. */
enum sp_unwound sp_unwind_signal(struct sp_unwinder *u, struct sp_frame *f)
{
	const struct sp_unwind_abi *abi = u->abi;
	sp_u8 code[sizeof(abi->sigreturn)];
	sp_u64 sp = f->r[abi->sp], v;
	unsigned i;

	if (!(f->known >> abi->sp & 1) || !sp_plat_read(u->c, code, f->pc, abi->nsigreturn) ||
	    sp_compare(code, abi->sigreturn, abi->nsigreturn))
		return SP_UNWOUND_NO_ROW;
	u->next.known = 0;
	for (i = 0; i < abi->nregs; i++) {
		if (!abi->saved[i])
			continue;
		if (!sp_plat_read(u->c, &v, sp + abi->saved[i], 8))
			return SP_UNWOUND_BROKEN;
		set_reg(&u->next, i, v);
	}
	if (!sp_plat_read(u->c, &u->next.pc, sp + abi->saved_pc, 8))
		return SP_UNWOUND_BROKEN;
	return arrive(u, f, 1);
}

enum sp_unwound sp_unwind_by_fp(struct sp_unwinder *u, struct sp_frame *f)
{
	const struct sp_unwind_abi *abi = u->abi;
	sp_u64 known = 1ULL << abi->sp | 1ULL << abi->fp, fp = f->r[abi->fp], sp = f->r[abi->sp], saved[2];

	if ((f->known & known) != known || fp & 7 || fp < sp || fp - sp > FP_REACH || !sp_plat_read(u->c, saved, fp, 16))
		return SP_UNWOUND_END;
	u->next.known = 0;
	set_reg(&u->next, abi->fp, saved[0]);
	set_reg(&u->next, abi->sp, fp + 16);
	u->next.pc = saved[1] & abi->ra_mask;
	return arrive(u, f, 0);
}
