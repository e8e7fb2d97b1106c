/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a frame is set up, where it stands, where it is taken down; and more calls than MAXBACKTRACE. */
volatile int out;

__attribute__((noinline)) static int leaf(int n)
{
	char room[200];

	for (int i = 0; i < 200; i++)
		room[i] = (char)(n + i);
	out = room[n];
in_body:
	out += n;
	return out + room[n + 1];
}

__attribute__((noinline)) int middle(int n)
{
	return leaf(n + 1) + 1;
}

__attribute__((noinline)) int bottom(int n)
{
	return n + (out & 0);
}

__attribute__((noinline)) int down(int n)
{
	return n ? down(n - 1) + out : bottom(n);
}

int main(void)
{
	middle(3);
	down(20);
	return 0;
}
