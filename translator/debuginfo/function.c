/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function.c - the functions of an object and which of them a probe point means.
 *
 * One walk over the compile units collects every function with code and every inlined copy (struct func_index); types
 * and, in C, everything inside them are stepped over.  find_functions() filters that list by spec and variant, drops
 * what is already there, and falls back to the symbol table for names without DWARF.  Start there.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

/* ---------------------------------------------------------------------------------------------- the index */

enum { MAX_NESTING = 200 };		/* of DIEs; deeper ones come from damaged files only */

struct walk {
	struct object *obj;
	struct arena *arena;
	struct func_index *index;
	Dwarf_Die cu;
	bool has_classes;		/* in this language functions may sit in types */
};

static bool language_has_classes(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11: case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

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
	e->name = die_string(die, DW_AT_name);
	e->linkage_name = die_string(die, DW_AT_linkage_name);
	if (!e->linkage_name)
		e->linkage_name = die_string(die, DW_AT_MIPS_linkage_name);
	if (!e->name)
		e->name = e->linkage_name ? e->linkage_name : "";
	vec_push(&w->index->entries, w->arena, e);
	if (!is_inline && !ptr_map_get(&w->index->by_entry, (const void *)(uintptr_t)entry))
		ptr_map_put(&w->index->by_entry, w->arena, (const void *)(uintptr_t)entry, e);
	return e;
}

static void walk_subprogram(struct walk *w, Dwarf_Die *die, const struct func_entry *outer,
			    const struct scope_name *scope, int depth)
{
	const struct func_entry *e = add_function(w, die, outer, false);

	if (scope)
		ptr_map_put(&w->index->scopes, w->arena, die->addr, (void *)scope);
	if (!e && dwarf_hasattr(die, DW_AT_inline)) {
		const char *name = die_string(die, DW_AT_name);

		if (name)
			vec_push(&w->index->abstract_names, w->arena, (void *)name);
	}
	/* An abstract function holds no code, but in C++ local classes with methods may have been declared in it. */
	if (e || w->has_classes)
		walk_children(w, die, e ? e : outer, NULL, depth + 1);
}

static void walk_scope(struct walk *w, Dwarf_Die *die, const struct func_entry *outer,
		       const struct scope_name *scope, int depth)
{
	struct scope_name *inner = ARENA_NEW(w->arena, struct scope_name);
	Dwarf_Die named = die_root(*die);

	inner->name = dwarf_diename(&named);
	if (!inner->name)
		inner->name = "";
	inner->up = scope;
	walk_children(w, die, outer, inner, depth + 1);
}

static void walk_import(struct walk *w, Dwarf_Die *die, int depth)
{
	Dwarf_Die unit;

	if (!die_ref(die, DW_AT_import, &unit) || ptr_map_get(&w->index->visited, unit.addr))
		return;
	ptr_map_put(&w->index->visited, w->arena, unit.addr, w);
	walk_children(w, &unit, NULL, NULL, depth + 1);
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
		case DW_TAG_imported_unit:
			walk_import(w, &die, depth);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

const struct func_index *function_index(struct object *obj)
{
	struct object_priv *p = obj->priv;
	struct walk w = { .obj = obj, .arena = p->arena };
	Dwarf *dw = object_dwarf(obj);
	Dwarf_CU *unit = NULL;

	if (p->functions)
		return p->functions;
	p->functions = w.index = ARENA_NEW(p->arena, struct func_index);
	while (dw && next_unit(dw, &unit, &w.cu)) {
		w.has_classes = language_has_classes(&w.cu);
		walk_children(&w, &w.cu, NULL, NULL, 0);
	}
	/* Scopes stand at declarations, which may follow the definition: look only when all are known. */
	for (unsigned i = 0; i < p->functions->entries.n; i++) {
		struct func_entry *e = p->functions->entries.item[i];
		Dwarf_Die root = die_root(e->die);

		e->scope = ptr_map_get(&p->functions->scopes, root.addr);
	}
	return p->functions;
}

const struct func_entry *innermost_function(struct object *obj, uint64_t link_addr, bool with_inlines)
{
	const struct func_index *index = function_index(obj);
	const struct func_entry *best = NULL;
	const void *known_cu = NULL;
	bool cu_covers = false;

	for (unsigned i = 0; i < index->entries.n; i++) {
		struct func_entry *e = index->entries.item[i];

		if (e->cu.addr != known_cu) {
			known_cu = e->cu.addr;
			cu_covers = dwarf_haspc(&e->cu, link_addr) != 0;	/* -1: unit says nothing, so look */
		}
		/* Entries come outer before inner, so the last one that covers is the innermost. */
		if (cu_covers && (with_inlines || !e->is_inline) && die_covers(&e->die, link_addr))
			best = e;
	}
	return best;
}

/* ---------------------------------------------------------------------------------------------- matching */

bool file_matches(const char *pattern, const char *path)
{
	size_t len = path ? strlen(path) : 0, tail = strlen(pattern);
	const char *below;

	if (!path)
		return false;
	if (strcmp(pattern, path) == 0 || fnmatch(pattern, path, 0) == 0)
		return true;
	if (len > tail && path[len - tail - 1] == '/' && strcmp(path + len - tail, pattern) == 0)
		return true;
	/* "*" "/" FILE, without building that string: some tail that starts after a slash matches. */
	for (below = strchr(path, '/'); below; below = strchr(below + 1, '/'))
		if (fnmatch(pattern, below + 1, 0) == 0)
			return true;
	return false;
}

/* Whether @e was written in a file that @pattern means; listings show the path with the unit's folder before it. */
static bool in_file(const char *pattern, const struct func_entry *e, struct arena *a)
{
	Dwarf_Die die = e->die, cu;
	const char *path = die_file_text(&die, &cu), *base = strrchr(pattern, '/'), *own;

	if (!path || file_matches(pattern, path))
		return path != NULL;
	if (*path == '/' || !base)
		return false;
	own = strrchr(path, '/');
	return name_matches(base + 1, own ? own + 1 : path) && file_matches(pattern, unit_path(&cu, path, a));
}

/* The patterns of a spec, innermost last, against the chain that goes outwards; what has no name does not count. */
static bool scope_matches(const struct spec *spec, const struct scope_name *scope, bool letter_by_letter)
{
	for (unsigned i = spec->nscope; i-- > 0; ) {
		bool unnamed = strcmp(spec->scope[i], "(anonymous namespace)") == 0;

		while (scope && !*scope->name && !unnamed)
			scope = scope->up;
		if (!scope)
			return i == 0 && strcmp(spec->scope[0], "*") == 0;	/* `*::f` is a global f, too */
		if (unnamed ? *scope->name != 0 : letter_by_letter ? strcmp(spec->scope[i], scope->name) != 0 :
		    !name_matches(spec->scope[i], scope->name))
			return false;
		scope = scope->up;
	}
	while (scope && !*scope->name)
		scope = scope->up;
	return !spec->global_scope || !scope;
}

/* @func: NULL where an address was asked for. */
static bool wants_linkage(const char *func)
{
	return func && strncmp(func, "_Z", 2) == 0;
}

bool spec_matches_function(struct object *obj, const struct spec *spec, const struct func_entry *e)
{
	const char *name = wants_linkage(spec->func) ? e->linkage_name : e->name;

	if (!name || !name_matches(spec->func, name) || !scope_matches(spec, e->scope, false))
		return false;
	return !spec->file || in_file(spec->file, e, obj->priv->arena);
}

/* A line of a listing: letter for letter a function's name, with the file and the line where that was declared. */
static bool spec_names_function(struct object *obj, const struct spec *spec, const struct func_entry *e)
{
	const char *name = wants_linkage(spec->func) ? e->linkage_name : e->name;
	Dwarf_Die die = e->die;
	const char *file;

	if (spec->lines != SPEC_ABSOLUTE || !name || strcmp(spec->func, name) != 0 || !scope_matches(spec, e->scope, true) ||
	    die_decl_line(&die) != spec->range[0].lo)
		return false;
	file = die_decl_file(&die, obj->priv->arena);
	return file && strcmp(file, spec->file) == 0;
}

/* A part split off a function (`f.part.0`); its head is found where it was inlined (A.7). */
static bool is_split_part(struct object *obj, const struct func_entry *e)
{
	struct symbol_info sym;

	return !e->is_inline && object_symbol_at(obj, e->entry_addr, &sym) && sym.link_addr == e->entry_addr &&
	       strstr(sym.name, ".part.");
}

/* ---------------------------------------------------------------------------------------------- sites */

static const char *scoped_name(const struct func_entry *e, struct arena *a)
{
	const char *name = e->name;

	for (const struct scope_name *s = e->scope; s; s = s->up)
		if (*s->name)
			name = arena_printf(a, "%s::%s", s->name, name);
	return name;
}

static bool any_exported(struct object *obj, uint64_t addr)
{
	unsigned n, lo = 0, hi;
	const struct symbol_info *sym = object_symbols(obj, &n);

	for (hi = n; lo < hi; ) {
		unsigned mid = lo + (hi - lo) / 2;

		if (sym[mid].link_addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < n && sym[lo].link_addr == addr; lo++)
		if (sym[lo].exported && (sym[lo].is_function || sym[lo].is_ifunc))
			return true;
	return false;
}

/* What the compiler made was declared nowhere, and only its linker's name is its own. */
static const char *name_of_unplaced(struct object *obj, const struct func_entry *e, const struct code_site *site)
{
	struct symbol_info sym;

	if (site->linkage_name)
		return site->linkage_name;
	return !e->is_inline && object_symbol_at(obj, e->entry_addr, &sym) && sym.link_addr == e->entry_addr ? sym.name :
	       site->name;
}

struct code_site *site_make(struct object *obj, const struct func_entry *e, const struct spec *spec, struct arena *a)
{
	struct code_site *site = ARENA_NEW(a, struct code_site);
	struct scope *scope = ARENA_NEW(a, struct scope);
	const struct func_entry *holder = e;
	struct addr_range *ranges;
	Dwarf_Die die = e->die, root = die_root(die), cu = e->cu;

	/* Link-time optimisation puts the code into a unit of its own; names belong to the one that was written. */
	dwarf_diecu(&root, &cu, NULL, NULL);
	while (holder->is_inline && holder->outer)
		holder = holder->outer;
	*scope = (struct scope) { .obj = obj, .die = die, .cu = cu, .function = holder->die };
	site->obj = obj;
	site->kind = e->is_inline ? SITE_INLINE : SITE_FUNCTION;
	site->base_name = arena_strdup(a, e->name);
	site->linkage_name = e->linkage_name ? arena_strdup(a, e->linkage_name) : NULL;
	/* A listing answers in the words of the question: linkage names to `_Z...`, scopes to `ns::...`. */
	site->name = site->base_name;
	if (spec && wants_linkage(spec->func) && site->linkage_name)
		site->name = site->linkage_name;
	else if (spec && spec->nscope)
		site->name = scoped_name(e, a);
	site->file = die_decl_file(&die, a);
	site->decl_line = site->line = die_decl_line(&die);
	if (!site->file)
		site->name = name_of_unplaced(obj, e, site);
	site->listing = site->file ? arena_printf(a, "%s@%s:%u", site->name, site->file, site->line) : site->name;
	site->entry_addr = site->addr = e->entry_addr;
	site->nranges = die_ranges(&die, a, &ranges);
	site->ranges = ranges;
	site->exported = !e->is_inline && any_exported(obj, e->entry_addr);
	site->unit_name = dwarf_diename(&cu);
	site->id = e->die.addr;
	site->outer_id = e->outer ? e->outer->die.addr : NULL;
	site->scope = scope;
	return site;
}

static struct code_site *symbol_site_make(struct object *obj, const struct symbol_info *sym, struct arena *a)
{
	struct code_site *site = ARENA_NEW(a, struct code_site);

	site->obj = obj;
	site->kind = SITE_SYMBOL;
	site->name = site->base_name = site->listing = arena_strdup(a, sym->name);
	site->entry_addr = site->addr = sym->link_addr;
	site->exported = sym->exported;
	object_function_ranges(obj, sym->link_addr, a, &site->ranges, &site->nranges);
	return site;
}

/* ---------------------------------------------------------------------------------------------- the question */

struct search {
	struct object *obj;
	struct arena *arena;
	const struct func_query *q;
	struct spec spec;
	struct vec sites;
	struct ptr_map known;		/* entry address to the last struct known there */
	struct vec inline_only;		/* names matched only as inlined copies where entries were asked for */
};

static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

struct known {
	const struct code_site *site;
	struct known *next;
};

/* Take @site unless it is there: several DIEs with one entry count once, and inlined copies do when place, line, name
 * and file agree (A.7). */
static bool add_site(struct search *s, struct code_site *site)
{
	const void *key = (const void *)(uintptr_t)site->entry_addr;
	struct known *first = ptr_map_get(&s->known, key), *k;

	for (k = first; k; k = k->next) {
		const struct code_site *old = k->site;

		if (old->kind != SITE_INLINE && site->kind != SITE_INLINE)
			return false;
		if (old->kind == site->kind && old->line == site->line && same_text(old->name, site->name) &&
		    same_text(old->file, site->file))
			return false;
	}
	k = ARENA_NEW(s->arena, struct known);
	k->site = site;
	k->next = first;
	ptr_map_put(&s->known, s->arena, key, k);
	vec_push(&s->sites, s->arena, site);
	return true;
}

static bool variant_takes(enum func_variant v, const struct code_site *site)
{
	switch (v) {
	case FUNC_INLINE: return site->kind != SITE_FUNCTION;	/* ELF-only names pass, as in the reference */
	case FUNC_CALL:
	case FUNC_RETURN: return site->kind != SITE_INLINE;
	case FUNC_EXPORTED: return site->kind != SITE_INLINE && site->exported;
	default: return true;
	}
}

static void push_name_once(struct vec *names, struct arena *a, const char *name)
{
	for (unsigned i = 0; i < names->n; i++)
		if (strcmp(names->item[i], name) == 0)
			return;
	vec_push(names, a, (void *)name);
}

static void add_entry(struct search *s, const struct func_entry *e)
{
	struct code_site *site;

	if (e->is_inline && (s->q->variant == FUNC_CALL || s->q->variant == FUNC_RETURN ||
			     s->q->variant == FUNC_EXPORTED)) {
		push_name_once(&s->inline_only, s->arena, e->name);
		return;
	}
	if (!e->is_inline && s->q->variant == FUNC_INLINE)
		return;
	site = site_make(s->obj, e, s->q->spec ? &s->spec : NULL, s->arena);
	if (variant_takes(s->q->variant, site) && add_site(s, site) &&
	    !e->is_inline && s->q->variant != FUNC_RETURN)
		site->addr = skip_prologue(s->obj, e, s->q->prologue);
}

static void search_dwarf(struct search *s)
{
	const struct func_index *index = function_index(s->obj);
	bool as_listed = false;		/* `operator*' and its like are patterns only where they are no names of a listing */

	for (unsigned i = 0; i < index->entries.n && s->spec.lines == SPEC_ABSOLUTE && !as_listed; i++)
		as_listed = spec_names_function(s->obj, &s->spec, index->entries.item[i]);
	for (unsigned i = 0; i < index->entries.n; i++) {
		const struct func_entry *e = index->entries.item[i];

		if ((as_listed ? spec_names_function(s->obj, &s->spec, e) : spec_matches_function(s->obj, &s->spec, e)) &&
		    !is_split_part(s->obj, e))
			add_entry(s, e);
	}
}

/* The function with DWARF whose entry is @addr, if any: ELF aliases list as that. */
static const struct func_entry *entry_at(struct object *obj, uint64_t addr)
{
	return addr ? ptr_map_get(&function_index(obj)->by_entry, (const void *)(uintptr_t)addr) : NULL;
}

static bool symbol_wanted(const struct search *s, const struct symbol_info *sym)
{
	struct section section;

	if (sym->link_addr == 0 || !name_matches(s->spec.func, sym->name))
		return false;
	/* assembler may leave the type out; of local labels only those that are asked for by name count */
	if (!sym->is_function && (sym->is_object || sym->is_ifunc || (!sym->exported && has_glob(s->spec.func)) ||
				  !object_section_at(s->obj, sym->link_addr, &section) || !section.executable))
		return false;
	return strncmp(sym->name, "__pfx_", 6) != 0 || strstr(s->spec.func, "__pfx_") != NULL;
}

/* Names only the symbol table has; these take no scope and no file. */
static void search_symbols(struct search *s)
{
	unsigned n;
	const struct symbol_info *sym = object_symbols(s->obj, &n);

	if ((s->spec.file && !s->spec.version) || s->spec.nscope || s->spec.global_scope)
		return;
	for (unsigned i = 0; i < n; i++) {
		const struct func_entry *e;
		struct code_site *site;

		if (!symbol_wanted(s, &sym[i]) ||
		    (s->spec.version && !object_symbol_has_version(s->obj, &sym[i], s->spec.version)))
			continue;
		if (ptr_map_get(&s->known, (const void *)(uintptr_t)sym[i].link_addr))
			continue;
		/* An alias: `malloc` is what the linker calls __libc_malloc. */
		e = entry_at(s->obj, sym[i].link_addr);
		if (e && !is_split_part(s->obj, e)) {
			add_entry(s, e);
			continue;
		}
		site = symbol_site_make(s->obj, &sym[i], s->arena);
		if (variant_takes(s->q->variant, site))
			add_site(s, site);
	}
}

void miss_functions(struct object *obj, const char *asked, struct arena *a, struct di_miss *miss)
{
	const struct func_index *index = function_index(obj);
	struct vec names = { 0 };
	unsigned n;
	const struct symbol_info *sym = object_symbols(obj, &n);

	for (unsigned i = 0; i < index->entries.n; i++)
		vec_push(&names, a, (void *)((struct func_entry *)index->entries.item[i])->name);
	for (unsigned i = 0; i < n; i++)
		if (sym[i].is_function)
			vec_push(&names, a, (void *)sym[i].name);
	near_names(miss, "functions", asked, (const char *const *)names.item, names.n);
}

/* Functions of that name in other files than asked for. */
static void miss_files(struct search *s, struct di_miss *miss)
{
	const struct func_index *index = function_index(s->obj);
	struct spec anywhere = s->spec;

	anywhere.file = NULL;
	for (unsigned i = 0; i < index->entries.n && miss->nalt < DI_MAX_ALT; i++) {
		const struct func_entry *e = index->entries.item[i];
		const char *listing = spec_matches_function(s->obj, &anywhere, e) ? site_make(s->obj, e, &anywhere, s->arena)->listing :
				      NULL;
		bool known = !listing;

		for (unsigned k = 0; k < miss->nalt; k++)
			known |= listing && strcmp(miss->alt[k], listing) == 0;
		if (!known)
			miss->alt[miss->nalt++] = listing;
	}
	miss->alt_kind = "functions";
}

static int no_match(struct search *s, struct di_miss *miss)
{
	const struct func_query *q = s->q;

	if (!miss)
		return -ENOENT;
	if (s->inline_only.n) {
		return miss_set(miss, -ENOENT, DI_ONLY_INLINE,
				arena_printf(s->arena, "'%s' exists only inlined in '%s'", q->spec, s->obj->path));
	}
	if (s->spec.file && !object_dwarf(s->obj)) {
		return miss_set(miss, -ENOENT, DI_NO_DEBUGINFO,
				arena_printf(s->arena, "'%s' names a file, which needs debuginfo: %s", q->spec,
					     s->obj->debug_problem));
	}
	miss_set(miss, -ENOENT, DI_NO_MATCH,
		 arena_printf(s->arena, "no function '%s' in '%s'", q->spec, s->obj->path));
	if (s->spec.file)
		miss_files(s, miss);
	if (!miss->nalt)
		miss_functions(s->obj, s->spec.func, s->arena, miss);
	if (!miss->nalt)
		miss->hint = arena_printf(s->arena, "-l 'process(\"%s\").function(\"*\")' lists what there is", s->obj->path);
	return -ENOENT;
}

static int take_sites(struct search *s, struct site_list *out)
{
	out->site = (struct code_site **)s->sites.item;
	out->n = s->sites.n;
	out->inline_only = (const char **)s->inline_only.item;
	out->ninline_only = s->inline_only.n;
	return 0;
}

static int find_by_address(struct search *s, struct site_list *out, struct di_miss *miss)
{
	uint64_t addr = s->q->addr;
	const struct func_entry *e = innermost_function(s->obj, addr, s->q->variant == FUNC_ANY);
	struct symbol_info sym;

	if (e) {
		add_entry(s, e);
	} else if (object_symbol_at(s->obj, addr, &sym) && sym.is_function) {
		add_site(s, symbol_site_make(s->obj, &sym, s->arena));
	}
	if (s->sites.n)
		return take_sites(s, out);
	return miss_set(miss, -ENOENT, DI_NO_MATCH,
			arena_printf(s->arena, "no function at address 0x%llx in '%s'", (unsigned long long)addr,
				     s->obj->path));
}

/* Drop from the inline-only names those that also have an entry. */
static void prune_inline_only(struct search *s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->inline_only.n; i++) {
		bool has_entry = false;

		for (unsigned k = 0; k < s->sites.n && !has_entry; k++)
			has_entry = strcmp(((struct code_site *)s->sites.item[k])->base_name,
					   s->inline_only.item[i]) == 0;
		if (!has_entry)
			s->inline_only.item[kept++] = s->inline_only.item[i];
	}
	s->inline_only.n = kept;
}

/* `f@file:N`: exact where N is a declaration line; else N says nothing about functions (A.7). */
static void apply_line(struct search *s, struct site_list *out)
{
	unsigned kept = 0, line;

	if (s->spec.lines == SPEC_NO_LINE)
		return;
	line = s->spec.lines == SPEC_ABSOLUTE ? s->spec.range[0].lo : 0;
	for (unsigned i = 0; i < s->sites.n; i++) {
		struct code_site *site = s->sites.item[i];

		if (s->spec.lines == SPEC_ABSOLUTE && site->decl_line == line)
			s->sites.item[kept++] = site;
	}
	if (kept)
		s->sites.n = kept;
	else
		out->warning = "for a line inside a function use .statement(); the line is ignored here";
}

int find_functions(struct object *obj, const struct func_query *q, struct arena *a, struct site_list *out,
		   struct di_miss *miss)
{
	struct search s = { .obj = obj, .arena = a, .q = q };
	int err;

	memset(out, 0, sizeof(*out));
	if (!q->spec)
		return find_by_address(&s, out, miss);
	err = spec_parse(q->spec, a, &s.spec, miss);
	if (err)
		return err;
	if (s.spec.file || !s.spec.version)
		search_dwarf(&s);
	if (!s.spec.version || s.sites.n == 0)
		search_symbols(&s);
	prune_inline_only(&s);
	apply_line(&s, out);
	if (s.sites.n == 0)
		return no_match(&s, miss);
	return take_sites(&s, out);
}

const struct scope *scope_at(struct object *obj, uint64_t link_addr, struct arena *a)
{
	const struct func_entry *e = innermost_function(obj, link_addr, true);

	return e ? site_make(obj, e, NULL, a)->scope : NULL;
}
