/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An end probe that prints more than all rings hold, started by exit() in a begin probe; and a site in a file that is not there. */
#include "script.h"

static void begin_probe(struct sp_ctx *c)
{
	sp_exit(c);
}

static void end_probe(struct sp_ctx *c)
{
	for (int i = 1; i <= 300000; i++)
		PRINT(c, "line of some length ", i);
}

static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_BEGIN, .handler = begin_probe, .point = "begin", .name = "begin" },
	{ .kind = SP_PROBE_END, .handler = end_probe, .point = "end", .name = "end" },
};
SCRIPT(.nsites = 0);
