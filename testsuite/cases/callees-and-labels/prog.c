/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leaf() is called by everybody: by main, mid, top, a copy of inl inlined into top, rec, and through a pointer by other. */
static volatile int sink;

__attribute__((noinline)) int leaf(int x) { sink = x; return x + 1; }
__attribute__((noinline)) int mid(int x) { int y = leaf(x); sink = y; return y * 2; }
__attribute__((noinline)) int other(int x) { int y = leaf(x); sink = y; return y + 2; }
static inline __attribute__((always_inline)) int inl(int q) { int y; sink = q; y = leaf(q); sink = y; return y; }

__attribute__((noinline)) int rec(int n)
{
	int r = n ? rec(n - 1) : leaf(0);

	sink = r;
	return r + 1;
}

__attribute__((noinline)) int top(int x)
{
	int sum = mid(x);

	if (sum > 100)
		goto done;
	sum += mid(x + 1);
	sum += inl(x);
	sum += leaf(7);
done:
	sink = sum;
	return sum + sink;
}

int (*volatile by_pointer)(int) = other;

int main(void)
{
	int sum = leaf(9);

	sum += top(3);
	sum += by_pointer(4);
	sum += rec(2);
	sink = sum;
	return 0;
}
