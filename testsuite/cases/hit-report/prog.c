/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function with two return instructions, called five times, one that nobody calls, and one copied where it is called. */
#include <stdlib.h>

__attribute__((noinline)) int half(int n)
{
	if (n & 1)
		return -1;
	__asm__ volatile("" : : : "memory");
	return abs(n) / 2;
}

__attribute__((noinline)) int never(int n)
{
	return n + 1;
}

int main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
	for (int i = 0; i < 5; i++)
		sum += half(i);
	return argc > 9 ? never(sum) : 0;
}
