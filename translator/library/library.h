/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script library: which tapset file defines a name, and its tree when needed. */
#ifndef SPILE_LIBRARY_H
#define SPILE_LIBRARY_H

#include "elaborate/program.h"
#include "syntax/syntax.h"

struct library;

/* Indexes the tapset folders; a file is read when a name in it is asked for.  Never NULL. */
struct library *library_open(struct program *p, const struct syntax_env *env);
void library_close(struct library *l);
const struct macros *library_macros(const struct library *l);

enum library_name { LIB_FUNCTION, LIB_GLOBAL, LIB_ALIAS, LIB_MACRO };
/* The parsed files that define @name, in search order; NULL where no file does.  *n: how many. */
struct script *const *library_find(struct library *l, enum library_name what, const char *name, unsigned *n);
/* How many files the search found: scripts and macro files. */
unsigned library_files(const struct library *l);
/* The tree of the @i-th of them, in search order; NULL where it has errors, and for macro files. */
struct script *library_script(struct library *l, unsigned i);
/* True where @path is one of the files found. */
bool library_has_file(const struct library *l, const char *path);
/* All names of a kind, sorted, for near-name hints, wildcards and dumps. */
const char *const *library_names(struct library *l, enum library_name what, unsigned *n);

#endif
