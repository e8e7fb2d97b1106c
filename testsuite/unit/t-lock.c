/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks under threads, and what is left of them when their owner dies.
 */
#include <pthread.h>

#include "check.h"
#include "host-platform.h"

#define THREADS 4
#define ROUNDS 20000

static const struct sp_global globals[] = {
	{ .name = "a", .type = SP_LONG }, { .name = "b", .type = SP_LONG, .offset = 8 },
};
const struct sp_script sp_script = {
	.nglobals = 2, .globals = globals, .globals_size = 16,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .maxskipped = 1000000000,
		    .maxtrylock = 1000, .trylockdelay_us = 100 },
};
static const struct sp_lock both[] = { { 0, 1 }, { 1, 1 } }, readers[] = { { 0, 0 }, { 1, 0 } };
static const struct sp_probe write_probe = { .kind = SP_PROBE_SITE, .nlocks = 2, .locks = both };
static const struct sp_probe read_probe = { .kind = SP_PROBE_SITE, .nlocks = 2, .locks = readers };
static long done, torn;

/* Writers keep a == b; with plain additions, only the lock makes the sums come out. */
static void *writer(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct sp_ctx *c = host_context();
		sp_i64 *g = c->globals;

		c->probe = &write_probe;
		if (!sp_lock(c))
			continue;
		g[0]++;
		g[1]++;
		done++;
		sp_unlock(c);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct sp_ctx *c = host_context();
		volatile sp_i64 *g = c->globals;

		c->probe = &read_probe;
		if (!sp_lock(c))
			continue;
		if (g[0] != g[1])
			__atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
		sp_unlock(c);
	}
	return unused;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	sp_i64 *g = sp_at(host_session, host_session->globals_off);

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, i & 1 ? reader : writer, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(done > 0);
	CHECK_NUM(g[0], done);
	CHECK_NUM(g[1], done);
	CHECK_NUM(torn, 0);
	CHECK_NUM(done + host_session->globals[0].timeouts + host_session->globals[1].timeouts <= 4 * ROUNDS, 1);
	CHECK_NUM(host_session->globals[0].writer, 0);
}

struct other {
	const struct sp_probe *probe;
	sp_bool unlock;
	sp_bool got;
	sp_u32 owner;
};

static void *lock_once(void *data)
{
	struct other *o = data;
	struct sp_ctx *c = host_context();

	c->probe = o->probe;
	o->owner = sp_plat_owner(c);
	o->got = sp_lock(c);
	if (o->got && o->unlock)
		sp_unlock(c);
	return NULL;
}

/* Another thread, which is another owner, takes the locks of @probe. */
static struct other in_thread(const struct sp_probe *probe, sp_bool unlock)
{
	struct other o = { probe, unlock, 0, 0 };
	pthread_t thread;

	pthread_create(&thread, NULL, lock_once, &o);
	pthread_join(thread, NULL);
	return o;
}

static void test_sharing(void)
{
	struct sp_ctx *c = host_context();

	c->probe = &read_probe;
	CHECK(sp_lock(c) && c->locked);
	CHECK(in_thread(&read_probe, 1).got);
	CHECK(!in_thread(&write_probe, 1).got);
	sp_unlock(c);
	sp_unlock(c);
	CHECK(!c->locked);
	CHECK(in_thread(&write_probe, 1).got);
	CHECK_NUM(host_session->skips[SP_SKIP_LOCK], 1);
	CHECK_NUM(host_session->globals[0].timeouts, 1);
	CHECK_NUM(host_session->globals[1].timeouts, 0);
}

/* A hit in a signal handler amid the one that has the lock: waiting would be for ever, so it does not begin. */
static void test_own_thread(void)
{
	struct other outer = in_thread(&write_probe, 0), reading;

	host_self = outer.owner;
	CHECK(!in_thread(&read_probe, 1).got);
	CHECK_NUM(host_session->globals[0].timeouts, 1);
	sp_locks_recover(host_session, outer.owner);
	reading = in_thread(&read_probe, 0);
	host_self = reading.owner;
	CHECK(in_thread(&read_probe, 1).got);
	CHECK(!in_thread(&write_probe, 1).got);
	CHECK_NUM(host_session->globals[0].timeouts, 2);
	host_self = 0;
}

static void test_recovery(void)
{
	struct other dead = in_thread(&read_probe, 0), dead_writer;

	CHECK(dead.got);
	CHECK(in_thread(&read_probe, 1).got);
	CHECK(!in_thread(&write_probe, 1).got);
	sp_locks_recover(host_session, dead.owner);
	CHECK(in_thread(&write_probe, 1).got);
	dead_writer = in_thread(&write_probe, 0);
	CHECK(dead_writer.got);
	CHECK(!in_thread(&read_probe, 1).got);
	sp_locks_recover(host_session, dead.owner);
	CHECK(!in_thread(&read_probe, 1).got);
	sp_locks_recover(host_session, dead_writer.owner);
	CHECK(in_thread(&read_probe, 1).got);
}

static const struct sp_lock second[] = { { 1, 0 } };
static const struct sp_probe second_probe = { .kind = SP_PROBE_SITE, .nlocks = 1, .locks = second };
static struct other reading;
static sp_u32 kept_by, first_held_by;
static bool reader_came_in;
static unsigned sleeps;

/* Amid a writer's wait for a lock that is read: a further reader comes, then the one that reads ends. */
static bool look_at_wait(void)
{
	if (sleeps++)
		return true;
	first_held_by = host_session->globals[0].writer;
	kept_by = host_session->globals[1].writer;
	reader_came_in = in_thread(&second_probe, 1).got;
	sp_locks_recover(host_session, reading.owner);
	return true;
}

static void test_waiting(void)
{
	struct other writing;

	reading = in_thread(&second_probe, 0);
	host_on_sleep = look_at_wait;
	writing = in_thread(&write_probe, 0);
	CHECK(writing.got);
	CHECK(!reader_came_in);
	CHECK_NUM(kept_by, writing.owner);
	CHECK_NUM(first_held_by, 0);
	CHECK_NUM(host_session->globals[0].writer, writing.owner);
	CHECK_NUM(host_session->globals[0].contended, 0);
	sp_locks_recover(host_session, writing.owner);
	/* In vain: 20 tries without sleep, then 980 with, from 20 us, each length twice up to 1280 us, then 2000 us each. */
	reading = in_thread(&second_probe, 0);
	host_slept_us = 0;
	CHECK(!in_thread(&write_probe, 1).got);
	CHECK_NUM(host_slept_us, 2 * (20 + 40 + 80 + 160 + 320 + 640 + 1280) + 966 * 2000);
	CHECK_NUM(host_session->globals[0].writer, 0);
	CHECK_NUM(host_session->globals[1].writer, 0);
	CHECK(in_thread(&second_probe, 1).got);
	host_on_sleep = NULL;
}

int main(void)
{
	host_start();
	test_waiting();
	host_start();
	test_threads();
	host_start();
	test_sharing();
	host_start();
	test_own_thread();
	host_start();
	test_recovery();
	return check_end();
}
