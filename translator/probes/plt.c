/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of procedure linkage tables: process("PATH").plt("NAME"), where a program calls into its libraries (spec/probes.md
 * A.10).  No debuginfo is needed; registers are as at the entry of the function that is called.
 */
#include "probes/probes.h"
#include "probes/process.h"
#include "probes/target.h"

#include <string.h>

#define PLTS(root) root ".plt", root ".plt(string)", root ".plt.return", root ".plt(string).return"
static const char *const plt_patterns[] = {
	PLTS("process"),
	PLTS("process(string)"),
	PLTS("process(number)"),
	PLTS("process.library(string)"),
	PLTS("process(string).library(string)"),
	NULL
};

static void add_site(struct program *p, struct found *out, struct site ***tail, const struct root *r, const struct plt_entry *e)
{
	struct site *s = ARENA_NEW(p->arena, struct site);

	if (!object_file_offset(r->obj, e->addr, &s->file_off))
		return;
	s->obj = r->obj;
	s->kind = SP_SITE_ENTRY;
	s->addr = s->pc = e->addr;
	s->point = arena_printf(p->arena, "%s.statement(0x%llx)", r->point, (unsigned long long)e->addr);
	s->list_point = arena_printf(p->arena, "%s.plt(\"%s\")", r->list_point, e->name);
	s->name = e->name;
	**tail = s;
	*tail = &s->next;
	out->nsites++;
}

static bool plt_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	struct site **tail = &out->sites;
	const struct component *what;
	struct roots roots;

	if (!process_roots(p, m, &roots, miss))
		return false;
	what = m->component[roots.words];
	if (m->n > roots.words + 1) {
		*miss = (struct di_miss){ .reason = DI_UNSUPPORTED, .text = "a .plt probe at the return " NOT_YET };
		return false;
	}
	out->kind = SP_PROBE_SITE;
	for (const struct root *r = roots.first; r; r = r->next) {
		const struct plt_entry *entries;
		unsigned n;

		if (find_plt(r->obj, what->arg == ARG_STR ? what->str->text : "*", p->arena, &entries, &n, miss)) {
			miss->searched = r->obj;
			continue;
		}
		for (unsigned i = 0; i < n; i++)
			add_site(p, out, &tail, r, &entries[i]);
	}
	return out->nsites > 0;
}

static void plt_target(struct program *p, const struct point_match *m, const struct site *site, const struct expr *e,
		       struct target_result *out)
{
	(void)m;
	if (target_is(e, "$$name")) {
		replacement_string(p, e->span, site->name, out);
		return;
	}
	if (e->u.target.base != TB_NAME) {
		target_in_modules(p, site, e, out);
		return;
	}
	target_miss(out, DI_NO_VARIABLE, arena_printf(p->arena, "a .plt probe has no variable '%s'", e->u.target.name->text));
	out->miss.hint = "its only one is $$name; long_arg(1), pointer_arg(2) and the like give arguments";
}

const struct provider provider_plt = {
	.name		= "plt",
	.patterns	= plt_patterns,
	.backends	= BE_KERNEL | BE_USER,
	.context	= CTX_USER_REGS,
	.unprivileged	= true,
	.find		= plt_find,
	.target		= plt_target,
	.help		= "calls of programs and libraries through their procedure linkage tables",
};
