/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one table row an option. */
#ifndef SPILE_OPTIONS_H
#define SPILE_OPTIONS_H

#include "session.h"
#include "support/arena.h"
#include "support/diag.h"

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/*
 * Reads @argv into @o (strings in @a or borrowed from @argv).  OPTIONS_DONE: --help, --version or the like was
 * printed.  OPTIONS_BAD: the mistake is told to @d, usage hints included.
 */
enum options_result options_parse(struct options *o, struct arena *a, struct diag *d, int argc, char **argv);

#endif
