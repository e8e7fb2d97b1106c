/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

int inner(int x)
{
	return x + 1;
}

int outer(int x)
{
	return inner(x) + labs(-x);
}
