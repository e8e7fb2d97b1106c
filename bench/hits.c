/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hits N: calls an empty function N times and prints the nanoseconds that one call took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) void target(long i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000000;
	double best = 1e30;

	for (int round = 0; round < 7; round++) {
		double begun = now();
		for (long i = 0; i < n; i++)
			target(i);
		double each = (now() - begun) / n;
		best = each < best ? each : best;
	}
	printf("%.2f\n", best);
	return 0;
}
