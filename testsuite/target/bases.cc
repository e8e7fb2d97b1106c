/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Virtual base classes: where they are only the object tells.  The objects escape, as in cxx.cc. */
struct Root { int root; struct { int inside; }; virtual ~Root() {} Root() : root(1) { inside = 2; } };
struct Left : virtual Root { int left; Left() : left(3) {} };
struct Right : virtual Root { int right; Right() : right(4) {} };
struct Low : Left, Right { int low; int more[5]; Low() : low(6) { for (int i = 0; i < 5; i++) more[i] = i; } };
struct Twice : virtual Left { int twice; Twice() : twice(7) {} };
struct Plain { int plain; Plain() : plain(8) {} };
struct Over : virtual Plain { int over; Over() : over(9) {} };
volatile int out;
__attribute__((noinline)) void see(Left *left, Low &low, Twice *twice, Over *over)
{
	out = left->root + low.root + twice->left + over->plain;
}
int main()
{
	Low low;
	Left alone;
	Twice twice;
	Over over;

	alone.root = 11;
	alone.left = 13;
	asm volatile("" : : "r"(&low), "r"(&alone), "r"(&twice), "r"(&over) : "memory");
	see(&low, low, &twice, &over);
	see(&alone, low, &twice, &over);
	return 0;
}
