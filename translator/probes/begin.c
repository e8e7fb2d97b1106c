/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on the session itself: begin, end, error, never (probes.md A.1).  They have no sites and no registers. */
#include "probes/probes.h"

#include <string.h>

static const char *const patterns[] = {
	"begin", "begin(number)", "end", "end(number)", "error", "error(number)", "never", NULL
};

static const struct { const char *word; enum sp_probe_kind kind; } kinds[] = {
	{ "begin",	SP_PROBE_BEGIN },
	{ "end",	SP_PROBE_END },
	{ "error",	SP_PROBE_ERROR },
	{ "never",	SP_PROBE_NEVER },
};

static bool begin_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	const struct component *c = m->component[0];

	(void)miss;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].word, c->name->text))
			out->kind = kinds[i].kind;
	out->order = c->arg == ARG_NUM ? c->num : 0;
	out->point = components_text(p->arena, c);
	return true;
}

const struct provider provider_begin = {
	.name		= "begin",
	.patterns	= patterns,
	.backends	= BE_KERNEL | BE_USER,
	.context	= CTX_NONE,
	.unprivileged	= true,
	.find		= begin_find,
	.help		= "start and end of the session",
};
