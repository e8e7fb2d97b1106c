/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type.c - types as a script sees them, read from their DIEs when asked for.
 *
 * A struct ctype keeps the DIE below all typedefs and qualifiers, and the name as it was before they were peeled.
 * Declarations without a body are replaced by the definition another unit has.  Start at type_from_die().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"
#include "support/strbuf.h"

enum { PEEL_MAX = 64 };			/* typedefs of typedefs, qualifiers of qualifiers */

bool type_is_aggregate(const struct ctype *t)
{
	return t->kind == CTYPE_STRUCT || t->kind == CTYPE_CLASS || t->kind == CTYPE_UNION;
}

/* ---------------------------------------------------------------------------------------------- names */

static void print_type(struct strbuf *b, Dwarf_Die *die, int depth);

static void print_type_of(struct strbuf *b, Dwarf_Die *die, int depth)
{
	Dwarf_Die type;

	if (depth > PEEL_MAX)
		strbuf_add(b, "...");
	else if (die_ref(die, DW_AT_type, &type))
		print_type(b, &type, depth + 1);
	else
		strbuf_add(b, "void");
}

static void print_parameters(struct strbuf *b, Dwarf_Die *function, int depth)
{
	Dwarf_Die child;
	bool first = true;

	strbuf_char(b, '(');
	FOR_CHILDREN(child, function) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters) {
			strbuf_add(b, first ? "..." : ", ...");
		} else if (dwarf_tag(&child) == DW_TAG_formal_parameter) {
			strbuf_add(b, first ? "" : ", ");
			print_type_of(b, &child, depth);
		}
		first = false;
	}
	strbuf_char(b, ')');
}

static void print_pointer(struct strbuf *b, Dwarf_Die *die, int depth)
{
	Dwarf_Die to;

	if (die_ref(die, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_subroutine_type && depth < PEEL_MAX) {
		print_type_of(b, &to, depth);
		strbuf_add(b, " (*) ");
		print_parameters(b, &to, depth + 1);
		return;
	}
	print_type_of(b, die, depth);
	strbuf_char(b, '*');
}

/* What follows, or stands before, the type inside. */
static const struct name_rule {
	unsigned tag;
	const char *before, *after;
	bool own_name;			/* name of its own, `{...}` where it has none */
} name_rules[] = {
	{ DW_TAG_structure_type, "struct ", "", true },
	{ DW_TAG_class_type, "class ", "", true },
	{ DW_TAG_union_type, "union ", "", true },
	{ DW_TAG_enumeration_type, "enum ", "", true },
	{ DW_TAG_const_type, "", " const", false },
	{ DW_TAG_volatile_type, "", " volatile", false },
	{ DW_TAG_restrict_type, "", " restrict", false },
	{ DW_TAG_atomic_type, "", " _Atomic", false },
	{ DW_TAG_reference_type, "", "&", false },
	{ DW_TAG_rvalue_reference_type, "", "&&", false },
	{ DW_TAG_array_type, "", "[]", false },
	{ DW_TAG_ptr_to_member_type, "", " ::*", false },
};

static void print_type(struct strbuf *b, Dwarf_Die *die, int depth)
{
	unsigned tag = dwarf_tag(die);
	const char *name = dwarf_diename(die);

	if (tag == DW_TAG_pointer_type) {
		print_pointer(b, die, depth);
		return;
	}
	if (tag == DW_TAG_subroutine_type) {
		print_type_of(b, die, depth);
		strbuf_char(b, ' ');
		print_parameters(b, die, depth);
		return;
	}
	for (unsigned i = 0; i < sizeof(name_rules) / sizeof(name_rules[0]); i++) {
		const struct name_rule *r = &name_rules[i];

		if (r->tag != tag)
			continue;
		strbuf_add(b, r->before);
		if (r->own_name)
			strbuf_add(b, name ? name : "{...}");
		else
			print_type_of(b, die, depth);
		strbuf_add(b, r->after);
		return;
	}
	strbuf_add(b, name ? name : "?");
}

static const char *type_name(Dwarf_Die *die, struct arena *a)
{
	struct strbuf b = { 0 };
	const char *copy;

	print_type(&b, die, 0);
	copy = arena_strdup(a, b.text);
	strbuf_free(&b);
	return copy;
}

/* ---------------------------------------------------------------------------------------------- definitions */

/* All named types of file and namespace level that have a body, sorted by name. */
struct named_type {
	const char *name;
	unsigned tag;
	Dwarf_Die die;
};

static bool is_named_type_tag(unsigned tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type;
}

static void collect_types(struct object *obj, Dwarf_Die *parent, struct vec *found, int depth);

/* Units of a file that several programs share (dwz) come by being imported; those of the object itself come anyway. */
static void collect_imported(struct object *obj, Dwarf_Die *import, struct vec *found, int depth)
{
	struct object_priv *p = obj->priv;
	Dwarf_Die unit;

	if (!die_ref(import, DW_AT_import, &unit) || dwarf_cu_getdwarf(unit.cu) == object_dwarf(obj) ||
	    ptr_map_get(&p->imported_types, unit.addr))
		return;
	ptr_map_put(&p->imported_types, p->arena, unit.addr, found);
	collect_types(obj, &unit, found, depth + 1);
}

static void collect_types(struct object *obj, Dwarf_Die *parent, struct vec *found, int depth)
{
	enum { NAMESPACES_MAX = 32 };
	struct arena *own = obj->priv->arena;
	Dwarf_Die die;

	if (depth > NAMESPACES_MAX)
		return;
	FOR_CHILDREN(die, parent) {
		unsigned tag = dwarf_tag(&die);
		const char *name;

		if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
			collect_types(obj, &die, found, depth + 1);
			continue;
		}
		if (tag == DW_TAG_imported_unit) {
			collect_imported(obj, &die, found, depth);
			continue;
		}
		name = is_named_type_tag(tag) ? dwarf_diename(&die) : NULL;
		if (name && !die_is_declaration(&die)) {
			struct named_type *t = ARENA_NEW(own, struct named_type);

			*t = (struct named_type) { name, tag, die };
			vec_push(found, own, t);
		}
	}
}

static int named_type_order(const void *x, const void *y)
{
	const struct named_type *a = *(struct named_type *const *)x, *b = *(struct named_type *const *)y;
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	return a->die.addr < b->die.addr ? -1 : a->die.addr > b->die.addr;
}

static const struct vec *named_types(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf *dw = object_dwarf(obj);
	Dwarf_CU *unit = NULL;
	Dwarf_Die cu;

	if (p->types_tried)
		return &p->types;
	p->types_tried = true;
	while (dw && next_any_unit(dw, &unit, &cu))
		collect_types(obj, &cu, &p->types, 0);
	if (p->types.n)
		qsort(p->types.item, p->types.n, sizeof(void *), named_type_order);
	return &p->types;
}

static bool tags_agree(unsigned wanted, unsigned tag)
{
	bool class_like = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;

	if (wanted == DW_TAG_structure_type || wanted == DW_TAG_class_type)
		return class_like;
	return wanted == 0 || wanted == tag;
}

/* The first type with a body of that name; @tag 0: any, typedefs and base types before the tagged ones. */
static bool find_named_type(struct object *obj, const char *name, unsigned tag, Dwarf_Die *out)
{
	const struct vec *types = named_types(obj);
	const struct named_type *best = NULL;
	unsigned lo = 0, hi = types->n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (strcmp(((struct named_type *)types->item[mid])->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < types->n; lo++) {
		const struct named_type *t = types->item[lo];
		bool plain = t->tag == DW_TAG_typedef || t->tag == DW_TAG_base_type;

		if (strcmp(t->name, name) != 0)
			break;
		if (tags_agree(tag, t->tag) && (!best || (tag == 0 && plain && best->tag != DW_TAG_typedef &&
							  best->tag != DW_TAG_base_type)))
			best = t;
	}
	if (best)
		*out = best->die;
	return best != NULL;
}

/* ---------------------------------------------------------------------------------------------- kinds */

static bool peel(Dwarf_Die *die)
{
	for (int i = 0; i < PEEL_MAX; i++) {
		switch (dwarf_tag(die)) {
		case DW_TAG_typedef: case DW_TAG_const_type: case DW_TAG_volatile_type: case DW_TAG_restrict_type:
		case DW_TAG_atomic_type: case DW_TAG_immutable_type: case DW_TAG_packed_type: case DW_TAG_shared_type:
			if (!die_ref(die, DW_AT_type, die))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

static enum ctype_kind base_kind(struct ctype *t, Dwarf_Die *die)
{
	uint64_t encoding = 0;

	die_unsigned(die, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		return CTYPE_BOOL;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_ASCII:
	case DW_ATE_UCS:
		t->is_char = true;
		t->is_signed = encoding == DW_ATE_signed_char;
		return CTYPE_CHAR;
	case DW_ATE_signed:
	case DW_ATE_unsigned:
	case DW_ATE_address:
		t->is_signed = encoding == DW_ATE_signed;
		return CTYPE_INT;
	case DW_ATE_float:
		return CTYPE_FLOAT;
	default:
		return CTYPE_OTHER;
	}
}

/* An enum is as signed as its underlying type; old compilers give none, then its enumerators decide. */
static bool enum_is_signed(struct object *obj, Dwarf_Die *die, struct arena *a)
{
	Dwarf_Die underlying, child;
	int64_t value;

	if (die_ref(die, DW_AT_type, &underlying))
		return type_from_die(obj, &underlying, a)->is_signed;
	FOR_CHILDREN(child, die)
		if (dwarf_tag(&child) == DW_TAG_enumerator &&
		    die_signed(&child, DW_AT_const_value, &value) && value < 0)
			return true;
	return false;
}

static enum ctype_kind kind_of(struct ctype *t, Dwarf_Die *die, struct arena *a)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type: return base_kind(t, die);
	case DW_TAG_enumeration_type:
		t->is_signed = enum_is_signed(t->obj, die, a);
		return CTYPE_ENUM;
	case DW_TAG_pointer_type: return CTYPE_POINTER;
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: return CTYPE_REFERENCE;
	case DW_TAG_array_type: return CTYPE_ARRAY;
	case DW_TAG_structure_type: return CTYPE_STRUCT;
	case DW_TAG_class_type: return CTYPE_CLASS;
	case DW_TAG_union_type: return CTYPE_UNION;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram: return CTYPE_FUNCTION;
	default: return CTYPE_OTHER;
	}
}

/* Replace a declaration by the body it stands for: by signature (type units), else by name. */
static bool find_body(struct object *obj, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die body;

	if (!die_is_declaration(die))
		return true;
	if (die_ref(die, DW_AT_signature, &body) && !die_is_declaration(&body)) {
		*die = body;
		return true;
	}
	return name && find_named_type(obj, name, dwarf_tag(die), die);
}

const struct ctype *type_void(struct object *obj, struct arena *a)
{
	struct ctype *t = ARENA_NEW(a, struct ctype);

	t->kind = CTYPE_VOID;
	t->name = "void";
	t->obj = obj;
	t->priv = ARENA_NEW(a, struct ctype_priv);
	return t;
}

const struct ctype *type_from_die(struct object *obj, Dwarf_Die *die, struct arena *a)
{
	struct ctype *t = (struct ctype *)type_void(obj, a);
	Dwarf_Die inner = *die;
	Dwarf_Word size;

	t->name = type_name(die, a);
	if (!peel(&inner))
		return t;
	t->is_incomplete = !find_body(obj, &inner);
	t->priv->die = inner;
	t->priv->has_die = true;
	t->kind = kind_of(t, &inner, a);
	t->tag = type_is_aggregate(t) || t->kind == CTYPE_ENUM ? dwarf_diename(&inner) : NULL;
	if (!t->is_incomplete && dwarf_aggregate_size(&inner, &size) == 0)
		t->size = size;
	/* References and pointers may come without a size of their own. */
	if ((t->kind == CTYPE_POINTER || t->kind == CTYPE_REFERENCE) && t->size == 0)
		t->size = obj->elf_class / 8;
	return t;
}

const struct ctype *type_of_die(struct object *obj, Dwarf_Die *die, struct arena *a)
{
	Dwarf_Die type;

	return die_ref(die, DW_AT_type, &type) ? type_from_die(obj, &type, a) : type_void(obj, a);
}

const struct ctype *type_named(struct object *obj, const char *name, struct arena *a)
{
	static const struct { const char *word; unsigned tag; } words[] = {
		{ "struct ", DW_TAG_structure_type }, { "class ", DW_TAG_class_type },
		{ "union ", DW_TAG_union_type }, { "enum ", DW_TAG_enumeration_type },
	};
	size_t len = strlen(name);
	unsigned tag = 0;
	Dwarf_Die die;

	/* A pointer type, `T*`, is made, not found. */
	while (len && (name[len - 1] == ' ' || name[len - 1] == '*'))
		len--;
	if (name[len]) {
		struct ctype *t = (struct ctype *)type_void(obj, a);
		const char *last = strrchr(name, '*');
		const struct ctype *to = last ? type_named(obj, arena_strndup(a, name, last - name), a) : NULL;

		if (!last)
			return type_named(obj, arena_strndup(a, name, len), a);
		if (!to)
			return NULL;
		t->kind = CTYPE_POINTER;
		t->size = obj->elf_class / 8;
		t->name = arena_printf(a, "%s*", to->name);
		t->priv->pointee = to;
		return t;
	}
	if (strcmp(name, "void") == 0)
		return type_void(obj, a);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strncmp(name, words[i].word, strlen(words[i].word)) == 0) {
			tag = words[i].tag;
			name += strlen(words[i].word);
			break;
		}
	}
	return find_named_type(obj, name, tag, &die) ? type_from_die(obj, &die, a) : NULL;
}

const struct ctype *ctype_named(struct object *obj, const char *name, struct arena *a)
{
	return object_dwarf(obj) ? type_named(obj, name, a) : NULL;
}

/* ---------------------------------------------------------------------------------------------- insides */

const struct ctype *ctype_pointee(const struct ctype *t, struct arena *a)
{
	const struct ctype *to;

	if (t->priv->pointee)
		return t->priv->pointee->kind == CTYPE_VOID ? NULL : t->priv->pointee;
	if ((t->kind != CTYPE_POINTER && t->kind != CTYPE_REFERENCE) || !t->priv->has_die)
		return NULL;
	to = type_of_die(t->obj, &t->priv->die, a);
	return to->kind == CTYPE_VOID ? NULL : to;
}

static int64_t dimension_of(Dwarf_Die *range)
{
	uint64_t count;
	int64_t upper, lower = 0;

	if (die_unsigned(range, DW_AT_count, &count))
		return count;
	die_signed(range, DW_AT_lower_bound, &lower);
	/* An upper bound in data8 of all ones is gcc's way to say "no bound" (int x[0]). */
	if (die_signed(range, DW_AT_upper_bound, &upper) && upper >= lower - 1)
		return upper - lower + 1;
	return -1;
}

static unsigned all_dimensions(const struct ctype *t, struct arena *a, int64_t **dims)
{
	struct vec found = { 0 };
	Dwarf_Die child;

	*dims = NULL;
	if (t->kind != CTYPE_ARRAY)
		return 0;
	FOR_CHILDREN(child, &t->priv->die) {
		int64_t *dim;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		dim = ARENA_NEW(a, int64_t);
		*dim = dimension_of(&child);
		vec_push(&found, a, dim);
	}
	*dims = vec_array(&found, a, sizeof(**dims));
	return found.n;
}

unsigned ctype_dimensions(const struct ctype *t, struct arena *a, const int64_t **dims)
{
	int64_t *all;
	unsigned n = all_dimensions(t, a, &all);

	*dims = NULL;
	if (!n)
		return 0;
	*dims = all + (t->priv->dim < n ? t->priv->dim : n);
	return t->priv->dim < n ? n - t->priv->dim : 0;
}

const struct ctype *ctype_element(const struct ctype *t, struct arena *a)
{
	const struct ctype *inner;
	const int64_t *dims;
	struct ctype *row;
	unsigned n;

	if (t->kind != CTYPE_ARRAY || !t->priv->has_die)
		return NULL;
	inner = type_of_die(t->obj, &t->priv->die, a);
	n = ctype_dimensions(t, a, &dims);
	if (n <= 1)
		return inner;
	row = ARENA_NEW(a, struct ctype);
	*row = *t;
	row->priv = ARENA_NEW(a, struct ctype_priv);
	*row->priv = *t->priv;
	row->priv->dim++;
	row->size = inner->size;
	for (unsigned i = 1; i < n; i++)
		row->size *= dims[i] > 0 ? (uint64_t)dims[i] : 0;
	return row;
}

/* DW_AT_data_member_location: a number; in DWARF 2 an expression that adds one; for a virtual base one that reads the
 * object. */
static void member_offset(Dwarf_Die *die, struct arena *a, struct ctype_member *m)
{
	struct run_time_place *place;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nops;

	if (!die_attr(die, DW_AT_data_member_location, &attr) ||
	    die_unsigned(die, DW_AT_data_member_location, &m->offset))
		return;
	if (dwarf_getlocation(&attr, &ops, &nops) == 0 && nops == 1 &&
	    (ops[0].atom == DW_OP_plus_uconst || ops[0].atom == DW_OP_constu)) {
		m->offset = ops[0].number;
		return;
	}
	place = ARENA_NEW(a, struct run_time_place);
	place->die = *die;
	m->at_run_time = place;
}

static void member_fill(const struct ctype *t, Dwarf_Die *die, struct arena *a, struct ctype_member *m)
{
	uint64_t bits, from, unit = 0;

	m->name = dwarf_diename(die);
	m->is_base = dwarf_tag(die) == DW_TAG_inheritance;
	m->type = type_of_die(t->obj, die, a);
	m->is_static = dwarf_tag(die) == DW_TAG_variable ||
		       (die_flag(die, DW_AT_external) && !dwarf_hasattr(die, DW_AT_data_member_location));
	if (m->is_base)
		m->name = NULL;
	member_offset(die, a, m);
	if (!die_unsigned(die, DW_AT_bit_size, &bits) || bits == 0 || bits > 64)
		return;
	m->bit_size = bits;
	if (die_unsigned(die, DW_AT_data_bit_offset, &from)) {
		from += m->offset * 8;
	} else if (die_unsigned(die, DW_AT_bit_offset, &from)) {
		/* Counted from the high end of a storage unit (DWARF3 5.5.6). */
		if (!die_unsigned(die, DW_AT_byte_size, &unit))
			unit = m->type->size;
		from = m->offset * 8 + unit * 8 - from - bits;
	} else {
		from = m->offset * 8;
	}
	m->offset = from / 8;
	m->bit_offset = from % 8;
}

unsigned ctype_members(const struct ctype *t, struct arena *a, const struct ctype_member **members)
{
	struct vec found = { 0 };
	Dwarf_Die child;

	*members = NULL;
	if (!type_is_aggregate(t))
		return 0;
	FOR_CHILDREN(child, &t->priv->die) {
		unsigned tag = dwarf_tag(&child);
		struct ctype_member *m;

		if (tag != DW_TAG_member && tag != DW_TAG_inheritance && tag != DW_TAG_variable)
			continue;
		m = ARENA_NEW(a, struct ctype_member);
		member_fill(t, &child, a, m);
		vec_push(&found, a, m);
	}
	*members = vec_array(&found, a, sizeof(**members));
	return found.n;
}

bool ctype_is_same(const struct ctype *t, const struct ctype *other)
{
	return t->priv->has_die && other->priv->has_die && t->priv->die.addr == other->priv->die.addr;
}

unsigned ctype_enumerators(const struct ctype *t, struct arena *a, const struct ctype_enumerator **list)
{
	struct vec found = { 0 };
	Dwarf_Die child;

	*list = NULL;
	if (t->kind != CTYPE_ENUM)
		return 0;
	FOR_CHILDREN(child, &t->priv->die) {
		struct ctype_enumerator *e;
		uint64_t value = 0;

		if (dwarf_tag(&child) != DW_TAG_enumerator)
			continue;
		e = ARENA_NEW(a, struct ctype_enumerator);
		e->name = dwarf_diename(&child);
		if (t->is_signed)
			die_signed(&child, DW_AT_const_value, &e->value);
		else if (die_unsigned(&child, DW_AT_const_value, &value))
			e->value = value;
		if (e->name)
			vec_push(&found, a, e);
	}
	*list = vec_array(&found, a, sizeof(**list));
	return found.n;
}
