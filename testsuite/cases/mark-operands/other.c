/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/sdt.h>

static volatile int level = -22;
static __thread char before[40] = "x";
__thread int mine = 33;
static int numbers[4] = { 1, 2, 3, 4 };

__attribute__((noinline)) void other(int x)
{
	numbers[x] += before[0] == 'x';
	DTRACE_PROBE1(ops, second, level);
	DTRACE_PROBE1(ops, thread, mine);
	DTRACE_PROBE2(ops, place, numbers[x], numbers[2]);
}
