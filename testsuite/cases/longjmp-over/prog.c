/* SPDX-License-Identifier: GPL-2.0-or-later */
/* longjmp leaves probed frames, again and again at the same depth. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top;

__attribute__((noinline)) int descend(int depth)
{
	if (depth == 0)
		longjmp(top, 1);
	return descend(depth - 1) + depth;
}

__attribute__((noinline)) int twice(int v)
{
	return v * 2;
}

int main(void)
{
	volatile int round = 0, sum = 0;

	if (setjmp(top))
		sum += twice(round);
	if (round++ < 4)
		descend(3);
	printf("sum %d\n", sum);
	return 0;
}
