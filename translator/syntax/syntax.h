/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tree and back: what the other rooms may ask of syntax/. */
#ifndef SPILE_SYNTAX_H
#define SPILE_SYNTAX_H

#include <stdio.h>

#include "support/diag.h"
#include "syntax/ast.h"

/* What preprocessor conditions and script arguments are resolved against.  All borrowed. */
struct syntax_env {
	const char *kernel_vr;		/* "6.1.0-57-amd64"; kernel_v is the part before the first '-' */
	const char *arch;		/* "x86_64" */
	const char *runtime;		/* "user" or "kernel" */
	const char *version;		/* systemtap_v: --compatible or the version we follow */
	bool check_version;		/* warn where a script hangs on it */
	const char *privilege;		/* "stapdev" */
	bool guru;
	/* CONFIG_X: value text, or NULL when unset */
	const char *(*config)(const char *name);
	int nargs;
	char *const *args;		/* script arguments, $1 is args[0] */
	bool *arg_used;			/* set where $N/@N or $# names it */
};

struct macros;				/* the macros that library files define, visible everywhere */
struct macros *macros_new(struct arena *a);
/* Where a name is not in @m, @want is called with it, once at a time, and may read a file that defines it. */
void macros_on_demand(struct macros *m, void (*want)(void *data, const char *name), void *data);
/* Calls @visit with the name of each, without @. */
void macros_each(const struct macros *m, void (*visit)(void *data, const char *name, const struct source *source),
		 void *data);
/* Reads one .stpm text into @m; false (with a warning given) where it has errors. */
bool macros_read(struct macros *m, struct arena *a, struct diag *d, const struct syntax_env *env,
		 const struct source *source);

/*
 * Parses one script text.  Mistakes go to @d, each once; the tree holds what could be understood.
 * Returns the script, in @a; never NULL.  @is_library: embedded C needs no -g there.
 */
struct script *script_parse(struct arena *a, struct diag *d, const struct syntax_env *env,
			    const struct macros *library, const struct source *source, bool is_library);

/* Canonical text (spec/language.md 14). */
void script_print(FILE *out, const struct script *s);
/* Text that parses to the same tree again, which the canonical text does not always do. */
void script_print_source(FILE *out, const struct script *s);
void expr_print(FILE *out, const struct expr *e);
void stmt_print(FILE *out, const struct stmt *s);

/* How a resolved tree is shown (-p2 -v): what stands for the names that were bound to a symbol or a function. */
struct naming {
	void (*variable)(FILE *out, const struct symbol *s, const void *data);
	void (*function)(FILE *out, const struct function *f, const void *data);
	const void *data;
	bool flat;	/* blocks within blocks, and of one statement, without their braces; no null statements */
};
void stmt_print_resolved(FILE *out, const struct stmt *s, const struct naming *n);
void expr_print_resolved(FILE *out, const struct expr *e, const struct naming *n);
void probe_point_print(FILE *out, const struct probe_point *p);
/* The same as text in an arena. */
char *expr_text(struct arena *a, const struct expr *e);
char *probe_point_text(struct arena *a, const struct probe_point *p);

/* The operator as written ("+", "<<"); NULL for OP_NONE. */
const char *op_text(enum op op);

/* Deep copies (a statement's .next is NULL in the copy): aliases and overloaded handlers are resolved once for each use. */
struct expr *expr_copy(struct arena *a, const struct expr *e);
struct stmt *stmt_copy(struct arena *a, const struct stmt *s);

/* Calls @visit on each direct child expression / statement, in order of evaluation. */
void expr_children(struct expr *e, void (*visit)(struct expr **child, void *data), void *data);
void stmt_children(struct stmt *s, void (*visit_expr)(struct expr **e, void *data),
		   void (*visit_stmt)(struct stmt **s, void *data), void *data);

#endif
