/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two functions whose parameters of the same names lie in different registers, and have different types. */
struct pair { int a, b; };

__attribute__((noinline)) int first(int x, struct pair *p)
{
	return x + p->a;
}

__attribute__((noinline)) int second(struct pair *p, long x)
{
	return (int)x + p->b;
}

int main(void)
{
	struct pair pair = { 4, 5 };

	return first(1, &pair) + second(&pair, 20) != 30;
}
