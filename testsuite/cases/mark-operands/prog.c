/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands that need more than a register: a slot of the global offset table, static variables of one name in two files. */
#include <unistd.h>
#include <sys/sdt.h>

static volatile int level = 11;
extern char **environ;
void other(int x);

__attribute__((noipa)) static void here(char ***same)
{
	DTRACE_PROBE2(ops, table, &environ, same);
	DTRACE_PROBE1(ops, first, level);
}

int main(int argc, char **argv)
{
	(void)argv;
	here(&environ);
	other(argc);
	return 0;
}
