# SPDX-License-Identifier: GPL-2.0-or-later
# Regular expressions to automata.
translator_libspile_a_SOURCES += translator/regex/regex.h translator/regex/inner.h \
	translator/regex/dfa.c translator/regex/nfa.c translator/regex/parse.c translator/regex/regex.c translator/regex/tagged.c
