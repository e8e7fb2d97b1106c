/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands kbuild leaves beside each file it makes, taken apart to be run again on other files.
 *
 * The flags a kernel's modules need differ from kernel to kernel: they come from here and are never written down.
 */
#ifndef SPILE_SAVED_CMD_H
#define SPILE_SAVED_CMD_H

#include "support/arena.h"

/* Words of one command, NULL-terminated. */
struct saved_cmd {
	const char **words;
	size_t n;
};

/*
 * Reads the command of @cmd_file and splits it at `;' into at most @max, in @a.  Words are split at blanks, quotes are taken off;
 * nothing else of the shell occurs in them.  `true' and empty commands are left out.  Returns how many; -1: no such file, or no command in it.
 */
int saved_cmd_read(struct arena *a, const char *cmd_file, struct saved_cmd *cmds, int max);

#endif
