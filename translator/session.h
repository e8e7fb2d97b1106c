/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one run of spile was asked to do.  Filled by options.c, const to every pass. */
#ifndef SPILE_SESSION_H
#define SPILE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

enum runtime { RUNTIME_AUTO, RUNTIME_USER, RUNTIME_KERNEL };

struct define { const char *name, *value; struct define *next; };	/* -D NAME=VALUE; value "1" where not given */

struct options {
	const char *script_file;	/* FILE, "-" for standard input, or NULL */
	const char *script_text;	/* -e */
	int nargs;			/* script arguments */
	char **args;
	int last_pass;			/* -p; 5 */
	unsigned verbose;		/* -v, each adds one */
	bool guru, keep, no_warnings, warnings_fail, unoptimised;	/* -g -k -w -W -u */
	bool list, list_vars;		/* -l, -L: script_text holds the probe point */
	const char *command;		/* -c */
	int64_t target_pid;		/* -x; 0: none */
	const char *output;		/* -o */
	bool timing;			/* -t */
	const char *module_name;	/* -m */
	double timeout_s;		/* -T; 0: none */
	struct define *defines;		/* -D, in order */
	const char **library_dirs;	/* -I, NULL-terminated */
	const char *kernel_release;	/* -r, or NULL */
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
};

#endif
