/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resolved program: what the passes of elaborate/ make of the trees, and all that emit/ needs to see.
 *
 * Passes, in order (each in its own file): derive (aliases expanded, sites found, target variables resolved),
 * bind (each name to a symbol, library files read), types (each expression typed), prune (nothing that can
 * not run or be seen).  Start reading at struct program.
 */
#ifndef SPILE_PROGRAM_H
#define SPILE_PROGRAM_H

#include "config.h"
#include "debuginfo/debuginfo.h"
#include "session.h"
#include "support/diag.h"
#include "syntax/ast.h"
#include "spile.h"		/* enum sp_site_kind, enum sp_probe_kind: one list for both sides */

/* How every refusal of something parsed but not built ends. */
#define NOT_YET "is not executed yet by spile " PACKAGE_VERSION

enum { MAX_KEYS = 9 };

enum symbol_kind { SYM_LOCAL, SYM_PARAM, SYM_GLOBAL };

struct symbol {
	enum symbol_kind kind;
	struct str *name;
	struct span span;		/* declaration, or first use of a local */
	enum value_type type;		/* of the value; set by: types */
	struct span typed_at;		/* the use that settled the type, for messages; set by: types */
	bool is_array;			/* global only; arity in nkeys */
	int nkeys;			/* -1: not yet known */
	enum value_type keys[MAX_KEYS];
	struct span keyed_at;		/* the use that settled arity and key types */
	struct hist *hist;		/* shape of its histogram, or NULL; set by: types */
	int shift;			/* @variance's bit shift */
	unsigned stats;			/* SP_STAT_* that are read */
	bool wraps;
	int64_t size;			/* capacity as declared, 0: default */
	struct expr *init;
	bool read, written;		/* anywhere that can run; set by: bind, prune */
	bool counted;			/* set by: prune; probes at sites only add to it, beside each other */
	bool in_c;			/* set by: bind; a body in C reads or writes it where it lies */
	bool is_library;
	int id;				/* set by: prune; index into the emitted table of its kind */
	struct symbol *next;
};

/* How one site variant reads a target expression. */
struct fetch_variant {
	struct loc_expr *value;		/* 64 bits; NULL: an assignment-only place */
	struct loc_expr *address;	/* where it lives, for & and writes; or NULL */
	enum lvalue_kind lvalue;
	unsigned reg, size, bit_offset, bit_size;	/* as struct target_value */
	bool fault_is_zero;		/* operands of marks: a fault reads as 0 */
};
/* Set by derive on EXPR_TARGET: one entry for each variant of the probe the expression stands in. */
struct fetch {
	enum value_type type;		/* TY_LONG */
	const struct ctype *ctype;	/* of the first variant; for autocast, may be NULL */
	bool alive;			/* set by: derive; false: the use was folded away, there are no variants */
	int nindex;			/* run-time index expressions: LOC_INDEX(k) is index[k] */
	struct expr **index;
	struct expr *operand;		/* LOC_OPERAND, or NULL */
	int nvariants;
	struct fetch_variant *variant;
};

/* The target variable that stands for site->called_from, in a test before the handler.  No script can write this name. */
#define CALLER_TARGET "$(called from there)"

/* One resolved place.  Made by a provider's find(). */
struct site {
	struct object *obj;
	enum sp_site_kind kind;
	uint64_t addr, file_off;	/* link address, file offset */
	uint64_t gate_addr, gate_off;	/* semaphore, or 0 */
	const char *point;		/* resolved, for pp() */
	const char *list_point;		/* script level, for -l, pn() */
	const char *name;		/* function or mark name */
	const struct code_site *code;	/* where it came from, or NULL */
	const struct mark_site *mark;	/* or NULL */
	const struct scope *scope;	/* for variables, or NULL */
	uint64_t pc;			/* link address at which variables are looked up */
	struct loc_expr *called_from;	/* the handler runs where this is not 0: CALLER_TARGET; NULL: always */
	unsigned variant;		/* set by: derive */
	unsigned via;			/* of an exit by tail call that comes back elsewhere: the function's number, 1 and up;
					 * TAIL: only notes that it was left so; RETURN: in a callee, an exit only after that */
	int timing;			/* set by: emit; row of the probe hit report, -1: none */
	struct site *entry;		/* RETURN, TAIL: the first instruction of the same function; else NULL */
	struct site *next;
};

/*
 * One value that a hidden probe keeps at a function's entry for the exits: `$x' of a .return probe, or @entry(e).
 * Where the return probe reads it stands EXPR_ENTRY with the same slot.  @e is evaluated at the entry, its fetch
 * variants are those of the hidden probe, and its type is TY_LONG.
 */
struct entry_save {
	unsigned slot;			/* below program->entry_slots; unique in the program */
	struct expr *e;
	struct entry_save *next;
};

/* One derived probe: one handler, emitted once, at one place or many. */
struct probe {
	const struct provider *provider;
	enum sp_probe_kind kind;
	struct span span;		/* the probe point as the user wrote it */
	struct probe_decl *decl;	/* NULL: made by us */
	const char *point;		/* resolved text */
	char mark;			/* '?' or '!' behind it, where the point that was resolved has one; else 0 */
	const char *chain;		/* "a <- b <- c", a point each */
	const char *lines;		/* the same, each step's whole probe line as written; with -p2, else NULL */
	const char *from;		/* with -t: " from: a from: b from: c", the same steps; else NULL */
	int timing;			/* set by: emit; row of the probe hit report, -1: none */
	const char *alias;		/* name under which listings show it, or NULL */
	struct stmt *body;		/* aliases' bodies and the handler, one scope */
	struct expr *condition;		/* AND of all if (...), or NULL */
	struct symbol *locals;		/* set by: bind */
	struct site *sites;		/* kind SP_PROBE_SITE */
	unsigned nsites, nvariants;
	int64_t order;			/* begin, end, error */
	uint64_t interval_ns, random_ns;/* timer; ticks where .in_ticks */
	bool in_ticks;
	bool needs_fp;			/* reads vector registers */
	bool hidden;			/* ours: body is NULL, it stores saves, in order, keyed by slot and CFA (rsp + 8) */
	struct entry_save *saves;	/* hidden probes */
	struct probe *entry_probe;	/* of a return probe: the hidden probe that keeps values at entry, or NULL;
					 * it is in the list as well, before its return probe */
	struct { struct symbol *global; bool write; } *locks;	/* set by: prune; by global id */
	unsigned nlocks;
	int condition_id;		/* set by: prune; of .condition in program->conditions, from 1; 0: only tested */
	unsigned *sets, nsets;		/* set by: prune; numbers, from 0, of the conditions it may change */
	int id;				/* set by: prune */
	struct probe *next;
};

/* A regular expression's text and its automaton, however often it stands in the script. */
struct pattern {
	struct str *text;
	struct regex *automaton;	/* NULL: there is a fault */
	const char *fault;
	int id;
	struct pattern *next;
};

struct program {
	struct arena *arena;		/* trees, symbols, strings, sites */
	struct diag *diag;
	const struct options *options;
	const struct layout *layout;
	enum runtime runtime;		/* USER or KERNEL once chosen */
	const char *kernel_lacks;	/* what keeps the kernel runtime from this machine; "" where nothing does */
	struct script *user;		/* the script (and -E texts) */
	struct library *tapset;		/* where the names come from that the script does not define */
	struct script *library;		/* library files taken in */
	struct probe *probes;		/* derived, in order */
	struct symbol *globals;		/* all bound ones, in order of declaration */
	struct function *functions;	/* used ones, linked by .next after prune */
	struct object **objects;	/* opened files, closed with the program */
	unsigned nobjects;
	struct object **type_objects;	/* opened for their types alone: nothing of them is ever mapped */
	unsigned ntype_objects;
	unsigned entry_slots;		/* set by: derive */
	struct expr **conditions;	/* set by: prune; each that arms and disarms probes, once */
	unsigned nconditions;
	struct pattern *patterns;	/* set by: patterns */
	bool needs_groups;		/* set by: patterns; some function asks what groups matched */
	struct sp_limits limits;	/* from -D */
	int64_t max_buckets;		/* -D STP_MAX_BUCKETS: of a linear histogram, those for what lies outside included */
	struct elaboration *state;	/* elaborate/'s own tables */
};

/* Ready for derive_probes(): limits set from -D, no scripts yet.  All in @a. */
struct program *program_make(struct arena *a, struct diag *d, const struct options *o, const struct layout *l);
/* Closes the objects; the rest goes with the arena. */
void program_close(struct program *p);

/* True where --compatible asks for a language before @version (language.md 13). */
bool is_older(const struct program *p, const char *version);

/* The passes.  Each reports mistakes to program->diag and returns false where the next must not run. */
bool derive_probes(struct program *p);
bool bind_symbols(struct program *p);
bool drop_dead(struct program *p);	/* what needs no types to be seen as dead: goes before infer_types() */
bool infer_types(struct program *p);
bool prune_unused(struct program *p);
bool compile_patterns(struct program *p);
bool check_runnable(struct program *p);	/* mistakes and gaps that the reference, too, tells only in pass 3 */
/* -p2: sections of spec/cli.md 5.1. */
void program_print(FILE *out, const struct program *p, bool bodies);
/* True where a condition hangs on globals: the probe that first looks at those is shown and counted, too. */
bool program_sets_conditions(const struct program *p);

/* An object file, opened once for each path; NULL with the miss filled. */
struct object *program_object(struct program *p, const char *path, struct di_miss *miss);
/* The same for a file that is looked at for its types alone, and is not part of the program. */
struct object *program_type_object(struct program *p, const char *path, struct di_miss *miss);

#endif
