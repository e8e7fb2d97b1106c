# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of translator/debuginfo: they compile the fixtures when they run and read them with the room's own door.
debuginfo_tests = \
	testsuite/unit/t-function \
	testsuite/unit/t-mark \
	testsuite/unit/t-names \
	testsuite/unit/t-object \
	testsuite/unit/t-spec \
	testsuite/unit/t-target
check_PROGRAMS += $(debuginfo_tests)
EXTRA_DIST += testsuite/unit/fixtures
debuginfo_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/testsuite/unit -DFIXTURES='"$(abs_srcdir)/testsuite/unit/fixtures"'
testsuite_unit_t_function_SOURCES = testsuite/unit/t-function.c \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_function_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_function_LDADD = $(libspile_libs)
testsuite_unit_t_mark_SOURCES = testsuite/unit/t-mark.c \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_mark_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_mark_LDADD = $(libspile_libs)
testsuite_unit_t_names_SOURCES = testsuite/unit/t-names.c \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_names_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_names_CFLAGS = $(AM_CFLAGS) -Wno-format-nonliteral
testsuite_unit_t_names_LDADD = $(libspile_libs)
testsuite_unit_t_object_SOURCES = testsuite/unit/t-object.c \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_object_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_object_LDADD = $(libspile_libs)
testsuite_unit_t_spec_SOURCES = testsuite/unit/t-spec.c \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_spec_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_spec_LDADD = $(libspile_libs)
testsuite_unit_t_target_SOURCES = testsuite/unit/t-target.c testsuite/unit/inferior.c testsuite/unit/inferior.h \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_target_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_target_LDADD = $(libspile_libs)
