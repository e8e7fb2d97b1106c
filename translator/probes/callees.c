/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callees: the direct calls in a function's code, and the copies inlined into it.
 *
 * Calls are read off the instructions rather than from DWARF's call sites, which are there only in optimised code and only
 * from some compilers.  A call within an inlined copy is a call by the copy.  Start reading at find_callees().
 */
#include "probes/callees.h"
#include "probes/exits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WALKS = 20000 };		/* functions looked into: more levels over more calls than that are a mistake */

struct callee_walk {
	struct object *obj;
	struct arena *a;
	struct site_list called;	/* what the specification names with an entry, by entry address */
	struct site_list copies;	/* all inlined copies, by the function they lie in */
	struct site_list named;		/* those copies that the specification names, by identity */
	const struct plt_entry *plt;	/* by address */
	unsigned nplt;
	struct callee_list *out;
	struct callee **tail;
	unsigned walks;
};

/* ---- lists to look things up in ---- */

static int by_number(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

static int by_entry(const void *x, const void *y)
{
	const struct code_site *const *a = x, *const *b = y;

	return by_number((*a)->entry_addr, (*b)->entry_addr);
}

static int by_outer(const void *x, const void *y)
{
	const struct code_site *const *a = x, *const *b = y;

	return by_number((uintptr_t)(*a)->outer_id, (uintptr_t)(*b)->outer_id);
}

static int by_id(const void *x, const void *y)
{
	const struct code_site *const *a = x, *const *b = y;

	return by_number((uintptr_t)(*a)->id, (uintptr_t)(*b)->id);
}

static int by_plt_address(const void *x, const void *y)
{
	return by_number(((const struct plt_entry *)x)->addr, ((const struct plt_entry *)y)->addr);
}

static const struct code_site *look_up(const struct site_list *list, const struct code_site *key,
				       int (*order)(const void *, const void *))
{
	struct code_site **found = list->n ? bsearch(&key, list->site, list->n, sizeof(*list->site), order) : NULL;

	return found ? *found : NULL;
}

/* Functions that are called at @target; through the linkage table, where they are of this object. */
static const struct code_site *function_called(struct callee_walk *w, uint64_t target)
{
	struct plt_entry key = { .addr = target };
	const struct plt_entry *plt = w->nplt ? bsearch(&key, w->plt, w->nplt, sizeof(key), by_plt_address) : NULL;
	struct code_site entry = { .entry_addr = target };
	struct symbol_info symbol;

	if (plt && plt->name && object_symbol_named(w->obj, plt->name, &symbol))
		entry.entry_addr = symbol.link_addr;
	return look_up(&w->called, &entry, by_entry);
}

/* The copies that lie in @outer itself: *n of them, one behind the other. */
static struct code_site **copies_in(struct callee_walk *w, const struct code_site *outer, unsigned *n)
{
	struct code_site key = { .outer_id = outer->id };
	const struct code_site *pkey = &key;
	struct code_site **first, **end = w->copies.site + w->copies.n, **last;

	*n = 0;
	first = outer->id && w->copies.n ? bsearch(&pkey, w->copies.site, w->copies.n, sizeof(*first), by_outer) : NULL;
	if (!first)
		return NULL;
	while (first > w->copies.site && first[-1]->outer_id == outer->id)
		first--;
	for (last = first; last < end && (*last)->outer_id == outer->id; last++)
		;
	*n = last - first;
	return first;
}

/* ---- what was found ---- */

static bool same_chain(const struct call_chain *x, const struct call_chain *y)
{
	return x->n == y->n && !memcmp(x->ret, y->ret, x->n * sizeof(x->ret[0]));
}

static void add_callee(struct callee_walk *w, const struct code_site *caller, const struct code_site *site, uint64_t jump,
		       const struct call_chain *chain)
{
	struct callee *c;
	struct call_chain *k;

	for (c = w->out->first; c; c = c->next)
		if (c->caller == caller && c->site == site && c->jump == jump)
			break;
	if (!c) {
		c = ARENA_NEW(w->a, struct callee);
		*c = (struct callee){ .caller = caller, .site = site, .jump = jump };
		*w->tail = c;
		w->tail = &c->next;
	}
	for (k = c->chains; k; k = k->next)
		if (same_chain(k, chain))
			return;
	k = ARENA_NEW(w->a, struct call_chain);
	*k = *chain;
	k->next = c->chains;
	c->chains = k;
}

/* ---- the walk ---- */

static bool covers(const struct code_site *site, uint64_t addr)
{
	for (unsigned i = 0; i < site->nranges; i++)
		if (addr >= site->ranges[i].lo && addr < site->ranges[i].hi)
			return true;
	return false;
}

/* Whether the instruction is of @site itself, of no copy inlined into it. */
static bool is_own(const struct code_site *site, struct code_site *const *copies, unsigned n, uint64_t addr)
{
	if (site->kind == SITE_INLINE && !covers(site, addr))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (covers(copies[i], addr))
			return false;
	return true;
}

static int walk(struct callee_walk *w, const struct code_site *caller, const struct call_chain *chain, unsigned depth,
		struct di_miss *miss);

static int walk_calls(struct callee_walk *w, const struct code_site *caller, const struct exit_list *exits,
		      struct code_site **copies, unsigned ncopies, const struct call_chain *chain, unsigned depth,
		      struct di_miss *miss)
{
	struct call_chain longer = { .n = chain->n + 1 };

	memcpy(&longer.ret[1], chain->ret, chain->n * sizeof(chain->ret[0]));
	for (unsigned i = 0; i < exits->ncalls; i++) {
		const struct call_place *call = &exits->call[i];
		const struct code_site *site = function_called(w, call->target);
		int err;

		if (!site || !is_own(caller, copies, ncopies, call->addr))
			continue;
		longer.ret[0] = call->ret;
		add_callee(w, caller, site, 0, &longer);
		err = depth > 1 ? walk(w, site, &longer, depth - 1, miss) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* A tail call leaves its caller's return address to the callee. */
static int walk_tails(struct callee_walk *w, const struct code_site *caller, const struct exit_list *exits,
		      struct code_site **copies, unsigned ncopies, const struct call_chain *chain, unsigned depth,
		      struct di_miss *miss)
{
	for (unsigned i = 0; i < exits->n; i++) {
		const struct exit_place *exit = &exits->exit[i];
		const struct code_site *site = exit->target ? function_called(w, exit->target) : NULL;
		int err;

		if (!site || caller->kind == SITE_INLINE || !is_own(caller, copies, ncopies, exit->addr))
			continue;
		if (exit->kind == EXIT_TAIL_IF) {
			w->out->conditional++;
			continue;
		}
		add_callee(w, caller, site, exit->addr, chain);
		err = depth > 1 ? walk(w, site, chain, depth - 1, miss) : 0;
		if (err)
			return err;
	}
	return 0;
}

static int walk(struct callee_walk *w, const struct code_site *caller, const struct call_chain *chain, unsigned depth,
		struct di_miss *miss)
{
	const struct addr_range *ranges;
	struct exit_list exits;
	struct code_site **copies;
	unsigned n, ncopies;
	int err;

	if (++w->walks > MAX_WALKS || chain->n == MAX_CALL_LEVELS) {
		*miss = (struct di_miss){ .reason = DI_UNSUPPORTED, .text = "these are too many calls over too many levels" };
		return -EINVAL;
	}
	copies = copies_in(w, caller, &ncopies);
	err = object_function_ranges(w->obj, caller->entry_addr, w->a, &ranges, &n);
	if (err || function_exits(w->obj, ranges[0].lo, ranges, n, w->a, &exits, miss))
		return 0;		/* no code that can be read: it is known to call nothing */
	err = walk_calls(w, caller, &exits, copies, ncopies, chain, depth, miss);
	if (!err)
		err = walk_tails(w, caller, &exits, copies, ncopies, chain, depth, miss);
	for (unsigned i = 0; i < ncopies && !err; i++) {
		if (look_up(&w->named, copies[i], by_id))
			add_callee(w, caller, copies[i], 0, chain);
		err = depth > 1 ? walk(w, copies[i], chain, depth - 1, miss) : 0;
	}
	return err;
}

/* ---- the question ---- */

static void ask(struct callee_walk *w, const char *spec, enum func_variant variant, struct site_list *out,
		int (*order)(const void *, const void *), struct di_miss *miss)
{
	struct func_query q = { .spec = spec, .variant = variant };

	if (find_functions(w->obj, &q, w->a, out, miss))
		out->n = 0;
	if (out->n)
		qsort(out->site, out->n, sizeof(*out->site), order);
}

static void ask_plt(struct callee_walk *w)
{
	struct di_miss ignored = { 0 };
	const struct plt_entry *plt;
	struct plt_entry *sorted;

	if (find_plt(w->obj, "*", w->a, &plt, &w->nplt, &ignored))
		w->nplt = 0;
	if (!w->nplt)
		return;
	sorted = ARENA_ARRAY(w->a, struct plt_entry, w->nplt);
	memcpy(sorted, plt, w->nplt * sizeof(*plt));
	qsort(sorted, w->nplt, sizeof(*sorted), by_plt_address);
	w->plt = sorted;
}

static int nothing_called(struct callee_walk *w, const struct site_list *callers, const char *spec, struct di_miss *miss)
{
	struct callee_list all = { 0 };
	const char **names;
	unsigned n = 0;
	struct di_miss ignored = { 0 };

	*miss = (struct di_miss){ .reason = DI_NO_MATCH };
	miss->text = arena_printf(w->a, "no call of '%s' in function '%s' of '%s'", spec,
				  callers->n ? callers->site[0]->name : "", w->obj->path);
	if (!strcmp(spec, "*") || find_callees(w->obj, callers, "*", FUNC_ANY, 1, w->a, &all, &ignored))
		return -ENOENT;
	for (const struct callee *c = all.first; c; c = c->next)
		n++;
	names = ARENA_ARRAY(w->a, const char *, n + 1);
	n = 0;
	for (const struct callee *c = all.first; c; c = c->next)
		names[n++] = c->site->base_name;
	near_names(miss, "callees", spec, names, n);
	return -ENOENT;
}

int find_callees(struct object *obj, const struct site_list *callers, const char *spec, enum func_variant variant,
		 unsigned depth, struct arena *a, struct callee_list *out, struct di_miss *miss)
{
	struct callee_walk w = { .obj = obj, .a = a, .out = out, .tail = &out->first };
	struct call_chain none = { .n = 0 };
	struct di_miss ignored = { 0 };

	*out = (struct callee_list){ 0 };
	ask(&w, spec, FUNC_CALL, &w.called, by_entry, &ignored);
	ask(&w, "*", FUNC_INLINE, &w.copies, by_outer, &ignored);
	if (variant == FUNC_ANY)
		ask(&w, spec, FUNC_INLINE, &w.named, by_id, &ignored);
	ask_plt(&w);
	for (unsigned i = 0; i < callers->n; i++) {
		int err = walk(&w, callers->site[i], &none, depth, miss);

		if (err)
			return err;
	}
	return out->first ? 0 : nothing_called(&w, callers, spec, miss);
}
