/* SPDX-License-Identifier: GPL-2.0-or-later */
// Methods, a lambda in a library's function, a destructor while an exception passes.
#include <algorithm>
#include <stdexcept>
#include <vector>

volatile int out;

extern "C" __attribute__((noinline)) int probed(int n)
{
	return out + n;
}

namespace shapes {
struct shape {
	virtual ~shape() {}
	virtual int area(int n) = 0;
};
struct square : shape {
	__attribute__((noinline)) int area(int n) override { return probed(n) + 1; }
};
}

struct guard {
	__attribute__((noinline)) ~guard() { out = probed(2) + 1; }
};

__attribute__((noinline)) void thrower(int n)
{
	guard g;

	if (n)
		throw std::runtime_error("x");
}

__attribute__((noinline)) int measure(shapes::shape *s, int n)
{
	return s->area(n) + 1;
}

int main()
{
	shapes::square s;

	out = measure(&s, 1);
	try {
		thrower(out);
	} catch (const std::exception &) {
		out = probed(3) + 1;
	}
	return 0;
}
