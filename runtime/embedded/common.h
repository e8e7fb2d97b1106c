/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the body of a function in embedded C finds around it (doc/HACKING, "Embedded C").
 *
 * The emitted unit includes kernel.h or user.h, which include this.  Before that it defines MAXSTRINGLEN and what -D gave.
 * For each function it emits a struct of arguments and result, the body as it stands, and a function under the name by which
 * the script's C file calls it: SP_C_ENTER, the body, SP_C_LEAVE.
 */
#ifndef SP_EMBEDDED_COMMON_H
#define SP_EMBEDDED_COMMON_H

#include "support.h"

/* A number where a string belongs would be taken for an address. */
#pragma GCC diagnostic error "-Wint-conversion"

typedef char string_t[MAXSTRINGLEN];

enum stp_probe_type {
	stp_probe_type_been, stp_probe_type_itrace, stp_probe_type_marker, stp_probe_type_perf, stp_probe_type_procfs,
	stp_probe_type_timer, stp_probe_type_hrtimer, stp_probe_type_profile_timer, stp_probe_type_netfilter,
	stp_probe_type_utrace, stp_probe_type_utrace_syscall, stp_probe_type_kprobe, stp_probe_type_kretprobe,
	stp_probe_type_uprobe, stp_probe_type_uretprobe, stp_probe_type_hwbkpt, stp_probe_type_tracepoint,
};

/* CONTEXT: made for each call, out of the hit's own. */
struct context {
	const char *last_error;		/* not NULL: an error, told once the body has ended */
	const char *probe_point;
	struct pt_regs *uregs, *kregs;	/* NULL: none */
	enum stp_probe_type probe_type;
	unsigned user_mode_p:1, regparm:16;
	int aborted, nesting, actionremaining;
	const char *last_stmt;
	union {
		struct { const char *tracepoint_system, *tracepoint_name; } tp;
		void *ri, *procfs_data;
	} ips;
	struct sp_ctx *hit;		/* ours */
	int next;			/* STAP_NEXT */
	char error_buffer[MAXSTRINGLEN];
};

static inline enum stp_probe_type sp_c_probe_type(const struct sp_ctx *hit)
{
	if (hit->probe->kind == SP_PROBE_TIMER)
		return stp_probe_type_hrtimer;
	if (hit->probe->kind != SP_PROBE_SITE)
		return stp_probe_type_been;
	return hit->site && hit->site->kind == SP_SITE_RETURN ? stp_probe_type_uretprobe : stp_probe_type_uprobe;
}

static struct pt_regs *sp_c_uregs(struct sp_ctx *hit);		/* kernel.h, user.h */

/* A context for one call; NULL, with the error set, where the arena is full. */
static inline struct context *sp_c_context(struct sp_ctx *hit)
{
	struct context *c = (struct context *)sp_arena_alloc(hit, sizeof(*c));

	if (!c)
		return 0;
	__builtin_memset(c, 0, __builtin_offsetof(struct context, error_buffer) + 1);
	c->hit = hit;
	c->probe_point = hit->site ? hit->site->point : hit->probe->point;
	c->probe_type = sp_c_probe_type(hit);
	c->uregs = sp_c_uregs(hit);
	c->user_mode_p = c->uregs != 0;
	c->nesting = (int)hit->nesting;
	c->actionremaining = hit->actions;
	return c;
}

/* A string of C as a script's, without a copy; a script's as one of C, in the arena. */
static inline struct sp_str sp_c_view(const char *s)
{
	struct sp_str view;

	view.p = s;
	view.n = (sp_u32)sp_c_length(s, MAXSTRINGLEN - 1);
	return view;
}
static inline const char *sp_c_text(struct context *c, struct sp_str s)
{
	char *to = sp_arena_alloc(c->hit, s.n + 1);

	if (!to)
		return "";
	sp_c_string(to, s, s.n + 1);
	return to;
}

/* What the body left in its context goes to the hit's. */
static inline void sp_c_done(struct context *c)
{
	struct sp_str text;

	if (c->aborted)
		sp_abort(c->hit);
	if (!c->last_error || c->hit->error)
		return;
	text.p = c->last_error;
	text.n = (sp_u32)sp_c_length(text.p, sizeof(c->hit->error_buffer) - 1);
	sp_error_str(c->hit, text);
}

/*
 * The hit that a function of the top level is called for.  It is given no context, so each call of a body notes where its frame
 * lies: of the frames further up the stack than here the nearest is on this very stack, whoever else runs on another.
 */
enum { SP_C_NOTES = 1024, SP_C_STACK = 1 << 18 };
struct sp_c_note {
	char *frame;			/* NULL: free */
	struct sp_ctx *hit;
};
static struct sp_c_note sp_c_notes[SP_C_NOTES] SP_UNUSED;

static inline struct sp_c_note *sp_c_note(struct sp_ctx *hit, char *frame)
{
	unsigned long first = (unsigned long)frame >> 12;

	for (unsigned i = 0; i < SP_C_NOTES; i++) {
		struct sp_c_note *n = &sp_c_notes[(first + i) % SP_C_NOTES];
		char *none = 0;

		if (__atomic_load_n(&n->frame, __ATOMIC_RELAXED) ||
		    !__atomic_compare_exchange_n(&n->frame, &none, frame, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		n->hit = hit;
		return n;
	}
	return 0;
}

static inline void sp_c_forget(struct sp_c_note *n)
{
	if (n)
		__atomic_store_n(&n->frame, 0, __ATOMIC_RELEASE);
}

/* NULL: there is none, or too many bodies run at once. */
static inline struct sp_ctx *sp_c_hit(void)
{
	char *here = (char *)__builtin_frame_address(0), *nearest = here + SP_C_STACK;
	struct sp_ctx *hit = 0;

	for (unsigned i = 0; i < SP_C_NOTES; i++) {
		char *frame = __atomic_load_n(&sp_c_notes[i].frame, __ATOMIC_RELAXED);

		if (frame >= here && frame < nearest) {
			nearest = frame;
			hit = sp_c_notes[i].hit;
		}
	}
	return hit;
}

/* A body has one of that name of its own. */
static struct sp_ctx *const sp_c_here SP_UNUSED = 0;
#define SP_C_HIT (sp_c_here ? sp_c_here : sp_c_hit())

#define CONTEXT c
#define THIS l
#define STAP_PRINTF(...) sp_c_printf(c->hit, __VA_ARGS__)
#define STAP_ERROR(...) do { \
		sp_c_format(c->error_buffer, MAXSTRINGLEN, __VA_ARGS__); \
		c->last_error = c->error_buffer; \
		goto out; \
	} while (0)
#define STAP_NEXT do { c->next = 1; goto out; } while (0)
#define STAP_VERSION(major, minor) ((major) * 256 + (minor))
/* Functions without a value have no STAP_RETURN(v): the emitted unit picks one. */
#define SP_C_RETURN_LONG(v) do { l->__retvalue = (sp_i64)(v); goto out; } while (0)
#define SP_C_RETURN_STRING(v) do { sp_c_strlcpy(l->__retvalue, (v), MAXSTRINGLEN); goto out; } while (0)
#define SP_C_RETURN_NONE() goto out

#define _stp_printf(...) sp_c_printf(SP_C_HIT, __VA_ARGS__)
#define _stp_print(text) sp_c_printf(SP_C_HIT, "%s", (text))
#define _stp_print_char(byte) sp_c_printf(SP_C_HIT, "%c", (byte))
#define _stp_snprintf(...) sp_c_format(__VA_ARGS__)
#define _stp_warn(...) sp_c_warn(SP_C_HIT, __VA_ARGS__)
#define _stp_softerror(...) sp_c_warn(SP_C_HIT, __VA_ARGS__)
#define _stp_error(...) sp_c_fatal(SP_C_HIT, __VA_ARGS__)
#define _stp_exit() do { \
		struct sp_ctx *sp_c_ = SP_C_HIT; \
		if (sp_c_) \
			sp_exit(sp_c_); \
	} while (0)
#define _stp_dbug(function, line, ...) do { } while (0)

/* ---- memory; a fault leaves the body with a soft error ------------------------------------------------- */

#define CATCH_DEREF_FAULT() ({ ; })
#define SP_C_FAULTED() (sp_unlikely(c->hit->error != 0))
#define DEREF_FAULT(addr) do { sp_c_fault(c, "read", (unsigned long)(addr)); goto deref_fault; } while (0)
#define STORE_DEREF_FAULT(addr) do { sp_c_fault(c, "write", (unsigned long)(addr)); goto deref_fault; } while (0)

static inline void sp_c_fault(struct context *c, const char *what, unsigned long addr)
{
	sp_c_format(c->error_buffer, MAXSTRINGLEN, "%s fault [man error::fault] at 0x%lx", what, addr);
	c->last_error = c->error_buffer;
}

#define uderef(size, addr) ({ \
		sp_i64 sp_v_ = (sp_i64)sp_load(c->hit, (sp_uaddr)(unsigned long)(addr), (size)); \
		if (SP_C_FAULTED()) \
			goto deref_fault; \
		sp_v_; \
	})
#define uread(ptr) ((__typeof__(*(ptr)))uderef(sizeof(*(ptr)), (ptr)))

#define SP_C_STORE(write, size, addr, value) ({ \
		sp_i64 sp_v_ = (sp_i64)(value); \
		unsigned long sp_a_ = (unsigned long)(addr); \
		if (!write(c, sp_a_, &sp_v_, (size))) \
			STORE_DEREF_FAULT(sp_a_); \
	})
#define store_uderef(size, addr, value) SP_C_STORE(sp_c_write_user, size, addr, value)
#define uwrite(ptr, value) ({ __typeof__(*(ptr)) sp_w_ = (value); store_uderef(sizeof(*(ptr)), (ptr), sp_w_); })
#define store_kderef(size, addr, value) SP_C_STORE(sp_c_write_kernel, size, addr, value)
#define kwrite(ptr, value) ({ __typeof__(*(ptr)) sp_w_ = (value); store_kderef(sizeof(*(ptr)), (ptr), sp_w_); })

/* x86-64: values are little-endian, so the low bytes are the first. */
#define kderef(size, addr) ({ \
		sp_u64 sp_v_ = 0; \
		unsigned long sp_a_ = (unsigned long)(addr); \
		if (!sp_c_read_kernel(c, &sp_v_, sp_a_, (size))) \
			DEREF_FAULT(sp_a_); \
		(sp_i64)sp_v_; \
	})
#define kread(ptr) ((__typeof__(*(ptr)))kderef(sizeof(*(ptr)), (ptr)))
#define kderef_buffer(dst, addr, n) ({ \
		unsigned long sp_a_ = (unsigned long)(addr); \
		char *sp_d_ = (char *)(dst); \
		if (!sp_c_read_buffer(c, sp_d_, sp_a_, (n))) \
			DEREF_FAULT(sp_a_); \
		sp_d_; \
	})
#define kderef_string(dst, addr, max) ({ \
		unsigned long sp_a_ = (unsigned long)(addr); \
		long sp_n_ = sp_c_read_string(c, (dst), sp_a_, (max)); \
		if (sp_n_ < 0) \
			DEREF_FAULT(sp_a_); \
		sp_n_; \
	})
#define SP_C_STORE_STRING(write, src, addr, max) ({ \
		const char *sp_s_ = (src); \
		unsigned long sp_a_ = (unsigned long)(addr); \
		sp_size sp_n_ = sp_c_length(sp_s_, (max) > 0 ? (sp_size)(max) - 1 : 0); \
		if ((max) > 0 && (!write(c, sp_a_, sp_s_, sp_n_) || !write(c, sp_a_ + sp_n_, "", 1))) \
			STORE_DEREF_FAULT(sp_a_); \
	})
#define store_kderef_string(src, addr, max) SP_C_STORE_STRING(sp_c_write_kernel, src, addr, max)
#define store_uderef_string(src, addr, max) SP_C_STORE_STRING(sp_c_write_user, src, addr, max)
#define deref_string kderef_string
#define store_deref_string store_kderef_string

static bool sp_c_read_kernel(struct context *c, void *to, unsigned long from, sp_size n);
static bool sp_c_write_kernel(struct context *c, unsigned long to, const void *from, sp_size n);
static bool sp_c_write_user(struct context *c, unsigned long to, const void *from, sp_size n);

/* @to NULL: only whether it can be read. */
static inline bool sp_c_read_buffer(struct context *c, char *to, unsigned long from, sp_size n)
{
	char byte;

	if (to)
		return sp_c_read_kernel(c, to, from, n);
	for (sp_size at = 0; at < n; at++)
		if (!sp_c_read_kernel(c, &byte, from + at, 1))
			return 0;
	return 1;
}

/* Up to @max - 1 bytes and a NUL; its length, or -1. */
static inline long sp_c_read_string(struct context *c, char *to, unsigned long from, sp_size max)
{
	sp_size n;

	for (n = 0; n + 1 < max; n++) {
		if (!sp_c_read_kernel(c, to + n, from + n, 1))
			return -1;
		if (!to[n])
			return (long)n;
	}
	if (max)
		to[n] = 0;
	return (long)n;
}

/* Bytes that could not be copied. */
static inline unsigned long sp_c_from_user(struct sp_ctx *hit, void *to, const void *from, unsigned long n)
{
	char *d = (char *)to;
	sp_u64 v;

	for (; n; n--, from = (const char *)from + 1) {
		if (!hit || !sp_try_load(hit, (sp_uaddr)(unsigned long)from, 1, &v))
			break;
		*d++ = (char)v;
	}
	return n;
}

/* Length, or -14 (EFAULT); @n counts the NUL. */
static inline long sp_c_text_from_user(struct sp_ctx *hit, char *to, const void *from, long n)
{
	for (long i = 0; i < n; i++) {
		if (sp_c_from_user(hit, to + i, (const char *)from + i, 1))
			return -14;
		if (!to[i])
			return i;
	}
	return n;
}
#define _stp_copy_from_user(dst, src, n) sp_c_from_user(SP_C_HIT, (dst), (const void *)(src), (n))
#define _stp_strncpy_from_user(dst, src, n) sp_c_text_from_user(SP_C_HIT, (dst), (const void *)(src), (n))

#undef strlcpy
#undef strlcat
#define strlcpy(dst, src, size) sp_c_strlcpy(dst, src, size)
#define strlcat(dst, src, size) sp_c_strlcat(dst, src, size)

#define REG_IP(regs) ((regs)->ip)
#define REG_SP(regs) ((regs)->sp)
#define REG_FP(regs) ((regs)->bp)
#define RREG(name, regs) ((regs)->name)
#define SET_REG_IP(regs, value) ((regs)->ip = (value))

#endif
