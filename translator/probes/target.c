/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target expressions: what `$x->y[z]', `@var' and `@cast' mean at one site, asked of debuginfo/, and the strings that
 * stand for all variables at once, made of other expressions (spec/probes.md C.2, C.7).
 *
 * Start reading at target_in_scope().
 */
#include "probes/target.h"

#include <errno.h>
#include <string.h>

enum { MAX_STEPS = 64, MAX_ITEMS = 31 };	/* a printf takes 32 arguments; the last is "..." */

bool target_is(const struct expr *e, const char *name)
{
	return e->u.target.base == TB_NAME && !strcmp(e->u.target.name->text, name);
}

void target_miss(struct target_result *out, enum di_reason reason, const char *text)
{
	*out = (struct target_result){ .kind = TARGET_MISS, .miss = { .reason = reason, .text = text } };
}

/* ---- replacement expressions ---- */

void replacement_start(struct replacement *r, struct program *p, struct span span)
{
	*r = (struct replacement){ .p = p, .span = span };
	r->last_part = &r->parts;
	r->last_arg = &r->args;
}

void replacement_text(struct replacement *r, const char *text)
{
	struct format_part *part = ARENA_NEW(r->p->arena, struct format_part);

	part->kind = FMT_TEXT;
	part->text = str_intern(r->p->arena, text);
	*r->last_part = part;
	r->last_part = &part->next;
	r->nparts++;
}

void replacement_value(struct replacement *r, const struct format_part *part, struct expr *value)
{
	struct format_part *copy = ARENA_NEW(r->p->arena, struct format_part);
	struct expr_list *arg = ARENA_NEW(r->p->arena, struct expr_list);

	*copy = *part;
	copy->kind = FMT_VALUE;
	*r->last_part = copy;
	r->last_part = &copy->next;
	arg->e = value;
	*r->last_arg = arg;
	r->last_arg = &arg->next;
	r->nparts++;
}

static struct expr *variable_make(struct replacement *r, const char *name)
{
	struct arena *a = r->p->arena;
	struct expr *e = ARENA_NEW(a, struct expr);

	e->kind = EXPR_TARGET;
	e->span = r->span;
	e->u.target.base = TB_NAME;
	e->u.target.name = str_intern(a, arena_printf(a, "$%s", name));
	return e;
}

/* $name with the suffix `$' or `$$'. */
static struct expr *pretty_variable_make(struct replacement *r, const char *name)
{
	struct expr *e = variable_make(r, name);

	e->u.target.path = ARENA_NEW(r->p->arena, struct access);
	e->u.target.path->kind = ACC_PRETTY;
	e->u.target.path->span = r->span;
	e->u.target.path->depth = r->suffix;
	return e;
}

void replacement_item(struct replacement *r, const char *label, const char *name, const char *text)
{
	static const struct format_part number = { .conv = 'x', .flag = '#' }, string = { .conv = 's' };

	if (r->full)
		return;
	r->full = r->n == MAX_ITEMS;
	replacement_text(r, r->full ? " ..." :
			 arena_printf(r->p->arena, "%s%s=%s", r->n ? " " : "", label, name ? "" : text));
	if (name && !r->full && r->suffix)
		replacement_value(r, &string, pretty_variable_make(r, name));
	else if (name && !r->full)
		replacement_value(r, &number, variable_make(r, name));
	r->n++;
}

void replacement_end(struct replacement *r, struct target_result *out)
{
	struct arena *a = r->p->arena;
	struct expr *e = ARENA_NEW(a, struct expr);
	struct strbuf format = { 0 };

	if (!r->nparts) {
		replacement_string(r->p, r->span, "", out);
		return;
	}
	for (const struct format_part *i = r->parts; i; i = i->next)
		if (i->kind == FMT_TEXT)
			strbuf_add(&format, i->text->text);
		else
			strbuf_printf(&format, "%%%s%c", i->flag ? "#" : "", i->conv == 'q' ? 's' : i->conv);
	e->kind = EXPR_PRINT;
	e->span = r->span;
	e->u.print.form = PRINT_F;
	e->u.print.to_string = true;
	e->u.print.guarded = r->guarded;
	e->u.print.before = r->before;
	e->u.print.text = str_intern(a, format.text);
	e->u.print.parts = r->parts;
	e->u.print.args = r->args;
	strbuf_free(&format);
	*out = (struct target_result){ .kind = TARGET_REPLACE, .replace = e };
}

void replacement_string(struct program *p, struct span span, const char *text, struct target_result *out)
{
	struct expr *e = ARENA_NEW(p->arena, struct expr);

	e->kind = EXPR_STR;
	e->span = span;
	e->u.str = str_intern(p->arena, text);
	*out = (struct target_result){ .kind = TARGET_REPLACE, .replace = e };
}

/* ---- one variable ---- */

int target_suffix(const struct expr *e)
{
	const struct access *last = e->u.target.path;

	while (last && last->next)
		last = last->next;
	return last && last->kind == ACC_PRETTY ? last->depth : 0;
}

bool target_steps(struct arena *a, const struct expr *e, struct target_query *q, struct target_result *out)
{
	struct target_step *steps = ARENA_ARRAY(a, struct target_step, MAX_STEPS);
	int64_t runtime = 0;

	q->nstep = 0;
	for (const struct access *i = e->u.target.path; i && i->kind != ACC_PRETTY; i = i->next) {
		struct target_step *s = &steps[q->nstep];

		if (q->nstep++ == MAX_STEPS) {
			target_miss(out, DI_UNSUPPORTED, "an access path of more than 64 steps");
			return false;
		}
		if (i->kind == ACC_MEMBER) {
			s->kind = STEP_MEMBER;
			s->name = i->name->text;
		} else if (i->index->kind == EXPR_NUM) {
			s->kind = STEP_INDEX;
			s->index = i->index->u.num;
		} else {
			s->kind = STEP_RUNTIME_INDEX;
			s->index = runtime++;
		}
	}
	q->step = steps;
	return true;
}

static void resolve(struct program *p, const struct expr *e, struct target_query *q, struct target_result *out)
{
	struct target_value v;

	if (target_suffix(e)) {
		target_pretty(p, q, e, out);
		return;
	}
	*out = (struct target_result){ .kind = TARGET_MISS };
	q->address_of = e->u.target.address;
	if (!target_steps(p->arena, e, q, out) || target_resolve(q, p->arena, &v, &out->miss))
		return;
	out->kind = TARGET_FETCH;
	out->ctype = v.type;
	out->fetch = (struct fetch_variant){
		.value = v.value, .address = v.address, .lvalue = v.lvalue, .reg = v.reg, .size = v.size,
		.bit_offset = v.bit_offset, .bit_size = v.bit_size,
	};
}

/* Tries each of a list of modules, NULL or "": the object of the probe. */
static void in_modules(struct program *p, const struct site *site, const struct expr *e, struct target_query *q,
		       struct target_result *out)
{
	const char *at = e->u.target.module ? e->u.target.module->text : "";

	/* before version 4.3 a cast without a module looked for the kernel's types */
	if (!*at && e->u.target.base == TB_CAST && is_older(p, "4.3"))
		at = "kernel";
	do {
		*out = (struct target_result){ .kind = TARGET_MISS };
		q->obj = module_next(p, &at, site, &out->miss);
		if (q->obj)
			resolve(p, e, q, out);
	} while (out->kind == TARGET_MISS && *at);
}

void target_in_modules(struct program *p, const struct site *site, const struct expr *e, struct target_result *out)
{
	struct target_query q = { .root = e->u.target.base == TB_VAR ? TARGET_GLOBAL : TARGET_CAST,
				  .scope = site ? site->scope : NULL, .pc = site ? site->pc : 0,
				  .name = e->u.target.name->text };

	in_modules(p, site, e, &q, out);
}

void target_autocast(struct program *p, const struct site *site, const struct expr *e, const struct ctype *type,
		     bool at_operand, struct target_result *out)
{
	struct target_query q = { .root = TARGET_CAST, .obj = type->obj, .scope = site ? site->scope : NULL,
				  .pc = site ? site->pc : 0, .type = type, .type_at_operand = at_operand };

	resolve(p, e, &q, out);
}

void target_enumerator(struct program *p, const struct site *site, const struct expr *e, struct target_result *out)
{
	const char *name = e->u.perf.name->text;
	struct expr *number;
	int64_t value;

	if (!site || !find_enumerator(site->obj, site->scope, site->pc, name, p->arena, &value)) {
		target_miss(out, DI_NO_VARIABLE, !site ? "this probe is not in a program, whose enumerators it could be one of" :
			    arena_printf(p->arena, "no enumerator '%s' in '%s'", name, site->obj->path));
		return;
	}
	number = ARENA_NEW(p->arena, struct expr);
	number->kind = EXPR_NUM;
	number->span = e->span;
	number->u.num = value;
	*out = (struct target_result){ .kind = TARGET_REPLACE, .replace = number };
}

void target_enum_type(struct program *p, const struct site *site, const struct expr *e, struct target_result *out)
{
	const char *at = e->u.enumname.module ? e->u.enumname.module->text : "";
	const char *name = e->u.enumname.type->text;

	*out = (struct target_result){ .kind = TARGET_MISS };
	do {
		struct object *obj = module_next(p, &at, site, &out->miss);

		out->ctype = obj ? ctype_named(obj, name, p->arena) : NULL;
		if (obj && !out->ctype)
			target_miss(out, DI_NO_TYPE, arena_printf(p->arena, "type '%s' not found in '%s'", name, obj->path));
	} while (!out->ctype && *at);
}

static void local(struct program *p, const struct site *site, const struct scope *scope, const struct expr *e,
		  struct target_result *out)
{
	struct target_query q = { .root = TARGET_LOCAL, .obj = site->obj, .scope = scope, .pc = site->pc,
				  .name = e->u.target.name->text + 1 };
	const char *why;

	if (scope) {
		resolve(p, e, &q, out);
		return;
	}
	why = site->obj->debug_problem;
	target_miss(out, DI_NO_DEBUGINFO, why ? why : arena_printf(p->arena, "'%s' has no debuginfo (DWARF) for this place",
								   site->obj->path));
	out->miss.hint = "compile it with -g, or install its debug symbols package";
}

/* ---- all variables ---- */

static bool has_value_kind(const struct loc_expr *e, enum loc_kind kind)
{
	return e && (e->kind == kind || has_value_kind(e->a, kind) || has_value_kind(e->b, kind) ||
		     has_value_kind(e->c, kind));
}

bool target_readable(const struct loc_expr *e)
{
	return e && !has_value_kind(e, LOC_ENTRY_VALUE);
}

/* Whether $name can be printed as a number here. */
static bool is_printable(struct program *p, const struct site *site, const struct scope *scope, const char *name)
{
	struct target_query q = { .root = TARGET_LOCAL, .obj = site->obj, .scope = scope, .pc = site->pc, .name = name };
	struct target_value v;
	struct di_miss miss = { 0 };

	return !target_resolve(&q, p->arena, &v, &miss) && target_readable(v.value);
}

/* Whether $name$ can be printed here. */
static bool is_pretty(struct replacement *r, const struct site *site, const struct scope *scope, const char *name)
{
	struct target_result result;

	local(r->p, site, scope, pretty_variable_make(r, name), &result);
	return result.kind != TARGET_MISS;
}

/* What stands for a variable that is no number; NULL: its value. */
static const char *stand_in(struct replacement *r, const struct site *site, const struct scope *scope,
			    const struct visible_var *var)
{
	enum ctype_kind kind = var->type ? var->type->kind : CTYPE_OTHER;

	if (!var->readable || (r->suffix && !is_pretty(r, site, scope, var->name)))
		return "?";
	if (r->suffix)
		return NULL;
	if (kind == CTYPE_STRUCT || kind == CTYPE_CLASS || kind == CTYPE_UNION)
		return "{...}";
	if (kind == CTYPE_ARRAY)
		return "[...]";
	return is_printable(r->p, site, scope, var->name) ? NULL : "?";
}

static void all_variables(struct program *p, const struct site *site, const struct scope *scope, unsigned which,
			  const struct expr *e, struct target_result *out)
{
	const struct visible_var *vars;
	struct replacement r;
	unsigned n;

	replacement_start(&r, p, e->span);
	r.suffix = target_suffix(e);
	n = scope ? scope_variables(scope, site->pc, which, p->arena, &vars) : 0;
	for (unsigned i = 0; i < n; i++) {
		const char *text = stand_in(&r, site, scope, &vars[i]);

		replacement_item(&r, vars[i].name, text ? NULL : vars[i].name, text);
	}
	replacement_end(&r, out);
}

static const struct { const char *name; unsigned which; } groups[] = {
	{ "$$vars",	VARS_PARAMETERS | VARS_LOCALS },
	{ "$$parms",	VARS_PARAMETERS },
	{ "$$locals",	VARS_LOCALS },
};

void target_in_scope(struct program *p, const struct site *site, const struct scope *scope, const struct expr *e,
		     struct target_result *out)
{
	if (e->u.target.base != TB_NAME) {
		target_in_modules(p, site, e, out);
		return;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (!target_is(e, groups[i].name))
			continue;
		if (e->u.target.address || (e->u.target.path && e->u.target.path->kind != ACC_PRETTY))
			target_miss(out, DI_NOT_AGGREGATE, arena_printf(p->arena, "'%s' is a string", groups[i].name));
		else
			all_variables(p, site, scope, groups[i].which, e, out);
		return;
	}
	local(p, site, scope, e, out);
}

void target_returned(struct program *p, const struct site *site, const struct expr *e, struct target_result *out)
{
	struct target_query q = { .root = TARGET_RETURN, .obj = site->obj, .scope = site->scope, .pc = site->pc,
				  .name = "return" };
	bool as_string = target_is(e, "$$return");
	struct replacement r;

	if (as_string && e->u.target.path && e->u.target.path->kind != ACC_PRETTY) {
		target_miss(out, DI_NOT_AGGREGATE, "'$$return' is a string");
		return;
	}
	if (!site->scope)
		target_miss(out, DI_NO_DEBUGINFO, arena_printf(p->arena, "'%s' has no debuginfo (DWARF) that tells the type of "
			    "the return value", site->obj->path));
	else if (site->kind == SP_SITE_TAIL && !site->via)
		target_miss(out, DI_NO_RETURN, arena_printf(p->arena, "function '%s' is left here by a jump to "
			    "code whose returns are not known, and so is its value", site->name));
	else
		resolve(p, e, &q, out);
	if (site->kind == SP_SITE_TAIL && !site->via && out->kind == TARGET_MISS)
		out->miss.hint = "'@defined($return) ? ... : ...' gives the script a way for such exits";
	if (!as_string)
		return;
	replacement_start(&r, p, e->span);
	r.suffix = target_suffix(e);
	if (out->kind == TARGET_REPLACE || (out->kind == TARGET_FETCH && out->fetch.value))
		replacement_item(&r, "return", "return", NULL);
	replacement_end(&r, out);
}
