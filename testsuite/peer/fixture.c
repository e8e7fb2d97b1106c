/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that the process() probes of this folder are for: it is looked at, never run.  Lines count: names come first. */
#include <stdio.h>
#include <string.h>

struct shape { int width, height; const char *label; struct shape *inner; };
enum colour { RED, GREEN = 5 };

static volatile int sink;
int global_count = 3;

__attribute__((noinline)) static int area(struct shape *s, int scale)
{
	int result = s->width * s->height * scale;

	if (result > 100)
		sink++;
	return result;
}

__attribute__((noinline)) int paint(struct shape *s, enum colour c, const char *text)
{
	char line[32];
	int n = 0;

	for (const char *p = text; *p && n < 31; p++)
		line[n++] = *p;
	line[n] = 0;
	printf("%s %s %d\n", s->label, line, c);
	return n + global_count;
}

static inline __attribute__((always_inline)) int twice(int x)
{
	sink += x;
	return x * 2;
}

int main(int argc, char **argv)
{
	struct shape in = { argc, 2, "in", NULL }, out = { 3, 4, "out", &in };
	int sum = area(&in, 2) + area(&out, twice(argc));

	sum += paint(&out, GREEN, argv[0]);
	return twice(sum) > 1000 || strlen(argv[0]) > 4000;
}
