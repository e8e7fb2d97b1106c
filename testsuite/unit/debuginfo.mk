# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of translator/debuginfo: they compile the fixtures when they run and read them with the room's own door.
debuginfo_tests = \
	testsuite/unit/t-target
check_PROGRAMS += $(debuginfo_tests)
EXTRA_DIST += testsuite/unit/fixtures
debuginfo_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/testsuite/unit -DFIXTURES='"$(abs_srcdir)/testsuite/unit/fixtures"'
testsuite_unit_t_target_SOURCES = testsuite/unit/t-target.c testsuite/unit/inferior.c testsuite/unit/inferior.h \
	testsuite/unit/compile.h testsuite/unit/check.h
testsuite_unit_t_target_CPPFLAGS = $(debuginfo_cppflags)
testsuite_unit_t_target_LDADD = $(libspile_libs)
