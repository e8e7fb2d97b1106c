/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of the literal has not been touched when the function is called. */
__attribute__((noinline)) void greet(const char *text)
{
	__asm__ volatile("" : : "r"(text));
}

/* Far from anything that starting up reads. */
static const char far_away[3 * 4096] __attribute__((aligned(4096))) = { [8191] = 'x' };
static const char literal[] __attribute__((aligned(4096))) = "a literal whose page nobody has read";

int main(void)
{
	greet(literal);
	return far_away[8191] == 'x' ? 0 : 1;
}
