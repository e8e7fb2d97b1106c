/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of built things, named by the content of all that went into them.
 *
 * An entry never changes once it has its name, so readers take no lock; writers build beside it and rename.  A machine that
 * went down may still have left one with less in it than was written: so each file ends with a seal over what is before it,
 * and one without is made anew.  Loaders of ELF files look at nothing behind their sections.
 */
#ifndef SPILE_CACHE_H
#define SPILE_CACHE_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/setting.h"	/* cache_dir() */

/* How much the cache is used from now on: wholly (from the start), only written to, or not at all. */
enum cache_mode { CACHE_FULL, CACHE_WRITE, CACHE_OFF };
void cache_limit(enum cache_mode mode);
bool cache_readable(void);
bool cache_writable(void);
/*
 * Removes what was not used for longest until the rest of the cache takes at most @most bytes; what is not a file of ours
 * stays.  Returns how many files went, or negative errno.
 */
int cache_clean(struct arena *a, unsigned long long most);
/* Makes a folder and those above it.  0 or negative errno. */
int cache_make_dir(const char *path);
/* Where the entry @name of family @family ("user") stands, or would; NULL without a cache. */
const char *cache_entry(struct arena *a, const char *family, const char *name);
/*
 * Copies @file to the entry's place.  Entries of the family that were not used for longest go where there are more than
 * @most.  False where the cache cannot be written; nobody needs to be told.
 */
bool cache_store(struct arena *a, const char *entry, const char *file, unsigned most);
bool cache_copy(const char *from, const char *to);	/* @to must not exist yet */
/* Whether the entry is there and whole.  It then counts as used, and stays; a broken one goes. */
bool cache_use(const char *entry);

#endif
