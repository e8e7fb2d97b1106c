/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C file to loadable object, through a content-addressed cache. */
#ifndef SPILE_BUILD_H
#define SPILE_BUILD_H

#include "session.h"
#include "support/arena.h"
#include "support/diag.h"

struct kernel_tree;

struct build_job {
	const char *c_file;		/* the emitted C file */
	const char *embedded;		/* text of its unit of embedded C, or NULL */
	const char *constants;		/* text of the unit that gives @const their values, or NULL */
	unsigned nconstants;
	const struct span *constant_spans;
	const struct source *const *sources;	/* of the scripts that bring C; NULL-terminated */
	const char *work_dir;		/* for temporary files; the caller removes it */
	const char *name;		/* module name, [a-z0-9_]+ */
	const struct layout *layout;
	unsigned verbose;
	const struct define *make_vars;	/* kernel runtime: variables for the kernel's make, or NULL */
	bool debug;			/* keep debug information */
	bool *from_cache;		/* set where the object was there already; or NULL */
	const char *kernel_release;	/* kernel runtime: NULL for the running kernel; "" for the usual one of guests */
	const struct kernel_tree *kernel;	/* its tree, where the caller has it already (run/kernels.h); else NULL */
};

/* Path of the built object in @a (in work_dir, or in the cache); NULL with the reason told to @d. */
const char *build_user(struct arena *a, struct diag *d, const struct build_job *job);
const char *build_kernel(struct arena *a, struct diag *d, const struct build_job *job);

#endif
