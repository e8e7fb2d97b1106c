/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scripts that came with the installation, by name (cli.md 8). */
#ifndef SPILE_EXAMPLE_H
#define SPILE_EXAMPLE_H

#include "support/arena.h"
#include "support/diag.h"

/* The path, in @a, of the one file below @dir that is called @name; NULL, with the reason told, where there is none or more. */
const char *example_find(struct arena *a, struct diag *d, const char *dir, const char *name);

#endif
