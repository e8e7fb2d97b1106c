/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolved program to one readable C file that includes spile.h alone. */
#ifndef SPILE_EMIT_H
#define SPILE_EMIT_H

#include "elaborate/program.h"

/* Prints the C file.  Mistakes that only show here go to the diagnostics; then false. */
bool emit_c(FILE *out, struct program *p);

#endif
