/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line.c - line tables: where a function's prologue ends, and which statements a line means (probes.md A.8, C.4).
 *
 * Of each unit the records that begin a statement in a matching file are kept, by address; each matching function then
 * looks at those inside its own ranges.  Start at find_statements().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

bool record_at(Dwarf_Lines *lines, size_t i, struct record *r)
{
	Dwarf_Line *l = dwarf_onesrcline(lines, i);
	Dwarf_Addr addr;
	int number;

	if (!l || dwarf_lineaddr(l, &addr) != 0 || dwarf_lineno(l, &number) != 0 ||
	    dwarf_linebeginstatement(l, &r->is_stmt) != 0 || dwarf_lineprologueend(l, &r->prologue_end) != 0 ||
	    dwarf_lineendsequence(l, &r->end_sequence) != 0)
		return false;
	r->addr = addr;
	r->line = number > 0 ? number : 0;
	r->file = dwarf_linesrc(l, NULL, NULL);
	return true;
}

/* ---------------------------------------------------------------------------------------------- prologues */

static bool is_list_form(unsigned form)
{
	switch (form) {
	case DW_FORM_sec_offset: case DW_FORM_loclistx: case DW_FORM_data4: case DW_FORM_data8:
		return true;
	default:
		return false;
	}
}

/* Does any variable of the unit have a location list?  Compilers that optimise write them, -O0 does not. */
static bool any_list_below(Dwarf_Die *parent, int depth)
{
	enum { NESTING_MAX = 200 };
	Dwarf_Die die;

	if (depth > NESTING_MAX || dwarf_child(parent, &die) != 0)
		return false;
	do {
		Dwarf_Attribute attr;

		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			if (dwarf_attr(&die, DW_AT_location, &attr) && is_list_form(dwarf_whatform(&attr)))
				return true;
			break;
		case DW_TAG_subprogram: case DW_TAG_inlined_subroutine: case DW_TAG_lexical_block:
		case DW_TAG_try_block: case DW_TAG_catch_block: case DW_TAG_namespace:
			if (any_list_below(&die, depth + 1))
				return true;
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

static bool unit_has_lists(struct object *obj, Dwarf_Die *cu)
{
	static const char answers[2];
	const char *known = ptr_map_get(&obj->priv->unit_has_lists, cu->addr);

	if (!known) {
		known = &answers[any_list_below(cu, 0)];
		ptr_map_put(&obj->priv->unit_has_lists, obj->priv->arena, cu->addr, (void *)known);
	}
	return known == &answers[1];
}

/* gcc before 4.5 wrote location lists that are wrong inside prologues. */
static bool made_by_old_gcc(Dwarf_Die *cu)
{
	const char *producer = die_string(cu, DW_AT_producer), *version;
	unsigned major, minor;

	if (!producer || strncmp(producer, "GNU ", 4) != 0)
		return false;
	version = strpbrk(producer, "0123456789");
	return version && sscanf(version, "%u.%u", &major, &minor) == 2 && (major < 4 || (major == 4 && minor < 5));
}

/* The first record at @addr or above; dwarf_getsrclines() leaves them sorted by address.  @n: there is none. */
static size_t first_line_from(Dwarf_Lines *lines, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		Dwarf_Addr at = 0;

		dwarf_lineaddr(dwarf_onesrcline(lines, mid), &at);
		if (at < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint64_t skip_prologue(struct object *obj, const struct func_entry *e, enum prologue_mode mode)
{
	Dwarf_Die die = e->die, cu = e->cu;
	uint64_t found = e->entry_addr;
	bool at_entry = false;
	Dwarf_Lines *lines;
	struct record r;
	size_t n;

	if (mode == PROLOGUE_NEVER ||
	    (mode == PROLOGUE_AUTO && unit_has_lists(obj, &cu) && !made_by_old_gcc(&cu)) ||
	    dwarf_getsrclines(&cu, &lines, &n) != 0)
		return e->entry_addr;
	for (size_t i = first_line_from(lines, n, e->entry_addr); i < n; i++) {
		if (!record_at(lines, i, &r))
			continue;
		if (!at_entry && r.addr != e->entry_addr)
			break;
		if (r.end_sequence || !die_covers(&die, r.addr))
			break;
		found = r.addr;
		/* a second one at the entry: optimised code, whose body begins there */
		if (r.prologue_end || at_entry)
			break;
		at_entry = true;
	}
	return found;
}

/* ---------------------------------------------------------------------------------------------- one address */

bool unit_of(struct object *obj, uint64_t link_addr, Dwarf_Die *cu)
{
	Dwarf *dw = object_dwarf(obj);
	Dwarf_CU *unit = NULL;

	if (!dw)
		return false;
	if (dwarf_addrdie(dw, link_addr, cu))
		return true;
	/* Not every compiler writes .debug_aranges. */
	while (next_unit(dw, &unit, cu))
		if (die_covers(cu, link_addr))
			return true;
	return false;
}

bool source_line(struct object *obj, uint64_t link_addr, const char **file, unsigned *line)
{
	Dwarf_Line *l;
	Dwarf_Die cu;
	int number;

	if (!unit_of(obj, link_addr, &cu))
		return false;
	l = dwarf_getsrc_die(&cu, link_addr);
	if (!l || dwarf_lineno(l, &number) != 0)
		return false;
	*line = number > 0 ? number : 0;
	*file = unit_path(&cu, dwarf_linesrc(l, NULL, NULL), obj->priv->arena);
	return *file != NULL;
}

/* ---------------------------------------------------------------------------------------------- statements */

struct statement_search {
	struct object *obj;
	struct arena *arena;
	const struct stmt_query *q;
	struct spec spec;
	struct vec sites;
	struct ptr_map by_addr;		/* address to the struct taken there */
	/* of the unit being looked at: */
	const void *unit;
	struct record *record;
	unsigned nrecord;
	/* for a miss: */
	bool any_function;
	unsigned wanted, below, above;	/* nearest lines with records; 0: none */
};

struct taken {
	const struct func_entry *entry;
	unsigned at;			/* index in sites */
};

static void load_unit(struct statement_search *s, const struct func_entry *e)
{
	Dwarf_Die cu = e->cu;
	Dwarf_Lines *lines;
	size_t n;

	if (s->unit == cu.addr)
		return;
	s->unit = cu.addr;
	s->nrecord = 0;
	if (dwarf_getsrclines(&cu, &lines, &n) != 0)
		return;
	s->record = ARENA_ARRAY(s->arena, struct record, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct record *r = &s->record[s->nrecord];

		if (record_at(lines, i, r) && r->is_stmt && !r->end_sequence && r->file &&
		    (!s->spec.file || file_matches(s->spec.file, r->file)))
			s->nrecord++;
	}
}

static unsigned first_record_from(const struct statement_search *s, uint64_t addr)
{
	unsigned lo = 0, hi = s->nrecord;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (s->record[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_inside(const struct func_entry *e, const struct func_entry *outer)
{
	for (; e; e = e->outer)
		if (e == outer)
			return true;
	return false;
}

/* One probe an address, in the name of the innermost function there. */
static void take_statement(struct statement_search *s, const struct func_entry *e, uint64_t addr, unsigned line)
{
	const void *key = (const void *)(uintptr_t)addr;
	struct taken *t = ptr_map_get(&s->by_addr, key);
	struct code_site *site;

	if (!addr || (t && !is_inside(e, t->entry)))
		return;
	site = site_make(s->obj, e, &s->spec, s->arena);
	site->addr = addr;
	site->line = line;
	if (site->file)
		site->listing = arena_printf(s->arena, "%s@%s:%u", site->name, site->file, line);
	if (t) {
		t->entry = e;
		s->sites.item[t->at] = site;
		return;
	}
	t = ARENA_NEW(s->arena, struct taken);
	t->entry = e;
	t->at = s->sites.n;
	ptr_map_put(&s->by_addr, s->arena, key, t);
	vec_push(&s->sites, s->arena, site);
}

static void note_near(struct statement_search *s, unsigned line)
{
	if (line < s->wanted && line > s->below)
		s->below = line;
	if (line > s->wanted && (!s->above || line < s->above))
		s->above = line;
}

/* The lowest address in @e with a record of @line of the function's own file; 0: none. */
static uint64_t lowest_record(struct statement_search *s, const struct func_entry *e, unsigned line)
{
	Dwarf_Die die = e->die, cu;
	const char *own = die_file_text(s->obj, &die, &cu);
	struct addr_range *range;
	unsigned n = die_ranges(&die, s->arena, &range);
	uint64_t lowest = 0;

	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = first_record_from(s, range[i].lo); k < s->nrecord; k++) {
			const struct record *r = &s->record[k];

			if (r->addr >= range[i].hi)
				break;
			if (own && strcmp(own, r->file) != 0)
				continue;
			if (r->line == line && (!lowest || r->addr < lowest))
				lowest = r->addr;
			else
				note_near(s, r->line);
		}
	}
	return lowest;
}

/* `:*`: each line once, from the function's first record on, until the records leave it. */
static void take_all_lines(struct statement_search *s, const struct func_entry *e)
{
	Dwarf_Die die = e->die, cu;
	const char *own = die_file_text(s->obj, &die, &cu);

	for (unsigned k = first_record_from(s, e->entry_addr); k < s->nrecord; k++) {
		const struct record *r = &s->record[k];
		bool seen = false;

		if (!die_covers(&die, r->addr))
			break;
		if (r->line == 0 || (own && strcmp(own, r->file) != 0))
			continue;
		for (unsigned i = s->sites.n; i-- > 0 && !seen; ) {
			const struct code_site *old = s->sites.item[i];

			seen = old->line == r->line && old->scope->die.addr == die.addr;
		}
		if (!seen)
			take_statement(s, e, r->addr, r->line);
	}
}

static void take_lines(struct statement_search *s, const struct func_entry *e, unsigned shift)
{
	Dwarf_Die die = e->die;

	for (unsigned i = 0; i < s->spec.nrange; i++) {
		unsigned add = s->spec.lines == SPEC_RELATIVE ? die_decl_line(&die) : 0;
		uint64_t hi = (uint64_t)s->spec.range[i].hi + add, lo = (uint64_t)s->spec.range[i].lo + add;

		if (hi - lo > 1000000)
			hi = lo + 1000000;
		for (uint64_t line = lo; line <= hi; line++) {
			uint64_t addr;

			s->wanted = line + shift;
			addr = lowest_record(s, e, line + shift);
			if (addr)
				take_statement(s, e, addr, line);
		}
	}
}

/* @shift moves every wanted line, for .nearest. */
static void search_statements(struct statement_search *s, unsigned shift)
{
	struct func_iter it = functions_of(s->obj, &s->spec, s->arena);
	const struct func_entry *e;

	while ((e = functions_next(&it))) {
		Dwarf_Die die = e->die;

		if (!spec_matches_function(s->obj, &s->spec, e))
			continue;
		s->any_function = true;
		if (s->spec.lines == SPEC_NO_LINE) {
			take_statement(s, e, e->entry_addr, die_decl_line(&die));
			continue;
		}
		load_unit(s, e);
		if (s->spec.lines == SPEC_ALL_LINES)
			take_all_lines(s, e);
		else
			take_lines(s, e, shift);
	}
}

/* Lines within 5, nearer ones first, of two equally near ones the higher (A.8). */
static void search_nearest(struct statement_search *s)
{
	enum { REACH = 5 };

	for (int distance = 1; distance <= REACH && s->sites.n == 0; distance++) {
		search_statements(s, distance);
		if (s->sites.n == 0)
			search_statements(s, -(unsigned)distance);
	}
}

static void offer_line(struct statement_search *s, struct di_miss *miss, unsigned line)
{
	enum { REACH = 5 };

	if (line && line + REACH >= s->wanted && line <= s->wanted + REACH)
		miss->alt[miss->nalt++] = arena_printf(s->arena, ":%u", line);
}

static int no_statement(struct statement_search *s, struct di_miss *miss)
{
	if (!object_dwarf(s->obj))
		return miss_set(miss, -ENOENT, DI_NO_DEBUGINFO, arena_printf(s->arena, "'%s' needs debuginfo: %s",
				s->q->spec, s->obj->debug_problem));
	if (!s->any_function) {
		miss_set(miss, -ENOENT, DI_NO_MATCH, arena_printf(s->arena, "no function '%s' in '%s'", s->q->spec,
								   s->obj->path));
		if (miss)
			miss_functions(s->obj, s->spec.func, s->arena, miss);
		return -ENOENT;
	}
	miss_set(miss, -ENOENT, DI_NO_LINE, arena_printf(s->arena, "no line records for %s:%u",
							  s->spec.file ? s->spec.file : s->spec.func, s->wanted));
	if (miss) {
		miss->alt_kind = "lines";
		offer_line(s, miss, s->below);
		offer_line(s, miss, s->above);
		if (!miss->nalt && (s->below || s->above))
			miss->hint = arena_printf(s->arena, "the nearest line of its code is :%u",
						  s->above && (!s->below || s->above - s->wanted < s->wanted - s->below) ?
						  s->above : s->below);
	}
	return -ENOENT;
}

/* ---------------------------------------------------------------------------------------------- statement(ADDR) */

static int not_a_statement(struct statement_search *s, const struct record *before, struct di_miss *miss)
{
	miss_set(miss, -ENOENT, DI_NOT_STATEMENT, arena_printf(s->arena,
		 "address 0x%llx does not match the beginning of a statement", (unsigned long long)s->q->addr));
	if (miss && before) {
		miss->alt_kind = "addresses";
		miss->alt[miss->nalt++] = arena_printf(s->arena, "0x%llx", (unsigned long long)before->addr);
	}
	return -ENOENT;
}

static int find_by_address(struct statement_search *s, struct site_list *out, struct di_miss *miss)
{
	uint64_t addr = s->q->addr;
	const struct func_entry *e = innermost_function(s->obj, addr, true);
	const struct record *r = NULL;
	unsigned at;

	if (!e)
		return miss_set(miss, -ENOENT, object_dwarf(s->obj) ? DI_NO_MATCH : DI_NO_DEBUGINFO,
				arena_printf(s->arena, "no function with debuginfo covers address 0x%llx in '%s'",
					     (unsigned long long)addr, s->obj->path));
	load_unit(s, e);
	at = first_record_from(s, addr);
	if (at < s->nrecord && s->record[at].addr == addr) {
		r = &s->record[at];
	} else {
		r = at > 0 ? &s->record[at - 1] : NULL;
		if (!s->q->any_address)
			return not_a_statement(s, r, miss);
		out->warning = arena_printf(s->arena, "address 0x%llx does not match the beginning of a statement",
					    (unsigned long long)addr);
	}
	take_statement(s, e, addr, r ? r->line : 0);
	return 0;
}

int find_statements(struct object *obj, const struct stmt_query *q, struct arena *a, struct site_list *out,
		    struct di_miss *miss)
{
	struct statement_search s = { .obj = obj, .arena = a, .q = q };
	int err;

	memset(out, 0, sizeof(*out));
	if (q->spec) {
		err = spec_parse(q->spec, a, &s.spec, miss);
		if (err)
			return err;
		search_statements(&s, 0);
		if (q->nearest && s.sites.n == 0 && s.spec.lines == SPEC_ABSOLUTE)
			search_nearest(&s);
		if (s.sites.n == 0)
			return no_statement(&s, miss);
	} else {
		err = find_by_address(&s, out, miss);
		if (err)
			return err;
	}
	out->site = (struct code_site **)s.sites.item;
	out->n = s.sites.n;
	return 0;
}
