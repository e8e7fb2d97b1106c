/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.c - the functions of a unit by way of libdw: split units, and whatever else scan.c does not read.
 *
 * Every function with code and every inlined copy is collected; types and, in C, everything inside them are stepped
 * over. Start at walk_unit().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/units.h"

enum { MAX_NESTING = 200 };		/* of DIEs; deeper ones come from damaged files only */

struct walk {
	struct arena *arena;
	Dwarf_Die cu;
	bool has_classes;		/* in this language functions may sit in types */
	struct vec entries, scopes;	/* struct func_entry, struct scan_scope */
};

static void walk_children(struct walk *w, Dwarf_Die *parent, const struct func_entry *outer,
			  const struct scope_name *scope, int depth);

static const struct func_entry *add_function(struct walk *w, Dwarf_Die *die, const struct func_entry *outer,
					     bool is_inline)
{
	struct func_entry *e;
	uint64_t entry;

	if (!die_entry(die, &entry))
		return NULL;
	e = ARENA_NEW(w->arena, struct func_entry);
	e->die = *die;
	e->cu = w->cu;
	e->outer = outer;
	e->is_inline = is_inline;
	e->entry_addr = entry;
	die_function_names(die, &e->name, &e->linkage_name);
	vec_push(&w->entries, w->arena, e);
	return e;
}

static void walk_subprogram(struct walk *w, Dwarf_Die *die, const struct func_entry *outer,
			    const struct scope_name *scope, int depth)
{
	const struct func_entry *e = add_function(w, die, outer, false);

	if (scope) {
		struct scan_scope *s = ARENA_NEW(w->arena, struct scan_scope);

		*s = (struct scan_scope){ (uintptr_t)die->addr, scope };
		vec_push(&w->scopes, w->arena, s);
	}
	/* An abstract function holds no code, but in C++ local classes with methods may have been declared in it. */
	if (e || w->has_classes)
		walk_children(w, die, e ? e : outer, NULL, depth + 1);
}

static void walk_scope(struct walk *w, Dwarf_Die *die, const struct func_entry *outer,
		       const struct scope_name *scope, int depth)
{
	struct scope_name *inner = ARENA_NEW(w->arena, struct scope_name);

	inner->name = die_scope_name(die);
	inner->up = scope;
	walk_children(w, die, outer, inner, depth + 1);
}

static void walk_children(struct walk *w, Dwarf_Die *parent, const struct func_entry *outer,
			  const struct scope_name *scope, int depth)
{
	const struct func_entry *e;
	Dwarf_Die die;

	if (depth > MAX_NESTING || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			walk_subprogram(w, &die, outer, scope, depth);
			break;
		case DW_TAG_inlined_subroutine:
			e = add_function(w, &die, outer, true);
			walk_children(w, &die, e ? e : outer, NULL, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			walk_children(w, &die, outer, NULL, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			walk_scope(w, &die, outer, scope, depth);
			break;
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			if (w->has_classes)
				walk_scope(w, &die, outer, scope, depth);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int scope_order(const void *x, const void *y)
{
	const struct scan_scope *a = x, *b = y;

	return a->off < b->off ? -1 : a->off > b->off;
}

void walk_unit(Dwarf_Die *cu, bool has_classes, struct arena *a, struct unit_functions *out)
{
	struct walk w = { .arena = a, .cu = *cu, .has_classes = has_classes };
	struct scan_scope *scopes;

	walk_children(&w, cu, NULL, NULL, 0);
	out->known = out->scopes_known = true;
	out->entry = (struct func_entry **)w.entries.item;
	out->n = w.entries.n;
	scopes = ARENA_ARRAY(a, struct scan_scope, w.scopes.n + 1);
	for (unsigned i = 0; i < w.scopes.n; i++)
		scopes[i] = *(struct scan_scope *)w.scopes.item[i];
	qsort(scopes, w.scopes.n, sizeof(*scopes), scope_order);
	out->scope = scopes;
	out->nscope = w.scopes.n;
}
