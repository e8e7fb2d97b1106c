/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entry and returns of functions that are left by other ways: swapcontext in one program, a throw in the other. */
#include "script.h"

struct globals { sp_i64 entries, returns; };

static void entry_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	if (!sp_lock(c))
		return;
	g->entries++;
	sp_unlock(c);
}

static void return_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	if (!sp_lock(c))
		return;
	g->returns++;
	sp_unlock(c);
}

static void end_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	PRINT(c, "entries ", g->entries);
	PRINT(c, "returns ", g->returns);
}

static const struct sp_lock locks[] = { { 0, 1 }, { 1, 1 } };
static const struct sp_global globals[] = { COUNTER(entries), COUNTER(returns) };
static const struct sp_object objects[] = { { .path = TARGETS, .is_executable = 1 }, { .path = "/t/throw", .is_executable = 1 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = entry_probe, .nlocks = 2, .locks = locks, .point = "entry", .name = "entry" },
	{ .kind = SP_PROBE_SITE, .handler = return_probe, .nlocks = 2, .locks = locks, .point = "return", .name = "return" },
	{ .kind = SP_PROBE_END, .handler = end_probe, .point = "end", .name = "end" },
};
static const struct sp_site sites[] = {
	{ .object = 0, .probe = 0, .addr = @A:inside@, .offset = @O:inside@, .point = "inside", .name = "inside" },
	{ .object = 0, .probe = 1, .addr = @A:inside_ret@, .offset = @O:inside_ret@, .point = "inside.return", .name = "inside" },
	{ .object = 1, .probe = 0, .addr = @A:throw:middle@, .offset = @O:throw:middle@, .point = "middle", .name = "middle" },
	{ .object = 1, .probe = 1, .addr = @A:throw:middle_ret@, .offset = @O:throw:middle_ret@, .point = "middle.return", .name = "middle" },
};
SCRIPT(SITES, GLOBALS);
