/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregates and histograms: the numbers of spec/language.md 5.6 and the pictures of 7.5.
 */
#include "check.h"
#include "host-platform.h"

enum { PLAIN, VAR0, VAR1, LOG, LINEAR, NEGATIVE, WIDE, MAP, GLOBALS };
static const struct sp_global globals[GLOBALS] = {
	[PLAIN] = { .name = "plain", .type = SP_STATS, .stats = SP_STAT_MINMAX },
	[VAR0] = { .name = "var0", .type = SP_STATS, .stats = SP_STAT_VARIANCE },
	[VAR1] = { .name = "var1", .type = SP_STATS, .stats = SP_STAT_VARIANCE, .shift = 1 },
	[LOG] = { .name = "log", .type = SP_STATS, .hist = 1 },
	[LINEAR] = { .name = "linear", .type = SP_STATS, .hist = 2, .high = 100, .width = 10 },
	[NEGATIVE] = { .name = "negative", .type = SP_STATS, .hist = 2, .low = -20, .high = 20, .width = 10 },
	[WIDE] = { .name = "wide", .type = SP_STATS, .hist = 2, .low = -0x7fffffffffffffffll - 1,
		   .high = 0x7fffffffffffffffll, .width = 0x1000000000000000ll },
	[MAP] = { .name = "map", .is_map = 1, .type = SP_STATS, .nkeys = 1, .keys = { SP_LONG }, .hist = 1,
		  .stats = SP_STAT_MINMAX, .capacity = 2 },
};
const struct sp_script sp_script = {
	.nglobals = GLOBALS, .globals = globals,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .histwidth = 50, .histelision = 2 },
};
static struct sp_ctx *c;

static void feed(sp_u32 global, sp_i64 v, int times)
{
	while (times--)
		sp_stat_add(c, global, v);
}

static const char *drawn(sp_u32 global)
{
	sp_stat_hist_print(c, global);
	return host_printed(c);
}

static void test_extractors(void)
{
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_COUNT), 0);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_SUM), 0);
	CHECK(!c->error);
	sp_stat_get(c, PLAIN, SP_MIN);
	CHECK_STR(c->error, "empty aggregate");
	c->error = NULL;
	feed(PLAIN, -3, 1);
	feed(PLAIN, 4, 1);
	feed(PLAIN, -6, 1);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_COUNT), 3);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_SUM), -5);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_MIN), -6);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_MAX), 4);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_AVG), -1);
	sp_stat_clear(c, PLAIN);
	CHECK_NUM(sp_stat_get(c, PLAIN, SP_COUNT), 0);
	sp_stat_get(c, PLAIN, SP_AVG);
	CHECK_STR(c->error, "empty aggregate");
	c->error = NULL;
}

static void test_variance(void)
{
	sp_stat_get(c, VAR0, SP_VARIANCE);
	CHECK_STR(c->error, "empty aggregate");
	c->error = NULL;
	feed(VAR0, 1, 1);
	CHECK_NUM(sp_stat_get(c, VAR0, SP_VARIANCE), 0);
	sp_stat_clear(c, VAR0);
	for (int i = 1; i <= 5; i++) {
		feed(VAR0, i, 1);
		feed(VAR1, i, 1);
	}
	CHECK_NUM(sp_stat_get(c, VAR0, SP_VARIANCE), 12);
	CHECK_NUM(sp_stat_get(c, VAR1, SP_VARIANCE), 2);
}

static void test_log(void)
{
	drawn(LOG);
	CHECK_STR(c->error, "empty aggregate");
	c->error = NULL;
	feed(LOG, 0, 3);
	feed(LOG, 4, 40);
	feed(LOG, 7, 60);
	feed(LOG, 900, 7);
	feed(LOG, 40000, 1);
	CHECK_STR(drawn(LOG),
		" value |-------------------------------------------------- count\n"
		"     0 |@                                                    3\n"
		"     1 |                                                     0\n"
		"     2 |                                                     0\n"
		"     4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 100\n"
		"     8 |                                                     0\n"
		"    16 |                                                     0\n"
		"       ~\n"
		"   128 |                                                     0\n"
		"   256 |                                                     0\n"
		"   512 |@@@                                                  7\n"
		"  1024 |                                                     0\n"
		"  2048 |                                                     0\n"
		"       ~\n"
		"  8192 |                                                     0\n"
		" 16384 |                                                     0\n"
		" 32768 |                                                     1\n"
		" 65536 |                                                     0\n"
		"131072 |                                                     0\n"
		"\n");
	CHECK_NUM(sp_hist_buckets(LOG), 128);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 64), 3);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 67), 100);
	sp_stat_hist_bucket(c, LOG, 128);
	CHECK_STR(c->error, "histogram index out of range");
	c->error = NULL;
	CHECK_NUM(sp_stat_hist_sprint(c, LOG).n, 63);
	sp_stat_clear(c, LOG);
	feed(LOG, -1, 1);
	feed(LOG, -3, 2);
	feed(LOG, -0x7fffffffffffffffll - 1, 1);
	feed(LOG, 0x7fffffffffffffffll, 1);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 63), 1);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 62), 2);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 0), 1);
	CHECK_NUM(sp_stat_hist_bucket(c, LOG, 127), 1);
	sp_stat_clear(c, LOG);
	feed(LOG, -1, 1);
	CHECK_STR(drawn(LOG),
		"value |-------------------------------------------------- count\n"
		"   -4 |                                                   0\n"
		"   -2 |                                                   0\n"
		"   -1 |@                                                  1\n"
		"    0 |                                                   0\n"
		"    1 |                                                   0\n"
		"\n");
}

static void test_linear(void)
{
	CHECK_NUM(sp_hist_buckets(LINEAR), 13);
	feed(LINEAR, -1, 2);
	feed(LINEAR, 20, 4);
	feed(LINEAR, 29, 5);
	feed(LINEAR, 80, 1);
	feed(LINEAR, 110, 5);
	feed(LINEAR, 1000000, 1);
	CHECK_STR(drawn(LINEAR),
		"value |-------------------------------------------------- count\n"
		"   <0 |@@                                                 2\n"
		"    0 |                                                   0\n"
		"   10 |                                                   0\n"
		"   20 |@@@@@@@@@                                          9\n"
		"   30 |                                                   0\n"
		"   40 |                                                   0\n"
		"      ~\n"
		"   60 |                                                   0\n"
		"   70 |                                                   0\n"
		"   80 |@                                                  1\n"
		"   90 |                                                   0\n"
		"  100 |                                                   0\n"
		" >100 |@@@@@@                                             6\n"
		"\n");
	CHECK_NUM(sp_stat_hist_bucket(c, LINEAR, 0), 2);
	CHECK_NUM(sp_stat_hist_bucket(c, LINEAR, 3), 9);
	CHECK_NUM(sp_stat_hist_bucket(c, LINEAR, 12), 6);
	feed(LINEAR, 109, 1);
	CHECK_NUM(sp_stat_hist_bucket(c, LINEAR, 11), 1);
	/* Underflow and overflow rows that are empty edges go; two rows on each side come. */
	feed(NEGATIVE, -20, 1);
	feed(NEGATIVE, 5, 2);
	CHECK_STR(drawn(NEGATIVE),
		"value |-------------------------------------------------- count\n"
		"  -20 |@                                                  1\n"
		"  -10 |                                                   0\n"
		"    0 |@@                                                 2\n"
		"   10 |                                                   0\n"
		"   20 |                                                   0\n"
		"\n");
	CHECK_NUM(sp_hist_buckets(WIDE), 18);
	feed(WIDE, 0x7fffffffffffffffll, 1);
	feed(WIDE, -0x7fffffffffffffffll - 1, 1);
	CHECK_NUM(sp_stat_hist_bucket(c, WIDE, 1), 1);
	CHECK_NUM(sp_stat_hist_bucket(c, WIDE, 16), 1);
}

static void test_map(void)
{
	union sp_val k = { .n = 5 }, k2 = { .n = 6 }, k3 = { .n = 7 };

	CHECK_NUM(sp_map_stat_get(c, MAP, &k, SP_COUNT), 0);
	CHECK(!c->error);
	sp_map_stat_get(c, MAP, &k, SP_SUM);
	CHECK_STR(c->error, "empty aggregate");
	c->error = NULL;
	CHECK(!sp_map_has(c, MAP, &k));
	sp_map_stat_add(c, MAP, &k, 10);
	sp_map_stat_add(c, MAP, &k, 20);
	sp_map_stat_add(c, MAP, &k2, 1);
	CHECK_NUM(sp_map_stat_get(c, MAP, &k, SP_SUM), 30);
	CHECK_NUM(sp_map_stat_get(c, MAP, &k, SP_MAX), 20);
	CHECK_NUM(sp_map_hist_bucket(c, MAP, &k, 69), 1);
	sp_map_hist_print(c, MAP, &k2);
	CHECK(strstr(host_printed(c), "    1 |@                                                  1\n") != NULL);
	sp_map_stat_add(c, MAP, &k3, 1);
	CHECK_STR(c->error, "aggregation overflow in map");
	c->error = NULL;
	sp_map_delete(c, MAP, &k);
	sp_map_stat_add(c, MAP, &k3, 1);
	CHECK(!c->error);
	CHECK_NUM(sp_map_stat_get(c, MAP, &k3, SP_COUNT), 1);
	CHECK_NUM(sp_map_hist_bucket(c, MAP, &k3, 69), 0);	/* nothing left of the element before it */
}

int main(void)
{
	host_start();
	c = host_context();
	test_extractors();
	test_variance();
	test_log();
	test_linear();
	test_map();
	return check_end();
}
