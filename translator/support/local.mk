# SPDX-License-Identifier: GPL-2.0-or-later
# Arenas, spans, messages, strings: knows nothing of probes.
translator_libspile_a_SOURCES += \
	translator/support/arena.c translator/support/arena.h \
	translator/support/diag.c translator/support/diag.h translator/support/tags.def \
	translator/support/file.c translator/support/file.h \
	translator/support/setting.c translator/support/setting.h \
	translator/support/similar.c translator/support/similar.h \
	translator/support/span.c translator/support/span.h \
	translator/support/strbuf.c translator/support/strbuf.h
