/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resolved program as text: the sections of -p2 (cli.md 5.1).  Start reading at program_print(). */
#include "elaborate/elaborate.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char *const type_names[] = {
	[TY_UNKNOWN] = "unknown", [TY_LONG] = "long", [TY_STRING] = "string", [TY_STATS] = "stats", [TY_NONE] = "unknown",
};

/* @init: -v, its initial value as well (cli.md 5.1). */
static void print_global(FILE *out, const struct symbol *g, bool init)
{
	fputs(g->name->text, out);
	if (g->wraps)
		fputc('%', out);
	if (g->size)
		fprintf(out, "[%" PRId64 "]", g->size);
	fprintf(out, ":%s", type_names[g->type]);
	for (int i = 0; i < g->nkeys; i++)
		fprintf(out, "%s%s", i ? ", " : " [", type_names[g->keys[i]]);
	if (g->nkeys > 0)
		fputc(']', out);
	if (init && g->init) {
		fputs(" = ", out);
		expr_print(out, g->init);
	}
	fputc('\n', out);
}

static void print_locals(FILE *out, const struct symbol *l)
{
	if (l)
		fputs("  # locals\n", out);
	for (; l; l = l->next)
		fprintf(out, "  %s:%s\n", l->name->text, type_names[l->type]);
}

/* ---- names after symbol resolution (language.md 14) ---- */

/* What keeps private names of different files apart: the file's name, with _ for what no identifier has. */
static void print_prefix(FILE *out, const struct source *private_to)
{
	if (!private_to) {
		fputs("__global_", out);
		return;
	}
	fputs("__private_", out);
	for (const char *c = private_to->name; *c; c++)
		fputc(isalnum((unsigned char)*c) ? *c : '_', out);
	fputc('_', out);
}

/* The file that a private global belongs to; NULL for others. */
static const struct source *owner(const struct script *s, const struct symbol *sym)
{
	for (; s; s = s->next)
		for (const struct global *g = s->globals; g; g = g->next)
			if (g->sym == sym)
				return g->is_private ? s->source : NULL;
	return NULL;
}

static void name_variable(FILE *out, const struct symbol *s, const void *data)
{
	const struct program *p = data;
	const struct source *private_to;

	if (s->kind == SYM_GLOBAL) {
		private_to = owner(p->user, s);
		print_prefix(out, private_to ? private_to : owner(p->library, s));
	}
	fputs(s->name->text, out);
}

static void name_function(FILE *out, const struct function *f, const void *data)
{
	const struct program *p = data;

	print_prefix(out, f->is_private ? f->script->source : NULL);
	fprintf(out, "%s__overload_%u", f->name->text, p->state->overload_number[f->id]);
}

static struct naming naming_of(const struct program *p, bool flat)
{
	return (struct naming){ .variable = name_variable, .function = name_function, .data = p, .flat = flat };
}

/* "{ BODY }", where BODY is a block or, alone, one statement (language.md 14). */
static void print_body(FILE *out, const struct program *p, const struct stmt *s, bool flat)
{
	const struct naming n = naming_of(p, flat);

	fputs("{ ", out);
	stmt_print_resolved(out, s, &n);
	fputs(" }\n", out);
}

/* ---- sections ---- */

static void print_function(FILE *out, const struct program *p, const struct function *f, bool bodies)
{
	fprintf(out, "%s:%s (", f->name->text, type_names[f->type]);
	for (const struct param *q = f->params; q; q = q->next)
		fprintf(out, "%s%s:%s", q == f->params ? "" : ", ", q->name->text, type_names[q->sym ? q->sym->type : q->type]);
	fputs(")\n", out);
	print_locals(out, f->locals);
	if (bodies)
		print_body(out, p, f->body, !p->options->unoptimised);
}

static bool is_constant(const struct expr *e)
{
	return e->kind == EXPR_NUM || e->kind == EXPR_STR;
}

/* The body with what the condition means for it: if (!COND) next (language.md 3.1). */
static struct stmt *guarded(const struct program *p, const struct probe *q)
{
	struct expr *not = ARENA_NEW(p->arena, struct expr);
	struct stmt *guard = ARENA_NEW(p->arena, struct stmt), *all = ARENA_NEW(p->arena, struct stmt);

	if (!q->condition || is_constant(q->condition))
		return q->body;
	not->kind = EXPR_UNARY;
	not->u.un.op = OP_NOT;
	not->u.un.e = q->condition;
	guard->kind = STMT_IF;
	guard->u.branch.cond = not;
	guard->u.branch.yes = ARENA_NEW(p->arena, struct stmt);
	guard->u.branch.yes->kind = STMT_NEXT;
	all->kind = STMT_BLOCK;
	all->u.block = guard;
	guard->next = ARENA_NEW(p->arena, struct stmt);
	*guard->next = *q->body;
	guard->next->next = NULL;
	return all;
}

/* A probe at one place: the point with its mark and condition, the lines that led to it, what it holds. */
static void print_place(FILE *out, const struct program *p, const struct probe *q, const char *point, bool bodies)
{
	fputs(point, out);
	if (q->mark)
		fputc(q->mark, out);
	if (q->condition) {
		const struct naming n = naming_of(p, false);

		fputs(" if (", out);
		expr_print_resolved(out, q->condition, &n);
		fputc(')', out);
	}
	fprintf(out, " /* <- %s */\n", q->lines);
	print_locals(out, q->locals);
	/* what prints unread globals comes after the optimiser */
	if (bodies)
		print_body(out, p, guarded(p, q), q->decl && !p->options->unoptimised);
}

static void print_probe(FILE *out, const struct program *p, const struct probe *q, bool bodies)
{
	if (!q->sites)
		print_place(out, p, q, q->point, bodies);
	for (const struct site *s = q->sites; s; s = s->next)
		print_place(out, p, q, s->point, bodies);
}

bool program_sets_conditions(const struct program *p)
{
	for (const struct probe *q = p->probes; q; q = q->next)
		if (!q->hidden && q->condition && !is_constant(q->condition))
			return true;
	return false;
}

static bool has_embedded(const struct script *s)
{
	for (; s; s = s->next)
		if (s->embedded)
			return true;
	return false;
}

static void print_embedded(FILE *out, const struct script *s)
{
	for (; s; s = s->next)
		for (const struct embedded *e = s->embedded; e; e = e->next)
			fprintf(out, "%%{%s%%}\n", e->code->text);
}

void program_print(FILE *out, const struct program *p, bool bodies)
{
	if (has_embedded(p->library) || has_embedded(p->user)) {
		fputs("# global embedded code\n", out);
		print_embedded(out, p->library);
		print_embedded(out, p->user);
	}
	if (p->globals)
		fputs("# globals\n", out);
	for (const struct symbol *g = p->globals; g; g = g->next)
		print_global(out, g, bodies);
	if (p->functions)
		fputs("# functions\n", out);
	for (const struct function *f = p->functions; f; f = f->next)
		print_function(out, p, f, bodies);
	if (p->probes)
		fputs("# probes\n", out);
	for (const struct probe *q = p->probes; q; q = q->next)
		if (!q->hidden)
			print_probe(out, p, q, bodies);
	/* the runtime looks at each condition before anything runs: in the reference a probe does (language.md 3.1) */
	if (program_sets_conditions(p))
		fprintf(out, "begin /* <- begin */\n%s", bodies ? "{ ; }\n" : "");
}
