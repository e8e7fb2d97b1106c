/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overload check: what handlers may take in an interval, and what is said once they took more.
 */
#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = {
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .maxskipped = 100,
		    .overload_interval = 10000, .overload_threshold = 1000 },
};
static sp_u64 takes;
static unsigned runs;

static void handler(struct sp_ctx *c)
{
	(void)c;
	host_cycles += takes;
	runs++;
}

static const struct sp_probe site = { .kind = SP_PROBE_SITE, .handler = handler, .point = "process(\"a\").function(\"f\")" };
static const struct sp_probe begin = { .kind = SP_PROBE_BEGIN, .handler = handler, .point = "begin" };

static void hit(const struct sp_probe *probe, sp_u64 cycles)
{
	takes = cycles;
	host_run(probe);
}

int main(void)
{
	/* Begin probes hold no program up. */
	host_start();
	host_session->state = SP_STARTING;
	hit(&begin, 5000);
	CHECK_STR(host_err, "");

	/* 900 in one interval, 900 in the next.  Each look at the clock is a cycle by itself. */
	host_start();
	hit(&site, 900);
	host_cycles += 10000;
	hit(&site, 900);
	CHECK_STR(host_err, "");
	CHECK_NUM(host_session->state, SP_RUNNING);
	CHECK_NUM(runs, 3);

	/* 901 before, and 201 now: 1102, within the 901 and 201 and the one look between them. */
	hit(&site, 200);
	CHECK_NUM(host_session->state, SP_ERROR);
	CHECK_NUM(host_session->exit_status, 1);
	CHECK_STR(host_err, "probe overhead exceeded threshold in probe process(\"a\").function(\"f\") "
		  "(1102 of 1103 cycles; limit 1000, see -D STP_OVERLOAD_THRESHOLD=2000 or -D STP_NO_OVERLOAD)\n");
	hit(&site, 5000);
	CHECK_NUM(runs, 4);
	return check_end();
}
