/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static markers: process("PATH").mark("NAME") and .provider("P").mark("M"), from the stapsdt ELF notes (spec/probes.md
 * B.2).  They need no debuginfo; a name that is no argument is looked up among the variables of the code around the mark.
 */
#include "probes/probes.h"
#include "probes/process.h"
#include "probes/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MARKS(root) root ".mark(string)", root ".provider(string).mark(string)"
static const char *const sdt_patterns[] = {
	MARKS("process"),
	MARKS("process(string)"),
	MARKS("process(number)"),
	MARKS("process.library(string)"),
	MARKS("process(string).library(string)"),
	NULL
};

struct finding {
	struct program *p;
	struct found *out;
	struct site **tail;
	const char *provider, *mark;	/* as asked for; provider NULL: any */
};

static const char *suffix(const struct finding *f, const struct mark_site *m)
{
	if (f->provider)
		return arena_printf(f->p->arena, ".provider(\"%s\").mark(\"%s\")", m->provider, m->name);
	return arena_printf(f->p->arena, ".mark(\"%s\")", m->name);
}

static void add_site(struct finding *f, const struct root *r, const struct mark_site *m)
{
	struct site *s = ARENA_NEW(f->p->arena, struct site);

	if (!object_file_offset(r->obj, m->addr, &s->file_off))
		return;
	s->obj = r->obj;
	s->kind = SP_SITE_MARK;
	s->addr = s->pc = m->addr;
	s->gate_addr = m->semaphore_addr;
	s->gate_off = m->semaphore_off;
	s->point = arena_printf(f->p->arena, "%s.statement(0x%llx)", r->point, (unsigned long long)m->addr);
	s->list_point = arena_printf(f->p->arena, "%s%s", r->list_point, suffix(f, m));
	s->name = m->name;
	s->mark = m;
	*f->tail = s;
	f->tail = &s->next;
	f->out->nsites++;
}

static bool sdt_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	struct finding f = { .p = p, .out = out, .tail = &out->sites };
	struct roots roots;

	if (!process_roots(p, m, &roots, miss))
		return false;
	out->kind = SP_PROBE_SITE;
	f.mark = m->component[m->n - 1]->str->text;
	if (m->n - roots.words == 2)
		f.provider = m->component[roots.words]->str->text;
	for (const struct root *r = roots.first; r; r = r->next) {
		struct mark_site **marks;
		unsigned n;

		if (find_marks(r->obj, f.provider, f.mark, p->arena, &marks, &n, miss)) {
			miss->searched = r->obj;
			continue;
		}
		for (unsigned i = 0; i < n; i++)
			add_site(&f, r, marks[i]);
	}
	return out->nsites > 0;
}

/* N of "$argN"; 0: no such name. */
static unsigned long argument_number(const struct expr *e)
{
	const char *name = e->u.target.name->text;
	char *end;
	unsigned long n;

	if (e->u.target.base != TB_NAME || strncmp(name, "$arg", 4) || name[4] < '1' || name[4] > '9')
		return 0;
	n = strtoul(name + 4, &end, 10);
	return *end ? 0 : n;
}

static void argument(struct program *p, const struct mark_site *m, const struct expr *e, unsigned long n,
		     struct target_result *out)
{
	const struct sdt_operand *o = &m->arg[n - 1];

	if (e->u.target.address)
		target_miss(out, DI_NO_ADDRESS, arena_printf(p->arena, "the address of mark argument '$arg%lu' cannot be taken",
							     n));
	else if (e->u.target.path)
		target_miss(out, DI_NOT_AGGREGATE, arena_printf(p->arena, "mark argument '$arg%lu' is a plain number", n));
	else if (!o->value)
		target_miss(out, DI_NO_LOCATION, arena_printf(p->arena, "cannot parse operand '%s' of '$arg%lu'", o->text, n));
	else
		*out = (struct target_result){ .kind = TARGET_FETCH,
			.fetch = { .value = o->value, .size = o->size, .fault_is_zero = o->is_memory } };
	if (e->u.target.path)
		out->miss.hint = arena_printf(p->arena, "@cast($arg%lu, \"type\") gives it a type", n);
}

static void all_arguments(struct program *p, const struct mark_site *m, const struct expr *e, struct target_result *out)
{
	struct replacement r;

	replacement_start(&r, p, e->span);
	for (unsigned i = 0; i < m->narg; i++) {
		const char *name = arena_printf(p->arena, "arg%u", i + 1);
		const char *label = arena_printf(p->arena, "$%s", name);

		replacement_item(&r, label, m->arg[i].value ? name : NULL, "?");
	}
	replacement_end(&r, out);
}

static void sdt_target(struct program *p, const struct point_match *match, const struct site *site, const struct expr *e,
		       struct target_result *out)
{
	const struct mark_site *m = site->mark;
	unsigned long n;

	(void)match;
	if (e->u.target.base == TB_NAME) {
		n = argument_number(e);
		if (n && n <= m->narg) {
			argument(p, m, e, n, out);
			return;
		}
		if (target_is(e, "$$name") || target_is(e, "$$provider")) {
			replacement_string(p, e->span, target_is(e, "$$name") ? m->name : m->provider, out);
			return;
		}
		if (target_is(e, "$$parms") || target_is(e, "$$vars")) {
			all_arguments(p, m, e, out);
			return;
		}
	}
	target_in_scope(p, site, e->u.target.base == TB_NAME ? scope_at(site->obj, site->pc, p->arena) : NULL, e, out);
}

static void sdt_list(struct program *p, const struct site *site, struct strbuf *b)
{
	(void)p;
	for (unsigned i = 0; i < site->mark->narg; i++)
		strbuf_printf(b, " $arg%u:long", i + 1);
}

const struct provider provider_sdt = {
	.name		= "sdt",
	.patterns	= sdt_patterns,
	.backends	= BE_KERNEL | BE_USER,
	.context	= CTX_USER_REGS,
	.unprivileged	= true,
	.find		= sdt_find,
	.target		= sdt_target,
	.list		= sdt_list,
	.help		= "static markers in programs and libraries",
};
