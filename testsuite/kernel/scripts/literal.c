/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two probes at one address read a literal that is not in memory: one freely, one with a lock held. */
#include "script.h"

struct globals { sp_i64 hits; };

static void free_probe(struct sp_ctx *c)
{
	struct sp_str s = sp_user_string(c, sp_reg(c, 5), 511);

	SP_CHECK(c);
	SAY(c, "free: ");
	sp_print_str(c, s);
	SAY(c, "\n");
out:
	return;
}

static void locked_probe(struct sp_ctx *c)
{
	struct globals *g = c->globals;
	struct sp_str s;

	if (!sp_lock(c))
		return;
	s = sp_user_string(c, sp_reg(c, 5), 511);
	SP_CHECK(c);
	SAY(c, "locked: ");
	sp_print_str(c, s);
	c->wrote = 1;
	g->hits++;
	PRINT(c, " ", g->hits);
out:
	sp_unlock(c);
}

static const struct sp_lock locks[] = { { 0, 1 } };
static const struct sp_global globals[] = { COUNTER(hits) };
static const struct sp_object objects[] = { { .path = TARGETS, .is_executable = 1 } };
static const struct sp_place places[] = { { "identifier 'user_string'", "literal.stp", 3, 9 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = free_probe, .point = "free", .name = "free" },
	{ .kind = SP_PROBE_SITE, .handler = locked_probe, .nlocks = 1, .locks = locks, .point = "locked", .name = "locked" },
};
static const struct sp_site sites[] = {
	{ .probe = 0, .addr = @A:say@, .offset = @O:say@, .point = "say", .name = "say" },
	{ .probe = 1, .addr = @A:say@, .offset = @O:say@, .point = "say", .name = "say" },
};
SCRIPT(SITES, GLOBALS, PLACES);
