/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No variable of it needs a location list, at any level of optimisation. */
int total = 5;

__attribute__((noinline)) int add(int n)
{
	total += n;
	return total;
}

int main(void)
{
	return add(3) == 8 && add(4) == 12 ? 0 : 1;
}
