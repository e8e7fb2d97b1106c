/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays: keys, order, wrapping, slices, sorting, and the death of a writer half way.  Includes map.c to spoil its links.
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "core/core.h"
#include "core/map.c"
#include "host-platform.h"

enum { LONGS, WRAPS, PAIRS, STRINGS, DEFAULTS, BIG, GLOBALS };
static const struct sp_global globals[GLOBALS] = {
	[LONGS] = { .name = "longs", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 1000 },
	[WRAPS] = { .name = "wraps", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 4,
		    .wraps = 1 },
	[PAIRS] = { .name = "pairs", .is_map = 1, .type = SP_LONG, .nkeys = 2, .keys = { SP_LONG, SP_STRING },
		    .capacity = 3 },
	[STRINGS] = { .name = "strings", .is_map = 1, .type = SP_STRING, .nkeys = 1, .keys = { SP_STRING },
		      .capacity = 10 },
	[DEFAULTS] = { .name = "defaults", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG } },
	[BIG] = { .name = "big", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 100000 },
};
const struct sp_script sp_script = {
	.nglobals = GLOBALS, .globals = globals,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 16, .maxmapentries = 5 },
};
static struct sp_ctx *c;

#define KEY(n_) (&(union sp_val){ .n = (n_) })
#define SKEY(s_) (&(union sp_val){ .s = SP_STR(s_) })
#define PAIR(n_, s_) ((union sp_val[]){ { .n = (n_) }, { .s = SP_STR(s_) } })

/* The array as "key=value ..." in the order that foreach takes. */
static const char *listed(sp_u32 global, int sort, sp_i64 limit)
{
	static char text[512];
	struct sp_iter it = { .any = ~0u };
	const struct sp_global *g = &globals[global];

	text[0] = 0;
	sp_iter_start(c, &it, global, sort, SP_COUNT, limit);
	while (sp_iter_next(c, &it)) {
		char *at = text + strlen(text);

		if (at != text)
			*at++ = ' ';
		if (g->keys[0] == SP_LONG)
			at += sprintf(at, "%lld", (long long)sp_iter_key_long(c, &it, 0));
		else
			at += sprintf(at, "%s", host_text(sp_iter_key_str(c, &it, 0)));
		if (g->nkeys == 2)
			at += sprintf(at, ",%s", host_text(sp_iter_key_str(c, &it, 1)));
		if (g->type == SP_LONG)
			sprintf(at, "=%lld", (long long)sp_iter_value_long(c, &it));
		else
			sprintf(at, "=%s", host_text(sp_iter_value_str(c, &it)));
	}
	return text;
}

static void test_elements(void)
{
	CHECK_NUM(sp_map_get_long(c, LONGS, KEY(1)), 0);
	CHECK(!sp_map_has(c, LONGS, KEY(1)) && !c->wrote);
	sp_map_set_long(c, LONGS, KEY(1), 10);
	CHECK(c->wrote);
	CHECK_NUM(sp_map_add_long(c, LONGS, KEY(-1), 5), 5);
	CHECK_NUM(sp_map_add_long(c, LONGS, KEY(-1), 5), 10);
	sp_map_set_long(c, LONGS, KEY(7), 0);
	CHECK(sp_map_has(c, LONGS, KEY(7)));
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), "1=10 -1=10 7=0");
	sp_map_delete(c, LONGS, KEY(-1));
	sp_map_delete(c, LONGS, KEY(99));
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), "1=10 7=0");
	sp_map_set_long(c, LONGS, KEY(-1), 3);
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), "1=10 7=0 -1=3");
	sp_map_clear(c, LONGS);
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), "");
	CHECK_NUM(sp_map_get_long(c, LONGS, KEY(1)), 0);
}

static void test_full(void)
{
	for (int i = 0; i < 5; i++)
		sp_map_set_long(c, DEFAULTS, KEY(i), i);
	CHECK(!c->error);
	sp_map_set_long(c, DEFAULTS, KEY(3), 33);
	CHECK(!c->error);
	sp_map_set_long(c, DEFAULTS, KEY(5), 5);
	CHECK_STR(c->error, "Array overflow, check MAXMAPENTRIES");
	c->error = NULL;
	for (int i = 0; i < 3; i++)
		sp_map_set_long(c, PAIRS, PAIR(i, "x"), i);
	CHECK_NUM(sp_map_add_long(c, PAIRS, PAIR(0, "y"), 1), 0);
	CHECK_STR(c->error, "Array overflow, check size limit (3)");
	c->error = NULL;
	sp_map_clear(c, PAIRS);
}

static void test_wrapping(void)
{
	for (int i = 1; i <= 6; i++)
		sp_map_set_long(c, WRAPS, KEY(i), 10 - i);
	CHECK_STR(listed(WRAPS, SP_SORT_NONE, -1), "3=7 4=6 5=5 6=4");
	CHECK_STR(listed(WRAPS, SP_SORT_VALUE, -1), "6=4 5=5 4=6 3=7");
	sp_map_set_long(c, WRAPS, KEY(7), 3);	/* the oldest goes, not the first of the sorted ones */
	CHECK_STR(listed(WRAPS, 1, -1), "4=6 5=5 6=4 7=3");
	sp_map_set_long(c, WRAPS, KEY(4), 60);	/* no new element: stays the oldest */
	sp_map_set_long(c, WRAPS, KEY(8), 2);
	CHECK_STR(listed(WRAPS, -1, -1), "8=2 7=3 6=4 5=5");
	CHECK(!c->error);
}

static void test_strings(void)
{
	sp_map_set_str(c, STRINGS, SKEY("beta"), SP_STR("B"));
	sp_map_set_str(c, STRINGS, SKEY("alpha"), SP_STR("a long value that is cut"));
	sp_map_set_str(c, STRINGS, SKEY(""), SP_STR(""));
	CHECK_STR(host_text(sp_map_get_str(c, STRINGS, SKEY("alpha"))), "a long value th");
	CHECK_STR(host_text(sp_map_get_str(c, STRINGS, SKEY("alph"))), "");
	CHECK(sp_map_has(c, STRINGS, SKEY("")) && !sp_map_has(c, STRINGS, SKEY("b")));
	CHECK_STR(listed(STRINGS, 1, -1), "= alpha=a long value th beta=B");
	CHECK_STR(listed(STRINGS, -SP_SORT_VALUE, 2), "alpha=a long value th beta=B");
	/* A key longer than a string may be is the string it is cut to. */
	sp_map_set_str(c, STRINGS, SKEY("0123456789abcdefXX"), SP_STR("1"));
	CHECK_STR(host_text(sp_map_get_str(c, STRINGS, SKEY("0123456789abcdeYY"))), "1");
}

static void test_slices(void)
{
	union sp_val keys[2] = { { .n = 1 }, { .s = SP_STR("y") } };
	struct sp_iter it = { .any = 1, .slice = keys };
	int n = 0;

	sp_map_set_long(c, PAIRS, PAIR(1, "x"), 1);
	sp_map_set_long(c, PAIRS, PAIR(1, "y"), 2);
	sp_map_set_long(c, PAIRS, PAIR(2, "y"), 3);
	CHECK_NUM(sp_map_get_long(c, PAIRS, PAIR(1, "y")), 2);
	CHECK(sp_map_has_slice(c, PAIRS, keys, 2) && sp_map_has_slice(c, PAIRS, keys, 1));
	CHECK(!sp_map_has_slice(c, PAIRS, PAIR(3, "y"), 2));
	sp_iter_start(c, &it, PAIRS, SP_SORT_NONE, SP_COUNT, -1);
	for (n = 0; sp_iter_next(c, &it); n++)
		CHECK_STR(host_text(sp_iter_key_str(c, &it, 1)), "y");
	CHECK_NUM(n, 2);
	sp_iter_start(c, &it, PAIRS, SP_SORT_NONE, SP_COUNT, 2);	/* the limit counts before the slice */
	for (n = 0; sp_iter_next(c, &it); n++)
		CHECK_NUM(sp_iter_value_long(c, &it), 2);
	CHECK_NUM(n, 1);
	sp_map_delete_slice(c, PAIRS, keys, 2);
	CHECK_STR(listed(PAIRS, SP_SORT_NONE, -1), "2,y=3");
	sp_map_delete_slice(c, PAIRS, keys, 3);
	CHECK_STR(listed(PAIRS, SP_SORT_NONE, -1), "");
}

/* Sorts by key then by value: a stable sort leaves equal values in order of their keys. */
static void test_sort(void)
{
	struct sp_iter it = { .any = ~0u };
	sp_i64 key, value, last_key = 0, last_value = 0;
	int n = 0, wrong = 0;

	sp_map_clear(c, LONGS);
	for (int i = 0; i < 1000; i++)
		sp_map_set_long(c, LONGS, KEY(i * 7919 % 1000), i * 31 % 10);
	sp_iter_start(c, &it, LONGS, 1, SP_COUNT, -1);
	for (; sp_iter_next(c, &it); n++)
		wrong += sp_iter_key_long(c, &it, 0) != n;
	CHECK_NUM(n, 1000);
	CHECK_NUM(wrong, 0);
	sp_iter_start(c, &it, LONGS, -SP_SORT_VALUE, SP_COUNT, -1);
	for (n = 0; sp_iter_next(c, &it); n++, last_key = key, last_value = value) {
		key = sp_iter_key_long(c, &it, 0);
		value = sp_iter_value_long(c, &it);
		wrong += n && (value > last_value || (value == last_value && key < last_key));
	}
	CHECK_NUM(n, 1000);
	CHECK_NUM(wrong, 0);
	CHECK_STR(listed(LONGS, SP_SORT_VALUE, 0), "");
	/* Deleting in a sorted list leaves it whole from both ends. */
	for (int i = 0; i < 1000; i += 2)
		sp_map_delete(c, LONGS, KEY(i));
	sp_iter_start(c, &it, LONGS, -1, SP_COUNT, -1);
	for (n = 999; sp_iter_next(c, &it); n -= 2)
		wrong += sp_iter_key_long(c, &it, 0) != n;
	CHECK_NUM(n, -1);
	CHECK_NUM(wrong, 0);
}

/* Against a plain array, over many random changes. */
static void test_random(void)
{
	static sp_i64 mirror[300];
	static bool there[300];
	int wrong = 0, alive = 0, n = 0;
	struct sp_iter it = { .any = ~0u };

	srand(1);
	sp_map_clear(c, LONGS);
	for (int i = 0; i < 100000; i++) {
		int k = rand() % 300;

		if (rand() % 3) {
			mirror[k] += k;
			there[k] = true;
			wrong += sp_map_add_long(c, LONGS, KEY(k), k) != mirror[k];
		} else {
			mirror[k] = 0;
			there[k] = false;
			sp_map_delete(c, LONGS, KEY(k));
		}
		k = rand() % 300;
		wrong += sp_map_has(c, LONGS, KEY(k)) != there[k] || sp_map_get_long(c, LONGS, KEY(k)) != mirror[k];
	}
	for (int i = 0; i < 300; i++)
		alive += there[i];
	sp_iter_start(c, &it, LONGS, SP_SORT_NONE, SP_COUNT, -1);
	while (sp_iter_next(c, &it))
		n++;
	CHECK_NUM(wrong, 0);
	CHECK_NUM(n, alive);
}

/*
 * Links spoiled as badly as a kill could leave them, with .changing set: the elements alone must do.  (t-kill.c kills.)
 */
static void test_mending(void)
{
	struct map *m = sp_at(host_session, host_session->globals[LONGS].off);
	const char *before;
	char want[512];

	sp_map_clear(c, LONGS);
	for (int i = 1; i <= 6; i++)
		sp_map_set_long(c, LONGS, KEY(i), i * i);
	sp_map_delete(c, LONGS, KEY(3));
	before = listed(LONGS, SP_SORT_NONE, -1);
	strcpy(want, before);
	CHECK_STR(want, "1=1 2=4 4=16 5=25 6=36");
	sp_map_mend(host_session, LONGS);		/* nothing was being changed: nothing is touched */
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), want);
	m->changing = 1;
	m->count = 99;
	m->free = 2;					/* an element that is alive */
	m->first = m->last = 4;
	for (sp_u32 i = 0; i < m->nbuckets; i++)
		m->buckets[i] = 1;
	host_session->globals[LONGS].writer = 55;
	sp_locks_recover(host_session, 55);
	CHECK_NUM(host_session->globals[LONGS].writer, 0);
	CHECK_NUM(m->changing, 0);
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), want);
	CHECK_NUM(sp_map_get_long(c, LONGS, KEY(5)), 25);
	sp_map_set_long(c, LONGS, KEY(3), 9);
	CHECK_STR(listed(LONGS, SP_SORT_NONE, -1), "1=1 2=4 4=16 5=25 6=36 3=9");
}

static void measure(void)
{
	clock_t start = clock();

	for (int i = 0; i < 5000000; i++)
		sp_map_add_long(c, BIG, KEY(i & 1023), 1);
	printf("# %.1f ns an addition\n", (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / 5000000);
}

int main(int argc, char **argv)
{
	(void)argv;
	host_start();
	c = host_context();
	if (argc > 1) {
		measure();
		return 0;
	}
	test_elements();
	test_full();
	test_wrapping();
	test_strings();
	test_slices();
	test_sort();
	test_random();
	test_mending();
	return check_end();
}
