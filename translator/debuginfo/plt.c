/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plt.c - the entries of procedure linkage tables and the symbols they call (probes.md A.10).
 *
 * Each entry jumps through a slot of the global offset table; the relocation of that slot names the symbol.  Reading
 * the slot from the instruction serves .plt, .plt.sec (IBT) and .plt.got (-z now) of every linker alike.
 */
#include <errno.h>
#include <string.h>

#include "debuginfo/internal.h"

struct plt_search {
	struct object *obj;
	struct arena *arena;
	const char *pattern;
	struct ptr_map slots;		/* address of a GOT slot to the name of its symbol */
	struct vec found;
	struct vec all_names;
};

static void read_relocations(struct plt_search *s, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf *elf = s->obj->priv->elf;
	Elf_Scn *symscn = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *syms;
	GElf_Shdr symsh;
	GElf_Rela rela;

	if (!data || !symscn || !gelf_getshdr(symscn, &symsh) || symsh.sh_type != SHT_DYNSYM ||
	    !(syms = elf_getdata(symscn, NULL)))
		return;
	for (int i = 0; gelf_getrela(data, i, &rela); i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(syms, GELF_R_SYM(rela.r_info), &sym) || rela.r_offset == 0)
			continue;
		name = elf_strptr(elf, symsh.sh_link, sym.st_name);
		if (name && *name)
			ptr_map_put(&s->slots, s->arena, (const void *)(uintptr_t)rela.r_offset, (void *)name);
	}
}

/* Where the slot is that this entry jumps through; 0: it is no such entry.  `jmp *rel32(%rip)`, ff 25, after endbr64 or
 * a bnd prefix. */
static uint64_t slot_x86_64(const unsigned char *code, unsigned size, uint64_t addr)
{
	for (unsigned i = 0; i + 6 <= size && i <= 5; i++) {
		int32_t rel;

		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&rel, code + i + 2, sizeof(rel));
		return addr + i + 6 + rel;
	}
	return 0;
}

/* `adrp x16, page; ldr x17, [x16, #off]`, perhaps after `bti c`. */
static uint64_t slot_aarch64(const unsigned char *code, unsigned size, uint64_t addr)
{
	for (unsigned i = 0; i + 8 <= size && i <= 4; i += 4) {
		uint32_t adrp, ldr;
		int64_t page;

		memcpy(&adrp, code + i, sizeof(adrp));
		memcpy(&ldr, code + i + 4, sizeof(ldr));
		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		page = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 31;
		return ((addr + i) & ~0xfffULL) + page + (ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

static void read_entries(struct plt_search *s, const char *section, unsigned entry_size)
{
	uint64_t (*slot_of)(const unsigned char *, unsigned, uint64_t) =
		s->obj->machine == EM_X86_64 ? slot_x86_64 : slot_aarch64;
	struct section plt;

	if (!object_section(s->obj, section, &plt))
		return;
	for (uint64_t at = 0; at + entry_size <= plt.size; at += entry_size) {
		const unsigned char *code = object_bytes(s->obj, plt.link_addr + at, entry_size);
		uint64_t slot;
		const char *name;
		struct plt_entry *e;

		if (!code)
			break;		/* a damaged file's section may claim to be as large as memory */
		slot = slot_of(code, entry_size, plt.link_addr + at);
		name = slot ? ptr_map_get(&s->slots, (const void *)(uintptr_t)slot) : NULL;
		if (!name)
			continue;
		vec_push(&s->all_names, s->arena, (void *)name);
		if (!name_matches(s->pattern, name))
			continue;
		e = ARENA_NEW(s->arena, struct plt_entry);
		*e = (struct plt_entry) { name, plt.link_addr + at };
		vec_push(&s->found, s->arena, e);
	}
}

static uint64_t slot_in(struct object *obj, Elf_Scn *scn, const GElf_Shdr *sh, const char *symbol)
{
	unsigned wanted = obj->machine == EM_X86_64 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT;
	Elf *elf = obj->priv->elf;
	Elf_Scn *symscn = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *syms = symscn ? elf_getdata(symscn, NULL) : NULL;
	GElf_Shdr symsh;
	GElf_Rela rela;

	if (!data || !syms || !gelf_getshdr(symscn, &symsh) || symsh.sh_type != SHT_DYNSYM)
		return 0;
	for (int i = 0; gelf_getrela(data, i, &rela); i++) {
		GElf_Sym sym;
		const char *name = GELF_R_TYPE(rela.r_info) == wanted && gelf_getsym(syms, GELF_R_SYM(rela.r_info), &sym) ?
				   elf_strptr(elf, symsh.sh_link, sym.st_name) : NULL;

		if (name && strcmp(name, symbol) == 0)
			return rela.r_offset;
	}
	return 0;
}

uint64_t got_slot(struct object *obj, const char *symbol)
{
	Elf_Scn *scn = NULL;
	uint64_t slot = 0;
	GElf_Shdr sh;

	while (!slot && (scn = elf_nextscn(obj->priv->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA)
			slot = slot_in(obj, scn, &sh, symbol);
	return slot;
}

static int no_entry(struct plt_search *s, struct di_miss *miss)
{
	struct object *obj = s->obj;

	if (!s->all_names.n)
		miss_set(miss, -ENOENT, DI_NO_MATCH, arena_printf(s->arena, "no PLT entries in '%s': %s", obj->path,
			 obj->is_static ? "it is linked statically" : "its calls do not go by a procedure linkage table"));
	else
		miss_set(miss, -ENOENT, DI_NO_MATCH, arena_printf(s->arena, "no PLT entry '%s' in '%s'", s->pattern, obj->path));
	if (!miss)
		return -ENOENT;
	near_names(miss, "functions", s->pattern, (const char *const *)s->all_names.item, s->all_names.n);
	if (got_slot(obj, s->pattern))
		miss->hint = arena_printf(s->arena, "it calls '%s' through its global offset table, as -fno-plt makes it; "
					  "process(\"%s\").library(\"*\").function(\"%s\") probes the function itself",
					  s->pattern, obj->path, s->pattern);
	else if (s->all_names.n && !miss->nalt)
		miss->hint = arena_printf(s->arena, "plt(\"*\") with -l lists its %u %s", s->all_names.n,
					  s->all_names.n == 1 ? "entry" : "entries");
	return -ENOENT;
}

int find_plt(struct object *obj, const char *name_glob, struct arena *a, const struct plt_entry **out, unsigned *n,
	     struct di_miss *miss)
{
	struct plt_search s = { .obj = obj, .arena = a, .pattern = name_glob };
	struct plt_entry *list;
	Elf_Scn *scn = NULL;

	*out = NULL;
	*n = 0;
	if (obj->machine != EM_X86_64 && obj->machine != EM_AARCH64)
		return miss_set(miss, -ENOSYS, DI_UNSUPPORTED, ".plt is not supported on this architecture");
	while ((scn = elf_nextscn(obj->priv->elf, scn))) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA)
			read_relocations(&s, scn, &sh);
	}
	read_entries(&s, ".plt", 16);
	read_entries(&s, ".plt.sec", 16);
	read_entries(&s, ".plt.got", obj->machine == EM_X86_64 ? 8 : 16);
	list = ARENA_ARRAY(a, struct plt_entry, s.found.n + 1);
	for (unsigned i = 0; i < s.found.n; i++)
		list[i] = *(struct plt_entry *)s.found.item[i];
	*out = list;
	*n = s.found.n;
	if (*n)
		return 0;
	return no_entry(&s, miss);
}
