/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of one byte with no padding in reach: only a breakpoint fits. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILLER(name) \
	__asm__(".text\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n.rept 100\nadd $1, %eax\n.endr\nret\n" \
		".cfi_endproc\n.size " #name ", . - " #name "\n")
FILLER(before);
__asm__(".globl tight\n.type tight, @function\ntight:\n.cfi_startproc\nret\n.cfi_endproc\n.size tight, . - tight\n");
FILLER(behind);
void tight(void);

int main(void)
{
	int status;

	for (int i = 0; i < 1000; i++)
		tight();
	if (!fork()) {
		tight();
		_exit(0);
	}
	wait(&status);
	return status;
}
