/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many ways to one function, for chains.exp: what gdb says of each is what we must say. */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

volatile int out;
static sigjmp_buf back;

__attribute__((noinline)) int probed(int n)
{
	return out + n;
}

static inline __attribute__((always_inline)) int copied(int n)
{
	out = n;
	return probed(n) * 2;
}

static inline __attribute__((always_inline)) int copied_twice(int n)
{
	return copied(n + 1) + copied(n + 2);
}

__attribute__((noinline)) int holds_copies(int n)
{
	int r = copied_twice(n);

	out = r;
	return r + 1;
}

__attribute__((noinline)) int recursive(int n)
{
	if (!n)
		return probed(n) + 1;
	return recursive(n - 1) + recursive(n / 3 - 1 > 0 ? n / 3 - 1 : 0) + out;
}

__attribute__((noinline)) int moves_stack(int n)
{
	volatile char *room = alloca((size_t)n * 16 + 1);

	room[n] = (char)n;
	return probed(room[n]) + room[n];
}

__attribute__((noinline)) double many_registers(const double *d, long a, long b, long c, long e, long f, long g)
{
	long x = a * b, y = c * e, z = f * g;
	double s = d[0] * d[1];

	out = probed((int)(x + y));
	s += (double)probed((int)(y + z)) * d[2];
	return s + (double)(x * y * z);
}

static int order(const void *a, const void *b)
{
	return probed(*(const int *)a) - probed(*(const int *)b);
}

__attribute__((noinline)) static void handler(int signal)
{
	out = probed(signal);
	siglongjmp(back, 1);
}

__attribute__((noinline)) int faulty(volatile int *at)
{
	return *at + out;
}

__attribute__((noinline, noreturn)) void last(int n)
{
	out = probed(n);
	exit(0);
}

int main(void)
{
	double d[3] = { 1, 2, 3 };
	int list[5] = { 5, 3, 4, 1, 2 };
	int (*volatile pointer)(int) = moves_stack;

	out = holds_copies(1);
	out = recursive(3) & 1;
	out = pointer(3) & 1;
	out = many_registers(d, 1, 2, 3, 4, 5, 6) > 0;
	out = 0;
	qsort(list, 5, sizeof(*list), order);
	signal(SIGSEGV, handler);
	if (!sigsetjmp(back, 1))
		out = faulty(NULL) + 1;
	last(1);
}
