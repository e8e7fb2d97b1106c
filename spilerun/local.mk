# SPDX-License-Identifier: GPL-2.0-or-later
# spilerun: loads, attaches, prints, cleans up.
bin_PROGRAMS += spilerun/spilerun
spilerun_spilerun_SOURCES = \
	spilerun/main.c spilerun/spilerun.h spilerun/command.c spilerun/merge.c spilerun/output.c \
	spilerun/kernel.c translator/build/modname.c translator/build/modname.h \
	spilerun/user/backend.c
spilerun_spilerun_CPPFLAGS = $(AM_CPPFLAGS) -DSPILERUN_KERNEL
spilerun_spilerun_LDADD = $(ZYDIS_LIBS)
