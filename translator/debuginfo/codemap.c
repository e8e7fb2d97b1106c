/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codemap.c - what each address of an object's code was made of: inlined copies and source lines, for the runtime's tables.
 *
 * Nested copies become places one after the other, each with the innermost copy there; lines are merged into them.  Start at
 * object_code_map().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

struct places {
	struct code_place *p;
	unsigned n, room;
	struct arena *a;
};

/* A place from @p.addr on, until the next; of two at one address the later one holds. */
static void add_place(struct places *list, struct code_place p)
{
	if (list->n && list->p[list->n - 1].addr == p.addr) {
		list->p[list->n - 1] = p;
		return;
	}
	if (list->n == list->room) {
		struct code_place *more = ARENA_ARRAY(list->a, struct code_place, 2 * list->room + 64);

		if (list->n)
			memcpy(more, list->p, list->n * sizeof(*more));
		list->p = more;
		list->room = 2 * list->room + 64;
	}
	list->p[list->n++] = p;
}

/* ---------------------------------------------------------------------------------------------- copies */

/* A stretch of one copy's code; copies are numbered outer before inner, from 1. */
struct stretch {
	uint64_t lo, hi;
	unsigned copy;
};

static int by_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->copy < y->copy ? -1 : x->copy > y->copy;
}

static const char *call_file(struct object *obj, const struct func_entry *e)
{
	Dwarf_Die cu = e->cu, die = e->die;
	uint64_t number;

	return die_unsigned(&die, DW_AT_call_file, &number) ? unit_file(obj, &cu, number) : NULL;
}

static unsigned call_line(const struct func_entry *e)
{
	Dwarf_Die die = e->die;
	uint64_t line;

	return die_unsigned(&die, DW_AT_call_line, &line) ? (unsigned)line : 0;
}

/* Bytes from @entry to the end of the last part behind it. */
static uint64_t extent(const struct addr_range *r, unsigned n, uint64_t entry)
{
	uint64_t end = entry;

	for (unsigned i = 0; i < n; i++)
		if (r[i].hi > end)
			end = r[i].hi;
	return end - entry;
}

static struct vec inlined_functions(struct object *obj, struct arena *a)
{
	struct func_iter it = functions_of(obj, NULL, a);
	struct vec inlined = { 0 };
	const struct func_entry *e;

	while ((e = functions_next(&it)))
		if (e->is_inline)
			vec_push(&inlined, a, (void *)(uintptr_t)e);
	return inlined;
}

/* The copies, and their stretches; *n counts the latter. */
static struct stretch *find_copies(struct object *obj, struct arena *a, struct code_map *out, unsigned *n)
{
	struct vec inlined = inlined_functions(obj, a);
	struct inline_copy *copies = ARENA_ARRAY(a, struct inline_copy, inlined.n + 1);
	struct ptr_map numbers = { 0 };
	struct addr_range **ranges = ARENA_ARRAY(a, struct addr_range *, inlined.n + 1);
	unsigned *nranges = ARENA_ARRAY(a, unsigned, inlined.n + 1), all = 0, at = 0;
	struct stretch *list;

	for (unsigned i = 0; i < inlined.n; i++) {
		const struct func_entry *e = inlined.item[i];
		unsigned k = out->ncopies;
		Dwarf_Die die = e->die;

		if (!(nranges[k] = die_ranges(&die, a, &ranges[k])))
			continue;
		copies[k] = (struct inline_copy){
			.name = e->linkage_name ? e->linkage_name : e->name, .lo = e->entry_addr,
			.outer = e->outer ? (unsigned)(uintptr_t)ptr_map_get(&numbers, e->outer) : 0,
			.size = extent(ranges[k], nranges[k], e->entry_addr), .call_file = call_file(obj, e), .call_line = call_line(e),
		};
		all += nranges[k];
		ptr_map_put(&numbers, a, e, (void *)(uintptr_t)++out->ncopies);
	}
	list = ARENA_ARRAY(a, struct stretch, all + 1);
	for (unsigned k = 0; k < out->ncopies; k++)
		for (unsigned r = 0; r < nranges[k]; r++)
			list[at++] = (struct stretch){ ranges[k][r].lo, ranges[k][r].hi, k + 1 };
	out->copies = copies;
	*n = all;
	return list;
}

/* Takes stretches that end at or before @addr off the stack: what is below goes on. */
static void leave(struct places *list, struct stretch *stack, unsigned *depth, uint64_t addr)
{
	while (*depth && stack[*depth - 1].hi <= addr) {
		uint64_t end = stack[--*depth].hi;

		while (*depth && stack[*depth - 1].hi <= end)
			--*depth;
		add_place(list, (struct code_place){ .addr = end, .copy = *depth ? stack[*depth - 1].copy : 0 });
	}
}

static void nest(struct places *list, struct stretch *s, unsigned n)
{
	enum { DEPTH = 256 };
	struct stretch stack[DEPTH];
	unsigned depth = 0;

	qsort(s, n, sizeof(*s), by_start);
	for (unsigned i = 0; i < n; i++) {
		leave(list, stack, &depth, s[i].lo);
		if (depth == DEPTH)
			continue;
		add_place(list, (struct code_place){ .addr = s[i].lo, .copy = s[i].copy });
		stack[depth++] = s[i];
	}
	leave(list, stack, &depth, UINT64_MAX);
}

/* ---------------------------------------------------------------------------------------------- lines */

struct line_row {
	uint64_t addr;
	const char *file;		/* NULL: nothing is known from here on */
	unsigned line, order;
};

static int by_addr(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (!x->file != !y->file)
		return !x->file ? -1 : 1;	/* the end of one unit's code is the start of another's */
	return x->order < y->order ? -1 : x->order > y->order;
}

static unsigned count_lines(Dwarf *dw)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu;
	Dwarf_Lines *lines;
	size_t n;
	unsigned all = 0;

	while (next_unit(dw, &unit, &cu))
		if (dwarf_getsrclines(&cu, &lines, &n) == 0)
			all += (unsigned)n;
	return all;
}

static struct line_row *find_lines(Dwarf *dw, struct arena *a, unsigned *n)
{
	unsigned room = count_lines(dw);
	struct line_row *rows = ARENA_ARRAY(a, struct line_row, room + 1);
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu;
	Dwarf_Lines *lines;
	size_t of_unit;

	*n = 0;
	while (next_unit(dw, &unit, &cu)) {
		if (dwarf_getsrclines(&cu, &lines, &of_unit) != 0)
			continue;
		for (size_t i = 0; i < of_unit && *n < room; i++) {
			struct record r;

			if (!record_at(lines, i, &r))
				continue;
			rows[*n] = (struct line_row){ r.addr, r.end_sequence ? NULL : unit_path(&cu, r.file, a), r.line, *n };
			++*n;
		}
	}
	qsort(rows, *n, sizeof(*rows), by_addr);
	return rows;
}

static void merge(struct places *into, const struct places *copies, const struct line_row *rows, unsigned nrows)
{
	struct code_place now = { 0 };
	unsigned i = 0, k = 0;

	while (i < copies->n || k < nrows) {
		if (k == nrows || (i < copies->n && copies->p[i].addr <= rows[k].addr)) {
			now.addr = copies->p[i].addr;
			now.copy = copies->p[i++].copy;
		} else {
			now.addr = rows[k].addr;
			now.file = rows[k].file;
			now.line = rows[k].file ? rows[k].line : 0;
			k++;
		}
		add_place(into, now);
	}
}

void object_code_map(struct object *obj, bool with_lines, struct arena *a, struct code_map *out)
{
	struct places copies = { .a = a }, all = { .a = a };
	unsigned n, nrows = 0;
	struct line_row *rows = NULL;
	struct stretch *list;

	*out = (struct code_map){ 0 };
	if (!object_dwarf(obj))
		return;
	list = find_copies(obj, a, out, &n);
	nest(&copies, list, n);
	if (with_lines)
		rows = find_lines(object_dwarf(obj), a, &nrows);
	merge(&all, &copies, rows, nrows);
	out->places = all.p;
	out->nplaces = all.n;
}
