/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Same-named static functions, an alias, assembler without types. */
#include <stdlib.h>

static int same(int x)
{
	return abs(x);
}

int original(int x)
{
	return same(x) + 1;
}
int nickname(int x) __attribute__((alias("original")));

__asm__(".text\n.globl untyped\nuntyped:\n\tret\n"
	".globl typed\n.type typed, @function\ntyped:\n\tret\n.size typed, . - typed\n"
	"small:\n\tret\n");
void untyped(void);
void typed(void);

int one(void), two(void), three(void), four(void);
int one(void) { return original(1); }
int two(void) { return nickname(2); }
int three(void) { untyped(); return 3; }
int four(void) { typed(); return 4; }

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 5 ? one() + two() + three() + four() : 0;
}
