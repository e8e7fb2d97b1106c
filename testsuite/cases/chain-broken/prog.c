/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Return addresses written over: with nothing, with text, with data, with the address of a function's own call. */
#include <string.h>
#include <unistd.h>

volatile int out;
static char data[4096];

__attribute__((noinline)) int probed(int n)
{
	return out + n;
}

/* Runs on a stack that holds nothing but @word. */
__attribute__((noinline)) static void on_stack_of(unsigned long word)
{
	static unsigned long stack[1024];
	unsigned long *top = stack + 512, saved;

	for (int i = 0; i < 1024; i++)
		stack[i] = word;
	__asm__ volatile("mov %%rsp, %[saved]\n\tmov %[top], %%rsp\n\tmov $3, %%edi\n\tcall probed\n\tmov %[saved], %%rsp"
			 : [saved] "=&b" (saved) : [top] "r" (top)
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
}

int main(void)
{
	on_stack_of(0);
	on_stack_of(0x4141414141414141ul);
	on_stack_of((unsigned long)data);
	on_stack_of(0xfffffffffffffff8ul);
	on_stack_of((unsigned long)probed + 1);
	return 0;
}
