/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The four functions that a freestanding compiler may call.  The target's own may be under probe, or not there.
 */
#include "../spile.h"

void *memcpy(void *dst, const void *src, sp_size n);
void *memmove(void *dst, const void *src, sp_size n);
void *memset(void *dst, int byte, sp_size n);
int memcmp(const void *a, const void *b, sp_size n);

void *memcpy(void *dst, const void *src, sp_size n)
{
	void *d = dst;

	__asm__ volatile("rep movsb" : "+D"(d), "+S"(src), "+c"(n) : : "memory");
	return dst;
}

void *memmove(void *dst, const void *src, sp_size n)
{
	char *d = dst;
	const char *s = src;

	if (d <= s || d >= s + n)
		return memcpy(dst, src, n);
	while (n--) {
		d[n] = s[n];
		__asm__ volatile("" ::: "memory");
	}
	return dst;
}

void *memset(void *dst, int byte, sp_size n)
{
	void *d = dst;

	__asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(byte) : "memory");
	return dst;
}

int memcmp(const void *a, const void *b, sp_size n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x < *y ? -1 : 1;
	return 0;
}
