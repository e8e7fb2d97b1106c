/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A byte of notes for each byte of an object's code: where windows are wanted, where execution may arrive. */
#ifndef SPILERUN_USER_TARGETS_H
#define SPILERUN_USER_TARGETS_H

#include "spilerun/user/object.h"

#define MARK_WANTED 1			/* in a function that is to be patched: targets are noted here only */
#define MARK_TARGET 2			/* execution may arrive here */
#define MARK_USED 4			/* taken by a window or a jump of ours */
#define MARK_OTHER 8			/* execution may arrive here by other ways than direct jumps of the same function */
#define MARK_SEGMENTS 8

struct marks {
	const struct object *o;
	struct mark_segment {
		uint64_t lo;
		size_t size;
		const uint8_t *p;
		uint8_t *marks;
	} segments[MARK_SEGMENTS];
	size_t n;
};

int marks_make(struct marks *m, const struct object *o);	/* -1: out of memory */
void marks_free(struct marks *m);
/* The notes from @addr on, *@n of them; NULL where there is no code. */
uint8_t *marks_at(const struct marks *m, uint64_t addr, size_t *n);
/* A direct branch at @from leads to @addr. */
void marks_branch(const struct marks *m, uint64_t from, uint64_t addr);
/* Searches the whole object, once the functions of interest are marked MARK_WANTED. */
void marks_search(const struct marks *m);
void marks_landing_pads(const struct marks *m, const struct function *f);

#endif
