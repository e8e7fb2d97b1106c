# SPDX-License-Identifier: GPL-2.0-or-later
# Resolved program to C.
translator_libspile_a_SOURCES += translator/emit/emit.h translator/emit/inner.h \
	translator/emit/codemap.c translator/emit/depth.c translator/emit/effects.c translator/emit/embedded.c translator/emit/emit.c translator/emit/expr.c translator/emit/fetch.c \
	translator/emit/place.c translator/emit/print.c translator/emit/regex.c translator/emit/room.c translator/emit/stable.c translator/emit/stmt.c translator/emit/tables.c \
	translator/emit/timing.c
