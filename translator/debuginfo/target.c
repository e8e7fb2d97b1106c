/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.c - `$x->y[z]`: from a variable's place along a path of members and indices to one value (probes.md C.2).
 *
 * A cursor is a place, an offset in it and a type; each step moves the cursor, and the last act reads a value from
 * where it stands.  Start at target_resolve().
 */
#include <errno.h>
#include <string.h>

#include "debuginfo/internal.h"

struct cursor {
	const struct target_query *q;
	struct arena *a;
	struct object *obj;
	struct loc_context c;
	struct place place;
	uint64_t off;			/* bytes from the start of the place */
	unsigned bit_off, bit_size;	/* a bit-field, counted from off; else 0 */
	const struct ctype *type;
	bool by_return_memory;
	const char *path;		/* what was walked so far, for messages: "$b->pts" */
	struct di_miss *miss;
};

static int fail(struct cursor *k, int err, enum di_reason reason, const char *text)
{
	return miss_set(k->miss, err, reason, text);
}

/* "main+0x4" or "0x1139". */
static const char *pc_text(struct cursor *k)
{
	struct symbol_info sym;

	if (object_symbol_at(k->obj, k->q->pc, &sym))
		return arena_printf(k->a, "%s+0x%llx", sym.name, (unsigned long long)(k->q->pc - sym.link_addr));
	return arena_printf(k->a, "0x%llx", (unsigned long long)k->q->pc);
}

static void miss_declared(struct cursor *k, Dwarf_Die *die)
{
	if (!k->miss)
		return;
	k->miss->decl_file = die_decl_file(k->obj, die, k->a);
	k->miss->decl_line = die_decl_line(die);
}

/* ---------------------------------------------------------------------------------------------- reading */

static struct loc_expr *read_integer(struct cursor *k, unsigned size)
{
	return place_read(k->a, &k->place, k->off, size);
}

static int no_value(struct cursor *k)
{
	if (k->place.kind == PLACE_POINTER)
		return fail(k, -ENOSYS, DI_UNSUPPORTED, arena_printf(k->a,
			    "the pointer '%s' was optimised away; only what it points to can be read", k->path));
	return fail(k, -ENOENT, DI_NO_LOCATION, arena_printf(k->a,
		    "not all of '%s' has a location at %s", k->path, pc_text(k)));
}

/* The address the cursor stands at; NULL where that is no memory, or inside a byte. */
static struct loc_expr *address_at(struct cursor *k)
{
	if (k->place.kind == PLACE_PIECES && k->place.npiece == 1 && k->place.piece[0].at->kind == PLACE_MEMORY)
		k->place = *k->place.piece[0].at;
	if (k->place.kind != PLACE_MEMORY || k->bit_size)
		return NULL;
	return loc_add(k->a, k->place.e, k->off);
}

static void stand_at(struct cursor *k, struct loc_expr *address, const struct ctype *type)
{
	k->place = (struct place) { .kind = PLACE_MEMORY, .e = address };
	k->off = k->bit_off = k->bit_size = 0;
	k->type = type;
	k->by_return_memory = false;
}

/* A pointer that exists only as "points to that variable": stand on the variable itself. */
static int follow_implicit(struct cursor *k, const struct ctype *to)
{
	Dwarf_Die target = k->place.target;
	int64_t offset = k->place.target_offset;
	const char *why = NULL;
	int err = place_of_variable(&k->c, &target, &k->place, &why);

	if (err || offset < 0)
		return fail(k, err ? err : -ENOENT, why ? DI_UNSUPPORTED : DI_NO_LOCATION, arena_printf(k->a,
			    "what '%s' points to has no location at %s%s%s", k->path, pc_text(k), why ? ": " : "",
			    why ? why : ""));
	k->off = offset;
	k->type = to;
	return 0;
}

/* From a pointer or reference to what it points to. */
static int follow(struct cursor *k)
{
	const struct ctype *to = ctype_pointee(k->type, k->a);
	struct loc_expr *pointer;

	if (!to)
		return fail(k, -EINVAL, DI_NOT_AGGREGATE, arena_printf(k->a, "'%s' is a 'void*'", k->path));
	if (k->place.kind == PLACE_POINTER && k->off == 0)
		return follow_implicit(k, to);
	pointer = read_integer(k, k->type->size);
	if (!pointer)
		return no_value(k);
	stand_at(k, pointer, to);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- members */

/* A member whose place the object itself tells: the virtual base class at that offset of what the hop before led to. */
struct hop {
	const struct hop *before;	/* NULL: none; from the start of the outermost type */
	uint64_t offset;
	const struct run_time_place *to;
};

struct route {
	const struct hop *last;
	uint64_t offset;		/* from where that led */
};

struct found_member {
	struct ctype_member m;
	struct route route;
};

static struct route route_to(struct route r, const struct ctype_member *m, struct arena *a)
{
	struct hop *h;

	if (!m->at_run_time) {
		r.offset += m->offset;
		return r;
	}
	h = ARENA_NEW(a, struct hop);
	*h = (struct hop) { r.last, r.offset, m->at_run_time };
	return (struct route) { .last = h, .offset = m->offset };
}

/* Own members, and those of anonymous structs and unions inside. */
static bool find_own_member(const struct ctype *t, const char *name, struct route base, struct arena *a, int depth,
			    struct found_member *out)
{
	enum { NESTING_MAX = 32 };
	const struct ctype_member *m;
	unsigned n = depth < NESTING_MAX ? ctype_members(t, a, &m) : 0;

	for (unsigned i = 0; i < n; i++) {
		if (m[i].name && strcmp(m[i].name, name) == 0) {
			*out = (struct found_member) { m[i], route_to(base, &m[i], a) };
			return true;
		}
		if (!m[i].name && !m[i].is_base && !m[i].bit_size &&
		    find_own_member(m[i].type, name, route_to(base, &m[i], a), a, depth + 1, out))
			return true;
	}
	return false;
}

/* Base classes after the derived one, breadth first: a derived member hides those of its bases. */
static bool find_member(const struct ctype *t, const char *name, struct arena *a, struct found_member *out)
{
	enum { BASES_MAX = 256 };
	struct { const struct ctype *t; struct route base; } queue[BASES_MAX];
	unsigned head = 0, tail = 0;

	queue[tail].t = t;
	queue[tail++].base = (struct route) { 0 };
	while (head < tail) {
		const struct ctype *at = queue[head].t;
		struct route base = queue[head++].base;
		const struct ctype_member *m;
		unsigned n;

		if (find_own_member(at, name, base, a, 0, out))
			return true;
		n = ctype_members(at, a, &m);
		for (unsigned i = 0; i < n && tail < BASES_MAX; i++) {
			if (!m[i].is_base)
				continue;
			queue[tail].t = m[i].type;
			queue[tail++].base = route_to(base, &m[i], a);
		}
	}
	return false;
}

static int take_hops(struct cursor *k, const struct hop *h)
{
	struct loc_expr *whole;
	Dwarf_Die die;
	const char *why;
	int err;

	if (!h)
		return 0;
	err = take_hops(k, h->before);
	if (err)
		return err;
	k->off += h->offset;
	whole = address_at(k);
	if (!whole)
		return fail(k, -EINVAL, DI_NO_ADDRESS, arena_printf(k->a,
			    "'%s' is not in memory at %s, and only there it tells where its virtual base class is",
			    k->path, pc_text(k)));
	die = h->to->die;
	err = place_of_member(&k->c, &die, whole, &k->place, &why);
	if (err)
		return fail(k, err, DI_UNSUPPORTED,
			    arena_printf(k->a, "a base class of '%s' cannot be found: %s", k->path, why));
	k->off = 0;
	k->by_return_memory = false;
	return 0;
}

static void collect_member_names(const struct ctype *t, struct arena *a, int depth, struct vec *names)
{
	enum { NESTING_MAX = 32 };
	const struct ctype_member *m;
	unsigned n = depth < NESTING_MAX ? ctype_members(t, a, &m) : 0;

	for (unsigned i = 0; i < n; i++) {
		if (m[i].name)
			vec_push(names, a, (void *)m[i].name);
		else
			collect_member_names(m[i].type, a, depth + 1, names);
	}
}

static int no_member(struct cursor *k, const char *name)
{
	struct vec names = { 0 };
	int err = fail(k, -ENOENT, DI_NO_MEMBER, arena_printf(k->a, "'%s' has no member '%s'", k->type->name, name));

	if (k->miss) {
		miss_declared(k, &k->type->priv->die);
		collect_member_names(k->type, k->a, 0, &names);
		near_names(k->miss, "members", name, (const char *const *)names.item, names.n);
		/* Nothing sounds like it: the first members are of more help than none. */
		for (unsigned i = 0; k->miss->nalt < DI_MAX_ALT && i < names.n; i++) {
			bool known = false;

			for (unsigned j = 0; j < k->miss->nalt; j++)
				known |= strcmp(k->miss->alt[j], names.item[i]) == 0;
			if (!known)
				k->miss->alt[k->miss->nalt++] = names.item[i];
		}
	}
	return err;
}

static int load_global(struct cursor *k, const char *name, const char *unit, Dwarf_Die *near_cu);

static int step_member(struct cursor *k, const char *name)
{
	struct found_member found;
	int err;

	while (k->type->kind == CTYPE_POINTER || k->type->kind == CTYPE_REFERENCE) {
		if (!ctype_pointee(k->type, k->a))
			return fail(k, -EINVAL, DI_NOT_AGGREGATE,
				    arena_printf(k->a, "invalid access '->%s' vs 'void*'", name));
		err = follow(k);
		if (err)
			return err;
	}
	if (!type_is_aggregate(k->type))
		return fail(k, -EINVAL, DI_NOT_AGGREGATE,
			    arena_printf(k->a, "invalid access '->%s' vs '%s'", name, k->type->name));
	if (k->type->is_incomplete)
		return fail(k, -ENOENT, DI_INCOMPLETE, arena_printf(k->a,
			    "'%s' is only declared in '%s', not defined", k->type->name, k->obj->path));
	if (!find_member(k->type, name, k->a, &found))
		return no_member(k, name);
	if (found.m.is_static)
		return load_global(k, name, NULL, NULL);
	err = take_hops(k, found.route.last);
	if (err)
		return err;
	k->off += found.route.offset;
	k->bit_off = found.m.bit_offset;
	k->bit_size = found.m.bit_size;
	k->type = found.m.type;
	return 0;
}

/* ---------------------------------------------------------------------------------------------- indices */

static struct loc_expr *index_expr(struct cursor *k, const struct target_step *s, uint64_t size)
{
	if (s->kind == STEP_INDEX)
		return loc_const(k->a, (uint64_t)s->index * size);
	return loc_binary(k->a, LOC_OP_MUL, loc_index(k->a, s->index), loc_const(k->a, size));
}

/* An array that is not in memory: only a constant index into what is there. */
static int index_elsewhere(struct cursor *k, const struct target_step *s, const struct ctype *element)
{
	if (s->kind != STEP_INDEX)
		return fail(k, -EINVAL, DI_NO_ADDRESS, arena_printf(k->a,
			    "'%s' is not in memory, so its index must be a number", k->path));
	if (s->index < 0 || (k->type->size && (uint64_t)s->index >= k->type->size / element->size))
		return fail(k, -EINVAL, DI_NO_LOCATION, arena_printf(k->a,
			    "index %lld is outside '%s', which is not in memory", (long long)s->index, k->path));
	k->off += (uint64_t)s->index * element->size;
	k->type = element;
	return 0;
}

static int step_index(struct cursor *k, const struct target_step *s)
{
	const struct ctype *element;
	struct loc_expr *base;
	int err;

	while (k->type->kind == CTYPE_REFERENCE) {
		err = follow(k);
		if (err)
			return err;
	}
	/* `@cast(p, "int")[2]`: the operand is the address of ints. */
	element = k->type;
	base = NULL;
	if (k->type->kind == CTYPE_ARRAY) {
		element = ctype_element(k->type, k->a);
	} else if (k->type->kind == CTYPE_POINTER) {
		element = ctype_pointee(k->type, k->a);
	} else if (k->q->root != TARGET_CAST || k->q->type || s != k->q->step) {
		return fail(k, -EINVAL, DI_NOT_INDEXABLE,
			    arena_printf(k->a, "invalid access '[...]' vs '%s'", k->type->name));
	}
	if (!element || element->size == 0)
		return fail(k, -EINVAL, element ? DI_INCOMPLETE : DI_NOT_INDEXABLE, arena_printf(k->a,
			    "'%s' cannot be indexed: the size of '%s' is not known", k->path,
			    element ? element->name : "void"));
	if (k->type->kind == CTYPE_ARRAY) {
		base = address_at(k);
		if (!base)
			return index_elsewhere(k, s, element);
	} else if (k->type->kind == CTYPE_POINTER) {
		if (k->place.kind == PLACE_POINTER && s->kind == STEP_INDEX) {
			err = follow(k);
			k->off += err ? 0 : (uint64_t)s->index * element->size;
			return err;
		}
		base = read_integer(k, k->type->size);
		if (!base)
			return no_value(k);
	} else {
		base = loc_node(k->a, LOC_OPERAND);
	}
	stand_at(k, loc_binary(k->a, LOC_OP_ADD, base, index_expr(k, s, element->size)), element);
	return 0;
}

static int step_deref(struct cursor *k)
{
	if (k->type->kind != CTYPE_POINTER && k->type->kind != CTYPE_REFERENCE)
		return fail(k, -EINVAL, DI_NOT_INDEXABLE,
			    arena_printf(k->a, "'%s' is no pointer but '%s'", k->path, k->type->name));
	return follow(k);
}

static int take_step(struct cursor *k, const struct target_step *s)
{
	int err = 0;

	switch (s->kind) {
	case STEP_MEMBER:
		err = step_member(k, s->name);
		k->path = arena_printf(k->a, "%s->%s", k->path, s->name);
		break;
	case STEP_INDEX:
		err = step_index(k, s);
		k->path = arena_printf(k->a, "%s[%lld]", k->path, (long long)s->index);
		break;
	case STEP_RUNTIME_INDEX:
		err = step_index(k, s);
		k->path = arena_printf(k->a, "%s[...]", k->path);
		break;
	case STEP_DEREF:
		err = step_deref(k);
		k->path = arena_printf(k->a, "*%s", k->path);
		break;
	}
	return err;
}

/* ---------------------------------------------------------------------------------------------- roots */

/* What the user could read there instead. */
static void miss_readable(struct cursor *k)
{
	enum { SHOWN = 24 };
	const struct visible_var *vars;
	const char *text = NULL;
	unsigned n, shown = 0;

	if (!k->miss || !k->q->scope)
		return;
	n = scope_variables(k->q->scope, k->q->pc, VARS_PARAMETERS | VARS_LOCALS, k->a, &vars);
	for (unsigned i = 0; i < n && shown < SHOWN; i++) {
		if (!vars[i].readable)
			continue;
		text = arena_printf(k->a, "%s%s$%s", text ? text : "", text ? " " : "", vars[i].name);
		shown++;
	}
	k->miss->readable = text;
}

static int load_variable(struct cursor *k, Dwarf_Die *var)
{
	const char *why = NULL;
	int err = place_of_variable(&k->c, var, &k->place, &why);

	if (err == -ENOSYS)
		err = fail(k, err, DI_UNSUPPORTED, arena_printf(k->a, "'%s' cannot be read at %s: %s", k->path,
								 pc_text(k), why ? why : "unknown form"));
	else if (err)
		err = fail(k, err, DI_NO_LOCATION, arena_printf(k->a, "'%s' has no location at %s", k->path,
								 pc_text(k)));
	if (err) {
		const char *ranges = location_ranges_text(&k->c, var);

		miss_declared(k, var);
		if (k->miss && ranges)
			k->miss->hint = arena_printf(k->a, "its location list covers %s", ranges);
		else if (k->miss && err == -ENOENT)
			k->miss->hint = "the compiler optimized it away; built with -Og or -O0 the program keeps it";
		miss_readable(k);
		return err;
	}
	k->off = k->bit_off = k->bit_size = 0;
	k->type = type_of_die(k->obj, var, k->a);
	return 0;
}

static int load_global(struct cursor *k, const char *name, const char *unit, Dwarf_Die *near_cu)
{
	Dwarf_Die var;

	if (!global_variable(k->obj, name, unit, near_cu, &var)) {
		int err = fail(k, -ENOENT, DI_NO_VARIABLE, arena_printf(k->a, "unable to find global '%s' in '%s'%s%s",
				name, k->obj->path, unit ? ", in " : "", unit ? unit : ""));

		if (k->miss)
			miss_globals(k->obj, name, k->a, k->miss);
		return err;
	}
	return load_variable(k, &var);
}

/* Nothing visible has that name: say where it would be visible, or what is. */
static int no_variable(struct cursor *k)
{
	Dwarf_Die var, block;
	int err;

	if (scope_find_elsewhere(k->q->scope, k->q->name, &var, &block)) {
		struct addr_range *r;

		err = fail(k, -ENOENT, DI_NO_LOCATION,
			   arena_printf(k->a, "'%s' has no location at %s", k->path, pc_text(k)));
		miss_declared(k, &var);
		if (k->miss && die_ranges(&block, k->a, &r))
			k->miss->hint = arena_printf(k->a, "the block it belongs to covers 0x%llx..0x%llx",
						     (unsigned long long)r->lo, (unsigned long long)r->hi);
		else if (k->miss)
			k->miss->hint = "the compiler optimized it away; built with -Og or -O0 the program keeps it";
		miss_readable(k);
		return err;
	}
	err = fail(k, -ENOENT, DI_NO_VARIABLE,
		   arena_printf(k->a, "unable to find local '%s' at %s", k->q->name, pc_text(k)));
	if (k->miss)
		miss_locals(k->q->scope, k->q->pc, k->q->name, k->a, k->miss);
	miss_readable(k);
	return err;
}

static int load_enumerator(struct cursor *k, Dwarf_Die *value, Dwarf_Die *type)
{
	int64_t number = 0;

	die_signed(value, DW_AT_const_value, &number);
	k->place = (struct place) { .kind = PLACE_VALUE, .e = loc_const(k->a, number) };
	k->type = type_from_die(k->obj, type, k->a);
	return 0;
}

static int needs_scope(struct cursor *k)
{
	object_dwarf(k->obj);
	return fail(k, -ENOENT, DI_NO_DEBUGINFO, arena_printf(k->a, "'%s' needs debuginfo: %s", k->path,
		    k->obj->debug_problem ? k->obj->debug_problem : "none covers this address"));
}

static int root_local(struct cursor *k)
{
	const struct target_query *q = k->q;
	Dwarf_Die var, type;

	if (!q->scope)
		return needs_scope(k);
	if (scope_find(q->scope, q->pc, q->name, k->a, &var))
		return load_variable(k, &var);
	if (global_variable(k->obj, q->name, NULL, &q->scope->cu, &var))
		return load_variable(k, &var);
	if (scope_find_enumerator(q->scope, q->pc, q->name, k->a, &var, &type))
		return load_enumerator(k, &var, &type);
	return no_variable(k);
}

static int root_return(struct cursor *k)
{
	const char *why;
	Dwarf_Die die;
	int err;

	if (!k->q->scope)
		return needs_scope(k);
	die = k->q->scope->die;
	k->type = type_of_die(k->obj, &die, k->a);
	if (k->type->kind == CTYPE_VOID) {
		err = fail(k, -ENOENT, DI_NO_RETURN, arena_printf(k->a, "function '%s' has no return value",
								  dwarf_diename(&die)));
		miss_declared(k, &die);
		return err;
	}
	err = place_of_return(k->obj, k->type, k->a, &k->place, &why, &k->by_return_memory);
	if (!err)
		return 0;
	k->place = (struct place) { .kind = PLACE_NONE };
	return k->q->type_enough ? 0 :
	       fail(k, err, DI_UNSUPPORTED, arena_printf(k->a, "'$return' cannot be read: %s", why));
}

static int root_global(struct cursor *k)
{
	const char *at = strchr(k->q->name, '@');
	const char *name = at ? arena_strndup(k->a, k->q->name, at - k->q->name) : k->q->name;

	if (!object_dwarf(k->obj))
		return needs_scope(k);
	return load_global(k, name, at ? at + 1 : NULL, NULL);
}

static int root_cast(struct cursor *k)
{
	struct loc_expr *operand = loc_node(k->a, LOC_OPERAND);

	if (k->q->type) {
		k->type = k->q->type;
		if (k->q->type_at_operand || type_is_aggregate(k->type) || k->type->kind == CTYPE_ARRAY)
			stand_at(k, operand, k->type);
		else
			k->place = (struct place) { .kind = PLACE_VALUE, .e = operand };
		return 0;
	}
	if (!object_dwarf(k->obj))
		return needs_scope(k);
	k->type = type_named(k->obj, k->q->name, k->a);
	if (!k->type)
		return fail(k, -ENOENT, DI_NO_TYPE, arena_printf(k->a, "type '%s' not found in '%s'", k->q->name,
								 k->obj->path));
	if (type_is_aggregate(k->type) || k->type->kind == CTYPE_ARRAY)
		stand_at(k, operand, k->type);
	else
		k->place = (struct place) { .kind = PLACE_VALUE, .e = operand };
	return 0;
}

/* ---------------------------------------------------------------------------------------------- the last act */

static void take_lvalue(struct cursor *k, struct target_value *out)
{
	unsigned size = k->type->size;

	out->size = size;
	if (k->place.kind == PLACE_REGISTER && k->off == 0 && !k->bit_size) {
		out->lvalue = LV_REGISTER;
		out->reg = k->place.reg;
	} else if (k->place.kind == PLACE_MEMORY) {
		uint64_t bit = k->off * 8 + k->bit_off, unit = size * 8;

		out->lvalue = LV_MEMORY;
		if (!k->bit_size)
			return;
		if (unit == 0 || bit % unit + k->bit_size > unit) {
			out->lvalue = LV_NONE;	/* straddles its unit: a packed struct */
			return;
		}
		out->address = loc_add(k->a, k->place.e, bit / unit * size);
		out->bit_offset = bit % unit;
		out->bit_size = k->bit_size;
	}
}

static int take_scalar(struct cursor *k, struct target_value *out)
{
	const struct ctype *t = k->type;
	struct loc_expr *e;

	if (t->size == 0 || t->size > 8)
		return fail(k, -ENOSYS, DI_TOO_WIDE, arena_printf(k->a,
			    "'%s' is a '%s' of %llu bytes: cannot process >64-bit values", k->path, t->name,
			    (unsigned long long)t->size));
	if (k->bit_size)
		e = place_read_bits(k->a, &k->place, k->off * 8 + k->bit_off, k->bit_size, t->size);
	else
		e = read_integer(k, t->size);
	if (!e)
		return no_value(k);
	if (t->kind == CTYPE_FLOAT) {
		if (t->size != 4 && t->size != 8)
			return fail(k, -ENOSYS, DI_UNSUPPORTED,
				    arena_printf(k->a, "'%s' is a '%s'", k->path, t->name));
		out->is_float = true;
		out->value = t->size == 4 ? loc_unary(k->a, LOC_OP_F32_TO_F64, e) : e;
	} else {
		out->value = loc_extend(k->a, e, k->bit_size ? k->bit_size : t->size * 8, t->is_signed);
		out->is_pointer = t->kind == CTYPE_POINTER;
	}
	take_lvalue(k, out);
	return 0;
}

static int take_address(struct cursor *k, struct target_value *out, const char *what)
{
	if (k->bit_size)
		return fail(k, -EINVAL, DI_NO_ADDRESS,
			    arena_printf(k->a, "cannot take the address of a bit field: '%s'", k->path));
	if (!out->address)
		return fail(k, -EINVAL, DI_NO_ADDRESS, arena_printf(k->a,
			    "'%s' is %s that is not in memory at %s", k->path, what, pc_text(k)));
	out->value = out->address;
	out->is_pointer = true;
	return 0;
}

static int take_aggregate(struct cursor *k, struct target_value *out)
{
	const struct ctype_member *m;
	const char *first = NULL;
	unsigned n;
	int err;

	/* The value of a cast is the address that it casts. */
	if (k->q->root == TARGET_CAST && k->q->nstep == 0)
		return take_address(k, out, "something");
	n = ctype_members(k->type, k->a, &m);
	for (unsigned i = 0; i < n && !first; i++)
		first = m[i].name;
	err = fail(k, -EINVAL, DI_IS_AGGREGATE, arena_printf(k->a,
		   "'%s' is being accessed instead of a member%s%s%s", k->type->name,
		   first ? " such as '->" : "", first ? first : "", first ? "'" : ""));
	miss_declared(k, &k->type->priv->die);
	return err;
}

/* Whether the value is 64 bits or fewer: a number, or an address. */
static bool is_one_number(struct cursor *k)
{
	const struct ctype *t = k->type;

	switch (t->kind) {
	case CTYPE_BOOL: case CTYPE_CHAR: case CTYPE_INT: case CTYPE_FLOAT: case CTYPE_ENUM: case CTYPE_POINTER:
		return t->size <= 8;
	case CTYPE_ARRAY: case CTYPE_FUNCTION:
		return address_at(k) != NULL;
	default:
		return false;
	}
}

static int take_value(struct cursor *k, struct target_value *out)
{
	while (k->type->kind == CTYPE_REFERENCE) {
		int err = follow(k);

		if (err)
			return err;
	}
	out->type = k->type;
	out->by_return_memory = k->by_return_memory;
	out->address = address_at(k);
	if (k->q->address_of)
		return take_address(k, out, "something");
	if (k->q->type_enough && !is_one_number(k)) {
		out->size = k->type->size;
		return 0;
	}
	if (type_is_aggregate(k->type))
		return take_aggregate(k, out);
	switch (k->type->kind) {
	case CTYPE_ARRAY:
		return take_address(k, out, "an array");
	case CTYPE_FUNCTION:
		return take_address(k, out, "a function");
	case CTYPE_BOOL: case CTYPE_CHAR: case CTYPE_INT: case CTYPE_FLOAT: case CTYPE_ENUM: case CTYPE_POINTER:
		return take_scalar(k, out);
	default:
		return fail(k, -ENOSYS, DI_UNSUPPORTED, arena_printf(k->a, "'%s' is a '%s', which is no number",
								     k->path, k->type->name));
	}
}

int target_resolve(const struct target_query *q, struct arena *a, struct target_value *out, struct di_miss *miss)
{
	static int (*const roots[])(struct cursor *) = {
		[TARGET_LOCAL] = root_local, [TARGET_RETURN] = root_return,
		[TARGET_GLOBAL] = root_global, [TARGET_CAST] = root_cast,
	};
	struct cursor k = { .q = q, .a = a, .obj = q->obj ? q->obj : q->scope ? q->scope->obj : NULL, .miss = miss };
	const char *name = q->name ? q->name : "";
	int err;

	memset(out, 0, sizeof(*out));
	if (!k.obj)
		return miss_set(miss, -ENOENT, DI_NO_DEBUGINFO, "there is no debuginfo here");
	k.c = (struct loc_context) { .obj = k.obj, .arena = a, .scope = q->scope, .pc = q->pc };
	k.path = q->root == TARGET_LOCAL ? arena_printf(a, "$%s", name) :
		 q->root == TARGET_RETURN ? "$return" :
		 q->root == TARGET_GLOBAL ? arena_printf(a, "@var(\"%s\")", name) :
		 q->type ? arena_printf(a, "(%s)", q->type->name) : arena_printf(a, "@cast(..., \"%s\")", name);
	err = roots[q->root](&k);
	for (unsigned i = 0; i < q->nstep && !err; i++)
		err = take_step(&k, &q->step[i]);
	return err ? err : take_value(&k, out);
}
