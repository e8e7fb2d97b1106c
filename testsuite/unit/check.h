/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of the unit tests: each prints `ok NAME' or `FAIL NAME: why', and main() ends with check_end().
 *
 * NAME is the text of the check with the line it stands on, so that every result has a name of its own.
 */
#ifndef SPILE_CHECK_H
#define SPILE_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_count, check_failures;

static inline void check_result(bool good, int line, const char *what, const char *why)
{
	check_count++;
	if (good) {
		printf("ok %d: %s\n", line, what);
		return;
	}
	check_failures++;
	printf("FAIL %d: %s: %s\n", line, what, why);
}

static inline void check_str(const char *got, const char *want, int line, const char *what)
{
	char why[16384];

	snprintf(why, sizeof(why), "got <%s>, want <%s>", got, want);
	for (char *p = why; *p; p++)
		if (*p == '\n')
			*p = '$';	/* a result is one line */
	check_result(!strcmp(got, want), line, what, why);
}

static inline void check_num(long long got, long long want, int line, const char *what)
{
	char why[80];

	snprintf(why, sizeof(why), "got %lld, want %lld", got, want);
	check_result(got == want, line, what, why);
}

static inline int check_end(void)
{
	if (!check_count)
		printf("FAIL nothing was checked\n");
	return check_failures || !check_count;
}

#define CHECK(condition) check_result((condition), __LINE__, #condition, "does not hold")
#define CHECK_STR(got, want) check_str((got), (want), __LINE__, #got)
#define CHECK_NUM(got, want) check_num((got), (want), __LINE__, #got)

#endif
