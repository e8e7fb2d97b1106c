/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan.h - the functions of one compile unit, read straight from .debug_info.
 *
 * libdw takes some hundred nanoseconds for each entry it steps over, and a large program has tens of millions of
 * them; this scan takes a tenth of that.  It knows tags, nesting, names and entry addresses and leaves everything
 * else to libdw; so it does with what it does not understand: an entry then says `ask', or the whole unit is
 * refused. One struct scan serves one thread.  Start at scan_open() and scan_unit().
 */
#ifndef SPILE_SCAN_H
#define SPILE_SCAN_H

#include "debuginfo/internal.h"

/* A compile or partial unit.  Plain data: the index keeps it. */
struct unit {
	uint64_t start, end;		/* offsets in .debug_info; of a skeleton, the split unit being elsewhere */
	uint64_t first_die;
	uint64_t abbrev_off, str_offsets_base, addr_base;
	uint8_t version, offset_size, addr_size;
	bool raw;			/* lies in .debug_info, in a format the scan knows */
	bool is_partial;
	bool has_classes;		/* in this language functions may sit in types */
	bool says_where;		/* its code: in ranges of its own */
	uint8_t pad;
};

/* A function with code, or one inlined copy of one. */
struct scan_entry {
	uint64_t off;			/* of the DIE in .debug_info */
	uint64_t addr;			/* of the first instruction; 0: libdw has to be asked */
	const char *name, *linkage;	/* borrowed from the sections; NULL: has none */
	int32_t outer;			/* which entry encloses it; -1: none */
	bool is_inline;
	bool ask;			/* its names are somewhere the scan does not reach */
};

/* A function's entry that lies in namespaces or classes. */
struct scan_scope {
	uint64_t off;
	const struct scope_name *scope;
};

struct scan_bytes { const uint8_t *at; size_t size; };

struct abbrev_table;
struct name_memo;

/* What is read: sections as libdw has inflated them, and the units, in the order of .debug_info. */
struct scan_source {
	struct scan_bytes info, abbrev, str, line_str, str_offsets, addr, line;
	bool little_endian;
	const struct unit *unit;
	unsigned nunit;
};

struct scan {
	const struct scan_source *from;
	struct abbrev_table *tables;	/* the few used last */
	struct name_memo *memo;		/* names of the unit at hand by offset */
	/* What the last scan_unit() found. */
	struct scan_entry *entry;
	unsigned nentry, entry_room;
	/* Filled where .scope_arena is set, in order of .off; .scope_name tells what the scan cannot. */
	struct arena *scope_arena;
	const char *(*scope_name)(void *data, uint64_t off);
	void *scope_name_data;
	struct scan_scope *scope;
	unsigned nscope, scope_room;
};

/* Finds the sections of @dw; its units are still to be listed, or known from an index. */
void scan_find_sections(struct scan_source *from, Dwarf *dw);
void scan_list_units(struct scan_source *from, Dwarf *dw, struct arena *a);
/* @from must stay as it is until scan_close(). */
void scan_open(struct scan *s, const struct scan_source *from);
/* Reads unit @i.  False: it is not one for the scan, or damaged; libdw may know more. */
bool scan_unit(struct scan *s, unsigned i);
void scan_close(struct scan *s);

/* units.c: what the object's units are read from. */
const struct scan_source *units_source(struct object *obj);

#endif
