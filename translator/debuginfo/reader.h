/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - numbers and strings out of a stretch of bytes that may be damaged.  Little-endian. */
#ifndef SPILE_READER_H
#define SPILE_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Where reading stands; .bad once anything went beyond the end. */
struct reader {
	const uint8_t *at, *end;
	bool bad;
};

static inline uint64_t get_fixed(struct reader *r, unsigned size)
{
	uint64_t v = 0;

	if ((size_t)(r->end - r->at) < size) {
		r->bad = true;
		r->at = r->end;
		return 0;
	}
	memcpy(&v, r->at, size);
	r->at += size;
	return v;
}

static inline uint64_t get_uleb(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; r->at < r->end; shift += 7) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			v |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return v;
	}
	r->bad = true;
	return 0;
}

static inline void skip_bytes(struct reader *r, uint64_t n)
{
	if (n > (uint64_t)(r->end - r->at)) {
		r->bad = true;
		r->at = r->end;
	} else {
		r->at += n;
	}
}

static inline void skip_string(struct reader *r)
{
	const uint8_t *nul = memchr(r->at, 0, r->end - r->at);

	r->bad |= !nul;
	r->at = nul ? nul + 1 : r->end;
}

#endif
