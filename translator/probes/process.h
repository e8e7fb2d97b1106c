/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside probes/: which binary files a root `process(...)[.library(...)]' denotes (spec/probes.md A.5). */
#ifndef SPILE_PROCESS_H
#define SPILE_PROCESS_H

#include "probes/probes.h"

struct root {
	struct object *obj;
	const char *point;		/* as pp() begins: process("/real/lib.so.1") */
	const char *list_point;		/* as listings begin: process("/exe").library("/real/lib.so.1") */
	struct root *next;
};

struct roots {
	struct root *first;
	unsigned n;
	unsigned words;			/* components of the point that the root took: 1 or 2 */
	bool many;			/* by wildcard: a file without a match is no mistake */
};

/*
 * Finds and opens the files.  False with @miss filled where there is none.  Warnings (a library that is not needed, a file
 * for another machine) go to the program's diagnostics.
 */
bool process_roots(struct program *p, const struct point_match *m, struct roots *out, struct di_miss *miss);

#endif
