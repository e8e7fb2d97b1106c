/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the agent in a target and spilerun both see: the shared memory, and what spilerun writes into a target.
 *
 * Shared memory, mapped by spilerun and every target: struct sp_session (platform.h) at the start, then struct
 * sp_user_shared, then the lanes.  Offsets only: each process maps it elsewhere.
 *
 * In a target, one reservation: the image of the script's object (agent included), struct sp_user_local, the table of
 * load biases, the stacks, the shared memory.  Beside each probed object, within the reach of a jump: struct sp_user_plot with its
 * descriptors, stubs and the book of what the patches replaced.  All of it is found again from the address of the
 * shared memory in /proc/PID/maps, so that a fork child nobody knew of, or one left by a dead spilerun, can be mended.
 *
 * How a script's object is made (flags in the files cflags and ldflags beside this header, one a line, # for comments):
 *	cc <cflags> -I<runtime> -c script.c -o script.o
 *	ld <ldflags> -o script.so script.o <lib>/user-runtime.o
 */
#ifndef SPILE_USER_SHARED_H
#define SPILE_USER_SHARED_H

#include "../platform.h"

#define SP_USER_MAGIC 0x656c6970u		/* "pile" */
#define SP_USER_PROCS 1024u
#define SP_USER_LANES 1024u
#define SP_USER_REQUESTS 64u
#define SP_USER_PAGES 64u			/* of the program's that one hit remembers */
#define SP_USER_HITS 4096u			/* numbers of hits: as many as a page has addresses */
#define SP_USER_THREADS 4096u			/* a power of two: hash table of a process's threads */
#define SP_USER_STACK (128u << 10)
#define SP_USER_OUT (16u << 10)
#define SP_USER_RING (256u << 10)		/* where nothing else is asked for; and the most there may be */
#define SP_USER_RING_MAX (1u << 31)
#define SP_USER_ARENA (64u << 10)		/* and 64 longest strings */

/* A process with patches in it.  Claimed by spilerun, or by a fork child at its first hit. */
struct sp_user_proc {
	sp_u32 pid;				/* 0: free */
	sp_u32 known;				/* spilerun has taken notice */
};

enum sp_user_request_kind {
	SP_REQ_MAPS = 1,			/* the loader has new objects mapped, or none of the old */
	SP_REQ_EXEC,				/* the thread is about to exec: seize it */
	SP_REQ_EXEC_FAILED,			/* it did not: let it go */
	SP_REQ_LOOK,				/* an address is in nothing known to be mapped: look again */
	SP_REQ_NAMES,				/* the symbols of module .module are wanted */
};
enum { SP_REQ_FREE, SP_REQ_FILLING, SP_REQ_POSTED, SP_REQ_DONE };

/* A thread that waits for spilerun. */
struct sp_user_request {
	sp_u32 state;				/* futex; SP_REQ_FREE ... */
	sp_u32 kind;
	sp_u32 pid, tid;
	sp_u32 module;
	sp_u32 pad;
};

/*
 * A file that some process has mapped.  Its path and, once asked for, its symbols are in the shared memory; spilerun alone
 * writes them, and releases .state after all that it stands for.
 */
enum sp_user_names { SP_NAMES_UNKNOWN, SP_NAMES_READY, SP_NAMES_NONE };
struct sp_user_module {
	sp_u32 state;				/* enum sp_user_names */
	sp_u32 pad;
	sp_u64 path, symbols;			/* offsets from the session's start */
};
#define SP_USER_MODULES 1024u
#define SP_USER_NAMES (512u << 20)		/* room for paths and symbols: what is not filled takes no memory */

struct sp_user_shared {
	sp_u32 magic;
	sp_u32 gone;				/* spilerun is dead: ask nothing of it */
	sp_u64 lanes_off, lane_size;
	sp_u32 ring_bytes;			/* data in each lane's ring, a power of two */
	sp_u32 pad;
	sp_u32 lanes_used;			/* lanes ever taken: rings to look at */
	sp_u32 doorbell;			/* futex: raised for each request, and when output is urgent */
	struct sp_user_proc procs[SP_USER_PROCS];
	struct sp_user_request requests[SP_USER_REQUESTS];
	struct sp_user_module modules[SP_USER_MODULES];	/* by number - 1 */
};

enum sp_user_busy {
	SP_LANE_FREE,
	SP_LANE_ENTERED,			/* taken, but the thread is still on the program's stack */
	SP_LANE_RUNS,				/* a handler runs on the lane's stack */
};

/*
 * A lane: all that one thread needs to run a handler.  The thread is known by its fs base.  Its number, from 1,
 * is the owner of locks (sp_plat_owner).
 */
struct sp_user_lane {
	struct sp_regs regs;			/* first: entry.S stores xmm registers into it */
	sp_u32 proc;				/* its process's slot + 1; 0: free */
	sp_u32 busy;				/* enum sp_user_busy */
	sp_u64 sp;				/* the target's rsp at that hit */
	sp_u32 number;
	sp_u32 home;				/* the thread's first lane: which thread it is, whatever lane a hit has */
	sp_u32 tid;				/* of the thread that claimed it */
	sp_u32 hit;				/* a number of the hit, never 0: below SP_USER_HITS */
	sp_u32 futex;				/* nobody waits for it: see plat.c */
	sp_u16 cpu, cpu_looks;			/* where the thread was when last looked at, and for how many looks that will do */
	sp_u32 looked;				/* this hit has asked for the maps to be looked at again */
	sp_u32 pad1;
	sp_u64 pages[SP_USER_PAGES];		/* found readable: by number, with that of the hit below it */
	sp_i64 ids[2];				/* pid and tid of this hit, 0: not asked yet */
	struct sp_ctx ctx;
	/* then, by offsets below: arena, staged output, ring */
};
#define SP_USER_LANE_HEAD 4096u
/*
 * The stacks that handlers run on, by lane number, are memory of the process's own: a signal handler of the program's may
 * come amid a probe handler, run on such a stack and fork, and then parent and child go on there both.  It may also want
 * more than one stack has; so there is room below the first, and below the others are stacks that are rarely in use.
 */
#define SP_USER_STACKS_ROOM (8u << 20)
static inline sp_u64 sp_user_stack_end(sp_u32 lane)	/* offset in the process's stacks */
{
	return SP_USER_STACKS_ROOM + (sp_u64)lane * SP_USER_STACK;
}
#define SP_USER_STACKS (SP_USER_STACKS_ROOM + (sp_u64)SP_USER_LANES * SP_USER_STACK)
_Static_assert(sizeof(struct sp_user_lane) <= SP_USER_LANE_HEAD, "a lane's head is one page");

static inline sp_u64 sp_user_arena_size(const struct sp_script *script)
{
	return (SP_USER_ARENA + sp_chain_bytes(script) + 64ull * script->limits.maxstringlen + 4095) & ~4095ull;
}
static inline sp_u64 sp_user_ring_off(const struct sp_script *script)
{
	return SP_USER_LANE_HEAD + sp_user_arena_size(script) + SP_USER_OUT;
}
static inline sp_u64 sp_user_lane_size(const struct sp_script *script, sp_u64 ring_bytes)
{
	return (sp_user_ring_off(script) + sizeof(struct sp_ring) + ring_bytes + 4095) & ~4095ull;
}
static inline sp_u64 sp_user_shared_off(const struct sp_script *script, sp_u64 session_size)
{
	(void)script;
	return (session_size + 4095) & ~4095ull;
}

/*
 * What a process has mapped, by address: objects, and other memory that may be run.  It is the process's own memory, so that
 * a fork child has it, and spilerun alone writes it.
 */
struct sp_user_maps {
	sp_u32 version;				/* odd: it is being written */
	sp_u32 n;
	struct sp_user_mapping {
		sp_u64 start, end;
		sp_u64 base, limit;		/* as in struct sp_module */
		sp_u32 module;			/* number; 0: no file */
		sp_u32 executable;
	} m[];
};
#define SP_USER_MAPPINGS 4096u
static inline sp_u64 sp_user_maps_size(const struct sp_script *script)
{
	if (!(script->needs & (SP_NEEDS_CHAIN | SP_NEEDS_NAMES)))
		return 0;
	return (sizeof(struct sp_user_maps) + SP_USER_MAPPINGS * sizeof(struct sp_user_mapping) + 4095) & ~4095ull;
}

/* Private memory that a fork child finds zeroed (MADV_WIPEONFORK), so it knows that it is new. */
struct sp_user_local {
	sp_u32 ready;				/* 0: new; 1: being set up; 2: ready */
	sp_u32 proc;				/* slot in procs */
	sp_u64 setter;				/* fs base + 1 of the thread that sets it up */
	struct sp_user_thread {
		sp_u64 key;			/* fs base + 1; 0: free */
		sp_u32 lane;			/* number; 0: not had yet */
		sp_u32 pad;
	} threads[SP_USER_THREADS];
};

/* Written by spilerun into the image before anything of it runs. */
struct sp_user_config {
	struct sp_session *session;		/* where this process has the shared memory */
	struct sp_user_shared *shared;
	struct sp_user_local *local;
	sp_u64 *biases;				/* by object; SP_USER_NOT_MAPPED */
	struct sp_user_maps *maps;		/* in spilerun: those of a process as they were last; NULL: not needed */
	char *stacks;				/* sp_user_stack_end() */
	sp_u64 vdso_clock;			/* __vdso_clock_gettime, 0: none */
	sp_u64 loader_state;			/* address of r_debug.r_state; 0: not known, ask always */
	sp_u64 plots;				/* address of the first plot */
	sp_u32 fsgsbase;			/* rdfsbase may be used */
	sp_u32 fs_self;				/* the word at %fs:0 is the fs base; found out at a hit */
	sp_u32 host;				/* this is spilerun */
	void (*host_names)(sp_u32 module);	/* spilerun's own: what SP_REQ_NAMES asks of it */
};
#define SP_USER_NOT_MAPPED (~0ull)

enum sp_user_hook { SP_HOOK_SITES, SP_HOOK_LOADER, SP_HOOK_EXEC, SP_HOOK_EXEC_FAILED };
#define SP_DESC_PUSHFQ 1u			/* the saved flags are rflags, not lahf's and seto's */

/* One hooked instruction.  Its stub passes the address. */
struct sp_user_desc {
	sp_u64 run_addr;			/* the instruction */
	sp_u64 bias;				/* of its object */
	sp_u32 site, nsites;			/* SP_HOOK_SITES: in the script's table */
	sp_u32 hook;				/* enum sp_user_hook */
	sp_u32 flags;
	sp_u64 armed;				/* address of the word that the stub tests first; 0: it does not */
};

enum sp_user_patch_kind {
	SP_PATCH_NONE,				/* not carried out */
	SP_PATCH_CODE,				/* bytes under a jump */
	SP_PATCH_GATE,				/* a semaphore of 16 bits, raised by one */
};

/* One patch: what the object's bytes were. */
struct sp_user_patch {
	sp_u64 run_addr;
	sp_u32 kind;				/* enum sp_user_patch_kind */
	sp_u32 len;
	sp_u8 bytes[16];
};

#define SP_USER_NO_OBJECT (~0u)

/* All that was put beside one object. */
struct sp_user_plot {
	sp_u64 next;				/* address of another plot */
	sp_u64 size;				/* of the whole area */
	sp_u64 bias;
	sp_u64 patches;				/* address of struct sp_user_patch[npatches] */
	sp_u32 npatches;
	sp_u32 object;				/* index in the script; SP_USER_NO_OBJECT: the loader, a C library */
	sp_u64 code, code_end;			/* the stubs */
	sp_u64 traps;				/* address of struct sp_user_trap[ntraps] */
	sp_u64 ntraps;
};

/* A breakpoint, and where its thread goes on. */
struct sp_user_trap {
	sp_u64 run_addr, stub;
};

/* Registers as entry.S leaves them on the target's stack, lowest first. */
struct sp_user_frame {
	sp_u64 r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rbx, rcx, rdx;
	sp_u64 ret, flags, rax;
};
#define SP_USER_FRAME_BELOW (3 * 8 + 128)	/* from .ret to the target's rsp: ret, flags, rax, red zone */

/* What the script's object exports, as `sp_agent'. */
struct sp_user_agent {
	sp_u32 abi;				/* SP_ABI */
	sp_u32 size;				/* of this struct */
	const struct sp_script *script;
	struct sp_user_config *config;
	void (*entry)(void), (*entry_fp)(void);	/* where stubs go */
	void (*trap)(int signal, void *info, void *context);	/* handler of SIGTRAP, and how it returns */
	void (*trap_return)(void);
	/* called by spilerun in its own copy */
	sp_u64 (*session_size)(const struct sp_script *script);
	void (*session_init)(struct sp_session *s, const struct sp_script *script);
	const char *(*session_set)(struct sp_session *s, const char *word);
	void (*summary)(struct sp_session *s, void (*line)(void *data, const char *text), void *data);
	void (*timing_report)(struct sp_session *s, void (*put)(void *data, const char *text, sp_u32 n), void *data);
	void (*locks_recover)(struct sp_session *s, sp_u32 owner);
	void (*host_run)(const struct sp_probe *probe);	/* in the lane of spilerun; config must be set */
	void (*tell_skips)(void);		/* the same: sp_tell_skips() */
	void (*refresh_all)(void);		/* the same: sp_refresh_all() */
	sp_u64 (*symbols_open)(struct sp_symbols_source *s);
	sp_bool (*symbols_split_path)(const struct sp_symbols_source *s, char path[SP_SPLIT_PATH_MAX]);
	sp_u64 (*symbols_split)(const struct sp_symbols_source *s, struct sp_symbols_source *split);
	sp_bool (*symbols_make)(struct sp_symbols_source *s, struct sp_symbols *table);
	sp_u64 (*timing_now)(void);
	void (*timing_started)(struct sp_session *s, sp_u64 from);
};

#endif
