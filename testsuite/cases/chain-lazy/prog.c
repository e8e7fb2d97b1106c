/* SPDX-License-Identifier: GPL-2.0-or-later */
int chosen(int n);
volatile int out;

__attribute__((noinline)) int first_call(int n)
{
	return chosen(n) + 1;
}

int main(void)
{
	out = first_call(2);
	return out == 5 ? 0 : 1;
}
