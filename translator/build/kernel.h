/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime compiled for one kernel, as the cache keeps it: what kernel_runtime.c makes and kernel.c links scripts to.
 *
 *	<cache>/runtime/<hash>/
 *		runtime.o	core/ and kernel/, linked; not yet seen by objtool where that runs on the whole module
 *		module.o...	what kbuild links beside it (.mod.o; later kernels have a second)
 *		recipe		the commands for a script, one word a line; see enum recipe_part
 */
#ifndef SPILE_BUILD_KERNEL_H
#define SPILE_BUILD_KERNEL_H

#include "build/build.h"
#include "run/kernels.h"
#include "support/strbuf.h"

/* Sections of a recipe, in this order, each starting with a line "[NAME]".  */
enum recipe_part {
	RECIPE_COMPILE,		/* compiler and flags; -I, -o and the source are added */
	RECIPE_CHECK_OBJECT,	/* objtool on the script's object; empty: not there */
	RECIPE_LINK_PART,	/* ld and flags, of all objects into one; only where objtool runs on that; else empty */
	RECIPE_CHECK_PART,	/* objtool on it */
	RECIPE_LINK,		/* ld and flags of the module; -o and the objects are added */
	RECIPE_OBJECTS,		/* names in the entry that end the link line */
	RECIPE_PARTS
};

struct kernel_runtime {
	const char *dir;		/* the cache entry */
	struct {
		const char **words;	/* NULL-terminated; spare room for 16 more behind it */
		size_t n;
	} parts[RECIPE_PARTS];
};

/* Finds or makes the entry for @tree; NULL after a message.  Everything is in @a. */
const struct kernel_runtime *kernel_runtime_get(struct arena *a, struct diag *d, const struct kernel_tree *tree,
						const char *runtime_dir);

/* Runs kbuild on the folder @dir, which has a Kbuild file, for @tree; what it says goes to @said.  As child_run(). */
int kbuild_run(struct arena *a, const struct kernel_tree *tree, const char *dir, struct strbuf *said);

/* The lines of what a tool @said that tell what went wrong, at most five, as hints; its first lines where none does. */
void build_show_said(struct diag *d, const char *said);

#endif
