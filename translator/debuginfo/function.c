/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function.c - the functions of an object and which of them a probe point means.
 *
 * units.c knows every function with code and every inlined copy.  find_functions() filters those by spec and variant,
 * drops what is already there, and falls back to the symbol table for names without DWARF.  Start there.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

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
static bool in_file(struct object *obj, const char *pattern, const struct func_entry *e)
{
	Dwarf_Die die = e->die, cu;
	const char *path = die_file_text(obj, &die, &cu), *base = strrchr(pattern, '/'), *own;

	if (!path || file_matches(pattern, path))
		return path != NULL;
	if (*path == '/' || !base)
		return false;
	own = strrchr(path, '/');
	return name_matches(base + 1, own ? own + 1 : path) && file_matches(pattern, unit_path(&cu, path, obj->priv->arena));
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

bool spec_matches_function(struct object *obj, const struct spec *spec, const struct func_entry *e)
{
	const char *name = wants_linkage(spec->func) ? e->linkage_name : e->name;

	if (!name || !name_matches(spec->func, name) ||
	    ((spec->nscope || spec->global_scope) && !scope_matches(spec, function_scope(obj, e), false)))
		return false;
	return !spec->file || in_file(obj, spec->file, e);
}

/* A line of a listing: letter for letter a function's name, with the file and the line where that was declared. */
static bool spec_names_function(struct object *obj, const struct spec *spec, const struct func_entry *e)
{
	const char *name = wants_linkage(spec->func) ? e->linkage_name : e->name;
	Dwarf_Die die = e->die;
	const char *file;

	if (spec->lines != SPEC_ABSOLUTE || !name || strcmp(spec->func, name) != 0 ||
	    !scope_matches(spec, function_scope(obj, e), true) ||
	    die_decl_line(&die) != spec->range[0].lo)
		return false;
	file = die_decl_file(obj, &die, obj->priv->arena);
	return file && strcmp(file, spec->file) == 0;
}

/* A part split off a function (`f.part.0`); its head is found where it was inlined (A.7). */
static bool is_split_part(struct object *obj, const struct func_entry *e)
{
	const struct symbol_info *sym = NULL;
	bool is_part = false;

	while (!e->is_inline && (sym = symbol_starting_at(obj, e->entry_addr, sym))) {
		is_part = strstr(sym->name, ".part.") != NULL;
		if (!is_part)
			break;		/* the linker has folded it with a function of the same code */
	}
	return is_part;
}

/* ---------------------------------------------------------------------------------------------- sites */

static const char *scoped_name(struct object *obj, const struct func_entry *e, struct arena *a)
{
	const char *name = e->name;

	for (const struct scope_name *s = function_scope(obj, e); s; s = s->up)
		if (*s->name)
			name = arena_printf(a, "%s::%s", s->name, name);
	return name;
}

static bool any_exported(struct object *obj, uint64_t addr)
{
	const struct symbol_info *sym = NULL;

	while ((sym = symbol_starting_at(obj, addr, sym)))
		if (sym->exported && (sym->is_function || sym->is_ifunc))
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

/* What all inlined copies of a function say alike. */
struct origin {
	const char *name, *file, *listing;
	unsigned line;
};

static struct origin *origin_of(struct object *obj, const struct func_entry *e)
{
	struct object_priv *p = obj->priv;
	Dwarf_Die die = e->die, from;
	struct origin *o;

	if (!e->is_inline || !die_ref(&die, DW_AT_abstract_origin, &from))
		return ARENA_NEW(p->arena, struct origin);
	o = ptr_map_get(&p->origins, from.addr);
	if (!o) {
		o = ARENA_NEW(p->arena, struct origin);
		ptr_map_put(&p->origins, p->arena, from.addr, o);
	}
	return o;
}

/* The place in the source, and with it the text of a listing. */
static void place_site(struct code_site *site, const struct func_entry *e)
{
	struct object *obj = site->obj;
	struct origin *o = origin_of(obj, e);
	struct arena *own = obj->priv->arena;
	Dwarf_Die die = e->die;

	if (!o->name || strcmp(o->name, site->name) != 0) {
		o->name = site->name;
		o->file = die_decl_file(obj, &die, own);
		o->line = die_decl_line(&die);
		if (!o->file)
			o->name = name_of_unplaced(obj, e, site);
		o->listing = o->file ? arena_printf(own, "%s@%s:%u", o->name, o->file, o->line) : o->name;
	}
	site->name = o->name;
	site->file = o->file;
	site->decl_line = site->line = o->line;
	site->listing = o->listing;
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
	site->base_name = e->name;
	site->linkage_name = e->linkage_name;
	/* A listing answers in the words of the question: linkage names to `_Z...`, scopes to `ns::...`. */
	site->name = site->base_name;
	if (spec && wants_linkage(spec->func) && site->linkage_name)
		site->name = site->linkage_name;
	else if (spec && spec->nscope)
		site->name = scoped_name(obj, e, obj->priv->arena);
	place_site(site, e);
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
	struct func_iter it = functions_of(s->obj, &s->spec, s->arena);
	bool as_listed = false;		/* `operator*' and its like are patterns only where they are no names of a listing */
	const struct func_entry *e;

	while (s->spec.lines == SPEC_ABSOLUTE && !as_listed && (e = functions_next(&it)))
		as_listed = spec_names_function(s->obj, &s->spec, e);
	it = functions_of(s->obj, &s->spec, s->arena);
	while ((e = functions_next(&it)))
		if ((as_listed ? spec_names_function(s->obj, &s->spec, e) : spec_matches_function(s->obj, &s->spec, e)) &&
		    !is_split_part(s->obj, e))
			add_entry(s, e);
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
	const struct symbol_info *sym;
	unsigned n;

	if ((s->spec.file && !s->spec.version) || s->spec.nscope || s->spec.global_scope)
		return;
	sym = has_glob(s->spec.func) ? object_symbols(s->obj, &n) :
	      symbols_of_name(s->obj, s->spec.func, s->arena, &n);
	for (unsigned i = 0; i < n; i++) {
		const struct func_entry *e;
		struct code_site *site;

		if (!symbol_wanted(s, &sym[i]) ||
		    (s->spec.version && !object_symbol_has_version(s->obj, &sym[i], s->spec.version)))
			continue;
		if (ptr_map_get(&s->known, (const void *)(uintptr_t)sym[i].link_addr))
			continue;
		/* An alias: `malloc` is what the linker calls __libc_malloc. */
		e = function_entered_at(s->obj, sym[i].link_addr);
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
	struct vec names = { 0 };
	unsigned n;
	const struct symbol_info *sym = object_symbols(obj, &n);

	function_names(obj, &names, a);
	for (unsigned i = 0; i < n; i++)
		if (sym[i].is_function)
			vec_push(&names, a, (void *)sym[i].name);
	near_names(miss, "functions", asked, (const char *const *)names.item, names.n);
}

/* Functions of that name in other files than asked for. */
static void miss_files(struct search *s, struct di_miss *miss)
{
	struct spec anywhere = s->spec;
	const struct func_entry *e;
	struct func_iter it;

	anywhere.file = NULL;
	it = functions_of(s->obj, &anywhere, s->arena);
	while (miss->nalt < DI_MAX_ALT && (e = functions_next(&it))) {
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
