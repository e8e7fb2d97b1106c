/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks with arguments of every kind, built with two headers: notes and values must be the same. */
#include <sys/sdt.h>

enum small { SMALL = 3 };
enum negative { NEGATIVE = -2 };
static char text[8] = "mark";
double half = 0.5;
float quarter = 0.25f;
static int hidden = -7;
long long wide = 0x123456789abcdefll;
static __thread char before[100] = { 1 };
__thread int of_thread = 41;

static void assembler(int a, unsigned long b)
{
	__asm__ __volatile__ ("nop\n" STAP_PROBE_ASM(kinds, inside, STAP_PROBE_ASM_TEMPLATE(2)) "nop\n"
			      :: STAP_PROBE_ASM_OPERANDS(2, a, b));
}

int main(int argc, char **argv)
{
	signed char sc = (signed char)(argc - 101);
	unsigned char uc = (unsigned char)(argc + 199);
	short s = (short)(argc - 30001);
	unsigned short us = (unsigned short)(argc + 59999);
	unsigned u = (unsigned)argc + 3999999999u;
	long l = argc - 5000000001l;
	unsigned long ul = ~0ul - (unsigned long)argc;
	enum small e = argc == 1 ? SMALL : (enum small)0;
	enum negative n = argc == 1 ? NEGATIVE : (enum negative)0;
	const volatile int cv = -9;

	(void)argv;
	before[argc] = 1;
	STAP_PROBE(kinds, none);
	STAP_PROBE6(kinds, numbers, sc, uc, s, us, argc, u);
	DTRACE_PROBE6(kinds, wider, l, ul, e, n, cv, wide);
	DTRACE_PROBE3(kinds, places, hidden, half, quarter);
	DTRACE_PROBE5(kinds, constants, 5, -7l, 4000000000u, 'x', argc > 0);
	DTRACE_PROBE12(kinds, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, argc + 11);
	DTRACE_PROBE3(pointers, text, text, "literal", &text[1]);
	DTRACE_PROBE1(pointers, function, main);
	assembler(argc + 1, 1ul << 40);
#ifdef MORE
	/* compilers may find another place for these with the other header */
	DTRACE_PROBE1(kinds, of_thread, of_thread);
	of_thread++;
	DTRACE_PROBE1(kinds, again, of_thread);
#endif
	return 0;
}
