# SPDX-License-Identifier: GPL-2.0-or-later
# DejaGnu drives every test: each folder spile.NAME has a .exp that runs unit programs, golden pairs, cases or
# real targets.  `make check RUNTESTFLAGS=cases.exp=c01*' runs a part.
DEJATOOL = spile
RUNTESTDEFAULTFLAGS = --tool $$tool --srcdir $(abs_srcdir)/testsuite
EXTRA_DIST += testsuite/config testsuite/lib testsuite/spile.unit testsuite/spile.golden testsuite/spile.cases testsuite/spile.run \
	testsuite/spile.real testsuite/spile.target testsuite/target testsuite/real testsuite/language testsuite/embedded testsuite/cases testsuite/elaborate
# What is built is beside these, and a whole folder would come with it.
EXTRA_DIST += testsuite/kernel/guest-init testsuite/kernel/leave-guest testsuite/kernel/run-tests testsuite/kernel/scripts \
	testsuite/kernel/targets.c testsuite/kernel/throw.cc
EXTRA_DIST += testsuite/spile.kernel testsuite/spile.options testsuite/options
EXTRA_DIST += testsuite/spile.library testsuite/library testsuite/spile.peer testsuite/peer
EXTRA_DIST += testsuite/spile.rules testsuite/spile.marks testsuite/marks testsuite/spile.names testsuite/names
include $(srcdir)/testsuite/unit/local.mk
include $(srcdir)/testsuite/fuzz/local.mk

# Modules from scripts written by hand: testsuite/kernel/run-tests.
check_PROGRAMS += testsuite/kernel/build-module
testsuite_kernel_build_module_SOURCES = testsuite/kernel/build-module.c
testsuite_kernel_build_module_LDADD = $(libspile_libs)
