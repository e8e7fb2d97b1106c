/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing list of lines, and its printing. */
#include "elaborate/lines.h"

#include <stdlib.h>
#include <string.h>

void lines_add(struct lines *l, const char *text)
{
	if (l->n == l->room) {
		l->room = l->room ? l->room * 2 : 256;
		l->line = realloc(l->line, l->room * sizeof(*l->line));
		if (!l->line)
			abort();
	}
	l->line[l->n++] = text;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

unsigned lines_print(FILE *out, struct lines *l)
{
	unsigned n = l->n;

	if (n)
		qsort(l->line, n, sizeof(*l->line), by_bytes);
	for (unsigned i = 0; i < n; i++)
		if (!i || strcmp(l->line[i], l->line[i - 1]))
			fprintf(out, "%s\n", l->line[i]);
	free(l->line);
	*l = (struct lines){ 0 };
	return n;
}
