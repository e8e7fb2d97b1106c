/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A throwaway guest: boots a kernel in QEMU, runs one command there on the host's files, and vanishes.
 *
 * The guest sees the host's file system at the same paths, as the user who runs spile may read it; what it writes goes
 * to memory and dies with it.  /proc, /sys, /dev are its own.  doc/vm.md says how, and what it costs.
 */
#ifndef SPILE_VM_H
#define SPILE_VM_H

#include <stdbool.h>

#include "run/kernels.h"
#include "support/diag.h"

struct vm_spec {
	const struct kernel_tree *kernel;	/* with an image */
	const char *guest_init;		/* path of the installed spile-guest-init */
	const char *const *argv;	/* NULL-terminated; argv[0] is looked up in the PATH of env */
	const char *const *env;		/* NULL-terminated; NULL: the caller's */
	const char *cwd;		/* NULL: the caller's */
	int stdin_fd;			/* -1: /dev/null */
	int stdout_fd, stderr_fd;	/* where the command's output goes; not closed */
	unsigned memory_mb, cpus;	/* 0: VM_MEMORY_MB; the host's (half of them without KVM), VM_CPUS_MOST at most */
	bool progress;			/* show on d's stream that it boots, and take that back (a terminal) */
	bool console;			/* copy the guest kernel's messages to d's stream */
};

#define VM_MEMORY_MB	1024
#define VM_CPUS_MOST	4

enum vm_end {
	VM_EXITED,		/* value: the command's exit status */
	VM_SIGNALED,		/* value: the signal that killed it */
	VM_INTERRUPTED,		/* value: the host's signal that made us give up the guest */
	VM_FAILED,		/* the command did not run to its end; told through d */
};

struct vm_result {
	enum vm_end end;
	int value;
	unsigned boot_ms;	/* from the start of QEMU to the guest's first word; 0: it said none */
};

/* Whether there is what a guest runs on; false after a message. */
bool vm_possible(struct arena *a, struct diag *d);

/*
 * Runs the command as root in a fresh guest and returns when it has ended.  Standard output and error arrive byte for
 * byte, apart from each other unless stdout_fd and stderr_fd are one file.  Processes the command leaves behind die
 * with the guest.
 *
 * SIGINT, SIGTERM and SIGHUP are taken over meanwhile (they must not be caught in another thread): the first reaches
 * the command as SIGINT, its whole process group where it came from the terminal; the next one, or one before
 * the command runs, ends the guest.  However the caller dies, QEMU dies too; no file is made on the host.
 */
struct vm_result vm_run(const struct vm_spec *spec, struct diag *d);

#endif
