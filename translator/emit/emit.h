/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolved program to one readable C file that includes spile.h alone; and what of it is C that the script brings itself. */
#ifndef SPILE_EMIT_H
#define SPILE_EMIT_H

#include "elaborate/program.h"

/* Texts of further units, in the program's arena; NULL where the script has no use for them. */
struct emitted {
	const char *embedded;		/* functions, expressions and pieces in C, over runtime/embedded/ */
	const char *constants;		/* gives @const their values: see build_constants() */
	unsigned nconstants;		/* the C file calls them K_0, K_1, ... */
	const struct span *constant_spans;
};

/* Names of files that the further units have in #line for what is not the script's: alone, and before "PLACE>" around its C. */
#define EMBEDDED_OWN "<spile>"
#define EMBEDDED_AROUND "<around "

/* Prints the C file.  Mistakes that only show here go to the diagnostics; then false. */
bool emit_c(FILE *out, struct program *p, struct emitted *more);

#endif
