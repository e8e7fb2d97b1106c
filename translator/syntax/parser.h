/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside syntax/: tokens, and the four stages they pass through on their way into the tree.
 *
 *	lex.l         text to tokens; script arguments pasted
 *	macro.c       @define and @name; preprocess.c the conditionals
 *	tokens.c      strings joined, probe point words glued, bad tokens told: what bison sees
 *	parse.y       the grammar; build.c, points.c and format.c make its nodes
 *
 * Each stage pulls from the one before, one token at a time.
 */
#ifndef SPILE_PARSER_H
#define SPILE_PARSER_H

#include "syntax/syntax.h"
#include "syntax/version.h"

struct token {
	int kind;			/* a token number of parse.y */
	bool glued;			/* nothing stands between it and the token before */
	struct span span;
	struct str *text;		/* words: as written; STRING: its bytes; EMBEDDED: the C inside */
	int64_t num;			/* NUMBER: value; operators of a class: which (enum op); PRINT: print_word */
	enum diag_tag tag;
	const char *error;		/* BAD, NUMBER: what is wrong, told once the parser wants the token */
};

/* lex.l */
struct lexer;
struct frame;
struct cond;
struct lexer *lexer_new(struct arena *a, const struct syntax_env *env, const struct gates *gates, const struct source *source);
void lexer_free(struct lexer *lex);
void lexer_next(struct lexer *lex, struct token *t);

/* Longer texts are refused. */
#define SOURCE_MAX 0x3fffffff

/* macro.c */
/* The macros of one script. */
struct macros *macros_own(struct arena *a);

struct preprocessor {
	struct arena *arena;
	struct diag *diag;
	const struct syntax_env *env;
	const struct gates *gates;
	struct lexer *lexer;
	struct macros *own;		/* where @define goes */
	const struct macros *library;	/* searched after; may be NULL */
	struct frame *frame;		/* the macro body or argument being read; NULL: the lexer */
	struct cond *cond;		/* innermost open %( */
	unsigned cond_depth;		/* conditions being evaluated inside conditions */
	unsigned long expanded;		/* tokens and uses so far, against EXPANDED_MAX */
	bool gave_up;			/* EXPANDED_MAX was passed */
	bool has_unread;
	struct token unread;
};

/* The next token from where reading stands, nothing expanded. */
void raw_next(struct preprocessor *pp, struct token *t);
/* Puts the last raw token back. */
void raw_unread(struct preprocessor *pp, const struct token *t);
/* True inside a macro body or argument whose last token was read. */
bool frame_exhausted(const struct preprocessor *pp);
/* Next token with macros expanded and definitions taken in; conditionals are still there. */
void macro_next(struct preprocessor *pp, struct token *t);
/* Makes @t a bad token that nobody reports again. */
void token_spoil(struct token *t);

/* preprocess.c: next token that the parser should see. */
void preprocess_next(struct preprocessor *pp, struct token *t);
/* Closes conditionals that a macro body left open; called where its frame ends. */
void conds_unwind(struct preprocessor *pp, struct cond *outer);

/* tokens.c */
struct parser {
	struct arena *arena;
	struct diag *diag;
	const struct syntax_env *env;
	struct script *script;
	bool is_library;
	struct gates gates;
	struct preprocessor pp;

	/* tokens.c: */
	struct token last;		/* what the grammar saw last */
	bool has_ahead;
	struct token ahead;
	bool in_points;			/* after `probe', up to the handler */
	unsigned parens;		/* open ones while in_points */
	bool skipping;			/* after an error: up to the next top-level item */
	bool seen_any;			/* some token came through: not empty after preprocessing */

	/* build.c: */
	struct claim *claims;		/* nodes that only their parent can make right */
	bool too_deep_told, too_many_told;
	struct expr *path_owner;	/* whose access path grew last, */
	struct access *path_last;	/* and its end */

	/* ends of the script's lists */
	struct embedded **embedded_end;
	struct global **globals_end;
	struct alias **aliases_end;
	struct probe_decl **probes_end;
	struct function **functions_end;
	bool private_globals;
};

union SPILE_SYNTAX_STYPE;
int token_next(union SPILE_SYNTAX_STYPE *value, struct span *at, struct parser *p);
/* How a message names a token: keyword 'if', identifier 'x', end of file. */
const char *token_describe(struct arena *a, const struct token *t);
bool token_starts_item(int kind);

/* Lists as the grammar grows them. */
struct exprs { struct expr_list *first, *last; unsigned n; };
struct stmts { struct stmt *first, *last; unsigned depth; };
struct steps { struct access *first, *last; };
struct params { struct param *first, *last; int n; };
struct keys { struct foreach_key *first, *last; };
struct points { struct probe_point *first, *last; unsigned n; };
/* What a foreach loops over. */
struct loop_base {
	struct expr *array;
	struct hist *hist;
	struct expr_list *slice;
	struct span span;
	int direction;
	bool has_extract;
	enum extractor extract;
};

/* build.c: expressions.  Each takes the span of the whole. */
struct expr *expr_make(struct parser *p, enum expr_kind kind, struct span at);
/* Call last: counts the depth, gives an EXPR_ERROR instead where it is too deep. */
struct expr *expr_done(struct parser *p, struct expr *e);
struct expr *make_num(struct parser *p, struct span at, int64_t num);
struct expr *make_str(struct parser *p, struct span at, struct str *str);
struct expr *make_var(struct parser *p, struct span at, struct str *name);
struct expr *make_unary(struct parser *p, struct span at, enum op op, struct expr *e);
struct expr *make_binary(struct parser *p, struct span at, enum op op, struct expr *l, struct expr *r);
struct expr *make_assign(struct parser *p, struct span at, enum op op, enum op compound, struct expr *l,
			 struct expr *r);
struct expr *make_incdec(struct parser *p, struct span at, enum op op, bool postfix, struct expr *e);
struct expr *make_index(struct parser *p, struct span at, struct str *name, struct exprs keys);
struct expr *make_in(struct parser *p, struct span at, struct exprs keys, struct loop_base base);
struct expr *make_regex(struct parser *p, struct span at, bool negate, struct expr *subject,
			const struct token *re);
struct expr *make_target(struct parser *p, const struct token *name);
struct expr *make_address(struct parser *p, struct span at, struct expr *e);
struct expr *add_member(struct parser *p, struct span at, struct expr *e, const struct token *name);
struct expr *add_index(struct parser *p, struct span at, struct expr *e, struct exprs keys);
struct expr *add_pretty(struct parser *p, struct span at, struct expr *e, const struct token *suffix);
struct expr *make_extract(struct parser *p, struct span at, enum extractor what, struct expr *stat,
			  struct expr *shift);
struct expr *make_hist(struct parser *p, struct span at, struct expr *stat, bool linear, const int64_t shape[3]);
struct hist *take_hist(struct parser *p, struct expr *e);
struct expr *make_print(struct parser *p, struct span at, const struct token *word, const struct token *text,
			struct exprs args);
struct expr *make_embedded(struct parser *p, const struct token *code);
struct exprs exprs_add(struct parser *p, struct exprs list, struct expr *e);

/* build.c: statements and items. */
struct stmt *stmt_make(struct parser *p, enum stmt_kind kind, struct span at);
struct stmt *stmt_done(struct parser *p, struct stmt *s);
struct stmts stmts_add(struct stmts list, struct stmt *s);
struct stmt *make_return(struct parser *p, struct span at, struct expr *e);
struct stmt *make_delete(struct parser *p, struct span at, struct expr *e);
struct stmt *make_foreach(struct parser *p, struct span at, struct foreach_key *value, struct keys keys,
			  struct loop_base base, struct expr *limit);
void check_guru(struct parser *p, struct span at, const char *what);
void claims_settle(struct parser *p, bool in_function);
void add_embedded(struct parser *p, const struct token *code);
void add_global(struct parser *p, struct global *g);
void add_function(struct parser *p, struct function *f);
struct params params_add(struct parser *p, struct params list, const struct token *name, enum value_type type);

/* points.c */
struct points point_step(struct parser *p, const struct token *word, const struct token *arg);
struct points points_join(struct parser *p, struct span dot, struct points left, struct points right);
struct points points_suffix(struct parser *p, struct span at, struct points points, int mark, struct expr *cond);
struct points points_append(struct points a, struct points b);
struct alias_chain {
	struct alias_name *first, *last;
	struct points points;
	struct span at;			/* the points read last */
	bool append;
};
void chain_next(struct parser *p, struct alias_chain *chain, struct points points, struct span at, bool append);
void add_probe(struct parser *p, struct span at, struct alias_chain chain, struct stmt *body,
	       struct stmt *epilogue);

/* format.c: parts of a printf format; false, with the mistake told, where it is wrong. */
bool format_parse(struct parser *p, struct span at, const struct str *text, struct format_part **parts);

/* The words print, printf ... as a table; NULL past the end. */
struct print_word { const char *name; enum print_form form; bool to_string; };
extern const struct print_word print_words[];

#endif
