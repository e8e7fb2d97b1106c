/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin and end probes by order, a timer that ends the session at its fifth tick. */
#include "script.h"

struct globals { sp_i64 ticks; };

static void begin_late(struct sp_ctx *c) { SAY(c, "begin late\n"); }
static void begin_early(struct sp_ctx *c) { SAY(c, "begin early\n"); }
static void begin_same(struct sp_ctx *c) { SAY(c, "begin late too\n"); }
static void end_late(struct sp_ctx *c) { SAY(c, "end late\n"); }
static void end_early(struct sp_ctx *c) { SAY(c, "end early\n"); }
static void error_probe(struct sp_ctx *c) { SAY(c, "error\n"); }

static void tick(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	if (!sp_lock(c))
		return;
	g->ticks++;
	PRINT(c, "tick ", g->ticks);
	if (g->ticks == 5)
		sp_exit(c);
	sp_unlock(c);
}

static const struct sp_lock locks[] = { { 0, 1 } };
static const struct sp_global globals[] = { COUNTER(ticks) };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_END, .handler = end_late, .order = 3, .point = "end(3)", .name = "end(3)" },
	{ .kind = SP_PROBE_BEGIN, .handler = begin_late, .order = 7, .point = "begin(7)", .name = "begin(7)" },
	{ .kind = SP_PROBE_BEGIN, .handler = begin_early, .order = -7, .point = "begin(-7)", .name = "begin(-7)" },
	{ .kind = SP_PROBE_BEGIN, .handler = begin_same, .order = 7, .point = "begin(7)", .name = "begin(7)" },
	{ .kind = SP_PROBE_TIMER, .handler = tick, .interval_ns = 20000000, .random_ns = 5000000,
	  .nlocks = 1, .locks = locks, .point = "timer.ms(20)", .name = "timer.ms(20)" },
	{ .kind = SP_PROBE_ERROR, .handler = error_probe, .point = "error", .name = "error" },
	{ .kind = SP_PROBE_END, .handler = end_early, .order = -3, .point = "end(-3)", .name = "end(-3)" },
};
SCRIPT(GLOBALS);
