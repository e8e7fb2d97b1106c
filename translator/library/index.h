/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside library/: the files found, the names each defines, and the cached copy of that. */
#ifndef SPILE_LIBRARY_INDEX_H
#define SPILE_LIBRARY_INDEX_H

#include <stdint.h>

#include "library/library.h"

enum { LIB_KINDS = LIB_ALIAS + 1 };

struct lib_name { enum library_name what; const char *text; struct lib_name *next; };

struct lib_file {
	const char *path;
	uint64_t device, inode, size, mtime_ns;
	bool is_macro;			/* .stpm */
	bool named;			/* names are known */
	bool broken;			/* has parse errors: skipped */
	struct lib_name *names;
	struct script *script;		/* once parsed */
};

struct lib_files {
	struct lib_file *file;
	unsigned n, room;
};

/*
 * search_library - the files of the tapset folders in the order of cli.md 3.1, each relative name and inode once.
 * Strings in @a; files->file is on the heap.
 */
void search_library(struct arena *a, const struct program *p, const struct syntax_env *env, struct lib_files *files);

/*
 * The cached index: what files of the same path, size and time defined when they were last parsed under the same
 * conditions.  index_load() fills .names of the ones it knows; index_save() writes all.  Without a usable cache
 * folder both do nothing.
 */
void index_load(struct arena *a, const struct syntax_env *env, struct lib_files *files);
void index_save(struct arena *a, const struct syntax_env *env, const struct lib_files *files);

#endif
