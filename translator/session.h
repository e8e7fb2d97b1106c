/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one run of spile was asked to do.  Filled by options.c, const to every pass. */
#ifndef SPILE_SESSION_H
#define SPILE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* The version of the language that is followed where --compatible names no older one. */
#define LANGUAGE_VERSION "5.6"

enum runtime { RUNTIME_AUTO, RUNTIME_USER, RUNTIME_KERNEL };
enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };
enum dump { DUMP_NONE, DUMP_PROBE_TYPES, DUMP_PROBE_ALIASES, DUMP_FUNCTIONS };
enum privilege { PRIVILEGE_STAPUSR, PRIVILEGE_STAPSYS, PRIVILEGE_STAPDEV };	/* from few rights to all */
enum { STAGES = 5 };

struct define { const char *name, *value; struct define *next; };	/* -D NAME=VALUE; value "1" where not given */

struct options {
	const char *script_file;	/* FILE, "-" for standard input, or NULL */
	const char *script_text;	/* -e */
	int nargs;			/* script arguments */
	char **args;
	int last_pass;			/* -p; 5 */
	const char **extra_scripts;	/* -E, NULL-terminated */
	unsigned verbose;		/* of the stage that runs now: -v, each adds one, and --vp */
	unsigned verbose_by_stage[STAGES + 1];	/* [1] and up; [0]: what is before the first */
	bool guru, keep, no_warnings, warnings_fail, unoptimised;	/* -g -k -w -W -u */
	bool skip_badvars;		/* --skip-badvars */
	bool list, list_vars;		/* -l, -L: script_text holds the probe point */
	enum dump dump;			/* --dump-... */
	bool example;			/* --example: script_file is a name below the examples */
	const char *compatible;		/* --compatible, or LANGUAGE_VERSION; never NULL */
	bool check_version;
	bool no_autoprint, keep_going;	/* --no-global-var-display, --semantic-keep-going */
	enum privilege privilege;
	enum when prologue;		/* -P; auto: where code is not optimised */
	enum when colour;
	const char *command;		/* -c */
	int64_t target_pid;		/* -x; 0: none */
	const char *output;		/* -o */
	const char *file_size;		/* -S: MB[,N]; or NULL */
	bool flight, bulk;		/* -F -b */
	int64_t buffer_mb;		/* -s; 0: the runtime's choice */
	const char **remotes;		/* --remote, in order */
	int nremotes;
	bool remote_prefix;		/* --remote-prefix */
	bool timing;			/* -t */
	const char *module_name;	/* -m */
	double timeout_s;		/* -T; 0: none */
	struct define *defines;		/* -D, in order */
	struct define *globals;		/* -G, in order */
	bool suppress_handler_errors, suppress_time_limits;
	const char **library_dirs;	/* -I, NULL-terminated */
	const char *kernel_release;	/* -r, or NULL */
	const char *runtime_dir;	/* -R, or NULL */
	const char *tmpdir;		/* --tmpdir, or NULL */
	struct define *make_vars, *modinfo;	/* -B, --modinfo, in order */
	bool module_debug;		/* --debug */
	bool clean_cache;
	enum runtime runtime;
	bool vm;			/* --vm */
	const char *vm_release;		/* --vm=RELEASE, or NULL */
	bool return_address;		/* --return=address */
};

/* Where the installation is: found from where the program stands, or told by the uninstalled wrapper. */
struct layout {
	const char *runtime_dir;	/* spile.h, core/, kernel/ as source */
	const char *user_object;	/* the compiled user runtime */
	const char *tapset_dir;
	const char *spilerun;		/* the runner program */
	const char *guest_init;		/* a guest's first process (run/vm.h) */
	const char *fetch_kernel;	/* the script that fetches what guests boot (run/kernels.h) */
	const char *examples_dir;	/* what --example looks through */
};

#endif
