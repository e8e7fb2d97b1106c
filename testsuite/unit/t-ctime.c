/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dates, beside the C library's.
 */
#include <time.h>

#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = { .limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 512 } };

/* asctime() pads a year below 1000 with blanks: start behind it. */
static void test_range(void)
{
	char want[64];
	struct tm tm;
	int wrong = 0, days = 0;

	for (time_t t = -30000000000; t < 253402300800; t += 86400 * 13 + 3671, days++) {
		strftime(want, sizeof(want), "%a %b %e %H:%M:%S %Y", gmtime_r(&t, &tm));
		wrong += strcmp(host_text(sp_ctime(host_context(), t)), want) != 0;
	}
	CHECK(days > 200000);
	CHECK_NUM(wrong, 0);
}

int main(void)
{
	struct sp_ctx *c;

	host_start();
	c = host_context();
	CHECK_STR(host_text(sp_ctime(c, 0)), "Thu Jan  1 00:00:00 1970");
	CHECK_STR(host_text(sp_ctime(c, 951782400)), "Tue Feb 29 00:00:00 2000");
	CHECK_STR(host_text(sp_ctime(c, -1)), "Wed Dec 31 23:59:59 1969");
	CHECK_STR(host_text(sp_ctime(c, 253402300799)), "Fri Dec 31 23:59:59 9999");
	CHECK_STR(host_text(sp_ctime(c, -62167219200)), "Sat Jan  1 00:00:00 0000");
	CHECK(!c->error);
	test_range();
	c = host_context();
	sp_ctime(c, 253402300800);
	CHECK_STR(c->error, "Time too far in the future to be converted");
	c->error = NULL;
	sp_ctime(c, -62167219201);
	CHECK_STR(c->error, "Time too far in the past to be converted");
	return check_end();
}
