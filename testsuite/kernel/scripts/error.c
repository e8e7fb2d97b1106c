/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run-time error in a begin probe: the error probe runs, end does not. */
#include "script.h"

static void begin_probe(struct sp_ctx *c)
{
	sp_i64 n;

	SAY(c, "before the error\n");
	SP_STMT(c, 0, 1);
	n = sp_div(c, 1, 0);
	SP_CHECK(c);
	PRINT(c, "after it: ", n);
out:
	return;
}

static void end_probe(struct sp_ctx *c) { SAY(c, "end\n"); }
static void error_probe(struct sp_ctx *c) { SAY(c, "error probe\n"); }

static const struct sp_place places[] = { { "operator '/'", "error.stp", 1, 20 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_BEGIN, .handler = begin_probe, .point = "begin", .name = "begin" },
	{ .kind = SP_PROBE_END, .handler = end_probe, .point = "end", .name = "end" },
	{ .kind = SP_PROBE_ERROR, .handler = error_probe, .point = "error", .name = "error" },
};
SCRIPT(PLACES);
