/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that have no frame: one inlined copy inside another. */
volatile int out;
__attribute__((noinline)) int probed(int n) { return out + n; }
static inline __attribute__((always_inline)) int innermost(int n)
{
	return probed(n) + 1;
}
static inline __attribute__((always_inline)) int between(int n)
{
	out = n;
	return innermost(n + 1) * 2;
}
__attribute__((noinline)) int outer(int n)
{
	int r = between(n);
	out = r;
	return r + 1;
}
int main(void)
{
	return outer(2) == 0;
}
