/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one question that gated parts of the language ask. */
#include "syntax/version.h"

#include <string.h>

struct gates gates_of(struct diag *d, const struct syntax_env *env, const struct source *source, bool is_library)
{
	return (struct gates){ d, is_library && !source->is_gated ? NULL : env->version, env->check_version && !is_library };
}

bool gate(const struct gates *g, struct span at, const char *since, const char *what)
{
	if (!g->version)
		return true;
	if (g->check)
		diag_warning(g->diag, at, TAG_VERSION, "%s is as it is since version %s of the language", what, since);
	return strverscmp(g->version, since) >= 0;
}
