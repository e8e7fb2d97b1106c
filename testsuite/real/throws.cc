// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdio>
#include <stdexcept>

static void deep(int n)
{
	if (n == 0)
		throw std::runtime_error("bottom");
	deep(n - 1);
	std::puts("not reached");
}

int main()
{
	for (int i = 1; i <= 3; i++) {
		try {
			deep(i);
		} catch (const std::exception &e) {
			std::printf("caught %s\n", e.what());
		}
	}
	return 7;
}
