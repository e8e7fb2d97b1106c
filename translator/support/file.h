/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files, scratch folders and child processes. */
#ifndef SPILE_FILE_H
#define SPILE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/strbuf.h"

/* The bytes of a file, "-" being standard input, and a NUL behind them; in @a.  0 or negative errno. */
int file_read(struct arena *a, const char *path, char **text, size_t *len);
/* Writes a file beside @path and renames it there: whoever reads sees the old or the new one.  0 or negative errno. */
int file_write(const char *path, const char *text, size_t len);

/* A new folder of our own, mode 0700, under $TMPDIR or /tmp; its path in @a.  0 or negative errno. */
int scratch_make(struct arena *a, char **path);
/* Removes a folder with all in it; links are not followed.  0 or negative errno of the first failure. */
int tree_remove(const char *path);

/* Path of a program as the shell would find it, in @a; NULL: there is none. */
const char *program_find(struct arena *a, const char *name);

/*
 * The environment that compilers and make run in: ours, but with messages in English and ASCII, which we read, and without
 * the flags of a make that we run under.  To be freed by the caller; the strings are not.  NULL: no memory.
 */
char **tool_environment(void);

/* Where a child's output goes. */
struct child_io {
	struct strbuf *out, *err;	/* captured here; NULL: inherited.  The same one for both is fine */
	bool quiet;			/* what is not captured goes to /dev/null */
	const char *folder;		/* runs there; NULL: here */
};

/*
 * Runs argv[0] (found on PATH) in tool_environment() with nothing on standard input and waits for its end.
 * Returns the exit status, 128 + N where signal N ended it, or negative errno where it did not start.
 */
int child_run(const char *const argv[], const struct child_io *io);

#endif
