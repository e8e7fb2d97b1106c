/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe hit report: which row a hit counts for, and the numbers, reckoned by hand.  The clock of these tests goes on by
 * one at each look, so a handler that does nothing takes one cycle.
 */
#include "check.h"
#include "host-platform.h"

static sp_u64 takes;				/* cycles of the next hit, less one */

static void handler(struct sp_ctx *c)
{
	(void)c;
	host_cycles += takes;
}

static void fails(struct sp_ctx *c)
{
	SP_STMT(c, 0, 1);
	sp_error_str(c, SP_STR("on purpose"));
out:
	return;
}

enum { TIMER, SITES, HIDDEN, FAILS };
static const struct sp_probe probes[] = {
	[TIMER] = { .kind = SP_PROBE_TIMER, .handler = handler },
	[SITES] = { .kind = SP_PROBE_SITE, .handler = handler },
	[HIDDEN] = { .kind = SP_PROBE_SITE, .handler = handler, .flags = SP_PROBE_HIDDEN },
	[FAILS] = { .kind = SP_PROBE_TIMER, .handler = fails },
};
static const struct sp_site sites[] = { { .probe = SITES }, { .probe = HIDDEN }, { .probe = SITES }, { .probe = SITES } };
static const struct sp_timing timings[] = {
	{ "timer.s(1)", "t.stp:1:1", " from: timer.s(1)" },
	{ "f@a.c:1", "t.stp:2:1", " from: x = f from: x" },
	{ "g@a.c:2", "t.stp:2:1", " from: x = f from: x" },
	{ "timer.s(2)", "t.stp:3:1", " from: timer.s(2)" },
};
static const sp_u32 site_timings[] = { 2, SP_NO_TIMING, 1, 2 };
static const sp_u32 probe_timings[] = { 0, SP_NO_TIMING, SP_NO_TIMING, 3 };
const struct sp_script sp_script = {
	.abi = SP_ABI, .nprobes = 4, .probes = probes, .nsites = 4, .sites = sites,
	.limits = { .maxaction = 10, .maxstringlen = 64, .maxerrors = 5 },
	.timing_unit = SP_TIMING_CYCLES, .ntimings = 4, .timings = timings,
	.site_timings = site_timings, .probe_timings = probe_timings,
};

static void hit_site(unsigned site, sp_u64 cycles)
{
	struct sp_ctx *c = host_context();

	takes = cycles - 1;
	c->site = &sites[site];
	sp_run_probe(c, &probes[sites[site].probe]);
}

static void hit(unsigned probe, sp_u64 cycles)
{
	takes = cycles - 1;
	host_run(&probes[probe]);
}

static void put(void *data, const char *text, sp_u32 n)
{
	strncat(data, text, n);
}

static const char *report(void)
{
	static char text[2000];

	text[0] = 0;
	sp_timing_report(host_session, put, text);
	return text;
}

static void test_rows(void)
{
	host_start();
	CHECK_STR(report(), "----- probe hit report: \n");
	hit_site(0, 10);
	hit_site(1, 77);			/* hidden: told nowhere */
	hit_site(2, 7);
	hit_site(3, 20);			/* another return instruction of the same function */
	CHECK_STR(report(), "----- probe hit report: \n"
		  "f@a.c:1, (t.stp:2:1), hits: 1, cycles: 7min/7avg/7max, variance: 0, from: x = f from: x, index: 1\n"
		  "g@a.c:2, (t.stp:2:1), hits: 2, cycles: 10min/15avg/20max, variance: 50, from: x = f from: x, index: 2\n");
}

static void test_numbers(void)
{
	host_start();
	hit(TIMER, 5);
	hit(TIMER, 3);
	hit(TIMER, 11);				/* 19 in all: (155 * 3 - 361) / (3 * 2) = 17.33 */
	hit(FAILS, 1);
	CHECK_STR(report(), "----- probe hit report: \n"
		  "timer.s(1), (t.stp:1:1), hits: 3, cycles: 3min/6avg/11max, variance: 17, from: timer.s(1), index: 0\n"
		  "timer.s(2), (t.stp:3:1), hits: 1, cycles: 1min/1avg/1max, variance: 0, from: timer.s(2), index: 3\n");
}

/* Squares beyond 64 bits, and sums of their low halves that carry. */
static void test_large(void)
{
	host_start();
	hit(TIMER, 0xffffffffull);
	hit(TIMER, 0xffffffffull);
	hit(TIMER, 0xffffffffull);
	CHECK_STR(report(), "----- probe hit report: \n"
		  "timer.s(1), (t.stp:1:1), hits: 3, cycles: 4294967295min/4294967295avg/4294967295max, variance: 0, "
		  "from: timer.s(1), index: 0\n");
	host_start();
	hit(TIMER, 1ull << 40);
	hit(TIMER, (1ull << 40) + 6);		/* 3 from the mean on either side: 9 + 9 */
	CHECK_STR(report(), "----- probe hit report: \n"
		  "timer.s(1), (t.stp:1:1), hits: 2, cycles: 1099511627776min/1099511627779avg/1099511627782max, "
		  "variance: 18, from: timer.s(1), index: 0\n");
}

/* The state of the session forbids the probe: it was not hit. */
static void test_not_run(void)
{
	host_start();
	sp_state_change(host_session, SP_RUNNING, SP_STOPPING);
	hit(TIMER, 5);
	CHECK_STR(report(), "----- probe hit report: \n");
}

int main(void)
{
	test_rows();
	test_numbers();
	test_large();
	test_not_run();
	return check_end();
}
