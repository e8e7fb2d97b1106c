/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load bias of a position-independent program, as the hit gives it and as the walk of its maps does; and of one not mapped. */
#include "script.h"

static void hit_probe(struct sp_ctx *c)
{
	PRINT(c, "moved ", c->bias != 0 && sp_reg(c, 16) == c->bias + @A:pie:twice@);
	PRINT(c, "same ", sp_object_bias(c, 0) == c->bias);
	sp_object_bias(c, 1);
	PRINT(c, "other ", c->error == 0);
	c->error = 0;
}

static const struct sp_object objects[] = { { .path = "/t/pie", .is_executable = 1 }, { .path = TARGETS, .is_executable = 1 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = hit_probe, .point = "hit", .name = "hit" },
};
static const struct sp_site sites[] = {
	{ .object = 0, .addr = @A:pie:twice@, .offset = @O:pie:twice@, .point = "twice", .name = "twice" },
};
SCRIPT(SITES, .needs = SP_NEEDS_MAPS);
