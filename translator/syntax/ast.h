/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a script: what the parser builds, elaborate/ resolves in place and emit/ prints as C.
 *
 * All nodes live in the program's arena and die with it.  A member's comment says which kind owns it,
 * an annotation's comment which pass sets it.  Start reading at struct script.
 */
#ifndef SPILE_AST_H
#define SPILE_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/span.h"

enum expr_kind {
#define EXPR(e, name) EXPR_##e,
#include "syntax/exprs.def"
#undef EXPR
	EXPR_KINDS
};

enum stmt_kind {
#define STMT(e, name) STMT_##e,
#include "syntax/stmts.def"
#undef STMT
	STMT_KINDS
};

/* Trees are never deeper than this, so passes may recurse; the parser refuses what is. */
#define DEPTH_MAX 2000

/* The type of a value.  TY_UNKNOWN before inference; TY_NONE: a function without a value. */
enum value_type { TY_UNKNOWN, TY_LONG, TY_STRING, TY_STATS, TY_NONE };

/* Operators of EXPR_UNARY, EXPR_BINARY, EXPR_ASSIGN, EXPR_INCDEC; spelling and traits in ops.def. */
enum op {
	OP_NONE,
	OP_PLUS, OP_NEG, OP_NOT, OP_COMPL,					/* unary */
	OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB, OP_CONCAT,			/* binary */
	OP_SHL, OP_SHR, OP_USHR,
	OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE,
	OP_AND, OP_XOR, OP_OR, OP_LAND, OP_LOR,
	OP_SET,		/* plain =; compound assignments are OP_SET's node with .compound = the binary operator */
	OP_AGGREGATE,	/* <<< */
	OP_INC, OP_DEC,
	OPS
};

enum extractor { EX_COUNT, EX_SUM, EX_MIN, EX_MAX, EX_AVG, EX_VARIANCE };

/* One step of an access path: ->name, [index], or the pretty-print suffix that ends it. */
struct access {
	enum { ACC_MEMBER, ACC_INDEX, ACC_PRETTY } kind;
	struct span span;
	struct str *name;		/* ACC_MEMBER */
	struct expr *index;		/* ACC_INDEX */
	int depth;			/* ACC_PRETTY: 1 for $, 2 for $$ */
	struct access *next;
};

struct hist {				/* a histogram operator's shape and subject */
	bool linear;
	struct expr *stat;		/* EXPR_VAR or EXPR_INDEX */
	int64_t low, high, width;	/* linear */
};

struct ctype;
struct di_miss;

/* How a target expression begins. */
enum target_base { TB_NAME, TB_VAR, TB_CAST, TB_AUTOCAST };

enum print_form { PRINT_PLAIN, PRINT_LN, PRINT_D, PRINT_DLN, PRINT_F, PRINT_CHAR };

/* One directive of a printf format, or the literal text between two. */
struct format_part {
	enum { FMT_TEXT, FMT_VALUE } kind;
	struct str *text;		/* FMT_TEXT: bytes, escapes already resolved */
	char conv;			/* FMT_VALUE: d i u x X o p b c s m M; q: text at an address, quoted (pretty printing) */
	char flag;			/* 0, or one of - + space # 0 */
	bool zero;			/* a second flag: 0 leading the width, as in %-05d */
	bool has_width, has_prec;
	bool star_width, star_prec;	/* taken from the arguments */
	int width, prec;
	struct format_part *next;
};

struct expr_list { struct expr *e; struct expr_list *next; };	/* e is NULL for '*' in IN and slices */

/* One expression.  Lives in the program's arena; never freed singly. */
struct expr {
	enum expr_kind kind;
	enum value_type type;		/* set by: types */
	bool elided;			/* set by: dead; what was left of an assignment, already told */
	bool parens;			/* stands in parentheses of its own */
	struct span span;		/* as the user wrote it; always valid */
	unsigned depth;			/* nodes from here to the deepest leaf; at most DEPTH_MAX */
	union {
		int64_t num;							/* NUM */
		struct str *str;						/* STR */
		struct { struct str *name; struct symbol *sym; } var;		/* VAR; sym set by: bind */
		struct { struct str *name; struct symbol *sym;
			 struct expr_list *keys; } index;			/* INDEX; sym set by: bind */
		struct { struct str *name; struct expr_list *args;
			 struct function *fn; } call;				/* CALL; fn set by: bind (first candidate) */
		struct { enum op op; struct expr *e; } un;			/* UNARY */
		struct { enum op op; struct expr *l, *r; } bin;			/* BINARY */
		struct { struct expr *cond, *yes, *no; } tern;			/* TERNARY */
		struct { enum op op, compound; struct expr *l, *r; } assign;	/* ASSIGN: OP_SET or OP_AGGREGATE */
		struct { enum op op; bool postfix; struct expr *e; } incdec;	/* INCDEC */
		struct { struct expr_list *keys; struct expr *array;
			 struct hist *hist; } in;				/* IN: array is a VAR naming it, or hist */
		struct { bool negate; struct expr *subject; struct str *re;
			 struct span re_span;
			 struct pattern *pattern; } regex;			/* REGEX; pattern set by: patterns */
		struct {							/* TARGET */
			enum target_base base;
			bool address;				/* & before it */
			struct str *name;			/* NAME: with $; VAR: name[@cu]; CAST: type */
			struct str *module;			/* VAR, CAST: or NULL */
			struct expr *operand;			/* CAST, AUTOCAST */
			struct access *path;			/* NULL: the variable itself */
			struct fetch *fetch;			/* set by: derive; one a site variant, see program.h */
			const struct di_miss *miss;		/* set by: derive; why there is no fetch, told if the use survives */
			const char *where;			/* set by: derive with miss: the site it is about */
		} target;
		struct { struct expr *e; unsigned slot;
			 bool implied, assigned; } entry;			/* ENTRY; set by: derive; implied: made of `$x',
										 * assigned: which the script would write */
		struct { struct expr *e; bool known, value; } defined;		/* DEFINED; set by: derive */
		struct { struct str *name;
			 const struct di_miss *miss; } perf;			/* PERF, PROBEWRITE, CONST, ENUM; miss set by: derive */
		struct { struct str *code; bool is_string; } embedded;		/* EMBEDDED */
		struct { bool user; struct expr *a, *b; } machine;		/* REGISTER: a; DEREF: a = size, b = address */
		struct { struct expr *e; struct str *type, *module;
			 const struct ctype *ctype;			/* set by: derive; the enum, or NULL with miss */
			 const struct di_miss *miss; } enumname;	/* ENUMNAME */
		struct { enum extractor what; struct expr *stat;
			 struct expr *shift; } extract;				/* EXTRACT; shift of @variance or NULL */
		struct hist *hist;						/* HIST */
		struct { struct hist *hist; struct expr *bucket; } histindex;	/* HISTINDEX */
		struct {							/* PRINT */
			enum print_form form;
			bool to_string;				/* sprint family */
			bool guarded;				/* made by derive: a fault while it is put together gives "ERROR" */
			struct str *text;			/* F: format as written; D, DLN: delimiter */
			struct format_part *parts;		/* F */
			struct expr_list *before;		/* evaluated first, for their effects; made by derive */
			struct expr_list *args;
		} print;
	} u;
};

struct stmt {
	enum stmt_kind kind;
	struct span span;
	struct stmt *next;		/* in a block */
	unsigned depth;			/* as in struct expr; the block's statements do not add up */
	union {
		struct stmt *block;						/* BLOCK: first, or NULL */
		struct expr *expr;						/* EXPR, DELETE; RETURN: or NULL */
		struct { struct expr *cond; struct stmt *yes, *no; } branch;	/* IF */
		struct { struct expr *init, *cond, *step; struct stmt *body;
			 bool is_while; } loop;					/* FOR; each expr may be NULL */
		struct {							/* FOREACH */
			struct foreach_key *keys;
			struct expr *value;			/* v = ... in: a VAR, or NULL */
			struct expr *array;			/* VAR naming it; NULL for a histogram */
			struct hist *hist;
			struct expr_list *slice;		/* e NULL for '*'; NULL: no slice */
			bool sorted_by_value;			/* else by the key whose direction is set */
			bool has_extract;
			enum extractor extract;			/* aggregate arrays: what value sorting looks at */
			int direction;				/* value sort: +1, -1, or 0 */
			struct expr *limit;			/* or NULL */
			struct stmt *body;
		} foreach;
		struct { struct stmt *body, *handler; struct expr *message; } try; /* TRY; message a VAR or NULL */
		struct str *code;						/* EMBEDDED */
	} u;
};

struct foreach_key { struct expr *var; int direction; struct foreach_key *next; };

/* A component of a probe point: name, and perhaps one literal argument. */
struct component {
	struct span span;
	struct str *name;
	enum { ARG_NONE, ARG_NUM, ARG_STR } arg;
	int64_t num;
	struct str *str;
	struct span arg_span;
	struct component *next;
};

/* What a user writes after `probe'.  Brace groups are already multiplied out by the parser. */
struct probe_point {
	struct span span;
	struct component *components;
	bool optional, sufficient;	/* ? and !; what is sufficient is optional too */
	struct expr *condition;		/* if (...), or NULL */
	struct probe_point *next;	/* the comma list */
};

struct probe_decl {			/* probe POINTS { body } */
	struct span span;
	struct probe_point *points;
	struct stmt *body;
	struct script *script;
	struct probe_decl *next;
};

struct alias {				/* probe A = B = POINTS { pro }, { epi } */
	struct span span;
	struct alias_name { struct component *components; struct alias_name *next; } *names;
	struct probe_point *points;
	struct stmt *prologue, *epilogue;	/* either may be NULL; += gives only the epilogue */
	bool append;				/* written with += */
	struct script *script;
	struct alias *next;
};

struct param { struct str *name; struct span span; enum value_type type; struct symbol *sym; struct param *next; };

struct function {
	struct span span;
	struct str *name;
	struct span name_span;
	bool is_private;
	enum value_type declared;	/* as annotated, or TY_UNKNOWN */
	enum value_type type;		/* set by: types */
	struct param *params;
	int nparams;
	bool has_priority;
	int64_t priority;
	struct stmt *body;
	struct script *script;
	struct symbol *locals;		/* set by: bind; linked by .next */
	struct global_use *globals;	/* set by: bind; what a body in C says that it reads and writes */
	struct function *overload;	/* set by: bind; the candidate that `next' falls through to */
	struct probe *probe;		/* set by: derive; a copy made for this probe, whose target variables it reads; else NULL */
	bool used;			/* set by: bind */
	int id;				/* set by: prune; numbers the ones that are emitted */
	struct function *next;
};

struct global_use { struct symbol *sym; bool write; struct global_use *next; };

struct global {
	struct span span;
	struct str *name;
	bool is_private;
	bool wraps;			/* % */
	bool has_size; int64_t size;
	struct expr *init;		/* NUM or STR, or NULL */
	struct script *script;
	struct symbol *sym;		/* set by: bind */
	struct global *next;
};

struct embedded { struct span span; struct str *code; struct embedded *next; };

/* One file, or one -e text. */
struct script {
	struct source *source;
	bool is_library;		/* found on the library path: embedded C and privileges */
	struct embedded *embedded;
	struct global *globals;
	struct alias *aliases;
	struct probe_decl *probes;
	struct function *functions;
	struct script *next;
};

#endif
