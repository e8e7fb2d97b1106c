# SPDX-License-Identifier: GPL-2.0-or-later
# spilerun: loads, attaches, prints, cleans up.
bin_PROGRAMS += spilerun/spilerun
spilerun_spilerun_SOURCES = \
	spilerun/main.c spilerun/spilerun.h spilerun/options.c spilerun/command.c spilerun/merge.c \
	spilerun/output.c spilerun/bulk.h spilerun/message.c \
	spilerun/kernel.c spilerun/module.c translator/build/modname.c translator/build/modname.h \
	spilerun/user/backend.c spilerun/user/user.h spilerun/user/files.c \
	spilerun/user/follow.c spilerun/user/follow.h \
	spilerun/user/image.c spilerun/user/insn.c spilerun/user/maps.c spilerun/user/names.c \
	spilerun/user/object.c spilerun/user/object.h spilerun/user/plan.c spilerun/user/plan.h \
	spilerun/user/planner.h \
	spilerun/user/process.c spilerun/user/redirect.c spilerun/user/remote.c spilerun/user/remote.h \
	spilerun/user/stub.c spilerun/user/stub.h spilerun/user/targets.c spilerun/user/targets.h
spilerun_spilerun_CPPFLAGS = $(AM_CPPFLAGS) -DSPILERUN_KERNEL
spilerun_spilerun_LDADD = $(ZYDIS_LIBS)

# Joins the files of bulk mode.
bin_PROGRAMS += spilerun/spile-merge
spilerun_spile_merge_SOURCES = spilerun/join.c spilerun/bulk.h

# The far end of --remote.
bin_PROGRAMS += spilerun/spilesh
spilerun_spilesh_SOURCES = spilerun/shell.c
