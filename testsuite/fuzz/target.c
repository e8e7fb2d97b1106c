/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fuzzed scripts may probe: a little of everything, so that every kind of point and value can be named. */
#include <stdio.h>
#include <sys/sdt.h>

enum colour { RED, GREEN = 5 };
struct point { int x, y; const char *name; struct point *next; enum colour colour; unsigned bits : 3; double weight; };

int counter;
static struct point origin = { 1, 2, "origin", &origin, GREEN, 3, 0.5 };

static inline __attribute__((always_inline)) int twice(int n)
{
	DTRACE_PROBE2(target, twice, n, origin.name);
	return 2 * n + counter;
}

__attribute__((noinline)) struct point *area(struct point *p, long scale, const char *label)
{
	int values[4] = { 1, 2, 3, 4 }, product = twice(p->x) * values[scale & 3];

	counter += product;
	DTRACE_PROBE1(target, area__done, product);
	return label[0] ? p->next : p;
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("%d\n", area(&origin, i, "label")->y);
	return 0;
}
