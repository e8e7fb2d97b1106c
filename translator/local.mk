# SPDX-License-Identifier: GPL-2.0-or-later
# The translator: one convenience library of all rooms, so that unit tests link what they test, and the program.
noinst_LIBRARIES += translator/libspile.a
translator_libspile_a_SOURCES = translator/workdir.c translator/workdir.h
noinst_PROGRAMS =
libspile_libs = translator/libspile.a $(DW_LIBS) $(ELF_LIBS) $(ZYDIS_LIBS) -lpthread

include $(srcdir)/translator/support/local.mk
include $(srcdir)/translator/syntax/local.mk
include $(srcdir)/translator/regex/local.mk
include $(srcdir)/translator/library/local.mk
include $(srcdir)/translator/elaborate/local.mk
include $(srcdir)/translator/probes/local.mk
include $(srcdir)/translator/debuginfo/local.mk
include $(srcdir)/translator/emit/local.mk
include $(srcdir)/translator/build/local.mk
include $(srcdir)/translator/run/local.mk

bin_PROGRAMS += translator/spile
translator_spile_SOURCES = translator/main.c translator/options.c translator/options.h \
	translator/option-table.h translator/option-text.c translator/command-line.c translator/session.h \
	translator/layout.c translator/layout.h translator/kernel_config.c translator/kernel_config.h \
	translator/example.c translator/example.h
translator_spile_LDADD = $(libspile_libs)
