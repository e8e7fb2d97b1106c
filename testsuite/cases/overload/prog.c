/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Five calls. */
__attribute__((noinline)) void step(int i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		step(i);
	return 0;
}
