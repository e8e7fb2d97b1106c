/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.h - what units.c, walk.c and names.c share: the functions of an object by compile unit. */
#ifndef SPILE_UNITS_H
#define SPILE_UNITS_H

#include "debuginfo/scan.h"

/* The functions of one unit, once something asked for them. */
struct unit_functions {
	bool known;
	const struct scan_entry *raw;	/* as the scan found them; NULL where libdw walked the unit */
	struct func_entry **entry;	/* by index; of raw ones, made when asked for, or &no_code */
	unsigned n;
	unsigned *by_addr;		/* indices of those that are no inlined copies, by entry_addr */
	unsigned nby_addr;
	bool by_addr_known;
	bool scopes_known;
	const struct scan_scope *scope;	/* by .off, for .libdw by DIE address */
	unsigned nscope;
};

/* Code of a unit. */
struct cover { uint64_t lo, hi; uint32_t unit; uint32_t pad; };

/* libdw's view of a unit, once asked for. */
struct unit_die {
	bool known;
	Dwarf_Die cu;			/* the split unit's; of a partial unit, of the one with its lines */
	Dwarf_CU *own;			/* what its DIEs belong to */
};

struct units {
	struct scan_source from;
	struct scan scan;
	struct unit_die *die;		/* by unit */
	struct unit_functions *of;	/* by unit */
	const struct cover *cover;	/* sorted by .lo */
	unsigned ncover;
	uint64_t longest_cover;
	bool cover_known;
	struct name_index *index;	/* NULL: the object is small, or cannot be indexed */
	bool index_tried;
};

/* walk.c: the functions of a unit by way of libdw, for units that the scan does not read. */
void walk_unit(Dwarf_Die *cu, bool has_classes, struct arena *a, struct unit_functions *out);

/* units.c: the DIE of unit @i. */
struct unit_die *units_die(struct object *obj, unsigned i);
/* The code ranges of all units, sorted. */
const struct cover *units_cover(struct object *obj, struct arena *a, unsigned *n);

#endif
