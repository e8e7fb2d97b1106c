/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame.c - call frame information: the canonical frame address at a pc, and the bounds of function parts.
 *
 * Bounds are read from the frame description entries themselves (the unwinder needs one for each contiguous part), which
 * survive strip and tell true sizes where symbols do not.  Start at frame_cfa() and fde_covering().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

static void find_cfi(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf_Addr bias = 0;

	if (p->cfi_tried)
		return;
	p->cfi_tried = true;
	if (object_dwarf(obj))
		p->debug_cfi = dwfl_module_dwarf_cfi(p->mod, &bias);
	p->eh_cfi = dwfl_module_eh_cfi(p->mod, &bias);
}

static struct loc_expr *cfa_from(struct object *obj, Dwarf_CFI *cfi, uint64_t pc, struct arena *a)
{
	struct loc_context c = { .obj = obj, .arena = a, .pc = pc };
	Dwarf_Frame *frame = NULL;
	struct place place;
	const char *why;
	Dwarf_Op *ops;
	size_t nops;
	bool found;

	if (!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
		return NULL;
	found = dwarf_frame_cfa(frame, &ops, &nops) == 0 && nops > 0 &&
		place_of_ops(&c, NULL, ops, nops, &place, &why) == 0 && place.kind == PLACE_MEMORY;
	free(frame);
	return found ? place.e : NULL;
}

struct loc_expr *frame_cfa(struct object *obj, uint64_t pc, struct arena *a)
{
	struct loc_expr *cfa;

	find_cfi(obj);
	cfa = cfa_from(obj, obj->priv->debug_cfi, pc, a);
	return cfa ? cfa : cfa_from(obj, obj->priv->eh_cfi, pc, a);
}

/* ---- the call chain ---- */

/* One frame of a call chain as expressions over the registers of the innermost one. */
struct frame {
	struct object *obj;
	struct arena *arena;
	uint64_t pc;			/* where its rules are looked up */
	struct frame *inner;		/* NULL: the innermost */
	struct loc_expr *cfa;		/* NULL: not known */
};

enum { X86_RSP = 7, X86_RA = 16, ARM64_LR = 30, ARM64_SP = 31 };

static unsigned stack_pointer(const struct object *obj)
{
	return obj->machine == EM_AARCH64 ? ARM64_SP : X86_RSP;
}

static unsigned return_address(const struct object *obj)
{
	return obj->machine == EM_AARCH64 ? ARM64_LR : X86_RA;
}

static struct loc_expr *register_in(struct frame *f, unsigned reg);

/* @e with each register taken as @f has it; NULL where one is not known. */
static struct loc_expr *in_frame(struct frame *f, const struct loc_expr *e)
{
	struct loc_expr *copy;

	if (e->kind == LOC_REG)
		return register_in(f, e->reg);
	copy = ARENA_NEW(f->arena, struct loc_expr);
	*copy = *e;
	if ((e->a && !(copy->a = in_frame(f, e->a))) || (e->b && !(copy->b = in_frame(f, e->b))) ||
	    (e->c && !(copy->c = in_frame(f, e->c))))
		return NULL;
	return copy;
}

/* What @reg held in the frame that called @f. */
static struct loc_expr *callers_register(struct frame *f, unsigned reg)
{
	struct loc_context c = { .obj = f->obj, .arena = f->arena, .pc = f->pc };
	Dwarf_CFI *cfi[] = { f->obj->priv->debug_cfi, f->obj->priv->eh_cfi };
	struct loc_expr *value = NULL;

	if (reg == stack_pointer(f->obj))
		return f->cfa;
	for (unsigned i = 0; i < 2 && !value; i++) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Op mem[3], *ops;
		struct place place;
		const char *why;
		size_t nops;

		if (!cfi[i] || dwarf_cfi_addrframe(cfi[i], f->pc, &frame) != 0)
			continue;
		if (dwarf_frame_register(frame, (int)reg, mem, &ops, &nops) == 0) {
			if (!nops)	/* no rule, or an undefined register: then ops are there */
				value = ops ? NULL : loc_reg(f->arena, reg);
			else if (place_of_ops(&c, NULL, ops, nops, &place, &why) == 0)
				value = place_read(f->arena, &place, 0, 8);
		}
		free(frame);
	}
	return value ? in_frame(f, value) : NULL;
}

static struct loc_expr *register_in(struct frame *f, unsigned reg)
{
	return f->inner ? callers_register(f->inner, reg) : loc_reg(f->arena, reg);
}

struct loc_expr *frame_called_from(struct object *obj, uint64_t pc, const uint64_t *ret, unsigned n, struct arena *a)
{
	struct loc_expr *equal[MAX_CALL_LEVELS], *all = loc_const(a, 1);
	struct frame frames[MAX_CALL_LEVELS];

	find_cfi(obj);
	if (n > MAX_CALL_LEVELS)
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		const struct loc_expr *cfa;
		struct loc_expr *back;

		/* A call may be a function's last instruction: its rules are those before the return address. */
		frames[i] = (struct frame){ obj, a, i ? ret[i - 1] - 1 : pc, i ? &frames[i - 1] : NULL, NULL };
		cfa = frame_cfa(obj, frames[i].pc, a);
		frames[i].cfa = cfa ? in_frame(&frames[i], cfa) : NULL;
		back = frames[i].cfa ? callers_register(&frames[i], return_address(obj)) : NULL;
		if (!back)
			return NULL;
		equal[i] = loc_binary(a, LOC_OP_EQ, back, loc_address(a, obj, ret[i]));
	}
	while (n--)
		all = loc_select(a, equal[n], all, loc_const(a, 0));
	return all;
}

/* ---- bounds ---- */

/* A frame section being read: bytes, where they lie in memory, and what the last CIE said of its FDEs' pointers. */
struct frame_section {
	const unsigned char *ident;
	Elf_Data *data;
	uint64_t link_addr;
	bool is_eh;
	Dwarf_Off cie;			/* offset the encoding below was read from */
	bool cie_known;
	unsigned encoding;
};

static unsigned encoded_size(const struct frame_section *s, unsigned encoding)
{
	switch (encoding & 7) {
	case DW_EH_PE_absptr: return s->ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	case DW_EH_PE_udata2: return 2;
	case DW_EH_PE_udata4: return 4;
	case DW_EH_PE_udata8: return 8;
	default: return 0;		/* LEB128: never used for code pointers */
	}
}

static uint64_t get_bytes(const unsigned char *at, unsigned size, bool big_endian, bool is_signed)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v = v << 8 | at[big_endian ? i : size - 1 - i];
	if (is_signed && size < 8 && v >> (size * 8 - 1) & 1)
		v |= ~0ULL << (size * 8);
	return v;
}

/* The pointer encoding of the FDEs of a CIE: the byte that belongs to 'R' (LSB 5.0, "Exception Frames"). */
static unsigned cie_encoding(const struct frame_section *s, const Dwarf_CIE *cie)
{
	const unsigned char *at = cie->augmentation_data, *end = at + cie->augmentation_data_size;

	if (!cie->augmentation || cie->augmentation[0] != 'z' || !at)
		return DW_EH_PE_absptr;
	for (const char *c = cie->augmentation + 1; *c && at < end; c++) {
		if (*c == 'R')
			return *at;
		if (*c == 'P')
			at += 1 + encoded_size(s, *at);
		else if (*c == 'L')
			at++;
	}
	return DW_EH_PE_absptr;
}

static bool read_fde(struct frame_section *s, const Dwarf_FDE *fde, struct addr_range *out)
{
	const unsigned char *at = fde->start, *base = s->data->d_buf;
	bool big_endian = s->ident[EI_DATA] == ELFDATA2MSB;
	unsigned size;
	uint64_t lo, len;

	if (!s->cie_known || s->cie != fde->CIE_pointer) {
		Dwarf_CFI_Entry entry;
		Dwarf_Off next;

		if (dwarf_next_cfi(s->ident, s->data, s->is_eh, fde->CIE_pointer, &next, &entry) != 0 ||
		    !dwarf_cfi_cie_p(&entry))
			return false;
		s->encoding = s->is_eh ? cie_encoding(s, &entry.cie) : DW_EH_PE_absptr;
		s->cie = fde->CIE_pointer;
		s->cie_known = true;
	}
	size = encoded_size(s, s->encoding);
	if (size == 0 || (size_t)(fde->end - at) < 2 * size)
		return false;
	lo = get_bytes(at, size, big_endian, s->encoding & DW_EH_PE_signed);
	len = get_bytes(at + size, size, big_endian, false);
	if ((s->encoding & 0x70) == DW_EH_PE_pcrel)
		lo += s->link_addr + (at - base);
	else if ((s->encoding & 0x70) != 0)
		return false;
	*out = (struct addr_range) { lo, lo + len };
	return lo != 0 && len != 0 && lo + len > lo;
}

static void read_frame_section(struct object *obj, struct frame_section *s, struct vec *found)
{
	Dwarf_Off off = 0, next;
	Dwarf_CFI_Entry entry;

	while (dwarf_next_cfi(s->ident, s->data, s->is_eh, off, &next, &entry) == 0) {
		struct addr_range range;

		if (!dwarf_cfi_cie_p(&entry) && read_fde(s, &entry.fde, &range)) {
			struct addr_range *kept = ARENA_NEW(obj->priv->arena, struct addr_range);

			*kept = range;
			vec_push(found, obj->priv->arena, kept);
		}
		if (next == (Dwarf_Off)-1 || next <= off)
			break;
		off = next;
	}
}

static void read_frame_sections_of(struct object *obj, Elf *elf, struct vec *found)
{
	Elf_Scn *scn = NULL;
	size_t shstrndx;

	if (!elf || elf_getshdrstrndx(elf, &shstrndx) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		struct frame_section s = { .ident = (const unsigned char *)elf_getident(elf, NULL) };
		const char *name;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS || sh.sh_flags & SHF_COMPRESSED)
			continue;
		name = elf_strptr(elf, shstrndx, sh.sh_name);
		if (!name || (strcmp(name, ".eh_frame") != 0 && strcmp(name, ".debug_frame") != 0))
			continue;
		s.data = elf_getdata(scn, NULL);
		s.link_addr = sh.sh_addr;
		s.is_eh = strcmp(name, ".eh_frame") == 0;
		if (s.ident && s.data && s.data->d_buf)
			read_frame_section(obj, &s, found);
	}
}

static int range_order(const void *x, const void *y)
{
	const struct addr_range *a = x, *b = y;

	return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static const struct fde_list *fdes(struct object *obj)
{
	struct object_priv *p = obj->priv;
	struct vec found = { 0 };

	if (p->fdes_tried)
		return &p->fdes;
	p->fdes_tried = true;
	read_frame_sections_of(obj, p->elf, &found);
	if (object_dwarf(obj) && dwarf_getelf(p->dwarf) != p->elf)
		read_frame_sections_of(obj, dwarf_getelf(p->dwarf), &found);
	p->fdes.range = ARENA_ARRAY(p->arena, struct addr_range, found.n + 1);
	p->fdes.n = found.n;
	for (unsigned i = 0; i < found.n; i++)
		p->fdes.range[i] = *(struct addr_range *)found.item[i];
	qsort(p->fdes.range, found.n, sizeof(struct addr_range), range_order);
	return &p->fdes;
}

bool fde_covering(struct object *obj, uint64_t link_addr, struct addr_range *out)
{
	const struct fde_list *list = fdes(obj);
	unsigned lo = 0, hi = list->n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (list->range[mid].lo <= link_addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || link_addr >= list->range[lo - 1].hi)
		return false;
	*out = list->range[lo - 1];
	return true;
}

/* ---- the parts of a function without DWARF ---- */

static bool symbol_range(struct object *obj, const struct symbol_info *sym, struct addr_range *out)
{
	struct addr_range fde;

	*out = (struct addr_range) { sym->link_addr, sym->link_addr + sym->size };
	if (fde_covering(obj, sym->link_addr, &fde) && (!sym->size || fde.hi > out->hi))
		out->hi = fde.hi;
	return out->hi > out->lo;
}

/* Length of the function's own name in that of one of its cold parts (gcc: NAME.cold, NAME.cold.3), else 0. */
static size_t cold_stem(const char *name)
{
	const char *dot = strstr(name, ".cold");

	return dot && (dot[5] == 0 || dot[5] == '.') ? (size_t)(dot - name) : 0;
}

/* The one function symbol that is @stem, or a cold part of it.  Two static functions of one name: neither. */
static const struct symbol_info *sole_part(struct object *obj, const char *stem, size_t len, bool cold)
{
	unsigned n;
	const struct symbol_info *sym = object_symbols(obj, &n), *found = NULL;

	for (unsigned i = 0; i < n; i++) {
		size_t own = cold ? cold_stem(sym[i].name) : strlen(sym[i].name);

		if (own != len || memcmp(sym[i].name, stem, len) != 0 || (!cold && !sym[i].is_function))
			continue;
		if (found && found->link_addr != sym[i].link_addr)
			return NULL;
		found = &sym[i];
	}
	return found;
}

static unsigned symbol_ranges(struct object *obj, const struct symbol_info *sym, struct addr_range *out)
{
	size_t stem = cold_stem(sym->name);
	const struct symbol_info *other;
	unsigned n = 0;

	if (stem) {
		other = sole_part(obj, sym->name, stem, false);
		if (other)
			n += symbol_range(obj, other, &out[n]);
		n += symbol_range(obj, sym, &out[n]);
	} else {
		n += symbol_range(obj, sym, &out[n]);
		other = sole_part(obj, sym->name, strlen(sym->name), true);
		if (other)
			n += symbol_range(obj, other, &out[n]);
	}
	return n;
}

int object_function_ranges(struct object *obj, uint64_t link_addr, struct arena *a,
			   const struct addr_range **ranges, unsigned *n)
{
	const struct func_entry *e = innermost_function(obj, link_addr, false);
	struct addr_range *out;
	struct symbol_info sym;

	*n = 0;
	if (e) {
		Dwarf_Die die = e->die;

		*n = die_ranges(&die, a, &out);
	} else if (object_symbol_at(obj, link_addr, &sym) && sym.link_addr != 0) {
		out = ARENA_ARRAY(a, struct addr_range, 2);
		*n = symbol_ranges(obj, &sym, out);
	}
	if (*n == 0) {
		out = ARENA_NEW(a, struct addr_range);
		*n = fde_covering(obj, link_addr, out);
	}
	*ranges = out;
	return *n ? 0 : -ENOENT;
}
