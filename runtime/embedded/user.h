/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Embedded C inside the target: it may be in any function of the C library, so that nothing of that may be called.  Here are
 * the names that bodies use most, over the runtime's own.  What needs the kernel does not compile.
 */
#ifndef SP_EMBEDDED_USER_H
#define SP_EMBEDDED_USER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* As the kernel names them (arch/x86/include/asm/ptrace.h): the registers of the hit, as a copy. */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

#include "common.h"

static inline struct pt_regs *sp_c_uregs(struct sp_ctx *hit)
{
	const sp_u64 *r = hit->regs ? hit->regs->r : 0;		/* by DWARF number */
	struct pt_regs *p = r ? (struct pt_regs *)sp_arena_alloc(hit, sizeof(*p)) : 0;

	if (p)
		*p = (struct pt_regs){
			.ax = r[0], .dx = r[1], .cx = r[2], .bx = r[3], .si = r[4], .di = r[5], .bp = r[6], .sp = r[7],
			.r8 = r[8], .r9 = r[9], .r10 = r[10], .r11 = r[11], .r12 = r[12], .r13 = r[13], .r14 = r[14],
			.r15 = r[15], .ip = r[16], .orig_ax = -1UL, .flags = hit->regs->flags,
		};
	return p;
}

/* There is one address space: what bodies for the kernel read there is read here. */
static inline bool sp_c_read_kernel(struct context *c, void *to, unsigned long from, sp_size n)
{
	return !sp_c_from_user(c->hit, to, (const void *)from, n);
}

/*
 * By the kernel, which respects what is mapped for reading alone: process_vm_writev(2), number 311, to this very process
 * (getpid(2), 39).  Probes without registers run in the runner and have no memory of the target to write to.
 */
static inline bool sp_c_write_user(struct context *c, unsigned long to, const void *from, sp_size n)
{
	struct { const void *at; sp_size n; } local = { from, n }, remote = { (void *)to, n };
	register long r10 __asm__("r10") = (long)&remote;
	register long r8 __asm__("r8") = 1;
	register long r9 __asm__("r9") = 0;
	long rc, pid;

	if (!c->hit->regs)
		return false;
	__asm__ volatile("syscall" : "=a"(pid) : "a"(39) : "rcx", "r11", "memory");
	__asm__ volatile("syscall" : "=a"(rc) : "a"(311), "D"(pid), "S"(&local), "d"(1), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return rc == (long)n;
}
#define sp_c_write_kernel sp_c_write_user

static inline int sp_c_compare(const char *a, const char *b, size_t most)
{
	for (; most; most--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

static inline char *sp_c_find(const char *s, int byte, bool last)
{
	const char *found = 0;

	for (; !(found && !last); s++) {
		if (*s == (char)byte)
			found = s;
		if (!*s)
			break;
	}
	return (char *)(uintptr_t)found;
}

static inline char *sp_c_find_text(const char *s, const char *what)
{
	size_t n = sp_c_length(what, SIZE_MAX);

	for (;; s++) {
		if (!sp_c_compare(s, what, n))
			return (char *)(uintptr_t)s;
		if (!*s)
			return 0;
	}
}

#define strlen(s) sp_c_length((s), SIZE_MAX)
#define strnlen(s, n) sp_c_length((s), (n))
#define strcmp(a, b) sp_c_compare((a), (b), SIZE_MAX)
#define strncmp(a, b, n) sp_c_compare((a), (b), (n))
#define strchr(s, byte) sp_c_find((s), (byte), false)
#define strrchr(s, byte) sp_c_find((s), (byte), true)
#define strstr(s, what) sp_c_find_text((s), (what))
#define memcpy(to, from, n) __builtin_memcpy((to), (from), (n))
#define memmove(to, from, n) __builtin_memmove((to), (from), (n))
#define memset(to, byte, n) __builtin_memset((to), (byte), (n))
#define memcmp(a, b, n) __builtin_memcmp((a), (b), (n))
#define snprintf(...) sp_c_format(__VA_ARGS__)
#define scnprintf(...) sp_c_format_cut(__VA_ARGS__)
#define isdigit(byte) ((unsigned)(byte) - '0' < 10)
#define clamp_t(type, v, low, high) ({ \
		type sp_v_ = (v), sp_low_ = (low), sp_high_ = (high); \
		sp_v_ < sp_low_ ? sp_low_ : sp_v_ > sp_high_ ? sp_high_ : sp_v_; \
	})
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define _stp_is_compat_task() 0
#define _stp_current_pt_regs() (c->uregs)

#endif
