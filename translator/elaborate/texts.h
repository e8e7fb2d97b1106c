/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts numbered in order of appearance: 0, 1, 2, ...  All zero is empty. */
#ifndef SPILE_TEXTS_H
#define SPILE_TEXTS_H

#include <stdbool.h>

#include "support/arena.h"

struct texts {
	const char **text;		/* by number */
	unsigned n, room;
	unsigned *slot;			/* hash table: number + 1 */
};

/* The number of @text; *fresh: it was not there before and is copied into @a. */
unsigned texts_add(struct texts *t, struct arena *a, const char *text, bool *fresh);
/* False: not there. */
bool texts_find(const struct texts *t, const char *text, unsigned *index);

#endif
