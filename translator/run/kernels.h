/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel trees: a kernel to boot in a throwaway guest, its modules, and the headers a module for it is built with.
 * They are Debian's packages, unpacked (not installed) below kernel_cache_dir(), fetched once where they are missing.
 *
 *	<cache>/kernels/<release>/	whole or absent: a tree is made elsewhere and moved here
 *		vmlinux			unpacked from boot/vmlinuz-<release>: boots 3 s sooner
 *		boot/ lib/modules/<release>/ usr/src/ usr/lib/linux-kbuild-<version>/
 */
#ifndef SPILE_KERNELS_H
#define SPILE_KERNELS_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/diag.h"

struct kernel_tree {
	const char *release;		/* as uname -r gives it: "6.1.0-57-amd64" */
	const char *image;		/* what to boot, vmlinux or vmlinuz; NULL for the running kernel */
	const char *modules_dir;	/* the folder that is /lib/modules/<release> on a machine running it */
	const char *build_dir;		/* for make -C; NULL: no headers */
	const char *cc;			/* the compiler to build with, by name; NULL: none of use was found */
	const char *const *make_vars;	/* NULL-terminated, to be added to make's arguments: "CC=gcc-12", ... */
};

struct kernel_wish {
	const char *release;	/* "6.1" (its newest), "6.1.0-57-amd64"; NULL or "": KERNEL_DEFAULT */
	const char *fetcher;	/* path of the installed fetch-kernel; NULL: take what the cache has, fetch nothing */
	bool build;		/* a compiler is wanted too: it is an error where there is none */
};

#define KERNEL_DEFAULT "6.1"

/* $SPILE_CACHE; else /var/cache/spile for root, $XDG_CACHE_HOME/spile or ~/.cache/spile for others.  In @a. */
const char *kernel_cache_dir(struct arena *a);

/*
 * The tree a wish asks for.  Looks in the user's cache and in root's, then fetches into the user's: about 90 MB over the
 * network, 480 MB on disk, progress through diag_say().  Two that fetch at once do so one after the other.
 * Returns the tree, in @a; NULL after a message through @d that names what is missing and what supplies it.
 */
const struct kernel_tree *kernel_tree_find(struct arena *a, const struct kernel_wish *wish, struct diag *d);

/* The running kernel's headers, as installed on this machine.  NULL after a message through @d. */
const struct kernel_tree *kernel_tree_running(struct arena *a, struct diag *d);

#endif
