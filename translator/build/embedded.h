/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two back ends share of building C that a script brings itself: values of @const, and what a compiler says. */
#ifndef SPILE_BUILD_EMBEDDED_H
#define SPILE_BUILD_EMBEDDED_H

#include "build/build.h"

/*
 * The lines "#define K_0 5LL" for the @const of a script, out of the object that the job's unit of constants was compiled to,
 * in @a; NULL after a message where it has no such table, or a value is one that only a linker or loader will know.
 */
const char *constants_read(struct arena *a, struct diag *d, const struct build_job *job, const char *object);

/* The same lines out of a file of the cache, which has more behind them; NULL where it is not there. */
const char *constants_cached(struct arena *a, const char *entry);

/* For a compiler, so that a tab counts as one column in what embedded_refused() reads. */
#define EMBEDDED_COLUMNS "-ftabstop=1"
/*
 * Tells that the embedded C does not compile: what the compiler @said about the job's sources, as mistakes of theirs, each
 * with its line; what else could help, as a hint.
 */
void embedded_refused(struct diag *d, const struct build_job *job, const char *said, const char *hint);

#endif
