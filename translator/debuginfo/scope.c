/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scope.c - which variables a place in the code can name (probes.md C.1).
 *
 * A scope is one function or inlined copy; with a pc it becomes a chain of DIEs, innermost block first.  What lies
 * further out, the file level, is one list for the whole object.  Start at scope_chain().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

enum { BLOCKS_MAX = 100 };		/* nested blocks; more come from damaged files only */

static bool is_block_tag(unsigned tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

unsigned scope_chain(const struct scope *s, uint64_t pc, struct arena *a, Dwarf_Die **chain)
{
	Dwarf_Die out[BLOCKS_MAX + 1], at = s->die, child;
	unsigned n = 0;

	/* Filled from the end, so that the innermost comes first; kept no larger than it is: every site asks. */
	out[BLOCKS_MAX - n++] = at;
	for (bool deeper = true; deeper && n <= BLOCKS_MAX; ) {
		deeper = false;
		FOR_CHILDREN(child, &at)
			if (is_block_tag(dwarf_tag(&child)) && die_covers(&child, pc)) {
				deeper = true;
				break;
			}
		if (deeper)
			out[BLOCKS_MAX - n++] = at = child;
	}
	*chain = ARENA_ARRAY(a, Dwarf_Die, n);
	memcpy(*chain, out + BLOCKS_MAX + 1 - n, n * sizeof(*out));
	return n;
}

static bool is_variable_tag(unsigned tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Calls @visit on all named variables and parameters that are visible at @pc, those of inner blocks first, until it has
 * found what it looks for; returns whether it has. */
static bool find_variable(const struct scope *s, uint64_t pc, struct arena *a,
			  bool (*visit)(Dwarf_Die *var, const char *name, void *data), void *data)
{
	Dwarf_Die *chain, child;
	unsigned n = scope_chain(s, pc, a, &chain);

	for (unsigned i = 0; i < n; i++)
		FOR_CHILDREN(child, &chain[i]) {
			const char *name = is_variable_tag(dwarf_tag(&child)) ? dwarf_diename(&child) : NULL;

			if (name && visit(&child, name, data))
				return true;
		}
	return false;
}

struct wanted { const char *name; Dwarf_Die *out; };

static bool is_wanted(Dwarf_Die *var, const char *name, void *data)
{
	const struct wanted *w = data;

	if (strcmp(name, w->name) != 0)
		return false;
	*w->out = *var;
	return true;
}

bool scope_find(const struct scope *s, uint64_t pc, const char *name, struct arena *a, Dwarf_Die *out)
{
	struct wanted w = { name, out };

	return find_variable(s, pc, a, is_wanted, &w);
}

static bool find_below(Dwarf_Die *parent, const char *name, int depth, Dwarf_Die *out, Dwarf_Die *block)
{
	Dwarf_Die child;

	if (depth > BLOCKS_MAX)
		return false;
	FOR_CHILDREN(child, parent) {
		unsigned tag = dwarf_tag(&child);
		const char *found = is_variable_tag(tag) ? dwarf_diename(&child) : NULL;

		if (found && strcmp(found, name) == 0) {
			*out = child;
			*block = *parent;
			return true;
		}
		if (is_block_tag(tag) && find_below(&child, name, depth + 1, out, block))
			return true;
	}
	return false;
}

bool scope_find_elsewhere(const struct scope *s, const char *name, Dwarf_Die *out, Dwarf_Die *block)
{
	Dwarf_Die function = s->die, root = die_root(s->die);

	return find_below(&function, name, 0, out, block) || find_below(&root, name, 0, out, block);
}

/* ---------------------------------------------------------------------------------------------- enumerators */

struct enumerator {
	const char *name;
	Dwarf_Die value, type;
};

static void collect_enumerators(Dwarf_Die *parent, struct arena *a, struct vec *out, int depth)
{
	enum { IMPORTS_MAX = 8 };	/* of units by units */
	Dwarf_Die child, item;

	FOR_CHILDREN(child, parent) {
		if (dwarf_tag(&child) == DW_TAG_imported_unit && depth < IMPORTS_MAX &&
		    die_ref(&child, DW_AT_import, &item))
			collect_enumerators(&item, a, out, depth + 1);
		if (dwarf_tag(&child) != DW_TAG_enumeration_type)
			continue;
		FOR_CHILDREN(item, &child) {
			const char *name = dwarf_tag(&item) == DW_TAG_enumerator ? dwarf_diename(&item) : NULL;
			struct enumerator *e;

			if (!name)
				continue;
			e = ARENA_NEW(a, struct enumerator);
			*e = (struct enumerator){ name, item, child };
			vec_push(out, a, e);
		}
	}
}

/* Of equal names, the first in the unit. */
static int enumerator_order(const void *x, const void *y)
{
	const struct enumerator *a = *(struct enumerator *const *)x, *b = *(struct enumerator *const *)y;
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	return a->value.addr < b->value.addr ? -1 : a->value.addr > b->value.addr;
}

/* Those at the top of a unit, sorted; a unit may hold tens of thousands of functions, each of which may ask. */
static const struct vec *unit_enumerators(struct object *obj, Dwarf_Die *cu)
{
	struct object_priv *p = obj->priv;
	struct vec *all = ptr_map_get(&p->unit_enumerators, cu->addr);

	if (all)
		return all;
	all = ARENA_NEW(p->arena, struct vec);
	collect_enumerators(cu, p->arena, all, 0);
	if (all->n)
		qsort(all->item, all->n, sizeof(void *), enumerator_order);
	ptr_map_put(&p->unit_enumerators, p->arena, cu->addr, all);
	return all;
}

static const struct enumerator *sorted_enumerator(const struct vec *all, const char *name)
{
	unsigned lo = 0, hi = all->n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (strcmp(((struct enumerator *)all->item[mid])->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < all->n && strcmp(((struct enumerator *)all->item[lo])->name, name) == 0)
		return all->item[lo];
	return NULL;
}

/* Those of type units: an enumeration of file level may be there, and the unit that uses it only refers to it. */
static const struct vec *type_unit_enumerators(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf *dw = object_dwarf(obj);
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu;

	if (p->type_enumerators_tried)
		return &p->type_enumerators;
	p->type_enumerators_tried = true;
	while (dw && next_any_unit(dw, &unit, &cu))
		if (dwarf_tag(&cu) == DW_TAG_type_unit)
			collect_enumerators(&cu, p->arena, &p->type_enumerators, 0);
	if (p->type_enumerators.n)
		qsort(p->type_enumerators.item, p->type_enumerators.n, sizeof(void *), enumerator_order);
	return &p->type_enumerators;
}

bool scope_find_enumerator(const struct scope *s, uint64_t pc, const char *name, struct arena *a, Dwarf_Die *value,
			   Dwarf_Die *type)
{
	const struct enumerator *found = NULL;
	Dwarf_Die *chain, cu = s->cu;
	unsigned n = scope_chain(s, pc, a, &chain);

	for (unsigned i = 0; i < n && !found; i++) {
		struct vec inner = { 0 };

		collect_enumerators(&chain[i], a, &inner, 0);
		for (unsigned k = 0; k < inner.n && !found; k++)
			if (strcmp(((struct enumerator *)inner.item[k])->name, name) == 0)
				found = inner.item[k];
	}
	if (!found)
		found = sorted_enumerator(unit_enumerators(s->obj, &cu), name);
	if (!found)
		found = sorted_enumerator(type_unit_enumerators(s->obj), name);
	if (!found)
		return false;
	*value = found->value;
	*type = found->type;
	return true;
}

bool find_enumerator(struct object *obj, const struct scope *s, uint64_t pc, const char *name, struct arena *a, int64_t *value)
{
	Dwarf *dw = object_dwarf(obj);
	const struct enumerator *found = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu, die, type;

	if (s && scope_find_enumerator(s, pc, name, a, &die, &type))
		return die_signed(&die, DW_AT_const_value, value);
	while (dw && !found && next_any_unit(dw, &unit, &cu))
		found = sorted_enumerator(unit_enumerators(obj, &cu), name);
	if (!found)
		return false;
	die = found->value;
	return die_signed(&die, DW_AT_const_value, value);
}

/* ---------------------------------------------------------------------------------------------- file level */

struct global {
	const char *name;
	Dwarf_Die die;
	Dwarf_Die home;			/* the unit it was written in; link-time optimisation moves the location elsewhere */
	bool is_declaration;
};

static void collect_globals(struct object *obj, Dwarf_Die *cu, Dwarf_Die *parent, int depth)
{
	enum { NAMESPACES_MAX = 32 };
	struct arena *own = obj->priv->arena;
	Dwarf_Die die;

	if (depth > NAMESPACES_MAX)
		return;
	FOR_CHILDREN(die, parent) {
		unsigned tag = dwarf_tag(&die);
		const char *name = tag == DW_TAG_variable ? dwarf_diename(&die) : NULL;

		if (tag == DW_TAG_namespace)
			collect_globals(obj, cu, &die, depth + 1);
		if (name) {
			struct global *g = ARENA_NEW(own, struct global);
			Dwarf_Die root;

			g->name = name;
			g->die = die;
			root = die_root(die);
			if (!dwarf_diecu(&root, &g->home, NULL, NULL))
				g->home = *cu;
			g->is_declaration = !dwarf_hasattr(&die, DW_AT_location) &&
					    !dwarf_hasattr_integrate(&die, DW_AT_const_value);
			vec_push(&obj->priv->globals, own, g);
		}
	}
}

static int global_order(const void *x, const void *y)
{
	const struct global *a = *(struct global *const *)x, *b = *(struct global *const *)y;
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	if (a->is_declaration != b->is_declaration)
		return a->is_declaration ? 1 : -1;
	return a->die.addr < b->die.addr ? -1 : a->die.addr > b->die.addr;
}

static const struct vec *globals(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf *dw = object_dwarf(obj);
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu;

	if (p->globals_tried)
		return &p->globals;
	p->globals_tried = true;
	while (dw && next_unit(dw, &unit, &cu))
		collect_globals(obj, &cu, &cu, 0);
	if (p->globals.n)
		qsort(p->globals.item, p->globals.n, sizeof(void *), global_order);
	return &p->globals;
}

/* How well @g answers for its name as seen from @near_cu (NULL: from nowhere); 0: not at all. */
static unsigned global_rank(struct global *g, const Dwarf_Die *near_cu)
{
	bool here = near_cu && g->home.addr == near_cu->addr;

	if (!near_cu)
		return g->is_declaration ? 1 : 2;
	if (!here && !die_flag(&g->die, DW_AT_external))
		return 0;
	if (here)
		return g->is_declaration ? 2 : 4;
	return g->is_declaration ? 1 : 3;
}

/* Whether the namespaces and classes around @die end in @scope, "a::b"; @whole: whether they are these and no more. */
static bool is_in_scope(Dwarf_Die *die, const char *scope, size_t len, bool whole)
{
	Dwarf_Die root = die_root(*die), *around = NULL;
	int n = dwarf_getscopes_die(&root, &around), i = 1;	/* the first is the variable itself */
	bool matches = true;

	while (matches && len) {
		size_t from = len;
		const char *name = i < n && dwarf_tag(&around[i]) != DW_TAG_compile_unit ? dwarf_diename(&around[i]) : NULL;

		while (from && scope[from - 1] != ':')
			from--;
		matches = name && strlen(name) == len - from && !memcmp(name, scope + from, len - from);
		len = from >= 2 ? from - 2 : 0;
		i++;
	}
	if (whole && i < n && dwarf_tag(&around[i]) != DW_TAG_compile_unit)
		matches = false;
	free(around);
	return matches;
}

bool global_variable(struct object *obj, const char *name, const char *unit, const Dwarf_Die *near_cu, Dwarf_Die *out)
{
	const struct vec *all = globals(obj);
	bool whole = !strncmp(name, "::", 2), is_qualified = strstr(name, "::");
	const char *scope = whole ? name + 2 : name;
	unsigned lo = 0, hi = all->n, best = 0;
	size_t scope_len;

	for (const char *p; (p = strstr(name, "::")); )
		name = p + 2;
	scope_len = name - scope >= 2 ? (size_t)(name - scope) - 2 : 0;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (strcmp(((struct global *)all->item[mid])->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < all->n; lo++) {
		struct global *g = all->item[lo];
		unsigned rank;

		if (strcmp(g->name, name) != 0)
			break;
		if (unit && !file_matches(unit, dwarf_diename(&g->home)))
			continue;
		if (is_qualified && !is_in_scope(&g->die, scope, scope_len, whole))
			continue;
		rank = global_rank(g, near_cu);
		if (rank > best) {
			best = rank;
			*out = g->die;
		}
	}
	return best > 0;
}

static bool variable_below(const struct loc_context *c, Dwarf_Die *parent, uint64_t data_addr, int depth)
{
	Dwarf_Die die;

	if (depth > BLOCKS_MAX || dwarf_child(parent, &die) != 0)
		return false;
	do {
		unsigned tag = dwarf_tag(&die);
		struct place at;
		const char *why;

		if (tag == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_location) && !place_of_variable(c, &die, &at, &why) &&
		    at.kind == PLACE_MEMORY && at.e->kind == LOC_ADDRESS && (uint64_t)at.e->num == data_addr)
			return true;
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace || is_block_tag(tag)) &&
		    variable_below(c, &die, data_addr, depth + 1))
			return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

bool unit_variable_at(struct object *obj, uint64_t code_addr, uint64_t data_addr)
{
	struct loc_context c = { .obj = obj, .arena = obj->priv->arena, .pc = code_addr };
	Dwarf_Die cu;

	return unit_of(obj, code_addr, &cu) && variable_below(&c, &cu, data_addr, 0);
}

void miss_globals(struct object *obj, const char *asked, struct arena *a, struct di_miss *miss)
{
	const struct vec *all = globals(obj);
	struct vec names = { 0 };

	for (unsigned i = 0; i < all->n; i++)
		vec_push(&names, a, (void *)((struct global *)all->item[i])->name);
	near_names(miss, "variables", asked, (const char *const *)names.item, names.n);
}

struct names { struct vec all; struct arena *a; };

static bool add_name(Dwarf_Die *var, const char *name, void *data)
{
	struct names *names = data;

	(void)var;
	vec_push(&names->all, names->a, (void *)name);
	return false;
}

void miss_locals(const struct scope *s, uint64_t pc, const char *asked, struct arena *a, struct di_miss *miss)
{
	struct names names = { .a = a };

	find_variable(s, pc, a, add_name, &names);
	near_names(miss, "variables", asked, (const char *const *)names.all.item, names.all.n);
}

/* ---------------------------------------------------------------------------------------------- listing */

static bool listed(const struct vec *vars, const char *name)
{
	for (unsigned i = 0; i < vars->n; i++)
		if (strcmp(((struct visible_var *)vars->item[i])->name, name) == 0)
			return true;
	return false;
}

struct listing { struct loc_context c; unsigned which; struct vec vars; };

static bool list_variable(Dwarf_Die *die, const char *name, void *data)
{
	struct listing *l = data;
	bool is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	struct visible_var *v;
	struct place place;
	const char *why;

	if (!(l->which & (is_parameter ? VARS_PARAMETERS : VARS_LOCALS)) || listed(&l->vars, name))
		return false;
	v = ARENA_NEW(l->c.arena, struct visible_var);
	v->name = name;
	v->is_parameter = is_parameter;
	v->readable = place_of_variable(&l->c, die, &place, &why) == 0;
	v->type = type_of_die(l->c.obj, die, l->c.arena);
	vec_push(&l->vars, l->c.arena, v);
	return false;
}

unsigned scope_variables(const struct scope *s, uint64_t pc, unsigned which, struct arena *a,
			 const struct visible_var **vars)
{
	struct listing l = { .which = which };

	*vars = NULL;
	if (!s)
		return 0;
	l.c = (struct loc_context) { .obj = s->obj, .arena = a, .scope = s, .pc = pc };
	find_variable(s, pc, a, list_variable, &l);
	*vars = vec_array(&l.vars, a, sizeof(**vars));
	return l.vars.n;
}

const struct ctype *scope_return_type(const struct scope *s, struct arena *a)
{
	Dwarf_Die die = s->die;
	const struct ctype *t = type_of_die(s->obj, &die, a);

	return t->kind == CTYPE_VOID ? NULL : t;
}
