/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is not there, one of another build, an offset behind the file's end: told, and the rest goes on. */
#include "script.h"

static void hit_probe(struct sp_ctx *c)
{
	SAY(c, "hit\n");
}

static const sp_u8 other_id[20] = { 1 };
static const sp_u8 right_id[20] = { @build-id@ };
static const struct sp_object objects[] = {
	{ .path = "/t/nowhere" },
	{ .path = TARGETS, .build_id = right_id, .build_id_len = 20, .is_executable = 1 },
	{ .path = "/t/throw", .build_id = other_id, .build_id_len = 20, .is_executable = 1 },
};
static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_SITE, .handler = hit_probe, .point = "hit", .name = "hit" },
};
static const struct sp_site sites[] = {
	{ .object = 0, .addr = 4096, .offset = 4096, .point = "process(\"/t/nowhere\").function(\"f\")", .name = "f" },
	{ .object = 1, .addr = @A:twice@, .offset = @O:twice@, .point = "twice", .name = "twice" },
	{ .object = 1, .addr = 1ull << 40, .offset = 1ull << 40, .point = "process(\"/t/targets\").function(\"g\")", .name = "g" },
	{ .object = 2, .addr = @A:throw:middle@, .offset = @O:throw:middle@, .point = "middle", .name = "middle" },
};
SCRIPT(SITES);
