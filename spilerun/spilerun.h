/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spilerun: loads a built script, starts or follows the command, prints what the script says, cleans up.
 *
 * main.c owns the way through; a back end (kernel.c, user/backend.c) plugs in by the table below.  All waiting is done in one
 * place, run_wait() in main.c: a back end names the descriptors and the time that may wake it, and never blocks by itself.
 */
#ifndef SPILERUN_H
#define SPILERUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct merge;
struct sp_ring;

/* What the command line asked for; const once parsed. */
struct run_options {
	const char *script;		/* the module or shared object */
	const char *command;		/* -c; NULL: none */
	pid_t pid;			/* -x; 0: none */
	const char *output;		/* -o, conversions not yet expanded; NULL: standard output */
	bool verbose, quiet;		/* -v, -w */
	char **globals;			/* name=value words after the script, NULL at the end */
};

/* The command of -c: forked at once, held until command_release(). */
struct command {
	pid_t pid;			/* 0: there is none, or it was let go for good */
	int gate;			/* write end of the pipe the child waits on; -1: released */
	int failed;			/* read end: an errno arrives where exec failed; -1: closed */
	bool ended;
	int status;			/* as from waitpid(), once .ended */
};

struct run {
	const struct run_options *options;
	const struct backend *backend;
	void *state;			/* the back end's own */
	struct command command;
	struct merge *merge;		/* rings added by the back end, drained by main.c */
	int epoll_fd;
	bool ending;			/* the session is to end; set by run_end() */
	bool broken;			/* an ERROR was printed or a -c command failed: exit status 1 */
};

/*
 * A back end.  Each call returns 0, or -1 after a message by run_error().  Order: open, start, then any number of wake and child, stop, close.
 * close is called after a failed open or start too, and must leave nothing behind.
 */
struct backend {
	const char *name;
	const char *suffix;		/* of the scripts it takes: ".so", ".ko" */
	bool traces_command;		/* the child calls PTRACE_TRACEME before exec */
	/* Loads the script and adds its rings; the command is forked and held. */
	int (*open)(struct run *run);
	/* Runs begin probes, plants, and sets RUNNING.  main.c then calls release. */
	int (*start)(struct run *run);
	/* The command may exec now; returns when probes in it can be hit.  NULL: command_release() is enough. */
	int (*release)(struct run *run);
	/* A watched descriptor is ready, or the tick passed.  Calls run_end() where the script ended. */
	void (*wake)(struct run *run);
	/* Child @pid changed state; @status as from waitpid().  Returns whether it was the back end's affair: false lets main.c take it for the command. */
	bool (*child)(struct run *run, pid_t pid, int status);
	/* Milliseconds until wake is wanted though nothing happened; -1: never. */
	int (*tick_ms)(struct run *run);
	/* Ends the session in order: no new hits, end or error probes run, patches out.  Rings stay readable. */
	void (*stop)(struct run *run);
	/* The closing lines (sp_summary and the like), told by run_warning(). */
	void (*summary)(struct run *run);
	void (*close)(struct run *run);
};
extern const struct backend backend_kernel, backend_user;

/* ---- main.c ------------------------------------------------------------------------------------- */
/* Wakes the back end when @fd becomes readable. */
int run_watch(struct run *run, int fd);
void run_unwatch(struct run *run, int fd);
/* The session ends at the next turn of the loop. */
void run_end(struct run *run);
/* Prints all records that are due.  Safe at any time; main.c calls it after each wake. */
void run_drain(struct run *run);

/* ---- output.c: the only place that writes ------------------------------------------------------- */
int output_open(const char *path);			/* NULL: standard output; strftime conversions expanded */
void output_write(const void *data, size_t n);
/* Writes out what is buffered.  Returns -1 once nobody reads (EPIPE) or the disk is full. */
int output_flush(void);
void run_error(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));		/* "ERROR: " */
void run_warning(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));	/* "WARNING: ", once each */
void run_note(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));		/* with -v only */

/* ---- command.c ---------------------------------------------------------------------------------- */
/* Forks a child that waits at its gate and then execs @text.  Returns -1 after a message. */
int command_start(struct run *run, const char *text, bool traced);
void command_release(struct command *c);		/* opens the gate */
int command_exec_error(struct command *c);		/* errno of a failed exec, 0 where none was told yet */
void command_kill(struct command *c);			/* a command that was never released */
void command_report(struct run *run);			/* the warning about a command that failed */

/* ---- merge.c: rings of many producers, one order ------------------------------------------------ */
/* One record; @text is not NUL-terminated and dies with the call. */
typedef void merge_sink(void *data, unsigned kind, const char *text, size_t n);

/* @first: the number the next record will have when the first ring is added (sp_session.seq). */
struct merge *merge_new(uint64_t first);
void merge_free(struct merge *m);
/* @ring stays the caller's and must outlive the merge or be removed.  Returns -1: out of memory. */
int merge_add(struct merge *m, struct sp_ring *ring);
/* A ring that will be reused by another producer needs no removal: positions only grow. */
void merge_remove(struct merge *m, struct sp_ring *ring);
/* Hands over all records whose turn has come.  Returns how many. */
size_t merge_drain(struct merge *m, merge_sink *sink, void *data);
/* A record later in the order is there, but one before it is still missing. */
bool merge_is_stuck(struct merge *m);
/* Gives the missing records up: their producer is dead.  Returns how many numbers were passed over. */
uint64_t merge_skip(struct merge *m);
uint64_t merge_lost(const struct merge *m);		/* records that found no room, all rings */

#endif
