/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the language gained with each version, for --compatible and --check-version (spec: language.md 13). */
#ifndef SPILE_VERSION_H
#define SPILE_VERSION_H

#include "syntax/syntax.h"

/* What one text may use. */
struct gates {
	struct diag *diag;
	const char *version;		/* of the language asked for; NULL: the installed library, which may use everything */
	bool check;			/* tell of each use that hangs on the version */
};

/* @is_library: the text is of the library; whether the gates bind it then, the source says. */
struct gates gates_of(struct diag *d, const struct syntax_env *env, const struct source *source, bool is_library);
/* True where what stands at @at, which came with @since, is part of the language.  @what: "'@const'". */
bool gate(const struct gates *g, struct span at, const char *since, const char *what);

#endif
