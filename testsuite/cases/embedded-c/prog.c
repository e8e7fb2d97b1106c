/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number and a text for embedded C to read and to write. */
int number = 5;
char text[8] = "before";

__attribute__((noinline)) void look(int *n, char *t)
{
	__asm__ volatile("" : : "r"(n), "r"(t) : "memory");
}

int main(void)
{
	look(&number, text);
	return number != 42 || text[0] != 'a';
}
