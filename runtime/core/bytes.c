/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of bytes: what others take from libc's mem* and str*.
 *
 * In the user back end those functions may themselves be under probe, so the loops here must stay loops: the
 * barrier keeps a compiler from recognising memcpy() or memset() in them and calling it.
 */
#include "core.h"

struct word { sp_u64 v; } __attribute__((packed, may_alias));

void sp_copy(void *dst, const void *src, sp_size n)
{
	char *d = dst;
	const char *s = src;

	for (; n >= 8; n -= 8, d += 8, s += 8) {
		((struct word *)d)->v = ((const struct word *)s)->v;
		sp_barrier();
	}
	for (; n; n--) {
		*d++ = *s++;
		sp_barrier();
	}
}

void sp_zero(void *dst, sp_size n)
{
	char *d = dst;

	for (; n >= 8; n -= 8, d += 8) {
		((struct word *)d)->v = 0;
		sp_barrier();
	}
	for (; n; n--) {
		*d++ = 0;
		sp_barrier();
	}
}

int sp_compare(const void *a, const void *b, sp_size n)
{
	const unsigned char *x = a, *y = b;

	for (; n >= 8 && ((const struct word *)x)->v == ((const struct word *)y)->v; n -= 8) {
		x += 8;
		y += 8;
	}
	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x < *y ? -1 : 1;
	return 0;
}

sp_size sp_find_byte(const void *p, int byte, sp_size n)
{
	const unsigned char *s = p;
	sp_size i;

	for (i = 0; i < n; i++)
		if (s[i] == (unsigned char)byte)
			return i;
	return n;
}

sp_size sp_text_len(const char *text)
{
	sp_size n = 0;

	while (text[n]) {
		n++;
		sp_barrier();
	}
	return n;
}
