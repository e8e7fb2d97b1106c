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
	const char *script;		/* the module or shared object; with -A and -d a name */
	const char *command;		/* -c; NULL: none */
	pid_t pid;			/* -x; 0: none */
	const char *output;		/* -o, conversions not yet expanded; NULL: standard output */
	unsigned file_mb, file_count;	/* -S: go to the next file at this size, keep so many; 0: no limit */
	bool bulk;			/* -B: a file for each CPU */
	unsigned buffer_mb;		/* -b: size of the buffers; 0: the back end's choice */
	int wake_ms;			/* -T: look at least so often; 0: the back end's choice */
	bool verbose, quiet;		/* -v, -w */
	bool load_only, attach;		/* -L, -A */
	bool background;		/* -D */
	bool remove;			/* -d */
	bool fresh_name;		/* -R */
	int remote_id;			/* -r: which host this is; -1: none of several */
	const char *remote_uri;		/* less than SP_REMOTE_URI bytes */
	bool colour;			/* -C, decided */
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
	int epoll_fd, signal_fd;
	int background_fd;		/* -D: who started us waits for a byte here; -1 */
	unsigned interrupts;		/* how often a signal has asked for the end */
	bool ending;			/* the session is to end; set by run_end() */
	bool leaving;			/* we are to end, the session is not; set by SIGQUIT and -L */
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
	bool has_cpu_rings;		/* ring N is CPU N's */
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
	/*
	 * Lets the session go on without us; close then leaves it alone.  Called before start (-L) or amid a session.
	 * Returns -1 after a message where it cannot be.  NULL: this back end has no such thing.
	 */
	int (*leave)(struct run *run);
	/* What -A takes to find the session again; NULL where leave is. */
	const char *(*session_name)(struct run *run);
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
/* Prints the records that are due as far as the output takes them without a wait; main.c calls it after each wake. */
void run_drain(struct run *run);
/* The same for a session that is over: waits for the output as long as nobody asks us to hurry. */
void run_drain_all(struct run *run);
/* Takes the signals that have come.  The third that asks for the end ends us at once; guardians clean up. */
void run_signals(struct run *run);

/* ---- options.c ---------------------------------------------------------------------------------- */
/* Returns -1 to go on, else the exit status. */
int options_parse(int argc, char **argv, struct run_options *o);

/* ---- output.c: where the script's text goes ----------------------------------------------------- */
int output_open(struct run *run);			/* -1 after a message */
/* The text of one record, of CPU @cpu. */
void output_write(unsigned cpu, uint64_t seq, const char *text, size_t n);
/* Writes out what can be written without a wait. */
void output_flush(void);
bool output_has_room(void);				/* false: records had better stay in their rings */
int output_waits_for(void);				/* the descriptor that pending text waits for; -1: none */
void output_next_file(void);				/* SIGUSR2 */
void output_to_background(void);			/* from now on messages go to the file, too */
/* A message: behind the text that came before it where it ends up in the same place. */
void output_message(const char *text);
/* The session is over: sleeps until pending text can go on.  Whoever asks twice for the end does not want it any more. */
void output_wait(void);
/* Writes the rest, waiting for it, and tells what was lost.  Returns -1 where something was. */
int output_close(void);

/* ---- message.c ---------------------------------------------------------------------------------- */
void run_error(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));		/* "ERROR: " */
void run_warning(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));	/* "WARNING: ", once each */
void run_note(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));		/* with -v only */

/* ---- module.c: modules in and out, by us or after us -------------------------------------------- */
struct module {
	char name[56];			/* under which it is loaded; "": it is not */
	pid_t guardian;			/* a child that removes it where we are killed */
	int guardian_pipe;		/* it reads names; our end of it closes when we die */
};
int module_guard(struct run *run, struct module *m);	/* starts the guardian; -1 after a message */
void module_is_ours(struct module *m);			/* one we did not load: guarded from here on */
int module_load(struct run *run, struct module *m);	/* the script; -1 after a message */
/* Takes it out, unless @leave, and lets the guardian go. */
void module_close(struct run *run, struct module *m, bool leave);
/* spilerun -d: removes a module that nobody is attached to, or all of them ("*").  Returns the exit status. */
int module_remove_named(struct run *run, const char *name);

/* ---- command.c ---------------------------------------------------------------------------------- */
/* Forks a child that waits at its gate and then execs @text.  Returns -1 after a message. */
int command_start(struct run *run, const char *text, bool traced);
void command_release(struct command *c);		/* opens the gate */
int command_exec_error(struct command *c);		/* errno of a failed exec, 0 where none was told yet */
void command_kill(struct command *c);			/* a command that was never released */
void command_report(struct run *run);			/* the warning about a command that failed */

/* ---- merge.c: rings of many producers, one order ------------------------------------------------ */
/* One record; its text is not NUL-terminated and dies with the call. */
struct merge_record {
	unsigned kind;			/* enum sp_record_kind */
	unsigned ring;			/* in the order of merge_add() */
	uint64_t seq;
	const char *text;
	size_t n;
};
/* Returns whether it wants another one. */
typedef bool merge_sink(void *data, const struct merge_record *rec);

/* @first: the number the next record will have when the first ring is added (sp_session.seq). */
struct merge *merge_new(uint64_t first);
void merge_free(struct merge *m);
/* @ring stays the caller's and must outlive the merge or be removed.  Returns -1: out of memory. */
int merge_add(struct merge *m, struct sp_ring *ring);
/* A ring that will be reused by another producer needs no removal: positions only grow. */
void merge_remove(struct merge *m, struct sp_ring *ring);
/* Hands over the records whose turn has come, while the sink wants more.  Returns how many. */
size_t merge_drain(struct merge *m, merge_sink *sink, void *data);
/* A record later in the order is there, but one before it is still missing. */
bool merge_is_stuck(struct merge *m);
/* Gives the missing records up: their producer is dead.  Returns how many numbers were passed over. */
uint64_t merge_skip(struct merge *m);
/* Records numbered below @seq may have been overwritten: those that are missing are passed over. */
void merge_gaps_until(struct merge *m, uint64_t seq);
uint64_t merge_lost(const struct merge *m);		/* records that found no room, all rings */

#endif
