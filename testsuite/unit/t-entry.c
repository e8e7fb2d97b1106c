/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values kept from function entries.
 */
#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = { .entry_slots = 2, .limits = { .maxstringlen = 64 } };

static void test_keys(void)
{
	struct sp_ctx *c = host_context();

	sp_entry_put(c, 0, 0x7000, 1);
	sp_entry_put(c, 1, 0x7000, 2);
	sp_entry_put(c, 0, 0x6ff0, 3);
	host_thread_key = 78;
	sp_entry_put(c, 0, 0x7000, 4);
	host_thread_key = 77;
	CHECK_NUM(sp_entry_get(c, 0, 0x7000), 1);
	CHECK_NUM(sp_entry_get(c, 1, 0x7000), 2);
	CHECK_NUM(sp_entry_get(c, 0, 0x6ff0), 3);
	sp_entry_put(c, 0, 0x7000, 5);		/* the invocation before was left without an exit */
	CHECK_NUM(sp_entry_get(c, 0, 0x7000), 5);
	CHECK_NUM(host_session->losses[SP_LOST_ENTRY], 0);
	sp_entry_put(c, 2, 0x7000, 9);
	CHECK(!sp_entry_take(c, 2, 0x7000, 8));		/* another value is kept there */
	CHECK(!sp_entry_take(c, 2, 0x7010, 9));
	CHECK(sp_entry_take(c, 2, 0x7000, 9));
	CHECK(!sp_entry_take(c, 2, 0x7000, 9));		/* taken once */
	CHECK_NUM(sp_entry_get(c, 0, 0x1234), 0);
	CHECK_NUM(host_session->losses[SP_LOST_ENTRY], 1);
	host_thread_key = 78;
	CHECK_NUM(sp_entry_get(c, 0, 0x7000), 4);
	host_thread_key = 77;
}

/* More than the table holds: the newest are there, the oldest are gone and counted. */
static void test_full(void)
{
	struct sp_ctx *c = host_context();
	int found = 0, i, n = 3 * host_session->entries;

	for (i = 0; i < n; i++)
		sp_entry_put(c, 0, 0x100000 - 16 * i, i);
	host_session->losses[SP_LOST_ENTRY] = 0;
	for (i = n - 300; i < n; i++)
		found += sp_entry_get(c, 0, 0x100000 - 16 * i) == i;
	CHECK_NUM(found, 300);
	CHECK_NUM(sp_entry_get(c, 0, 0x100000), 0);
	CHECK_NUM(host_session->losses[SP_LOST_ENTRY], 1);
}

int main(void)
{
	host_start();
	CHECK_NUM(host_session->entries, 2048);
	test_keys();
	test_full();
	return check_end();
}
