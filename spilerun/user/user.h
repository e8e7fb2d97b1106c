/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user back end's own state, shared by its files.
 *
 * backend.c	the session: the script loaded, begin to end probes, timers, requests of agents
 * image.c	the script's object as bytes for a target
 * files.c	mapped files: which sites and hooks they hold, and their plan
 * process.c	getting into one process, planting, taking out
 * maps.c	/proc/PID/maps
 * names.c	what is mapped where and the symbols in it, written where agents read it
 * remote.c, plan.c, targets.c, insn.c, stub.c, object.c	tools that know nothing of the session
 */
#ifndef SPILERUN_USER_USER_H
#define SPILERUN_USER_USER_H

#include <pthread.h>

#include "spilerun/spilerun.h"
#include "spilerun/user/plan.h"
#include "spilerun/user/remote.h"
#include "user/shared.h"

/* The script's object as it is written into a target. */
struct image {
	uint8_t *bytes;			/* link address 0 on */
	size_t size;			/* whole pages */
	size_t writable;		/* offset of the part that is written to; up to the end */
	struct { uint64_t at, addend; } *relocs;
	size_t nrelocs;
};
int image_load(struct image *image, const char *path, const char **why);
void image_free(struct image *image);
/* A relocated copy for a target that maps it at @base; the caller frees it. */
uint8_t *image_copy(const struct image *image, uint64_t base);

/* One mapped file that was looked at. */
struct file {
	dev_t dev;
	ino_t ino;
	struct object *object;		/* NULL: not readable, nothing will be planted */
	struct plan *plan;
	uint32_t script_object;		/* SP_USER_NO_OBJECT: none */
	uint64_t *gates;		/* link-time addresses of semaphores */
	size_t ngates;
	uint64_t loader_state;		/* link-time address of the loader's r_debug.r_state; 0: not the loader, not known */
};

struct user_run {
	struct run *run;
	void *handle;			/* of dlopen() */
	const struct sp_user_agent *agent;
	const struct sp_script *script;
	uint64_t agent_base;		/* where our own copy is loaded */
	struct image image;
	int memfd;
	ino_t memfd_ino;
	struct sp_session *session;	/* the shared memory as we map it */
	struct sp_user_shared *shared;
	uint64_t memory_size;
	/* offsets in a target's reservation */
	uint64_t local_off, biases_off, maps_off, stacks_off, shared_off;
	uint64_t names_at, names_end;	/* offsets in the shared memory: room for names that is left */
	struct mapped_file *modules;		/* names.c's, by number - 1 */
	size_t nmodules;
	pid_t maps_pid;			/* whose maps our own copy of the agent looks at; 0: nobody's yet */
	struct { dev_t dev; ino_t ino; } *script_files;	/* by object; .ino 0: not there */
	struct file **files;
	size_t nfiles;
	int pidfds[SP_USER_PROCS];	/* of known processes, -1 */
	pid_t *seized;			/* threads held until they exec */
	size_t nseized;
	struct { int fd; bool armed; } *timers;	/* timerfd of each probe, or -1; whether it runs */
	int bell;			/* eventfd: the doorbell rang */
	pthread_t bell_thread;
	bool bell_runs, bell_stops;
	pid_t guardian;
	int guardian_pipe;
	uint32_t nrings;		/* lanes whose rings are merged */
	uint64_t last_seq;
	uint64_t stuck_since_ns;	/* the merge waits for a record; 0: it does not */
	bool active;			/* agents had work lately: look often */
};

struct mapping {
	uint64_t start, end, off;
	dev_t dev;
	ino_t ino;
	bool exec;
	char *path;
};
struct maps {
	struct mapping *m;
	size_t n;
};
int maps_read(struct maps *maps, pid_t pid);	/* -1 with errno */
void maps_free(struct maps *maps);
/* Where the session's memory is mapped; 0: not in this process. */
uint64_t maps_find_inode(const struct maps *maps, ino_t ino, const char *name);
/* Room of @size for code within reach of jumps from [lo, hi); 0: none. */
uint64_t maps_gap(const struct maps *maps, uint64_t lo, uint64_t hi, uint64_t size);

/* The file of @m, planned at first sight.  NULL: out of memory. */
struct file *file_get(struct user_run *u, const struct mapping *m, pid_t pid, bool is_loader);
void files_free(struct user_run *u);
/* The file of @m as an object; NULL: it cannot be read.  The caller frees it. */
struct object *file_open_mapped(const struct mapping *m, pid_t pid);

/* names.c: nothing is done where the script needs none. */
int names_open(struct user_run *u);		/* for our own copy of the agent */
void names_close(struct user_run *u);
/* Writes into a process, the agent based at @base and @mem its open memory, what it has mapped. */
void names_map(struct user_run *u, pid_t pid, int mem, uint64_t base, const struct maps *maps);
void names_look(struct user_run *u, pid_t pid);	/* the same for a process that runs */
void names_load(struct user_run *u, uint32_t module);	/* its symbols, into the shared memory */

/* Gets the agent into a process whose thread is stopped, with no code of ours in it yet, and plants what is mapped. */
int process_enter(struct user_run *u, struct remote *r);
/* Plants in objects that came, forgets those that went.  -1 with EAGAIN: a thread stands amid a window, let it run on. */
int process_update(struct user_run *u, struct remote *r);
/* Stops a process, takes all patches out, lets it go on. */
void process_leave(struct user_run *u, pid_t pid);
uint64_t process_agent_base(const struct user_run *u, const struct maps *maps);	/* 0: there is no agent in it */
/* The same for every process that maps the session. */
void processes_leave(struct user_run *u);
bool process_is_dying(pid_t pid);	/* or dead, or errno says so: what fails on it is no news */
/* A slot for a process just entered: its index. */
int process_slot(struct user_run *u, pid_t pid);
void process_slot_free(struct user_run *u, uint32_t slot);

#endif
