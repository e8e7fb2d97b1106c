/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lanes of counted arrays: what processors count apart comes together for whoever looks, once.  Includes lanes.c to cut a
 * fold short.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "core/lanes.c"
#include "host-platform.h"

enum { KEYS = 200, ROUNDS = 40000, THREADS = 4 };
enum { NUMBERS, PAIRS, STATS, GLOBALS };
static const struct sp_global globals[GLOBALS] = {
	[NUMBERS] = { .name = "n", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = KEYS, .counted = 1 },
	[PAIRS] = { .name = "p", .is_map = 1, .type = SP_LONG, .nkeys = 2, .keys = { SP_STRING, SP_LONG }, .capacity = KEYS,
		    .counted = 1 },
	[STATS] = { .name = "s", .is_map = 1, .type = SP_STATS, .nkeys = 1, .keys = { SP_LONG }, .capacity = KEYS, .counted = 1,
		    .stats = SP_STAT_MINMAX, .hist = 1 },
};
const struct sp_script sp_script = {
	.nglobals = GLOBALS, .globals = globals, .limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 16 },
};
static struct sp_ctx *c;

#define KEY(n_) (&(union sp_val){ .n = (n_) })
#define PAIR(s_, n_) ((union sp_val[]){ { .s = SP_STR(s_) }, { .n = (n_) } })

static struct map *map(sp_u32 global)
{
	return sp_at(host_session, host_session->globals[global].off);
}

static void start(void)
{
	host_start();
	c = host_context();
}

/* One more of @key, on each of the first @cpus processors. */
static void count_on(sp_u32 cpus, sp_i64 key)
{
	for (host_cpu = 1; host_cpu <= cpus; host_cpu++)
		sp_map_count(c, NUMBERS, KEY(key), 1);
	host_cpu = 1;
}

/* The sum of the array's values, and how many there are. */
static sp_i64 sum_of(sp_u32 global, int *n)
{
	struct sp_iter it = { .any = ~0u };
	sp_i64 sum = 0;

	sp_iter_start(c, &it, global, SP_SORT_NONE, SP_COUNT, -1);
	for (*n = 0; sp_iter_next(c, &it); ++*n)
		sum += sp_iter_value_long(c, &it);
	return sum;
}

static void test_looking(void)
{
	struct map *m;
	int n;

	start();
	m = map(NUMBERS);
	CHECK_NUM(m->lanes, 4);
	count_on(3, 7);
	count_on(4, -1);
	CHECK_NUM(m->held, 15);
	CHECK_NUM(*(sp_i64 *)value_of(m, element(m, 1)), 0);	/* all of it is in the lanes */
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(7)), 3);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(7)), 3);
	CHECK_NUM(*(sp_i64 *)value_of(m, element(m, 1)), 3);
	count_on(2, 7);
	CHECK_NUM(sum_of(NUMBERS, &n), 9);
	CHECK_NUM(n, 2);
	CHECK_NUM(m->dirty, 0);
	count_on(1, 7);
	CHECK_NUM(m->dirty, 1);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(7)), 6);
	CHECK(sp_map_has(c, NUMBERS, KEY(-1)) && !sp_map_has(c, NUMBERS, KEY(8)));
}

static void test_setting(void)
{
	start();
	count_on(4, 1);
	sp_map_set_long(c, NUMBERS, KEY(1), 100);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(1)), 100);
	count_on(4, 1);
	CHECK_NUM(sp_map_add_long(c, NUMBERS, KEY(1), 10), 114);
	sp_map_set_long(c, NUMBERS, KEY(2), 5);			/* made by somebody alone, then counted */
	count_on(2, 2);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(2)), 7);
}

/* What was deleted begins from zero, wherever it is counted. */
static void test_deleting(void)
{
	int n;

	start();
	for (sp_i64 k = 0; k < KEYS; k++)
		count_on(4, k);
	sp_map_delete(c, NUMBERS, KEY(3));
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(3)), 0);
	CHECK_NUM(sum_of(NUMBERS, &n), 4 * (KEYS - 1));
	count_on(2, 3);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(3)), 2);
	CHECK_NUM(sum_of(NUMBERS, &n), 4 * (KEYS - 1) + 2);
	CHECK_NUM(n, KEYS);
	sp_map_clear(c, NUMBERS);
	CHECK_NUM(sum_of(NUMBERS, &n), 0);
	CHECK_NUM(n, 0);
	for (sp_i64 k = KEYS; k < 2 * KEYS; k++)		/* others have room for all that there were */
		count_on(1, k);
	CHECK(!c->error);
	CHECK_NUM(sum_of(NUMBERS, &n), KEYS);
	count_on(1, 0);
	CHECK_STR(c->error ? c->error : "", "Array overflow, check size limit (200)");
	c->error = NULL;
}

/* The number without a tag, and more keys than a lane has slots. */
static void test_crowded(void)
{
	sp_u32 bytes = host_lane_bytes;
	int n, wrong = 0;

	host_lane_bytes = 1;
	start();
	host_lane_bytes = bytes;
	CHECK_NUM(map(NUMBERS)->slots, TRIES);
	for (int round = 0; round < 3; round++)
		for (sp_i64 k = 0; k < KEYS - 1; k++)
			count_on(3, k);
	count_on(4, INT64_MIN);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(INT64_MIN)), 4);
	for (sp_i64 k = 0; k < KEYS - 1; k++)
		wrong += sp_map_get_long(c, NUMBERS, KEY(k)) != 9;
	CHECK_NUM(wrong, 0);
	CHECK_NUM(sum_of(NUMBERS, &n), 9 * (KEYS - 1) + 4);
	for (sp_i64 k = 0; k < KEYS - 1; k += 2)		/* slots that become free, some before others of the same element */
		sp_map_delete(c, NUMBERS, KEY(k));
	for (sp_i64 k = 0; k < KEYS - 1; k++)
		count_on(2, k);
	wrong = 0;
	for (sp_i64 k = 0; k < KEYS - 1; k++)
		wrong += sp_map_get_long(c, NUMBERS, KEY(k)) != (k % 2 ? 11 : 2);
	CHECK_NUM(wrong, 0);
}

static void test_aggregates(void)
{
	static const sp_i64 values[4] = { 5, -3, 40, 7 };

	start();
	for (host_cpu = 1; host_cpu <= 4; host_cpu++)
		sp_map_stat_add(c, STATS, KEY(9), values[host_cpu - 1]);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_COUNT), 4);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_SUM), 49);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_MIN), -3);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_MAX), 40);
	host_cpu = 2;
	sp_map_stat_add(c, STATS, KEY(9), 41);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_MAX), 41);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_COUNT), 5);
	CHECK_NUM(sp_map_hist_bucket(c, STATS, KEY(9), sp_hist_bucket_of(&globals[STATS], 40)), 2);	/* 40 and 41 */
	sp_map_delete(c, STATS, KEY(9));
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(9), SP_COUNT), 0);
	host_cpu = 1;
}

/* By value, as a loop that sorts sees them. */
static void test_order(void)
{
	struct sp_iter it = { .any = ~0u };
	static const sp_i64 want[3][2] = { { 30, 9 }, { 10, 3 }, { 20, 1 } };

	start();
	count_on(3, 10);
	count_on(1, 20);
	for (int i = 0; i < 3; i++)
		count_on(3, 30);
	sp_iter_start(c, &it, NUMBERS, -SP_SORT_VALUE, SP_COUNT, -1);
	for (int i = 0; i < 3 && sp_iter_next(c, &it); i++) {
		CHECK_NUM(sp_iter_key_long(c, &it, 0), want[i][0]);
		CHECK_NUM(sp_iter_value_long(c, &it), want[i][1]);
	}
	CHECK(!sp_iter_next(c, &it));
}

/*
 * A fold cut short anywhere between the total's being known and its being told comes to the same: @zeroed slots are empty by
 * then, and the element has its value or not.
 */
static void check_cut_fold(int zeroed, bool stored)
{
	struct map *m;
	struct visit v;
	int n;

	start();
	m = map(NUMBERS);
	count_on(3, 5);
	count_on(2, 6);
	sp_map_add_long(c, NUMBERS, KEY(5), 10);
	count_on(4, 5);
	*(sp_i64 *)value_of(m, element(m, m->capacity + 1)) = 17;
	m->folding = 1;
	visit(&v, m, 1, m->dirty);
	for (int i = 0; i < zeroed; i++)
		*(sp_i64 *)(next_slot(&v, m) + 1) = 0;
	if (stored)
		*(sp_i64 *)value_of(m, element(m, 1)) = 17;
	sp_map_mend(host_session, NUMBERS);
	CHECK_NUM(m->folding, 0);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(5)), 17);
	CHECK_NUM(sum_of(NUMBERS, &n), 19);
	count_on(1, 5);
	CHECK_NUM(sp_map_get_long(c, NUMBERS, KEY(5)), 18);
}

/* A deletion cut short once the element is dead: no slot may go on counting for it. */
static void check_cut_drop(sp_u32 global, const union sp_val *key, const union sp_val *other)
{
	struct map *m;

	start();
	m = map(global);
	for (host_cpu = 1; host_cpu <= 4; host_cpu++) {
		sp_map_count(c, global, key, 1);
		sp_map_count(c, global, other, 1);
	}
	CHECK_NUM(sp_map_add_long(c, global, other, 1), 5);	/* alone from here on */
	m->changing = 1;
	element(m, 1)->born = 0;
	sp_map_mend(host_session, global);
	CHECK(!sp_map_has(c, global, key));
	host_cpu = 1;
	sp_map_count(c, global, key, 1);
	CHECK_NUM(sp_map_get_long(c, global, key), 1);
	CHECK_NUM(sp_map_get_long(c, global, other), 5);
}

static void *count_everywhere(void *arg)
{
	struct sp_ctx *mine;

	host_be_owner((sp_u32)(size_t)arg);
	mine = host_context();
	for (int i = 0; i < ROUNDS; i++) {
		host_cpu = 1 + (sp_u32)(i / 50 + (size_t)arg) % 4;	/* threads are moved */
		sp_map_count(mine, NUMBERS, KEY(i * (size_t)arg % KEYS), 1);
		sp_map_count(mine, PAIRS, PAIR("x", i % 50), 2);
		sp_map_stat_add(mine, STATS, KEY(i % 3), i);
	}
	return (void *)mine->error;
}

static bool nap(void)
{
	usleep(100);
	return true;
}

static void test_threads(sp_u32 lanes)
{
	pthread_t thread[THREADS];
	int n, errors = 0;
	sp_u32 usual = host_lanes;

	host_lanes = lanes;
	start();
	host_lanes = usual;
	host_on_sleep = nap;
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, count_everywhere, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++) {
		void *error;

		pthread_join(thread[i], &error);
		errors += error != NULL;
	}
	host_on_sleep = NULL;
	CHECK_NUM(errors, 0);
	CHECK_NUM(sum_of(NUMBERS, &n), THREADS * ROUNDS);
	CHECK_NUM(n, KEYS);
	CHECK_NUM(sum_of(PAIRS, &n), 2 * THREADS * ROUNDS);
	CHECK_NUM(n, 50);
	CHECK_NUM(sp_map_get_long(c, PAIRS, PAIR("x", 49)), 2 * THREADS * ROUNDS / 50);
	/* of 0 .. 39999 every third, from 0: 13334 of them, at most 39999 */
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(0), SP_COUNT), THREADS * 13334);
	CHECK_NUM(sp_map_stat_get(c, STATS, KEY(0), SP_MAX), 39999);
}

int main(void)
{
	host_be_owner(1);
	test_looking();
	test_setting();
	test_deleting();
	test_crowded();
	test_aggregates();
	test_order();
	for (int zeroed = 0; zeroed <= 4; zeroed++)
		check_cut_fold(zeroed, false);
	check_cut_fold(4, true);
	check_cut_drop(NUMBERS, KEY(5), KEY(6));
	check_cut_drop(PAIRS, PAIR("a", 5), PAIR("b", 6));
	test_threads(4);
	test_threads(1);
	test_threads(0);
	return check_end();
}
