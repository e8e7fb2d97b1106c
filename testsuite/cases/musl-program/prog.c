/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

__attribute__((noinline)) int serve(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n * 3;
}

int main(void)
{
	return serve(4) == 12 ? 0 : 1;
}
