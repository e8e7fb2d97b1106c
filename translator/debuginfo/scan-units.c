/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan-units.c - the sections and units that scan.c reads, from libdw. */
#include <string.h>

#include "debuginfo/scan.h"

/* Strings need no look for their end where the section ends in one. */
static void cut_behind_last_string(struct scan_bytes *b)
{
	while (b->size && b->at[b->size - 1])
		b->size--;
}

void scan_find_sections(struct scan_source *from, Dwarf *dw)
{
	const struct { const char *name; struct scan_bytes *to; } wanted[] = {
		{ "debug_info", &from->info }, { "debug_abbrev", &from->abbrev }, { "debug_str", &from->str },
		{ "debug_line_str", &from->line_str }, { "debug_str_offsets", &from->str_offsets },
		{ "debug_addr", &from->addr }, { "debug_line", &from->line },
	};
	Elf *elf = dwarf_getelf(dw);
	const unsigned char *ident = (const void *)elf_getident(elf, NULL);
	Elf_Scn *scn = NULL;
	bool named;
	size_t names;

	memset(from, 0, sizeof(*from));
	from->little_endian = ident && ident[EI_DATA] == ELFDATA2LSB;
	named = elf_getshdrstrndx(elf, &names) == 0;
	while (named && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		Elf_Data *data;

		/* ".debug_x", or ".zdebug_x", the older way to say that it was compressed; libdw has inflated both. */
		if (!name || *name++ != '.' || sh.sh_type == SHT_NOBITS || (sh.sh_flags & SHF_COMPRESSED))
			continue;
		name += *name == 'z';
		for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
			if (strcmp(name, wanted[i].name) == 0 && !wanted[i].to->at && (data = elf_getdata(scn, NULL)) &&
			    data->d_buf)
				*wanted[i].to = (struct scan_bytes){ data->d_buf, data->d_size };
	}
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!wanted[i].to->at)
			wanted[i].to->at = (const uint8_t *)"";	/* empty, not none: pointers are made from it */
	cut_behind_last_string(&from->str);
	cut_behind_last_string(&from->line_str);
}

/* An offset that units of DWARF 5 state, or where the section's only table begins (DWARF5 7.26, 7.27). */
static uint64_t base_of(Dwarf_Die *cu, unsigned name, const struct unit *u)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (dwarf_attr(cu, name, &attr) && dwarf_formudata(&attr, &word) == 0)
		return word;
	return u->offset_size == 8 ? 16 : 8;
}

static bool language_has_classes(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11: case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

/* Where the unit of @die, or the skeleton of that, lies (DWARF5 7.5.1).  False: libdw has it otherwise. */
static bool read_place(const struct scan_source *from, Dwarf_Die *die, struct unit *u)
{
	uint64_t first = (uintptr_t)die->addr - (uintptr_t)from->info.at, length = 0;
	const uint8_t *at = from->info.at;
	size_t left;

	if ((uintptr_t)die->addr < (uintptr_t)at || first >= from->info.size || first < dwarf_cuoffset(die))
		return false;
	u->first_die = first;
	u->start = first - dwarf_cuoffset(die);
	u->end = first;
	left = from->info.size - u->start;
	if (left < 12)
		return false;
	memcpy(&length, at + u->start, 4);
	left -= 4;
	if (length == UINT32_MAX) {
		memcpy(&length, at + u->start + 4, 8);
		left -= 8;
	}
	if (length > left)
		return false;
	u->end = from->info.size - left + length;
	return u->end > first;
}

static void list_unit(const struct scan_source *from, Dwarf_CU *cu, Dwarf_Die *code, struct unit *u)
{
	Dwarf_Addr base = 0, lo, hi;
	uint8_t addr_size, offset_size;
	Dwarf_Half version;
	Dwarf_Off abbrev_off;
	Dwarf_Die die;
	bool placed;

	memset(u, 0, sizeof(*u));
	if (!dwarf_cu_die(cu, &die, &version, &abbrev_off, &addr_size, &offset_size, NULL, NULL))
		return;
	placed = read_place(from, &die, u);
	u->raw = placed && from->little_endian && die.addr == code->addr && version >= 2 && version <= 5 &&
		 (addr_size == 4 || addr_size == 8);
	u->abbrev_off = abbrev_off;
	u->version = version;
	u->addr_size = addr_size;
	u->offset_size = offset_size;
	u->is_partial = dwarf_tag(code) == DW_TAG_partial_unit;
	u->has_classes = language_has_classes(code);
	u->str_offsets_base = base_of(&die, DW_AT_str_offsets_base, u);
	u->addr_base = base_of(&die, DW_AT_addr_base, u);
	/* DWARF 2 has no lists of ranges: code in a section of its own is left out. */
	u->says_where = version > 2 && dwarf_ranges(code, 0, &base, &lo, &hi) > 0;
}

void scan_list_units(struct scan_source *from, Dwarf *dw, struct arena *a)
{
	struct unit *all = NULL;
	unsigned n = 0, room = 0;
	Dwarf_CU *cu = NULL;
	Dwarf_Die code;

	for (; next_code_unit(dw, &cu, &code); n++) {
		if (n == room) {
			struct unit *more = ARENA_ARRAY(a, struct unit, room ? 2 * room : 64);

			if (room)
				memcpy(more, all, room * sizeof(*more));
			all = more;
			room = room ? 2 * room : 64;
		}
		list_unit(from, cu, &code, &all[n]);
	}
	from->unit = all;
	from->nunit = n;
}
