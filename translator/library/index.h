/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside library/: the files found, the names each defines, and the index of names, cached between runs. */
#ifndef SPILE_LIBRARY_INDEX_H
#define SPILE_LIBRARY_INDEX_H

#include <stdint.h>

#include "library/library.h"

enum { LIB_KINDS = LIB_MACRO + 1 };

struct lib_name { enum library_name what; const char *text; struct lib_name *next; };

struct lib_file {
	const char *path;
	size_t root_len;		/* of the library directory's name, at the front of .path */
	const char *executable;		/* below PATH/: what its `process' means; else NULL */
	uint64_t device, inode, size, mtime_ns;
	bool is_macro;			/* .stpm */
	bool is_installed;		/* of the first directory, which --compatible does not bind */
	bool broken;			/* has parse errors: skipped */
	bool read;			/* .script is what parsing gave; of a macro file: its macros are known */
	bool named;			/* .names are known */
	struct lib_name *names;		/* only while an index is made */
	struct script *script;		/* NULL where broken */
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

/* All names, by kind, sorted by text and then by file, in the order of the search. */
struct index {
	struct index_image *image;	/* NULL: none */
	size_t size;
	bool mapped;			/* the file itself; else heap */
};

/*
 * The cached index, where it is of just these files, unchanged, and these conditions; else one with .image NULL, and
 * files that did not change have .named set and their .names filled in.
 */
struct index index_load(struct arena *a, const struct syntax_env *env, struct lib_files *files);
/* Of the names that @files has.  @loose: the macro files have mistakes, so all of them must be read each time. */
struct index index_make(struct arena *a, const struct syntax_env *env, const struct lib_files *files, bool loose);
/* Leaves it for the next run.  Without a usable cache folder it does nothing; old ones go. */
void index_save(struct arena *a, const struct syntax_env *env, const struct lib_files *files, const struct index *x);
void index_close(struct index *x);

bool index_loose(const struct index *x);
bool index_broken(const struct index *x, unsigned file);
unsigned index_count(const struct index *x, enum library_name what);
/* The @i'th name, and the number of its file. */
const char *index_name(const struct index *x, enum library_name what, unsigned i, unsigned *file);
/* The first entry that is not before @name. */
unsigned index_seek(const struct index *x, enum library_name what, const char *name);

#endif
