/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The narrow door: all that a compiled script may include or call.
 *
 * A script's C file includes this header alone: no kernel header, no libc header.  The same file builds
 * for every back end.  It defines one `const struct sp_script sp_script'; the runtime walks it.
 * Bodies are in core/; what a back end must supply is in platform.h.
 */
#ifndef SPILE_H
#define SPILE_H

typedef __INT8_TYPE__ sp_i8;
typedef __INT16_TYPE__ sp_i16;
typedef __INT32_TYPE__ sp_i32;
typedef __INT64_TYPE__ sp_i64;
typedef __UINT8_TYPE__ sp_u8;
typedef __UINT16_TYPE__ sp_u16;
typedef __UINT32_TYPE__ sp_u32;
typedef __UINT64_TYPE__ sp_u64;
typedef __SIZE_TYPE__ sp_size;
typedef sp_u64 sp_uaddr;		/* run-time address in the probed program */
#ifndef __cplusplus
typedef _Bool sp_bool;
#endif

#define SP_ABI 2			/* raised with every incompatible change of this header */
#define sp_likely(x) __builtin_expect(!!(x), 1)
#define sp_unlikely(x) __builtin_expect(!!(x), 0)

/* ---- values ------------------------------------------------------------------------------------- */

/* A string: a view into the context's arena, static text or a global.  Not NUL-terminated. */
struct sp_str {
	const char *p;
	sp_u32 n;
};
#define SP_STR(literal) ((struct sp_str){ (literal), sizeof(literal) - 1 })
#define SP_EMPTY ((struct sp_str){ "", 0 })

/* A number or a string, as the format says: map keys, print arguments. */
union sp_val {
	sp_i64 n;
	struct sp_str s;
};

/* Keys of a map, arguments of a format: SP_VALS({ .n = 1 }, { .s = SP_STR("x") }). */
#define SP_VALS(...) ((const union sp_val[]){ __VA_ARGS__ })
#define SP_UNUSED __attribute__((unused))

enum sp_type { SP_LONG, SP_STRING, SP_STATS };

/* ---- what a script describes -------------------------------------------------------------------- */

struct sp_ctx;

/* A place in the script, for run-time errors: "near TOKEN at FILE:LINE:COL". */
struct sp_place {
	const char *token;		/* "identifier 'x'", "operator '/'" */
	const char *file;
	sp_u32 line, column;
};

/*
 * What an object's code was made of: from each place on, up to the next.  Text is by offset, so that nothing has to be relocated;
 * 0: not known.
 */
struct sp_code_place {
	sp_u64 addr;			/* link-time */
	sp_u32 copy;			/* the innermost inlined copy there, from 1; 0: none */
	sp_u32 file, line;
};
struct sp_inline_copy {
	sp_u64 lo;			/* link-time address of its first instruction */
	sp_u32 size;
	sp_u32 name;
	sp_u32 outer;			/* the copy around it; 0: none */
	sp_u32 call_file, call_line;	/* where it is called */
};
struct sp_code {
	sp_u32 nplaces, ncopies;
	const struct sp_code_place *places;
	const struct sp_inline_copy *copies;
	const char *text;		/* NUL-terminated pieces */
};

/* A user-space object file that holds sites. */
struct sp_object {
	const char *path;		/* real path as found at translation */
	const sp_u8 *build_id;		/* NULL: has none */
	sp_u32 build_id_len;
	sp_u32 is_executable;		/* 1: a program; 0: a shared library */
	const struct sp_code *code;	/* for text of calls (pragma:inlines, pragma:lines); NULL: not known, or not needed */
};

enum sp_site_kind {
	SP_SITE_ENTRY,			/* first instruction of a function, or behind its prologue */
	SP_SITE_RETURN,			/* a return instruction: CFA is rsp + 8 */
	SP_SITE_TAIL,			/* a jump that leaves the function for another: an exit without a value */
	SP_SITE_PLACE,			/* anywhere inside: inline instance, statement, label */
	SP_SITE_MARK,			/* the nop of a static mark */
};

/*
 * One place to probe, for one probe.  The table is sorted by object, then offset, then probe: sites with
 * the same object and offset are one hit, and their probes run in table order.
 */
struct sp_site {
	sp_u32 object;			/* index into objects */
	sp_u32 probe;			/* index into probes */
	sp_u32 kind;			/* enum sp_site_kind */
	sp_u32 variant;			/* low SP_VIA_SHIFT bits: which of the probe's ways to fetch target variables;
					 * above: see sp_exit_follows() */
	sp_u64 addr;			/* link-time address */
	sp_u64 offset;			/* offset in the file */
	sp_u64 gate_addr;		/* link-time address of the mark's semaphore; 0: none */
	sp_u64 gate_offset;		/* offset of the semaphore in the file; 0: none */
	const char *point;		/* resolved probe point, what pp() returns */
	const char *name;		/* function or mark name */
	const char *script_point;	/* as the script has it, what pn() returns; NULL: the probe's .name */
};

enum sp_probe_kind {
	SP_PROBE_BEGIN, SP_PROBE_END, SP_PROBE_ERROR,	/* by .order, lowest first */
	SP_PROBE_TIMER,					/* every .interval_ns, +- .random_ns */
	SP_PROBE_SITE,					/* user-space sites of the site table */
	SP_PROBE_NEVER,
};

struct sp_lock {
	sp_u16 global;			/* index into globals */
	sp_u16 write;			/* 1: exclusive, 0: shared */
};

struct sp_probe {
	sp_u32 kind;			/* enum sp_probe_kind */
	sp_u32 nlocks;
	const struct sp_lock *locks;	/* ascending by global; taken by sp_lock() */
	void (*handler)(struct sp_ctx *c);
	sp_i64 order;			/* begin, end, error */
	sp_u64 interval_ns, random_ns;	/* timer; in ticks of the kernel's clock with SP_PROBE_TICKS */
	const char *point;		/* resolved; for many sites, the site's own is used */
	const char *name;		/* as the script has it, what pn() returns; for many sites, the site's own is used */
	sp_u32 flags;			/* SP_PROBE_NEEDS_FP and so on */
	sp_u16 condition;		/* its `if (...)', index into conditions + 1; 0: none */
	sp_u16 nsets;
	const sp_u16 *sets;		/* conditions that hang on globals it changes; it has locks on all of their globals */
};
#define SP_PROBE_NEEDS_FP 1		/* reads xmm registers: they must be saved at the hit */
#define SP_PROBE_HIDDEN 2		/* ours (values saved at entry): never counted or named */
#define SP_PROBE_TICKS 4		/* timer.jiffies: how long a tick is, only the kernel knows */

/* A global: a scalar lives in the script's own struct, a map and an aggregate in the runtime's. */
struct sp_global {
	const char *name;
	sp_u8 is_map;
	sp_u8 type;			/* enum sp_type of the value */
	sp_u8 nkeys;
	sp_u8 wraps;			/* overwrite the oldest element when full */
	sp_u8 counted;			/* a map that probes at sites only add to, several at once */
	sp_u8 keys[11];			/* enum sp_type of each */
	sp_u32 capacity;		/* elements; 0: limits.mapentries */
	sp_u32 offset;			/* scalar: bytes from the start of the globals struct */
	sp_u8 hist;			/* 0 none, 1 log, 2 linear */
	sp_u8 shift;			/* @variance's bit shift */
	sp_u8 stats;			/* SP_STAT_*: which operators are read */
	sp_i64 low, high, width;	/* linear histogram */
};
#define SP_STAT_MINMAX 1
#define SP_STAT_VARIANCE 2

struct sp_limits {			/* -D NAME=N; names in spec/language.md 8.1 */
	sp_u32 maxaction, maxnesting, maxstringlen, maxmapentries, maxerrors, maxskipped;
	sp_u32 maxtrylock, trylockdelay_us;
	sp_u32 maxbacktrace;
	sp_u32 histwidth, histelision;
	sp_u32 suppress_handler_errors, suppress_time_limits;
	sp_u32 uninterruptible;		/* INTERRUPTIBLE=0: it is MAXACTION that holds */
	sp_i32 maphashbias;		/* log2 of the factor on a map's buckets */
	sp_u32 printf_bytes;		/* that one printf delivers; 0: SP_PRINTF_BYTES */
	sp_u32 maxmemory_kb;		/* that a session may take; 0: as much as it needs */
	sp_u32 overload_interval, overload_threshold;	/* cycles; 0: nobody looks */
	sp_u32 minstackspace;		/* bytes of kernel stack that a handler needs; 0: as many as it does */
};

enum sp_timing_unit { SP_TIMING_OFF, SP_TIMING_CYCLES, SP_TIMING_NSECS };
/* A row of the probe hit report: what stands beside its numbers. */
struct sp_timing {
	const char *point;		/* resolved */
	const char *place;		/* FILE:LINE:COLUMN in the script */
	const char *from;		/* " from: POINT", for each step back to what the user wrote */
};

struct sp_script {
	sp_u32 abi;			/* SP_ABI */
	sp_u32 nprobes, nsites, nobjects, nglobals, nplaces;
	const char *name;		/* module name */
	const struct sp_probe *probes;
	const struct sp_site *sites;
	const struct sp_object *objects;
	const struct sp_global *globals;
	const struct sp_place *places;
	sp_u32 globals_size;		/* bytes of the script's globals struct */
	const void *globals_init;	/* its first contents; NULL: all zero */
	struct sp_limits limits;
	sp_u32 needs;			/* SP_NEEDS_* */
	sp_u32 entry_slots;		/* kinds of values saved at function entry */
	sp_u32 entry_strings;		/* of these, how many are strings */
	/* whether a probe's condition holds; an error in it counts as yes, for the handler to tell */
	sp_bool (*const *conditions)(struct sp_ctx *c);
	sp_u32 nconditions;
	sp_u32 ncells;			/* counters */
	/* the probe hit report; all zero where it was not asked for */
	sp_u32 timing_unit;		/* enum sp_timing_unit */
	sp_u32 ntimings;
	const struct sp_timing *timings;
	const sp_u32 *site_timings, *probe_timings;	/* row of each site, and of each probe without sites; or SP_NO_TIMING */
};
#define SP_NO_TIMING (~0u)
#define SP_NEEDS_MAPS 1			/* addresses of objects other than the probed one: @var */
#define SP_NEEDS_CHAIN 2		/* chains of calls */
#define SP_NEEDS_NAMES 4		/* what is mapped where, and symbols */

extern const struct sp_script sp_script;

/* ---- one probe hit ------------------------------------------------------------------------------ */

/*
 * Registers at the hit, indexed by DWARF number (x86-64 psABI 3.6.2): 0 rax 1 rdx 2 rcx 3 rbx 4 rsi 5 rdi
 * 6 rbp 7 rsp 8-15 r8-r15 16 rip; 17-32 the low halves of xmm0-15 where the probe needs them.
 */
struct sp_regs {
	sp_u64 r[33];
	sp_u64 flags;
};

#define SP_CALLERS 16
enum sp_retry { SP_RETRY_NOTHING, SP_RETRY_PAGE, SP_RETRY_CHAIN, SP_RETRY_NAMES };
enum {
	SP_RE_GROUPS = 32,		/* of an expression, the whole match included */
	SP_RE_REGS = 128,		/* places in the subject that its automaton may have to keep apart */
};

struct sp_ctx {
	/* for generated code */
	const struct sp_probe *probe;
	const struct sp_site *site;	/* NULL where the probe has none */
	const struct sp_regs *regs;	/* NULL where the event has none */
	sp_u64 bias;			/* load bias of the probed object: run-time minus link-time address */
	void *globals;			/* the script's globals struct */
	sp_i64 *cells;			/* what this owner has added to each counter */
	const char *error;		/* NULL: healthy */
	sp_i32 actions;			/* statements left to this handler */
	sp_u32 nesting;			/* function calls deep */
	sp_u32 at;			/* index into places: the statement last started */
	sp_u8 locked;			/* sp_lock() holds locks */
	sp_u8 wrote;			/* a global was changed: the handler can not be run again */
	sp_u8 aborted;			/* abort(): no catch stops it */
	sp_u32 set_regs;		/* registers the script has changed, by number: the back end puts them back */
	/* for the runtime */
	struct sp_session *session;
	char *arena, *arena_at, *arena_end;
	char *out;			/* staged output, committed whole at the end of the handler */
	sp_u32 out_len, out_size;
	enum sp_retry retry;		/* to be brought in before the handler runs again */
	sp_u8 chain_made;		/* the hit's chain of calls is at the start of the arena */
	sp_uaddr retry_addr;		/* which page; whose names */
	void *platform;			/* the back end's own */
	char error_buffer[512];
	char hint[120];			/* what stands in parentheses behind the error's place; "": nothing */
	sp_u32 callers[SP_CALLERS];	/* places of the calls that the error has left, innermost first */
	sp_u32 ncallers;		/* all of them: may be more */
	struct sp_str tokens;		/* what tokenize() has left */
	sp_uaddr bad_pages[4];		/* pages that could not be brought in, this hit */
	sp_u32 nbad, tries;		/* how many of them; runs of the handler so far */
	struct sp_str subject;		/* of the last match against a regular expression with groups */
	sp_u32 ngroups;			/* of the expression, the whole match included; 0: it did not match, or none was tried */
	sp_u32 groups[2 * SP_RE_GROUPS];/* where in the subject each begins and ends; ~0: it took no part */
};

/*
 * Control.  Generated code has this shape:
 *
 *	static void probe_0(struct sp_ctx *c)
 *	{
 *		struct globals *g = c->globals;
 *		sp_i64 l_x = 0;
 *
 *		if (!sp_lock(c))
 *			return;
 *		SP_STMT(c, 3, 7);
 *		...
 *	out:
 *		sp_unlock(c);
 *	}
 */
/* The statement of place @place starts; it and those that follow without a branch cost @cost actions. */
#define SP_STMT(c, place, cost) do { \
		(c)->at = (place); \
		if (sp_unlikely(((c)->actions -= (cost)) < 0)) { sp_out_of_actions(c); goto out; } \
	} while (0)
/* After a call that may fail. */
#define SP_CHECK(c) do { if (sp_unlikely((c)->error != 0)) goto out; } while (0)

/*
 * Takes the probe's locks, in order, each by trylock with a bound.
 * Returns false where one was not had: the hit is counted as skipped and the handler must leave.
 */
sp_bool sp_lock(struct sp_ctx *c);
void sp_unlock(struct sp_ctx *c);			/* gives back what sp_lock() took; harmless twice */
void sp_out_of_actions(struct sp_ctx *c);		/* MAXACTION exceeded: not catchable */
/* Call a script function: one level deeper.  False: MAXNESTING exceeded, error set. */
sp_bool sp_enter(struct sp_ctx *c);
#define sp_leave(c) ((void)--(c)->nesting)
/* Leaves a script function that was called at place @from: an error notes the call, else the caller goes on there. */
#define SP_LEAVE(c, from) do { \
		sp_leave(c); \
		if (sp_unlikely((c)->error != 0)) \
			sp_unwind(c, from); \
		else \
			(c)->at = (from); \
	} while (0)
void sp_unwind(struct sp_ctx *c, sp_u32 from);
/* Sets the error where none is set yet; @text (NUL-terminated) lives in static memory or error_buffer. */
void sp_error(struct sp_ctx *c, const char *text);
void sp_error_str(struct sp_ctx *c, struct sp_str text);
/* try/catch: takes the error off the context and returns its text; sp_catchable() is false for MAXACTION and abort(). */
sp_bool sp_catchable(const struct sp_ctx *c);	/* false too while the handler leaves to bring a page in */
struct sp_str sp_catch(struct sp_ctx *c);
void sp_exit(struct sp_ctx *c);				/* exit(): STOPPING at once; the handler goes on */
void sp_abort(struct sp_ctx *c);			/* abort(): the same, and the handler is left */
void sp_warn(struct sp_ctx *c, struct sp_str text);	/* warn(): out of band */

/* ---- arithmetic --------------------------------------------------------------------------------- */
sp_i64 sp_div(struct sp_ctx *c, sp_i64 a, sp_i64 b);	/* soft error "division by 0" */
sp_i64 sp_mod(struct sp_ctx *c, sp_i64 a, sp_i64 b);
static inline sp_i64 sp_shl(sp_i64 a, sp_i64 n) { return (sp_i64)((sp_u64)a << (n & 63)); }
static inline sp_i64 sp_shr(sp_i64 a, sp_i64 n) { return a >> (n & 63); }
static inline sp_i64 sp_ushr(sp_i64 a, sp_i64 n) { return (sp_i64)((sp_u64)a >> (n & 63)); }
static inline sp_i64 sp_add(sp_i64 a, sp_i64 b) { return (sp_i64)((sp_u64)a + (sp_u64)b); }
static inline sp_i64 sp_sub(sp_i64 a, sp_i64 b) { return (sp_i64)((sp_u64)a - (sp_u64)b); }
static inline sp_i64 sp_mul(sp_i64 a, sp_i64 b) { return (sp_i64)((sp_u64)a * (sp_u64)b); }
static inline sp_i64 sp_neg(sp_i64 a) { return (sp_i64)-(sp_u64)a; }
/* The low @bits of @v, sign- or zero-extended. */
static inline sp_i64 sp_sext(sp_u64 v, unsigned bits) { return (sp_i64)(v << (64 - bits)) >> (64 - bits); }
static inline sp_i64 sp_zext(sp_u64 v, unsigned bits) { return (sp_i64)(v << (64 - bits) >> (64 - bits)); }

/*
 * Counters: number globals that probes at sites only add to.  Cell @cell holds what this owner has added; the value is
 * the variable in the globals struct plus sp_counter().
 */
static inline void sp_counter_add(struct sp_ctx *c, sp_u32 cell, sp_i64 d)
{
	__atomic_store_n(&c->cells[cell], sp_add(c->cells[cell], d), __ATOMIC_RELAXED);
}
sp_i64 sp_counter(struct sp_ctx *c, sp_u32 cell);
void sp_counter_set(struct sp_ctx *c, sp_u32 cell, sp_i64 *variable, sp_i64 v);

/* ---- strings: results live in the arena, cut at MAXSTRINGLEN-1 ----------------------------------- */
struct sp_str sp_concat(struct sp_ctx *c, struct sp_str a, struct sp_str b);
int sp_strcmp(struct sp_str a, struct sp_str b);	/* byte order: <0, 0, >0 */
char *sp_arena_alloc(struct sp_ctx *c, sp_u32 n);	/* aligned to 8; NULL and an error where the arena is full */
/* A string global's storage: length and bytes; @size as sp_limits.maxstringlen.  In the globals struct:
 *	struct { sp_u32 n; char p[MAXSTRINGLEN]; } g_name;				*/
struct sp_string_global { sp_u32 n; char p[]; };
void sp_string_store(struct sp_ctx *c, void *global, struct sp_str s);
/* A copy in the arena: the global may change while the view lives. */
struct sp_str sp_string_load(struct sp_ctx *c, const void *global);
/*
 * Gives back what the arena handed out since @mark (an earlier c->arena_at), at the turn of a loop or the end of a
 * function.  Views that live on are listed: their bytes move down to the mark.  Afterwards no other view of bytes
 * above it may be used.  SP_RELEASE(c, mark) or SP_RELEASE(c, mark, &l_a, &l_b).
 */
#define SP_RELEASE(c, mark, ...) do { \
		struct sp_str *const kept_[] = { __VA_ARGS__ }; \
		if ((c)->arena_at != (mark)) \
			sp_arena_release(c, mark, kept_, sizeof(kept_) / sizeof(*kept_)); \
	} while (0)
void sp_arena_release(struct sp_ctx *c, char *mark, struct sp_str *const *kept, sp_u32 n);

/* ---- regular expressions: automata made by translator/regex/ --------------------------------------- */
/*
 * Bytes come in classes, @nclasses of them; from state s a byte of class k leads to @next[s * @nclasses + k], and state 0
 * is dead.  Without groups the automaton reads forwards and stops in state 1, at the first end of a match.
 */
#define SP_RE_MATCHED 1			/* without groups: the state behind the first end of a match */
#define SP_RE_MATCH 1			/* flags of a state: a match ends here */
#define SP_RE_MATCH_AT_END 2		/* it does if the subject ends here, too */
#define SP_RE_HERE 0xfe			/* for a register: this place in the subject */
#define SP_RE_NONE 0xfd			/* no place at all */
#define SP_RE_END 0xff			/* behind the last move */
/*
 * What notes the groups.  It starts where a match is known to begin and goes on as long as one may still end.  A transition
 * does first the moves (register to, register from) at @moves[@move[...]].  @final, @final_end: 0, or where in @moves stand
 * the registers of all groups' ends, for a match that ends here; at the subject's end.
 */
struct sp_groups {
	sp_u32 ngroups;			/* the whole match included */
	sp_u16 start[2], start_moves[2];/* at the subject's start; behind it */
	const sp_u16 *next, *move;
	const sp_u16 *final, *final_end;
	const sp_u8 *moves;
};
struct sp_regex {
	sp_u32 nclasses, start;
	const sp_u8 *classes;		/* of each byte */
	const sp_u16 *next;
	const sp_u8 *flags;		/* SP_RE_MATCH, SP_RE_MATCH_AT_END */
	const struct sp_groups *groups;	/* or NULL; with groups .next reads backwards and finds where matches begin */
};
sp_bool sp_match(const struct sp_regex *re, struct sp_str s);			/* without groups */
/* Keeps the groups for the two functions behind it, until the hit ends or the next match. */
sp_bool sp_match_groups(struct sp_ctx *c, const struct sp_regex *re, struct sp_str s);
struct sp_str sp_matched(struct sp_ctx *c, sp_i64 n);	/* soft errors: no match to look into; no such group */
sp_i64 sp_ngroups(struct sp_ctx *c);			/* soft error: no match to look into */

/* ---- output ------------------------------------------------------------------------------------- */
/* One part of a format: literal text, or one directive.  `%p' comes as conv p with its own flag. */
struct sp_format_part {
	const char *text;		/* literal, or NULL: a directive */
	sp_u32 len;
	char conv;			/* d i u x X o p b c s m M */
	char flag;			/* 0 - + space # 0 */
	sp_u8 zero;			/* 0 before the width, with another flag */
	sp_u8 star;			/* 1: width from the arguments, 2: precision, 3: both */
	sp_i32 width, prec;		/* -1: not given */
};
struct sp_format {
	sp_u32 nparts;
	const struct sp_format_part *parts;
};
void sp_printf(struct sp_ctx *c, const struct sp_format *f, const union sp_val *args);
struct sp_str sp_sprintf(struct sp_ctx *c, const struct sp_format *f, const union sp_val *args);
void sp_print_long(struct sp_ctx *c, sp_i64 v);
void sp_print_str(struct sp_ctx *c, struct sp_str s);
void sp_print_char(struct sp_ctx *c, sp_i64 byte);

/* ---- aggregates: scalar ones and those in maps; @global is the index into sp_script.globals -------- */
void sp_stat_add(struct sp_ctx *c, sp_u32 global, sp_i64 v);
void sp_stat_clear(struct sp_ctx *c, sp_u32 global);
enum sp_extract { SP_COUNT, SP_SUM, SP_MIN, SP_MAX, SP_AVG, SP_VARIANCE };
/* Soft error "empty aggregate" for all but count and sum. */
sp_i64 sp_stat_get(struct sp_ctx *c, sp_u32 global, enum sp_extract what);
void sp_stat_hist_print(struct sp_ctx *c, sp_u32 global);
struct sp_str sp_stat_hist_sprint(struct sp_ctx *c, sp_u32 global);
sp_i64 sp_stat_hist_bucket(struct sp_ctx *c, sp_u32 global, sp_i64 bucket);	/* count; error out of range */
sp_u32 sp_hist_buckets(sp_u32 global);

/* ---- maps ---------------------------------------------------------------------------------------- */
/* A missing element reads as 0 or "" and is not created; a full map without wrapping: soft error. */
sp_i64 sp_map_get_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
struct sp_str sp_map_get_str(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
void sp_map_set_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 v);
void sp_map_set_str(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, struct sp_str v);
sp_i64 sp_map_add_long(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 d);	/* new value */
/*
 * Adding to an element beside others that do the same at once, with the lock shared or none: for arrays whose .counted says
 * that probes at sites do nothing else with them.
 */
void sp_map_count(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 d);
void sp_map_stat_add(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 v);
sp_i64 sp_map_stat_get(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, enum sp_extract what);
void sp_map_hist_print(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
struct sp_str sp_map_hist_sprint(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
sp_i64 sp_map_hist_bucket(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_i64 bucket);
sp_bool sp_map_has(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
void sp_map_delete(struct sp_ctx *c, sp_u32 global, const union sp_val *keys);
void sp_map_clear(struct sp_ctx *c, sp_u32 global);
/* Slices: bit i of @any set means position i matches anything. */
sp_bool sp_map_has_slice(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_u32 any);
void sp_map_delete_slice(struct sp_ctx *c, sp_u32 global, const union sp_val *keys, sp_u32 any);

/*
 * foreach: start (sorting where asked), then next until it returns false.  Set .any (and .slice) before the
 * first sp_iter_next(); sp_iter_start() leaves these two alone.  Sorting relinks the array: it needs the write lock.
 */
struct sp_iter {
	sp_u32 global;
	sp_u32 at;			/* element index + 1; 0: before the first */
	sp_i64 left;			/* elements still to visit; -1: no limit */
	sp_u32 any;			/* slice: as above; all bits set: no slice */
	const union sp_val *slice;
};
#define SP_SORT_NONE 0
#define SP_SORT_VALUE 100		/* else 1..n: that key; negative: descending */
void sp_iter_start(struct sp_ctx *c, struct sp_iter *it, sp_u32 global, int sort, enum sp_extract by, sp_i64 limit);
sp_bool sp_iter_next(struct sp_ctx *c, struct sp_iter *it);
sp_i64 sp_iter_key_long(struct sp_ctx *c, const struct sp_iter *it, sp_u32 key);	/* keys count from 0 */
struct sp_str sp_iter_key_str(struct sp_ctx *c, const struct sp_iter *it, sp_u32 key);
sp_i64 sp_iter_value_long(struct sp_ctx *c, const struct sp_iter *it);
struct sp_str sp_iter_value_str(struct sp_ctx *c, const struct sp_iter *it);

/* ---- the probed program's memory ------------------------------------------------------------------ */
/*
 * @size (1, 2, 4, 8) bytes at @addr, zero-extended.  Without locks it brings absent pages in; with locks
 * held an absent page makes the handler leave and run again (nothing written yet) or is a soft error
 * "read fault [man error::fault] at 0x...".
 */
sp_u64 sp_load(struct sp_ctx *c, sp_uaddr addr, unsigned size);
#define SP_WHOLE 0x7fffffff		/* for @max: as long as it is */
/* Up to @max bytes, to the first NUL; soft error "user string copy fault -14 at 0x... [man error::fault]". */
struct sp_str sp_user_string(struct sp_ctx *c, sp_uaddr addr, sp_i64 max);
/*
 * The same two, but false instead of a soft error.  An error is set all the same where the handler has to
 * leave and bring a page in first: SP_CHECK after them too.
 */
sp_bool sp_try_load(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_u64 *v);
sp_bool sp_try_user_string(struct sp_ctx *c, sp_uaddr addr, sp_i64 max, struct sp_str *s);
/* Quoted and escaped, at most @outlen bytes (0: MAXSTRINGLEN-1); the address in hex where it cannot be read. */
struct sp_str sp_user_string_quoted(struct sp_ctx *c, sp_uaddr addr, sp_i64 inlen, sp_i64 outlen);
/* The same for @inlen bytes, NULs included. */
struct sp_str sp_user_buffer_quoted(struct sp_ctx *c, sp_uaddr addr, sp_i64 inlen, sp_i64 outlen);
static inline sp_u64 sp_reg(const struct sp_ctx *c, unsigned dwarf_number) { return c->regs ? c->regs->r[dwarf_number] : 0; }
/* Where the thread's own data is: the base of the segment %fs; 0 without registers. */
sp_u64 sp_thread_pointer(struct sp_ctx *c);
/* Operands of marks: what cannot be read is 0.  SP_CHECK after it too: the handler may have to bring a page in. */
static inline sp_u64 sp_load_or_zero(struct sp_ctx *c, sp_uaddr addr, unsigned size)
{
	sp_u64 v;

	return sp_try_load(c, addr, size, &v) ? v : 0;
}
/*
 * Writing it.  Soft error "write fault [man error::fault] at 0x..."; with an error set already nothing is written.  The caller
 * has set c->wrote where locks are held: a write cannot be made twice.
 */
void sp_store(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_u64 v);
/* The @bits bits from bit @shift up of the @size bytes at @addr. */
void sp_store_bits(struct sp_ctx *c, sp_uaddr addr, unsigned size, unsigned shift, unsigned bits, sp_u64 v);
/* The low @size bytes of general register @n; 4 bytes clear the upper half, as instructions do. */
void sp_set_reg(struct sp_ctx *c, unsigned n, unsigned size, sp_u64 v);
/* The bits of a double as those of the nearest float. */
sp_u64 sp_double_to_float(sp_u64 d);
/* @uregister, @uderef and @kderef: what they ask for need not make sense, which is a soft error. */
sp_i64 sp_uregister(struct sp_ctx *c, sp_i64 n);
sp_i64 sp_uderef(struct sp_ctx *c, sp_i64 size, sp_uaddr addr);
sp_i64 sp_kregister(struct sp_ctx *c, sp_i64 n);
sp_i64 sp_kderef(struct sp_ctx *c, sp_i64 size, sp_uaddr addr);
/* @enumname: the first row of that value, else the number in decimal. */
struct sp_enumerator { sp_i64 value; const char *name; };
struct sp_str sp_enum_name(struct sp_ctx *c, sp_i64 v, const struct sp_enumerator *rows, sp_u32 n);
/* Operators of location expressions that C leaves open or lacks (DWARF5 2.5.1.4). */
static inline sp_u64 sp_dwarf_shl(sp_u64 a, sp_u64 n) { return n < 64 ? a << n : 0; }
static inline sp_u64 sp_dwarf_shr(sp_u64 a, sp_u64 n) { return n < 64 ? a >> n : 0; }
static inline sp_u64 sp_dwarf_sar(sp_u64 a, sp_u64 n) { return (sp_u64)((sp_i64)a >> (n < 64 ? n : 63)); }
static inline sp_u64 sp_dwarf_abs(sp_u64 a) { return (sp_i64)a < 0 ? -a : a; }
static inline sp_u64 sp_dwarf_div(struct sp_ctx *c, sp_u64 a, sp_u64 b)
{
	if (b == 0)
		sp_error(c, "divide by zero in DWARF operand (DW_OP_div)");
	if (b == 0 || b == ~0ULL)	/* the least number by -1 traps */
		return b ? -a : 0;
	return (sp_u64)((sp_i64)a / (sp_i64)b);
}
static inline sp_u64 sp_dwarf_mod(struct sp_ctx *c, sp_u64 a, sp_u64 b)
{
	if (b == 0)
		sp_error(c, "divide by zero in DWARF operand (DW_OP_mod)");
	return b ? a % b : 0;
}
/* The bits of a float (in the low 32) as the bits of the double of the same value (IEEE 754-2008 3.4). */
static inline sp_u64 sp_float_bits(sp_u64 f)
{
	sp_u64 sign = (f & 0x80000000u) << 32, exponent = (f >> 23) & 0xff, fraction = f & 0x7fffffu;

	if (exponent == 0xff)
		return sign | 0x7ff0000000000000ULL | fraction << 29;
	if (exponent == 0) {
		if (!fraction)
			return sign;
		for (exponent = 1; !(fraction & 0x800000u); exponent--)	/* a number without leading one: give it one */
			fraction <<= 1;
		fraction &= 0x7fffffu;
	}
	return sign | (exponent + 1023 - 127) << 52 | fraction << 29;
}
/* Load bias of another object of this process; soft error where it is not mapped. */
sp_u64 sp_object_bias(struct sp_ctx *c, sp_u32 object);
/*
 * The hit's CFA: rsp + 8 at the first instruction and at an exit, where rsp points at the return address; rbp + 16 behind a
 * prologue, which is where code that is not optimised has its parameters in place (sites of kind PLACE).
 */
static inline sp_uaddr sp_cfa(const struct sp_ctx *c)
{
	return c->site->kind == SP_SITE_PLACE ? sp_reg(c, 6 /* rbp */) + 16 : sp_reg(c, 7 /* rsp */) + 8;
}
/* Values kept from a function's entry for its exits: keyed by thread, CFA and slot. */
void sp_entry_put(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, sp_i64 v);
sp_i64 sp_entry_get(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa);	/* 0 where none was kept, which is counted */
/* The same for strings; "" where none was kept. */
void sp_entry_put_str(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, struct sp_str s);
struct sp_str sp_entry_get_str(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa);
sp_bool sp_entry_take(struct sp_ctx *c, sp_u32 slot, sp_uaddr cfa, sp_i64 v);	/* whether @v was kept; it is no longer */
/*
 * An exit by tail call comes back at a return instruction of the function called, with the same CFA.  The site of the jump
 * notes under @slot which function was left so (its number is in the site's variant); the sites on the callee's returns
 * count only for that.  True: this hit is no exit, or none yet.
 */
#define SP_VIA_SHIFT 20
#define SP_VARIANT(c) ((c)->site->variant & ((1u << SP_VIA_SHIFT) - 1))
static inline sp_bool sp_exit_follows(struct sp_ctx *c, sp_u32 slot)
{
	sp_u32 via = c->site->variant >> SP_VIA_SHIFT;
	sp_uaddr cfa = sp_cfa(c);

	if (!via)
		return 0;
	if (c->site->kind == SP_SITE_TAIL) {
		sp_entry_put(c, slot, cfa, via);
		return 1;
	}
	return !sp_entry_take(c, slot, cfa, via);
}

/* ---- chains of calls, and names of addresses in the probed program ----------------------------------- */
/*
 * The script needs SP_NEEDS_CHAIN for the first, SP_NEEDS_NAMES for the others (pragma:unwind; pragma:symbols, pragma:vma).
 * SP_CHECK after each: where something has to be brought in first, the handler is to be left.
 * @level 0 is the hit itself.  Soft error "reached end of stack before unwinding to level N".
 */
sp_i64 sp_chain_pc(struct sp_ctx *c, sp_i64 level);
struct sp_str sp_chain_addresses(struct sp_ctx *c);		/* all of them, in hexadecimal, a blank between two */
struct sp_str sp_chain_callers(struct sp_ctx *c, sp_i64 levels);	/* the hit and so many callers; -1: all */
/* Lines as in spec/probes.md D.5, one for each call. */
enum sp_chain_form { SP_CHAIN_FULL, SP_CHAIN_BRIEF, SP_CHAIN_LINES };
void sp_chain_print(struct sp_ctx *c, enum sp_chain_form form);
void sp_chain_print_from(struct sp_ctx *c, sp_uaddr pc, sp_uaddr sp, sp_uaddr fp, enum sp_chain_form form);
struct sp_str sp_chain_sprint(struct sp_ctx *c);
void sp_addresses_print(struct sp_ctx *c, struct sp_str stack);	/* for the hexadecimal words of @stack */
struct sp_str sp_addresses_sprint(struct sp_ctx *c, struct sp_str stack);
struct sp_str sp_symbol_name(struct sp_ctx *c, sp_uaddr addr);	/* in hexadecimal where it has none */
struct sp_str sp_symbol_data(struct sp_ctx *c, sp_uaddr addr);	/* "sym+0xO/0xZ [M]" */
/* Source position: file, line, or both with a colon between; the address in hexadecimal where it is not known. */
struct sp_str sp_source_position(struct sp_ctx *c, sp_uaddr addr, sp_bool file, sp_bool line);
struct sp_str sp_module_path(struct sp_ctx *c, sp_uaddr addr);	/* these three: soft error where nothing is mapped */
sp_i64 sp_module_offset(struct sp_ctx *c, sp_uaddr addr);
struct sp_str sp_module_build_id(struct sp_ctx *c, sp_uaddr addr);

/* ---- library functions (tapset/) call these -------------------------------------------------------- */
sp_i64 sp_pid(struct sp_ctx *c);
sp_i64 sp_tid(struct sp_ctx *c);
sp_i64 sp_ppid(struct sp_ctx *c);
sp_i64 sp_uid(struct sp_ctx *c);
sp_i64 sp_cpu(struct sp_ctx *c);
sp_i64 sp_target(struct sp_ctx *c);
sp_i64 sp_remote_id(struct sp_ctx *c);			/* -1: this machine */
struct sp_str sp_remote_uri(struct sp_ctx *c);
struct sp_str sp_execname(struct sp_ctx *c);
struct sp_str sp_pp(struct sp_ctx *c);
struct sp_str sp_pn(struct sp_ctx *c);
struct sp_str sp_ppfunc(struct sp_ctx *c);
sp_i64 sp_clock_real_ns(struct sp_ctx *c);
sp_i64 sp_clock_mono_ns(struct sp_ctx *c);
sp_i64 sp_cycles(struct sp_ctx *c);
struct sp_str sp_substr(struct sp_ctx *c, struct sp_str s, sp_i64 start, sp_i64 length);
sp_i64 sp_strtol(struct sp_str s, sp_i64 base);
sp_i64 sp_strpos(struct sp_str s, struct sp_str what);	/* -1: not there */
struct sp_str sp_str_replace(struct sp_ctx *c, struct sp_str s, struct sp_str from, struct sp_str to);
struct sp_str sp_text_str(struct sp_ctx *c, struct sp_str s, sp_i64 outlen, sp_bool quoted);
struct sp_str sp_tokenize(struct sp_ctx *c, struct sp_str s, struct sp_str delims);
struct sp_str sp_ctime(struct sp_ctx *c, sp_i64 seconds);
sp_i64 sp_stringat(struct sp_ctx *c, struct sp_str s, sp_i64 at);	/* soft error "Position out of bounds" */
/* A C integer of the probed program, 1 to 8 bytes, sign-extended where @is_signed; 0 where it cannot be read. */
sp_i64 sp_user_int(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_bool is_signed);
sp_i64 sp_addr(struct sp_ctx *c);			/* instruction pointer of the hit, 0: none */
sp_i64 sp_is_return(struct sp_ctx *c);
struct sp_str sp_probefunc(struct sp_ctx *c);		/* name of the site's function */
struct sp_str sp_module_name(struct sp_ctx *c);
/* Integer argument @n, from 1, at a function's first instruction; soft errors as tapset.md 1.3 has them. */
sp_u64 sp_arg(struct sp_ctx *c, sp_i64 n);
sp_i64 sp_returnval(struct sp_ctx *c);
/* A register by its name in the architecture's manual; parts are sign-extended where @is_signed. */
sp_i64 sp_register(struct sp_ctx *c, struct sp_str name, sp_bool is_signed);
/*
 * Doubles as their 64 bits, without floating-point instructions (IEEE 754-2008; to nearest, ties to even).  What is no number
 * comes out as one NaN.  sp_fp_rem(): less the nearest multiple, not the one below.
 */
enum sp_rounding {
	SP_ROUND_NEAREST_EVEN, SP_ROUND_TO_ZERO, SP_ROUND_DOWN, SP_ROUND_UP, SP_ROUND_NEAREST_AWAY,
	SP_ROUND_ODD = 6,		/* to zero, but what is inexact is made odd */
};
sp_i64 sp_fp_add(sp_u64 a, sp_u64 b);
sp_i64 sp_fp_sub(sp_u64 a, sp_u64 b);
sp_i64 sp_fp_mul(sp_u64 a, sp_u64 b);
sp_i64 sp_fp_div(sp_u64 a, sp_u64 b);
sp_i64 sp_fp_rem(sp_u64 a, sp_u64 b);
sp_i64 sp_fp_sqrt(sp_u64 v);
sp_bool sp_fp_eq(sp_u64 a, sp_u64 b);
sp_bool sp_fp_le(sp_u64 a, sp_u64 b);
sp_bool sp_fp_lt(sp_u64 a, sp_u64 b);
sp_i64 sp_long_to_fp(sp_i64 v);
/* @mode: enum sp_rounding, else a soft error.  What is too large becomes the nearest long, NaN 0. */
sp_i64 sp_fp_to_long(struct sp_ctx *c, sp_u64 v, sp_i64 mode);
/* As printf("%.*f") has it, but "Infinity" and "NaN". */
struct sp_str sp_fp_to_string(struct sp_ctx *c, sp_u64 v, sp_i64 precision);
/* The double nearest to "-12.5e3" and the like; soft error "invalid format" for all else. */
sp_i64 sp_string_to_fp(struct sp_ctx *c, struct sp_str s);
struct sp_str sp_errno_name(sp_i64 number);		/* "ENOENT"; sign ignored; "" where unknown */

#endif
