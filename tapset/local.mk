# SPDX-License-Identifier: GPL-2.0-or-later
# The library: functions and macros in the script language, or in C over runtime/spile.h alone.
tapsetdir = $(pkgdatadir)/tapset
dist_tapset_DATA = \
	tapset/ansi.stp \
	tapset/argv.stp \
	tapset/context.stp \
	tapset/errno.stp \
	tapset/float.stp \
	tapset/indent.stp \
	tapset/macros.stpm \
	tapset/regex.stp \
	tapset/registers.stp \
	tapset/session.stp \
	tapset/stopwatch.stp \
	tapset/string.stp \
	tapset/time.stp \
	tapset/user_memory.stp \
	tapset/ustack.stp
