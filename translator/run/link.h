/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection to one host: a program at the far end that takes commands (spilerun/shell.c says which), or, for `direct:', the
 * runner itself on this machine.  Inner header of remote.c and link.c.
 */
#ifndef SPILE_REMOTE_LINK_H
#define SPILE_REMOTE_LINK_H

#include <sys/types.h>

#include "run/remote.h"
#include "support/strbuf.h"

struct remote_link {
	pid_t pid;			/* ssh, spilesh or spilerun; 0: a socket */
	int to, from;			/* commands and answers, or for direct the runner's output; -1: closed */
	int err;			/* direct: the runner's errors; -1 */
	bool direct;
	char in[1 << 16];		/* bytes of .from not used yet */
	size_t start, end;
	/* while the script runs */
	bool ended;
	int status;
	int stream;			/* 1, 2: bytes that follow belong there; 0: a line comes next */
	long long left;			/* how many of them */
	struct strbuf partial[3];	/* with --remote-prefix: a line that has not ended, by stream */
};

/* Connects as the URI says.  false after a message. */
bool link_open(struct arena *a, struct diag *d, struct remote *r, const struct layout *layout);
/* The next line of the far end, waiting for it, without its end; in @a.  NULL: it is gone. */
char *link_line(struct arena *a, struct remote_link *l);
bool link_say(struct remote_link *l, const void *data, size_t n);
/* Whether more came.  Reads once. */
bool link_fill(struct remote_link *l);
/* Starts a program with its standard input and output on the link.  false after a message. */
bool link_start(struct diag *d, struct remote_link *l, const char *const *argv, bool wants_errors);
void link_close(struct remote_link *l);

#endif
