/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted by several at once without a lock: counters' cells, and arrays that are only added to.  Threads that race
 * for the same new keys, a full array, elements given back, and processes killed at any instruction amid it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host-platform.h"

enum { THREADS = 4, ROUNDS = 20000, KEYS = 500, KILLS = 200 };
enum { COUNTED, STATS, SMALL, GLOBALS };
static const struct sp_global globals[GLOBALS] = {
	[COUNTED] = { .name = "a", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 2 * KEYS, .counted = 1 },
	[STATS] = { .name = "s", .is_map = 1, .type = SP_STATS, .nkeys = 2, .keys = { SP_LONG, SP_STRING }, .capacity = KEYS,
		    .counted = 1, .stats = SP_STAT_MINMAX },
	[SMALL] = { .name = "b", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 3, .counted = 1 },
};
const struct sp_script sp_script = {
	.nglobals = GLOBALS, .globals = globals, .ncells = 9,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 16 },
};

static void count_once(struct sp_ctx *c)
{
	sp_counter_add(c, 8, 3);
}
static const struct sp_probe counting = { .kind = SP_PROBE_SITE, .handler = count_once };

#define KEY(n_) (&(union sp_val){ .n = (n_) })

/* Each thread counts every key, in an order of its own. */
static void *count(void *arg)
{
	sp_u32 owner = (sp_u32)(size_t)arg;
	struct sp_ctx *c;

	host_be_owner(owner);
	c = host_context();
	for (int i = 0; i < ROUNDS; i++) {
		int key = i * (owner == 1 ? 1 : owner == 2 ? KEYS - 1 : 7) % KEYS;

		host_run(&counting);
		c = host_context();
		sp_map_count(c, COUNTED, KEY(key), 2);
		sp_map_stat_add(c, STATS, (union sp_val[]){ { .n = key & 7 }, { .s = SP_STR("k") } }, owner);
	}
	return c->error ? (void *)c->error : NULL;
}

/* Elements listed, or -1 where the list, the chains and the values disagree; *sum: of all values. */
static int listed(struct sp_ctx *c, sp_u32 global, int most, sp_i64 *sum)
{
	struct sp_iter it = { .any = ~0u };
	bool seen[KEYS] = { false };
	int n = 0;

	*sum = 0;
	sp_iter_start(c, &it, global, SP_SORT_NONE, SP_COUNT, -1);
	while (sp_iter_next(c, &it)) {
		sp_i64 key = sp_iter_key_long(c, &it, 0);

		if (key < 0 || key >= KEYS || seen[key] || ++n > most)
			return -1;
		seen[key] = true;
		*sum += sp_iter_value_long(c, &it);
	}
	for (int k = 0; k < KEYS; k++)
		if (sp_map_has(c, global, KEY(k)) != seen[k])
			return -1;
	return n;
}

static void check_threads(void)
{
	pthread_t thread[THREADS];
	struct sp_ctx *c;
	sp_i64 variable = 5, sum;
	int errors = 0;

	host_start();
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, count, (void *)(i * 100 + 1));	/* owners far apart: all are looked at */
	for (int i = 0; i < THREADS; i++) {
		void *error;

		pthread_join(thread[i], &error);
		errors += error != NULL;
	}
	host_be_owner(1);
	c = host_context();
	CHECK_NUM(errors, 0);
	CHECK_NUM(sp_counter(c, 8), 3 * THREADS * ROUNDS);
	CHECK_NUM(sp_counter(c, 0), 0);
	sp_counter_set(c, 8, &variable, 77);
	CHECK_NUM(sp_counter(c, 8), 0);
	CHECK_NUM(variable, 77);
	CHECK_NUM(listed(c, COUNTED, KEYS, &sum), KEYS);
	CHECK_NUM(sum, 2 * THREADS * ROUNDS);
	sum = 0;
	for (int k = 0; k < 8; k++)
		sum += sp_map_stat_get(c, STATS, (union sp_val[]){ { .n = k }, { .s = SP_STR("k") } }, SP_SUM);
	CHECK_NUM(sum, ROUNDS * (1 + 101 + 201 + 301));
	CHECK_NUM(sp_map_stat_get(c, STATS, (union sp_val[]){ { .n = 3 }, { .s = SP_STR("k") } }, SP_MAX), 301);
}

static void check_full(void)
{
	struct sp_ctx *c;
	sp_i64 sum;

	host_start();
	c = host_context();
	for (int k = 1; k <= 3; k++)
		sp_map_count(c, SMALL, KEY(k), k);
	CHECK(!c->error);
	sp_map_count(c, SMALL, KEY(4), 1);
	CHECK_STR(c->error ? c->error : "", "Array overflow, check size limit (3)");
	c->error = NULL;
	sp_map_count(c, SMALL, KEY(3), 1);
	CHECK(!c->error);
	sp_map_delete(c, SMALL, KEY(2));
	CHECK_NUM(listed(c, SMALL, 3, &sum), 2);
	CHECK_NUM(sum, 1 + 4);
	sp_map_count(c, SMALL, KEY(7), 10);	/* in the place given back */
	CHECK_NUM(listed(c, SMALL, 3, &sum), 3);
	CHECK_NUM(sum, 1 + 4 + 10);
	sp_map_clear(c, SMALL);
	CHECK_NUM(listed(c, SMALL, 3, &sum), 0);
	for (int k = 1; k <= 3; k++)
		sp_map_count(c, SMALL, KEY(k), 1);
	sp_map_set_long(c, SMALL, KEY(2), 50);	/* an exclusive change straight after */
	CHECK_NUM(listed(c, SMALL, 3, &sum), 3);
	CHECK_NUM(sum, 52);
	CHECK(!c->error);
}

static void count_for_ever(sp_u32 owner)
{
	host_be_owner(owner);
	srand(owner);
	for (;;) {
		struct sp_ctx *c = host_context();

		sp_map_count(c, COUNTED, KEY(rand() % KEYS), 1);
		/* others must be able to insert for as long as this goes on */
		if (rand() % 4000 == 0)
			_exit(0);
	}
}

/* Two count at once, both are killed; then the array is whole, and what was deleted has room again. */
static void check_kills(void)
{
	int broken = 0, errors = 0;
	sp_i64 sum;

	host_start_shared();
	for (int i = 0; i < KILLS; i++) {
		pid_t child[2];
		struct sp_ctx *c;

		for (int k = 0; k < 2; k++) {
			child[k] = fork();
			if (!child[k])
				count_for_ever(2 + 2 * i + k);
		}
		usleep(300 + rand() % 700);
		for (int k = 0; k < 2; k++) {
			kill(child[k], SIGKILL);
			waitpid(child[k], NULL, 0);
			sp_locks_recover(host_session, 2 + 2 * i + k);
		}
		host_be_owner(1);
		c = host_context();
		broken += listed(c, COUNTED, KEYS, &sum) < 0;
		if (i % 3 == 0)
			sp_map_clear(c, COUNTED);
		for (int k = 0; k < KEYS; k++)
			sp_map_count(c, COUNTED, KEY(k), 1);
		errors += c->error != NULL;
		broken += listed(c, COUNTED, KEYS, &sum) != KEYS;
		if (i % 2)
			sp_map_clear(c, COUNTED);
	}
	CHECK_NUM(broken, 0);
	CHECK_NUM(errors, 0);
}

int main(void)
{
	check_threads();
	check_full();
	check_kills();
	return check_end();
}
