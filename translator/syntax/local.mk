# SPDX-License-Identifier: GPL-2.0-or-later
# Text to tree and back.
AM_YFLAGS = -d -Wno-yacc
BUILT_SOURCES += translator/syntax/parse.h
translator_libspile_a_SOURCES += \
	translator/syntax/ast.h translator/syntax/exprs.def translator/syntax/stmts.def \
	translator/syntax/parser.h translator/syntax/syntax.h \
	translator/syntax/build.c translator/syntax/copy.c translator/syntax/format.c \
	translator/syntax/lex.l translator/syntax/macro.c translator/syntax/parse.y \
	translator/syntax/points.c translator/syntax/preprocess.c translator/syntax/print.c \
	translator/syntax/tokens.c translator/syntax/version.c translator/syntax/version.h \
	translator/syntax/walk.c
# Whoever includes the generated header waits for it, also where only one program is asked for.
translator/syntax/build.$(OBJEXT) translator/syntax/lex.$(OBJEXT) translator/syntax/macro.$(OBJEXT) \
translator/syntax/points.$(OBJEXT) translator/syntax/preprocess.$(OBJEXT) \
translator/syntax/tokens.$(OBJEXT): translator/syntax/parse.h
