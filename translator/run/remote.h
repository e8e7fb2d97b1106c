/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other hosts: connections to them, what they are, and running a built script on all of them at once (--remote, cli.md 6.6).
 */
#ifndef SPILE_REMOTE_H
#define SPILE_REMOTE_H

#include "run/run.h"

struct remote {
	const char *uri;		/* as given */
	const char *machine, *release;	/* as uname(2) has them there */
	const char *object;		/* what is to run there; filled in by the caller */
	struct remote_link *link;	/* remote.c's own */
};

struct remotes {
	struct remote *all;		/* in the order of the options */
	int n;
};

/*
 * remotes_open - connects to every host of @options and asks what it is.
 * Returns: all of them, in @a; NULL after a message about the first that cannot be had.
 */
struct remotes *remotes_open(struct arena *a, struct diag *d, const struct options *options, const struct layout *layout);

/*
 * remotes_run - runs each host's object there, and shows what all of them say as it comes.  An interrupt ends all sessions in
 * order, the third one at once.
 * Returns: the exit status of the first host, by their order, that failed; 0 where all went well.
 */
int remotes_run(struct arena *a, struct diag *d, struct remotes *remotes, const struct options *options,
		const struct layout *layout);

/* Ends what is still connected.  @remotes may be NULL. */
void remotes_close(struct remotes *remotes);

#endif
