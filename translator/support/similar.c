/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near names for messages, by edit distance. */
#include "support/similar.h"

#include <limits.h>
#include <string.h>

#include "support/strbuf.h"

enum { MOST = 16, SHOWN = 5, LONGEST = 64 };

/* Levenshtein's distance; names are cut at LONGEST bytes. */
static unsigned distance(const char *a, const char *b)
{
	size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
	unsigned row[LONGEST + 1];

	for (size_t j = 0; j <= nb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

static bool among(const char *const *names, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

unsigned similar_names(const char *asked, const char *const *names, unsigned n, unsigned limit, const char **near,
		       unsigned most)
{
	unsigned far[MOST], k = 0;

	most = most < MOST ? most : MOST;
	for (unsigned i = 0; i < n; i++) {
		unsigned d = distance(asked, names[i]), at = k;

		if (!d || d > limit || among(near, k, names[i]))
			continue;
		while (at > 0 && far[at - 1] > d)
			at--;
		if (at == most)
			continue;
		k += k < most;
		memmove(near + at + 1, near + at, (k - at - 1) * sizeof(near[0]));
		memmove(far + at + 1, far + at, (k - at - 1) * sizeof(far[0]));
		near[at] = names[i];
		far[at] = d;
	}
	return k;
}

const char *similar_text(struct arena *a, const char *word, const char *asked, const char *const *names, unsigned n,
			 bool far_too)
{
	const char *near[SHOWN];
	unsigned limit = far_too ? UINT_MAX : ((unsigned)strlen(asked) + 1) / 2;
	unsigned k = similar_names(asked, names, n, limit, near, SHOWN);
	struct strbuf b = { 0 };
	const char *text;

	if (!k)
		return "";
	strbuf_printf(&b, " (%s: ", word);
	for (unsigned i = 0; i < k; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "", near[i]);
	strbuf_char(&b, ')');
	text = arena_strdup(a, b.text);
	strbuf_free(&b);
	return text;
}
