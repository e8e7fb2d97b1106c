%{
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar (spec/language.md 3 to 5).  Pure; the nodes are made in build.c and points.c.
 *
 * Statements follow one another without a separator, so a token that can go on with an expression
 * always does: LOW against the operators says so.  After a mistake reading goes on at the next item.
 * Start reading at file, or at stmt.
 */
#include <string.h>

#include "syntax/parser.h"
#include "syntax/parse.h"

/* Enough for any honest script; deeper ones are refused before memory is. */
#define YYMAXDEPTH 40000
#define YYLLOC_DEFAULT(here, rhs, n) \
	((here) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) : \
	 (struct span){ YYRHSLOC(rhs, 0).source, YYRHSLOC(rhs, 0).off + YYRHSLOC(rhs, 0).len, 0, \
			YYRHSLOC(rhs, 0).expanded })

static void yyerror(const struct span *at, struct parser *p, const char *text);
%}

%code requires {
#include "syntax/parser.h"
}

%code {
#define spile_syntax_lex token_next
static bool start_over(struct parser *p, int lookahead);
static struct global *make_global(struct parser *p, const struct token *name);
static void set_size(struct parser *p, struct global *g, struct span at, int64_t size);
static void set_init(struct parser *p, struct global *g, const struct token *value);
static struct function *make_function(struct parser *p, const struct token *name, enum value_type type,
				      struct params params);
static struct expr *make_cast(struct parser *p, struct span at, struct expr *e, const struct token *type,
			      const struct token *module);
static struct expr *make_named(struct parser *p, struct span at, enum expr_kind kind, const struct token *name);
static struct expr *make_enumname(struct parser *p, struct span at, struct expr *e, const struct token *type,
				  const struct token *module);
static struct stmt *make_loop(struct parser *p, struct span at, struct expr *cond, struct stmt *body);
}

%define api.pure full
%define api.prefix {spile_syntax_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%param { struct parser *p }
%expect 0

%union {
	struct token token;
	struct expr *expr;
	struct exprs exprs;
	struct stmt *stmt;
	struct stmts stmts;
	struct params params;
	struct keys keys;
	struct loop_base base;
	struct points points;
	struct alias_chain chain;
	enum value_type type;
	int64_t num;
	struct foreach_key *key;
	struct global *global;
	struct function *function;
	enum op op;
}

%token END 0 "end of file"
/* Keywords, PROBE to CATCH without a gap: tokens.c relies on it. */
%token <token> PROBE "probe" GLOBAL "global" PRIVATE "private" FUNCTION "function" IF "if" ELSE "else"
%token <token> FOR "for" FOREACH "foreach" IN "in" LIMIT "limit" RETURN "return" DELETE "delete"
%token <token> WHILE "while" BREAK "break" CONTINUE "continue" NEXT "next" TYPE_STRING "string"
%token <token> TYPE_LONG "long" TRY "try" CATCH "catch"
/* The print family, likewise. */
%token <token> PRINT "print" PRINTLN "println" PRINTD "printd" PRINTF "printf" PRINTCHAR "print_char"
%token <token> IDENT "identifier" NUMBER "number" STRING "literal string" TARGET "target variable"
%token <token> PRETTY "$" EMBEDDED "%{" WORD "probe point component"
%token <token> AT_CAST "@cast" AT_DEFINED "@defined" AT_PROBEWRITE "@probewrite" AT_ENTRY "@entry"
%token <token> AT_PERF "@perf" AT_VAR "@var" AT_CONST "@const" AT_EXTRACT "@count" AT_VARIANCE "@variance"
%token <token> AT_HIST_LINEAR "@hist_linear" AT_HIST_LOG "@hist_log" AT_REGISTER "@uregister"
%token <token> AT_DEREF "@uderef" AT_ENUM "@enum" AT_ENUMNAME "@enumname"
%token <token> AGGREGATE "<<<" SET_OP "assignment operator" PLUS_SET "+=" SHIFT "shift operator"
%token <token> COMPARE "comparison operator" MATCH "=~" STEP "++" LAND "&&" LOR "||" ARROW "->"
/* These never reach the grammar, or only to be refused. */
%token <token> PP_OPEN "%(" PP_THEN "%?" PP_ELSE "%:" PP_CLOSE "%)" AT_WORD "operator" BAD "junk"

%precedence LOW
%precedence ELSE
%precedence ';'
%precedence '&' '+' '-' STEP '[' '(' '!' '~' IDENT NUMBER STRING TARGET EMBEDDED
%precedence AT_CAST AT_DEFINED AT_PROBEWRITE AT_ENTRY AT_PERF AT_VAR AT_CONST AT_EXTRACT AT_VARIANCE
%precedence AT_HIST_LINEAR AT_HIST_LOG AT_REGISTER AT_DEREF AT_ENUM AT_ENUMNAME
%precedence PRINT PRINTLN PRINTD PRINTF PRINTCHAR

%type <expr> expr assign ternary lor land bitor bitxor bitand membership cmp shift concat add mul
%type <expr> unary crement value postfix primary operator print hist optional_expr optional_limit slice
%type <exprs> exprs slices optional_exprs
%type <stmt> stmt block simple loop function_body
%type <stmts> stmts
%type <params> params optional_params
%type <key> loop_key
%type <keys> loop_keys loop_key_list
%type <base> base loop_base loop_array
%type <points> points point path step
%type <chain> chain
%type <global> gdecl
%type <function> function_head
%type <type> optional_type
%type <num> literal_number optional_direction direction mark
%type <token> literal optional_module
%type <op> set_op

%%

file
	: %empty
	| file item
	| file error			{ if (start_over(p, yychar)) yyclearin; yyerrok; }
	;

item
	: PROBE chain block		{ add_probe(p, @$, $2, $3, NULL); }
	| PROBE chain block ',' block	{ add_probe(p, @$, $2, $3, $5); }
	| function
	| globals
	| globals ';'
	| EMBEDDED			{ add_embedded(p, &$1); }
	;

/* Probe points */

chain
	: points			{ $$ = (struct alias_chain){ .points = $1, .at = @1 }; }
	| chain '=' points		{ $$ = $1; chain_next(p, &$$, $3, @3, false); }
	| chain PLUS_SET points		{ $$ = $1; chain_next(p, &$$, $3, @3, true); }
	;

points
	: point
	| points ',' point		{ $$ = points_append($1, $3); }
	;

point
	: path
	| path mark			{ $$ = points_suffix(p, @2, $1, $2, NULL); }
	| path IF '(' expr ')'		{ $$ = points_suffix(p, @2, $1, 0, $4); }
	| path mark IF '(' expr ')'	{ $$ = points_suffix(p, @2, $1, $2, $5); }
	;

mark
	: '?'				{ $$ = '?'; }
	| '!'				{ $$ = '!'; }
	;

path
	: step
	| path '.' step			{ $$ = points_join(p, @2, $1, $3); }
	;

step
	: WORD				{ $$ = point_step(p, &$1, NULL); }
	| WORD '(' literal ')'		{ $$ = point_step(p, &$1, &$3); }
	| '{' points '}'		{ $$ = $2; }
	;

literal
	: STRING
	| literal_number		{ $$ = (struct token){ .kind = NUMBER, .num = $1, .span = @1 }; }
	;

literal_number
	: NUMBER			{ $$ = $1.num; }
	| '-' NUMBER			{
		if ((uint64_t)$2.num > (uint64_t)INT64_MAX + 1)
			diag_error(p->diag, @$, TAG_NUMBER, "number invalid or out of range");
		$$ = (int64_t)-(uint64_t)$2.num;
	}
	;

/* Functions and globals */

function
	: function_head function_body	{
		$1->span = @$;
		$1->body = $2;
		add_function(p, $1);
	}
	| PRIVATE function_head function_body {
		$2->span = @$;
		$2->body = $3;
		$2->is_private = true;
		add_function(p, $2);
	}
	;

function_head
	: FUNCTION IDENT optional_type '(' optional_params ')' {
		$$ = make_function(p, &$2, $3, $5);
	}
	| FUNCTION IDENT optional_type '(' optional_params ')' ':' literal_number {
		$$ = make_function(p, &$2, $3, $5);
		$$->has_priority = true;
		$$->priority = $8;
		if ($8 < 1)
			diag_error(p->diag, @8, TAG_PRIORITY, "specified priority must be > 0");
	}
	;

function_body
	: block
	| EMBEDDED			{
		$$ = stmt_make(p, STMT_EMBEDDED, @$);
		$$->u.code = $1.text;
		check_guru(p, @1, "embedded code");
	}
	;

optional_type
	: %empty			{ $$ = TY_UNKNOWN; }
	| ':' TYPE_LONG			{ $$ = TY_LONG; }
	| ':' TYPE_STRING		{ $$ = TY_STRING; }
	;

optional_params
	: %empty			{ $$ = (struct params){ 0 }; }
	| params
	| params ','			{ $$ = $1; }
	;

params
	: IDENT optional_type		{ $$ = params_add(p, (struct params){ 0 }, &$1, $2); }
	| params ',' IDENT optional_type { $$ = params_add(p, $1, &$3, $4); }
	;

globals
	: global_word gdecl		{ add_global(p, $2); }
	| globals ',' gdecl		{ add_global(p, $3); }
	;

global_word
	: GLOBAL			{ p->private_globals = false; }
	| PRIVATE			{ p->private_globals = true; }
	| PRIVATE GLOBAL		{ p->private_globals = true; }
	;

gdecl
	: IDENT				{ $$ = make_global(p, &$1); }
	| IDENT '=' literal		{ $$ = make_global(p, &$1); set_init(p, $$, &$3); }
	| IDENT '[' NUMBER ']'		{ $$ = make_global(p, &$1); set_size(p, $$, @3, $3.num); }
	| IDENT '[' NUMBER ']' '=' literal {
		$$ = make_global(p, &$1);
		diag_error(p->diag, @5, TAG_GLOBAL, "only scalar globals can be initialized");
	}
	| IDENT '%'			{ $$ = make_global(p, &$1); $$->wraps = true; }
	| IDENT '%' '=' literal		{
		$$ = make_global(p, &$1);
		$$->wraps = true;
		set_init(p, $$, &$4);
	}
	| IDENT '%' '[' NUMBER ']'	{
		$$ = make_global(p, &$1);
		$$->wraps = true;
		set_size(p, $$, @4, $4.num);
	}
	;

/* Statements */

block
	: '{' stmts '}'			{
		$$ = stmt_make(p, STMT_BLOCK, @$);
		$$->u.block = $2.first;
		$$ = stmt_done(p, $$);
	}
	;

stmts
	: %empty			{ $$ = (struct stmts){ 0 }; }
	| stmts stmt			{ $$ = stmts_add($1, $2); }
	;

stmt
	: ';'				{ $$ = stmt_make(p, STMT_NULL, @$); }
	| block
	| simple %prec LOW
	| simple ';'
	| IF '(' expr ')' stmt %prec LOW {
		$$ = stmt_make(p, STMT_IF, @$);
		$$->u.branch.cond = $3;
		$$->u.branch.yes = $5;
		$$ = stmt_done(p, $$);
	}
	| IF '(' expr ')' stmt ELSE stmt {
		$$ = stmt_make(p, STMT_IF, @$);
		$$->u.branch.cond = $3;
		$$->u.branch.yes = $5;
		$$->u.branch.no = $7;
		$$ = stmt_done(p, $$);
	}
	| loop
	| TRY block CATCH block		{
		$$ = stmt_make(p, STMT_TRY, @$);
		$$->u.try.body = $2;
		$$->u.try.handler = $4;
		$$ = stmt_done(p, $$);
	}
	| TRY block CATCH '(' IDENT ')' block {
		$$ = stmt_make(p, STMT_TRY, @$);
		$$->u.try.body = $2;
		$$->u.try.message = make_var(p, @5, $5.text);
		$$->u.try.handler = $7;
		$$ = stmt_done(p, $$);
	}
	;

/* What one ; behind it belongs to. */
simple
	: expr %prec LOW		{
		$$ = stmt_make(p, STMT_EXPR, @$);
		$$->u.expr = $1;
		$$ = stmt_done(p, $$);
	}
	| RETURN %prec LOW		{ $$ = make_return(p, @$, NULL); }
	| RETURN expr %prec LOW		{ $$ = make_return(p, @$, $2); }
	| DELETE expr %prec LOW		{ $$ = make_delete(p, @$, $2); }
	| NEXT				{ $$ = stmt_make(p, STMT_NEXT, @$); }
	| BREAK				{ $$ = stmt_make(p, STMT_BREAK, @$); }
	| CONTINUE			{ $$ = stmt_make(p, STMT_CONTINUE, @$); }
	;

loop
	: WHILE '(' expr ')' stmt	{
		$$ = make_loop(p, @$, $3, $5);
		$$->u.loop.is_while = true;
		$$ = stmt_done(p, $$);
	}
	| FOR '(' optional_expr ';' optional_expr ';' optional_expr ')' stmt {
		$$ = make_loop(p, @$, $5, $9);
		$$->u.loop.init = $3;
		$$->u.loop.step = $7;
		$$ = stmt_done(p, $$);
	}
	| FOREACH '(' loop_keys IN loop_base optional_limit ')' stmt {
		$$ = make_foreach(p, @$, NULL, $3, $5, $6);
		$$->u.foreach.body = $8;
		$$ = stmt_done(p, $$);
	}
	| FOREACH '(' loop_key '=' loop_keys IN loop_base optional_limit ')' stmt {
		$$ = make_foreach(p, @$, $3, $5, $7, $8);
		$$->u.foreach.body = $10;
		$$ = stmt_done(p, $$);
	}
	;

loop_keys
	: loop_key			{ $$ = (struct keys){ $1, $1 }; }
	| '[' loop_key_list ']'		{ $$ = $2; }
	;

loop_key_list
	: loop_key			{ $$ = (struct keys){ $1, $1 }; }
	| loop_key_list ',' loop_key	{ $$ = $1; $$.last->next = $3; $$.last = $3; }
	;

loop_key
	: IDENT optional_direction	{
		$$ = ARENA_NEW(p->arena, struct foreach_key);
		$$->var = make_var(p, @1, $1.text);
		$$->direction = (int)$2;
	}
	;

loop_base
	: loop_array optional_direction	{ $$ = $1; $$.direction = (int)$2; $$.span = @$; }
	| loop_array AT_EXTRACT direction {
		$$ = $1;
		$$.direction = (int)$3;
		$$.has_extract = true;
		$$.extract = (enum extractor)$2.num;
		$$.span = @$;
	}
	| loop_array AT_VARIANCE direction {
		$$ = $1;
		$$.direction = (int)$3;
		$$.has_extract = true;
		$$.extract = EX_VARIANCE;
		$$.span = @$;
	}
	;

loop_array
	: base
	| IDENT '[' slices ']'		{
		$$ = (struct loop_base){ .array = make_var(p, @1, $1.text), .slice = $3.first };
	}
	;

base
	: IDENT				{ $$ = (struct loop_base){ .array = make_var(p, @1, $1.text) }; }
	| hist				{ $$ = (struct loop_base){ .hist = take_hist(p, $1) }; }
	;

optional_direction
	: %empty			{ $$ = 0; }
	| direction
	;

direction
	: '+'				{ $$ = 1; }
	| '-'				{ $$ = -1; }
	;

optional_limit
	: %empty			{ $$ = NULL; }
	| LIMIT expr			{ $$ = $2; }
	;

/* Expressions, loosest first */

optional_expr
	: %empty			{ $$ = NULL; }
	| expr
	;

optional_exprs
	: %empty			{ $$ = (struct exprs){ 0 }; }
	| exprs
	;

exprs
	: expr				{ $$ = exprs_add(p, (struct exprs){ 0 }, $1); }
	| exprs ',' expr		{ $$ = exprs_add(p, $1, $3); }
	;

slices
	: slice				{ $$ = exprs_add(p, (struct exprs){ 0 }, $1); }
	| slices ',' slice		{ $$ = exprs_add(p, $1, $3); }
	;

slice
	: expr
	| '*'				{ $$ = NULL; }
	;

expr
	: assign
	;

assign
	: ternary
	| ternary '=' assign		{ $$ = make_assign(p, @$, OP_SET, OP_NONE, $1, $3); }
	| ternary set_op assign		{ $$ = make_assign(p, @$, OP_SET, $2, $1, $3); }
	| ternary AGGREGATE assign	{ $$ = make_assign(p, @$, OP_AGGREGATE, OP_NONE, $1, $3); }
	;

set_op
	: SET_OP			{ $$ = (enum op)$1.num; }
	| PLUS_SET			{ $$ = OP_ADD; }
	;

ternary
	: lor
	| lor '?' expr ':' ternary	{
		$$ = expr_make(p, EXPR_TERNARY, @$);
		$$->u.tern.cond = $1;
		$$->u.tern.yes = $3;
		$$->u.tern.no = $5;
		$$ = expr_done(p, $$);
	}
	;

lor
	: land
	| lor LOR land			{ $$ = make_binary(p, @$, OP_LOR, $1, $3); }
	;

land
	: bitor
	| land LAND bitor		{ $$ = make_binary(p, @$, OP_LAND, $1, $3); }
	;

bitor
	: bitxor
	| bitor '|' bitxor		{ $$ = make_binary(p, @$, OP_OR, $1, $3); }
	;

bitxor
	: bitand %prec LOW
	| bitxor '^' bitand %prec LOW	{ $$ = make_binary(p, @$, OP_XOR, $1, $3); }
	;

bitand
	: membership
	| bitand '&' membership		{ $$ = make_binary(p, @$, OP_AND, $1, $3); }
	;

/* Its right side is a name, so it does not chain. */
membership
	: cmp
	| shift MATCH STRING		{ $$ = make_regex(p, @$, $2.num, $1, &$3); }
	| cmp IN base			{ $$ = make_in(p, @$, exprs_add(p, (struct exprs){ 0 }, $1), $3); }
	| shift MATCH STRING IN base	{
		struct expr *match = make_regex(p, span_join(@1, @3), $2.num, $1, &$3);

		$$ = make_in(p, @$, exprs_add(p, (struct exprs){ 0 }, match), $5);
	}
	| '[' slices ']' IN base	{ $$ = make_in(p, @$, $2, $5); }
	| '[' slices ']'		{
		$$ = $2.first->e;
		if ($2.n > 1 || !$$) {
			diag_error(p->diag, @$, TAG_SYNTAX, "unexpected comma-separated expression list");
			$$ = expr_make(p, EXPR_ERROR, @$);
		}
	}
	;

cmp
	: shift
	| cmp COMPARE shift		{ $$ = make_binary(p, @$, (enum op)$2.num, $1, $3); }
	;

shift
	: concat
	| shift SHIFT concat		{ $$ = make_binary(p, @$, (enum op)$2.num, $1, $3); }
	;

concat
	: add %prec LOW
	| concat '.' add %prec LOW	{ $$ = make_binary(p, @$, OP_CONCAT, $1, $3); }
	;

add
	: mul
	| add '+' mul			{ $$ = make_binary(p, @$, OP_ADD, $1, $3); }
	| add '-' mul			{ $$ = make_binary(p, @$, OP_SUB, $1, $3); }
	;

mul
	: unary
	| mul '*' unary			{ $$ = make_binary(p, @$, OP_MUL, $1, $3); }
	| mul '/' unary			{ $$ = make_binary(p, @$, OP_DIV, $1, $3); }
	| mul '%' unary			{ $$ = make_binary(p, @$, OP_MOD, $1, $3); }
	;

unary
	: crement
	| '+' unary			{ $$ = make_unary(p, @$, OP_PLUS, $2); }
	| '-' unary			{ $$ = make_unary(p, @$, OP_NEG, $2); }
	| '!' unary			{ $$ = make_unary(p, @$, OP_NOT, $2); }
	| '~' unary			{ $$ = make_unary(p, @$, OP_COMPL, $2); }
	;

crement
	: value %prec LOW
	| value STEP			{ $$ = make_incdec(p, @$, (enum op)$2.num, true, $1); }
	| STEP value			{ $$ = make_incdec(p, @$, (enum op)$1.num, false, $2); }
	;

value
	: postfix %prec LOW
	| '&' value			{ $$ = make_address(p, @$, $2); }
	;

postfix
	: primary
	| postfix ARROW IDENT		{ $$ = add_member(p, @$, $1, &$3); }
	| postfix ARROW PRETTY		{ $$ = add_pretty(p, @$, $1, &$3); }
	| postfix PRETTY		{ $$ = add_pretty(p, @$, $1, &$2); }
	| postfix '[' slices ']'	{ $$ = add_index(p, @$, $1, $3); }
	;

primary
	: NUMBER			{ $$ = make_num(p, @$, $1.num); }
	| STRING			{ $$ = make_str(p, @$, $1.text); }
	| IDENT %prec LOW		{ $$ = make_var(p, @$, $1.text); }
	| IDENT '[' slices ']'		{ $$ = make_index(p, @$, $1.text, $3); }
	| IDENT '(' optional_exprs ')'	{
		$$ = expr_make(p, EXPR_CALL, @$);
		$$->u.call.name = $1.text;
		$$->u.call.args = $3.first;
		$$ = expr_done(p, $$);
	}
	| TARGET			{ $$ = make_target(p, &$1); }
	| '(' expr ')'			{ $$ = $2; $$->parens = true; }
	| EMBEDDED			{ $$ = make_embedded(p, &$1); }
	| hist
	| operator
	| print
	;

operator
	: AT_CAST '(' expr ',' STRING optional_module ')' { $$ = make_cast(p, @$, $3, &$5, &$6); }
	| AT_VAR '(' STRING optional_module ')'	{ $$ = make_cast(p, @$, NULL, &$3, &$4); }
	| AT_DEFINED '(' expr ')'	{
		$$ = expr_make(p, EXPR_DEFINED, @$);
		$$->u.defined.e = $3;
		$$ = expr_done(p, $$);
	}
	| AT_ENTRY '(' expr ')'		{
		$$ = expr_make(p, EXPR_ENTRY, @$);
		$$->u.entry.e = $3;
		$$ = expr_done(p, $$);
	}
	| AT_PERF '(' STRING ')'	{ $$ = make_named(p, @$, EXPR_PERF, &$3); }
	| AT_PROBEWRITE '(' IDENT ')'	{ $$ = make_named(p, @$, EXPR_PROBEWRITE, &$3); }
	| AT_ENUM '(' STRING ')'	{ $$ = make_named(p, @$, EXPR_ENUM, &$3); }
	| AT_CONST '(' STRING ')'	{
		$$ = make_named(p, @$, EXPR_CONST, &$3);
		check_guru(p, @1, "using @const operator");
	}
	| AT_ENUMNAME '(' expr ')'	{ $$ = make_enumname(p, @$, $3, NULL, NULL); }
	| AT_ENUMNAME '(' expr ',' STRING optional_module ')' { $$ = make_enumname(p, @$, $3, &$5, &$6); }
	| AT_REGISTER '(' expr ')'	{
		$$ = expr_make(p, EXPR_REGISTER, @$);
		$$->u.machine.user = $1.num;
		$$->u.machine.a = $3;
		if (!$1.num)
			check_guru(p, @1, "using @kregister operator");
		$$ = expr_done(p, $$);
	}
	| AT_DEREF '(' expr ',' expr ')' {
		$$ = expr_make(p, EXPR_DEREF, @$);
		$$->u.machine.user = $1.num;
		$$->u.machine.a = $3;
		$$->u.machine.b = $5;
		if (!$1.num)
			check_guru(p, @1, "using @kderef operator");
		$$ = expr_done(p, $$);
	}
	| AT_EXTRACT '(' expr ')'	{ $$ = make_extract(p, @$, (enum extractor)$1.num, $3, NULL); }
	| AT_VARIANCE '(' expr ')'	{ $$ = make_extract(p, @$, EX_VARIANCE, $3, NULL); }
	| AT_VARIANCE '(' expr ',' literal_number ')' {
		$$ = make_extract(p, @$, EX_VARIANCE, $3, make_num(p, @5, $5));
	}
	;

optional_module
	: %empty			{ $$ = (struct token){ 0 }; }
	| ',' STRING			{ $$ = $2; }
	;

hist
	: AT_HIST_LOG '(' expr ')'	{ $$ = make_hist(p, @$, $3, false, NULL); }
	| AT_HIST_LINEAR '(' expr ',' literal_number ',' literal_number ',' literal_number ')' {
		const int64_t shape[3] = { $5, $7, $9 };

		$$ = make_hist(p, @$, $3, true, shape);
	}
	;

print
	: PRINT '(' exprs ')'		{ $$ = make_print(p, @$, &$1, NULL, $3); }
	| PRINTLN '(' optional_exprs ')' { $$ = make_print(p, @$, &$1, NULL, $3); }
	| PRINTD '(' STRING ',' exprs ')' { $$ = make_print(p, @$, &$1, &$3, $5); }
	| PRINTF '(' STRING ')'		{ $$ = make_print(p, @$, &$1, &$3, (struct exprs){ 0 }); }
	| PRINTF '(' STRING ',' exprs ')' { $$ = make_print(p, @$, &$1, &$3, $5); }
	| PRINTCHAR '(' expr ')'	{
		$$ = make_print(p, @$, &$1, NULL, exprs_add(p, (struct exprs){ 0 }, $3));
	}
	;

%%

static struct global *make_global(struct parser *p, const struct token *name)
{
	struct global *g = ARENA_NEW(p->arena, struct global);

	g->span = name->span;
	g->name = name->text;
	return g;
}

static void set_size(struct parser *p, struct global *g, struct span at, int64_t size)
{
	if (size < 1 || size > INT32_MAX)
		diag_error(p->diag, at, TAG_GLOBAL, "array size out of range");
	g->has_size = true;
	g->size = size;
}

static void set_init(struct parser *p, struct global *g, const struct token *value)
{
	g->init = value->kind == STRING ? make_str(p, value->span, value->text) :
		  make_num(p, value->span, value->num);
}

static struct function *make_function(struct parser *p, const struct token *name, enum value_type type,
				      struct params params)
{
	struct function *f = ARENA_NEW(p->arena, struct function);

	f->name = name->text;
	f->name_span = name->span;
	f->declared = type;
	f->params = params.first;
	f->nparams = params.n;
	return f;
}

/* @cast(e, "type", "module"), or without @e @var("name", "module"). */
static struct expr *make_cast(struct parser *p, struct span at, struct expr *e, const struct token *type,
			      const struct token *module)
{
	struct expr *cast = expr_make(p, EXPR_TARGET, at);

	cast->u.target.base = e ? TB_CAST : TB_VAR;
	cast->u.target.name = type->text;
	cast->u.target.module = module->text;
	cast->u.target.operand = e;
	return expr_done(p, cast);
}

static struct expr *make_named(struct parser *p, struct span at, enum expr_kind kind, const struct token *name)
{
	struct expr *e = expr_make(p, kind, at);

	e->u.perf.name = name->text;
	return e;
}

static struct expr *make_enumname(struct parser *p, struct span at, struct expr *e, const struct token *type,
				  const struct token *module)
{
	struct expr *name = expr_make(p, EXPR_ENUMNAME, at);

	name->u.enumname.e = e;
	name->u.enumname.type = type ? type->text : NULL;
	name->u.enumname.module = module ? module->text : NULL;
	return expr_done(p, name);
}

static struct stmt *make_loop(struct parser *p, struct span at, struct expr *cond, struct stmt *body)
{
	struct stmt *s = stmt_make(p, STMT_FOR, at);

	s->u.loop.cond = cond;
	s->u.loop.body = body;
	return s;
}

/* After a mistake.  True: the token at hand starts no item and is dropped, with all up to one that does. */
static bool start_over(struct parser *p, int lookahead)
{
	p->claims = NULL;
	p->parens = 0;
	p->in_points = lookahead == PROBE;
	p->skipping = !token_starts_item(lookahead);
	return p->skipping;
}

/* What is said where these tokens could have followed; the first row that fits counts.  No text: a list. */
static const struct { const char *could, *and; const char *text; } expectations[] = {
	{ "probe", NULL, "expected 'probe', 'global', 'private', 'function', or '%{'" },
	{ "while", NULL, "expected statement" },
	{ "probe point component", NULL, "expected identifier or '*' or '{'" },
	{ "+=", "'{'", "expected one of ', { } = +='" },
	{ "'}'", "'!'", "expected one of ', { } = +='" },
	{ "&&", NULL, NULL },		/* after an operand */
	{ "number", "identifier", "expected literal string or number or other expression" },
	{ "number", NULL, "expected literal string or number" },
	{ "literal string", NULL, "expected literal string" },
	{ "identifier", NULL, "expected identifier" },
	{ "in", "'='", "expected 'in'" },
};

#define EXPECTATIONS (sizeof(expectations) / sizeof(*expectations))
#define EXPECTED_MAX 120

struct expected {
	yysymbol_kind_t v[EXPECTED_MAX];
	int n;
};

static bool could_follow(const struct expected *x, const char *name)
{
	for (int i = 0; i < x->n; i++)
		if (!strcmp(yysymbol_name(x->v[i]), name))
			return true;
	return false;
}

/* "expected ',' or ')'": after an operand only what closes is worth telling. */
static const char *list_expected(struct arena *a, const struct expected *x)
{
	bool after_operand = could_follow(x, "&&");
	const char *text = "expected";
	int told = 0;

	for (int i = 0; i < x->n && told < 5; i++) {
		const char *name = yysymbol_name(x->v[i]), *mark = *name == '\'' ? "" : "'";

		if (after_operand && (*name != '\'' || !strchr(",)];:", name[1])))
			continue;
		text = arena_printf(a, "%s%s%s%s%s", text, told++ ? " or " : " ", mark, name, mark);
	}
	return told ? text : "syntax error";
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	struct expected x;
	const char *text = NULL;
	size_t i = 0;

	if (p->last.kind == BAD)
		return 0;	/* told where it was found bad */
	x.n = yypcontext_expected_tokens(context, x.v, EXPECTED_MAX);
	if (x.n < 0)
		return x.n;
	while (i < EXPECTATIONS && !(could_follow(&x, expectations[i].could) &&
				     (!expectations[i].and || could_follow(&x, expectations[i].and))))
		i++;
	if (i < EXPECTATIONS)
		text = expectations[i].text;
	if (!text && x.n == 2 && could_follow(&x, "'+'") && could_follow(&x, "'-'"))
		text = "expected sort directive";
	if (!text)
		text = list_expected(p->arena, &x);
	diag_error(p->diag, *yypcontext_location(context), TAG_SYNTAX, "%s, saw %s", text,
		   token_describe(p->arena, &p->last));
	return 0;
}

/* Only for a full stack: syntax errors go through yyreport_syntax_error(). */
static void yyerror(const struct span *at, struct parser *p, const char *text)
{
	(void)text;
	diag_error(p->diag, *at, TAG_NESTING, "nested too deeply");
}

struct script *script_parse(struct arena *a, struct diag *d, const struct syntax_env *env,
			    const struct macros *library, const struct source *source, bool is_library)
{
	struct script *s = ARENA_NEW(a, struct script);
	struct parser p = {
		.arena = a, .diag = d, .env = env, .script = s, .is_library = is_library,
		.pp = { .arena = a, .diag = d, .env = env, .library = library },
		.embedded_end = &s->embedded, .globals_end = &s->globals, .aliases_end = &s->aliases,
		.probes_end = &s->probes, .functions_end = &s->functions,
	};

	s->source = (struct source *)source;
	s->is_library = is_library;
	if (!source->len && !is_library) {
		diag_error(d, NO_SPAN, TAG_EMPTY, "Input file '%s' is empty.", source->name);
		return s;
	}
	if (source->len > SOURCE_MAX) {
		diag_error(d, NO_SPAN, TAG_FILE, "Input file '%s' is too large.", source->name);
		return s;
	}
	p.gates = gates_of(d, env, source, is_library);
	p.pp.gates = &p.gates;
	p.pp.own = macros_own(a);
	p.pp.lexer = lexer_new(a, env, &p.gates, source);
	yyparse(&p);
	lexer_free(p.pp.lexer);
	if (!p.seen_any && !is_library && !diag_errors(d))
		diag_error(d, NO_SPAN, TAG_EMPTY, "Input file '%s' is empty after preprocessing.", source->name);
	return s;
}
