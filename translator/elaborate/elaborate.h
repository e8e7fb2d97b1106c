/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside elaborate/: what its passes share and no other room needs. */
#ifndef SPILE_ELABORATE_H
#define SPILE_ELABORATE_H

#include "elaborate/program.h"
#include "library/library.h"
#include "probes/probes.h"
#include "support/similar.h"
#include "support/strbuf.h"
#include "syntax/syntax.h"

/* Functions that something calls, in order of first use. */
struct function_list { struct function **fn; unsigned n, room; };

/* What lives from pass to pass. */
struct elaboration {
	struct script **scripts;	/* every script whose text may stand in a body: user's, library's */
	unsigned nscripts, room;
	const struct object *told;	/* the file that the last message about something not found has described */
	unsigned long expansions, failures;	/* alias steps taken, points that came to nothing: against explosions */
	const char **near_words;	/* room for derive.c's suggestions; NULL until there is one to make */
	struct function_list functions;
	unsigned *overload_number;	/* set by: prune; by function id: which of its name in all files, from 0 */
	struct symbol *last_global;
	struct probe *last_probe;	/* tail of program->probes */
};

/* ---- scripts ------------------------------------------------------------------------------------ */
void script_register(struct program *p, struct script *s);
/* The script whose text @at is in; where a macro put it there, the script that uses the macro.  May be NULL. */
struct script *script_at(const struct program *p, struct span at);
/* True where messages about @at are the user's business. */
bool is_user_text(const struct program *p, struct span at);
/* False for the installed library, whose text is of any version that it likes (cli.md 3.1). */
bool is_gated(const struct script *s);

/* ---- derive.c, sites.c --------------------------------------------------------------------------- */
/* Derives the probes of one script; those of library files come in while names are bound. */
void derive_script(struct program *p, struct script *s);

/* Whether a target variable is what the probed function returns. */
bool is_return_value(const struct expr *target);

/* Which file was searched in vain, its build-id and debuginfo: a note, once in a row for the same file. */
void tell_searched(struct program *p, const struct di_miss *m);

/* One alias that a point came through. */
struct alias_use {
	const struct alias *alias;
	const struct probe_point *use;	/* the point that named it */
	const struct alias_use *outer;
};
/* A provider's answer for one point, and how the user's text led to it. */
struct derivation {
	struct probe_decl *decl;
	const struct alias_use *uses;	/* innermost first */
	struct point_match match;
	struct found found;
};
/* Makes the probes of a derivation: bodies assembled, target variables resolved, sites grouped. */
void probes_make(struct program *p, const struct derivation *d);
/* @first, then the steps from the derived point to what the user wrote, @step between them. */
const char *chain_text(struct program *p, const struct derivation *d, const char *first, const char *step);

/* ---- copies.c ------------------------------------------------------------------------------------ */

/* Functions that read target variables, called from one body: each probe gets copies of its own. */
struct copies {
	struct function **fn;		/* as declared, overloads and callers included */
	struct function **copy;		/* of the group at hand */
	unsigned n;
};
/* Those that @body calls, directly or not; usually none. */
void copies_find(struct program *p, struct stmt *body, struct copies *c);
/* Fresh copies for @q; their calls of each other are linked, those in q->body and its hidden probe as well. */
void copies_make(struct program *p, struct copies *c, struct probe *q);
void copies_link(struct program *p, struct copies *c, struct probe *q);
/* A function that @e calls, directly or not, and that reads what the probed function returns; or NULL. */
const struct function *reader_of_return(struct program *p, struct expr *e);

/* ---- walk.c -------------------------------------------------------------------------------------- */
/* Calls @visit on every expression below, children after their parent; @visit may replace *e first. */
typedef void (*expr_visitor)(struct expr **e, void *data);
void walk_expr(struct expr **e, expr_visitor visit, void *data);
void walk_stmt(struct stmt *s, expr_visitor visit, void *data);
struct expr *expr_num(struct arena *a, struct span at, int64_t n);

/* ---- bind.c -------------------------------------------------------------------------------------- */
/* The symbol of an expression that names a variable: VAR, INDEX; NULL for others. */
struct symbol *symbol_of(const struct expr *e);
/* Something calls @f: its file comes in, and bind_symbols() reads its body. */
void function_use(struct program *p, struct function *f);
/*
 * The function that a call by name means where it stands, its overloads linked by .overload; NULL: there is none, *@other then
 * being one with another number of parameters, or NULL.
 */
struct function *function_of_call(struct program *p, const struct expr *e, struct function **other);
/* The head of the locals list of a probe or function made here: autoprint's. */
void bind_probe(struct program *p, struct probe *q);

/* ---- fold.c -------------------------------------------------------------------------------------- */
/*
 * Folding happens in place: a node keeps its address, so that what points at it stays right.
 * fold_defined() settles @defined and the branches that hang on it, before names are bound; fold_body() does
 * constants and code that can not be reached, fold_condition() a probe's condition.
 */
void fold_defined(struct program *p, struct stmt *s);
void fold_defined_in(struct program *p, struct expr *e);
bool fold_body(struct program *p, struct stmt *s);	/* whether statements have gone */
void fold_condition(struct program *p, struct expr *e);

/* ---- effects.c ----------------------------------------------------------------------------------- */
/* True where evaluating @e can do more than give a value. */
bool has_effects(const struct program *p, const struct expr *e);
/* Sets .used of the functions that probes reach, and drops the others from the list. */
void reach_functions(struct program *p);
/* Sets .read and .written of all symbols from what probes and reached functions do. */
void scan_uses(struct program *p);

/* ---- locks.c ------------------------------------------------------------------------------------- */
/* Each probe's globals, shared or exclusive; after ids are given (language.md 6.4). */
void find_locks(struct program *p);

/* ---- outside.c ----------------------------------------------------------------------------------- */
/* Tells which globals cannot be set as -G wants them; types are known. */
void check_outside(struct program *p);

/* ---- privilege.c --------------------------------------------------------------------------------- */
/* Tells which of the functions in use a script of a lower privilege may not call. */
void check_privilege(struct program *p);

/* ---- autoprint.c --------------------------------------------------------------------------------- */
/* End probes that print the user's globals that are written and never read (language.md 6.3). */
void add_autoprint(struct program *p);

#endif
