/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/sdt.h>

__attribute__((noinline)) int late(int v)
{
	STAP_PROBE1(late, called, v);
	return v + 1;
}

/* Runs before dlopen() returns. */
__attribute__((constructor)) static void start(void)
{
	late(1);
}
