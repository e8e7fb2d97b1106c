/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Deeper than the number of returns that a kernel can have pending for one task. */
__attribute__((noinline)) int sum(int n)
{
	return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
	return sum(1000) == 500500 ? 0 : 1;
}
