/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dies.c - small questions about debugging information entries; a damaged entry answers "no", never crashes. */
#include <string.h>

#include "debuginfo/internal.h"

enum { MAX_REF_CHAIN = 16 };		/* abstract_origin and specification chains are one or two long */

bool die_attr(Dwarf_Die *die, unsigned name, Dwarf_Attribute *attr)
{
	return dwarf_attr_integrate(die, name, attr) != NULL;
}

bool die_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool set = false;

	return die_attr(die, name, &attr) && dwarf_formflag(&attr, &set) == 0 && set;
}

bool die_is_declaration(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool set = false;

	return dwarf_attr(die, DW_AT_declaration, &attr) && dwarf_formflag(&attr, &set) == 0 && set;
}

static bool is_constant_form(unsigned form)
{
	switch (form) {
	case DW_FORM_data1: case DW_FORM_data2: case DW_FORM_data4: case DW_FORM_data8:
	case DW_FORM_sdata: case DW_FORM_udata: case DW_FORM_implicit_const:
		return true;
	default:
		return false;
	}
}

bool die_unsigned(Dwarf_Die *die, unsigned name, uint64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!die_attr(die, name, &attr) || !is_constant_form(dwarf_whatform(&attr)) ||
	    dwarf_formudata(&attr, &word) != 0)
		return false;
	*out = word;
	return true;
}

bool die_signed(Dwarf_Die *die, unsigned name, int64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Sword word;

	if (!die_attr(die, name, &attr) || !is_constant_form(dwarf_whatform(&attr)) ||
	    dwarf_formsdata(&attr, &word) != 0)
		return false;
	*out = word;
	return true;
}

/* A stub without a name stands for the type of a type unit. */
static void follow_signature(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die body;

	if (dwarf_attr(die, DW_AT_signature, &attr) && !dwarf_hasattr(die, DW_AT_name) && dwarf_formref_die(&attr, &body))
		*die = body;
}

bool die_ref(Dwarf_Die *die, unsigned name, Dwarf_Die *out)
{
	Dwarf_Attribute attr;

	if (!die_attr(die, name, &attr) || !dwarf_formref_die(&attr, out))
		return false;
	if (name == DW_AT_type)
		follow_signature(out);
	return true;
}

const char *die_string(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return die_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

const char *die_scope_name(Dwarf_Die *die)
{
	Dwarf_Die named = die_root(*die), body;
	const char *name = dwarf_diename(&named);

	if (!name && die_ref(&named, DW_AT_signature, &body))
		name = dwarf_diename(&body);
	return name ? name : "";
}

void die_function_names(Dwarf_Die *die, const char **name, const char **linkage)
{
	*name = die_string(die, DW_AT_name);
	*linkage = die_string(die, DW_AT_linkage_name);
	if (!*linkage)
		*linkage = die_string(die, DW_AT_MIPS_linkage_name);
	if (!*name)
		*name = *linkage ? *linkage : "";
}

Dwarf_Die die_root(Dwarf_Die die)
{
	for (int i = 0; i < MAX_REF_CHAIN; i++) {
		Dwarf_Attribute attr;
		Dwarf_Die next;

		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attr) && !dwarf_attr(&die, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &next))
			break;
		die = next;
	}
	return die;
}

bool die_covers(Dwarf_Die *die, uint64_t pc)
{
	return dwarf_haspc(die, pc) == 1;
}

bool die_entry(Dwarf_Die *die, uint64_t *entry)
{
	Dwarf_Addr addr = 0, base, start, end;

	if (dwarf_entrypc(die, &addr) != 0 && dwarf_ranges(die, 0, &base, &start, &end) > 0)
		addr = start;
	*entry = addr;
	return addr != 0;
}

unsigned die_ranges(Dwarf_Die *die, struct arena *a, struct addr_range **out)
{
	enum { MAX_RANGES = 100000 };
	Dwarf_Addr base = 0, start, end;
	ptrdiff_t off = 0;
	unsigned n = 0;
	uint64_t entry;

	/* Two passes: count, then fill. */
	while (n < MAX_RANGES && (off = dwarf_ranges(die, off, &base, &start, &end)) > 0)
		n++;
	*out = ARENA_ARRAY(a, struct addr_range, n + 1);
	base = off = n = 0;
	while (n < MAX_RANGES && (off = dwarf_ranges(die, off, &base, &start, &end)) > 0)
		if (start < end)
			(*out)[n++] = (struct addr_range) { start, end };
	if (!die_entry(die, &entry))
		return n;
	for (unsigned i = 1; i < n; i++) {
		struct addr_range r = (*out)[i];

		if (entry >= r.lo && entry < r.hi) {
			(*out)[i] = (*out)[0];
			(*out)[0] = r;
		}
	}
	return n;
}

const char *unit_path(Dwarf_Die *cu, const char *path, struct arena *a)
{
	const char *dir;

	if (!path || path[0] == '/')
		return path;
	dir = die_string(cu, DW_AT_comp_dir);
	if (!dir || dir[0] != '/')
		return path;		/* mapped by -ffile-prefix-map: relative to nothing one can name */
	if (strncmp(path, "./", 2) == 0)
		path += 2;
	return arena_printf(a, "%s/%s", dir, path);
}

/* The file by its number in the unit that names it.  (dwarf_decl_file() asserts on units without a file table.) */
const char *die_file_text(struct object *obj, Dwarf_Die *die, Dwarf_Die *cu)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (!die_attr(die, DW_AT_decl_file, &attr) || dwarf_formudata(&attr, &number) != 0 ||
	    dwarf_cu_info(attr.cu, NULL, NULL, cu, NULL, NULL, NULL, NULL) != 0)
		return NULL;
	return unit_file(obj, cu, number);
}

const char *die_decl_file(struct object *obj, Dwarf_Die *die, struct arena *a)
{
	Dwarf_Die cu;
	const char *file = die_file_text(obj, die, &cu);

	return file ? unit_path(&cu, file, a) : NULL;
}

unsigned die_decl_line(Dwarf_Die *die)
{
	int line = 0;

	return dwarf_decl_line(die, &line) == 0 && line > 0 ? line : 0;
}

/* The next unit whose tag is one of two. */
static bool next_tagged(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu, int tag, int other)
{
	Dwarf_Die sub;
	uint8_t type;

	while (dwarf_get_units(dw, *unit, unit, NULL, &type, cu, &sub) == 0) {
		if (type == DW_UT_skeleton && dwarf_tag(&sub) == DW_TAG_compile_unit) {
			*cu = sub;
			return true;
		}
		if (type != DW_UT_type && (dwarf_tag(cu) == tag || dwarf_tag(cu) == other))
			return true;
	}
	return false;
}

bool next_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu)
{
	return next_tagged(dw, unit, cu, DW_TAG_compile_unit, DW_TAG_compile_unit);
}

bool next_code_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu)
{
	return next_tagged(dw, unit, cu, DW_TAG_compile_unit, DW_TAG_partial_unit);
}

bool next_any_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu)
{
	Dwarf_Die sub;
	uint8_t type;

	if (dwarf_get_units(dw, *unit, unit, NULL, &type, cu, &sub) != 0)
		return false;
	if (type == DW_UT_skeleton && dwarf_tag(&sub) != 0 && dwarf_tag(&sub) != DW_TAG_invalid)
		*cu = sub;
	return true;
}
