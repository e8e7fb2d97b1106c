// SPDX-License-Identifier: GPL-2.0-or-later
// Names as C++ makes them.
#include <functional>
#include <map>
#include <string>
#include <vector>

#define KEEP __attribute__((noinline, noipa))
#ifdef __clang__
#undef KEEP
#define KEEP __attribute__((noinline, optnone))
#endif

namespace outer {
namespace {
KEEP int hidden(int x)
{
	return x + 1;
}
}

template <typename T> struct box {
	T held;
	KEEP T take(T *from) { held = *from; return held; }
	KEEP bool operator==(const box &o) const { return held == o.held; }
	KEEP box operator*(const box &) { return *this; }
	KEEP box operator*=(const box &) { return *this; }
	KEEP T *operator->() { return &held; }
	KEEP T operator[](int) { return held; }
	KEEP T operator()(int) { return held; }
	KEEP bool operator<(const box &o) const { return held < o.held; }
	KEEP box &operator>>(int) { return *this; }
	KEEP operator std::vector<int>() const { return {}; }
	struct inner {
		KEEP int deep() { return 4; }
	};
};

KEEP int call(int x)
{
	return hidden(x);
}
KEEP int call(double x)
{
	return static_cast<int>(x);
}
}

template <typename T, int N> KEEP int of_array(T (&a)[N])
{
	return a[0] != 0 ? N : 0;
}

KEEP unsigned long long operator""_kilo(unsigned long long x)
{
	return x * 1000;
}

struct life {
	int x;
	KEEP life() : x(1) {}
	KEEP ~life() { x = 0; }
};

int main(int argc, char **argv)
{
	life l;
	int number = argc, *pointer = &number;
	char text[5] = "text";
	outer::box<int> a{ 1 }, b{ 2 };
	outer::box<int *> p{ pointer };
	outer::box<int>::inner in;
	std::map<std::string, std::vector<int>> m;
	std::function<int(int)> f = [&](int q) { return q + number; };

	m[argv[0]].push_back(1);
	a = a * b;
	a *= b;
	std::vector<int> v = a;
	return a.take(&number) + *p.take(&pointer) + (a == b) + *a.operator->() + a[0] + a(0) + (a < b) + (a >> 1).held +
	       static_cast<int>(v.size()) + in.deep() + outer::call(1) + outer::call(2.0) + of_array(text) +
	       static_cast<int>(3_kilo) + f(2) + l.x > 100000;
}
