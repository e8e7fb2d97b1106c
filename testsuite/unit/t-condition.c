/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe conditions: the words follow the globals, under the locks of those who change them, and decide which hits run.
 */
#include "check.h"
#include "host-platform.h"

static sp_bool positive(struct sp_ctx *c)
{
	return *(sp_i64 *)c->globals > 0;
}

static sp_bool quotient(struct sp_ctx *c)
{
	return sp_div(c, 10, *(sp_i64 *)c->globals) > 4;
}

static const struct sp_global globals[] = { { .name = "a", .type = SP_LONG } };
static const struct sp_place places[] = { { "identifier 'a'", "t.stp", 1, 1 } };
static sp_bool (*const conditions[])(struct sp_ctx *c) = { positive, quotient };
const struct sp_script sp_script = {
	.nglobals = 1, .globals = globals, .globals_size = 8, .nplaces = 1, .places = places,
	.nconditions = 2, .conditions = conditions,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .maxskipped = 10, .maxerrors = 9, .maxtrylock = 1 },
};

static sp_i64 next;
static int runs;

static void set_a(struct sp_ctx *c)
{
	if (!sp_lock(c))
		return;
	c->wrote = 1;
	*(sp_i64 *)c->globals = next;
	sp_unlock(c);
}

static void set_and_fail(struct sp_ctx *c)
{
	if (!sp_lock(c))
		return;
	c->wrote = 1;
	*(sp_i64 *)c->globals = next;
	sp_error(c, "on purpose");
}

static void count(struct sp_ctx *c)
{
	(void)c;
	runs++;
}

static const struct sp_lock lock[] = { { 0, 1 } };
static const sp_u16 sets[] = { 0, 1 };
static const struct sp_probe
	setter = { .kind = SP_PROBE_SITE, .nlocks = 1, .locks = lock, .handler = set_a, .nsets = 2, .sets = sets },
	failing = { .kind = SP_PROBE_SITE, .nlocks = 1, .locks = lock, .handler = set_and_fail, .nsets = 2, .sets = sets },
	if_positive = { .kind = SP_PROBE_SITE, .handler = count, .condition = 1 },
	if_quotient = { .kind = SP_PROBE_SITE, .handler = count, .condition = 2 };

/* How many of the two probes run. */
static int both(const struct sp_probe *first, sp_i64 a)
{
	next = a;
	runs = 0;
	host_run(first);
	host_run(&if_positive);
	host_run(&if_quotient);
	return runs;
}

static void test_words(void)
{
	host_start();
	CHECK(sp_is_armed(host_session, &if_positive));		/* until somebody looks */
	sp_refresh_all(host_context());
	CHECK(!sp_is_armed(host_session, &if_positive));
	CHECK(sp_is_armed(host_session, &if_quotient));		/* 10 / 0: the handler is to tell */
	CHECK_NUM(both(&setter, -1), 0);			/* 10 / -1 is -10 */
	CHECK_NUM(both(&setter, 2), 2);				/* 5 */
	CHECK_NUM(both(&setter, 3), 1);				/* 3 */
	host_rearms = 0;
	CHECK_NUM(both(&setter, 4), 1);				/* 2: as before */
	CHECK_NUM(host_rearms, 0);
	CHECK_NUM(both(&setter, -5), 0);
	CHECK_NUM(host_rearms, 1);
	CHECK_NUM(host_session->errors, 0);
}

/* A handler that fails has changed the global all the same, and its error is its own. */
static void test_errors(void)
{
	host_start();
	sp_refresh_all(host_context());
	CHECK_NUM(both(&failing, 2), 2);
	CHECK_NUM(host_session->errors, 1);
	CHECK_NUM(both(&failing, 0), 1);
	CHECK_NUM(host_session->errors, 2);
}

static void test_death(void)
{
	struct sp_ctx *c;

	host_start();
	sp_refresh_all(host_context());
	c = host_context();
	c->probe = &setter;
	CHECK(sp_lock(c));
	sp_locks_recover(host_session, sp_plat_owner(c));
	CHECK(sp_is_armed(host_session, &if_positive));
}

int main(void)
{
	test_words();
	test_errors();
	test_death();
	return check_end();
}
