/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linked with --gc-sections: the note of a function that is left out stays, but there is no such mark. */
#include <sys/sdt.h>

void never_called(int x)
{
	STAP_PROBE1(gc, unused, x);
}

__attribute__((noinline)) int called(int x)
{
	STAP_PROBE1(gc, used, x);
	return x;
}

int main(void)
{
	return called(0);
}
