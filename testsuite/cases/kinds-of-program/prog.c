/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/sdt.h>

struct point { int x, y; const char *name; struct point *next; };

__attribute__((noinline)) long visit(const struct point *p, unsigned char small, long scale)
{
	long sum = 0;

	for (; p; p = p->next)
		sum += (p->x - p->y) * scale + small;
	STAP_PROBE2(shapes, visited, sum, small);
	return sum;
}

int main(void)
{
	struct point second = { 7, -3, "second", 0 };
	struct point first = { -1, 4, "first", &second };

	if (visit(&first, 200, 2) != 410)
		return 1;
	return visit(&second, 1, -1000000000000) != -9999999999999;
}
