/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.c - the functions of an object, read unit by unit as questions need them.
 *
 * Which units a name needs, the index says (names.c) where the object is large enough to have one; the functions of a
 * unit come from the scan (scan.c), or from libdw where that cannot read it (walk.c), and stay until the object is
 * closed.  Start at functions_of().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/names.h"
#include "debuginfo/units.h"

/* Stands for an entry of the scan that turned out to have no code. */
static struct func_entry no_code;

static struct units *units_of(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf *dw = object_dwarf(obj);
	struct units *us = p->units;

	if (us)
		return us;
	us = p->units = ARENA_NEW(p->arena, struct units);
	if (!dw)
		return us;
	scan_find_sections(&us->from, dw);
	us->index = names_load(obj, &us->from);
	if (!us->index)
		scan_list_units(&us->from, dw, p->arena);
	scan_open(&us->scan, &us->from);
	us->of = ARENA_ARRAY(p->arena, struct unit_functions, us->from.nunit + 1);
	us->die = ARENA_ARRAY(p->arena, struct unit_die, us->from.nunit + 1);
	return us;
}

const struct scan_source *units_source(struct object *obj)
{
	return &units_of(obj)->from;
}

/* The index, made where something first has a use for it. */
static const struct name_index *index_of(struct object *obj)
{
	struct units *us = units_of(obj);

	if (!us->index && !us->index_tried && us->from.nunit) {
		us->index_tried = true;
		us->index = names_make(obj, &us->from);
	}
	return us->index;
}

void units_close(struct object *obj)
{
	struct units *us = obj->priv->units;

	if (!us)
		return;
	names_put(us->index);
	scan_close(&us->scan);
}

/* ---------------------------------------------------------------------------------------------- one unit */

struct unit_die *units_die(struct object *obj, unsigned i)
{
	struct units *us = obj->priv->units;
	struct unit_die *d = &us->die[i];
	Dwarf_Die sub;
	uint8_t type;

	if (d->known)
		return d;
	d->known = true;
	if (!dwarf_offdie(object_dwarf(obj), us->from.unit[i].first_die, &d->cu))
		return d;
	if (!us->from.unit[i].raw && dwarf_cu_info(d->cu.cu, NULL, &type, NULL, &sub, NULL, NULL, NULL) == 0 &&
	    type == DW_UT_skeleton && dwarf_tag(&sub) == DW_TAG_compile_unit)
		d->cu = sub;
	d->own = d->cu.cu;
	return d;
}

/* A partial unit without a line table of its own: its lines are in the table of a unit that imports it. */
static void find_importer(struct object *obj, struct unit_die *part)
{
	struct units *us = obj->priv->units;

	for (unsigned i = 0; i < us->from.nunit; i++) {
		Dwarf_Die die, imported;

		if (us->from.unit[i].is_partial || dwarf_child(&units_die(obj, i)->cu, &die) != 0)
			continue;
		do {
			if (dwarf_tag(&die) == DW_TAG_imported_unit && die_ref(&die, DW_AT_import, &imported) &&
			    imported.addr == part->cu.addr) {
				part->cu = units_die(obj, i)->cu;
				return;
			}
		} while (dwarf_siblingof(&die, &die) == 0);
	}
}

static void copy_entries(const struct scan *s, struct arena *a, struct unit_functions *f)
{
	struct scan_entry *raw = ARENA_ARRAY(a, struct scan_entry, s->nentry + 1);

	if (s->nentry)
		memcpy(raw, s->entry, s->nentry * sizeof(*raw));
	f->raw = raw;
	f->n = s->nentry;
	f->entry = ARENA_ARRAY(a, struct func_entry *, f->n + 1);
	f->known = true;
}

static struct unit_functions *functions_in(struct object *obj, unsigned i)
{
	struct units *us = obj->priv->units;
	struct unit_functions *f = &us->of[i];
	const struct unit *u = &us->from.unit[i];
	Dwarf_Attribute attr;

	if (f->known)
		return f;
	if (scan_unit(&us->scan, i)) {
		copy_entries(&us->scan, obj->priv->arena, f);
	} else {
		walk_unit(&units_die(obj, i)->cu, u->has_classes, obj->priv->arena, f);
	}
	if (u->is_partial && f->n && !dwarf_attr(&units_die(obj, i)->cu, DW_AT_stmt_list, &attr))
		find_importer(obj, units_die(obj, i));
	return f;
}

/* Function @k of unit @i, or NULL where it has no code after all. */
static struct func_entry *entry_of(struct object *obj, unsigned i, int k)
{
	struct units *us = obj->priv->units;
	struct unit_functions *f = &us->of[i];
	const struct scan_entry *raw;
	struct func_entry *e;
	uint64_t addr;
	Dwarf_Die die;

	if (f->entry[k])
		return f->entry[k] == &no_code ? NULL : f->entry[k];
	raw = &f->raw[k];
	die = (Dwarf_Die){ .addr = (void *)(uintptr_t)(us->from.info.at + raw->off), .cu = units_die(obj, i)->own };
	addr = raw->addr;
	if (!addr && !die_entry(&die, &addr)) {
		f->entry[k] = &no_code;
		return NULL;
	}
	e = f->entry[k] = ARENA_NEW(obj->priv->arena, struct func_entry);
	e->die = die;
	e->cu = units_die(obj, i)->cu;
	e->is_inline = raw->is_inline;
	e->entry_addr = addr;
	e->name = raw->name;
	e->linkage_name = raw->linkage;
	if (raw->ask)
		die_function_names(&die, &e->name, &e->linkage_name);
	if (!e->name)
		e->name = e->linkage_name ? e->linkage_name : "";
	for (int outer = raw->outer; outer >= 0 && !e->outer; outer = f->raw[outer].outer)
		e->outer = entry_of(obj, i, outer);
	return e;
}

/* ---------------------------------------------------------------------------------------------- by name */

bool wants_linkage(const char *func)
{
	return func && strncmp(func, "_Z", 2) == 0;
}

struct func_iter functions_of(struct object *obj, const struct spec *spec, struct arena *a)
{
	struct func_iter it = { .obj = obj, .spec = spec };

	units_of(obj);
	if (spec && strspn(spec->func, "*") < strlen(spec->func) && index_of(obj))
		it.wanted = names_units(index_of(obj), spec->func, a);
	return it;
}

/* What can be said without making the entry: false only where the name is known, and another one. */
static bool may_match(const struct spec *spec, const struct scan_entry *raw)
{
	const char *name;

	if (!spec || raw->ask)
		return true;
	name = wants_linkage(spec->func) || !raw->name ? raw->linkage : raw->name;
	return name && (name_matches(spec->func, name) || !strcmp(spec->func, name));
}

const struct func_entry *functions_next(struct func_iter *it)
{
	struct units *us = it->obj->priv->units;

	for (; it->unit < us->from.nunit; it->unit++, it->at = 0) {
		struct unit_functions *f;

		if (it->wanted && !it->wanted[it->unit])
			continue;
		f = functions_in(it->obj, it->unit);
		while (it->at < f->n) {
			unsigned k = it->at++;
			const struct func_entry *e;

			if (f->raw && !may_match(it->spec, &f->raw[k]))
				continue;
			e = entry_of(it->obj, it->unit, k);
			if (e)
				return e;
		}
	}
	return NULL;
}

void function_names(struct object *obj, struct vec *names, struct arena *a)
{
	struct func_iter it;
	const struct func_entry *e;

	it = functions_of(obj, NULL, a);
	if (index_of(obj)) {
		/* What it does not know the names of is to be read. */
		bool *unread = ARENA_ARRAY(a, bool, units_of(obj)->from.nunit + 1);

		for (unsigned i = 0; i < units_of(obj)->from.nunit; i++)
			unread[i] = names_lack(index_of(obj), i);
		it.wanted = unread;
		names_list(index_of(obj), names, a);
	}
	while ((e = functions_next(&it)))
		vec_push(names, a, (void *)e->name);
}

/* ---------------------------------------------------------------------------------------------- by address */

static int cover_order(const void *x, const void *y)
{
	const struct cover *a = x, *b = y;

	return a->lo != b->lo ? (a->lo < b->lo ? -1 : 1) : a->unit < b->unit ? -1 : a->unit > b->unit;
}

const struct cover *units_cover(struct object *obj, struct arena *a, unsigned *n)
{
	struct units *us = units_of(obj);
	struct cover *all = NULL;
	unsigned room = 0;

	*n = 0;
	for (unsigned i = 0; i < us->from.nunit; i++) {
		Dwarf_Die cu = units_die(obj, i)->cu;
		Dwarf_Addr base = 0, lo, hi;
		ptrdiff_t off = 0;

		while ((off = dwarf_ranges(&cu, off, &base, &lo, &hi)) > 0) {
			if (lo >= hi || lo == 0)
				continue;	/* what the linker threw away */
			if (*n == room) {
				struct cover *more = ARENA_ARRAY(a, struct cover, room ? 2 * room : 256);

				if (room)
					memcpy(more, all, room * sizeof(*more));
				all = more;
				room = room ? 2 * room : 256;
			}
			all[(*n)++] = (struct cover){ lo, hi, i, 0 };
		}
	}
	if (*n)
		qsort(all, *n, sizeof(*all), cover_order);
	return all;
}

static void know_cover(struct object *obj)
{
	struct units *us = obj->priv->units;

	if (us->cover_known)
		return;
	us->cover_known = true;
	if (us->index)
		us->cover = names_cover(us->index, &us->ncover);
	else
		us->cover = units_cover(obj, obj->priv->arena, &us->ncover);
	for (unsigned i = 0; i < us->ncover; i++)
		if (us->cover[i].hi - us->cover[i].lo > us->longest_cover)
			us->longest_cover = us->cover[i].hi - us->cover[i].lo;
}

/* Calls @f for each unit that may have code at @addr, until that returns non-NULL: units that do not say where their
 * code is after those that say it is there. */
static const struct func_entry *in_units_at(struct object *obj, uint64_t addr,
	const struct func_entry *(*f)(struct object *obj, unsigned unit, uint64_t addr, bool flag), bool flag)
{
	struct units *us = units_of(obj);
	const struct func_entry *e = NULL;
	unsigned lo = 0, hi;

	know_cover(obj);
	for (hi = us->ncover; lo < hi; ) {
		unsigned mid = lo + (hi - lo) / 2;

		if (us->cover[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; !e && lo-- > 0 && addr - us->cover[lo].lo < us->longest_cover; )
		if (addr < us->cover[lo].hi && us->cover[lo].unit < us->from.nunit)
			e = f(obj, us->cover[lo].unit, addr, flag);
	for (unsigned i = 0; !e && i < us->from.nunit; i++)
		if (!us->from.unit[i].says_where)
			e = f(obj, i, addr, flag);
	return e;
}

static const struct func_entry *innermost_in(struct object *obj, unsigned unit, uint64_t addr, bool with_inlines)
{
	struct unit_functions *f = functions_in(obj, unit);
	const struct func_entry *best = NULL;
	/* Entries that do not cover @addr: what is in them does not, either. */
	bool *outside = calloc(f->n + 1, sizeof(bool));

	/* Entries come outer before inner, so the last one that covers is the innermost. */
	for (unsigned k = 0; outside && k < f->n; k++) {
		int outer = f->raw ? f->raw[k].outer : -1;
		struct func_entry *e;
		Dwarf_Die die;

		if (f->raw && ((f->raw[k].is_inline && !with_inlines) || (outer >= 0 && outside[outer]))) {
			outside[k] = true;
			continue;
		}
		e = entry_of(obj, unit, k);
		if (!e || (!with_inlines && e->is_inline))
			continue;
		die = e->die;
		outside[k] = !die_covers(&die, addr);
		if (!outside[k])
			best = e;
	}
	free(outside);
	return best;
}

const struct func_entry *innermost_function(struct object *obj, uint64_t link_addr, bool with_inlines)
{
	return in_units_at(obj, link_addr, innermost_in, with_inlines);
}

static int entry_order(const void *x, const void *y, void *of)
{
	const struct func_entry *const *entry = of;
	unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;

	if (entry[a]->entry_addr != entry[b]->entry_addr)
		return entry[a]->entry_addr < entry[b]->entry_addr ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void sort_by_addr(struct object *obj, unsigned unit, struct unit_functions *f)
{
	f->by_addr_known = true;
	f->by_addr = ARENA_ARRAY(obj->priv->arena, unsigned, f->n + 1);
	for (unsigned k = 0; k < f->n; k++)
		if (!(f->raw && f->raw[k].is_inline) && entry_of(obj, unit, k) && !f->entry[k]->is_inline)
			f->by_addr[f->nby_addr++] = k;
	qsort_r(f->by_addr, f->nby_addr, sizeof(unsigned), entry_order, f->entry);
}

static const struct func_entry *entered_in(struct object *obj, unsigned unit, uint64_t addr, bool flag)
{
	struct unit_functions *f = functions_in(obj, unit);
	unsigned lo = 0, hi;

	(void)flag;
	if (!f->by_addr_known)
		sort_by_addr(obj, unit, f);
	for (hi = f->nby_addr; lo < hi; ) {
		unsigned mid = lo + (hi - lo) / 2;

		if (f->entry[f->by_addr[mid]]->entry_addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == f->nby_addr || f->entry[f->by_addr[lo]]->entry_addr != addr)
		return NULL;
	return f->entry[f->by_addr[lo]];
}

const struct func_entry *function_entered_at(struct object *obj, uint64_t addr)
{
	return addr ? in_units_at(obj, addr, entered_in, false) : NULL;
}

/* ---------------------------------------------------------------------------------------------- scopes */

struct scope_asker { struct object *obj; unsigned unit; };

static const char *ask_scope_name(void *data, uint64_t off)
{
	const struct scope_asker *k = data;
	Dwarf_Die die = {
		.addr = (void *)(uintptr_t)(k->obj->priv->units->from.info.at + off),
		.cu = units_die(k->obj, k->unit)->own,
	};

	return die_scope_name(&die);
}

static void learn_scopes(struct object *obj, unsigned i)
{
	struct units *us = obj->priv->units;
	struct unit_functions *f = functions_in(obj, i);
	struct scope_asker asker = { obj, i };
	struct scan_scope *copy;

	if (f->scopes_known)
		return;
	f->scopes_known = true;
	us->scan.scope_arena = obj->priv->arena;
	us->scan.scope_name = ask_scope_name;
	us->scan.scope_name_data = &asker;
	if (scan_unit(&us->scan, i)) {
		copy = ARENA_ARRAY(obj->priv->arena, struct scan_scope, us->scan.nscope + 1);
		if (us->scan.nscope)
			memcpy(copy, us->scan.scope, us->scan.nscope * sizeof(*copy));
		f->scope = copy;
		f->nscope = us->scan.nscope;
	}
	us->scan.scope_arena = NULL;
}

/* The scopes of a DIE in another file or in a type unit, by libdw. */
static const struct scope_name *foreign_scope(struct object *obj, Dwarf_Die *root)
{
	struct arena *a = obj->priv->arena;
	struct scope_name *first = NULL, **last = &first;
	Dwarf_Die *around;
	int n = dwarf_getscopes_die(root, &around);

	for (int i = 1; i < n; i++) {	/* the first is the DIE itself */
		switch (dwarf_tag(&around[i])) {
		case DW_TAG_namespace: case DW_TAG_module:
		case DW_TAG_class_type: case DW_TAG_structure_type: case DW_TAG_union_type:
			*last = ARENA_NEW(a, struct scope_name);
			(*last)->name = die_scope_name(&around[i]);
			last = (struct scope_name **)(void *)&(*last)->up;
			break;
		default:
			break;
		}
	}
	if (n > 0)
		free(around);
	return first;
}

const struct scope_name *function_scope(struct object *obj, const struct func_entry *e)
{
	struct units *us = units_of(obj);
	Dwarf_Die root = die_root(e->die);
	unsigned lo = 0, hi, unit = 0;
	uint64_t off;
	struct unit_functions *f;

	/* It stands where it was declared, which may be another unit. */
	while (unit < us->from.nunit && units_die(obj, unit)->own != root.cu)
		unit++;
	if (unit == us->from.nunit)
		return foreign_scope(obj, &root);
	learn_scopes(obj, unit);
	f = &us->of[unit];
	off = f->raw ? (uint64_t)((const uint8_t *)root.addr - us->from.info.at) : (uintptr_t)root.addr;
	for (hi = f->nscope; lo < hi; ) {
		unsigned mid = lo + (hi - lo) / 2;

		if (f->scope[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->nscope && f->scope[lo].off == off ? f->scope[lo].scope : NULL;
}
