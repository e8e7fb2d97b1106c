/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -l and -L: the points that a pattern denotes (cli.md 5.2). */
#ifndef SPILE_LIST_H
#define SPILE_LIST_H

#include "elaborate/program.h"

/* Derives the probes of p->user and prints their points, sorted, each once.  False: there are none. */
bool list_points(FILE *out, struct program *p, bool with_variables);

#endif
