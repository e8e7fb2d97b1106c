/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One hit from beginning to end: actions, nesting, errors, exit, staged output, absent pages.
 */
#include "check.h"
#include "host-platform.h"

static const struct sp_place places[] = {
	{ "identifier 'x'", "t.stp", 1, 17 },
	{ "operator '/'", "t.stp", 2, 5 },
};
static const struct sp_global globals[] = { { .name = "g", .type = SP_LONG } };
const struct sp_script sp_script = {
	.abi = SP_ABI, .nglobals = 1, .globals = globals, .nplaces = 2, .places = places, .globals_size = 8,
	.limits = { .maxaction = 10, .maxnesting = 3, .maxstringlen = 512, .maxmapentries = 8, .maxerrors = 1,
		    .maxskipped = 2, .maxtrylock = 2, .trylockdelay_us = 1, .histwidth = 50, .histelision = 2 },
};
static const struct sp_lock write_lock[] = { { 0, 1 } };
static int runs;

static void hello(struct sp_ctx *c)
{
	SP_STMT(c, 0, 1);
	sp_print_str(c, SP_STR("hello "));
	sp_print_long(c, -5);
	sp_print_char(c, '\n');
out:
	return;
}

static void too_long(struct sp_ctx *c)
{
	for (;;) {
		SP_STMT(c, 0, 1);
		runs++;
	}
out:
	CHECK(!sp_catchable(c));
}

static void divide(struct sp_ctx *c)
{
	SP_STMT(c, 1, 1);
	sp_print_str(c, SP_STR("before "));
	sp_div(c, 7, 0);
	SP_CHECK(c);
	sp_print_str(c, SP_STR("after "));
out:
	return;
}

static void caught(struct sp_ctx *c)
{
	sp_error_str(c, SP_STR("mine"));
	CHECK(sp_catchable(c));
	CHECK_STR(host_text(sp_catch(c)), "mine");
	CHECK(!c->error);
	sp_abort(c);
	CHECK(!sp_catchable(c));
	sp_print_str(c, SP_STR("said before"));
}

static void nest(struct sp_ctx *c)
{
	CHECK(sp_enter(c) && sp_enter(c) && sp_enter(c));
	CHECK(!sp_enter(c));
	CHECK_STR(c->error, "MAXNESTING exceeded");
	CHECK_NUM(c->nesting, 3);
	c->error = NULL;
}

/* Reads two absent pages under a lock: the handler must run three times and print once. */
static void read_absent(struct sp_ctx *c)
{
	sp_u64 v;

	runs++;
	if (!sp_lock(c))
		return;
	sp_print_str(c, SP_STR("v="));
	v = sp_load(c, HOST_BASE + 4096, 4);
	SP_CHECK(c);
	v += sp_load(c, HOST_BASE + 3 * 4096 - 2, 4);	/* across the border of two pages */
	SP_CHECK(c);
	sp_print_long(c, v);
out:
	sp_unlock(c);
}

static void read_after_write(struct sp_ctx *c)
{
	runs++;
	if (!sp_lock(c))
		return;
	c->wrote = 1;
	CHECK_NUM(sp_load(c, HOST_BASE + 4096, 4), 0x01010101);
	CHECK(!c->error);
	sp_load(c, 0x10, 8);
	CHECK(sp_catchable(c));
	CHECK_STR(host_text(sp_catch(c)), "read fault [man error::fault] at 0x10");
	sp_unlock(c);
}

static void read_bad(struct sp_ctx *c)
{
	sp_u64 v;

	runs++;
	if (!sp_lock(c))
		return;
	sp_load(c, 0x10, 8);
	if (!sp_catchable(c))
		goto out;
	CHECK_STR(host_text(sp_catch(c)), "read fault [man error::fault] at 0x10");
	CHECK(!sp_try_load(c, 0x20, 8, &v) && !c->error);
	v = sp_load(c, HOST_BASE + 4096, 1);
	SP_CHECK(c);
	sp_print_long(c, v);
out:
	sp_unlock(c);
}

static void long_output(struct sp_ctx *c)
{
	for (int i = 0; i < 1000; i++)
		sp_print_str(c, SP_STR("0123456789"));
	CHECK(c->wrote);
}

static void summary_line(void *data, const char *text)
{
	strcat(strcat(data, text), "\n");
}

static void run(void (*handler)(struct sp_ctx *), enum sp_probe_kind kind, unsigned nlocks)
{
	struct sp_probe probe = { .kind = kind, .handler = handler, .nlocks = nlocks, .locks = write_lock, .point = "unit" };

	runs = 0;
	host_clear();
	host_run(&probe);
}

static void test_errors(void)
{
	char lines[1000] = "";

	host_start();
	run(hello, SP_PROBE_SITE, 0);
	CHECK_STR(host_out, "hello -5\n");
	run(hello, SP_PROBE_BEGIN, 0);
	CHECK_STR(host_out, "");
	run(too_long, SP_PROBE_SITE, 0);
	CHECK_NUM(runs, 10);
	CHECK_STR(host_err, "MAXACTION exceeded near identifier 'x' at t.stp:1:17 in probe unit "
			    "(limit 10, see -D MAXACTION_INTERRUPTIBLE=20)\n");
	CHECK_NUM(host_session->state, SP_RUNNING);
	run(divide, SP_PROBE_SITE, 0);
	CHECK_STR(host_out, "before ");
	CHECK_STR(host_err, "division by 0 near operator '/' at t.stp:2:5 in probe unit\n");
	CHECK_NUM(host_session->state, SP_ERROR);
	CHECK_NUM(host_session->exit_status, 1);
	CHECK_NUM(host_states, 1);
	run(hello, SP_PROBE_SITE, 0);
	CHECK_STR(host_out, "");
	run(hello, SP_PROBE_ERROR, 0);
	CHECK_STR(host_out, "hello -5\n");
	sp_summary(host_session, summary_line, lines);
	CHECK_STR(lines, "Number of errors: 2, skipped probes: 0\n");
}

static void test_exit(void)
{
	host_start();
	run(nest, SP_PROBE_SITE, 0);
	CHECK_NUM(host_session->errors, 0);
	run(caught, SP_PROBE_SITE, 0);
	CHECK_STR(host_out, "said before");
	CHECK_STR(host_err, "");
	CHECK_NUM(host_exits, 1);
	CHECK_NUM(host_session->state, SP_STOPPING);
	CHECK_NUM(host_session->exit_status, 0);
	run(hello, SP_PROBE_END, 0);
	CHECK_STR(host_out, "hello -5\n");
	sp_exit(host_context());
	CHECK_NUM(host_exits, 0);
}

static void test_pages(void)
{
	host_start();
	memset(host_memory, 1, sizeof(host_memory));
	host_pages[1] = host_pages[2] = HOST_ABSENT;
	run(read_absent, SP_PROBE_SITE, 1);
	CHECK_STR(host_out, "v=33686018");		/* 2 * 0x01010101 */
	CHECK_NUM(runs, 3);
	CHECK_NUM(host_reads, 2);
	host_pages[1] = HOST_ABSENT;
	run(read_absent, SP_PROBE_SITE, 0);		/* no lock: read on the spot */
	CHECK_STR(host_out, "v=33686018");
	CHECK_NUM(runs, 1);
	host_pages[1] = HOST_ABSENT;
	run(read_after_write, SP_PROBE_SITE, 1);
	CHECK_NUM(runs, 1);
	CHECK_STR(host_err, "");
	host_pages[1] = HOST_ABSENT;
	run(read_bad, SP_PROBE_SITE, 1);
	CHECK_STR(host_out, "1");
	CHECK_NUM(runs, 3);				/* bad page, absent page, through */
	host_pages[1] = HOST_BAD;
	run(read_absent, SP_PROBE_SITE, 1);
	CHECK_STR(host_err, "read fault [man error::fault] at 0x11000 near identifier 'x' at t.stp:1:17 in probe unit\n");
	CHECK_STR(host_out, "v=");
	CHECK_NUM(runs, 2);
	host_pages[1] = HOST_PRESENT;
}

static void test_output(void)
{
	host_start();
	run(long_output, SP_PROBE_SITE, 0);
	CHECK_NUM(strlen(host_out), 10000);
	CHECK(!strncmp(host_out + 4090, "01234567890123456789", 20));
}

static void test_skips(void)
{
	char lines[1000] = "";
	struct sp_ctx *c;

	host_start();
	c = host_context();
	host_session->globals[0].writer = 999;
	run(read_absent, SP_PROBE_SITE, 1);
	run(read_absent, SP_PROBE_SITE, 1);
	CHECK_STR(host_err, "");
	sp_count_skip(host_session, c, SP_SKIP_REENTRY);
	CHECK_STR(host_err, "Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details. "
			    "(limit 2, see -D MAXSKIPPED=4)\n");
	CHECK_NUM(host_session->state, SP_ERROR);
	sp_summary(host_session, summary_line, lines);
	CHECK_STR(lines, "Number of errors: 0, skipped probes: 3\n"
			 "Skipped due to reentrancy: 1\n"
			 "Skipped due to global 'g' lock timeout: 2\n"
			 "'g' lock contention occurred 2 times\n");
	lines[0] = 0;
	host_start();
	sp_summary(host_session, summary_line, lines);
	CHECK_STR(lines, "");
}

static void test_arithmetic(void)
{
	struct sp_ctx *c = host_context();
	sp_i64 least = -0x7fffffffffffffffll - 1;

	CHECK_NUM(sp_div(c, -7, 2), -3);
	CHECK_NUM(sp_mod(c, -7, 2), -1);
	CHECK_NUM(sp_div(c, least, -1), least);
	CHECK_NUM(sp_mod(c, least, -1), 0);
	CHECK(!c->error);
	sp_mod(c, 1, 0);
	CHECK_STR(c->error, "division by 0");
}

int main(void)
{
	test_errors();
	test_exit();
	test_pages();
	test_output();
	test_skips();
	test_arithmetic();
	return check_end();
}
