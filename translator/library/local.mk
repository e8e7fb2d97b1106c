# SPDX-License-Identifier: GPL-2.0-or-later
translator_libspile_a_SOURCES += translator/library/library.c translator/library/library.h \
	translator/library/index.c translator/library/index.h translator/library/search.c
