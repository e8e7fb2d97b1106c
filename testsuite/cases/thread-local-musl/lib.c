/* SPDX-License-Identifier: GPL-2.0-or-later */
__thread long shown = 100;

__attribute__((noinline)) long use(int n)
{
	shown += n;
	__asm__ volatile("" ::: "memory");
	return shown;
}
