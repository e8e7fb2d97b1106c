/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts on pages that nobody has touched when the function is called with them. */
__attribute__((noinline)) void greet(const char *text)
{
	__asm__ volatile("" : : "r"(text));
}

#define PAGES 64

static const char texts[PAGES + 1][4096] __attribute__((aligned(4096))) = { [1 ... PAGES] = "untouched" };

int main(void)
{
	/* Downwards and in steps, so that no page comes in beside the one before. */
	for (int i = PAGES; i > 0; i--)
		greet(texts[i * 37 % PAGES + 1]);
	return 0;
}
