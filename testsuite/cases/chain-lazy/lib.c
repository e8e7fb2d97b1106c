/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first call comes to the dynamic linker, which asks a function of ours which one is meant. */
volatile int resolved;

static int doubled(int n)
{
	return 2 * n;
}

__attribute__((noinline)) int choose(void)
{
	return resolved = 1;
}

static int (*resolve(void))(int)
{
	return choose() ? doubled : 0;
}

int chosen(int n) __attribute__((ifunc("resolve")));
