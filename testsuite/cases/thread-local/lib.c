/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built twice: once for the block that is there from the start, once for one that each thread gets at its first use. */
#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)

__thread long PASTE(NAME, shown) = 100;
static __thread int PASTE(NAME, own) = 200;

__attribute__((noinline)) int PASTE(NAME, use)(int n)
{
	PASTE(NAME, shown) += n;
	PASTE(NAME, own) -= n;
	__asm__ volatile("" ::: "memory");
	return PASTE(NAME, own);
}
