// SPDX-License-Identifier: GPL-2.0-or-later
// A throw through a frame that has a return probe: `middle' returns twice and is left by an exception twice.
#include <cstdio>

extern "C" __attribute__((noinline)) int thrower(int n)
{
	if (n & 1)
		throw n;
	return n;
}

extern "C" __attribute__((noinline)) int middle(int n)
{
	volatile int before = n;

	return thrower(n) + before;
}

int main()
{
	for (int i = 0; i < 4; i++) {
		try {
			std::printf("returned %d\n", middle(i));
		} catch (int n) {
			std::printf("caught %d\n", n);
		}
	}
	return 3;
}
