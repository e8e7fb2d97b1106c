/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a stub to the handler and back.
 *
 * A stub has stepped over the red zone, pushed rax and the flags, put its descriptor's address in rax and called here.
 * All other general registers are saved on the target's stack (struct sp_user_frame); sp_user_enter() finds the
 * thread's lane, still on the target's stack, with few bytes of it; the handler runs on the lane's own stack.
 * Vector registers are not touched by any code of ours, so the fp form only copies them out.
 */
	.text
	.macro save_all
	push	%rdx
	push	%rcx
	push	%rbx
	push	%rsi
	push	%rdi
	push	%rbp
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, %rbp
	mov	%rax, %rbx
	mov	%rsp, %rdi
	mov	%rax, %rsi
	and	$-16, %rsp
	call	sp_user_enter
	test	%rax, %rax
	jz	leave
	/* rax: the lane's stack; on top lie the addresses of the lane and of its busy word */
	mov	%rax, %rsp
	mov	(%rsp), %rdi
	mov	8(%rsp), %r12
	mov	%rbp, %rsi
	mov	%rbx, %rdx
	.endm

	.globl	sp_user_entry
	.hidden	sp_user_entry
	.type	sp_user_entry, @function
sp_user_entry:
	save_all
	call	sp_user_hit
leave_lane:
	/* only now: a signal handler of the program's that has a hit may run on the lane's stack as well */
	mov	%rbp, %rsp
	movl	$0, (%r12)
leave:
	mov	%rbp, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rbp
	pop	%rdi
	pop	%rsi
	pop	%rbx
	pop	%rcx
	pop	%rdx
	ret
	.size	sp_user_entry, . - sp_user_entry

	.globl	sp_user_entry_fp
	.hidden	sp_user_entry_fp
	.type	sp_user_entry_fp, @function
sp_user_entry_fp:
	save_all
	/* struct sp_regs leads the lane; DWARF numbers 17 to 32 are xmm0 to xmm15 */
	movq	%xmm0, 17*8(%rdi)
	movq	%xmm1, 18*8(%rdi)
	movq	%xmm2, 19*8(%rdi)
	movq	%xmm3, 20*8(%rdi)
	movq	%xmm4, 21*8(%rdi)
	movq	%xmm5, 22*8(%rdi)
	movq	%xmm6, 23*8(%rdi)
	movq	%xmm7, 24*8(%rdi)
	movq	%xmm8, 25*8(%rdi)
	movq	%xmm9, 26*8(%rdi)
	movq	%xmm10, 27*8(%rdi)
	movq	%xmm11, 28*8(%rdi)
	movq	%xmm12, 29*8(%rdi)
	movq	%xmm13, 30*8(%rdi)
	movq	%xmm14, 31*8(%rdi)
	movq	%xmm15, 32*8(%rdi)
	call	sp_user_hit
	jmp	leave_lane
	.size	sp_user_entry_fp, . - sp_user_entry_fp

	/* rt_sigreturn: what the kernel's signal frame returns to */
	.globl	sp_user_trap_return
	.hidden	sp_user_trap_return
	.type	sp_user_trap_return, @function
sp_user_trap_return:
	mov	$15, %rax
	syscall
	.size	sp_user_trap_return, . - sp_user_trap_return
	.section .note.GNU-stack, "", @progbits
