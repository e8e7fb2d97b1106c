/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.c - where a function leaves its result, by the calling convention.
 *
 * x86-64: the classification of psABI 3.2.3, eightbyte by eightbyte.  Start at place_of_return().
 */
#include <errno.h>
#include <string.h>

#include "debuginfo/internal.h"

enum { RAX = 0, RDX = 1, XMM0 = 17, XMM1 = 18 };

enum arg_class { CLASS_NONE, CLASS_SSE, CLASS_INTEGER, CLASS_X87, CLASS_MEMORY };

static enum arg_class merge(enum arg_class x, enum arg_class y)
{
	/* In the order above the stronger class is the greater (psABI 3.2.3, step 4). */
	return x > y ? x : y;
}

static bool classify(const struct ctype *t, uint64_t off, struct arena *a, enum arg_class *word, int depth);

static bool classify_members(const struct ctype *t, uint64_t off, struct arena *a, enum arg_class *word, int depth)
{
	const struct ctype_member *m;
	unsigned n = ctype_members(t, a, &m);

	for (unsigned i = 0; i < n; i++) {
		if (m[i].is_static)
			continue;
		if (m[i].at_run_time)
			return false;	/* a virtual base: its copy constructor is not trivial */
		if (m[i].bit_size) {
			uint64_t first = off + m[i].offset, last = first + (m[i].bit_offset + m[i].bit_size - 1) / 8;

			if (last >= 16)
				return false;
			word[first / 8] = merge(word[first / 8], CLASS_INTEGER);
			word[last / 8] = merge(word[last / 8], CLASS_INTEGER);
		} else if (!classify(m[i].type, off + m[i].offset, a, word, depth + 1)) {
			return false;
		}
	}
	return true;
}

static bool classify_array(const struct ctype *t, uint64_t off, struct arena *a, enum arg_class *word, int depth)
{
	const struct ctype *element = ctype_element(t, a);

	if (!element || element->size == 0)
		return true;
	for (uint64_t at = 0; at < t->size; at += element->size)
		if (!classify(element, off + at, a, word, depth + 1))
			return false;
	return true;
}

/* Class of each eightbyte that @t at @off touches; false: the whole goes through memory. */
static bool classify(const struct ctype *t, uint64_t off, struct arena *a, enum arg_class *word, int depth)
{
	enum { NESTING_MAX = 32 };

	if (depth > NESTING_MAX || t->is_incomplete || off + t->size > 16)
		return false;
	if (type_is_aggregate(t))
		return classify_members(t, off, a, word, depth);
	if (t->kind == CTYPE_ARRAY)
		return classify_array(t, off, a, word, depth);
	if (t->size == 0)
		return true;
	if (off % t->size)
		return false;		/* a member of a packed struct */
	if (t->kind == CTYPE_FLOAT) {
		word[off / 8] = merge(word[off / 8], t->size > 8 ? CLASS_X87 : CLASS_SSE);
	} else {
		word[off / 8] = merge(word[off / 8], CLASS_INTEGER);
		if (t->size > 8)
			word[1] = merge(word[1], CLASS_INTEGER);
	}
	return true;
}

/* C++: a class with a copy constructor or destructor of its own is returned through memory (Itanium C++ ABI 3.1.3). */
static bool is_non_trivial(const struct ctype *t)
{
	uint64_t convention;

	return t->priv->has_die && type_is_aggregate(t) &&
	       die_unsigned(&t->priv->die, DW_AT_calling_convention, &convention) &&
	       convention == DW_CC_pass_by_reference;
}

static struct piece register_piece(struct arena *a, unsigned reg, uint64_t size)
{
	struct piece p = { .at = ARENA_NEW(a, struct place), .size = size };

	p.at->kind = PLACE_REGISTER;
	p.at->reg = reg;
	return p;
}

static int in_memory(struct arena *a, struct place *out, bool *by_memory)
{
	*out = (struct place) { .kind = PLACE_MEMORY, .e = loc_reg(a, RAX) };
	*by_memory = true;
	return 0;
}

static int return_x86_64(const struct ctype *t, struct arena *a, struct place *out, const char **why, bool *by_memory)
{
	static const unsigned integer[] = { RAX, RDX }, sse[] = { XMM0, XMM1 };
	enum arg_class word[2] = { CLASS_NONE, CLASS_NONE };
	unsigned nint = 0, nsse = 0;

	if (t->is_incomplete) {
		*why = "the result's type is only declared";
		return -ENOSYS;
	}
	if (t->size > 16 || is_non_trivial(t) || !classify(t, 0, a, word, 0))
		return in_memory(a, out, by_memory);
	if (word[0] == CLASS_X87 || word[1] == CLASS_X87) {
		*why = "a result in an x87 register (long double)";
		return type_is_aggregate(t) ? in_memory(a, out, by_memory) : -ENOSYS;
	}
	*out = (struct place) { .kind = PLACE_PIECES, .piece = ARENA_ARRAY(a, struct piece, 2) };
	for (uint64_t at = 0; at < t->size; at += 8) {
		bool is_sse = word[at / 8] == CLASS_SSE;
		unsigned reg = is_sse ? sse[nsse++] : integer[nint++];

		out->piece[out->npiece++] = register_piece(a, reg, t->size - at < 8 ? t->size - at : 8);
	}
	if (out->npiece == 1)
		*out = *out->piece[0].at;
	return 0;
}

int place_of_return(struct object *obj, const struct ctype *t, struct arena *a, struct place *out,
		    const char **why, bool *by_memory)
{
	*by_memory = false;
	*why = NULL;
	if (obj->machine == EM_X86_64)
		return return_x86_64(t, a, out, why, by_memory);
	*why = "results on this machine's calling convention";
	return -ENOSYS;
}
