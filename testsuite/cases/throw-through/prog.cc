// SPDX-License-Identifier: GPL-2.0-or-later
// An exception leaves three frames of a function whose returns are probed.
#include <cstdio>

__attribute__((noinline)) int dig(int depth)
{
	if (depth == 0)
		throw 42;
	return dig(depth - 1) + 1;
}

__attribute__((noinline)) int calm(int v)
{
	asm volatile("" : "+r"(v));	// else the compiler leaves the call out
	return v + 1;
}

int main()
{
	int caught = 0;
	for (int round = 0; round < 3; round++) {
		try {
			dig(2);
		} catch (int v) {
			caught += v;
		}
		calm(round);
	}
	std::printf("caught %d\n", caught);
	return caught == 126 ? 0 : 1;
}
