/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function that exists only inlined among others: a pattern with .call passes it over, and says nothing of it. */
static inline __attribute__((always_inline)) int square(int n)
{
	int r = n * n;

	__asm__ volatile("" : "+r"(r));
	return r;
}

__attribute__((noinline)) int outer(int n)
{
	return square(n) + 1;
}

int main(void)
{
	return outer(3) != 10;
}
