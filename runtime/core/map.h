/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array's memory, for the two files that know it: map.c (the table) and lanes.c (what is counted beside it).
 */
#ifndef SPILE_MAP_H
#define SPILE_MAP_H

#include "core.h"

struct map {
	/* one line that does not change once all lanes are in use: everybody reads it at each hit */
	sp_u32 capacity, nbuckets;
	sp_u32 element_size, value_at;	/* bytes; offset of the value in an element */
	sp_u64 elements_at;		/* offset of element 1 */
	sp_u64 lanes_at, lane_bytes;	/* offset of the first lane */
	sp_u32 lanes;			/* a power of two; 0: none */
	sp_u32 slots, slot_bytes;	/* of one lane; a power of two */
	sp_u32 one_number;		/* the keys are a single number */
	sp_u32 held;			/* lanes that have slots in use, a bit each */
	sp_u32 dirty;			/* lanes that may hold something to be added to elements */

	sp_u32 used;			/* elements 1 .. used have ever held something */
	sp_u32 count;			/* elements alive */
	sp_u32 first, last;		/* the list */
	sp_u32 changing;		/* links are being changed */
	sp_u32 sorted;			/* the list is not in order of insertion */
	sp_u32 loose;			/* some elements are in their chain alone */
	sp_u32 folding;			/* an element whose new value stands in the spare element; 0: none */
	sp_u32 thinned;			/* slots of lanes have become free */
	sp_u32 making;			/* how many have taken an element that they may give back (insert_beside()) */
	sp_u64 free;			/* first of those given back, chained; in the high half how often that was taken */
	sp_u64 born;			/* elements ever inserted */
	sp_u32 buckets[];
};

/* What finding one looks at stands together, next to its keys. */
struct element {
	sp_u64 born;			/* place in the order of insertion, from 1; 0: not alive */
	sp_u32 prev, next;		/* in the list */
	sp_u32 hash;
	sp_u32 chain;			/* next in the bucket, or in the free chain */
	/* then keys and value */
};

static inline struct element *element(struct map *m, sp_u32 at)
{
	return (struct element *)((char *)m + m->elements_at + (sp_u64)(at - 1) * m->element_size);
}

static inline void *value_of(struct map *m, struct element *e)
{
	return (char *)e + m->value_at;
}

/* The key, where the keys are a single number. */
static inline sp_i64 first_number(const struct element *e)
{
	return *(const sp_i64 *)(e + 1);
}

/* ---- map.c ---- */
/* Whether the element's keys are @keys; bit i of @any set: position i is not looked at. */
sp_bool sp_map_has_keys(const struct sp_global *g, const struct element *e, const union sp_val *keys, sp_u32 any);
/* The element with @keys, or 0. */
sp_u32 sp_map_locate(struct map *m, sp_u32 global, const union sp_val *keys);

/* ---- lanes.c ---- */
/* Where the lanes end of an array whose elements end at @elements_end: there, if it has none.  In bytes from its start. */
sp_u64 sp_lanes_end(sp_u32 global, sp_u32 capacity, sp_u64 elements_end, sp_u32 element_size, sp_u32 value_bytes);
void sp_lanes_init(struct map *m, sp_u32 global);	/* the rest of @m's sizes are set */
/* Where to add for @keys, or NULL: the lane does not know them. */
void *sp_lane_find(struct sp_ctx *c, struct map *m, const struct sp_global *g, const union sp_val *keys, sp_u32 hash);
/* Where to add for element @at from now on: in the lane, or, where that has no room for it, in the element. */
void *sp_lane_claim(struct sp_ctx *c, struct map *m, sp_u32 at);
/* The rest is for somebody alone with the array.  What was added to element @at in the lanes comes into its value. */
void sp_lanes_fold(struct map *m, sp_u32 global, sp_u32 at);
void sp_lanes_fold_all(struct map *m, sp_u32 global);
void sp_lanes_drop(struct map *m, sp_u32 at);		/* the element goes: lanes forget it */
void sp_lanes_mend(struct map *m, sp_u32 global);	/* after the death of a writer, the links being whole again */

#endif
