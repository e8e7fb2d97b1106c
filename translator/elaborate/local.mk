# SPDX-License-Identifier: GPL-2.0-or-later
translator_libspile_a_SOURCES += \
	translator/elaborate/autoprint.c translator/elaborate/bind.c translator/elaborate/check.c translator/elaborate/copies.c \
	translator/elaborate/ctypes.c translator/elaborate/ctypes.h \
	translator/elaborate/derive.c translator/elaborate/effects.c translator/elaborate/elaborate.h \
	translator/elaborate/dump.c translator/elaborate/dump.h \
	translator/elaborate/lines.c translator/elaborate/lines.h \
	translator/elaborate/fold.c translator/elaborate/list.c translator/elaborate/list.h \
	translator/elaborate/outside.c translator/elaborate/patterns.c \
	translator/elaborate/locks.c translator/elaborate/program.c translator/elaborate/sections.c translator/elaborate/program.h \
	translator/elaborate/privilege.c translator/elaborate/prune.c translator/elaborate/sites.c \
	translator/elaborate/texts.c translator/elaborate/texts.h translator/elaborate/types.c \
	translator/elaborate/walk.c
