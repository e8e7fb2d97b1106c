/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the scripts of this folder look at: each kind of value once.  It prints what they may have changed. */
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE = -2 };
enum size { SMALL = 1, LARGE = 4 };
struct flags { unsigned a : 3; int b : 5; unsigned c : 24; unsigned long d : 40; };
struct in { int x, y; };
struct opaque;
struct rec {
	int i;
	unsigned u;
	char c;
	unsigned char uc;
	_Bool b;
	enum color col;
	enum size size;
	struct in in;
	struct { int ax; union { int p; char q; }; };
	union { unsigned low; int same; };
	struct rec *next;
	void *any;
	struct opaque *opaque;
	int (*fn)(int);
	const char *txt;
	char name[8];
	struct flags f;
	int arr[4];
	int grid[2][3];
	struct in pair[2];
	int one[1];
	float fl;
	double db;
	long l;
};
struct wide { long v[40]; int m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20,
	m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34; };

volatile int counter = 7;
static volatile long hidden = 11;
volatile enum color paint = GREEN;
volatile int out;
static struct rec b = { .i = 2, .u = 20, .c = 'b', .col = BLUE, .in = { 3, 4 }, .txt = (const char *)16, .name = "bb" };
static struct rec a = {
	1, 4000000000u, '\n', 200, 1, GREEN, LARGE, { -1, 2 }, { 6, { 65 } }, { 7 }, &b, 0, 0, 0, "first\n", "a\"a",
	{ 5, -7, 0xabcdef, 0x123456789aUL }, { 1, 2, 3, 4 }, { { 10, 11, 12 }, { 20, 21, 22 } }, { { 31, 32 }, { 33, 34 } }, { 9 },
	2.5f, -1.25, -5,
};
static struct wide w = { { 1 }, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
	21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34 };

__attribute__((noinline)) int look(struct rec *r, int k, const char *s, enum color c)
{
	out = r->i + k + counter + hidden + paint + (s[0] == c);
	return out + 1;
}

__attribute__((noinline)) void many(struct wide *p, int **pp, struct in by_value)
{
	out = p->m01 + **pp + by_value.x;
}

__attribute__((noinline)) int change(struct rec *r, char *s)
{
	s[0] = 'X';
	r->in.x = 99;
	r->next = &a;
	out = r->i;
	return r->in.x;
}

__attribute__((noinline)) int fact(int n)
{
	int rest;

	if (n < 2)
		return 1;
	rest = fact(n - 1);
	out = rest;
	return n * rest;
}

__attribute__((noinline)) double mix(float x, int k, double y)
{
	out = k;
	return x + y * k;
}

int main(void)
{
	static char text[] = "hello";
	int *pi = (int *)&counter;

	printf("look %d\n", look(&a, 3, "hey", GREEN));
	many(&w, &pi, (struct in){ 51, 52 });
	printf("a %d %u %d %d %d %d %s %d %d %x %lx %d %g %g %ld\n", a.i, a.u, a.c, a.b, a.in.y, a.p, a.name, a.f.a, a.f.b, a.f.c,
	       (unsigned long)a.f.d, a.arr[2], a.fl, a.db, a.l);
	printf("b %d counter %d hidden %ld paint %d grid %d\n", b.i, counter, hidden, paint, a.grid[1][2]);
	printf("change %d %s\n", change(&b, text), text);
	printf("fact %d\n", fact(3));
	printf("mix %g\n", mix(1.5f, 3, 2.25));
	return 0;
}
