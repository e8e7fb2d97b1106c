/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiled for AArch64 where clang is there; nothing runs. */
#include <sys/sdt.h>

long f(long a, int b, signed char c)
{
	STAP_PROBE4(arm, regs, a, b, c, 9);
	return a;
}
