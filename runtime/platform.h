/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What core/ asks of a back end, and the session that both share.
 *
 * core/ is freestanding C over these few primitives: it calls neither kernel nor libc, so that it runs in
 * unit tests and beside a memset() under probe.  kernel/ and user/ each supply every sp_plat_ function.
 */
#ifndef SPILE_PLATFORM_H
#define SPILE_PLATFORM_H

#include "spile.h"

enum sp_state { SP_STARTING = 1, SP_RUNNING, SP_ERROR, SP_STOPPING, SP_STOPPED };
enum sp_skip { SP_SKIP_LOCK, SP_SKIP_REENTRY, SP_SKIP_CONTEXT, SP_SKIP_STACK, SP_SKIPS };
#define SP_REMOTE_URI 256		/* bytes, the NUL included */
enum sp_loss { SP_LOST_OUTPUT, SP_LOST_ENTRY, SP_CUT_STRING, SP_LOSSES };

/*
 * One running script.  In the user runtime this lies at the start of memory shared by processes that map
 * it at different addresses: so offsets from its own start, never pointers.
 */
struct sp_session {
	sp_u32 abi;
	sp_u32 state;			/* enum sp_state; changed atomically */
	sp_i64 target;			/* what target() returns */
	sp_u32 errors;			/* handlers that ended in an error */
	sp_u32 exit_status;		/* 1 once an error has been told */
	sp_u32 skips[SP_SKIPS];		/* hits not handled, by cause */
	sp_u32 losses[SP_LOSSES];
	sp_u64 seq;			/* next record of the transport; dense over all rings */
	sp_u64 globals_off;		/* the script's globals struct */
	sp_u64 entries_off;		/* table of values kept from function entries */
	sp_u32 entries;			/* its size in entries, a power of two; 0: no table */
	sp_u32 entry_strings;		/* the same for strings */
	sp_u64 entry_strings_off;
	sp_u32 nglobals;
	sp_u64 cells_off;		/* for each owner, a row of cells: see sp_counter_add() */
	sp_u64 timings_off;		/* rows of the probe hit report */
	sp_u64 readers_off;		/* for each global, one bit for each owner that reads it */
	sp_u32 owner_words;		/* words of 64 such bits in use: those up to the highest owner seen */
	sp_i32 remote_id;		/* which of several hosts this is, from 0; -1: it runs where it was started */
	char remote_uri[SP_REMOTE_URI];	/* by which that was asked for */
	sp_u32 overloaded;		/* the overload check has ended the session */
	sp_u64 armed_off;		/* for each condition, whether it held when last looked at (sp_u32) */
	sp_u64 overload_off;		/* for each processor, what handlers took of the present interval */
	sp_u64 cuts_off;		/* for each place of the script, how many strings were cut there (sp_u32) */
	sp_u32 skipped_out;		/* skips passed MAXSKIPPED */
	sp_u32 skips_told;		/* and that was said */
	sp_u64 size;			/* bytes in all, from the start of this struct */
	struct sp_global_state {
		sp_u64 off;		/* map or aggregate of this global; 0: a scalar */
		sp_u32 writer;		/* owner that holds or wants it alone; 0: none */
		sp_u32 contended;	/* times it was not had at the first try */
		sp_u32 timeouts;	/* hits skipped for it */
		sp_u32 pad;
	} globals[];
};
/* Owners below this may share a lock with other readers; higher ones read it alone. */
#define SP_MAX_READERS 4096u
/* Owners, all below this where the script has counters: each has cells of its own. */
#define SP_MAX_COUNTING 1025u

/* Bytes that a session of @script needs; then lays it out in @memory (zeroed), of that size. */
sp_u64 sp_session_size(const struct sp_script *script);
void sp_session_init(struct sp_session *s, const struct sp_script *script);
/*
 * Gives a scalar its first value, before any probe runs.  @word is "NAME=VALUE": a number as C has it, or the bytes of a string.
 * NULL, or why not.
 */
const char *sp_session_set(struct sp_session *s, const char *word);
static inline void *sp_at(struct sp_session *s, sp_u64 off) { return (char *)s + off; }

/* Bytes at the start of each context's arena that the script's chains of calls take. */
#define SP_CHAIN_HEAD 3072u		/* to make one in */
static inline sp_u32 sp_chain_bytes(const struct sp_script *script)
{
	return script->needs & SP_NEEDS_CHAIN ? SP_CHAIN_HEAD + 16 * script->limits.maxbacktrace : 0;
}

/*
 * Runs one probe in @c, whose regs, site, bias, platform and buffers the back end has set: resets the rest,
 * checks the state, calls the handler (again where a page had to be brought in first), reports an error,
 * commits the output.  @c's arena and out buffers stay the back end's.
 */
void sp_run_probe(struct sp_ctx *c, const struct sp_probe *probe);
/*
 * The hit could not be handled: counted, and past MAXSKIPPED the session ends.  @c NULL: there is none, and the back
 * end lets sp_tell_skips() say it once it has a context.
 */
void sp_count_skip(struct sp_session *s, struct sp_ctx *c, enum sp_skip why);
void sp_tell_skips(struct sp_ctx *c);
/*
 * Locks held by a dead owner (its number as sp_plat_owner() gave it) are given back, and what it left half
 * changed is mended first.  Called once the owner is known to be dead, before its number is used again.
 */
void sp_locks_recover(struct sp_session *s, sp_u32 owner);
/*
 * Conditions.  sp_refresh_all() looks at each of them, where no other handler can run: after the begin probes, before
 * anything is planted.  From then on each handler that changes what they hang on does so, and where one has changed calls
 * sp_plat_rearm(), upon which the back end arms and disarms its events when it gets to it; a hit that comes in between
 * is let go by sp_run_probe().
 */
void sp_refresh_all(struct sp_ctx *c);
static inline sp_bool sp_is_armed(struct sp_session *s, const struct sp_probe *probe)
{
	return !probe->condition ||
	       __atomic_load_n((sp_u32 *)sp_at(s, s->armed_off) + (probe->condition - 1), __ATOMIC_RELAXED);
}
/* For the report of -t: the session's start, begin probes and planting included, took from @from (sp_timing_now()). */
void sp_timing_started(struct sp_session *s, sp_u64 from);
sp_u64 sp_timing_now(void);				/* in the unit of the report */
/* Moves the session on; false where its state was not @from.  SP_STARTING to SP_RUNNING is the back end's to do. */
sp_bool sp_state_change(struct sp_session *s, enum sp_state from, enum sp_state to);
/*
 * The closing lines about errors, skips and losses, each told to @line, to be shown after "WARNING: "; nothing
 * where all is well.
 */
void sp_summary(struct sp_session *s, void (*line)(void *data, const char *text), void *data);
/*
 * The probe hit report (-t), in pieces told to @put, to be written after the script's own output; nothing where it was not
 * asked for.  Called once no probe can run any more.
 */
void sp_timing_report(struct sp_session *s, void (*put)(void *data, const char *text, sp_u32 n), void *data);

/* ---- transport ------------------------------------------------------------------------------------ */

enum sp_record_kind {
	SP_REC_OUTPUT = 1,		/* bytes for standard output */
	SP_REC_WARNING,			/* text, shown after "WARNING: " */
	SP_REC_ERROR,			/* text, shown after "ERROR: " */
	SP_REC_EXIT,			/* exit() was called: no payload */
};

/* A record in a ring: this header, then @len bytes, padded to 8. */
struct sp_record {
	sp_u64 seq;			/* place in the order of all rings */
	sp_u32 len;
	sp_u32 kind;			/* enum sp_record_kind */
};

/* A ring with one producer and one consumer; positions only grow, place in the data is position mod size. */
struct sp_ring {
	sp_u64 head;			/* written by the producer, released after the record */
	sp_u64 pad0[7];
	sp_u64 tail;			/* written by the consumer */
	sp_u64 lost;			/* records that found no room */
	sp_u32 size;			/* bytes of data, a power of two */
	sp_u32 pad1;
	sp_u64 pad2[5];
	char data[];
};
/*
 * Appends one record whole, or counts it lost.  The sequence number is taken from @seq only once there is
 * room, so that numbers have no gaps.  The caller is the ring's only producer.  Returns whether it fitted.
 */
sp_bool sp_ring_put(struct sp_ring *r, sp_u64 *seq, enum sp_record_kind kind, const void *data, sp_u32 len);

/* Gives the oldest record up.  Only where the ring has no consumer for now, and by its producer.  False: it is empty. */
sp_bool sp_ring_drop(struct sp_ring *r);

/* ---- symbols of an object file ------------------------------------------------------------------------ */

/*
 * Made once for each file, from its .symtab or else .dynsym: what is named, sorted by address, one name for each address.
 * Where the file has rows for unwinding that its processes do not have sorted (.eh_frame without .eh_frame_hdr) or not mapped
 * (.debug_frame), they are here, too.  Offsets only, since processes map it at different addresses.
 */
struct sp_symbols {
	sp_u64 load;			/* link-time address that the file's first byte would have */
	sp_u64 frames_addr;		/* of the section of rows */
	sp_u32 frames_off, frames_size;	/* a copy of it, from the start of this struct; 0: none */
	sp_u32 fdes_off, nfdes;		/* struct sp_fde, its entries by the code they cover */
	sp_u32 frames_debug;		/* it is .debug_frame */
	sp_u32 n;
	sp_u32 names_off, names_size;	/* NUL-terminated names, from the start of this struct */
	sp_u32 build_id_len;		/* 0: has none */
	sp_u8 build_id[32];
	struct sp_symbol {
		sp_u64 addr;		/* link-time */
		sp_u32 size;
		sp_u32 name;		/* offset among the names; with SP_SYMBOL_GUESSED where the file does not tell the size, ... */
	} symbols[];
};
struct sp_fde {
	sp_u64 start;			/* link-time */
	sp_u64 at;			/* of the entry, as .frames_addr counts */
};
#define SP_SYMBOL_GUESSED 0x80000000u
#define SP_SYMBOL_CHOOSES 0x40000000u	/* it names what the function there chooses (STT_GNU_IFUNC) */
#define SP_SYMBOL_NAME 0x3fffffffu
#define SP_SYMBOLS_MAX (256u << 20)	/* bytes of one file's */

/* A file to make them of.  The caller sets .read and .file, the rest is the maker's. */
struct sp_symbols_source {
	sp_bool (*read)(void *file, void *dst, sp_u64 offset, sp_size n);	/* all or nothing */
	void *file;
	sp_u64 sections;		/* offset of the section headers */
	sp_u32 nsections;
	sp_u64 table, names;		/* offsets in the file */
	sp_u32 ntable, names_size;
	sp_u64 load;
	sp_bool has_symtab;		/* it is not only what the dynamic linker needs */
	void *frames_file;		/* where the rows are */
	sp_u64 frames, frames_addr;
	sp_u32 frames_size;
	sp_bool frames_debug, frames_mapped;	/* the last: as .eh_frame_hdr, and nothing else is to be had */
	sp_u32 build_id_len;
	sp_u8 build_id[32];
};
#define SP_SPLIT_PATH_MAX 128
/* Where a file of symbols that was split off lies, by build-id, into @path; false: @s has no build-id. */
sp_bool sp_symbols_split_path(const struct sp_symbols_source *s, char path[SP_SPLIT_PATH_MAX]);
/* @split, opened, stands for the symbols of @s: what only the object itself knows is taken over.  Bytes as above. */
sp_u64 sp_symbols_split(const struct sp_symbols_source *s, struct sp_symbols_source *split);
/* Looks at the headers.  Bytes that a table of the file takes; 0: it is no ELF64 file of this byte order. */
sp_u64 sp_symbols_open(struct sp_symbols_source *s);
/* Fills @table, of that size, which need not be zeroed.  May sleep where .read does.  False: the file makes no sense. */
sp_bool sp_symbols_make(struct sp_symbols_source *s, struct sp_symbols *table);

/* ---- what a back end supplies --------------------------------------------------------------------- */

/* Target memory: all or nothing.  peek never sleeps and never brings a page in; read may do both. */
sp_bool sp_plat_peek(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n);
sp_bool sp_plat_read(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n);
/* @n is 1, 2, 4 or 8; may sleep and bring the page in, where the program itself could write it. */
sp_bool sp_plat_write(struct sp_ctx *c, const void *src, sp_uaddr addr, sp_size n);
sp_bool sp_plat_peek_kernel(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n);
/* A record of this context; returns whether it fitted.  core counts a record that did not in SP_LOST_OUTPUT. */
sp_bool sp_plat_emit(struct sp_ctx *c, enum sp_record_kind kind, const void *data, sp_u32 len);
/* Who holds a lock: the lane (user) or context (kernel), 1 .. 2^31-1. */
sp_u32 sp_plat_owner(struct sp_ctx *c);
void sp_plat_relax(void);				/* between two tries of a lock: a microsecond or so */
sp_bool sp_plat_sleep(sp_u32 us);			/* the script holds no lock as a writer; false: this context may not sleep */
/* Whether the owner is an earlier hit of the same thread, which can not go on before this one has ended. */
sp_bool sp_plat_is_self(struct sp_ctx *c, sp_u32 owner);
void sp_plat_state_changed(struct sp_session *s);	/* wake whoever waits for the session's end */
void sp_plat_rearm(struct sp_session *s);		/* any context: a condition has changed */
sp_u64 sp_plat_mono_ns(void);
sp_u64 sp_plat_real_ns(void);
sp_u64 sp_plat_cycles(void);
sp_u32 sp_plat_cpu(void);
/*
 * How many lanes (core/lanes.c) a counted array has, a power of two of at most 32, or 0: it had better have none.
 * *bytes: what one of them may take.  Always the same in a session.
 */
sp_u32 sp_plat_lanes(sp_u32 *bytes);
/* Which of them, modulo their number: others that count at this moment had better get another one, but need not. */
sp_u32 sp_plat_lane(struct sp_ctx *c);
/*
 * A frame that a chain has come to.  Where it is of the runtime's own code, amid which a signal came, it becomes the one of the
 * program's that was hit.
 */
struct sp_frame;
void sp_plat_frame(struct sp_ctx *c, struct sp_frame *f);
/* An object, or other memory that may be run, as a process has it mapped. */
struct sp_module {
	sp_uaddr start, end;		/* the mapping that holds the address */
	sp_uaddr base, limit;		/* of the whole object: its ELF header, and the end of its last mapping; 0: no object */
	sp_u32 file;			/* the back end's number of the file, from 1; 0: none */
	sp_bool executable;
	const char *path;		/* NUL-terminated; good until the session ends */
};
enum sp_answer { SP_NO, SP_YES, SP_LATER };
/*
 * The mapping of @addr in the current process; where there is none (begin, end, timers) as it was in a process before.
 * With @wait it may sleep; without, SP_LATER says that it would have to.
 */
enum sp_answer sp_plat_module(struct sp_ctx *c, sp_uaddr addr, sp_bool wait, struct sp_module *m);
/* The symbols of a module's file.  The same holds. */
enum sp_answer sp_plat_symbols(struct sp_ctx *c, sp_u32 file, sp_bool wait, const struct sp_symbols **s);
enum sp_id { SP_ID_PID, SP_ID_TID, SP_ID_PPID, SP_ID_UID, SP_ID_THREAD_KEY };
sp_i64 sp_plat_id(struct sp_ctx *c, enum sp_id which);	/* THREAD_KEY: any number unique to the living thread */
void sp_plat_execname(struct sp_ctx *c, char name[16]);
sp_u64 sp_plat_thread_pointer(struct sp_ctx *c);	/* of a hit in user code: the fs base */
sp_bool sp_plat_object_bias(struct sp_ctx *c, sp_u32 object, sp_u64 *bias);

#endif
