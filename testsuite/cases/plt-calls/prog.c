/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls into a library that calls on; none of them with debuginfo. */
#include <stdlib.h>
#include <unistd.h>

int outer(int x);

int main(void)
{
	int n = 0;

	for (int i = 1; i <= 3; i++)
		n += outer(i * 10);
	return n != 123 || getppid() < 0;
}
