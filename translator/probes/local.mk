# SPDX-License-Identifier: GPL-2.0-or-later
# One file for each family of probe points, and what they share.
translator_libspile_a_SOURCES += translator/probes/probes.h translator/probes/providers.def \
	translator/probes/begin.c \
	translator/probes/callees.c translator/probes/callees.h \
	translator/probes/exits.c translator/probes/exits.h \
	translator/probes/function.c \
	translator/probes/match.c \
	translator/probes/module.c \
	translator/probes/plt.c \
	translator/probes/pretty.c \
	translator/probes/process.c translator/probes/process.h \
	translator/probes/sdt.c \
	translator/probes/target.c translator/probes/target.h \
	translator/probes/timer.c
