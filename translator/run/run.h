/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built script to live session: spilerun started with the right words, here or in a guest. */
#ifndef SPILE_RUN_H
#define SPILE_RUN_H

#include "session.h"
#include "support/arena.h"
#include "support/diag.h"

struct run_job {
	const char *object;		/* the built .so or .ko */
	const struct options *options;
	const struct layout *layout;
	const char *kernel_release;	/* of the guest, or NULL: the newest there is */
	const char *remote;		/* "N:URI" of the host among several; NULL: this one alone */
};

/* Elsewhere, the files of -o, -S and -b are not the far end's affair. */
enum run_place { RUN_HERE, RUN_ELSEWHERE };

/* The command line of spilerun, NULL-terminated, in @a. */
const char *const *runner_words(struct arena *a, const struct run_job *job, enum run_place place);

/* Opens the file of -o; NULL: standard output.  Returns a descriptor, -1 after a message. */
int run_open_output(struct diag *d, const char *pattern);

/*
 * run_script - pass 5.  While it runs, signals sent to this process are passed on to spilerun, which ends the session
 * in order; those from the terminal reach it anyway.
 * Returns: the session's exit status; 1 with the reason told where it could not start or was killed.
 */
int run_script(struct arena *a, struct diag *d, const struct run_job *job);

#endif
