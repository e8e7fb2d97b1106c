# SPDX-License-Identifier: GPL-2.0-or-later
translator_libspile_a_SOURCES += translator/debuginfo/debuginfo.h \
	translator/debuginfo/loc_ops.def translator/debuginfo/ctype_kinds.def
