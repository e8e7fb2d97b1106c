/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two back ends share of building C that a script brings itself: values of @const, and what a compiler says. */
#ifndef SPILE_BUILD_EMBEDDED_H
#define SPILE_BUILD_EMBEDDED_H

#include "build/build.h"

/*
 * The lines "#define K_0 5LL" for the @const of a script, out of the object that the job's unit of constants was compiled to;
 * NULL where it has no table of that many values.  In @a.
 */
const char *constants_read(struct arena *a, const char *object, unsigned n);

/* The same lines out of a file of the cache, which has more behind them; NULL where it is not there. */
const char *constants_cached(struct arena *a, const char *entry);

/* Tells that the embedded C does not compile, with what the compiler @said about the script; what else could help, as a hint. */
void embedded_refused(struct diag *d, const char *said, const char *hint);

#endif
