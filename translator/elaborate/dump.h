/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --dump-probe-types, --dump-probe-aliases, --dump-functions: what a script may use (cli.md 5.3). */
#ifndef SPILE_DUMP_H
#define SPILE_DUMP_H

#include "elaborate/program.h"

/* Prints the list to @out, sorted by bytes, one a line.  @verbose: names that begin with "__" and further tags, too. */
void dump(FILE *out, struct program *p, enum dump what, bool verbose);

#endif
