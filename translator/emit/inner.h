/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside emit/: the C file being made, and the C function being made.
 *
 * A script expression becomes a C expression where C leaves nothing open, else statements before it that fill
 * temporaries: whatever may fail, and whatever a later operand could change, stands in a statement of its own.
 * Start reading at emit.c, then stmt.c, expr.c.
 */
#ifndef SPILE_EMIT_INNER_H
#define SPILE_EMIT_INNER_H

#include "emit/emit.h"
#include "support/strbuf.h"

/* A growing table of texts, each kept once: formats, places. */
struct text_table {
	const char **text;
	unsigned n, room;
};

/* The C file. */
struct cfile {
	struct program *p;
	struct arena *a;
	struct strbuf functions;	/* helpers, script functions and handlers, in order */
	struct text_table places;	/* rows of the place table */
	struct strbuf formats;		/* tables of printf formats */
	struct text_table format_keys;	/* the same, for finding equal ones */
	struct text_table fetches;	/* helper functions for target variables */
	unsigned char *function_touch;	/* by function id: TOUCH_ */
	unsigned nfunction_ids;
	unsigned entry_strings;		/* kinds of strings kept at function entries */
	struct text_table enums;	/* tables of enumerators, by their rows */
	struct text_table expression_keys, constant_keys;	/* C of %{ %} and @const: e_N, K_N by row */
	const struct expr **expressions, **constants;	/* the first of each, by the same rows */
	bool any_embedded;		/* something of the unit of embedded C is called */
	bool needs_maps;		/* some address lies in another object than the probed one */
	bool failed;			/* a mistake was told */
};

enum { TEMP_LONG, TEMP_STRING, TEMP_TYPES };
enum { MAX_ARGS = 32 };		/* of one call or print */
enum { MAX_STABLE = 16 };	/* functions whose value one body keeps */

/* What was done already: c->wrote is set; the value of b->stable[i] is there. */
#define DONE_WROTE 1u
#define DONE_STABLE(i) (2u << (i))

/* The C function. */
struct body {
	struct cfile *f;
	const struct probe *probe;	/* a handler, or NULL */
	const struct function *fn;	/* a script function, or NULL */
	struct strbuf *to;		/* where statements go */
	int indent;
	unsigned temps[TEMP_TYPES];	/* in use by the statement at hand */
	unsigned most_temps[TEMP_TYPES];/* in the whole function */
	unsigned niters, nslices, nlabels;
	struct strbuf declarations;	/* iterators, slices */
	const struct symbol **read;	/* locals that are read somewhere */
	unsigned nread;
	struct loop *loop;		/* innermost */
	int try_depth;
	bool uses_globals;		/* g-> is named */
	bool uses_out, uses_leave, uses_ret;	/* labels gone to; the return value */
	bool uses_next;			/* label of a function: on to its overload */
	unsigned done;			/* DONE_: on every way to here */
	struct stable {			/* a stable function that is called */
		const struct function *fn;
		bool called, kept;	/* at all; more than once, so that its value is kept */
		bool emitted, flagged;	/* a call stands in the text; a flag tells whether it was reached */
	} stable[MAX_STABLE];
	unsigned nstable;
	int at;				/* c->at on every way to here, or -1 */
	int mark, nmarks;		/* innermost mark of the arena; 0: where the function began */
	unsigned strings;		/* statements since then that make strings */
	bool unused_value;		/* the expression at hand is a whole statement */
};

struct loop {
	struct loop *outer;
	int label;			/* `continue' jumps there; 0: C's own continue will do */
	bool label_used;
};

/* What a C expression's value hangs on, and what evaluating a script expression changes. */
enum { ON_LOCALS = 1, ON_GLOBALS = 2, ON_REGISTERS = 4 };

/* A value as C text. */
struct cvalue {
	const char *text;
	unsigned on;			/* ON_: what may change it until it is used */
	bool primary;			/* needs no parentheses */
	bool is_truth;			/* 0 or 1 */
};

/* ---- effects.c: what trees touch ---- */
enum {
	TOUCH_READS = 1, TOUCH_WRITES = 2,	/* globals, directly or in functions called */
	TOUCH_GLOBALS = TOUCH_READS | TOUCH_WRITES,
	TOUCH_ARENA = 4,			/* makes strings */
};
void touch_functions(struct cfile *f);
unsigned touch_expr(const struct cfile *f, struct expr *e);
unsigned touch_stmt(const struct cfile *f, struct stmt *s);	/* s alone, not s->next */
unsigned expr_changes(const struct cfile *f, struct expr *e);	/* ON_ */

/* ---- room.c: giving the arena's room back ---- */
/* Whether the loop makes strings; then the mark is set, and room_turn() is for the start of each of its rounds. */
bool room_mark(struct body *b, struct stmt *loop, int *outer_mark);
void room_turn(struct body *b, struct stmt *loop);
void room_unmark(struct body *b, int outer_mark);
void room_stmt(struct body *b, struct stmt *s);			/* before each statement: many of them need a turn, too */

/* ---- depth.c ---- */
unsigned nesting_needed(struct cfile *f);			/* MAXNESTING where -D does not say it */

/* ---- emit.c ---- */
__attribute__((format(printf, 2, 3))) void emit_line(struct body *b, const char *format, ...);
__attribute__((format(printf, 2, 3))) const char *text(struct body *b, const char *format, ...);
const char *c_string(struct arena *a, const char *s, size_t n);	/* a C literal, quotes included */
const char *c_name(struct arena *a, const struct str *name);	/* letters, digits, _ */
const char *in_comment(struct arena *a, const char *s);		/* with nothing in it that ends a comment */
const char *symbol_c(struct body *b, const struct symbol *s);	/* l_x, g->g_x, G_x */
const char *global_index(struct arena *a, const struct symbol *s);
bool is_counter(const struct symbol *s);			/* a number that is counted: its cells hold part of it */
const char *counter_index(struct arena *a, const struct symbol *s);
const char *function_c(struct cfile *f, const struct function *fn);
void refuse(struct cfile *f, struct span at, const char *what);	/* "... is not built yet" */

const char *function_head(struct cfile *f, const struct function *fn, const struct body *b);

/* ---- embedded.c ---- */
bool is_embedded(const struct function *fn);			/* a body in C, not over spile.h */
bool embedded_falls_through(const struct function *fn);
void declare_embedded(struct cfile *f, const struct function *fn);
struct cvalue emit_embedded(struct body *b, struct expr *e);
struct cvalue emit_const(struct body *b, struct expr *e);
void emit_more(struct cfile *f, struct emitted *more);

/* ---- place.c ---- */
unsigned text_table_add(struct text_table *t, struct arena *a, const char *s);	/* its row */
int place_of(struct cfile *f, struct span at, const char *token);
int place_of_expr(struct cfile *f, const struct expr *e);
int place_of_stmt(struct cfile *f, const struct stmt *s);
void place_set(struct body *b, int place);			/* c->at = place; where it is not so yet */

/* ---- expr.c ---- */
void note_read(struct body *b, const struct symbol *s);	/* a local whose value is used */
struct cvalue emit_value(struct body *b, struct expr *e);
void emit_effect(struct body *b, struct expr *e);		/* the value is not wanted */
/* The value as text alone; false, and nothing printed, where it needs statements before it. */
bool inline_value(struct body *b, struct expr *e, struct cvalue *v);
void undo(struct body *b, const struct body *before);		/* forgets what was emitted since, but for names */
/* All of a list, in order, none changed by evaluating those behind it, nor by what changes @later (ON_). */
void emit_list(struct body *b, const struct expr_list *list, struct cvalue *v, unsigned n, unsigned later);
/*
 * "SP_VALS({ .n = l_pid }, { .s = l_name })".  @later: what is changed between the keys and their use (ON_);
 * @twice: the text will stand in two places; @any: gets the positions that match anything, or NULL.
 */
const char *emit_keys(struct body *b, const struct expr_list *keys, unsigned later, bool twice, unsigned *any);
const char *new_temp(struct body *b, enum value_type type);
struct cvalue temp_value(const char *name);
/* @call into a temporary, then the check for errors. */
struct cvalue checked(struct body *b, enum value_type type, int place, const char *call);
void check(struct body *b);
void mark_written(struct body *b);
void assign_symbol(struct body *b, const struct symbol *s, const char *value);
const char *operand(struct body *b, struct cvalue v);		/* in parentheses where needed */
const char *c_number(struct body *b, int64_t n);
const char *array_item(struct body *b, enum value_type type, struct cvalue v);	/* "{ .n = v }" */
const char *extract_c(enum extractor what);			/* SP_COUNT, ... */
/* sp_stat_hist_WHAT(c, G_x MORE) or its map form. */
const char *hist_call(struct body *b, const struct hist *h, const char *what, const char *more);

/* ---- stable.c ---- */
void find_stable(struct body *b, struct stmt *body);		/* before it is emitted */
bool emit_stable(struct body *b, const struct expr *e, struct cvalue *v);	/* a call; false: one like any other */
void declare_stable(struct strbuf *to, struct body *b);
const char *stable_strings(struct body *b);			/* ", &the_x, &the_y": kept, so not to be released */

/* ---- print.c ---- */
struct cvalue emit_print(struct body *b, struct expr *e);

/* ---- regex.c ---- */
void print_patterns(FILE *out, struct cfile *f);		/* their automata */
struct cvalue emit_match(struct body *b, struct expr *e);

/* ---- fetch.c ---- */
struct cvalue emit_target(struct body *b, struct expr *e);
/* The assignment @e of @r to the target expression @l; the value is what was stored. */
struct cvalue emit_target_store(struct body *b, struct expr *e, struct expr *l, struct expr *r);

/* ---- stmt.c ---- */
/* A list of statements.  @extra actions are charged to @place besides (a loop's round); place -1: none. */
void emit_stmts(struct body *b, struct stmt *first, int place, unsigned extra);
void emit_handler_body(struct body *b, const struct probe *pr);

/* ---- timing.c: with -t ---- */
unsigned print_timing_rows(FILE *out, struct cfile *f);		/* numbers them; returns how many there are */
void print_timing_number(FILE *out, int row);
const char *timing_unit(const struct program *p);

/* ---- tables.c ---- */
void print_globals(FILE *out, struct cfile *f);	/* the struct, the indices, the first contents */
void print_globals_layout(FILE *out, struct cfile *f);	/* without the contents */
/* codemap.c: an object's struct sp_code, as code_N; false: it has none, or the script needs none. */
bool print_code_map(FILE *out, struct cfile *f, unsigned object);
bool functions_say(const struct program *p, const char *pragma);	/* the C of one that is called has it */
void print_tables(FILE *out, struct cfile *f);	/* all that sp_script points at, and it */

#endif
