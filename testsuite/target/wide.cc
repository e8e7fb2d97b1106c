/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of more than 64 bits, and of types that are no numbers, among others. */
typedef int four __attribute__((vector_size(16)));
struct holder { int first; long double ld; __int128 wide; double _Complex complex; four vector; int last; };
volatile int out;
__attribute__((noinline)) int see(int before, struct holder *h, long double ld, four vector, double _Complex complex,
				  const __int128 &wide, int (*function)(int), int (&array)[2], int after)
{
	out = before + h->first + (int)ld + vector[0] + (int)__real__ complex + (int)wide + (function != 0) + array[1] + after;
	return out;
}
__attribute__((noinline)) long double half(__int128 of, int n)
{
	out += n;
	return (long double)of / 2;
}
int main()
{
	holder h = { 1, 1.5L, 5, 2.5, { 6, 7, 8, 9 }, 3 };
	int array[2] = { 21, 22 };
	__int128 wide = 12;

	asm volatile("" : : "r"(&h), "r"(&wide), "r"(array) : "memory");
	see(10, &h, 2.5L, h.vector, h.complex, wide, 0, array, 20);
	return half(wide, 3) == 0;
}
