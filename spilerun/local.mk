# SPDX-License-Identifier: GPL-2.0-or-later
# spilerun: loads, attaches, prints, cleans up.  The kernel back end adds kernel*.c and -DSPILERUN_KERNEL.
bin_PROGRAMS += spilerun/spilerun
spilerun_spilerun_SOURCES = \
	spilerun/main.c spilerun/spilerun.h spilerun/command.c spilerun/merge.c spilerun/output.c \
	spilerun/user/backend.c
spilerun_spilerun_CPPFLAGS = $(AM_CPPFLAGS)
spilerun_spilerun_LDADD = $(ZYDIS_LIBS)
