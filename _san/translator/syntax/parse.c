/* A Bison parser, made by GNU Bison 3.8.2.  */

/* Bison implementation for Yacc-like parsers in C

   Copyright (C) 1984, 1989-1990, 2000-2015, 2018-2021 Free Software Foundation,
   Inc.

   This program is free software: you can redistribute it and/or modify
   it under the terms of the GNU General Public License as published by
   the Free Software Foundation, either version 3 of the License, or
   (at your option) any later version.

   This program is distributed in the hope that it will be useful,
   but WITHOUT ANY WARRANTY; without even the implied warranty of
   MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
   GNU General Public License for more details.

   You should have received a copy of the GNU General Public License
   along with this program.  If not, see <https://www.gnu.org/licenses/>.  */

/* As a special exception, you may create a larger work that contains
   part or all of the Bison parser skeleton and distribute that work
   under terms of your choice, so long as that work isn't itself a
   parser generator using the skeleton or a modified version thereof
   as a parser skeleton.  Alternatively, if you modify or redistribute
   the parser skeleton itself, you may (at your option) remove this
   special exception, which will cause the skeleton and the resulting
   Bison output files to be licensed under the GNU General Public
   License without this special exception.

   This special exception was added by the Free Software Foundation in
   version 2.2 of Bison.  */

/* C LALR(1) parser skeleton written by Richard Stallman, by
   simplifying the original so-called "semantic" parser.  */

/* DO NOT RELY ON FEATURES THAT ARE NOT DOCUMENTED in the manual,
   especially those whose name start with YY_ or yy_.  They are
   private implementation details that can be changed or removed.  */

/* All symbols defined below should begin with yy or YY, to avoid
   infringing on user name space.  This should be done even for local
   variables, as they might otherwise be expanded by user macros.
   There are some unavoidable exceptions within include files to
   define necessary library symbols; they are noted "INFRINGES ON
   USER NAME SPACE" below.  */

/* Identify Bison output, and Bison version.  */
#define YYBISON 30802

/* Bison version string.  */
#define YYBISON_VERSION "3.8.2"

/* Skeleton name.  */
#define YYSKELETON_NAME "yacc.c"

/* Pure parsers.  */
#define YYPURE 2

/* Push parsers.  */
#define YYPUSH 0

/* Pull parsers.  */
#define YYPULL 1

/* Substitute the type names.  */
#define YYSTYPE         SPILE_SYNTAX_STYPE
#define YYLTYPE         SPILE_SYNTAX_LTYPE
/* Substitute the variable and function names.  */
#define yyparse         spile_syntax_parse
#define yylex           spile_syntax_lex
#define yyerror         spile_syntax_error
#define yydebug         spile_syntax_debug
#define yynerrs         spile_syntax_nerrs

/* First part of user prologue.  */
#line 1 "../translator/syntax/parse.y"

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

#line 102 "translator/syntax/parse.c"

# ifndef YY_CAST
#  ifdef __cplusplus
#   define YY_CAST(Type, Val) static_cast<Type> (Val)
#   define YY_REINTERPRET_CAST(Type, Val) reinterpret_cast<Type> (Val)
#  else
#   define YY_CAST(Type, Val) ((Type) (Val))
#   define YY_REINTERPRET_CAST(Type, Val) ((Type) (Val))
#  endif
# endif
# ifndef YY_NULLPTR
#  if defined __cplusplus
#   if 201103L <= __cplusplus
#    define YY_NULLPTR nullptr
#   else
#    define YY_NULLPTR 0
#   endif
#  else
#   define YY_NULLPTR ((void*)0)
#  endif
# endif

/* Use api.header.include to #include this header
   instead of duplicating it here.  */
#ifndef YY_SPILE_SYNTAX_TRANSLATOR_SYNTAX_PARSE_H_INCLUDED
# define YY_SPILE_SYNTAX_TRANSLATOR_SYNTAX_PARSE_H_INCLUDED
/* Debug traces.  */
#ifndef SPILE_SYNTAX_DEBUG
# if defined YYDEBUG
#if YYDEBUG
#   define SPILE_SYNTAX_DEBUG 1
#  else
#   define SPILE_SYNTAX_DEBUG 0
#  endif
# else /* ! defined YYDEBUG */
#  define SPILE_SYNTAX_DEBUG 0
# endif /* ! defined YYDEBUG */
#endif  /* ! defined SPILE_SYNTAX_DEBUG */
#if SPILE_SYNTAX_DEBUG
extern int spile_syntax_debug;
#endif
/* "%code requires" blocks.  */
#line 25 "../translator/syntax/parse.y"

#include "syntax/parser.h"

#line 149 "translator/syntax/parse.c"

/* Token kinds.  */
#ifndef SPILE_SYNTAX_TOKENTYPE
# define SPILE_SYNTAX_TOKENTYPE
  enum spile_syntax_tokentype
  {
    SPILE_SYNTAX_EMPTY = -2,
    END = 0,                       /* "end of file"  */
    SPILE_SYNTAX_error = 256,      /* error  */
    SPILE_SYNTAX_UNDEF = 257,      /* "invalid token"  */
    PROBE = 258,                   /* "probe"  */
    GLOBAL = 259,                  /* "global"  */
    PRIVATE = 260,                 /* "private"  */
    FUNCTION = 261,                /* "function"  */
    IF = 262,                      /* "if"  */
    ELSE = 263,                    /* "else"  */
    FOR = 264,                     /* "for"  */
    FOREACH = 265,                 /* "foreach"  */
    IN = 266,                      /* "in"  */
    LIMIT = 267,                   /* "limit"  */
    RETURN = 268,                  /* "return"  */
    DELETE = 269,                  /* "delete"  */
    WHILE = 270,                   /* "while"  */
    BREAK = 271,                   /* "break"  */
    CONTINUE = 272,                /* "continue"  */
    NEXT = 273,                    /* "next"  */
    TYPE_STRING = 274,             /* "string"  */
    TYPE_LONG = 275,               /* "long"  */
    TRY = 276,                     /* "try"  */
    CATCH = 277,                   /* "catch"  */
    PRINT = 278,                   /* "print"  */
    PRINTLN = 279,                 /* "println"  */
    PRINTD = 280,                  /* "printd"  */
    PRINTF = 281,                  /* "printf"  */
    PRINTCHAR = 282,               /* "print_char"  */
    IDENT = 283,                   /* "identifier"  */
    NUMBER = 284,                  /* "number"  */
    STRING = 285,                  /* "literal string"  */
    TARGET = 286,                  /* "target variable"  */
    PRETTY = 287,                  /* "$"  */
    EMBEDDED = 288,                /* "%{"  */
    WORD = 289,                    /* "probe point component"  */
    AT_CAST = 290,                 /* "@cast"  */
    AT_DEFINED = 291,              /* "@defined"  */
    AT_PROBEWRITE = 292,           /* "@probewrite"  */
    AT_ENTRY = 293,                /* "@entry"  */
    AT_PERF = 294,                 /* "@perf"  */
    AT_VAR = 295,                  /* "@var"  */
    AT_CONST = 296,                /* "@const"  */
    AT_EXTRACT = 297,              /* "@count"  */
    AT_VARIANCE = 298,             /* "@variance"  */
    AT_HIST_LINEAR = 299,          /* "@hist_linear"  */
    AT_HIST_LOG = 300,             /* "@hist_log"  */
    AT_REGISTER = 301,             /* "@uregister"  */
    AT_DEREF = 302,                /* "@uderef"  */
    AT_ENUM = 303,                 /* "@enum"  */
    AT_ENUMNAME = 304,             /* "@enumname"  */
    AGGREGATE = 305,               /* "<<<"  */
    SET_OP = 306,                  /* "assignment operator"  */
    PLUS_SET = 307,                /* "+="  */
    SHIFT = 308,                   /* "shift operator"  */
    COMPARE = 309,                 /* "comparison operator"  */
    MATCH = 310,                   /* "=~"  */
    STEP = 311,                    /* "++"  */
    LAND = 312,                    /* "&&"  */
    LOR = 313,                     /* "||"  */
    ARROW = 314,                   /* "->"  */
    PP_OPEN = 315,                 /* "%("  */
    PP_THEN = 316,                 /* "%?"  */
    PP_ELSE = 317,                 /* "%:"  */
    PP_CLOSE = 318,                /* "%)"  */
    AT_WORD = 319,                 /* "operator"  */
    BAD = 320,                     /* "junk"  */
    LOW = 321                      /* LOW  */
  };
  typedef enum spile_syntax_tokentype spile_syntax_token_kind_t;
#endif
/* Token kinds.  */
#define SPILE_SYNTAX_EMPTY -2
#define END 0
#define SPILE_SYNTAX_error 256
#define SPILE_SYNTAX_UNDEF 257
#define PROBE 258
#define GLOBAL 259
#define PRIVATE 260
#define FUNCTION 261
#define IF 262
#define ELSE 263
#define FOR 264
#define FOREACH 265
#define IN 266
#define LIMIT 267
#define RETURN 268
#define DELETE 269
#define WHILE 270
#define BREAK 271
#define CONTINUE 272
#define NEXT 273
#define TYPE_STRING 274
#define TYPE_LONG 275
#define TRY 276
#define CATCH 277
#define PRINT 278
#define PRINTLN 279
#define PRINTD 280
#define PRINTF 281
#define PRINTCHAR 282
#define IDENT 283
#define NUMBER 284
#define STRING 285
#define TARGET 286
#define PRETTY 287
#define EMBEDDED 288
#define WORD 289
#define AT_CAST 290
#define AT_DEFINED 291
#define AT_PROBEWRITE 292
#define AT_ENTRY 293
#define AT_PERF 294
#define AT_VAR 295
#define AT_CONST 296
#define AT_EXTRACT 297
#define AT_VARIANCE 298
#define AT_HIST_LINEAR 299
#define AT_HIST_LOG 300
#define AT_REGISTER 301
#define AT_DEREF 302
#define AT_ENUM 303
#define AT_ENUMNAME 304
#define AGGREGATE 305
#define SET_OP 306
#define PLUS_SET 307
#define SHIFT 308
#define COMPARE 309
#define MATCH 310
#define STEP 311
#define LAND 312
#define LOR 313
#define ARROW 314
#define PP_OPEN 315
#define PP_THEN 316
#define PP_ELSE 317
#define PP_CLOSE 318
#define AT_WORD 319
#define BAD 320
#define LOW 321

/* Value type.  */
#if ! defined SPILE_SYNTAX_STYPE && ! defined SPILE_SYNTAX_STYPE_IS_DECLARED
union SPILE_SYNTAX_STYPE
{
#line 54 "../translator/syntax/parse.y"

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

#line 320 "translator/syntax/parse.c"

};
typedef union SPILE_SYNTAX_STYPE SPILE_SYNTAX_STYPE;
# define SPILE_SYNTAX_STYPE_IS_TRIVIAL 1
# define SPILE_SYNTAX_STYPE_IS_DECLARED 1
#endif

/* Location type.  */
typedef struct span SPILE_SYNTAX_LTYPE;




int spile_syntax_parse (struct parser *p);


#endif /* !YY_SPILE_SYNTAX_TRANSLATOR_SYNTAX_PARSE_H_INCLUDED  */
/* Symbol kind.  */
enum yysymbol_kind_t
{
  YYSYMBOL_YYEMPTY = -2,
  YYSYMBOL_YYEOF = 0,                      /* "end of file"  */
  YYSYMBOL_YYerror = 1,                    /* error  */
  YYSYMBOL_YYUNDEF = 2,                    /* "invalid token"  */
  YYSYMBOL_PROBE = 3,                      /* "probe"  */
  YYSYMBOL_GLOBAL = 4,                     /* "global"  */
  YYSYMBOL_PRIVATE = 5,                    /* "private"  */
  YYSYMBOL_FUNCTION = 6,                   /* "function"  */
  YYSYMBOL_IF = 7,                         /* "if"  */
  YYSYMBOL_ELSE = 8,                       /* "else"  */
  YYSYMBOL_FOR = 9,                        /* "for"  */
  YYSYMBOL_FOREACH = 10,                   /* "foreach"  */
  YYSYMBOL_IN = 11,                        /* "in"  */
  YYSYMBOL_LIMIT = 12,                     /* "limit"  */
  YYSYMBOL_RETURN = 13,                    /* "return"  */
  YYSYMBOL_DELETE = 14,                    /* "delete"  */
  YYSYMBOL_WHILE = 15,                     /* "while"  */
  YYSYMBOL_BREAK = 16,                     /* "break"  */
  YYSYMBOL_CONTINUE = 17,                  /* "continue"  */
  YYSYMBOL_NEXT = 18,                      /* "next"  */
  YYSYMBOL_TYPE_STRING = 19,               /* "string"  */
  YYSYMBOL_TYPE_LONG = 20,                 /* "long"  */
  YYSYMBOL_TRY = 21,                       /* "try"  */
  YYSYMBOL_CATCH = 22,                     /* "catch"  */
  YYSYMBOL_PRINT = 23,                     /* "print"  */
  YYSYMBOL_PRINTLN = 24,                   /* "println"  */
  YYSYMBOL_PRINTD = 25,                    /* "printd"  */
  YYSYMBOL_PRINTF = 26,                    /* "printf"  */
  YYSYMBOL_PRINTCHAR = 27,                 /* "print_char"  */
  YYSYMBOL_IDENT = 28,                     /* "identifier"  */
  YYSYMBOL_NUMBER = 29,                    /* "number"  */
  YYSYMBOL_STRING = 30,                    /* "literal string"  */
  YYSYMBOL_TARGET = 31,                    /* "target variable"  */
  YYSYMBOL_PRETTY = 32,                    /* "$"  */
  YYSYMBOL_EMBEDDED = 33,                  /* "%{"  */
  YYSYMBOL_WORD = 34,                      /* "probe point component"  */
  YYSYMBOL_AT_CAST = 35,                   /* "@cast"  */
  YYSYMBOL_AT_DEFINED = 36,                /* "@defined"  */
  YYSYMBOL_AT_PROBEWRITE = 37,             /* "@probewrite"  */
  YYSYMBOL_AT_ENTRY = 38,                  /* "@entry"  */
  YYSYMBOL_AT_PERF = 39,                   /* "@perf"  */
  YYSYMBOL_AT_VAR = 40,                    /* "@var"  */
  YYSYMBOL_AT_CONST = 41,                  /* "@const"  */
  YYSYMBOL_AT_EXTRACT = 42,                /* "@count"  */
  YYSYMBOL_AT_VARIANCE = 43,               /* "@variance"  */
  YYSYMBOL_AT_HIST_LINEAR = 44,            /* "@hist_linear"  */
  YYSYMBOL_AT_HIST_LOG = 45,               /* "@hist_log"  */
  YYSYMBOL_AT_REGISTER = 46,               /* "@uregister"  */
  YYSYMBOL_AT_DEREF = 47,                  /* "@uderef"  */
  YYSYMBOL_AT_ENUM = 48,                   /* "@enum"  */
  YYSYMBOL_AT_ENUMNAME = 49,               /* "@enumname"  */
  YYSYMBOL_AGGREGATE = 50,                 /* "<<<"  */
  YYSYMBOL_SET_OP = 51,                    /* "assignment operator"  */
  YYSYMBOL_PLUS_SET = 52,                  /* "+="  */
  YYSYMBOL_SHIFT = 53,                     /* "shift operator"  */
  YYSYMBOL_COMPARE = 54,                   /* "comparison operator"  */
  YYSYMBOL_MATCH = 55,                     /* "=~"  */
  YYSYMBOL_STEP = 56,                      /* "++"  */
  YYSYMBOL_LAND = 57,                      /* "&&"  */
  YYSYMBOL_LOR = 58,                       /* "||"  */
  YYSYMBOL_ARROW = 59,                     /* "->"  */
  YYSYMBOL_PP_OPEN = 60,                   /* "%("  */
  YYSYMBOL_PP_THEN = 61,                   /* "%?"  */
  YYSYMBOL_PP_ELSE = 62,                   /* "%:"  */
  YYSYMBOL_PP_CLOSE = 63,                  /* "%)"  */
  YYSYMBOL_AT_WORD = 64,                   /* "operator"  */
  YYSYMBOL_BAD = 65,                       /* "junk"  */
  YYSYMBOL_LOW = 66,                       /* LOW  */
  YYSYMBOL_67_ = 67,                       /* ';'  */
  YYSYMBOL_68_ = 68,                       /* '&'  */
  YYSYMBOL_69_ = 69,                       /* '+'  */
  YYSYMBOL_70_ = 70,                       /* '-'  */
  YYSYMBOL_71_ = 71,                       /* '['  */
  YYSYMBOL_72_ = 72,                       /* '('  */
  YYSYMBOL_73_ = 73,                       /* '!'  */
  YYSYMBOL_74_ = 74,                       /* '~'  */
  YYSYMBOL_75_ = 75,                       /* ','  */
  YYSYMBOL_76_ = 76,                       /* '='  */
  YYSYMBOL_77_ = 77,                       /* ')'  */
  YYSYMBOL_78_ = 78,                       /* '?'  */
  YYSYMBOL_79_ = 79,                       /* '.'  */
  YYSYMBOL_80_ = 80,                       /* '{'  */
  YYSYMBOL_81_ = 81,                       /* '}'  */
  YYSYMBOL_82_ = 82,                       /* ':'  */
  YYSYMBOL_83_ = 83,                       /* ']'  */
  YYSYMBOL_84_ = 84,                       /* '%'  */
  YYSYMBOL_85_ = 85,                       /* '*'  */
  YYSYMBOL_86_ = 86,                       /* '|'  */
  YYSYMBOL_87_ = 87,                       /* '^'  */
  YYSYMBOL_88_ = 88,                       /* '/'  */
  YYSYMBOL_YYACCEPT = 89,                  /* $accept  */
  YYSYMBOL_file = 90,                      /* file  */
  YYSYMBOL_item = 91,                      /* item  */
  YYSYMBOL_chain = 92,                     /* chain  */
  YYSYMBOL_points = 93,                    /* points  */
  YYSYMBOL_point = 94,                     /* point  */
  YYSYMBOL_mark = 95,                      /* mark  */
  YYSYMBOL_path = 96,                      /* path  */
  YYSYMBOL_step = 97,                      /* step  */
  YYSYMBOL_literal = 98,                   /* literal  */
  YYSYMBOL_literal_number = 99,            /* literal_number  */
  YYSYMBOL_function = 100,                 /* function  */
  YYSYMBOL_function_head = 101,            /* function_head  */
  YYSYMBOL_function_body = 102,            /* function_body  */
  YYSYMBOL_optional_type = 103,            /* optional_type  */
  YYSYMBOL_optional_params = 104,          /* optional_params  */
  YYSYMBOL_params = 105,                   /* params  */
  YYSYMBOL_globals = 106,                  /* globals  */
  YYSYMBOL_global_word = 107,              /* global_word  */
  YYSYMBOL_gdecl = 108,                    /* gdecl  */
  YYSYMBOL_block = 109,                    /* block  */
  YYSYMBOL_stmts = 110,                    /* stmts  */
  YYSYMBOL_stmt = 111,                     /* stmt  */
  YYSYMBOL_simple = 112,                   /* simple  */
  YYSYMBOL_loop = 113,                     /* loop  */
  YYSYMBOL_loop_keys = 114,                /* loop_keys  */
  YYSYMBOL_loop_key_list = 115,            /* loop_key_list  */
  YYSYMBOL_loop_key = 116,                 /* loop_key  */
  YYSYMBOL_loop_base = 117,                /* loop_base  */
  YYSYMBOL_loop_array = 118,               /* loop_array  */
  YYSYMBOL_base = 119,                     /* base  */
  YYSYMBOL_optional_direction = 120,       /* optional_direction  */
  YYSYMBOL_direction = 121,                /* direction  */
  YYSYMBOL_optional_limit = 122,           /* optional_limit  */
  YYSYMBOL_optional_expr = 123,            /* optional_expr  */
  YYSYMBOL_optional_exprs = 124,           /* optional_exprs  */
  YYSYMBOL_exprs = 125,                    /* exprs  */
  YYSYMBOL_slices = 126,                   /* slices  */
  YYSYMBOL_slice = 127,                    /* slice  */
  YYSYMBOL_expr = 128,                     /* expr  */
  YYSYMBOL_assign = 129,                   /* assign  */
  YYSYMBOL_set_op = 130,                   /* set_op  */
  YYSYMBOL_ternary = 131,                  /* ternary  */
  YYSYMBOL_lor = 132,                      /* lor  */
  YYSYMBOL_land = 133,                     /* land  */
  YYSYMBOL_bitor = 134,                    /* bitor  */
  YYSYMBOL_bitxor = 135,                   /* bitxor  */
  YYSYMBOL_bitand = 136,                   /* bitand  */
  YYSYMBOL_membership = 137,               /* membership  */
  YYSYMBOL_cmp = 138,                      /* cmp  */
  YYSYMBOL_shift = 139,                    /* shift  */
  YYSYMBOL_concat = 140,                   /* concat  */
  YYSYMBOL_add = 141,                      /* add  */
  YYSYMBOL_mul = 142,                      /* mul  */
  YYSYMBOL_unary = 143,                    /* unary  */
  YYSYMBOL_crement = 144,                  /* crement  */
  YYSYMBOL_value = 145,                    /* value  */
  YYSYMBOL_postfix = 146,                  /* postfix  */
  YYSYMBOL_primary = 147,                  /* primary  */
  YYSYMBOL_operator = 148,                 /* operator  */
  YYSYMBOL_optional_module = 149,          /* optional_module  */
  YYSYMBOL_hist = 150,                     /* hist  */
  YYSYMBOL_print = 151                     /* print  */
};
typedef enum yysymbol_kind_t yysymbol_kind_t;



/* Unqualified %code blocks.  */
#line 29 "../translator/syntax/parse.y"

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

#line 516 "translator/syntax/parse.c"

#ifdef short
# undef short
#endif

/* On compilers that do not define __PTRDIFF_MAX__ etc., make sure
   <limits.h> and (if available) <stdint.h> are included
   so that the code can choose integer types of a good width.  */

#ifndef __PTRDIFF_MAX__
# include <limits.h> /* INFRINGES ON USER NAME SPACE */
# if defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stdint.h> /* INFRINGES ON USER NAME SPACE */
#  define YY_STDINT_H
# endif
#endif

/* Narrow types that promote to a signed type and that can represent a
   signed or unsigned integer of at least N bits.  In tables they can
   save space and decrease cache pressure.  Promoting to a signed type
   helps avoid bugs in integer arithmetic.  */

#ifdef __INT_LEAST8_MAX__
typedef __INT_LEAST8_TYPE__ yytype_int8;
#elif defined YY_STDINT_H
typedef int_least8_t yytype_int8;
#else
typedef signed char yytype_int8;
#endif

#ifdef __INT_LEAST16_MAX__
typedef __INT_LEAST16_TYPE__ yytype_int16;
#elif defined YY_STDINT_H
typedef int_least16_t yytype_int16;
#else
typedef short yytype_int16;
#endif

/* Work around bug in HP-UX 11.23, which defines these macros
   incorrectly for preprocessor constants.  This workaround can likely
   be removed in 2023, as HPE has promised support for HP-UX 11.23
   (aka HP-UX 11i v2) only through the end of 2022; see Table 2 of
   <https://h20195.www2.hpe.com/V2/getpdf.aspx/4AA4-7673ENW.pdf>.  */
#ifdef __hpux
# undef UINT_LEAST8_MAX
# undef UINT_LEAST16_MAX
# define UINT_LEAST8_MAX 255
# define UINT_LEAST16_MAX 65535
#endif

#if defined __UINT_LEAST8_MAX__ && __UINT_LEAST8_MAX__ <= __INT_MAX__
typedef __UINT_LEAST8_TYPE__ yytype_uint8;
#elif (!defined __UINT_LEAST8_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST8_MAX <= INT_MAX)
typedef uint_least8_t yytype_uint8;
#elif !defined __UINT_LEAST8_MAX__ && UCHAR_MAX <= INT_MAX
typedef unsigned char yytype_uint8;
#else
typedef short yytype_uint8;
#endif

#if defined __UINT_LEAST16_MAX__ && __UINT_LEAST16_MAX__ <= __INT_MAX__
typedef __UINT_LEAST16_TYPE__ yytype_uint16;
#elif (!defined __UINT_LEAST16_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST16_MAX <= INT_MAX)
typedef uint_least16_t yytype_uint16;
#elif !defined __UINT_LEAST16_MAX__ && USHRT_MAX <= INT_MAX
typedef unsigned short yytype_uint16;
#else
typedef int yytype_uint16;
#endif

#ifndef YYPTRDIFF_T
# if defined __PTRDIFF_TYPE__ && defined __PTRDIFF_MAX__
#  define YYPTRDIFF_T __PTRDIFF_TYPE__
#  define YYPTRDIFF_MAXIMUM __PTRDIFF_MAX__
# elif defined PTRDIFF_MAX
#  ifndef ptrdiff_t
#   include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  endif
#  define YYPTRDIFF_T ptrdiff_t
#  define YYPTRDIFF_MAXIMUM PTRDIFF_MAX
# else
#  define YYPTRDIFF_T long
#  define YYPTRDIFF_MAXIMUM LONG_MAX
# endif
#endif

#ifndef YYSIZE_T
# ifdef __SIZE_TYPE__
#  define YYSIZE_T __SIZE_TYPE__
# elif defined size_t
#  define YYSIZE_T size_t
# elif defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  define YYSIZE_T size_t
# else
#  define YYSIZE_T unsigned
# endif
#endif

#define YYSIZE_MAXIMUM                                  \
  YY_CAST (YYPTRDIFF_T,                                 \
           (YYPTRDIFF_MAXIMUM < YY_CAST (YYSIZE_T, -1)  \
            ? YYPTRDIFF_MAXIMUM                         \
            : YY_CAST (YYSIZE_T, -1)))

#define YYSIZEOF(X) YY_CAST (YYPTRDIFF_T, sizeof (X))


/* Stored state numbers (used for stacks). */
typedef yytype_int16 yy_state_t;

/* State numbers in computations.  */
typedef int yy_state_fast_t;

#ifndef YY_
# if defined YYENABLE_NLS && YYENABLE_NLS
#  if ENABLE_NLS
#   include <libintl.h> /* INFRINGES ON USER NAME SPACE */
#   define YY_(Msgid) dgettext ("bison-runtime", Msgid)
#  endif
# endif
# ifndef YY_
#  define YY_(Msgid) Msgid
# endif
#endif


#ifndef YY_ATTRIBUTE_PURE
# if defined __GNUC__ && 2 < __GNUC__ + (96 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_PURE __attribute__ ((__pure__))
# else
#  define YY_ATTRIBUTE_PURE
# endif
#endif

#ifndef YY_ATTRIBUTE_UNUSED
# if defined __GNUC__ && 2 < __GNUC__ + (7 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_UNUSED __attribute__ ((__unused__))
# else
#  define YY_ATTRIBUTE_UNUSED
# endif
#endif

/* Suppress unused-variable warnings by "using" E.  */
#if ! defined lint || defined __GNUC__
# define YY_USE(E) ((void) (E))
#else
# define YY_USE(E) /* empty */
#endif

/* Suppress an incorrect diagnostic about yylval being uninitialized.  */
#if defined __GNUC__ && ! defined __ICC && 406 <= __GNUC__ * 100 + __GNUC_MINOR__
# if __GNUC__ * 100 + __GNUC_MINOR__ < 407
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")
# else
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")              \
    _Pragma ("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
# endif
# define YY_IGNORE_MAYBE_UNINITIALIZED_END      \
    _Pragma ("GCC diagnostic pop")
#else
# define YY_INITIAL_VALUE(Value) Value
#endif
#ifndef YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_END
#endif
#ifndef YY_INITIAL_VALUE
# define YY_INITIAL_VALUE(Value) /* Nothing. */
#endif

#if defined __cplusplus && defined __GNUC__ && ! defined __ICC && 6 <= __GNUC__
# define YY_IGNORE_USELESS_CAST_BEGIN                          \
    _Pragma ("GCC diagnostic push")                            \
    _Pragma ("GCC diagnostic ignored \"-Wuseless-cast\"")
# define YY_IGNORE_USELESS_CAST_END            \
    _Pragma ("GCC diagnostic pop")
#endif
#ifndef YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_END
#endif


#define YY_ASSERT(E) ((void) (0 && (E)))

#if 1

/* The parser invokes alloca or malloc; define the necessary symbols.  */

# ifdef YYSTACK_ALLOC
   /* Pacify GCC's 'empty if-body' warning.  */
#  define YYSTACK_FREE(Ptr) do { /* empty */; } while (0)
#  ifndef YYSTACK_ALLOC_MAXIMUM
    /* The OS might guarantee only one guard page at the bottom of the stack,
       and a page size can be as small as 4096 bytes.  So we cannot safely
       invoke alloca (N) if N exceeds 4096.  Use a slightly smaller number
       to allow for a few compiler-allocated temporary stack slots.  */
#   define YYSTACK_ALLOC_MAXIMUM 4032 /* reasonable circa 2006 */
#  endif
# else
#  define YYSTACK_ALLOC YYMALLOC
#  define YYSTACK_FREE YYFREE
#  ifndef YYSTACK_ALLOC_MAXIMUM
#   define YYSTACK_ALLOC_MAXIMUM YYSIZE_MAXIMUM
#  endif
#  if (defined __cplusplus && ! defined EXIT_SUCCESS \
       && ! ((defined YYMALLOC || defined malloc) \
             && (defined YYFREE || defined free)))
#   include <stdlib.h> /* INFRINGES ON USER NAME SPACE */
#   ifndef EXIT_SUCCESS
#    define EXIT_SUCCESS 0
#   endif
#  endif
#  ifndef YYMALLOC
#   define YYMALLOC malloc
#   if ! defined malloc && ! defined EXIT_SUCCESS
void *malloc (YYSIZE_T); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
#  ifndef YYFREE
#   define YYFREE free
#   if ! defined free && ! defined EXIT_SUCCESS
void free (void *); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
# endif
# define YYCOPY_NEEDED 1
#endif /* 1 */

#if (! defined yyoverflow \
     && (! defined __cplusplus \
         || (defined SPILE_SYNTAX_LTYPE_IS_TRIVIAL && SPILE_SYNTAX_LTYPE_IS_TRIVIAL \
             && defined SPILE_SYNTAX_STYPE_IS_TRIVIAL && SPILE_SYNTAX_STYPE_IS_TRIVIAL)))

/* A type that is properly aligned for any stack member.  */
union yyalloc
{
  yy_state_t yyss_alloc;
  YYSTYPE yyvs_alloc;
  YYLTYPE yyls_alloc;
};

/* The size of the maximum gap between one aligned stack and the next.  */
# define YYSTACK_GAP_MAXIMUM (YYSIZEOF (union yyalloc) - 1)

/* The size of an array large to enough to hold all stacks, each with
   N elements.  */
# define YYSTACK_BYTES(N) \
     ((N) * (YYSIZEOF (yy_state_t) + YYSIZEOF (YYSTYPE) \
             + YYSIZEOF (YYLTYPE)) \
      + 2 * YYSTACK_GAP_MAXIMUM)

# define YYCOPY_NEEDED 1

/* Relocate STACK from its old location to the new one.  The
   local variables YYSIZE and YYSTACKSIZE give the old and new number of
   elements in the stack, and YYPTR gives the new location of the
   stack.  Advance YYPTR to a properly aligned location for the next
   stack.  */
# define YYSTACK_RELOCATE(Stack_alloc, Stack)                           \
    do                                                                  \
      {                                                                 \
        YYPTRDIFF_T yynewbytes;                                         \
        YYCOPY (&yyptr->Stack_alloc, Stack, yysize);                    \
        Stack = &yyptr->Stack_alloc;                                    \
        yynewbytes = yystacksize * YYSIZEOF (*Stack) + YYSTACK_GAP_MAXIMUM; \
        yyptr += yynewbytes / YYSIZEOF (*yyptr);                        \
      }                                                                 \
    while (0)

#endif

#if defined YYCOPY_NEEDED && YYCOPY_NEEDED
/* Copy COUNT objects from SRC to DST.  The source and destination do
   not overlap.  */
# ifndef YYCOPY
#  if defined __GNUC__ && 1 < __GNUC__
#   define YYCOPY(Dst, Src, Count) \
      __builtin_memcpy (Dst, Src, YY_CAST (YYSIZE_T, (Count)) * sizeof (*(Src)))
#  else
#   define YYCOPY(Dst, Src, Count)              \
      do                                        \
        {                                       \
          YYPTRDIFF_T yyi;                      \
          for (yyi = 0; yyi < (Count); yyi++)   \
            (Dst)[yyi] = (Src)[yyi];            \
        }                                       \
      while (0)
#  endif
# endif
#endif /* !YYCOPY_NEEDED */

/* YYFINAL -- State number of the termination state.  */
#define YYFINAL  2
/* YYLAST -- Last index in YYTABLE.  */
#define YYLAST   559

/* YYNTOKENS -- Number of terminals.  */
#define YYNTOKENS  89
/* YYNNTS -- Number of nonterminals.  */
#define YYNNTS  63
/* YYNRULES -- Number of rules.  */
#define YYNRULES  194
/* YYNSTATES -- Number of states.  */
#define YYNSTATES  400

/* YYMAXUTOK -- Last valid token kind.  */
#define YYMAXUTOK   321


/* YYTRANSLATE(TOKEN-NUM) -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex, with out-of-bounds checking.  */
#define YYTRANSLATE(YYX)                                \
  (0 <= (YYX) && (YYX) <= YYMAXUTOK                     \
   ? YY_CAST (yysymbol_kind_t, yytranslate[YYX])        \
   : YYSYMBOL_YYUNDEF)

/* YYTRANSLATE[TOKEN-NUM] -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex.  */
static const yytype_int8 yytranslate[] =
{
       0,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,    73,     2,     2,     2,    84,    68,     2,
      72,    77,    85,    69,    75,    70,    79,    88,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,    82,    67,
       2,    76,     2,    78,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,    71,     2,    83,    87,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,    80,    86,    81,    74,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     1,     2,     3,     4,
       5,     6,     7,     8,     9,    10,    11,    12,    13,    14,
      15,    16,    17,    18,    19,    20,    21,    22,    23,    24,
      25,    26,    27,    28,    29,    30,    31,    32,    33,    34,
      35,    36,    37,    38,    39,    40,    41,    42,    43,    44,
      45,    46,    47,    48,    49,    50,    51,    52,    53,    54,
      55,    56,    57,    58,    59,    60,    61,    62,    63,    64,
      65,    66
};

#if SPILE_SYNTAX_DEBUG
/* YYRLINE[YYN] -- Source line where rule number YYN was defined.  */
static const yytype_int16 yyrline[] =
{
       0,   121,   121,   122,   123,   127,   128,   129,   130,   131,
     132,   138,   139,   140,   144,   145,   149,   150,   151,   152,
     156,   157,   161,   162,   166,   167,   168,   172,   173,   177,
     178,   188,   193,   202,   205,   215,   216,   224,   225,   226,
     230,   231,   235,   236,   240,   241,   245,   246,   247,   251,
     252,   253,   254,   258,   259,   269,   277,   278,   282,   283,
     284,   285,   286,   292,   299,   300,   306,   317,   322,   323,
     324,   325,   326,   327,   331,   336,   342,   347,   355,   356,
     360,   361,   365,   373,   374,   381,   391,   392,   398,   399,
     403,   404,   408,   409,   413,   414,   420,   421,   425,   426,
     430,   431,   435,   436,   440,   441,   445,   449,   450,   451,
     452,   456,   457,   461,   462,   472,   473,   477,   478,   482,
     483,   487,   488,   492,   493,   498,   499,   500,   501,   506,
     507,   517,   518,   522,   523,   527,   528,   532,   533,   534,
     538,   539,   540,   541,   545,   546,   547,   548,   549,   553,
     554,   555,   559,   560,   564,   565,   566,   567,   568,   572,
     573,   574,   575,   576,   582,   583,   584,   585,   586,   587,
     591,   592,   593,   598,   603,   604,   605,   606,   610,   611,
     612,   620,   629,   630,   631,   637,   638,   642,   643,   651,
     652,   653,   654,   655,   656
};
#endif

/** Accessing symbol of state STATE.  */
#define YY_ACCESSING_SYMBOL(State) YY_CAST (yysymbol_kind_t, yystos[State])

#if 1
/* The user-facing name of the symbol whose (internal) number is
   YYSYMBOL.  No bounds checking.  */
static const char *yysymbol_name (yysymbol_kind_t yysymbol) YY_ATTRIBUTE_UNUSED;

static const char *
yysymbol_name (yysymbol_kind_t yysymbol)
{
  static const char *const yy_sname[] =
  {
  "end of file", "error", "invalid token", "probe", "global", "private",
  "function", "if", "else", "for", "foreach", "in", "limit", "return",
  "delete", "while", "break", "continue", "next", "string", "long", "try",
  "catch", "print", "println", "printd", "printf", "print_char",
  "identifier", "number", "literal string", "target variable", "$", "%{",
  "probe point component", "@cast", "@defined", "@probewrite", "@entry",
  "@perf", "@var", "@const", "@count", "@variance", "@hist_linear",
  "@hist_log", "@uregister", "@uderef", "@enum", "@enumname", "<<<",
  "assignment operator", "+=", "shift operator", "comparison operator",
  "=~", "++", "&&", "||", "->", "%(", "%?", "%:", "%)", "operator", "junk",
  "LOW", "';'", "'&'", "'+'", "'-'", "'['", "'('", "'!'", "'~'", "','",
  "'='", "')'", "'?'", "'.'", "'{'", "'}'", "':'", "']'", "'%'", "'*'",
  "'|'", "'^'", "'/'", "$accept", "file", "item", "chain", "points",
  "point", "mark", "path", "step", "literal", "literal_number", "function",
  "function_head", "function_body", "optional_type", "optional_params",
  "params", "globals", "global_word", "gdecl", "block", "stmts", "stmt",
  "simple", "loop", "loop_keys", "loop_key_list", "loop_key", "loop_base",
  "loop_array", "base", "optional_direction", "direction",
  "optional_limit", "optional_expr", "optional_exprs", "exprs", "slices",
  "slice", "expr", "assign", "set_op", "ternary", "lor", "land", "bitor",
  "bitxor", "bitand", "membership", "cmp", "shift", "concat", "add", "mul",
  "unary", "crement", "value", "postfix", "primary", "operator",
  "optional_module", "hist", "print", YY_NULLPTR
  };
  return yy_sname[yysymbol];
}
#endif

#define YYPACT_NINF (-281)

#define yypact_value_is_default(Yyn) \
  ((Yyn) == YYPACT_NINF)

#define YYTABLE_NINF (-1)

#define yytable_value_is_error(Yyn) \
  0

/* YYPACT[STATE-NUM] -- Index in YYTABLE of the portion describing
   STATE-NUM.  */
static const yytype_int16 yypact[] =
{
    -281,    33,  -281,  -281,   -16,  -281,    38,    93,  -281,  -281,
    -281,   -17,   -32,   108,    71,   -16,    -6,   -43,  -281,     7,
    -281,  -281,   -17,    80,  -281,  -281,  -281,  -281,  -281,   108,
     -31,  -281,    -9,   -34,   -16,   -16,     3,   -16,   100,  -281,
    -281,   -16,   199,  -281,    70,   150,   243,  -281,   194,    -9,
     153,  -281,  -281,   197,   151,  -281,  -281,   -43,   -43,   147,
    -281,   383,  -281,   157,  -281,  -281,   203,   160,   161,   163,
     383,   383,   164,  -281,  -281,  -281,   147,   165,   166,   167,
     168,   169,   131,  -281,  -281,  -281,  -281,   171,   172,   175,
     176,   177,   179,   182,   183,   190,   191,   205,   221,   222,
     223,   224,   487,  -281,   487,   435,   435,   140,   383,   435,
     435,  -281,  -281,  -281,   208,  -281,  -281,  -281,    21,     4,
     240,   212,   213,   233,  -281,     6,   102,   225,   125,    56,
    -281,  -281,   246,    -3,  -281,  -281,  -281,  -281,   226,  -281,
     278,  -281,  -281,  -281,   231,   383,    80,   241,   244,   383,
     383,    -4,  -281,  -281,   383,   298,   383,   383,   291,   292,
     383,   140,   383,   383,   383,   297,   383,   296,   299,   300,
     383,   383,   383,   383,   383,   383,   301,   383,  -281,  -281,
    -281,  -281,  -281,   -24,  -281,  -281,   250,  -281,  -281,  -281,
     383,  -281,  -281,   383,   383,   383,   383,   383,   383,   383,
     383,   101,   435,   435,   303,   435,   435,   435,   435,   435,
     435,  -281,  -281,    79,   140,   252,   253,  -281,   260,  -281,
     262,   317,   270,   290,  -281,   146,   347,   365,   302,   305,
      50,    83,  -281,   306,   304,   309,    84,   308,     1,   310,
     311,   312,   313,   314,   323,   326,   327,   338,   115,   328,
     340,   356,   359,   358,   116,   140,   366,  -281,  -281,  -281,
    -281,   240,   320,   212,   213,   233,  -281,  -281,  -281,  -281,
     335,   225,   369,   125,    56,    56,  -281,  -281,  -281,  -281,
    -281,    18,    -9,  -281,  -281,    -1,    80,   325,   383,  -281,
    -281,  -281,  -281,    48,  -281,   104,    -4,   325,   408,  -281,
     383,  -281,  -281,   383,   383,  -281,  -281,  -281,  -281,   407,
    -281,  -281,  -281,  -281,   410,   361,  -281,  -281,    -1,  -281,
      -1,  -281,  -281,   383,  -281,   411,  -281,  -281,   101,   383,
     101,  -281,  -281,  -281,  -281,   434,   376,   347,  -281,   373,
     433,   -12,  -281,   436,  -281,  -281,   371,  -281,   123,   124,
     326,  -281,  -281,   372,   375,   390,   326,  -281,  -281,  -281,
     325,   383,  -281,   140,   383,   392,   146,   146,  -281,   104,
     147,  -281,  -281,   409,  -281,    -1,  -281,   412,  -281,   413,
      59,  -281,   325,  -281,  -281,   433,  -281,  -281,   417,  -281,
     325,  -281,  -281,   416,    -1,  -281,   325,   418,  -281,  -281
};

/* YYDEFACT[STATE-NUM] -- Default reduction number in state STATE-NUM.
   Performed when YYTABLE does not specify something else to do.  Zero
   means the default is an error.  */
static const yytype_uint8 yydefact[] =
{
       2,     0,     1,     4,     0,    46,    47,     0,    10,     3,
       7,     0,     8,     0,    24,     0,     0,    11,    14,    16,
      22,    48,     0,    37,    36,    56,    31,    35,     9,     0,
      49,    44,     0,     0,     0,     0,     5,     0,     0,    21,
      20,     0,    17,    32,     0,     0,     0,    45,     0,     0,
      53,    29,    27,     0,     0,    28,    26,    13,    12,     0,
      15,     0,    23,     0,    39,    38,    40,     0,     0,     0,
      68,     0,     0,    72,    73,    71,     0,     0,     0,     0,
       0,     0,   161,   159,   160,   164,   166,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,    58,     0,     0,     0,     0,     0,     0,
       0,    55,    59,    57,    60,    64,    67,   106,   107,   113,
     115,   117,   119,   121,   123,   125,   131,   133,   135,   137,
     140,   144,   149,   152,   154,   168,   167,   169,     0,    50,
       0,    30,    25,     6,     0,     0,    37,     0,    41,     0,
      96,     0,    69,    70,     0,     0,     0,    98,     0,     0,
       0,     0,    98,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,   151,   153,
     145,   146,   105,     0,   102,   104,     0,   147,   148,    61,
       0,   111,   112,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
       0,   150,   157,     0,     0,    51,     0,    18,     0,    42,
      33,     0,     0,     0,    97,    90,     0,     0,    78,     0,
       0,     0,   100,     0,    99,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,   185,     0,     0,     0,     0,
       0,     0,     0,     0,     0,     0,   130,   165,   110,   108,
     109,   116,     0,   118,   120,   122,   124,    88,   127,    89,
     132,   134,   126,   136,   138,   139,   143,   141,   142,   155,
     156,     0,     0,    54,    19,     0,    37,     0,    96,    92,
      93,    82,    91,     0,    80,     0,     0,     0,     0,    65,
       0,   189,   190,     0,     0,   192,   194,   162,   163,     0,
     172,   175,   173,   174,     0,     0,   177,   182,     0,   183,
       0,   187,   180,     0,   176,     0,   178,   103,     0,     0,
       0,   158,    52,    34,    43,    62,     0,     0,    79,    88,
      94,    90,    86,     0,    78,    74,     0,   101,     0,     0,
     185,   186,   171,     0,     0,     0,   185,   129,   114,   128,
       0,    96,    81,     0,     0,     0,     0,     0,    83,     0,
       0,   191,   193,     0,   184,     0,   181,     0,    63,     0,
       0,    95,     0,    84,    85,    94,    66,   170,     0,   179,
       0,    87,    76,     0,     0,    75,     0,     0,    77,   188
};

/* YYPGOTO[NTERM-NUM].  */
static const yytype_int16 yypgoto[] =
{
    -281,  -281,  -281,  -281,    60,   448,  -281,  -281,   405,   -48,
    -266,  -281,   481,   466,  -139,  -281,  -281,  -281,  -281,   465,
     -11,  -281,  -272,  -281,  -281,   200,  -281,  -217,   128,  -281,
    -191,   158,  -149,   113,  -280,   339,  -152,  -159,   245,   -58,
     -40,  -281,   173,  -281,   324,   341,   342,   307,   321,  -281,
     337,   334,   336,    14,   -83,  -281,   103,  -281,  -281,  -281,
    -273,  -195,  -281
};

/* YYDEFGOTO[NTERM-NUM].  */
static const yytype_int16 yydefgoto[] =
{
       0,     1,     9,    16,    17,    18,    42,    19,    20,    54,
      55,    10,    11,    26,    45,   147,   148,    12,    13,    31,
     112,    46,   113,   114,   115,   227,   293,   228,   340,   341,
     342,   291,   292,   365,   223,   233,   234,   183,   184,   116,
     117,   194,   118,   119,   120,   121,   122,   123,   124,   125,
     126,   127,   128,   129,   130,   131,   132,   133,   134,   135,
     315,   136,   137
};

/* YYTABLE[YYPACT[STATE-NUM]] -- What to do in state STATE-NUM.  If
   positive, shift that token.  If negative, reduce the rule whose
   number is the opposite.  If YYTABLE_NINF, syntax error.  */
static const yytype_int16 yytable[] =
{
      27,   139,   238,   144,   231,    36,   269,   219,   336,   294,
     268,    27,   152,   153,    38,   335,    24,   201,    14,   333,
      51,    52,   180,   181,   225,   345,   187,   188,    51,   212,
     366,   367,    37,     2,     3,    28,     4,     5,     6,     7,
      48,    37,    21,    29,     7,    49,    34,    56,   143,   185,
     186,   255,   353,    50,   354,   281,   213,   289,   290,   256,
     202,    53,   195,    25,    15,   155,     8,   226,   214,    53,
      35,   190,   191,   192,    25,    33,   255,   373,    59,   344,
      39,   379,   196,   377,   307,    40,    41,   218,   378,    64,
      65,   222,   224,   255,    57,    58,   229,   193,   232,   232,
     269,   331,   237,   185,   232,   240,   241,   279,   243,   388,
     392,   280,   247,   248,   249,   250,   251,   252,   395,   254,
     362,    23,   298,   337,   398,   276,   277,   278,   397,   267,
      25,   338,   339,   269,   255,   269,    30,   357,   262,   359,
     208,   209,   391,    32,   210,    96,    97,   334,    96,    97,
     258,   348,   349,   259,   260,   203,   185,   204,   300,   304,
     301,   305,    44,    77,    78,    79,    80,    81,    82,    83,
      84,    85,    61,    86,   269,    87,    88,    89,    90,    91,
      92,    93,    94,    95,    96,    97,    98,    99,   100,   101,
     318,   325,   319,   326,   206,   207,   102,   185,   300,   300,
     371,   372,   161,   162,   380,   178,    63,   179,   104,   105,
     106,   107,   108,   109,   110,   289,   290,   383,   384,   299,
     274,   275,    66,   138,   140,   182,   141,    25,   142,   145,
     224,   146,   149,   150,   332,   151,   154,   156,   157,   158,
     159,   160,   347,   163,   164,   232,   232,   165,   166,   167,
      67,   168,    68,    69,   169,   170,    70,    71,    72,    73,
      74,    75,   171,   172,    76,   355,    77,    78,    79,    80,
      81,    82,    83,    84,    85,   189,    86,   173,    87,    88,
      89,    90,    91,    92,    93,    94,    95,    96,    97,    98,
      99,   100,   101,   174,   175,   176,   177,   197,   198,   102,
     199,   200,   211,   224,   205,   185,   381,   216,   217,   215,
     103,   104,   105,   106,   107,   108,   109,   110,   220,   221,
     230,   235,   236,    25,   111,   242,   244,   257,   282,   245,
     246,   253,    67,   272,    68,    69,   283,   284,    70,    71,
      72,    73,    74,    75,   285,   286,    76,   287,    77,    78,
      79,    80,    81,    82,    83,    84,    85,   288,    86,   386,
      87,    88,    89,    90,    91,    92,    93,    94,    95,    96,
      97,    98,    99,   100,   101,   225,   295,   328,   296,   300,
     330,   102,   297,   302,   303,   306,   309,   308,   203,   310,
     311,   312,   103,   104,   105,   106,   107,   108,   109,   110,
     313,   314,   329,   320,   316,    25,    77,    78,    79,    80,
      81,    82,    83,    84,    85,   317,    86,   321,    87,    88,
      89,    90,    91,    92,    93,    94,    95,    96,    97,    98,
      99,   100,   101,   322,   323,   324,   346,   350,   352,   102,
     351,   356,   360,   361,   363,   364,    62,   369,   370,   374,
     375,   104,   105,   106,   107,   108,   109,   110,    77,    78,
      79,    80,    81,    82,    83,    84,    85,   376,    86,   382,
      87,    88,    89,    90,    91,    92,    93,    94,    95,    96,
      97,    98,    99,   100,   101,    60,   387,    22,    43,   389,
     390,   102,   394,   396,    47,   399,   343,   385,   393,   368,
     327,   239,   358,   104,   105,   106,   265,   108,   109,   110,
      77,    78,    79,    80,    81,    82,    83,    84,    85,   261,
      86,   266,    87,    88,    89,    90,    91,    92,    93,    94,
      95,    96,    97,    98,    99,   100,   101,   271,   263,   270,
     264,   273,     0,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,   104,     0,     0,     0,   108
};

static const yytype_int16 yycheck[] =
{
      11,    49,   161,    61,   156,    16,   201,   146,   288,   226,
     201,    22,    70,    71,     7,   287,    33,    11,    34,   285,
      29,    30,   105,   106,    28,   297,   109,   110,    29,    32,
      42,    43,    75,     0,     1,    67,     3,     4,     5,     6,
      71,    75,     4,    75,     6,    76,    52,    81,    59,   107,
     108,    75,   318,    84,   320,   214,    59,    69,    70,    83,
      54,    70,    58,    80,    80,    76,    33,    71,    71,    70,
      76,    50,    51,    52,    80,    15,    75,   350,    75,   296,
      73,   361,    78,   356,    83,    78,    79,   145,   360,    19,
      20,   149,   150,    75,    34,    35,   154,    76,   156,   157,
     295,    83,   160,   161,   162,   163,   164,    28,   166,   375,
     382,    32,   170,   171,   172,   173,   174,   175,   390,   177,
     337,    28,    72,    75,   396,   208,   209,   210,   394,    28,
      80,    83,    28,   328,    75,   330,    28,   328,   196,   330,
      84,    85,    83,    72,    88,    44,    45,   286,    44,    45,
     190,   303,   304,   193,   194,    53,   214,    55,    75,    75,
      77,    77,    82,    23,    24,    25,    26,    27,    28,    29,
      30,    31,    72,    33,   369,    35,    36,    37,    38,    39,
      40,    41,    42,    43,    44,    45,    46,    47,    48,    49,
      75,    75,    77,    77,    69,    70,    56,   255,    75,    75,
      77,    77,    71,    72,   363,   102,     7,   104,    68,    69,
      70,    71,    72,    73,    74,    69,    70,   366,   367,   230,
     206,   207,    72,    29,    71,    85,    29,    80,    77,    72,
     288,    28,    72,    72,   282,    72,    72,    72,    72,    72,
      72,    72,   300,    72,    72,   303,   304,    72,    72,    72,
       7,    72,     9,    10,    72,    72,    13,    14,    15,    16,
      17,    18,    72,    72,    21,   323,    23,    24,    25,    26,
      27,    28,    29,    30,    31,    67,    33,    72,    35,    36,
      37,    38,    39,    40,    41,    42,    43,    44,    45,    46,
      47,    48,    49,    72,    72,    72,    72,    57,    86,    56,
      87,    68,    56,   361,    79,   363,   364,    29,    77,    83,
      67,    68,    69,    70,    71,    72,    73,    74,    77,    75,
      22,    30,    30,    80,    81,    28,    30,    77,    76,    30,
      30,    30,     7,    30,     9,    10,    83,    77,    13,    14,
      15,    16,    17,    18,    82,    28,    21,    77,    23,    24,
      25,    26,    27,    28,    29,    30,    31,    67,    33,   370,
      35,    36,    37,    38,    39,    40,    41,    42,    43,    44,
      45,    46,    47,    48,    49,    28,    11,    11,    76,    75,
      11,    56,    77,    77,    75,    77,    75,    77,    53,    77,
      77,    77,    67,    68,    69,    70,    71,    72,    73,    74,
      77,    75,    82,    75,    77,    80,    23,    24,    25,    26,
      27,    28,    29,    30,    31,    77,    33,    77,    35,    36,
      37,    38,    39,    40,    41,    42,    43,    44,    45,    46,
      47,    48,    49,    77,    75,    77,    28,    30,    77,    56,
      30,    30,     8,    67,    71,    12,    41,    11,    77,    77,
      75,    68,    69,    70,    71,    72,    73,    74,    23,    24,
      25,    26,    27,    28,    29,    30,    31,    77,    33,    77,
      35,    36,    37,    38,    39,    40,    41,    42,    43,    44,
      45,    46,    47,    48,    49,    37,    77,     6,    22,    77,
      77,    56,    75,    77,    29,    77,   296,   369,   385,   341,
     255,   162,   329,    68,    69,    70,   199,    72,    73,    74,
      23,    24,    25,    26,    27,    28,    29,    30,    31,   195,
      33,   200,    35,    36,    37,    38,    39,    40,    41,    42,
      43,    44,    45,    46,    47,    48,    49,   203,   197,   202,
     198,   205,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    -1,
      -1,    -1,    -1,    -1,    -1,    68,    -1,    -1,    -1,    72
};

/* YYSTOS[STATE-NUM] -- The symbol kind of the accessing symbol of
   state STATE-NUM.  */
static const yytype_uint8 yystos[] =
{
       0,    90,     0,     1,     3,     4,     5,     6,    33,    91,
     100,   101,   106,   107,    34,    80,    92,    93,    94,    96,
      97,     4,   101,    28,    33,    80,   102,   109,    67,    75,
      28,   108,    72,    93,    52,    76,   109,    75,     7,    73,
      78,    79,    95,   102,    82,   103,   110,   108,    71,    76,
      84,    29,    30,    70,    98,    99,    81,    93,    93,    75,
      94,    72,    97,     7,    19,    20,    72,     7,     9,    10,
      13,    14,    15,    16,    17,    18,    21,    23,    24,    25,
      26,    27,    28,    29,    30,    31,    33,    35,    36,    37,
      38,    39,    40,    41,    42,    43,    44,    45,    46,    47,
      48,    49,    56,    67,    68,    69,    70,    71,    72,    73,
      74,    81,   109,   111,   112,   113,   128,   129,   131,   132,
     133,   134,   135,   136,   137,   138,   139,   140,   141,   142,
     143,   144,   145,   146,   147,   148,   150,   151,    29,    98,
      71,    29,    77,   109,   128,    72,    28,   104,   105,    72,
      72,    72,   128,   128,    72,   109,    72,    72,    72,    72,
      72,    71,    72,    72,    72,    72,    72,    72,    72,    72,
      72,    72,    72,    72,    72,    72,    72,    72,   145,   145,
     143,   143,    85,   126,   127,   128,   128,   143,   143,    67,
      50,    51,    52,    76,   130,    58,    78,    57,    86,    87,
      68,    11,    54,    53,    55,    79,    69,    70,    84,    85,
      88,    56,    32,    59,    71,    83,    29,    77,   128,   103,
      77,    75,   128,   123,   128,    28,    71,   114,   116,   128,
      22,   125,   128,   124,   125,    30,    30,   128,   126,   124,
     128,   128,    28,   128,    30,    30,    30,   128,   128,   128,
     128,   128,   128,    30,   128,    75,    83,    77,   129,   129,
     129,   133,   128,   134,   135,   136,   137,    28,   119,   150,
     139,   140,    30,   141,   142,   142,   143,   143,   143,    28,
      32,   126,    76,    83,    77,    82,    28,    77,    67,    69,
      70,   120,   121,   115,   116,    11,    76,    77,    72,   109,
      75,    77,    77,    75,    75,    77,    77,    83,    77,    75,
      77,    77,    77,    77,    75,   149,    77,    77,    75,    77,
      75,    77,    77,    75,    77,    75,    77,   127,    11,    82,
      11,    83,    98,    99,   103,   111,   123,    75,    83,    28,
     117,   118,   119,   114,   116,   111,    28,   128,   125,   125,
      30,    30,    77,    99,    99,   128,    30,   119,   131,   119,
       8,    67,   116,    71,    12,   122,    42,    43,   120,    11,
      77,    77,    77,   149,    77,    75,    77,   149,   111,   123,
     126,   128,    77,   121,   121,   117,   109,    77,    99,    77,
      77,    83,   111,   122,    75,   111,    77,    99,   111,    77
};

/* YYR1[RULE-NUM] -- Symbol kind of the left-hand side of rule RULE-NUM.  */
static const yytype_uint8 yyr1[] =
{
       0,    89,    90,    90,    90,    91,    91,    91,    91,    91,
      91,    92,    92,    92,    93,    93,    94,    94,    94,    94,
      95,    95,    96,    96,    97,    97,    97,    98,    98,    99,
      99,   100,   100,   101,   101,   102,   102,   103,   103,   103,
     104,   104,   105,   105,   106,   106,   107,   107,   107,   108,
     108,   108,   108,   108,   108,   109,   110,   110,   111,   111,
     111,   111,   111,   111,   111,   111,   111,   112,   112,   112,
     112,   112,   112,   112,   113,   113,   113,   113,   114,   114,
     115,   115,   116,   117,   117,   117,   118,   118,   119,   119,
     120,   120,   121,   121,   122,   122,   123,   123,   124,   124,
     125,   125,   126,   126,   127,   127,   128,   129,   129,   129,
     129,   130,   130,   131,   131,   132,   132,   133,   133,   134,
     134,   135,   135,   136,   136,   137,   137,   137,   137,   137,
     137,   138,   138,   139,   139,   140,   140,   141,   141,   141,
     142,   142,   142,   142,   143,   143,   143,   143,   143,   144,
     144,   144,   145,   145,   146,   146,   146,   146,   146,   147,
     147,   147,   147,   147,   147,   147,   147,   147,   147,   147,
     148,   148,   148,   148,   148,   148,   148,   148,   148,   148,
     148,   148,   148,   148,   148,   149,   149,   150,   150,   151,
     151,   151,   151,   151,   151
};

/* YYR2[RULE-NUM] -- Number of symbols on the right-hand side of rule RULE-NUM.  */
static const yytype_int8 yyr2[] =
{
       0,     2,     0,     2,     2,     3,     5,     1,     1,     2,
       1,     1,     3,     3,     1,     3,     1,     2,     5,     6,
       1,     1,     1,     3,     1,     4,     3,     1,     1,     1,
       2,     2,     3,     6,     8,     1,     1,     0,     2,     2,
       0,     1,     2,     4,     2,     3,     1,     1,     2,     1,
       3,     4,     6,     2,     5,     3,     0,     2,     1,     1,
       1,     2,     5,     7,     1,     4,     7,     1,     1,     2,
       2,     1,     1,     1,     5,     9,     8,    10,     1,     3,
       1,     3,     2,     2,     3,     3,     1,     4,     1,     1,
       0,     1,     1,     1,     0,     2,     0,     1,     0,     1,
       1,     3,     1,     3,     1,     1,     1,     1,     3,     3,
       3,     1,     1,     1,     5,     1,     3,     1,     3,     1,
       3,     1,     3,     1,     3,     1,     3,     3,     5,     5,
       3,     1,     3,     1,     3,     1,     3,     1,     3,     3,
       1,     3,     3,     3,     1,     2,     2,     2,     2,     1,
       2,     2,     1,     2,     1,     3,     3,     2,     4,     1,
       1,     1,     4,     4,     1,     3,     1,     1,     1,     1,
       7,     5,     4,     4,     4,     4,     4,     4,     4,     7,
       4,     6,     4,     4,     6,     0,     2,     4,    10,     4,
       4,     6,     4,     6,     4
};


enum { YYENOMEM = -2 };

#define yyerrok         (yyerrstatus = 0)
#define yyclearin       (yychar = SPILE_SYNTAX_EMPTY)

#define YYACCEPT        goto yyacceptlab
#define YYABORT         goto yyabortlab
#define YYERROR         goto yyerrorlab
#define YYNOMEM         goto yyexhaustedlab


#define YYRECOVERING()  (!!yyerrstatus)

#define YYBACKUP(Token, Value)                                    \
  do                                                              \
    if (yychar == SPILE_SYNTAX_EMPTY)                                        \
      {                                                           \
        yychar = (Token);                                         \
        yylval = (Value);                                         \
        YYPOPSTACK (yylen);                                       \
        yystate = *yyssp;                                         \
        YY_LAC_DISCARD ("YYBACKUP");                              \
        goto yybackup;                                            \
      }                                                           \
    else                                                          \
      {                                                           \
        yyerror (&yylloc, p, YY_("syntax error: cannot back up")); \
        YYERROR;                                                  \
      }                                                           \
  while (0)

/* Backward compatibility with an undocumented macro.
   Use SPILE_SYNTAX_error or SPILE_SYNTAX_UNDEF. */
#define YYERRCODE SPILE_SYNTAX_UNDEF

/* YYLLOC_DEFAULT -- Set CURRENT to span from RHS[1] to RHS[N].
   If N is 0, then set CURRENT to the empty location which ends
   the previous symbol: RHS[0] (always defined).  */

#ifndef YYLLOC_DEFAULT
# define YYLLOC_DEFAULT(Current, Rhs, N)                                \
    do                                                                  \
      if (N)                                                            \
        {                                                               \
          (Current).first_line   = YYRHSLOC (Rhs, 1).first_line;        \
          (Current).first_column = YYRHSLOC (Rhs, 1).first_column;      \
          (Current).last_line    = YYRHSLOC (Rhs, N).last_line;         \
          (Current).last_column  = YYRHSLOC (Rhs, N).last_column;       \
        }                                                               \
      else                                                              \
        {                                                               \
          (Current).first_line   = (Current).last_line   =              \
            YYRHSLOC (Rhs, 0).last_line;                                \
          (Current).first_column = (Current).last_column =              \
            YYRHSLOC (Rhs, 0).last_column;                              \
        }                                                               \
    while (0)
#endif

#define YYRHSLOC(Rhs, K) ((Rhs)[K])


/* Enable debugging if requested.  */
#if SPILE_SYNTAX_DEBUG

# ifndef YYFPRINTF
#  include <stdio.h> /* INFRINGES ON USER NAME SPACE */
#  define YYFPRINTF fprintf
# endif

# define YYDPRINTF(Args)                        \
do {                                            \
  if (yydebug)                                  \
    YYFPRINTF Args;                             \
} while (0)


/* YYLOCATION_PRINT -- Print the location on the stream.
   This macro was not mandated originally: define only if we know
   we won't break user code: when these are the locations we know.  */

# ifndef YYLOCATION_PRINT

#  if defined YY_LOCATION_PRINT

   /* Temporary convenience wrapper in case some people defined the
      undocumented and private YY_LOCATION_PRINT macros.  */
#   define YYLOCATION_PRINT(File, Loc)  YY_LOCATION_PRINT(File, *(Loc))

#  elif defined SPILE_SYNTAX_LTYPE_IS_TRIVIAL && SPILE_SYNTAX_LTYPE_IS_TRIVIAL

/* Print *YYLOCP on YYO.  Private, do not rely on its existence. */

YY_ATTRIBUTE_UNUSED
static int
yy_location_print_ (FILE *yyo, YYLTYPE const * const yylocp)
{
  int res = 0;
  int end_col = 0 != yylocp->last_column ? yylocp->last_column - 1 : 0;
  if (0 <= yylocp->first_line)
    {
      res += YYFPRINTF (yyo, "%d", yylocp->first_line);
      if (0 <= yylocp->first_column)
        res += YYFPRINTF (yyo, ".%d", yylocp->first_column);
    }
  if (0 <= yylocp->last_line)
    {
      if (yylocp->first_line < yylocp->last_line)
        {
          res += YYFPRINTF (yyo, "-%d", yylocp->last_line);
          if (0 <= end_col)
            res += YYFPRINTF (yyo, ".%d", end_col);
        }
      else if (0 <= end_col && yylocp->first_column < end_col)
        res += YYFPRINTF (yyo, "-%d", end_col);
    }
  return res;
}

#   define YYLOCATION_PRINT  yy_location_print_

    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT(File, Loc)  YYLOCATION_PRINT(File, &(Loc))

#  else

#   define YYLOCATION_PRINT(File, Loc) ((void) 0)
    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT  YYLOCATION_PRINT

#  endif
# endif /* !defined YYLOCATION_PRINT */


# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)                    \
do {                                                                      \
  if (yydebug)                                                            \
    {                                                                     \
      YYFPRINTF (stderr, "%s ", Title);                                   \
      yy_symbol_print (stderr,                                            \
                  Kind, Value, Location, p); \
      YYFPRINTF (stderr, "\n");                                           \
    }                                                                     \
} while (0)


/*-----------------------------------.
| Print this symbol's value on YYO.  |
`-----------------------------------*/

static void
yy_symbol_value_print (FILE *yyo,
                       yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, struct parser *p)
{
  FILE *yyoutput = yyo;
  YY_USE (yyoutput);
  YY_USE (yylocationp);
  YY_USE (p);
  if (!yyvaluep)
    return;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}


/*---------------------------.
| Print this symbol on YYO.  |
`---------------------------*/

static void
yy_symbol_print (FILE *yyo,
                 yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, struct parser *p)
{
  YYFPRINTF (yyo, "%s %s (",
             yykind < YYNTOKENS ? "token" : "nterm", yysymbol_name (yykind));

  YYLOCATION_PRINT (yyo, yylocationp);
  YYFPRINTF (yyo, ": ");
  yy_symbol_value_print (yyo, yykind, yyvaluep, yylocationp, p);
  YYFPRINTF (yyo, ")");
}

/*------------------------------------------------------------------.
| yy_stack_print -- Print the state stack from its BOTTOM up to its |
| TOP (included).                                                   |
`------------------------------------------------------------------*/

static void
yy_stack_print (yy_state_t *yybottom, yy_state_t *yytop)
{
  YYFPRINTF (stderr, "Stack now");
  for (; yybottom <= yytop; yybottom++)
    {
      int yybot = *yybottom;
      YYFPRINTF (stderr, " %d", yybot);
    }
  YYFPRINTF (stderr, "\n");
}

# define YY_STACK_PRINT(Bottom, Top)                            \
do {                                                            \
  if (yydebug)                                                  \
    yy_stack_print ((Bottom), (Top));                           \
} while (0)


/*------------------------------------------------.
| Report that the YYRULE is going to be reduced.  |
`------------------------------------------------*/

static void
yy_reduce_print (yy_state_t *yyssp, YYSTYPE *yyvsp, YYLTYPE *yylsp,
                 int yyrule, struct parser *p)
{
  int yylno = yyrline[yyrule];
  int yynrhs = yyr2[yyrule];
  int yyi;
  YYFPRINTF (stderr, "Reducing stack by rule %d (line %d):\n",
             yyrule - 1, yylno);
  /* The symbols being reduced.  */
  for (yyi = 0; yyi < yynrhs; yyi++)
    {
      YYFPRINTF (stderr, "   $%d = ", yyi + 1);
      yy_symbol_print (stderr,
                       YY_ACCESSING_SYMBOL (+yyssp[yyi + 1 - yynrhs]),
                       &yyvsp[(yyi + 1) - (yynrhs)],
                       &(yylsp[(yyi + 1) - (yynrhs)]), p);
      YYFPRINTF (stderr, "\n");
    }
}

# define YY_REDUCE_PRINT(Rule)          \
do {                                    \
  if (yydebug)                          \
    yy_reduce_print (yyssp, yyvsp, yylsp, Rule, p); \
} while (0)

/* Nonzero means print parse trace.  It is left uninitialized so that
   multiple parsers can coexist.  */
int yydebug;
#else /* !SPILE_SYNTAX_DEBUG */
# define YYDPRINTF(Args) ((void) 0)
# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)
# define YY_STACK_PRINT(Bottom, Top)
# define YY_REDUCE_PRINT(Rule)
#endif /* !SPILE_SYNTAX_DEBUG */


/* YYINITDEPTH -- initial size of the parser's stacks.  */
#ifndef YYINITDEPTH
# define YYINITDEPTH 200
#endif

/* YYMAXDEPTH -- maximum size the stacks can grow to (effective only
   if the built-in stack extension method is used).

   Do not make this value too large; the results are undefined if
   YYSTACK_ALLOC_MAXIMUM < YYSTACK_BYTES (YYMAXDEPTH)
   evaluated with infinite-precision integer arithmetic.  */

#ifndef YYMAXDEPTH
# define YYMAXDEPTH 10000
#endif


/* Given a state stack such that *YYBOTTOM is its bottom, such that
   *YYTOP is either its top or is YYTOP_EMPTY to indicate an empty
   stack, and such that *YYCAPACITY is the maximum number of elements it
   can hold without a reallocation, make sure there is enough room to
   store YYADD more elements.  If not, allocate a new stack using
   YYSTACK_ALLOC, copy the existing elements, and adjust *YYBOTTOM,
   *YYTOP, and *YYCAPACITY to reflect the new capacity and memory
   location.  If *YYBOTTOM != YYBOTTOM_NO_FREE, then free the old stack
   using YYSTACK_FREE.  Return 0 if successful or if no reallocation is
   required.  Return YYENOMEM if memory is exhausted.  */
static int
yy_lac_stack_realloc (YYPTRDIFF_T *yycapacity, YYPTRDIFF_T yyadd,
#if SPILE_SYNTAX_DEBUG
                      char const *yydebug_prefix,
                      char const *yydebug_suffix,
#endif
                      yy_state_t **yybottom,
                      yy_state_t *yybottom_no_free,
                      yy_state_t **yytop, yy_state_t *yytop_empty)
{
  YYPTRDIFF_T yysize_old =
    *yytop == yytop_empty ? 0 : *yytop - *yybottom + 1;
  YYPTRDIFF_T yysize_new = yysize_old + yyadd;
  if (*yycapacity < yysize_new)
    {
      YYPTRDIFF_T yyalloc = 2 * yysize_new;
      yy_state_t *yybottom_new;
      /* Use YYMAXDEPTH for maximum stack size given that the stack
         should never need to grow larger than the main state stack
         needs to grow without LAC.  */
      if (YYMAXDEPTH < yysize_new)
        {
          YYDPRINTF ((stderr, "%smax size exceeded%s", yydebug_prefix,
                      yydebug_suffix));
          return YYENOMEM;
        }
      if (YYMAXDEPTH < yyalloc)
        yyalloc = YYMAXDEPTH;
      yybottom_new =
        YY_CAST (yy_state_t *,
                 YYSTACK_ALLOC (YY_CAST (YYSIZE_T,
                                         yyalloc * YYSIZEOF (*yybottom_new))));
      if (!yybottom_new)
        {
          YYDPRINTF ((stderr, "%srealloc failed%s", yydebug_prefix,
                      yydebug_suffix));
          return YYENOMEM;
        }
      if (*yytop != yytop_empty)
        {
          YYCOPY (yybottom_new, *yybottom, yysize_old);
          *yytop = yybottom_new + (yysize_old - 1);
        }
      if (*yybottom != yybottom_no_free)
        YYSTACK_FREE (*yybottom);
      *yybottom = yybottom_new;
      *yycapacity = yyalloc;
    }
  return 0;
}

/* Establish the initial context for the current lookahead if no initial
   context is currently established.

   We define a context as a snapshot of the parser stacks.  We define
   the initial context for a lookahead as the context in which the
   parser initially examines that lookahead in order to select a
   syntactic action.  Thus, if the lookahead eventually proves
   syntactically unacceptable (possibly in a later context reached via a
   series of reductions), the initial context can be used to determine
   the exact set of tokens that would be syntactically acceptable in the
   lookahead's place.  Moreover, it is the context after which any
   further semantic actions would be erroneous because they would be
   determined by a syntactically unacceptable token.

   YY_LAC_ESTABLISH should be invoked when a reduction is about to be
   performed in an inconsistent state (which, for the purposes of LAC,
   includes consistent states that don't know they're consistent because
   their default reductions have been disabled).  Iff there is a
   lookahead token, it should also be invoked before reporting a syntax
   error.  This latter case is for the sake of the debugging output.

   For parse.lac=full, the implementation of YY_LAC_ESTABLISH is as
   follows.  If no initial context is currently established for the
   current lookahead, then check if that lookahead can eventually be
   shifted if syntactic actions continue from the current context.
   Report a syntax error if it cannot.  */
#define YY_LAC_ESTABLISH                                                \
do {                                                                    \
  if (!yy_lac_established)                                              \
    {                                                                   \
      YYDPRINTF ((stderr,                                               \
                  "LAC: initial context established for %s\n",          \
                  yysymbol_name (yytoken)));                            \
      yy_lac_established = 1;                                           \
      switch (yy_lac (yyesa, &yyes, &yyes_capacity, yyssp, yytoken))    \
        {                                                               \
        case YYENOMEM:                                                  \
          YYNOMEM;                                                      \
        case 1:                                                         \
          goto yyerrlab;                                                \
        }                                                               \
    }                                                                   \
} while (0)

/* Discard any previous initial lookahead context because of Event,
   which may be a lookahead change or an invalidation of the currently
   established initial context for the current lookahead.

   The most common example of a lookahead change is a shift.  An example
   of both cases is syntax error recovery.  That is, a syntax error
   occurs when the lookahead is syntactically erroneous for the
   currently established initial context, so error recovery manipulates
   the parser stacks to try to find a new initial context in which the
   current lookahead is syntactically acceptable.  If it fails to find
   such a context, it discards the lookahead.  */
#if SPILE_SYNTAX_DEBUG
# define YY_LAC_DISCARD(Event)                                           \
do {                                                                     \
  if (yy_lac_established)                                                \
    {                                                                    \
      YYDPRINTF ((stderr, "LAC: initial context discarded due to "       \
                  Event "\n"));                                          \
      yy_lac_established = 0;                                            \
    }                                                                    \
} while (0)
#else
# define YY_LAC_DISCARD(Event) yy_lac_established = 0
#endif

/* Given the stack whose top is *YYSSP, return 0 iff YYTOKEN can
   eventually (after perhaps some reductions) be shifted, return 1 if
   not, or return YYENOMEM if memory is exhausted.  As preconditions and
   postconditions: *YYES_CAPACITY is the allocated size of the array to
   which *YYES points, and either *YYES = YYESA or *YYES points to an
   array allocated with YYSTACK_ALLOC.  yy_lac may overwrite the
   contents of either array, alter *YYES and *YYES_CAPACITY, and free
   any old *YYES other than YYESA.  */
static int
yy_lac (yy_state_t *yyesa, yy_state_t **yyes,
        YYPTRDIFF_T *yyes_capacity, yy_state_t *yyssp, yysymbol_kind_t yytoken)
{
  yy_state_t *yyes_prev = yyssp;
  yy_state_t *yyesp = yyes_prev;
  /* Reduce until we encounter a shift and thereby accept the token.  */
  YYDPRINTF ((stderr, "LAC: checking lookahead %s:", yysymbol_name (yytoken)));
  if (yytoken == YYSYMBOL_YYUNDEF)
    {
      YYDPRINTF ((stderr, " Always Err\n"));
      return 1;
    }
  while (1)
    {
      int yyrule = yypact[+*yyesp];
      if (yypact_value_is_default (yyrule)
          || (yyrule += yytoken) < 0 || YYLAST < yyrule
          || yycheck[yyrule] != yytoken)
        {
          /* Use the default action.  */
          yyrule = yydefact[+*yyesp];
          if (yyrule == 0)
            {
              YYDPRINTF ((stderr, " Err\n"));
              return 1;
            }
        }
      else
        {
          /* Use the action from yytable.  */
          yyrule = yytable[yyrule];
          if (yytable_value_is_error (yyrule))
            {
              YYDPRINTF ((stderr, " Err\n"));
              return 1;
            }
          if (0 < yyrule)
            {
              YYDPRINTF ((stderr, " S%d\n", yyrule));
              return 0;
            }
          yyrule = -yyrule;
        }
      /* By now we know we have to simulate a reduce.  */
      YYDPRINTF ((stderr, " R%d", yyrule - 1));
      {
        /* Pop the corresponding number of values from the stack.  */
        YYPTRDIFF_T yylen = yyr2[yyrule];
        /* First pop from the LAC stack as many tokens as possible.  */
        if (yyesp != yyes_prev)
          {
            YYPTRDIFF_T yysize = yyesp - *yyes + 1;
            if (yylen < yysize)
              {
                yyesp -= yylen;
                yylen = 0;
              }
            else
              {
                yyesp = yyes_prev;
                yylen -= yysize;
              }
          }
        /* Only afterwards look at the main stack.  */
        if (yylen)
          yyesp = yyes_prev -= yylen;
      }
      /* Push the resulting state of the reduction.  */
      {
        yy_state_fast_t yystate;
        {
          const int yylhs = yyr1[yyrule] - YYNTOKENS;
          const int yyi = yypgoto[yylhs] + *yyesp;
          yystate = (0 <= yyi && yyi <= YYLAST && yycheck[yyi] == *yyesp
                     ? yytable[yyi]
                     : yydefgoto[yylhs]);
        }
        if (yyesp == yyes_prev)
          {
            yyesp = *yyes;
            YY_IGNORE_USELESS_CAST_BEGIN
            *yyesp = YY_CAST (yy_state_t, yystate);
            YY_IGNORE_USELESS_CAST_END
          }
        else
          {
            if (yy_lac_stack_realloc (yyes_capacity, 1,
#if SPILE_SYNTAX_DEBUG
                                      " (", ")",
#endif
                                      yyes, yyesa, &yyesp, yyes_prev))
              {
                YYDPRINTF ((stderr, "\n"));
                return YYENOMEM;
              }
            YY_IGNORE_USELESS_CAST_BEGIN
            *++yyesp = YY_CAST (yy_state_t, yystate);
            YY_IGNORE_USELESS_CAST_END
          }
        YYDPRINTF ((stderr, " G%d", yystate));
      }
    }
}

/* Context of a parse error.  */
typedef struct
{
  yy_state_t *yyssp;
  yy_state_t *yyesa;
  yy_state_t **yyes;
  YYPTRDIFF_T *yyes_capacity;
  yysymbol_kind_t yytoken;
  YYLTYPE *yylloc;
} yypcontext_t;

/* Put in YYARG at most YYARGN of the expected tokens given the
   current YYCTX, and return the number of tokens stored in YYARG.  If
   YYARG is null, return the number of expected tokens (guaranteed to
   be less than YYNTOKENS).  Return YYENOMEM on memory exhaustion.
   Return 0 if there are more than YYARGN expected tokens, yet fill
   YYARG up to YYARGN. */
static int
yypcontext_expected_tokens (const yypcontext_t *yyctx,
                            yysymbol_kind_t yyarg[], int yyargn)
{
  /* Actual size of YYARG. */
  int yycount = 0;

  int yyx;
  for (yyx = 0; yyx < YYNTOKENS; ++yyx)
    {
      yysymbol_kind_t yysym = YY_CAST (yysymbol_kind_t, yyx);
      if (yysym != YYSYMBOL_YYerror && yysym != YYSYMBOL_YYUNDEF)
        switch (yy_lac (yyctx->yyesa, yyctx->yyes, yyctx->yyes_capacity, yyctx->yyssp, yysym))
          {
          case YYENOMEM:
            return YYENOMEM;
          case 1:
            continue;
          default:
            if (!yyarg)
              ++yycount;
            else if (yycount == yyargn)
              return 0;
            else
              yyarg[yycount++] = yysym;
          }
    }
  if (yyarg && yycount == 0 && 0 < yyargn)
    yyarg[0] = YYSYMBOL_YYEMPTY;
  return yycount;
}




/* The kind of the lookahead of this context.  */
static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx)
{
  return yyctx->yytoken;
}

/* The location of the lookahead of this context.  */
static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx)
{
  return yyctx->yylloc;
}

/* User defined function to report a syntax error.  */
static int
yyreport_syntax_error (const yypcontext_t *yyctx, struct parser *p);

/*-----------------------------------------------.
| Release the memory associated to this symbol.  |
`-----------------------------------------------*/

static void
yydestruct (const char *yymsg,
            yysymbol_kind_t yykind, YYSTYPE *yyvaluep, YYLTYPE *yylocationp, struct parser *p)
{
  YY_USE (yyvaluep);
  YY_USE (yylocationp);
  YY_USE (p);
  if (!yymsg)
    yymsg = "Deleting";
  YY_SYMBOL_PRINT (yymsg, yykind, yyvaluep, yylocationp);

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}






/*----------.
| yyparse.  |
`----------*/

int
yyparse (struct parser *p)
{
/* Lookahead token kind.  */
int yychar;


/* The semantic value of the lookahead symbol.  */
/* Default value used for initialization, for pacifying older GCCs
   or non-GCC compilers.  */
YY_INITIAL_VALUE (static YYSTYPE yyval_default;)
YYSTYPE yylval YY_INITIAL_VALUE (= yyval_default);

/* Location data for the lookahead symbol.  */
static YYLTYPE yyloc_default
# if defined SPILE_SYNTAX_LTYPE_IS_TRIVIAL && SPILE_SYNTAX_LTYPE_IS_TRIVIAL
  = { 1, 1, 1, 1 }
# endif
;
YYLTYPE yylloc = yyloc_default;

    /* Number of syntax errors so far.  */
    int yynerrs = 0;

    yy_state_fast_t yystate = 0;
    /* Number of tokens to shift before error messages enabled.  */
    int yyerrstatus = 0;

    /* Refer to the stacks through separate pointers, to allow yyoverflow
       to reallocate them elsewhere.  */

    /* Their size.  */
    YYPTRDIFF_T yystacksize = YYINITDEPTH;

    /* The state stack: array, bottom, top.  */
    yy_state_t yyssa[YYINITDEPTH];
    yy_state_t *yyss = yyssa;
    yy_state_t *yyssp = yyss;

    /* The semantic value stack: array, bottom, top.  */
    YYSTYPE yyvsa[YYINITDEPTH];
    YYSTYPE *yyvs = yyvsa;
    YYSTYPE *yyvsp = yyvs;

    /* The location stack: array, bottom, top.  */
    YYLTYPE yylsa[YYINITDEPTH];
    YYLTYPE *yyls = yylsa;
    YYLTYPE *yylsp = yyls;

    yy_state_t yyesa[20];
    yy_state_t *yyes = yyesa;
    YYPTRDIFF_T yyes_capacity = 20 < YYMAXDEPTH ? 20 : YYMAXDEPTH;

  /* Whether LAC context is established.  A Boolean.  */
  int yy_lac_established = 0;
  int yyn;
  /* The return value of yyparse.  */
  int yyresult;
  /* Lookahead symbol kind.  */
  yysymbol_kind_t yytoken = YYSYMBOL_YYEMPTY;
  /* The variables used to return semantic value and location from the
     action routines.  */
  YYSTYPE yyval;
  YYLTYPE yyloc;

  /* The locations where the error started and ended.  */
  YYLTYPE yyerror_range[3];



#define YYPOPSTACK(N)   (yyvsp -= (N), yyssp -= (N), yylsp -= (N))

  /* The number of symbols on the RHS of the reduced rule.
     Keep to zero when no symbol should be popped.  */
  int yylen = 0;

  YYDPRINTF ((stderr, "Starting parse\n"));

  yychar = SPILE_SYNTAX_EMPTY; /* Cause a token to be read.  */

  yylsp[0] = yylloc;
  goto yysetstate;


/*------------------------------------------------------------.
| yynewstate -- push a new state, which is found in yystate.  |
`------------------------------------------------------------*/
yynewstate:
  /* In all cases, when you get here, the value and location stacks
     have just been pushed.  So pushing a state here evens the stacks.  */
  yyssp++;


/*--------------------------------------------------------------------.
| yysetstate -- set current state (the top of the stack) to yystate.  |
`--------------------------------------------------------------------*/
yysetstate:
  YYDPRINTF ((stderr, "Entering state %d\n", yystate));
  YY_ASSERT (0 <= yystate && yystate < YYNSTATES);
  YY_IGNORE_USELESS_CAST_BEGIN
  *yyssp = YY_CAST (yy_state_t, yystate);
  YY_IGNORE_USELESS_CAST_END
  YY_STACK_PRINT (yyss, yyssp);

  if (yyss + yystacksize - 1 <= yyssp)
#if !defined yyoverflow && !defined YYSTACK_RELOCATE
    YYNOMEM;
#else
    {
      /* Get the current used size of the three stacks, in elements.  */
      YYPTRDIFF_T yysize = yyssp - yyss + 1;

# if defined yyoverflow
      {
        /* Give user a chance to reallocate the stack.  Use copies of
           these so that the &'s don't force the real ones into
           memory.  */
        yy_state_t *yyss1 = yyss;
        YYSTYPE *yyvs1 = yyvs;
        YYLTYPE *yyls1 = yyls;

        /* Each stack pointer address is followed by the size of the
           data in use in that stack, in bytes.  This used to be a
           conditional around just the two extra args, but that might
           be undefined if yyoverflow is a macro.  */
        yyoverflow (YY_("memory exhausted"),
                    &yyss1, yysize * YYSIZEOF (*yyssp),
                    &yyvs1, yysize * YYSIZEOF (*yyvsp),
                    &yyls1, yysize * YYSIZEOF (*yylsp),
                    &yystacksize);
        yyss = yyss1;
        yyvs = yyvs1;
        yyls = yyls1;
      }
# else /* defined YYSTACK_RELOCATE */
      /* Extend the stack our own way.  */
      if (YYMAXDEPTH <= yystacksize)
        YYNOMEM;
      yystacksize *= 2;
      if (YYMAXDEPTH < yystacksize)
        yystacksize = YYMAXDEPTH;

      {
        yy_state_t *yyss1 = yyss;
        union yyalloc *yyptr =
          YY_CAST (union yyalloc *,
                   YYSTACK_ALLOC (YY_CAST (YYSIZE_T, YYSTACK_BYTES (yystacksize))));
        if (! yyptr)
          YYNOMEM;
        YYSTACK_RELOCATE (yyss_alloc, yyss);
        YYSTACK_RELOCATE (yyvs_alloc, yyvs);
        YYSTACK_RELOCATE (yyls_alloc, yyls);
#  undef YYSTACK_RELOCATE
        if (yyss1 != yyssa)
          YYSTACK_FREE (yyss1);
      }
# endif

      yyssp = yyss + yysize - 1;
      yyvsp = yyvs + yysize - 1;
      yylsp = yyls + yysize - 1;

      YY_IGNORE_USELESS_CAST_BEGIN
      YYDPRINTF ((stderr, "Stack size increased to %ld\n",
                  YY_CAST (long, yystacksize)));
      YY_IGNORE_USELESS_CAST_END

      if (yyss + yystacksize - 1 <= yyssp)
        YYABORT;
    }
#endif /* !defined yyoverflow && !defined YYSTACK_RELOCATE */


  if (yystate == YYFINAL)
    YYACCEPT;

  goto yybackup;


/*-----------.
| yybackup.  |
`-----------*/
yybackup:
  /* Do appropriate processing given the current state.  Read a
     lookahead token if we need one and don't already have one.  */

  /* First try to decide what to do without reference to lookahead token.  */
  yyn = yypact[yystate];
  if (yypact_value_is_default (yyn))
    goto yydefault;

  /* Not known => get a lookahead token if don't already have one.  */

  /* YYCHAR is either empty, or end-of-input, or a valid lookahead.  */
  if (yychar == SPILE_SYNTAX_EMPTY)
    {
      YYDPRINTF ((stderr, "Reading a token\n"));
      yychar = yylex (&yylval, &yylloc, p);
    }

  if (yychar <= END)
    {
      yychar = END;
      yytoken = YYSYMBOL_YYEOF;
      YYDPRINTF ((stderr, "Now at end of input.\n"));
    }
  else if (yychar == SPILE_SYNTAX_error)
    {
      /* The scanner already issued an error message, process directly
         to error recovery.  But do not keep the error token as
         lookahead, it is too special and may lead us to an endless
         loop in error recovery. */
      yychar = SPILE_SYNTAX_UNDEF;
      yytoken = YYSYMBOL_YYerror;
      yyerror_range[1] = yylloc;
      goto yyerrlab1;
    }
  else
    {
      yytoken = YYTRANSLATE (yychar);
      YY_SYMBOL_PRINT ("Next token is", yytoken, &yylval, &yylloc);
    }

  /* If the proper action on seeing token YYTOKEN is to reduce or to
     detect an error, take that action.  */
  yyn += yytoken;
  if (yyn < 0 || YYLAST < yyn || yycheck[yyn] != yytoken)
    {
      YY_LAC_ESTABLISH;
      goto yydefault;
    }
  yyn = yytable[yyn];
  if (yyn <= 0)
    {
      if (yytable_value_is_error (yyn))
        goto yyerrlab;
      yyn = -yyn;
      YY_LAC_ESTABLISH;
      goto yyreduce;
    }

  /* Count tokens shifted since error; after three, turn off error
     status.  */
  if (yyerrstatus)
    yyerrstatus--;

  /* Shift the lookahead token.  */
  YY_SYMBOL_PRINT ("Shifting", yytoken, &yylval, &yylloc);
  yystate = yyn;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END
  *++yylsp = yylloc;

  /* Discard the shifted token.  */
  yychar = SPILE_SYNTAX_EMPTY;
  YY_LAC_DISCARD ("shift");
  goto yynewstate;


/*-----------------------------------------------------------.
| yydefault -- do the default action for the current state.  |
`-----------------------------------------------------------*/
yydefault:
  yyn = yydefact[yystate];
  if (yyn == 0)
    goto yyerrlab;
  goto yyreduce;


/*-----------------------------.
| yyreduce -- do a reduction.  |
`-----------------------------*/
yyreduce:
  /* yyn is the number of a rule to reduce with.  */
  yylen = yyr2[yyn];

  /* If YYLEN is nonzero, implement the default value of the action:
     '$$ = $1'.

     Otherwise, the following line sets YYVAL to garbage.
     This behavior is undocumented and Bison
     users should not rely upon it.  Assigning to YYVAL
     unconditionally makes the parser a bit smaller, and it avoids a
     GCC warning that YYVAL may be used uninitialized.  */
  yyval = yyvsp[1-yylen];

  /* Default location. */
  YYLLOC_DEFAULT (yyloc, (yylsp - yylen), yylen);
  yyerror_range[1] = yyloc;
  YY_REDUCE_PRINT (yyn);
  {
    int yychar_backup = yychar;
    switch (yyn)
      {
  case 4: /* file: file error  */
#line 123 "../translator/syntax/parse.y"
                                        { if (start_over(p, yychar)) yyclearin; yyerrok; }
#line 2209 "translator/syntax/parse.c"
    break;

  case 5: /* item: "probe" chain block  */
#line 127 "../translator/syntax/parse.y"
                                        { add_probe(p, (yyloc), (yyvsp[-1].chain), (yyvsp[0].stmt), NULL); }
#line 2215 "translator/syntax/parse.c"
    break;

  case 6: /* item: "probe" chain block ',' block  */
#line 128 "../translator/syntax/parse.y"
                                        { add_probe(p, (yyloc), (yyvsp[-3].chain), (yyvsp[-2].stmt), (yyvsp[0].stmt)); }
#line 2221 "translator/syntax/parse.c"
    break;

  case 10: /* item: "%{"  */
#line 132 "../translator/syntax/parse.y"
                                        { add_embedded(p, &(yyvsp[0].token)); }
#line 2227 "translator/syntax/parse.c"
    break;

  case 11: /* chain: points  */
#line 138 "../translator/syntax/parse.y"
                                        { (yyval.chain) = (struct alias_chain){ .points = (yyvsp[0].points), .at = (yylsp[0]) }; }
#line 2233 "translator/syntax/parse.c"
    break;

  case 12: /* chain: chain '=' points  */
#line 139 "../translator/syntax/parse.y"
                                        { (yyval.chain) = (yyvsp[-2].chain); chain_next(p, &(yyval.chain), (yyvsp[0].points), (yylsp[0]), false); }
#line 2239 "translator/syntax/parse.c"
    break;

  case 13: /* chain: chain "+=" points  */
#line 140 "../translator/syntax/parse.y"
                                        { (yyval.chain) = (yyvsp[-2].chain); chain_next(p, &(yyval.chain), (yyvsp[0].points), (yylsp[0]), true); }
#line 2245 "translator/syntax/parse.c"
    break;

  case 15: /* points: points ',' point  */
#line 145 "../translator/syntax/parse.y"
                                        { (yyval.points) = points_append((yyvsp[-2].points), (yyvsp[0].points)); }
#line 2251 "translator/syntax/parse.c"
    break;

  case 17: /* point: path mark  */
#line 150 "../translator/syntax/parse.y"
                                        { (yyval.points) = points_suffix(p, (yylsp[0]), (yyvsp[-1].points), (yyvsp[0].num), NULL); }
#line 2257 "translator/syntax/parse.c"
    break;

  case 18: /* point: path "if" '(' expr ')'  */
#line 151 "../translator/syntax/parse.y"
                                        { (yyval.points) = points_suffix(p, (yylsp[-3]), (yyvsp[-4].points), 0, (yyvsp[-1].expr)); }
#line 2263 "translator/syntax/parse.c"
    break;

  case 19: /* point: path mark "if" '(' expr ')'  */
#line 152 "../translator/syntax/parse.y"
                                        { (yyval.points) = points_suffix(p, (yylsp[-4]), (yyvsp[-5].points), (yyvsp[-4].num), (yyvsp[-1].expr)); }
#line 2269 "translator/syntax/parse.c"
    break;

  case 20: /* mark: '?'  */
#line 156 "../translator/syntax/parse.y"
                                        { (yyval.num) = '?'; }
#line 2275 "translator/syntax/parse.c"
    break;

  case 21: /* mark: '!'  */
#line 157 "../translator/syntax/parse.y"
                                        { (yyval.num) = '!'; }
#line 2281 "translator/syntax/parse.c"
    break;

  case 23: /* path: path '.' step  */
#line 162 "../translator/syntax/parse.y"
                                        { (yyval.points) = points_join(p, (yylsp[-1]), (yyvsp[-2].points), (yyvsp[0].points)); }
#line 2287 "translator/syntax/parse.c"
    break;

  case 24: /* step: "probe point component"  */
#line 166 "../translator/syntax/parse.y"
                                        { (yyval.points) = point_step(p, &(yyvsp[0].token), NULL); }
#line 2293 "translator/syntax/parse.c"
    break;

  case 25: /* step: "probe point component" '(' literal ')'  */
#line 167 "../translator/syntax/parse.y"
                                        { (yyval.points) = point_step(p, &(yyvsp[-3].token), &(yyvsp[-1].token)); }
#line 2299 "translator/syntax/parse.c"
    break;

  case 26: /* step: '{' points '}'  */
#line 168 "../translator/syntax/parse.y"
                                        { (yyval.points) = (yyvsp[-1].points); }
#line 2305 "translator/syntax/parse.c"
    break;

  case 28: /* literal: literal_number  */
#line 173 "../translator/syntax/parse.y"
                                        { (yyval.token) = (struct token){ .kind = NUMBER, .num = (yyvsp[0].num), .span = (yylsp[0]) }; }
#line 2311 "translator/syntax/parse.c"
    break;

  case 29: /* literal_number: "number"  */
#line 177 "../translator/syntax/parse.y"
                                        { (yyval.num) = (yyvsp[0].token).num; }
#line 2317 "translator/syntax/parse.c"
    break;

  case 30: /* literal_number: '-' "number"  */
#line 178 "../translator/syntax/parse.y"
                                        {
		if ((uint64_t)(yyvsp[0].token).num > (uint64_t)INT64_MAX + 1)
			diag_error(p->diag, (yyloc), TAG_NUMBER, "number invalid or out of range");
		(yyval.num) = (int64_t)-(uint64_t)(yyvsp[0].token).num;
	}
#line 2327 "translator/syntax/parse.c"
    break;

  case 31: /* function: function_head function_body  */
#line 188 "../translator/syntax/parse.y"
                                        {
		(yyvsp[-1].function)->span = (yyloc);
		(yyvsp[-1].function)->body = (yyvsp[0].stmt);
		add_function(p, (yyvsp[-1].function));
	}
#line 2337 "translator/syntax/parse.c"
    break;

  case 32: /* function: "private" function_head function_body  */
#line 193 "../translator/syntax/parse.y"
                                              {
		(yyvsp[-1].function)->span = (yyloc);
		(yyvsp[-1].function)->body = (yyvsp[0].stmt);
		(yyvsp[-1].function)->is_private = true;
		add_function(p, (yyvsp[-1].function));
	}
#line 2348 "translator/syntax/parse.c"
    break;

  case 33: /* function_head: "function" "identifier" optional_type '(' optional_params ')'  */
#line 202 "../translator/syntax/parse.y"
                                                               {
		(yyval.function) = make_function(p, &(yyvsp[-4].token), (yyvsp[-3].type), (yyvsp[-1].params));
	}
#line 2356 "translator/syntax/parse.c"
    break;

  case 34: /* function_head: "function" "identifier" optional_type '(' optional_params ')' ':' literal_number  */
#line 205 "../translator/syntax/parse.y"
                                                                                  {
		(yyval.function) = make_function(p, &(yyvsp[-6].token), (yyvsp[-5].type), (yyvsp[-3].params));
		(yyval.function)->has_priority = true;
		(yyval.function)->priority = (yyvsp[0].num);
		if ((yyvsp[0].num) < 1)
			diag_error(p->diag, (yylsp[0]), TAG_PRIORITY, "specified priority must be > 0");
	}
#line 2368 "translator/syntax/parse.c"
    break;

  case 36: /* function_body: "%{"  */
#line 216 "../translator/syntax/parse.y"
                                        {
		(yyval.stmt) = stmt_make(p, STMT_EMBEDDED, (yyloc));
		(yyval.stmt)->u.code = (yyvsp[0].token).text;
		check_guru(p, (yylsp[0]), "embedded code");
	}
#line 2378 "translator/syntax/parse.c"
    break;

  case 37: /* optional_type: %empty  */
#line 224 "../translator/syntax/parse.y"
                                        { (yyval.type) = TY_UNKNOWN; }
#line 2384 "translator/syntax/parse.c"
    break;

  case 38: /* optional_type: ':' "long"  */
#line 225 "../translator/syntax/parse.y"
                                        { (yyval.type) = TY_LONG; }
#line 2390 "translator/syntax/parse.c"
    break;

  case 39: /* optional_type: ':' "string"  */
#line 226 "../translator/syntax/parse.y"
                                        { (yyval.type) = TY_STRING; }
#line 2396 "translator/syntax/parse.c"
    break;

  case 40: /* optional_params: %empty  */
#line 230 "../translator/syntax/parse.y"
                                        { (yyval.params) = (struct params){ 0 }; }
#line 2402 "translator/syntax/parse.c"
    break;

  case 42: /* params: "identifier" optional_type  */
#line 235 "../translator/syntax/parse.y"
                                        { (yyval.params) = params_add(p, (struct params){ 0 }, &(yyvsp[-1].token), (yyvsp[0].type)); }
#line 2408 "translator/syntax/parse.c"
    break;

  case 43: /* params: params ',' "identifier" optional_type  */
#line 236 "../translator/syntax/parse.y"
                                         { (yyval.params) = params_add(p, (yyvsp[-3].params), &(yyvsp[-1].token), (yyvsp[0].type)); }
#line 2414 "translator/syntax/parse.c"
    break;

  case 44: /* globals: global_word gdecl  */
#line 240 "../translator/syntax/parse.y"
                                        { add_global(p, (yyvsp[0].global)); }
#line 2420 "translator/syntax/parse.c"
    break;

  case 45: /* globals: globals ',' gdecl  */
#line 241 "../translator/syntax/parse.y"
                                        { add_global(p, (yyvsp[0].global)); }
#line 2426 "translator/syntax/parse.c"
    break;

  case 46: /* global_word: "global"  */
#line 245 "../translator/syntax/parse.y"
                                        { p->private_globals = false; }
#line 2432 "translator/syntax/parse.c"
    break;

  case 47: /* global_word: "private"  */
#line 246 "../translator/syntax/parse.y"
                                        { p->private_globals = true; }
#line 2438 "translator/syntax/parse.c"
    break;

  case 48: /* global_word: "private" "global"  */
#line 247 "../translator/syntax/parse.y"
                                        { p->private_globals = true; }
#line 2444 "translator/syntax/parse.c"
    break;

  case 49: /* gdecl: "identifier"  */
#line 251 "../translator/syntax/parse.y"
                                        { (yyval.global) = make_global(p, &(yyvsp[0].token)); }
#line 2450 "translator/syntax/parse.c"
    break;

  case 50: /* gdecl: "identifier" '=' literal  */
#line 252 "../translator/syntax/parse.y"
                                        { (yyval.global) = make_global(p, &(yyvsp[-2].token)); set_init(p, (yyval.global), &(yyvsp[0].token)); }
#line 2456 "translator/syntax/parse.c"
    break;

  case 51: /* gdecl: "identifier" '[' "number" ']'  */
#line 253 "../translator/syntax/parse.y"
                                        { (yyval.global) = make_global(p, &(yyvsp[-3].token)); set_size(p, (yyval.global), (yylsp[-1]), (yyvsp[-1].token).num); }
#line 2462 "translator/syntax/parse.c"
    break;

  case 52: /* gdecl: "identifier" '[' "number" ']' '=' literal  */
#line 254 "../translator/syntax/parse.y"
                                           {
		(yyval.global) = make_global(p, &(yyvsp[-5].token));
		diag_error(p->diag, (yylsp[-1]), TAG_GLOBAL, "only scalar globals can be initialized");
	}
#line 2471 "translator/syntax/parse.c"
    break;

  case 53: /* gdecl: "identifier" '%'  */
#line 258 "../translator/syntax/parse.y"
                                        { (yyval.global) = make_global(p, &(yyvsp[-1].token)); (yyval.global)->wraps = true; }
#line 2477 "translator/syntax/parse.c"
    break;

  case 54: /* gdecl: "identifier" '%' '[' "number" ']'  */
#line 259 "../translator/syntax/parse.y"
                                        {
		(yyval.global) = make_global(p, &(yyvsp[-4].token));
		(yyval.global)->wraps = true;
		set_size(p, (yyval.global), (yylsp[-1]), (yyvsp[-1].token).num);
	}
#line 2487 "translator/syntax/parse.c"
    break;

  case 55: /* block: '{' stmts '}'  */
#line 269 "../translator/syntax/parse.y"
                                        {
		(yyval.stmt) = stmt_make(p, STMT_BLOCK, (yyloc));
		(yyval.stmt)->u.block = (yyvsp[-1].stmts).first;
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2497 "translator/syntax/parse.c"
    break;

  case 56: /* stmts: %empty  */
#line 277 "../translator/syntax/parse.y"
                                        { (yyval.stmts) = (struct stmts){ 0 }; }
#line 2503 "translator/syntax/parse.c"
    break;

  case 57: /* stmts: stmts stmt  */
#line 278 "../translator/syntax/parse.y"
                                        { (yyval.stmts) = stmts_add((yyvsp[-1].stmts), (yyvsp[0].stmt)); }
#line 2509 "translator/syntax/parse.c"
    break;

  case 58: /* stmt: ';'  */
#line 282 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = stmt_make(p, STMT_NULL, (yyloc)); }
#line 2515 "translator/syntax/parse.c"
    break;

  case 62: /* stmt: "if" '(' expr ')' stmt  */
#line 286 "../translator/syntax/parse.y"
                                         {
		(yyval.stmt) = stmt_make(p, STMT_IF, (yyloc));
		(yyval.stmt)->u.branch.cond = (yyvsp[-2].expr);
		(yyval.stmt)->u.branch.yes = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2526 "translator/syntax/parse.c"
    break;

  case 63: /* stmt: "if" '(' expr ')' stmt "else" stmt  */
#line 292 "../translator/syntax/parse.y"
                                         {
		(yyval.stmt) = stmt_make(p, STMT_IF, (yyloc));
		(yyval.stmt)->u.branch.cond = (yyvsp[-4].expr);
		(yyval.stmt)->u.branch.yes = (yyvsp[-2].stmt);
		(yyval.stmt)->u.branch.no = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2538 "translator/syntax/parse.c"
    break;

  case 65: /* stmt: "try" block "catch" block  */
#line 300 "../translator/syntax/parse.y"
                                        {
		(yyval.stmt) = stmt_make(p, STMT_TRY, (yyloc));
		(yyval.stmt)->u.try.body = (yyvsp[-2].stmt);
		(yyval.stmt)->u.try.handler = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2549 "translator/syntax/parse.c"
    break;

  case 66: /* stmt: "try" block "catch" '(' "identifier" ')' block  */
#line 306 "../translator/syntax/parse.y"
                                              {
		(yyval.stmt) = stmt_make(p, STMT_TRY, (yyloc));
		(yyval.stmt)->u.try.body = (yyvsp[-5].stmt);
		(yyval.stmt)->u.try.message = make_var(p, (yylsp[-2]), (yyvsp[-2].token).text);
		(yyval.stmt)->u.try.handler = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2561 "translator/syntax/parse.c"
    break;

  case 67: /* simple: expr  */
#line 317 "../translator/syntax/parse.y"
                                        {
		(yyval.stmt) = stmt_make(p, STMT_EXPR, (yyloc));
		(yyval.stmt)->u.expr = (yyvsp[0].expr);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2571 "translator/syntax/parse.c"
    break;

  case 68: /* simple: "return"  */
#line 322 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = make_return(p, (yyloc), NULL); }
#line 2577 "translator/syntax/parse.c"
    break;

  case 69: /* simple: "return" expr  */
#line 323 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = make_return(p, (yyloc), (yyvsp[0].expr)); }
#line 2583 "translator/syntax/parse.c"
    break;

  case 70: /* simple: "delete" expr  */
#line 324 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = make_delete(p, (yyloc), (yyvsp[0].expr)); }
#line 2589 "translator/syntax/parse.c"
    break;

  case 71: /* simple: "next"  */
#line 325 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = stmt_make(p, STMT_NEXT, (yyloc)); }
#line 2595 "translator/syntax/parse.c"
    break;

  case 72: /* simple: "break"  */
#line 326 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = stmt_make(p, STMT_BREAK, (yyloc)); }
#line 2601 "translator/syntax/parse.c"
    break;

  case 73: /* simple: "continue"  */
#line 327 "../translator/syntax/parse.y"
                                        { (yyval.stmt) = stmt_make(p, STMT_CONTINUE, (yyloc)); }
#line 2607 "translator/syntax/parse.c"
    break;

  case 74: /* loop: "while" '(' expr ')' stmt  */
#line 331 "../translator/syntax/parse.y"
                                        {
		(yyval.stmt) = make_loop(p, (yyloc), (yyvsp[-2].expr), (yyvsp[0].stmt));
		(yyval.stmt)->u.loop.is_while = true;
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2617 "translator/syntax/parse.c"
    break;

  case 75: /* loop: "for" '(' optional_expr ';' optional_expr ';' optional_expr ')' stmt  */
#line 336 "../translator/syntax/parse.y"
                                                                             {
		(yyval.stmt) = make_loop(p, (yyloc), (yyvsp[-4].expr), (yyvsp[0].stmt));
		(yyval.stmt)->u.loop.init = (yyvsp[-6].expr);
		(yyval.stmt)->u.loop.step = (yyvsp[-2].expr);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2628 "translator/syntax/parse.c"
    break;

  case 76: /* loop: "foreach" '(' loop_keys "in" loop_base optional_limit ')' stmt  */
#line 342 "../translator/syntax/parse.y"
                                                                     {
		(yyval.stmt) = make_foreach(p, (yyloc), NULL, (yyvsp[-5].keys), (yyvsp[-3].base), (yyvsp[-2].expr));
		(yyval.stmt)->u.foreach.body = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2638 "translator/syntax/parse.c"
    break;

  case 77: /* loop: "foreach" '(' loop_key '=' loop_keys "in" loop_base optional_limit ')' stmt  */
#line 347 "../translator/syntax/parse.y"
                                                                                  {
		(yyval.stmt) = make_foreach(p, (yyloc), (yyvsp[-7].key), (yyvsp[-5].keys), (yyvsp[-3].base), (yyvsp[-2].expr));
		(yyval.stmt)->u.foreach.body = (yyvsp[0].stmt);
		(yyval.stmt) = stmt_done(p, (yyval.stmt));
	}
#line 2648 "translator/syntax/parse.c"
    break;

  case 78: /* loop_keys: loop_key  */
#line 355 "../translator/syntax/parse.y"
                                        { (yyval.keys) = (struct keys){ (yyvsp[0].key), (yyvsp[0].key) }; }
#line 2654 "translator/syntax/parse.c"
    break;

  case 79: /* loop_keys: '[' loop_key_list ']'  */
#line 356 "../translator/syntax/parse.y"
                                        { (yyval.keys) = (yyvsp[-1].keys); }
#line 2660 "translator/syntax/parse.c"
    break;

  case 80: /* loop_key_list: loop_key  */
#line 360 "../translator/syntax/parse.y"
                                        { (yyval.keys) = (struct keys){ (yyvsp[0].key), (yyvsp[0].key) }; }
#line 2666 "translator/syntax/parse.c"
    break;

  case 81: /* loop_key_list: loop_key_list ',' loop_key  */
#line 361 "../translator/syntax/parse.y"
                                        { (yyval.keys) = (yyvsp[-2].keys); (yyval.keys).last->next = (yyvsp[0].key); (yyval.keys).last = (yyvsp[0].key); }
#line 2672 "translator/syntax/parse.c"
    break;

  case 82: /* loop_key: "identifier" optional_direction  */
#line 365 "../translator/syntax/parse.y"
                                        {
		(yyval.key) = ARENA_NEW(p->arena, struct foreach_key);
		(yyval.key)->var = make_var(p, (yylsp[-1]), (yyvsp[-1].token).text);
		(yyval.key)->direction = (int)(yyvsp[0].num);
	}
#line 2682 "translator/syntax/parse.c"
    break;

  case 83: /* loop_base: loop_array optional_direction  */
#line 373 "../translator/syntax/parse.y"
                                        { (yyval.base) = (yyvsp[-1].base); (yyval.base).direction = (int)(yyvsp[0].num); (yyval.base).span = (yyloc); }
#line 2688 "translator/syntax/parse.c"
    break;

  case 84: /* loop_base: loop_array "@count" direction  */
#line 374 "../translator/syntax/parse.y"
                                          {
		(yyval.base) = (yyvsp[-2].base);
		(yyval.base).direction = (int)(yyvsp[0].num);
		(yyval.base).has_extract = true;
		(yyval.base).extract = (enum extractor)(yyvsp[-1].token).num;
		(yyval.base).span = (yyloc);
	}
#line 2700 "translator/syntax/parse.c"
    break;

  case 85: /* loop_base: loop_array "@variance" direction  */
#line 381 "../translator/syntax/parse.y"
                                           {
		(yyval.base) = (yyvsp[-2].base);
		(yyval.base).direction = (int)(yyvsp[0].num);
		(yyval.base).has_extract = true;
		(yyval.base).extract = EX_VARIANCE;
		(yyval.base).span = (yyloc);
	}
#line 2712 "translator/syntax/parse.c"
    break;

  case 87: /* loop_array: "identifier" '[' slices ']'  */
#line 392 "../translator/syntax/parse.y"
                                        {
		(yyval.base) = (struct loop_base){ .array = make_var(p, (yylsp[-3]), (yyvsp[-3].token).text), .slice = (yyvsp[-1].exprs).first };
	}
#line 2720 "translator/syntax/parse.c"
    break;

  case 88: /* base: "identifier"  */
#line 398 "../translator/syntax/parse.y"
                                        { (yyval.base) = (struct loop_base){ .array = make_var(p, (yylsp[0]), (yyvsp[0].token).text) }; }
#line 2726 "translator/syntax/parse.c"
    break;

  case 89: /* base: hist  */
#line 399 "../translator/syntax/parse.y"
                                        { (yyval.base) = (struct loop_base){ .hist = take_hist(p, (yyvsp[0].expr)) }; }
#line 2732 "translator/syntax/parse.c"
    break;

  case 90: /* optional_direction: %empty  */
#line 403 "../translator/syntax/parse.y"
                                        { (yyval.num) = 0; }
#line 2738 "translator/syntax/parse.c"
    break;

  case 92: /* direction: '+'  */
#line 408 "../translator/syntax/parse.y"
                                        { (yyval.num) = 1; }
#line 2744 "translator/syntax/parse.c"
    break;

  case 93: /* direction: '-'  */
#line 409 "../translator/syntax/parse.y"
                                        { (yyval.num) = -1; }
#line 2750 "translator/syntax/parse.c"
    break;

  case 94: /* optional_limit: %empty  */
#line 413 "../translator/syntax/parse.y"
                                        { (yyval.expr) = NULL; }
#line 2756 "translator/syntax/parse.c"
    break;

  case 95: /* optional_limit: "limit" expr  */
#line 414 "../translator/syntax/parse.y"
                                        { (yyval.expr) = (yyvsp[0].expr); }
#line 2762 "translator/syntax/parse.c"
    break;

  case 96: /* optional_expr: %empty  */
#line 420 "../translator/syntax/parse.y"
                                        { (yyval.expr) = NULL; }
#line 2768 "translator/syntax/parse.c"
    break;

  case 98: /* optional_exprs: %empty  */
#line 425 "../translator/syntax/parse.y"
                                        { (yyval.exprs) = (struct exprs){ 0 }; }
#line 2774 "translator/syntax/parse.c"
    break;

  case 100: /* exprs: expr  */
#line 430 "../translator/syntax/parse.y"
                                        { (yyval.exprs) = exprs_add(p, (struct exprs){ 0 }, (yyvsp[0].expr)); }
#line 2780 "translator/syntax/parse.c"
    break;

  case 101: /* exprs: exprs ',' expr  */
#line 431 "../translator/syntax/parse.y"
                                        { (yyval.exprs) = exprs_add(p, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 2786 "translator/syntax/parse.c"
    break;

  case 102: /* slices: slice  */
#line 435 "../translator/syntax/parse.y"
                                        { (yyval.exprs) = exprs_add(p, (struct exprs){ 0 }, (yyvsp[0].expr)); }
#line 2792 "translator/syntax/parse.c"
    break;

  case 103: /* slices: slices ',' slice  */
#line 436 "../translator/syntax/parse.y"
                                        { (yyval.exprs) = exprs_add(p, (yyvsp[-2].exprs), (yyvsp[0].expr)); }
#line 2798 "translator/syntax/parse.c"
    break;

  case 105: /* slice: '*'  */
#line 441 "../translator/syntax/parse.y"
                                        { (yyval.expr) = NULL; }
#line 2804 "translator/syntax/parse.c"
    break;

  case 108: /* assign: ternary '=' assign  */
#line 450 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_assign(p, (yyloc), OP_SET, OP_NONE, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2810 "translator/syntax/parse.c"
    break;

  case 109: /* assign: ternary set_op assign  */
#line 451 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_assign(p, (yyloc), OP_SET, (yyvsp[-1].op), (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2816 "translator/syntax/parse.c"
    break;

  case 110: /* assign: ternary "<<<" assign  */
#line 452 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_assign(p, (yyloc), OP_AGGREGATE, OP_NONE, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2822 "translator/syntax/parse.c"
    break;

  case 111: /* set_op: "assignment operator"  */
#line 456 "../translator/syntax/parse.y"
                                        { (yyval.op) = (enum op)(yyvsp[0].token).num; }
#line 2828 "translator/syntax/parse.c"
    break;

  case 112: /* set_op: "+="  */
#line 457 "../translator/syntax/parse.y"
                                        { (yyval.op) = OP_ADD; }
#line 2834 "translator/syntax/parse.c"
    break;

  case 114: /* ternary: lor '?' expr ':' ternary  */
#line 462 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = expr_make(p, EXPR_TERNARY, (yyloc));
		(yyval.expr)->u.tern.cond = (yyvsp[-4].expr);
		(yyval.expr)->u.tern.yes = (yyvsp[-2].expr);
		(yyval.expr)->u.tern.no = (yyvsp[0].expr);
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 2846 "translator/syntax/parse.c"
    break;

  case 116: /* lor: lor "||" land  */
#line 473 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_LOR, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2852 "translator/syntax/parse.c"
    break;

  case 118: /* land: land "&&" bitor  */
#line 478 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_LAND, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2858 "translator/syntax/parse.c"
    break;

  case 120: /* bitor: bitor '|' bitxor  */
#line 483 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_OR, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2864 "translator/syntax/parse.c"
    break;

  case 122: /* bitxor: bitxor '^' bitand  */
#line 488 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_XOR, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2870 "translator/syntax/parse.c"
    break;

  case 124: /* bitand: bitand '&' membership  */
#line 493 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_AND, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2876 "translator/syntax/parse.c"
    break;

  case 126: /* membership: shift "=~" "literal string"  */
#line 499 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_regex(p, (yyloc), (yyvsp[-1].token).num, (yyvsp[-2].expr), &(yyvsp[0].token)); }
#line 2882 "translator/syntax/parse.c"
    break;

  case 127: /* membership: cmp "in" base  */
#line 500 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_in(p, (yyloc), exprs_add(p, (struct exprs){ 0 }, (yyvsp[-2].expr)), (yyvsp[0].base)); }
#line 2888 "translator/syntax/parse.c"
    break;

  case 128: /* membership: shift "=~" "literal string" "in" base  */
#line 501 "../translator/syntax/parse.y"
                                        {
		struct expr *match = make_regex(p, span_join((yylsp[-4]), (yylsp[-2])), (yyvsp[-3].token).num, (yyvsp[-4].expr), &(yyvsp[-2].token));

		(yyval.expr) = make_in(p, (yyloc), exprs_add(p, (struct exprs){ 0 }, match), (yyvsp[0].base));
	}
#line 2898 "translator/syntax/parse.c"
    break;

  case 129: /* membership: '[' slices ']' "in" base  */
#line 506 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_in(p, (yyloc), (yyvsp[-3].exprs), (yyvsp[0].base)); }
#line 2904 "translator/syntax/parse.c"
    break;

  case 130: /* membership: '[' slices ']'  */
#line 507 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = (yyvsp[-1].exprs).first->e;
		if ((yyvsp[-1].exprs).n > 1 || !(yyval.expr)) {
			diag_error(p->diag, (yyloc), TAG_SYNTAX, "unexpected comma-separated expression list");
			(yyval.expr) = expr_make(p, EXPR_ERROR, (yyloc));
		}
	}
#line 2916 "translator/syntax/parse.c"
    break;

  case 132: /* cmp: cmp "comparison operator" shift  */
#line 518 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), (enum op)(yyvsp[-1].token).num, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2922 "translator/syntax/parse.c"
    break;

  case 134: /* shift: shift "shift operator" concat  */
#line 523 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), (enum op)(yyvsp[-1].token).num, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2928 "translator/syntax/parse.c"
    break;

  case 136: /* concat: concat '.' add  */
#line 528 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_CONCAT, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2934 "translator/syntax/parse.c"
    break;

  case 138: /* add: add '+' mul  */
#line 533 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_ADD, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2940 "translator/syntax/parse.c"
    break;

  case 139: /* add: add '-' mul  */
#line 534 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_SUB, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2946 "translator/syntax/parse.c"
    break;

  case 141: /* mul: mul '*' unary  */
#line 539 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_MUL, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2952 "translator/syntax/parse.c"
    break;

  case 142: /* mul: mul '/' unary  */
#line 540 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_DIV, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2958 "translator/syntax/parse.c"
    break;

  case 143: /* mul: mul '%' unary  */
#line 541 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_binary(p, (yyloc), OP_MOD, (yyvsp[-2].expr), (yyvsp[0].expr)); }
#line 2964 "translator/syntax/parse.c"
    break;

  case 145: /* unary: '+' unary  */
#line 546 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_unary(p, (yyloc), OP_PLUS, (yyvsp[0].expr)); }
#line 2970 "translator/syntax/parse.c"
    break;

  case 146: /* unary: '-' unary  */
#line 547 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_unary(p, (yyloc), OP_NEG, (yyvsp[0].expr)); }
#line 2976 "translator/syntax/parse.c"
    break;

  case 147: /* unary: '!' unary  */
#line 548 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_unary(p, (yyloc), OP_NOT, (yyvsp[0].expr)); }
#line 2982 "translator/syntax/parse.c"
    break;

  case 148: /* unary: '~' unary  */
#line 549 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_unary(p, (yyloc), OP_COMPL, (yyvsp[0].expr)); }
#line 2988 "translator/syntax/parse.c"
    break;

  case 150: /* crement: value "++"  */
#line 554 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_incdec(p, (yyloc), (enum op)(yyvsp[0].token).num, true, (yyvsp[-1].expr)); }
#line 2994 "translator/syntax/parse.c"
    break;

  case 151: /* crement: "++" value  */
#line 555 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_incdec(p, (yyloc), (enum op)(yyvsp[-1].token).num, false, (yyvsp[0].expr)); }
#line 3000 "translator/syntax/parse.c"
    break;

  case 153: /* value: '&' value  */
#line 560 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_address(p, (yyloc), (yyvsp[0].expr)); }
#line 3006 "translator/syntax/parse.c"
    break;

  case 155: /* postfix: postfix "->" "identifier"  */
#line 565 "../translator/syntax/parse.y"
                                        { (yyval.expr) = add_member(p, (yyloc), (yyvsp[-2].expr), &(yyvsp[0].token)); }
#line 3012 "translator/syntax/parse.c"
    break;

  case 156: /* postfix: postfix "->" "$"  */
#line 566 "../translator/syntax/parse.y"
                                        { (yyval.expr) = add_pretty(p, (yyloc), (yyvsp[-2].expr), &(yyvsp[0].token)); }
#line 3018 "translator/syntax/parse.c"
    break;

  case 157: /* postfix: postfix "$"  */
#line 567 "../translator/syntax/parse.y"
                                        { (yyval.expr) = add_pretty(p, (yyloc), (yyvsp[-1].expr), &(yyvsp[0].token)); }
#line 3024 "translator/syntax/parse.c"
    break;

  case 158: /* postfix: postfix '[' slices ']'  */
#line 568 "../translator/syntax/parse.y"
                                        { (yyval.expr) = add_index(p, (yyloc), (yyvsp[-3].expr), (yyvsp[-1].exprs)); }
#line 3030 "translator/syntax/parse.c"
    break;

  case 159: /* primary: "number"  */
#line 572 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_num(p, (yyloc), (yyvsp[0].token).num); }
#line 3036 "translator/syntax/parse.c"
    break;

  case 160: /* primary: "literal string"  */
#line 573 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_str(p, (yyloc), (yyvsp[0].token).text); }
#line 3042 "translator/syntax/parse.c"
    break;

  case 161: /* primary: "identifier"  */
#line 574 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_var(p, (yyloc), (yyvsp[0].token).text); }
#line 3048 "translator/syntax/parse.c"
    break;

  case 162: /* primary: "identifier" '[' slices ']'  */
#line 575 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_index(p, (yyloc), (yyvsp[-3].token).text, (yyvsp[-1].exprs)); }
#line 3054 "translator/syntax/parse.c"
    break;

  case 163: /* primary: "identifier" '(' optional_exprs ')'  */
#line 576 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = expr_make(p, EXPR_CALL, (yyloc));
		(yyval.expr)->u.call.name = (yyvsp[-3].token).text;
		(yyval.expr)->u.call.args = (yyvsp[-1].exprs).first;
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 3065 "translator/syntax/parse.c"
    break;

  case 164: /* primary: "target variable"  */
#line 582 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_target(p, &(yyvsp[0].token)); }
#line 3071 "translator/syntax/parse.c"
    break;

  case 165: /* primary: '(' expr ')'  */
#line 583 "../translator/syntax/parse.y"
                                        { (yyval.expr) = (yyvsp[-1].expr); }
#line 3077 "translator/syntax/parse.c"
    break;

  case 166: /* primary: "%{"  */
#line 584 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_embedded(p, &(yyvsp[0].token)); }
#line 3083 "translator/syntax/parse.c"
    break;

  case 170: /* operator: "@cast" '(' expr ',' "literal string" optional_module ')'  */
#line 591 "../translator/syntax/parse.y"
                                                          { (yyval.expr) = make_cast(p, (yyloc), (yyvsp[-4].expr), &(yyvsp[-2].token), &(yyvsp[-1].token)); }
#line 3089 "translator/syntax/parse.c"
    break;

  case 171: /* operator: "@var" '(' "literal string" optional_module ')'  */
#line 592 "../translator/syntax/parse.y"
                                                { (yyval.expr) = make_cast(p, (yyloc), NULL, &(yyvsp[-2].token), &(yyvsp[-1].token)); }
#line 3095 "translator/syntax/parse.c"
    break;

  case 172: /* operator: "@defined" '(' expr ')'  */
#line 593 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = expr_make(p, EXPR_DEFINED, (yyloc));
		(yyval.expr)->u.defined.e = (yyvsp[-1].expr);
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 3105 "translator/syntax/parse.c"
    break;

  case 173: /* operator: "@entry" '(' expr ')'  */
#line 598 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = expr_make(p, EXPR_ENTRY, (yyloc));
		(yyval.expr)->u.entry.e = (yyvsp[-1].expr);
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 3115 "translator/syntax/parse.c"
    break;

  case 174: /* operator: "@perf" '(' "literal string" ')'  */
#line 603 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_named(p, (yyloc), EXPR_PERF, &(yyvsp[-1].token)); }
#line 3121 "translator/syntax/parse.c"
    break;

  case 175: /* operator: "@probewrite" '(' "identifier" ')'  */
#line 604 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_named(p, (yyloc), EXPR_PROBEWRITE, &(yyvsp[-1].token)); }
#line 3127 "translator/syntax/parse.c"
    break;

  case 176: /* operator: "@enum" '(' "literal string" ')'  */
#line 605 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_named(p, (yyloc), EXPR_ENUM, &(yyvsp[-1].token)); }
#line 3133 "translator/syntax/parse.c"
    break;

  case 177: /* operator: "@const" '(' "literal string" ')'  */
#line 606 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = make_named(p, (yyloc), EXPR_CONST, &(yyvsp[-1].token));
		check_guru(p, (yylsp[-3]), "using @const operator");
	}
#line 3142 "translator/syntax/parse.c"
    break;

  case 178: /* operator: "@enumname" '(' expr ')'  */
#line 610 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_enumname(p, (yyloc), (yyvsp[-1].expr), NULL, NULL); }
#line 3148 "translator/syntax/parse.c"
    break;

  case 179: /* operator: "@enumname" '(' expr ',' "literal string" optional_module ')'  */
#line 611 "../translator/syntax/parse.y"
                                                              { (yyval.expr) = make_enumname(p, (yyloc), (yyvsp[-4].expr), &(yyvsp[-2].token), &(yyvsp[-1].token)); }
#line 3154 "translator/syntax/parse.c"
    break;

  case 180: /* operator: "@uregister" '(' expr ')'  */
#line 612 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = expr_make(p, EXPR_REGISTER, (yyloc));
		(yyval.expr)->u.machine.user = (yyvsp[-3].token).num;
		(yyval.expr)->u.machine.a = (yyvsp[-1].expr);
		if (!(yyvsp[-3].token).num)
			check_guru(p, (yylsp[-3]), "using @kregister operator");
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 3167 "translator/syntax/parse.c"
    break;

  case 181: /* operator: "@uderef" '(' expr ',' expr ')'  */
#line 620 "../translator/syntax/parse.y"
                                         {
		(yyval.expr) = expr_make(p, EXPR_DEREF, (yyloc));
		(yyval.expr)->u.machine.user = (yyvsp[-5].token).num;
		(yyval.expr)->u.machine.a = (yyvsp[-3].expr);
		(yyval.expr)->u.machine.b = (yyvsp[-1].expr);
		if (!(yyvsp[-5].token).num)
			check_guru(p, (yylsp[-5]), "using @kderef operator");
		(yyval.expr) = expr_done(p, (yyval.expr));
	}
#line 3181 "translator/syntax/parse.c"
    break;

  case 182: /* operator: "@count" '(' expr ')'  */
#line 629 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_extract(p, (yyloc), (enum extractor)(yyvsp[-3].token).num, (yyvsp[-1].expr), NULL); }
#line 3187 "translator/syntax/parse.c"
    break;

  case 183: /* operator: "@variance" '(' expr ')'  */
#line 630 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_extract(p, (yyloc), EX_VARIANCE, (yyvsp[-1].expr), NULL); }
#line 3193 "translator/syntax/parse.c"
    break;

  case 184: /* operator: "@variance" '(' expr ',' literal_number ')'  */
#line 631 "../translator/syntax/parse.y"
                                                      {
		(yyval.expr) = make_extract(p, (yyloc), EX_VARIANCE, (yyvsp[-3].expr), make_num(p, (yylsp[-1]), (yyvsp[-1].num)));
	}
#line 3201 "translator/syntax/parse.c"
    break;

  case 185: /* optional_module: %empty  */
#line 637 "../translator/syntax/parse.y"
                                        { (yyval.token) = (struct token){ 0 }; }
#line 3207 "translator/syntax/parse.c"
    break;

  case 186: /* optional_module: ',' "literal string"  */
#line 638 "../translator/syntax/parse.y"
                                        { (yyval.token) = (yyvsp[0].token); }
#line 3213 "translator/syntax/parse.c"
    break;

  case 187: /* hist: "@hist_log" '(' expr ')'  */
#line 642 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_hist(p, (yyloc), (yyvsp[-1].expr), false, NULL); }
#line 3219 "translator/syntax/parse.c"
    break;

  case 188: /* hist: "@hist_linear" '(' expr ',' literal_number ',' literal_number ',' literal_number ')'  */
#line 643 "../translator/syntax/parse.y"
                                                                                               {
		const int64_t shape[3] = { (yyvsp[-5].num), (yyvsp[-3].num), (yyvsp[-1].num) };

		(yyval.expr) = make_hist(p, (yyloc), (yyvsp[-7].expr), true, shape);
	}
#line 3229 "translator/syntax/parse.c"
    break;

  case 189: /* print: "print" '(' exprs ')'  */
#line 651 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_print(p, (yyloc), &(yyvsp[-3].token), NULL, (yyvsp[-1].exprs)); }
#line 3235 "translator/syntax/parse.c"
    break;

  case 190: /* print: "println" '(' optional_exprs ')'  */
#line 652 "../translator/syntax/parse.y"
                                         { (yyval.expr) = make_print(p, (yyloc), &(yyvsp[-3].token), NULL, (yyvsp[-1].exprs)); }
#line 3241 "translator/syntax/parse.c"
    break;

  case 191: /* print: "printd" '(' "literal string" ',' exprs ')'  */
#line 653 "../translator/syntax/parse.y"
                                          { (yyval.expr) = make_print(p, (yyloc), &(yyvsp[-5].token), &(yyvsp[-3].token), (yyvsp[-1].exprs)); }
#line 3247 "translator/syntax/parse.c"
    break;

  case 192: /* print: "printf" '(' "literal string" ')'  */
#line 654 "../translator/syntax/parse.y"
                                        { (yyval.expr) = make_print(p, (yyloc), &(yyvsp[-3].token), &(yyvsp[-1].token), (struct exprs){ 0 }); }
#line 3253 "translator/syntax/parse.c"
    break;

  case 193: /* print: "printf" '(' "literal string" ',' exprs ')'  */
#line 655 "../translator/syntax/parse.y"
                                          { (yyval.expr) = make_print(p, (yyloc), &(yyvsp[-5].token), &(yyvsp[-3].token), (yyvsp[-1].exprs)); }
#line 3259 "translator/syntax/parse.c"
    break;

  case 194: /* print: "print_char" '(' expr ')'  */
#line 656 "../translator/syntax/parse.y"
                                        {
		(yyval.expr) = make_print(p, (yyloc), &(yyvsp[-3].token), NULL, exprs_add(p, (struct exprs){ 0 }, (yyvsp[-1].expr)));
	}
#line 3267 "translator/syntax/parse.c"
    break;


#line 3271 "translator/syntax/parse.c"

        default: break;
      }
    if (yychar_backup != yychar)
      YY_LAC_DISCARD ("yychar change");
  }
  /* User semantic actions sometimes alter yychar, and that requires
     that yytoken be updated with the new translation.  We take the
     approach of translating immediately before every use of yytoken.
     One alternative is translating here after every semantic action,
     but that translation would be missed if the semantic action invokes
     YYABORT, YYACCEPT, or YYERROR immediately after altering yychar or
     if it invokes YYBACKUP.  In the case of YYABORT or YYACCEPT, an
     incorrect destructor might then be invoked immediately.  In the
     case of YYERROR or YYBACKUP, subsequent parser actions might lead
     to an incorrect destructor call or verbose syntax error message
     before the lookahead is translated.  */
  YY_SYMBOL_PRINT ("-> $$ =", YY_CAST (yysymbol_kind_t, yyr1[yyn]), &yyval, &yyloc);

  YYPOPSTACK (yylen);
  yylen = 0;

  *++yyvsp = yyval;
  *++yylsp = yyloc;

  /* Now 'shift' the result of the reduction.  Determine what state
     that goes to, based on the state we popped back to and the rule
     number reduced by.  */
  {
    const int yylhs = yyr1[yyn] - YYNTOKENS;
    const int yyi = yypgoto[yylhs] + *yyssp;
    yystate = (0 <= yyi && yyi <= YYLAST && yycheck[yyi] == *yyssp
               ? yytable[yyi]
               : yydefgoto[yylhs]);
  }

  goto yynewstate;


/*--------------------------------------.
| yyerrlab -- here on detecting error.  |
`--------------------------------------*/
yyerrlab:
  /* Make sure we have latest lookahead translation.  See comments at
     user semantic actions for why this is necessary.  */
  yytoken = yychar == SPILE_SYNTAX_EMPTY ? YYSYMBOL_YYEMPTY : YYTRANSLATE (yychar);
  /* If not already recovering from an error, report this error.  */
  if (!yyerrstatus)
    {
      ++yynerrs;
      {
        yypcontext_t yyctx
          = {yyssp, yyesa, &yyes, &yyes_capacity, yytoken, &yylloc};
        if (yychar != SPILE_SYNTAX_EMPTY)
          YY_LAC_ESTABLISH;
        if (yyreport_syntax_error (&yyctx, p) == 2)
          YYNOMEM;
      }
    }

  yyerror_range[1] = yylloc;
  if (yyerrstatus == 3)
    {
      /* If just tried and failed to reuse lookahead token after an
         error, discard it.  */

      if (yychar <= END)
        {
          /* Return failure if at end of input.  */
          if (yychar == END)
            YYABORT;
        }
      else
        {
          yydestruct ("Error: discarding",
                      yytoken, &yylval, &yylloc, p);
          yychar = SPILE_SYNTAX_EMPTY;
        }
    }

  /* Else will try to reuse lookahead token after shifting the error
     token.  */
  goto yyerrlab1;


/*---------------------------------------------------.
| yyerrorlab -- error raised explicitly by YYERROR.  |
`---------------------------------------------------*/
yyerrorlab:
  /* Pacify compilers when the user code never invokes YYERROR and the
     label yyerrorlab therefore never appears in user code.  */
  if (0)
    YYERROR;
  ++yynerrs;

  /* Do not reclaim the symbols of the rule whose action triggered
     this YYERROR.  */
  YYPOPSTACK (yylen);
  yylen = 0;
  YY_STACK_PRINT (yyss, yyssp);
  yystate = *yyssp;
  goto yyerrlab1;


/*-------------------------------------------------------------.
| yyerrlab1 -- common code for both syntax error and YYERROR.  |
`-------------------------------------------------------------*/
yyerrlab1:
  yyerrstatus = 3;      /* Each real token shifted decrements this.  */

  /* Pop stack until we find a state that shifts the error token.  */
  for (;;)
    {
      yyn = yypact[yystate];
      if (!yypact_value_is_default (yyn))
        {
          yyn += YYSYMBOL_YYerror;
          if (0 <= yyn && yyn <= YYLAST && yycheck[yyn] == YYSYMBOL_YYerror)
            {
              yyn = yytable[yyn];
              if (0 < yyn)
                break;
            }
        }

      /* Pop the current state because it cannot handle the error token.  */
      if (yyssp == yyss)
        YYABORT;

      yyerror_range[1] = *yylsp;
      yydestruct ("Error: popping",
                  YY_ACCESSING_SYMBOL (yystate), yyvsp, yylsp, p);
      YYPOPSTACK (1);
      yystate = *yyssp;
      YY_STACK_PRINT (yyss, yyssp);
    }

  /* If the stack popping above didn't lose the initial context for the
     current lookahead token, the shift below will for sure.  */
  YY_LAC_DISCARD ("error recovery");

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END

  yyerror_range[2] = yylloc;
  ++yylsp;
  YYLLOC_DEFAULT (*yylsp, yyerror_range, 2);

  /* Shift the error token.  */
  YY_SYMBOL_PRINT ("Shifting", YY_ACCESSING_SYMBOL (yyn), yyvsp, yylsp);

  yystate = yyn;
  goto yynewstate;


/*-------------------------------------.
| yyacceptlab -- YYACCEPT comes here.  |
`-------------------------------------*/
yyacceptlab:
  yyresult = 0;
  goto yyreturnlab;


/*-----------------------------------.
| yyabortlab -- YYABORT comes here.  |
`-----------------------------------*/
yyabortlab:
  yyresult = 1;
  goto yyreturnlab;


/*-----------------------------------------------------------.
| yyexhaustedlab -- YYNOMEM (memory exhaustion) comes here.  |
`-----------------------------------------------------------*/
yyexhaustedlab:
  yyerror (&yylloc, p, YY_("memory exhausted"));
  yyresult = 2;
  goto yyreturnlab;


/*----------------------------------------------------------.
| yyreturnlab -- parsing is finished, clean up and return.  |
`----------------------------------------------------------*/
yyreturnlab:
  if (yychar != SPILE_SYNTAX_EMPTY)
    {
      /* Make sure we have latest lookahead translation.  See comments at
         user semantic actions for why this is necessary.  */
      yytoken = YYTRANSLATE (yychar);
      yydestruct ("Cleanup: discarding lookahead",
                  yytoken, &yylval, &yylloc, p);
    }
  /* Do not reclaim the symbols of the rule whose action triggered
     this YYABORT or YYACCEPT.  */
  YYPOPSTACK (yylen);
  YY_STACK_PRINT (yyss, yyssp);
  while (yyssp != yyss)
    {
      yydestruct ("Cleanup: popping",
                  YY_ACCESSING_SYMBOL (+*yyssp), yyvsp, yylsp, p);
      YYPOPSTACK (1);
    }
#ifndef yyoverflow
  if (yyss != yyssa)
    YYSTACK_FREE (yyss);
#endif
  if (yyes != yyesa)
    YYSTACK_FREE (yyes);

  return yyresult;
}

#line 661 "../translator/syntax/parse.y"


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

/* What is said where these tokens could have followed; the first row that fits counts. */
static const struct { const char *could, *and; const char *text; } expectations[] = {
	{ "probe", NULL, "expected 'probe', 'global', 'private', 'function', or '%{'" },
	{ "while", NULL, "expected statement" },
	{ "probe point component", NULL, "expected identifier or '*' or '{'" },
	{ "+=", "'{'", "expected one of ', { } = +='" },
	{ "'}'", "'!'", "expected one of ', { } = +='" },
	{ "number", "identifier", "expected literal string or number or other expression" },
	{ "number", NULL, "expected literal string or number" },
	{ "literal string", NULL, "expected literal string" },
	{ "identifier", NULL, "expected identifier" },
	{ "in", "'='", "expected 'in'" },
};

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

	if (p->last.kind == BAD)
		return 0;	/* told where it was found bad */
	x.n = yypcontext_expected_tokens(context, x.v, EXPECTED_MAX);
	if (x.n < 0)
		return x.n;
	for (size_t i = 0; !text && i < sizeof(expectations) / sizeof(*expectations); i++)
		if (could_follow(&x, expectations[i].could) &&
		    (!expectations[i].and || could_follow(&x, expectations[i].and)))
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
	p.pp.own = macros_own(a);
	p.pp.lexer = lexer_new(a, env, source);
	yyparse(&p);
	lexer_free(p.pp.lexer);
	if (!p.seen_any && !is_library && !diag_errors(d))
		diag_error(d, NO_SPAN, TAG_EMPTY, "Input file '%s' is empty after preprocessing.", source->name);
	return s;
}
