/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - reading bytes and bits out of a place, whatever kind it is.  Little-endian targets.
 *
 * Loads are of 1, 2, 4 or 8 bytes and never touch a byte outside the thing itself: it may end where a page does.
 */
#include <string.h>

#include "debuginfo/internal.h"

static struct loc_expr *shifted_or(struct arena *a, struct loc_expr *low, struct loc_expr *high, unsigned shift)
{
	if (!low)
		return high;
	return loc_binary(a, LOC_OP_OR, low, loc_binary(a, LOC_OP_SHL, high, loc_const(a, shift)));
}

static struct loc_expr *read_memory(struct arena *a, struct loc_expr *addr, unsigned size)
{
	struct loc_expr *value = NULL;
	unsigned at = 0;

	while (at < size) {
		unsigned n = 8;

		while (n > size - at)
			n /= 2;
		value = shifted_or(a, value, loc_deref(a, loc_add(a, addr, at), n), at * 8);
		at += n;
	}
	return value;
}

static struct loc_expr *read_bytes(struct arena *a, const struct place *p, uint64_t off, unsigned size)
{
	uint64_t v = 0;

	if (off > p->nbytes || size > p->nbytes - off)
		return NULL;
	memcpy(&v, p->bytes + off, size);
	return loc_const(a, v);
}

static struct loc_expr *read_pieces(struct arena *a, const struct place *p, uint64_t off, unsigned size)
{
	struct loc_expr *value = NULL;
	uint64_t start = 0;
	unsigned got = 0;

	for (unsigned i = 0; i < p->npiece && got < size; start += p->piece[i].size, i++) {
		uint64_t want = off + got, end = start + p->piece[i].size;
		struct loc_expr *part;
		unsigned n;

		if (want < start || want >= end)
			continue;
		n = end - want < size - got ? end - want : size - got;
		part = place_read(a, p->piece[i].at, want - start, n);
		if (!part)
			return NULL;
		value = shifted_or(a, value, part, got * 8);
		got += n;
	}
	return got == size ? value : NULL;
}

struct loc_expr *place_read(struct arena *a, const struct place *p, uint64_t off, unsigned size)
{
	if (size < 1 || size > 8)
		return NULL;
	switch (p->kind) {
	case PLACE_MEMORY:
		return read_memory(a, loc_add(a, p->e, off), size);
	case PLACE_REGISTER:
	case PLACE_VALUE:
		if (off + size > 8)
			return NULL;
		return loc_bits(a, p->kind == PLACE_REGISTER ? loc_reg(a, p->reg) : p->e, off * 8, size * 8);
	case PLACE_BYTES:
		return read_bytes(a, p, off, size);
	case PLACE_PIECES:
		return read_pieces(a, p, off, size);
	case PLACE_POINTER:
	case PLACE_NONE:
		break;
	}
	return NULL;
}

struct loc_expr *place_read_bits(struct arena *a, const struct place *p, uint64_t bit_off, unsigned bits, unsigned unit)
{
	uint64_t byte = bit_off / 8;
	unsigned shift = bit_off % 8, size = (shift + bits + 7) / 8;
	struct loc_expr *word;

	/* The aligned unit of the declared type, where the field fits in, is one load of memory that belongs to the struct. */
	if (unit >= 1 && unit <= 8 && bit_off % (unit * 8) + bits <= unit * 8) {
		byte = bit_off / (unit * 8) * unit;
		shift = bit_off % (unit * 8);
		size = unit;
	}
	if (size > 8)
		return NULL;
	word = place_read(a, p, byte, size);
	return word ? loc_bits(a, word, shift, bits) : NULL;
}
