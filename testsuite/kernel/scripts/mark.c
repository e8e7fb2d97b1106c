/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mark with a semaphore, and vector registers of another function; ends itself after half a second. */
#include "script.h"

static void mark_probe(struct sp_ctx *c)
{
	SAY(c, "mark\n");
}

static void fp_probe(struct sp_ctx *c)
{
	PRINT(c, "xmm0 ", sp_reg(c, 17));
}

static void timer_probe(struct sp_ctx *c)
{
	sp_exit(c);
}

static const struct sp_object objects[] = { { .path = TARGETS, .is_executable = 1 } };
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = mark_probe, .point = "mark", .name = "mark" },
	{ .kind = SP_PROBE_SITE, .handler = fp_probe, .flags = SP_PROBE_NEEDS_FP, .point = "both", .name = "both" },
	{ .kind = SP_PROBE_TIMER, .handler = timer_probe, .interval_ns = 500000000, .point = "timer.ms(500)", .name = "timer.ms(500)" },
};
static const struct sp_site sites[] = {
	{ .probe = 0, .kind = SP_SITE_MARK, .addr = @A:mark_nop@, .offset = @O:mark_nop@,
	  .gate_addr = @A:gate@, .gate_offset = @O:gate@, .point = "mark", .name = "mark" },
	{ .probe = 1, .addr = @A:both@, .offset = @O:both@, .point = "both", .name = "both" },
};
SCRIPT(SITES);
