/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that are printed sorted by bytes, each once: what listings and dumps are made of. */
#ifndef SPILE_LINES_H
#define SPILE_LINES_H

#include <stdio.h>

struct lines { const char **line; unsigned n, room; };		/* starts as zeroes */

/* @text is borrowed until the lines are printed. */
void lines_add(struct lines *l, const char *text);
/* Prints them and frees the list.  Returns how many were there. */
unsigned lines_print(FILE *out, struct lines *l);

#endif
