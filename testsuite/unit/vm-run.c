/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm-run [-k KERNEL] [-m MB] [-c CPUS] [-n] [-i] [-t] [-v] COMMAND [ARG...]: runs a command in a throwaway guest, for
 * t-vm and for people.  -n: take only a kernel that the cache has; -i: hand standard input on; -t: tell how long the
 * boot took; -v: show the guest kernel's messages.  Without a command: prints what is known of the kernel tree.
 * Exit status: the command's; 128 + signal; 125 where it could not be run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/vm.h"

static int tell_tree(const struct kernel_tree *t)
{
	printf("release %s\nimage %s\nmodules %s\nbuild %s\ncc %s\n", t->release, t->image, t->modules_dir,
	       t->build_dir, t->cc ? t->cc : "none");
	for (unsigned i = 0; t->make_vars[i]; i++)
		printf("make %s\n", t->make_vars[i]);
	return 0;
}

static int run(const struct vm_spec *spec, bool tell, struct diag *d)
{
	struct vm_result r = vm_run(spec, d);

	if (tell)
		fprintf(stderr, "boot %u ms\n", r.boot_ms);
	switch (r.end) {
	case VM_EXITED:
		return r.value;
	case VM_SIGNALED:
	case VM_INTERRUPTED:
		return 128 + r.value;
	case VM_FAILED:
		break;
	}
	return 125;
}

int main(int argc, char **argv)
{
	struct kernel_wish wish = { .fetcher = VM_FETCHER };
	struct vm_spec spec = { .guest_init = VM_GUEST_INIT, .stdin_fd = -1, .stdout_fd = 1, .stderr_fd = 2 };
	struct arena *a = arena_new();
	struct diag *d = diag_new(stderr, false);
	bool tell = false;
	int option, status = 125;

	while ((option = getopt(argc, argv, "+k:m:c:nitv")) != -1) {
		switch (option) {
		case 'k': wish.release = optarg; break;
		case 'm': spec.memory_mb = (unsigned)atoi(optarg); break;
		case 'c': spec.cpus = (unsigned)atoi(optarg); break;
		case 'n': wish.fetcher = NULL; break;
		case 'i': spec.stdin_fd = 0; break;
		case 't': tell = true; break;
		case 'v': spec.console = true; break;
		default: return 125;
		}
	}
	spec.progress = isatty(2);
	spec.argv = (const char *const *)argv + optind;
	spec.kernel = kernel_tree_find(a, &wish, d);
	if (spec.kernel)
		status = optind < argc ? run(&spec, tell, d) : tell_tree(spec.kernel);
	diag_free(d);
	arena_free(a);
	return status;
}
