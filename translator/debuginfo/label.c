/* SPDX-License-Identifier: GPL-2.0-or-later */
/* label.c - the labels of a function (DWARF5 3.6): names of places in its code that a goto may lead to. */
#include <errno.h>

#include "debuginfo/internal.h"

enum { MAX_BLOCKS = 200 };		/* nested ones; more come from damaged files only */

struct label_search {
	struct arena *arena;
	const char *pattern;
	const struct code_site *function;
	struct vec sites, others;	/* struct code_site; names that do not match */
};

static void look_at_label(struct label_search *s, Dwarf_Die *die)
{
	const char *name = die_string(die, DW_AT_name);
	struct code_site *site;
	uint64_t addr;

	if (!name || !die_entry(die, &addr))
		return;			/* no address: the compiler took it away */
	if (!name_matches(s->pattern, name)) {
		vec_push(&s->others, s->arena, (void *)name);
		return;
	}
	site = ARENA_NEW(s->arena, struct code_site);
	*site = *s->function;
	site->label = arena_strdup(s->arena, name);
	site->addr = addr;
	site->line = die_decl_line(die);
	if (site->file)
		site->listing = arena_printf(s->arena, "%s@%s:%u", site->name, site->file, site->line);
	vec_push(&s->sites, s->arena, site);
}

static void look_in(struct label_search *s, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_BLOCKS || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_label:
			look_at_label(s, &die);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			look_in(s, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

int find_labels(const struct site_list *functions, const char *name, struct arena *a, struct site_list *out,
		struct di_miss *miss)
{
	struct label_search s = { .arena = a, .pattern = name };

	for (unsigned i = 0; i < functions->n; i++) {
		s.function = functions->site[i];
		if (s.function->scope) {
			Dwarf_Die die = s.function->scope->die;

			look_in(&s, &die, 0);
		}
	}
	*out = (struct site_list){ .site = (struct code_site **)s.sites.item, .n = s.sites.n };
	if (out->n)
		return 0;
	miss_set(miss, -ENOENT, DI_NO_MATCH, arena_printf(a, "no label '%s' in function '%s' of '%s'", name,
							  functions->n ? functions->site[0]->name : "",
							  functions->n ? functions->site[0]->obj->path : ""));
	near_names(miss, "labels", name, (const char *const *)s.others.item, s.others.n);
	return -ENOENT;
}
