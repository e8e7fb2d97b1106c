/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Environment variables under our name and under the one that scripts and wrappers have always set. */
#include "support/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *setting(const char *name)
{
	static const char *const prefixes[] = { "SPILE", "SYSTEMTAP" };
	char variable[64];

	for (int i = 0; i < 2; i++) {
		const char *value;

		snprintf(variable, sizeof(variable), "%s_%s", prefixes[i], name);
		value = getenv(variable);
		if (value && *value)
			return value;
	}
	return NULL;
}

/* $HOME, if it is a place. */
static const char *home_dir(void)
{
	const char *home = getenv("HOME");

	return home && *home == '/' ? home : NULL;
}

const char *private_dir(struct arena *a)
{
	const char *dir = setting("DIR"), *home = home_dir(), *old;

	if (dir || !home)
		return dir;
	dir = arena_printf(a, "%s/.spile", home);
	old = arena_printf(a, "%s/.systemtap", home);
	return access(dir, F_OK) && !access(old, F_OK) ? old : dir;
}

const char *cache_dir(struct arena *a)
{
	const char *own = getenv("SPILE_CACHE"), *dir = setting("DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = home_dir();

	if (own && *own)
		return arena_strdup(a, own);
	if (dir)
		return arena_printf(a, "%s/cache", dir);
	if (xdg && *xdg == '/')
		return arena_printf(a, "%s/spile", xdg);
	return home ? arena_printf(a, "%s/.cache/spile", home) : NULL;
}
