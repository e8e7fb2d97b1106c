/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls back into whoever has loaded it, a stripped program, and is called back. */
__attribute__((noinline)) int probed(int n)
{
	return n + 1;
}

__attribute__((noinline)) int enter(int n, int (*back)(int (*)(int), int))
{
	return back(probed, n) + 1;
}
