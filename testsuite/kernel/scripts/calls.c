/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entry and return instruction of twice(), counted under a lock. */
#include "script.h"

struct globals { sp_i64 entries, returns, argument, value; };

static void entry_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	if (!sp_lock(c))
		return;
	c->wrote = 1;
	g->entries++;
	g->argument = sp_reg(c, 5);
	sp_unlock(c);
}

static void return_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	if (!sp_lock(c))
		return;
	c->wrote = 1;
	g->returns++;
	g->value = sp_reg(c, 0);
	sp_unlock(c);
}

static void end_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	PRINT(c, "entries ", g->entries);
	PRINT(c, "returns ", g->returns);
	PRINT(c, "argument ", g->argument);
	PRINT(c, "value ", g->value);
}

static const struct sp_lock locks[] = { { 0, 1 }, { 1, 1 }, { 2, 1 }, { 3, 1 } };
static const struct sp_global globals[] = { COUNTER(entries), COUNTER(returns), COUNTER(argument), COUNTER(value) };
static const struct sp_object objects[] = { { .path = TARGETS, .is_executable = 1 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = entry_probe, .nlocks = 4, .locks = locks, .point = "entry", .name = "entry" },
	{ .kind = SP_PROBE_SITE, .handler = return_probe, .nlocks = 4, .locks = locks, .point = "return", .name = "return" },
	{ .kind = SP_PROBE_END, .handler = end_probe, .point = "end", .name = "end" },
};
static const struct sp_site sites[] = {
	{ .probe = 0, .addr = @A:twice@, .offset = @O:twice@, .point = "twice", .name = "twice" },
	{ .probe = 1, .kind = SP_SITE_RETURN, .addr = @A:twice_ret@, .offset = @O:twice_ret@, .point = "twice.return", .name = "twice" },
};
SCRIPT(SITES, GLOBALS);
