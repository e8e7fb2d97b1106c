/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan.c - the functions of one compile unit, read straight from .debug_info (DWARF 2 to 5, sections 7.5).
 *
 * Every read is checked against the end of its section: files may be damaged.  Numbers are little-endian, as on all
 * machines whose programs are probed here; units of others are left to libdw.  Start at scan_unit().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/reader.h"
#include "debuginfo/scan.h"

enum {
	NESTING_MAX = 200,		/* of DIEs; deeper ones come from damaged files only */
	REFERENCES_MAX = 16,		/* from a copy to its origin to its declaration: two or three */
	TABLES = 8,			/* of abbreviations: units that refer to others need several */
	CODES_MAX = 1 << 20,
};

struct spec_attr {
	uint16_t name, form;
	int16_t size;			/* as form_size() */
	bool is_used;			/* take_attr() looks at it */
};

struct abbrev {
	uint32_t attrs;			/* first of them in .attr */
	uint16_t nattr;
	uint16_t tag;			/* 0: no such code */
	int32_t size;			/* of all attributes where that is fixed, else -1 */
	bool has_children;
	bool has_code;			/* states where code is */
};

struct abbrev_table {
	bool used, pinned;
	uint64_t off, last_use;
	unsigned addr_size, offset_size, version;
	struct abbrev *abbrev;		/* by code */
	unsigned nabbrev, room;
	struct spec_attr *attr;
	unsigned nattr, attr_room;
};

/* Names of DIEs that others refer to. */
struct name_memo {
	struct memo_slot {
		uint64_t off;		/* 0: free */
		const char *name, *linkage;
		bool ask;
	} *slot;
	unsigned n, room;
	uint64_t clock;			/* for the tables' last_use */
};

static void *grown(void *old, unsigned *room, unsigned want, size_t size)
{
	if (want <= *room)
		return old;
	*room = want < 2 * *room ? 2 * *room : want;
	if (*room < 64)
		*room = 64;
	old = realloc(old, *room * size);
	if (!old)
		abort();
	return old;
}

/* A string of a section, which ends in a 0, or NULL. */
static const char *string_in(const struct scan_bytes *b, uint64_t off)
{
	return off < b->size ? (const char *)b->at + off : NULL;
}

/* Bytes a form takes in a unit like @t's; -1: it differs from one to the next; -2: not known. */
static int form_size(const struct abbrev_table *t, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1: case DW_FORM_ref1: case DW_FORM_flag: case DW_FORM_strx1: case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2: case DW_FORM_ref2: case DW_FORM_strx2: case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3: case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4: case DW_FORM_ref4: case DW_FORM_strx4: case DW_FORM_addrx4: case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8: case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return t->addr_size;
	case DW_FORM_ref_addr:
		return t->version <= 2 ? t->addr_size : t->offset_size;
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset: case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt:
		return t->offset_size;
	case DW_FORM_string: case DW_FORM_block: case DW_FORM_block1: case DW_FORM_block2: case DW_FORM_block4:
	case DW_FORM_exprloc: case DW_FORM_sdata: case DW_FORM_udata: case DW_FORM_ref_udata: case DW_FORM_strx:
	case DW_FORM_addrx: case DW_FORM_loclistx: case DW_FORM_rnglistx: case DW_FORM_indirect:
	case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index:
		return -1;
	default:
		return -2;
	}
}

static void skip_form(struct reader *r, const struct abbrev_table *t, unsigned form)
{
	int size = form_size(t, form);

	if (size >= 0) {
		skip_bytes(r, size);
		return;
	}
	switch (form) {
	case DW_FORM_string:
		skip_string(r);
		break;
	case DW_FORM_block: case DW_FORM_exprloc:
		skip_bytes(r, get_uleb(r));
		break;
	case DW_FORM_block1:
		skip_bytes(r, get_fixed(r, 1));
		break;
	case DW_FORM_block2:
		skip_bytes(r, get_fixed(r, 2));
		break;
	case DW_FORM_block4:
		skip_bytes(r, get_fixed(r, 4));
		break;
	case DW_FORM_indirect:
		form = get_uleb(r);
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const || form_size(t, form) == -2)
			r->bad = true;
		else
			skip_form(r, t, form);
		break;
	default:
		get_uleb(r);
		break;
	}
}

/* ---------------------------------------------------------------------------------------------- abbreviations */

static bool is_used(uint64_t name)
{
	switch (name) {
	case DW_AT_name: case DW_AT_linkage_name: case DW_AT_MIPS_linkage_name: case DW_AT_abstract_origin:
	case DW_AT_specification: case DW_AT_sibling: case DW_AT_entry_pc: case DW_AT_low_pc: case DW_AT_ranges:
		return true;
	default:
		return false;
	}
}

static bool read_attrs(struct reader *r, struct abbrev_table *t, struct abbrev *ab)
{
	ab->attrs = t->nattr;
	for (;;) {
		uint64_t name = get_uleb(r), form = get_uleb(r);
		int size;

		if (r->bad || name > UINT16_MAX || form > UINT16_MAX)
			return false;
		if (!name && !form)
			return true;
		if (form == DW_FORM_implicit_const)
			get_uleb(r);
		size = form_size(t, form);
		if (size == -2 || ab->nattr == UINT16_MAX)
			return false;
		ab->size = size < 0 || ab->size < 0 ? -1 : ab->size + size;
		t->attr = grown(t->attr, &t->attr_room, t->nattr + 1, sizeof(*t->attr));
		t->attr[t->nattr++] = (struct spec_attr){ name, form, size, is_used(name) };
		ab->has_code |= name == DW_AT_entry_pc || name == DW_AT_low_pc || name == DW_AT_ranges;
		ab->nattr++;
	}
}

static bool read_table(const struct scan *s, struct abbrev_table *t)
{
	struct reader r = { s->from->abbrev.at, s->from->abbrev.at + s->from->abbrev.size, false };

	if (t->off >= s->from->abbrev.size)
		return false;
	r.at += t->off;
	t->nabbrev = t->nattr = 0;
	for (;;) {
		uint64_t code = get_uleb(&r), tag;
		struct abbrev ab = { 0 };

		if (r.bad)
			return false;
		if (!code)
			return true;
		tag = get_uleb(&r);
		ab.has_children = get_fixed(&r, 1);
		ab.tag = tag > UINT16_MAX ? UINT16_MAX : tag;
		if (code > CODES_MAX || !tag || !read_attrs(&r, t, &ab))
			return false;
		t->abbrev = grown(t->abbrev, &t->room, code + 1, sizeof(*t->abbrev));
		if (t->nabbrev <= code)
			memset(t->abbrev + t->nabbrev, 0, (code + 1 - t->nabbrev) * sizeof(*t->abbrev));
		t->nabbrev = t->nabbrev <= code ? code + 1 : t->nabbrev;
		if (!t->abbrev[code].tag)
			t->abbrev[code] = ab;
	}
}

/* The abbreviations of a unit, NULL where they are damaged or use forms of later versions. */
static struct abbrev_table *table_of(struct scan *s, const struct unit *u)
{
	struct abbrev_table *oldest = s->tables;

	for (int i = 0; i < TABLES; i++) {
		struct abbrev_table *t = &s->tables[i];

		if (t->used && t->off == u->abbrev_off && t->addr_size == u->addr_size &&
		    t->offset_size == u->offset_size && t->version == u->version) {
			t->last_use = ++s->memo->clock;
			return t;
		}
		if (oldest->pinned || (t->last_use < oldest->last_use && !t->pinned))
			oldest = t;
	}
	oldest->off = u->abbrev_off;
	oldest->addr_size = u->addr_size;
	oldest->offset_size = u->offset_size;
	oldest->version = u->version;
	oldest->last_use = ++s->memo->clock;
	oldest->used = read_table(s, oldest);
	return oldest->used ? oldest : NULL;
}

/* ---------------------------------------------------------------------------------------------- one DIE */

struct die {
	const char *name, *linkage;
	uint64_t origin;		/* what it is a copy or the definition of; 0: nothing */
	uint64_t addr;			/* 0: none, or unknown */
	uint64_t sibling;		/* 0: not said */
	bool has_code;			/* says where its code is, in whatever form */
	bool ask, ask_addr;
};

static const char *get_string(struct scan *s, const struct unit *u, struct reader *r, unsigned form, struct die *d)
{
	uint64_t index;
	struct reader at;

	switch (form) {
	case DW_FORM_string: {
		const char *text = (const char *)r->at;

		skip_string(r);
		return r->bad ? NULL : text;
	}
	case DW_FORM_strp:
		return string_in(&s->from->str, get_fixed(r, u->offset_size));
	case DW_FORM_line_strp:
		return string_in(&s->from->line_str, get_fixed(r, u->offset_size));
	case DW_FORM_strx:
		index = get_uleb(r);
		break;
	case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3:
		index = get_fixed(r, form - DW_FORM_strx1 + 1);
		break;
	case DW_FORM_strx4:
		index = get_fixed(r, 4);
		break;
	default:
		d->ask = true;
		return NULL;
	}
	at = (struct reader){ s->from->str_offsets.at, s->from->str_offsets.at + s->from->str_offsets.size, false };
	skip_bytes(&at, u->str_offsets_base);
	if (index > s->from->str_offsets.size)
		return NULL;
	skip_bytes(&at, index * u->offset_size);
	index = get_fixed(&at, u->offset_size);
	return at.bad ? NULL : string_in(&s->from->str, index);
}

static uint64_t get_address(struct scan *s, const struct unit *u, struct reader *r, unsigned form)
{
	struct reader at = { s->from->addr.at, s->from->addr.at + s->from->addr.size, false };
	uint64_t index;

	switch (form) {
	case DW_FORM_addr:
		return get_fixed(r, u->addr_size);
	case DW_FORM_addrx:
		index = get_uleb(r);
		break;
	case DW_FORM_addrx1: case DW_FORM_addrx2: case DW_FORM_addrx3:
		index = get_fixed(r, form - DW_FORM_addrx1 + 1);
		break;
	case DW_FORM_addrx4:
		index = get_fixed(r, 4);
		break;
	default:
		return 0;
	}
	if (index > s->from->addr.size)
		return 0;
	skip_bytes(&at, u->addr_base);
	skip_bytes(&at, index * u->addr_size);
	index = get_fixed(&at, u->addr_size);
	return at.bad ? 0 : index;
}

static uint64_t get_reference(const struct unit *u, struct reader *r, unsigned form, struct die *d)
{
	switch (form) {
	case DW_FORM_ref1: return u->start + get_fixed(r, 1);
	case DW_FORM_ref2: return u->start + get_fixed(r, 2);
	case DW_FORM_ref4: return u->start + get_fixed(r, 4);
	case DW_FORM_ref8: return u->start + get_fixed(r, 8);
	case DW_FORM_ref_udata: return u->start + get_uleb(r);
	case DW_FORM_ref_addr: return get_fixed(r, u->version <= 2 ? u->addr_size : u->offset_size);
	default:
		d->ask = true;
		return 0;
	}
}

/* Reads one attribute's value if it is of use; @r is left where it was if not. */
static void take_attr(struct scan *s, const struct unit *u, struct reader *r, const struct spec_attr *at, struct die *d)
{
	uint64_t value;

	switch (at->name) {
	case DW_AT_name:
		d->name = get_string(s, u, r, at->form, d);
		break;
	case DW_AT_linkage_name: case DW_AT_MIPS_linkage_name:
		d->linkage = get_string(s, u, r, at->form, d);
		break;
	case DW_AT_abstract_origin:
		d->origin = get_reference(u, r, at->form, d);
		break;
	case DW_AT_specification:
		value = get_reference(u, r, at->form, d);
		if (!d->origin)
			d->origin = value;
		break;
	case DW_AT_sibling:
		d->sibling = get_reference(u, r, at->form, d);
		break;
	case DW_AT_entry_pc:
		d->has_code = true;
		value = get_address(s, u, r, at->form);
		if (value)
			d->addr = value;
		else
			d->ask_addr = true;
		break;
	case DW_AT_low_pc:
		d->has_code = true;
		value = get_address(s, u, r, at->form);
		if (!d->addr)
			d->addr = value;
		break;
	case DW_AT_ranges:
		d->has_code = true;
		break;
	default:
		break;
	}
}

static void skip_attr(struct reader *r, const struct abbrev_table *t, const struct spec_attr *at)
{
	if (at->size >= 0 && at->size <= r->end - r->at)
		r->at += at->size;
	else
		skip_form(r, t, at->form);
}

static void read_die(struct scan *s, const struct unit *u, const struct abbrev_table *t, const struct abbrev *ab,
		     struct reader *r, struct die *d)
{
	memset(d, 0, sizeof(*d));
	for (unsigned i = 0; i < ab->nattr && !r->bad; i++) {
		const struct spec_attr *at = &t->attr[ab->attrs + i];

		if (at->is_used) {
			struct reader own = *r;

			take_attr(s, u, &own, at, d);
		}
		skip_attr(r, t, at);
	}
}

/* Only where the next one at this level begins; 0: not said. */
static uint64_t read_sibling(const struct unit *u, const struct abbrev_table *t, const struct abbrev *ab,
			     struct reader *r)
{
	uint64_t sibling = 0;

	if (ab->size >= 0 && !ab->has_children) {
		skip_bytes(r, ab->size);
		return 0;
	}
	for (unsigned i = 0; i < ab->nattr && !r->bad; i++) {
		const struct spec_attr *at = &t->attr[ab->attrs + i];

		if (at->name == DW_AT_sibling && ab->has_children) {
			struct reader own = *r;
			struct die d;

			sibling = get_reference(u, &own, at->form, &d);
		}
		skip_attr(r, t, at);
	}
	return sibling;
}

static const struct abbrev *get_abbrev(const struct abbrev_table *t, uint64_t code)
{
	return code < t->nabbrev && t->abbrev[code].tag ? &t->abbrev[code] : NULL;
}

/* ---------------------------------------------------------------------------------------------- names */

static struct memo_slot *memo_find(struct name_memo *m, uint64_t off)
{
	unsigned at = (off * 0x9e3779b97f4a7c15u >> 32) & (m->room - 1);

	while (m->slot[at].off && m->slot[at].off != off)
		at = (at + 1) & (m->room - 1);
	return &m->slot[at];
}

static void memo_reset(struct name_memo *m)
{
	if (!m->room) {
		m->room = 1024;
		m->slot = calloc(m->room, sizeof(*m->slot));
		if (!m->slot)
			abort();
	} else if (m->n) {
		memset(m->slot, 0, m->room * sizeof(*m->slot));
	}
	m->n = 0;
}

static void memo_put(struct name_memo *m, const struct memo_slot *what)
{
	if (2 * ++m->n > m->room) {
		struct name_memo old = *m;

		m->room *= 2;
		m->slot = calloc(m->room, sizeof(*m->slot));
		if (!m->slot)
			abort();
		for (unsigned i = 0; i < old.room; i++)
			if (old.slot[i].off)
				*memo_find(m, old.slot[i].off) = old.slot[i];
		free(old.slot);
	}
	*memo_find(m, what->off) = *what;
}

static const struct unit *unit_holding(const struct scan *s, const struct unit *near, uint64_t off)
{
	unsigned lo = 0, hi = s->from->nunit;

	if (off >= near->first_die && off < near->end)
		return near;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (s->from->unit[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo && !s->from->unit[lo - 1].raw)
		lo--;
	if (!lo || off < s->from->unit[lo - 1].first_die || off >= s->from->unit[lo - 1].end)
		return NULL;
	return &s->from->unit[lo - 1];
}

/* The names of the DIE at @off, its own ones or those of what it refers to. */
static struct memo_slot names_at(struct scan *s, const struct unit *near, uint64_t off, int depth)
{
	const struct unit *u = unit_holding(s, near, off);
	struct memo_slot found = { .off = off, .ask = true };
	const struct abbrev_table *t;
	const struct abbrev *ab;
	struct reader r;
	struct die d;

	if (memo_find(s->memo, off)->off)
		return *memo_find(s->memo, off);
	if (!u || depth > REFERENCES_MAX)
		return found;
	t = table_of(s, u);
	if (!t)
		return found;
	r = (struct reader){ s->from->info.at + off, s->from->info.at + u->end, false };
	ab = get_abbrev(t, get_uleb(&r));
	if (!ab)
		return found;
	read_die(s, u, t, ab, &r, &d);
	found = (struct memo_slot){ off, d.name, d.linkage, d.ask || r.bad };
	if (d.origin && d.origin != off && (!d.name || !d.linkage)) {
		struct memo_slot up = names_at(s, u, d.origin, depth + 1);

		if (!found.name)
			found.name = up.name;
		if (!found.linkage)
			found.linkage = up.linkage;
		found.ask |= up.ask;
	}
	memo_put(s->memo, &found);
	return found;
}

/* ---------------------------------------------------------------------------------------------- the walk */

/* What encloses the DIEs of one level. */
struct level {
	int32_t outer;
	const struct scope_name *scope;
	bool skip;			/* nothing in here is wanted, but no sibling said where it ends */
};

static int32_t add_entry(struct scan *s, const struct unit *u, uint64_t off, const struct die *d, int32_t outer,
			 bool is_inline)
{
	struct scan_entry *e;

	s->entry = grown(s->entry, &s->entry_room, s->nentry + 1, sizeof(*s->entry));
	e = &s->entry[s->nentry];
	*e = (struct scan_entry){ off, d->ask_addr ? 0 : d->addr, d->name, d->linkage, outer, is_inline, d->ask };
	if (d->origin && (!d->name || !d->linkage)) {
		struct memo_slot up = names_at(s, u, d->origin, 0);

		if (!e->name)
			e->name = up.name;
		if (!e->linkage)
			e->linkage = up.linkage;
		e->ask |= up.ask;
	}
	return s->nentry++;
}

static void note_scope(struct scan *s, uint64_t off, const struct scope_name *scope)
{
	if (!s->scope_arena || !scope)
		return;
	s->scope = grown(s->scope, &s->scope_room, s->nscope + 1, sizeof(*s->scope));
	s->scope[s->nscope++] = (struct scan_scope){ off, scope };
}

static const struct scope_name *inner_scope(struct scan *s, const struct unit *u, uint64_t off,
					    const struct scope_name *up)
{
	struct scope_name *inner;

	if (!s->scope_arena)
		return NULL;
	inner = ARENA_NEW(s->scope_arena, struct scope_name);
	inner->name = names_at(s, u, off, 0).name;
	if (!inner->name && s->scope_name)
		inner->name = s->scope_name(s->scope_name_data, off);
	if (!inner->name)
		inner->name = "";
	inner->up = up;
	return inner;
}

/* Looks at one DIE whose tag is of interest; says in @below what its children are to know. */
static void visit(struct scan *s, const struct unit *u, uint64_t off, unsigned tag, const struct die *d,
		  const struct level *here, struct level *below)
{
	*below = (struct level){ here->outer, NULL, false };
	switch (tag) {
	case DW_TAG_subprogram:
		note_scope(s, off, here->scope);
		if (d->has_code)
			below->outer = add_entry(s, u, off, d, here->outer, false);
		else
			below->skip = !u->has_classes;
		break;
	case DW_TAG_inlined_subroutine:
		if (d->has_code)
			below->outer = add_entry(s, u, off, d, here->outer, true);
		break;
	case DW_TAG_lexical_block: case DW_TAG_try_block: case DW_TAG_catch_block:
		break;
	case DW_TAG_namespace: case DW_TAG_module:
		below->scope = inner_scope(s, u, off, here->scope);
		break;
	default:			/* a class */
		below->skip = !u->has_classes;
		if (!below->skip)
			below->scope = inner_scope(s, u, off, here->scope);
	}
}

static bool is_wanted(unsigned tag)
{
	switch (tag) {
	case DW_TAG_subprogram: case DW_TAG_inlined_subroutine: case DW_TAG_lexical_block:
	case DW_TAG_try_block: case DW_TAG_catch_block: case DW_TAG_namespace: case DW_TAG_module:
	case DW_TAG_class_type: case DW_TAG_structure_type: case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Jump over the children, where the DIE said where they end; false: they have to be stepped through. */
static bool jump(const struct scan *s, const struct unit *u, struct reader *r, uint64_t sibling)
{
	if (sibling <= (uint64_t)(r->at - s->from->info.at) || sibling > u->end)
		return false;
	r->at = s->from->info.at + sibling;
	return true;
}

static bool walk(struct scan *s, const struct unit *u, const struct abbrev_table *t, struct reader *r)
{
	struct level level[NESTING_MAX + 1] = { { .outer = -1 } };
	unsigned depth = 0;

	while (r->at < r->end) {
		uint64_t off = r->at - s->from->info.at, code = get_uleb(r), sibling;
		const struct level *here = &level[depth];
		const struct abbrev *ab;
		struct level below = { here->outer, NULL, true };
		struct die d;

		if (!code) {
			if (!depth--)
				return true;
			if (!depth)
				return !r->bad;	/* the unit's own children have ended */
			continue;
		}
		ab = get_abbrev(t, code);
		if (!ab)
			return false;
		if (depth && (here->skip || !is_wanted(ab->tag))) {
			sibling = read_sibling(u, t, ab, r);
		} else {
			/* Only functions with code are read in full. */
			memset(&d, 0, sizeof(d));
			if (ab->has_code && (ab->tag == DW_TAG_subprogram || ab->tag == DW_TAG_inlined_subroutine))
				read_die(s, u, t, ab, r, &d);
			else
				d.sibling = read_sibling(u, t, ab, r);
			sibling = d.sibling;
			if (depth)
				visit(s, u, off, ab->tag, &d, here, &below);
			else
				below.skip = false;
		}
		if (r->bad)
			return false;
		if (!ab->has_children) {
			if (!depth)
				return true;
			continue;
		}
		if (below.skip && jump(s, u, r, sibling))
			continue;
		if (++depth > NESTING_MAX)
			return false;
		level[depth] = below;
	}
	return !r->bad;
}

bool scan_unit(struct scan *s, unsigned i)
{
	const struct unit *u = &s->from->unit[i];
	struct abbrev_table *t;
	struct reader r;
	bool whole;

	s->nentry = s->nscope = 0;
	if (!u->raw)
		return false;
	memo_reset(s->memo);
	t = table_of(s, u);
	if (!t)
		return false;
	/* Names of other units may come between, and each has a table: this one is not to be dropped for them. */
	t->pinned = true;
	r = (struct reader){ s->from->info.at + u->first_die, s->from->info.at + u->end, false };
	whole = walk(s, u, t, &r);
	t->pinned = false;
	return whole;
}

/* ---------------------------------------------------------------------------------------------- coming and going */

void scan_open(struct scan *s, const struct scan_source *from)
{
	memset(s, 0, sizeof(*s));
	s->from = from;
	s->tables = calloc(TABLES, sizeof(*s->tables));
	s->memo = calloc(1, sizeof(*s->memo));
	if (!s->tables || !s->memo)
		abort();
}

void scan_close(struct scan *s)
{
	for (int i = 0; s->tables && i < TABLES; i++) {
		free(s->tables[i].abbrev);
		free(s->tables[i].attr);
	}
	free(s->tables);
	if (s->memo)
		free(s->memo->slot);
	free(s->memo);
	free(s->entry);
	free(s->scope);
	memset(s, 0, sizeof(*s));
}
