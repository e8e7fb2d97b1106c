/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same for what only C++ has.  The object escapes: else its stores, which no code reads, are left out. */
struct Base { int id; int only; virtual ~Base() {} Base() : id(1), only(2) {} };
struct Other { int other; Other() : other(4) {} };
class Inner { public: int z; Inner() : z(8) {} };
struct Leaf : Base, Other {
	int leaf;
	int id;
	class { public: int c1; };
	Inner inner;
	int &ref;
	static int shared;
	explicit Leaf(int &r) : leaf(5), id(3), ref(r) { c1 = 6; }
};
int Leaf::shared = 9;
volatile int out;
__attribute__((noinline)) void see(Leaf *p, Leaf &r, bool yes) { out = p->leaf + r.id + yes; }
int main() { int n = 17; Leaf l(n); asm volatile("" : : "r"(&l) : "memory"); see(&l, l, true); return 0; }
