/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.h - which units of a large object have functions of a name, and where the code of each unit is.
 *
 * An index is made once for each object, kept in the user's cache and read from there in milliseconds.  It may name
 * a unit too many, never one too few: what a unit really holds is read from the unit.
 */
#ifndef SPILE_NAMES_H
#define SPILE_NAMES_H

#include "debuginfo/units.h"

struct name_index;

/* names_load - the index of @obj where the cache has it; @from, whose sections are found, gets its units then. */
struct name_index *names_load(struct object *obj, struct scan_source *from);
/* names_make - makes it, and leaves it in the cache.  NULL: the object is so small that it needs none. */
struct name_index *names_make(struct object *obj, const struct scan_source *from);
void names_put(struct name_index *x);	/* takes NULL, too */
/* By unit, in @a: may it have functions whose name or linkage name matches @pattern? */
const bool *names_units(const struct name_index *x, const char *pattern, struct arena *a);
/* Adds every name; they are borrowed from the index. */
void names_list(const struct name_index *x, struct vec *names, struct arena *a);
/* Whether it has no names of unit @i: that may hold anything. */
bool names_lack(const struct name_index *x, unsigned i);
const struct cover *names_cover(const struct name_index *x, unsigned *n);

#endif
