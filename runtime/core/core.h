/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of core/ share among themselves.
 *
 * Start with control.c, which takes one hit from its first statement to the committed output.  Then
 * session.c (where everything lies in a session's memory), lock.c, map.c, format.c; the rest are leaves.
 *
 * Rules of the room: no libc, no kernel, no floating point, no recursion, no frame above 1 KB, C that
 * gnu89 takes; nothing in a session is reached by a stored pointer, since processes map it at different
 * addresses; and a process may die at any instruction, so a structure says first that it is being changed.
 * File-scope names are unique in the room: a kernel's runtime compiles all files as one unit, since each unit costs kbuild 0.3 s.
 */
#ifndef SPILE_CORE_H
#define SPILE_CORE_H

#include "../platform.h"

#define SP_MIN(a, b) ((a) < (b) ? (a) : (b))
#define SP_MAX(a, b) ((a) > (b) ? (a) : (b))
#define SP_PAGE 4096u			/* x86-64: the smallest page a read may stumble over */
/* The compiler keeps stores on their side; x86-64 shows them in order to other processors and to a mender. */
#define sp_barrier() __asm__ __volatile__("" : : : "memory")

/* ---- bytes.c ------------------------------------------------------------------------------------- */
void sp_copy(void *dst, const void *src, sp_size n);	/* regions do not overlap, or @dst lies below @src */
void sp_zero(void *dst, sp_size n);
int sp_compare(const void *a, const void *b, sp_size n);	/* byte order: <0, 0, >0 */
/* Offset of the first byte @byte in the @n bytes at @p, or @n. */
sp_size sp_find_byte(const void *p, int byte, sp_size n);
sp_size sp_text_len(const char *text);			/* bytes before the NUL */

/* ---- text.c: where text is put together ------------------------------------------------------------ */

/*
 * Text goes either to a buffer, where what does not fit is dropped and remembered, or, with .c set and no
 * buffer, to the context's staged output.
 */
struct sp_text {
	struct sp_ctx *c;
	char *p;			/* NULL: to the output of .c */
	sp_u32 n, size;			/* bytes so far; bytes allowed */
	sp_bool cut;
};
void sp_text_put(struct sp_text *t, const char *p, sp_u32 n);
void sp_text_fill(struct sp_text *t, char byte, sp_i64 n);
void sp_text_puts(struct sp_text *t, const char *text);
void sp_text_u64(struct sp_text *t, sp_u64 v, unsigned base);	/* base 8, 10 or 16 (lower case) */
void sp_text_hex(struct sp_text *t, sp_u64 v);		/* "0x" and the digits */
/* Digits of @v in @base written so that they end at @end; returns where they start.  At most 22 bytes. */
char *sp_digits(char *end, sp_u64 v, unsigned base, sp_bool upper);
/* A text in the arena of at most MAXSTRINGLEN-1 bytes; where no room is left, an error and one of size 0. */
void sp_text_arena(struct sp_text *t, struct sp_ctx *c);
struct sp_str sp_text_end(struct sp_text *t);		/* gives back what was not used; counts a cut */
/* A text in error_buffer; sp_text_error() ends it and makes it the context's error. */
void sp_text_for_error(struct sp_text *t, struct sp_ctx *c);
void sp_text_error(struct sp_text *t);
/* " near TOKEN at FILE:LINE:COL"; nothing where the script has no such place. */
void sp_text_place(struct sp_text *t, sp_u32 at);
void sp_text_limit(struct sp_text *t, const char *option, sp_u64 limit);	/* "limit N, see -D OPTION=2N" */
/* Sets the error @text, told with the limit that was passed and the option that raises it. */
void sp_error_limit(struct sp_ctx *c, const char *text, const char *option, sp_u64 limit);
/* Sets the error "@before0x@addr@after". */
void sp_error_addr(struct sp_ctx *c, const char *before, sp_uaddr addr, const char *after);

/* ---- control.c ------------------------------------------------------------------------------------- */
/* Makes @c ready for @probe's handler, or a condition, to run in. */
void sp_ctx_begin(struct sp_ctx *c, const struct sp_probe *probe);
void sp_output(struct sp_ctx *c, const char *p, sp_u32 n);	/* stages output */
/* A record, or the count of one lost. */
void sp_emit(struct sp_ctx *c, enum sp_record_kind kind, const char *p, sp_u32 n);
void sp_session_fail(struct sp_session *s);		/* ends it with an error */
void sp_count(sp_u32 *counter);				/* one more, whoever else counts */
void sp_count_cut(struct sp_ctx *c);			/* a string was cut, in the statement at hand */

/* ---- string.c -------------------------------------------------------------------------------------- */
/* @n bytes of the arena, not aligned: sp_arena_alloc() without the gap. */
char *sp_arena_bump(struct sp_ctx *c, sp_u32 n);
struct sp_str sp_str_keep(struct sp_ctx *c, const char *p, sp_u32 n);	/* a copy in the arena, cut */
static inline sp_u32 sp_str_max(void) { return sp_script.limits.maxstringlen - 1; }
static inline struct sp_str sp_str_make(const char *p, sp_u32 n)
{
	struct sp_str s;

	s.p = p;
	s.n = n;
	return s;
}

/* ---- float.c --------------------------------------------------------------------------------------- */
/* The double nearest to @sig / 2^62 * 2^@exponent; bit 62 of @sig is set, bit 63 is not.  @sign: the bit itself. */
sp_u64 sp_float_pack(sp_u64 sign, int exponent, sp_u64 sig);

/* ---- stat.c ---------------------------------------------------------------------------------------- */

/* An aggregate; a histogram's buckets follow, sp_hist_buckets() of them. */
struct sp_stat {
	sp_i64 count, sum;
	sp_u64 low, high;		/* of the extremes: how far below the largest number, how far above the smallest */
	sp_i64 avg, m2;			/* for @variance: running mean and squares, of values << shift */
	sp_i64 buckets[];
};
sp_size sp_stat_size(sp_u32 global);
void sp_stat_feed(struct sp_stat *st, sp_u32 global, sp_i64 v);
void sp_stat_merge(struct sp_stat *to, const struct sp_stat *from, sp_u32 global);	/* without variance */
sp_i64 sp_stat_extract(struct sp_ctx *c, const struct sp_stat *st, sp_u32 global, enum sp_extract what);
/* Without errors, for sorting: an empty aggregate is 0, the variance counts as the count. */
sp_i64 sp_stat_rank(const struct sp_stat *st, enum sp_extract what);
/* @st NULL: an empty one. */
sp_i64 sp_stat_bucket(struct sp_ctx *c, const struct sp_stat *st, sp_u32 global, sp_i64 bucket);

/* ---- hist.c ---------------------------------------------------------------------------------------- */
unsigned sp_hist_bucket_of(const struct sp_global *g, sp_i64 v);
/* The text of spec 7.5; an error where @st is NULL or empty. */
void sp_hist_text(struct sp_text *t, struct sp_ctx *c, const struct sp_stat *st, sp_u32 global);

/* ---- cells.c --------------------------------------------------------------------------------------- */
sp_u64 sp_cells_bytes(const struct sp_script *script);
sp_i64 *sp_cells_of(struct sp_session *s, sp_u32 owner);	/* @owner: below SP_MAX_COUNTING */

/* ---- lock.c ---------------------------------------------------------------------------------------- */
/* @owner takes part: whoever looks at all owners looks at this one, too. */
void sp_note_owner(struct sp_session *s, sp_u32 owner);
sp_u32 sp_sleep_us(sp_u32 n);				/* how long the @n-th sleep of a wait in a row should be */

/* ---- map.c ----------------------------------------------------------------------------------------- */
sp_u64 sp_map_size(sp_u32 global);
void sp_map_init(void *memory, sp_u32 global);
void sp_map_mend(struct sp_session *s, sp_u32 global);	/* after the death of a writer */

/* ---- entry.c --------------------------------------------------------------------------------------- */
sp_u32 sp_entry_count(const struct sp_script *script);
sp_u64 sp_entry_bytes(sp_u32 entries);
sp_u32 sp_entry_string_count(const struct sp_script *script);
sp_u64 sp_entry_string_bytes(const struct sp_script *script);
void sp_entry_mend(struct sp_session *s, sp_u32 owner);

/* ---- timing.c -------------------------------------------------------------------------------------- */
sp_u64 sp_timing_bytes(const struct sp_script *script);
void sp_timing_add(struct sp_ctx *c, sp_u64 from);	/* a hit of the context's probe that began at @from has ended */
void sp_timing_refreshed(struct sp_session *s, sp_u64 from);	/* conditions were looked at */

/* ---- overload.c ------------------------------------------------------------------------------------ */
sp_u64 sp_overload_bytes(const struct sp_script *script);
void sp_overload_add(struct sp_ctx *c, sp_u64 from);	/* a handler that began at @from, in cycles, has ended */

/* ---- condition.c ----------------------------------------------------------------------------------- */
/* Before the locks are given back: looks at the conditions that hang on what the context's probe changes. */
void sp_refresh(struct sp_ctx *c);
void sp_arm_all(struct sp_session *s);			/* nothing is known: each handler sees for itself */

/* ---- chain.c --------------------------------------------------------------------------------------- */
struct sp_call {
	sp_uaddr pc;
	sp_u64 is_call;			/* it is a return address: the call lies before it */
};
void sp_chain_make(struct sp_ctx *c);			/* may sleep */
/* The hit's chain, good until the hit ends.  False: there is none, or an error is set. */
sp_bool sp_chain_get(struct sp_ctx *c, const struct sp_call **calls, sp_u32 *n);
/* One from other registers than the hit's, good until the next. */
sp_bool sp_chain_from(struct sp_ctx *c, sp_uaddr pc, sp_uaddr sp, sp_uaddr fp, const struct sp_call **calls, sp_u32 *n);

/* ---- names.c --------------------------------------------------------------------------------------- */
void sp_names_bring_in(struct sp_ctx *c, sp_uaddr addr);	/* may sleep */
struct sp_str sp_no_chain(struct sp_ctx *c);		/* what is said where there is none */

/* ---- symbols.c ------------------------------------------------------------------------------------- */
/* Sorts @n things of 16 bytes at @pairs. */
void sp_sort_pairs(void *pairs, sp_u32 n, sp_bool (*before)(const void *data, const void *a, const void *b), const void *data);
const struct sp_symbol *sp_symbol_at(const struct sp_symbols *t, sp_u64 addr);	/* link-time address; NULL: none */

/* ---- memory.c -------------------------------------------------------------------------------------- */
sp_bool sp_may_wait(const struct sp_ctx *c);		/* what is not there may be brought in now */
void sp_leave_for(struct sp_ctx *c, enum sp_retry what, sp_uaddr addr);	/* else: it is, and the handler runs again */
/* @n bytes of target memory; false and no error where they cannot be read; an error where the handler must rerun. */
sp_bool sp_fetch(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n);

#endif
