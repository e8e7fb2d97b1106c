/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of all that there is: forms of probe points, aliases, functions.  Start reading at dump(). */
#include "elaborate/dump.h"

#include <string.h>

#include "elaborate/elaborate.h"
#include "elaborate/lines.h"

struct dumping { struct program *p; struct lines lines; bool verbose; };

static void add(struct dumping *d, struct strbuf *b)
{
	lines_add(&d->lines, arena_strdup(d->p->arena, b->text));
	strbuf_free(b);
}

static bool is_hidden(const struct dumping *d, const char *name)
{
	return !d->verbose && !strncmp(name, "__", 2);
}

/* Calls @visit for each file of the library and each script of the command line. */
static void each_script(struct dumping *d, void (*visit)(struct dumping *d, struct script *s))
{
	for (unsigned i = 0; i < library_files(d->p->tapset); i++) {
		struct script *s = library_script(d->p->tapset, i);

		if (s)
			visit(d, s);
	}
	for (struct script *s = d->p->user; s; s = s->next)
		visit(d, s);
}

/* ---- forms of probe points ---- */

static void dump_types(struct dumping *d)
{
	const unsigned backend = d->p->runtime == RUNTIME_USER ? BE_USER : BE_KERNEL;

	for (const struct provider *const *q = providers; *q; q++)
		for (const char *const *pattern = (*q)->patterns; *pattern; pattern++)
			if ((*q)->backends & backend)
				lines_add(&d->lines, *pattern);
}

/* ---- aliases ---- */

static void dump_aliases_of(struct dumping *d, struct script *s)
{
	struct arena *a = d->p->arena;

	for (struct alias *al = s->aliases; al; al = al->next) {
		struct strbuf b = { 0 };

		if (is_hidden(d, components_text(a, al->names->components)))
			continue;
		for (struct alias_name *n = al->names; n; n = n->next)
			strbuf_printf(&b, "%s%s", n == al->names ? "" : " = ", components_text(a, n->components));
		strbuf_add(&b, al->append ? " += " : " = ");
		for (struct probe_point *pt = al->points; pt; pt = pt->next)
			strbuf_printf(&b, "%s%s", pt == al->points ? "" : ", ", probe_point_text(a, pt));
		add(d, &b);
	}
}

/* ---- functions ---- */

/* What the C of a body says of it, and whether it takes -v to be shown. */
static const struct { const char *pragma; bool wordy; } tags[] = {
	{ "/* pure */", true }, { "/* stable */", true }, { "/* unprivileged */", false }, { "/* myproc-unprivileged */", false },
	{ "/* guru */", false }, { "/* unmangled */", true }, { "/* unmodified-fnargs */", true }, { "/* bpf */", false },
};

static const char *type_text(enum value_type t)
{
	return t == TY_LONG ? "long" : t == TY_STRING ? "string" : t == TY_STATS ? "stats" : "unknown";
}

static const char *code_of(const struct function *f)
{
	const struct stmt *s = f->body;

	while (s && s->kind == STMT_BLOCK)
		s = s->u.block;
	return s && s->kind == STMT_EMBEDDED ? s->u.code->text : "";
}

static void dump_function(struct dumping *d, const struct function *f)
{
	struct strbuf b = { 0 };

	strbuf_printf(&b, "%s:%s (", f->name->text, type_text(f->type));
	for (const struct param *q = f->params; q; q = q->next)
		strbuf_printf(&b, "%s%s:%s", q == f->params ? "" : ", ", q->name->text, type_text(q->sym ? q->sym->type : q->type));
	strbuf_add(&b, ")");
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if ((d->verbose || !tags[i].wordy) && strstr(code_of(f), tags[i].pragma))
			strbuf_printf(&b, " %s", tags[i].pragma);
	add(d, &b);
}

static void use_functions(struct dumping *d, struct script *s)
{
	for (struct function *f = s->functions; f; f = f->next)
		if (!f->is_private)
			function_use(d->p, f);
}

static void dump_functions_of(struct dumping *d, struct script *s)
{
	for (struct function *f = s->functions; f; f = f->next)
		if (!f->is_private && !is_hidden(d, f->name->text))
			dump_function(d, f);
}

/* Types come from all of the library at once, as if a script called every function. */
static void dump_functions(struct dumping *d)
{
	each_script(d, use_functions);
	bind_symbols(d->p);
	infer_types(d->p);
	each_script(d, dump_functions_of);
}

void dump(FILE *out, struct program *p, enum dump what, bool verbose)
{
	struct dumping d = { .p = p, .verbose = verbose };

	if (what == DUMP_PROBE_TYPES)
		dump_types(&d);
	else if (what == DUMP_PROBE_ALIASES)
		each_script(&d, dump_aliases_of);
	else
		dump_functions(&d);
	lines_print(out, &d.lines);
}
