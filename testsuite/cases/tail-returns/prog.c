/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At -O2 f leaves by a jump to mid, and mid by one to g: their returns are g's, with the values g gave. */
volatile int sink;
__attribute__((noinline)) int g(int x) { sink = x; if (x > 10) return x * 2; sink = 3; return x + 100; }
__attribute__((noinline)) int mid(int x) { sink = x; if (x == 7) return 70; return g(x + 1); }
__attribute__((noinline)) int f(int x) { sink = x; return mid(x * 2); }
int main(void)
{
	int sum = f(3);

	sum += f(20);
	sum += g(1);
	sum += mid(7);
	return sum != 107 + 82 + 101 + 70;
}
