# SPDX-License-Identifier: GPL-2.0-or-later
# What programs need to carry marks: a header, and the program that makes headers and objects from descriptions of marks.
# The header goes into a folder of its own, since SystemTap's has the same name: -I$(includedir)/spile.
sdtdir = $(pkgincludedir)/sys
sdt_HEADERS = marks/sys/sdt.h

bin_PROGRAMS += marks/spile-dtrace
marks_spile_dtrace_SOURCES = marks/dtrace.c marks/generate.c marks/provider.c marks/provider.h
marks_spile_dtrace_CPPFLAGS = $(AM_CPPFLAGS)
marks_spile_dtrace_LDADD = translator/libspile.a
