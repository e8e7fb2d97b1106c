/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tls.c - where a thread's copy of a variable is (ELF Handling For Thread-Local Storage; x86-64 has its variant II).
 *
 * The main program's block ends at the thread pointer.  Where a library's is the loader decides, at run time; the slots that
 * it fills in for the library's own code tell.  Start at tls_address().
 */
#include <string.h>

#include "debuginfo/internal.h"

enum { FS_BASE = 58 };		/* DWARF number of the thread pointer: x86-64 psABI figure 3.36 */

/* Both C libraries have the dtv, from module number to block, behind the thread block's pointer to itself. */
enum { DTV = 8 };
static const struct dtv { int entry, length; } dtvs[] = {	/* bytes of an entry, and where the highest number is */
	[false] = { 16, -16 },		/* glibc: the block, and what to free */
	[true] = { 8, 0 },		/* musl */
};

/* A word that the loader fills in. */
struct tls_slot {
	uint64_t addr;			/* 0: none */
	int64_t offset;			/* in the block, of what it is about (TPOFF64) */
};

bool object_tls_size(const struct object *obj, uint64_t *size)
{
	*size = obj->priv->tls_size;
	return *size != 0;
}

/* Of what is in this object: the symbol's offset in the block with the addend. */
static bool own_offset(Elf_Data *syms, const GElf_Rela *rela, int64_t *offset)
{
	GElf_Sym sym = { 0 };

	if (GELF_R_SYM(rela->r_info) &&
	    (!syms || !gelf_getsym(syms, GELF_R_SYM(rela->r_info), &sym) || sym.st_shndx == SHN_UNDEF))
		return false;
	*offset = (int64_t)sym.st_value + rela->r_addend;
	return true;
}

static struct tls_slot slot_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, unsigned type)
{
	Elf_Scn *symscn = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *syms = symscn ? elf_getdata(symscn, NULL) : NULL;
	GElf_Rela rela;

	for (int i = 0; data && gelf_getrela(data, i, &rela); i++) {
		struct tls_slot slot = { .addr = rela.r_offset };

		if (GELF_R_TYPE(rela.r_info) == type && own_offset(syms, &rela, &slot.offset))
			return slot;
	}
	return (struct tls_slot){ 0 };
}

static struct tls_slot find_slot(struct object *obj, unsigned type)
{
	Elf_Scn *scn = NULL;
	struct tls_slot slot = { 0 };
	GElf_Shdr sh;

	while (!slot.addr && (scn = elf_nextscn(obj->priv->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_flags & SHF_ALLOC)
			slot = slot_in(obj->priv->elf, scn, &sh, type);
	return slot;
}

/* The main program: libraries that can be run, as libc.so.6, have a name of their own. */
static bool is_program(const struct object *obj)
{
	return !obj->is_dyn || (!obj->soname && (obj->interpreter || obj->is_static));
}

/* The block of the module that the slot numbers; a small number where this thread has none yet. */
static struct loc_expr *block_of_module(struct arena *a, struct object *obj, uint64_t slot)
{
	const struct dtv *l = &dtvs[obj->priv->is_musl];
	struct loc_expr *module = loc_deref(a, loc_address(a, obj, slot), 8);
	struct loc_expr *dtv = loc_deref(a, loc_add(a, loc_reg(a, FS_BASE), DTV), 8);
	struct loc_expr *entry = loc_binary(a, LOC_OP_ADD, dtv, loc_binary(a, LOC_OP_MUL, module, loc_const(a, l->entry)));
	struct loc_expr *is_there = loc_binary(a, LOC_OP_SLE, module, loc_deref(a, loc_add(a, dtv, l->length), 8));

	return loc_select(a, is_there, loc_deref(a, entry, 8), loc_const(a, 0));
}

struct loc_expr *tls_address(struct object *obj, struct arena *a, struct loc_expr *offset, const char **why)
{
	struct loc_expr *pointer = loc_reg(a, FS_BASE);
	struct tls_slot slot;
	uint64_t size;

	if (obj->machine != EM_X86_64 || !object_tls_size(obj, &size)) {
		*why = obj->machine != EM_X86_64 ? "thread-local variables are not read on this machine" :
			"the file has no thread-local segment";
		return NULL;
	}
	if (is_program(obj))
		return loc_add(a, loc_binary(a, LOC_OP_ADD, pointer, offset), -(int64_t)size);
	slot = find_slot(obj, R_X86_64_TPOFF64);
	if (slot.addr)
		return loc_add(a, loc_binary(a, LOC_OP_ADD, loc_binary(a, LOC_OP_ADD, pointer,
			       loc_deref(a, loc_address(a, obj, slot.addr), 8)), offset), -slot.offset);
	slot = find_slot(obj, R_X86_64_DTPMOD64);
	if (slot.addr)
		return loc_binary(a, LOC_OP_ADD, block_of_module(a, obj, slot.addr), offset);
	*why = "nothing in the library tells where the loader puts its thread-local variables";
	return NULL;
}
