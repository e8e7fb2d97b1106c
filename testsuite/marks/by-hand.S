/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks in assembler: operands as they stand in the note. */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
	.text
	.globl main
	.type main, @function
main:
	movl $-3, %edi
	leaq numbers(%rip), %rcx
	movl $2, %edx
	movw $0x8012, %ax
	STAP_PROBE(hand, none)
	STAP_PROBE4(hand, some, -4@%edi, 8@$-9, -4@4(%rcx,%rdx,4), 2@numbers+8-2(%rip))
	STAP_PROBE2(hand, parts, -1@%ah, -1@%al)
#ifdef MORE
	/* the other header has no such form in assembler */
	STAP_PROBE_ASM(hand, joined, -4@%edi -4@(%rcx,%rdx,4))
	STAP_PROBE_ASM(hand, alone)
#endif
	xorl %eax, %eax
	ret
	.size main, . - main
	.section .rodata
	.balign 8
	.type numbers, @object
numbers:
	.long 1, 2, -30, 40
	.size numbers, . - numbers
	.section .probes, "aw"
	.balign 2
	.globl hand_none_semaphore, hand_some_semaphore, hand_parts_semaphore, hand_joined_semaphore, hand_alone_semaphore
hand_none_semaphore:
	.short 0
hand_some_semaphore:
	.short 0
hand_parts_semaphore:
	.short 0
hand_joined_semaphore:
	.short 0
hand_alone_semaphore:
	.short 0
	.section .note.GNU-stack, "", @progbits
