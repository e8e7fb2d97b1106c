/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things are on this machine.  Start reading at layout_find(). */
#include "layout.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/setting.h"

static struct layout *uninstalled(struct arena *a, const char *source, const char *build)
{
	struct layout *l = ARENA_NEW(a, struct layout);

	l->runtime_dir = arena_printf(a, "%s/runtime", source);
	l->tapset_dir = arena_printf(a, "%s/tapset", source);
	l->user_object = arena_printf(a, "%s/lib/user-runtime.o", build);
	l->spilerun = arena_printf(a, "%s/spilerun/spilerun", build);
	l->guest_init = arena_printf(a, "%s/translator/run/guest/spile-guest-init", build);
	l->fetch_kernel = arena_printf(a, "%s/translator/run/fetch-kernel", source);
	l->examples_dir = arena_printf(a, "%s/doc/examples", source);
	return l;
}

static struct layout *installed(struct arena *a, const char *prefix)
{
	struct layout *l = ARENA_NEW(a, struct layout);

	l->runtime_dir = arena_printf(a, "%s/share/spile/runtime", prefix);
	l->tapset_dir = arena_printf(a, "%s/share/spile/tapset", prefix);
	l->user_object = arena_printf(a, "%s/lib/spile/user-runtime.o", prefix);
	l->spilerun = arena_printf(a, "%s/bin/spilerun", prefix);
	l->guest_init = arena_printf(a, "%s/libexec/spile/spile-guest-init", prefix);
	l->fetch_kernel = arena_printf(a, "%s/libexec/spile/fetch-kernel", prefix);
	l->examples_dir = arena_printf(a, "%s/share/spile/examples", prefix);
	return l;
}

struct layout *layout_find(struct arena *a)
{
	const char *source = getenv("SPILE_SOURCE_DIR"), *build = getenv("SPILE_BUILD_DIR");
	const char *tapset = setting("TAPSET");
	struct layout *l;

	if (source && build) {
		l = uninstalled(a, source, build);
	} else {
		char self[PATH_MAX];
		ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

		/* PREFIX/bin/spile: two names up */
		for (int up = 0; up < 2 && n > 0; up++)
			while (n > 0 && self[--n] != '/')
				;
		l = installed(a, arena_strndup(a, self, n > 0 ? (size_t)n : 0));
	}
	if (tapset && *tapset)
		l->tapset_dir = tapset;
	return l;
}

static void add_reason(struct strbuf *why, const char *text)
{
	if (why->len)
		strbuf_add(why, "; ");
	strbuf_add(why, text);
}

bool kernel_lacks(const char *release, int last_pass, struct strbuf *why)
{
	char tree[PATH_MAX];
	size_t before = why->len;

	if (*release == '/')
		snprintf(tree, sizeof(tree), "%s", release);
	else
		snprintf(tree, sizeof(tree), "/lib/modules/%s/build", release);
	if (access(tree, F_OK)) {
		add_reason(why, "there are no kernel headers at ");
		strbuf_printf(why, "%s (Debian: apt-get install linux-headers-%s)", tree, *release == '/' ? "VERSION" : release);
	}
	if (last_pass == 5 && geteuid())
		add_reason(why, "loading a module needs root");
	if (last_pass == 5 && access("/proc/modules", F_OK))
		add_reason(why, "this kernel has no loadable modules");
	return why->len > before;
}
