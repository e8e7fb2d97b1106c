/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names near a mistyped one, by edit distance. */
#ifndef SPILE_SIMILAR_H
#define SPILE_SIMILAR_H

#include <stdbool.h>

#include "support/arena.h"

/*
 * Puts into @near the up to @most of @names that are nearest to @asked: nearest first, each once, none farther than
 * @limit edits, and not @asked itself.  Returns how many.
 */
unsigned similar_names(const char *asked, const char *const *names, unsigned n, unsigned limit, const char **near,
		       unsigned most);

/*
 * " (similar: a, b, c)" of up to five near names, nearest first, or "".  @word: "similar" or "alternatives".
 * @far_too: names with little in common count as well.
 */
const char *similar_text(struct arena *a, const char *word, const char *asked, const char *const *names, unsigned n,
			 bool far_too);

#endif
