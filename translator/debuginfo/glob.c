/* SPDX-License-Identifier: GPL-2.0-or-later */
/* glob.c - names against patterns, and names near a mistyped one by edit distance. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

bool has_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

bool name_matches(const char *pattern, const char *name)
{
	return has_glob(pattern) ? fnmatch(pattern, name, 0) == 0 : strcmp(pattern, name) == 0;
}

enum { NEAR_MAX_LEN = 64 };

/* Levenshtein distance; names longer than NEAR_MAX_LEN are compared by their first part. */
static unsigned edit_distance(const char *x, const char *y)
{
	unsigned row[NEAR_MAX_LEN + 1], nx = strnlen(x, NEAR_MAX_LEN), ny = strnlen(y, NEAR_MAX_LEN);

	for (unsigned j = 0; j <= ny; j++)
		row[j] = j;
	for (unsigned i = 1; i <= nx; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= ny; j++) {
			unsigned cost = diagonal + (x[i - 1] != y[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < cost)
				cost = row[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			row[j] = cost;
		}
	}
	return row[ny];
}

void near_names(struct di_miss *miss, const char *kind, const char *asked, const char *const *names, unsigned n)
{
	unsigned distance[DI_MAX_ALT], limit = strlen(asked) / 2 + 2;

	miss->alt_kind = kind;
	miss->nalt = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned d = edit_distance(asked, names[i]), at = miss->nalt;
		bool known = false;

		if (d > limit)
			continue;
		for (unsigned k = 0; k < miss->nalt; k++)
			known |= strcmp(miss->alt[k], names[i]) == 0;
		while (at > 0 && distance[at - 1] > d)
			at--;
		if (known || at == DI_MAX_ALT)
			continue;
		if (miss->nalt < DI_MAX_ALT)
			miss->nalt++;
		for (unsigned k = miss->nalt - 1; k > at; k--) {
			distance[k] = distance[k - 1];
			miss->alt[k] = miss->alt[k - 1];
		}
		distance[at] = d;
		miss->alt[at] = names[i];
	}
}
