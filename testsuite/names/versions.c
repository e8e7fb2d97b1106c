/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library with a symbol in two versions. */
int old_f(int x);
int new_f(int x);

__asm__(".symver old_f, f@V1\n.symver new_f, f@@V2");

int old_f(int x)
{
	return x;
}

int new_f(int x)
{
	return -x;
}
