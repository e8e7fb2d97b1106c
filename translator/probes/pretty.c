/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pretty printing: `$x$', `$x->m$$', `@cast(...)$' as a sprintf() over the members of the thing (spec/language.md 7.6,
 * spec/probes.md C.8).
 *
 * Each value in the text is a target expression of its own, made of the one that was asked for and further steps, so
 * what derive and emit know of those serves here.  A fault of any gives "ERROR" in place of the whole.
 * Start reading at target_pretty(), then print_type().
 */
#include "probes/target.h"

#include <string.h>

#include "syntax/syntax.h"

enum { MAX_VALUES = 32, MAX_NESTING = 32 };

struct pretty {
	struct program *p;
	const struct target_query *q;	/* root of the expression */
	struct replacement r;
	bool deep;			/* $$: nested structs and arrays are opened */
	unsigned nvalues, nesting;
};

static const struct format_part conv_signed = { .conv = 'i' }, conv_unsigned = { .conv = 'u' }, conv_pointer = { .conv = 'p' };
static const struct format_part conv_char = { .conv = 'c', .flag = '#' };

static void print_type(struct pretty *x, const struct ctype *t, struct expr *at, bool top);

/* ---- expressions ---- */

static struct expr *with_step(struct pretty *x, const struct expr *at, const struct access *step)
{
	struct expr *e = expr_copy(x->p->arena, at);
	struct access **end = &e->u.target.path;

	while (*end)
		end = &(*end)->next;
	*end = ARENA_NEW(x->p->arena, struct access);
	**end = *step;
	(*end)->span = at->span;
	return e;
}

static struct expr *member_of(struct pretty *x, const struct expr *at, const char *name)
{
	const struct access step = { .kind = ACC_MEMBER, .name = str_intern(x->p->arena, name) };

	return with_step(x, at, &step);
}

static struct expr *element_of(struct pretty *x, const struct expr *at)
{
	struct access step = { .kind = ACC_INDEX, .index = ARENA_NEW(x->p->arena, struct expr) };

	step.index->kind = EXPR_NUM;
	step.index->span = at->span;
	return with_step(x, at, &step);
}

static bool resolve(struct pretty *x, const struct expr *at, struct target_value *v, struct target_result *out)
{
	struct target_query q = *x->q;

	q.address_of = at->u.target.address;
	q.type_enough = true;
	return target_steps(x->p->arena, at, &q, out) && !target_resolve(&q, x->p->arena, v, &out->miss);
}

/* The value of @at, or `?' where it cannot be had. */
static void value(struct pretty *x, const struct format_part *part, struct expr *at)
{
	struct target_result ignored;
	struct target_value v;

	if (resolve(x, at, &v, &ignored) && target_readable(v.value)) {
		replacement_value(&x->r, part, at);
		x->nvalues++;
	} else {
		replacement_text(&x->r, "?");
	}
}

static void number(struct pretty *x, const struct ctype *t, struct expr *at)
{
	value(x, t->is_signed || t->kind == CTYPE_BOOL ? &conv_signed : &conv_unsigned, at);
}

/* Text at the address that is the value of @at; at most @most bytes of it, -1: to its end. */
static void text_at(struct pretty *x, struct expr *at, int64_t most)
{
	const struct format_part part = { .conv = 'q', .has_prec = most >= 0, .prec = (int)(most > INT32_MAX ? INT32_MAX : most) };

	value(x, &part, at);
}

static void pointer(struct pretty *x, struct expr *at, const char *label)
{
	replacement_text(&x->r, label);
	value(x, &conv_pointer, at);
}

/* ---- structs ---- */

/* What a struct has printed so far: a base class's member of the same name is hidden, a virtual base is there once. */
struct fields {
	const char *name[1024];
	const struct ctype *base[256];
	unsigned n, nbases, printed;
	bool full;
};

static bool is_hidden(const struct fields *f, const char *name)
{
	for (unsigned i = 0; i < f->n; i++)
		if (!strcmp(f->name[i], name))
			return true;
	return false;
}

/* A virtual base class that another base class has led to already. */
static bool is_known_base(struct fields *f, const struct ctype_member *m)
{
	if (!m->at_run_time)
		return false;
	for (unsigned i = 0; i < f->nbases; i++)
		if (ctype_is_same(f->base[i], m->type))
			return true;
	if (f->nbases < sizeof(f->base) / sizeof(f->base[0]))
		f->base[f->nbases++] = m->type;
	return false;
}

static void separate(struct pretty *x, struct fields *f)
{
	if (f->printed++)
		replacement_text(&x->r, ", ");
	if (x->nvalues < MAX_VALUES)
		return;
	replacement_text(&x->r, "...");
	f->full = true;
}

static void print_members(struct pretty *x, const struct ctype *t, struct expr *at, struct fields *f);

static void print_struct(struct pretty *x, const struct ctype *t, struct expr *at, bool open)
{
	struct fields *f;

	if (!open || t->is_incomplete || x->nesting == MAX_NESTING) {
		replacement_text(&x->r, "{...}");
		return;
	}
	x->nesting++;
	f = ARENA_NEW(x->p->arena, struct fields);
	replacement_text(&x->r, "{");
	print_members(x, t, at, f);
	replacement_text(&x->r, "}");
	x->nesting--;
}

/* The labels of structs and classes are swapped in the reference, and scripts may look for them. */
static const char *anonymous_label(const struct ctype *t)
{
	return t->kind == CTYPE_UNION ? "<union>=" : t->kind == CTYPE_CLASS ? "<struct>=" : "<class>=";
}

static void print_member(struct pretty *x, const struct ctype_member *m, struct expr *at)
{
	if (!m->name) {
		replacement_text(&x->r, anonymous_label(m->type));
		print_struct(x, m->type, at, x->deep);
		return;
	}
	replacement_text(&x->r, arena_printf(x->p->arena, ".%s=", m->name));
	at = member_of(x, at, m->name);
	if (m->bit_size)
		number(x, m->type, at);
	else
		print_type(x, m->type, at, false);
}

/* Static members, virtual tables and padding say nothing of this object. */
static bool is_shown(const struct ctype_member *m, const struct fields *f)
{
	if (m->is_static || m->is_base)
		return false;
	if (!m->name)
		return m->type->kind == CTYPE_STRUCT || m->type->kind == CTYPE_CLASS || m->type->kind == CTYPE_UNION;
	return strncmp(m->name, "_vptr", 5) && !is_hidden(f, m->name);
}

/* Own members, then those of the base classes. */
static void print_members(struct pretty *x, const struct ctype *t, struct expr *at, struct fields *f)
{
	const struct ctype_member *m;
	unsigned n = ctype_members(t, x->p->arena, &m);

	for (unsigned i = 0; i < n && !f->full; i++) {
		if (!is_shown(&m[i], f))
			continue;
		separate(x, f);
		if (f->full)
			return;
		print_member(x, &m[i], at);
		if (m[i].name && f->n < sizeof(f->name) / sizeof(f->name[0]))
			f->name[f->n++] = m[i].name;
	}
	for (unsigned i = 0; i < n && !f->full; i++)
		if (m[i].is_base && !is_known_base(f, &m[i]))
			print_members(x, m[i].type, at, f);
}

/* ---- arrays ---- */

static bool is_byte_char(const struct ctype *t)
{
	return t && t->kind == CTYPE_CHAR && t->size == 1;
}

/* The first of all elements, whatever the number of dimensions, and a sign that there are more. */
static void print_array(struct pretty *x, const struct ctype *t, struct expr *at, bool open)
{
	const struct ctype *element = ctype_element(t, x->p->arena);
	const int64_t *dims;
	unsigned n = ctype_dimensions(t, x->p->arena, &dims);
	bool more = n == 0;

	if (!open) {
		replacement_text(&x->r, "[...]");
		return;
	}
	if (n == 1 && is_byte_char(element)) {
		text_at(x, at, dims[0]);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		more |= dims[i] != 1;
		at = element_of(x, at);
		if (i && element)
			element = ctype_element(element, x->p->arena);
	}
	replacement_text(&x->r, "[");
	if (element && n)
		print_type(x, element, at, false);
	replacement_text(&x->r, more ? ", ...]" : "]");
}

/* ---- types ---- */

static bool is_aggregate(const struct ctype *t)
{
	return t->kind == CTYPE_STRUCT || t->kind == CTYPE_CLASS || t->kind == CTYPE_UNION;
}

static bool is_scalar(const struct ctype *t)
{
	return t->kind == CTYPE_BOOL || t->kind == CTYPE_INT || t->kind == CTYPE_ENUM || t->kind == CTYPE_CHAR;
}

/* A pointer that was asked for is followed, once; one among others is an address. */
static void print_pointer(struct pretty *x, const struct ctype *t, struct expr *at, bool top)
{
	const struct ctype *to = ctype_pointee(t, x->p->arena);

	if (is_byte_char(to))
		text_at(x, at, -1);
	else if (!top || !to)
		pointer(x, at, "");
	else if (to->kind == CTYPE_FUNCTION)
		pointer(x, at, "<function>:");
	else if (is_aggregate(to))
		print_struct(x, to, at, true);
	else if (to->kind == CTYPE_POINTER)
		print_type(x, to, element_of(x, at), false);
	else
		print_type(x, to, element_of(x, at), true);
}

static void print_type(struct pretty *x, const struct ctype *t, struct expr *at, bool top)
{
	switch (t->kind) {
	case CTYPE_BOOL: case CTYPE_INT: case CTYPE_ENUM:
		number(x, t, at);
		break;
	case CTYPE_CHAR:
		replacement_text(&x->r, "'");
		value(x, &conv_char, at);
		replacement_text(&x->r, "'");
		break;
	case CTYPE_POINTER:
		print_pointer(x, t, at, top);
		break;
	case CTYPE_REFERENCE:
		/* what the path denotes is the thing itself, so the reference is its address */
		at = expr_copy(x->p->arena, at);
		at->u.target.address = true;
		pointer(x, at, "");
		break;
	case CTYPE_STRUCT: case CTYPE_CLASS: case CTYPE_UNION:
		print_struct(x, t, at, top || x->deep);
		break;
	case CTYPE_ARRAY:
		print_array(x, t, at, top || x->deep);
		break;
	case CTYPE_FUNCTION:
		pointer(x, at, "<function>:");
		break;
	default:
		replacement_text(&x->r, "?");
	}
}

/* ---- inputs ---- */

static void look_work(struct expr **e, void *data)
{
	if ((*e)->kind == EXPR_ASSIGN || (*e)->kind == EXPR_INCDEC || (*e)->kind == EXPR_CALL || (*e)->kind == EXPR_PRINT)
		*(bool *)data = true;
	expr_children(*e, look_work, data);
}

/* Index expressions and operands stand in many places: one that does work goes into a variable of ours, first. */
static void keep_input(struct pretty *x, struct expr **e, unsigned number)
{
	struct arena *a = x->p->arena;
	struct expr *set;
	struct expr_list *item, **tail = &x->r.before;
	bool works = false;

	if (!*e)
		return;
	look_work(e, &works);
	if (!works)
		return;
	set = ARENA_NEW(a, struct expr);
	set->kind = EXPR_ASSIGN;
	set->span = (*e)->span;
	set->u.assign.op = OP_SET;
	set->u.assign.r = *e;
	set->u.assign.l = ARENA_NEW(a, struct expr);
	set->u.assign.l->kind = EXPR_VAR;
	set->u.assign.l->span = (*e)->span;
	set->u.assign.l->u.var.name = str_intern(a, arena_printf(a, "$input%u_%u", (*e)->span.off, number));
	while (*tail)
		tail = &(*tail)->next;
	item = ARENA_NEW(a, struct expr_list);
	item->e = set;
	*tail = item;
	*e = expr_copy(a, set->u.assign.l);
}

static void keep_inputs(struct pretty *x, struct expr *plain)
{
	unsigned n = 0;

	keep_input(x, &plain->u.target.operand, n++);
	for (struct access *i = plain->u.target.path; i; i = i->next)
		if (i->kind == ACC_INDEX)
			keep_input(x, &i->index, n++);
}

void target_pretty(struct program *p, const struct target_query *q, const struct expr *e, struct target_result *out)
{
	struct pretty x = { .p = p, .q = q, .deep = target_suffix(e) == 2 };
	struct expr *plain = expr_copy(p->arena, e);
	struct access **end = &plain->u.target.path;
	struct target_value v;

	*out = (struct target_result){ .kind = TARGET_MISS };
	if (e->u.target.address) {
		target_miss(out, DI_NO_ADDRESS, "cannot take address of pretty-printed variable");
		return;
	}
	while ((*end)->kind != ACC_PRETTY)
		end = &(*end)->next;
	*end = NULL;
	if (!resolve(&x, plain, &v, out))
		return;
	replacement_start(&x.r, p, e->span);
	x.r.guarded = true;
	keep_inputs(&x, plain);
	/* the operand of a cast is an address, whatever lies there */
	if (q->root == TARGET_CAST && q->name && !plain->u.target.path && is_scalar(v.type))
		plain = element_of(&x, plain);
	print_type(&x, v.type, plain, true);
	replacement_end(&x.r, out);
}
