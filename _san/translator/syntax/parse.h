/* A Bison parser, made by GNU Bison 3.8.2.  */

/* Bison interface for Yacc-like parsers in C

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

/* DO NOT RELY ON FEATURES THAT ARE NOT DOCUMENTED in the manual,
   especially those whose name start with YY_ or yy_.  They are
   private implementation details that can be changed or removed.  */

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

#line 61 "translator/syntax/parse.h"

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

#line 232 "translator/syntax/parse.h"

};
typedef union SPILE_SYNTAX_STYPE SPILE_SYNTAX_STYPE;
# define SPILE_SYNTAX_STYPE_IS_TRIVIAL 1
# define SPILE_SYNTAX_STYPE_IS_DECLARED 1
#endif

/* Location type.  */
typedef struct span SPILE_SYNTAX_LTYPE;




int spile_syntax_parse (struct parser *p);


#endif /* !YY_SPILE_SYNTAX_TRANSLATOR_SYNTAX_PARSE_H_INCLUDED  */
