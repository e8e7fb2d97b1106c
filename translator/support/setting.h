/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user sets outside of the command line: environment variables, and the folders they name (cli.md 3). */
#ifndef SPILE_SETTING_H
#define SPILE_SETTING_H

#include "support/arena.h"

/* $SPILE_<name>, else $SYSTEMTAP_<name>; NULL where neither is set or both are empty. */
const char *setting(const char *name);

/*
 * Where the user's rc file is, in @a: setting("DIR"), else ~/.spile, or ~/.systemtap where only that is there.  NULL
 * without a home.  It need not exist.
 */
const char *private_dir(struct arena *a);

/*
 * The folder of what can be made anew, in @a: $SPILE_CACHE, else cache/ in setting("DIR"), else spile/ in $XDG_CACHE_HOME,
 * else ~/.cache/spile (XDG Base Directory Specification).  NULL where none of these is set.  It need not exist.
 */
const char *cache_dir(struct arena *a);

#endif
