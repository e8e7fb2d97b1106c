/* SPDX-License-Identifier: GPL-2.0-or-later */
/* glob.c - names against patterns, and names near a mistyped one. */
#include <fnmatch.h>
#include <string.h>

#include "debuginfo/internal.h"
#include "support/similar.h"

bool has_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

bool name_matches(const char *pattern, const char *name)
{
	/* a name may look like a pattern that does not match it: `f<char [5]>', `main.(*T).f' */
	return strcmp(pattern, name) == 0 || (has_glob(pattern) && fnmatch(pattern, name, 0) == 0);
}

void near_names(struct di_miss *miss, const char *kind, const char *asked, const char *const *names, unsigned n)
{
	miss->alt_kind = kind;
	miss->nalt = similar_names(asked, names, n, (unsigned)strlen(asked) / 2 + 2, miss->alt, DI_MAX_ALT);
}
