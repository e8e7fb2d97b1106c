# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests: one program for each file under test, run by testsuite/spile.unit.  core/ is linked in whole, over a
# small platform of its own.
include $(srcdir)/testsuite/unit/debuginfo.mk

core_tests = \
	testsuite/unit/t-condition \
	testsuite/unit/t-control \
	testsuite/unit/t-counted \
	testsuite/unit/t-ctime \
	testsuite/unit/t-entry \
	testsuite/unit/t-float \
	testsuite/unit/t-format \
	testsuite/unit/t-kill \
	testsuite/unit/t-lanes \
	testsuite/unit/t-lock \
	testsuite/unit/t-map \
	testsuite/unit/t-overload \
	testsuite/unit/t-ring \
	testsuite/unit/t-stat \
	testsuite/unit/t-store \
	testsuite/unit/t-string \
	testsuite/unit/t-timing \
	testsuite/unit/t-unwind
check_PROGRAMS += $(core_tests)
check_LIBRARIES = testsuite/unit/libcore.a
testsuite_unit_libcore_a_SOURCES = $(core_sources) $(core_headers) testsuite/unit/host-platform.c \
	testsuite/unit/host-platform.h testsuite/unit/check.h
testsuite_unit_t_condition_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_control_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_counted_LDADD = testsuite/unit/libcore.a -lpthread
testsuite_unit_t_ctime_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_entry_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_float_LDADD = testsuite/unit/libcore.a -lm
testsuite_unit_t_format_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_kill_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_lanes_LDADD = testsuite/unit/libcore.a -lpthread
testsuite_unit_t_lock_LDADD = testsuite/unit/libcore.a -lpthread
testsuite_unit_t_map_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_overload_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_ring_LDADD = testsuite/unit/libcore.a -lpthread
testsuite_unit_t_stat_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_store_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_string_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_timing_LDADD = testsuite/unit/libcore.a
testsuite_unit_t_unwind_LDADD = testsuite/unit/libcore.a

# Guests: a tool that runs a command in one, and the checks that drive it.
check_PROGRAMS += testsuite/unit/vm-run testsuite/unit/t-vm
testsuite_unit_vm_run_SOURCES = testsuite/unit/vm-run.c
testsuite_unit_vm_run_LDADD = $(libspile_libs)
testsuite_unit_vm_run_CPPFLAGS = $(AM_CPPFLAGS) \
	-DVM_GUEST_INIT='"$(abs_top_builddir)/translator/run/guest/spile-guest-init"' \
	-DVM_FETCHER='"$(abs_top_srcdir)/translator/run/fetch-kernel"'
testsuite_unit_t_vm_SOURCES = testsuite/unit/t-vm.c testsuite/unit/check.h
testsuite_unit_t_vm_CPPFLAGS = $(AM_CPPFLAGS) -DVM_RUN='"$(abs_top_builddir)/testsuite/unit/vm-run"'

check_SCRIPTS = testsuite/unit/t-freestanding
EXTRA_DIST += testsuite/unit/t-freestanding.sh
CLEANFILES += testsuite/unit/t-freestanding
testsuite/unit/t-freestanding: testsuite/unit/t-freestanding.sh
	$(AM_V_GEN)mkdir -p testsuite/unit && \
	sed 's|@srcdir[@]|$(abs_srcdir)|' $(srcdir)/testsuite/unit/t-freestanding.sh > $@ && chmod +x $@

# Golden scripts of testsuite/syntax, and the distribution's tapset.
check_PROGRAMS += testsuite/unit/t-syntax
testsuite_unit_t_syntax_SOURCES = testsuite/unit/t-syntax.c testsuite/unit/check.h testsuite/unit/script-text.h
testsuite_unit_t_syntax_CPPFLAGS = $(AM_CPPFLAGS) -DTESTSUITE='"$(abs_srcdir)/testsuite"'
testsuite_unit_t_syntax_LDADD = $(libspile_libs)
EXTRA_DIST += testsuite/syntax

check_PROGRAMS += testsuite/unit/t-support
testsuite_unit_t_support_SOURCES = testsuite/unit/t-support.c testsuite/unit/check.h
testsuite_unit_t_support_LDADD = $(libspile_libs)

# The translator's automata, walked by core/.
check_PROGRAMS += testsuite/unit/t-regex
testsuite_unit_t_regex_SOURCES = testsuite/unit/t-regex.c testsuite/unit/check.h
testsuite_unit_t_regex_LDADD = testsuite/unit/libcore.a $(libspile_libs)

# The pieces of building a module that need no kernel tree.
check_PROGRAMS += testsuite/unit/t-modname testsuite/unit/t-saved-cmd testsuite/unit/t-cache
testsuite_unit_t_cache_SOURCES = testsuite/unit/t-cache.c testsuite/unit/check.h
testsuite_unit_t_cache_LDADD = translator/libspile.a
testsuite_unit_t_modname_SOURCES = testsuite/unit/t-modname.c testsuite/unit/check.h
testsuite_unit_t_modname_LDADD = translator/libspile.a
testsuite_unit_t_saved_cmd_SOURCES = testsuite/unit/t-saved-cmd.c testsuite/unit/check.h
testsuite_unit_t_saved_cmd_LDADD = translator/libspile.a
check_PROGRAMS += testsuite/unit/t-exits
testsuite_unit_t_exits_SOURCES = testsuite/unit/t-exits.c testsuite/unit/check.h
testsuite_unit_t_exits_LDADD = $(libspile_libs)

check_SCRIPTS += testsuite/unit/t-emit
EXTRA_DIST += testsuite/unit/t-emit.sh testsuite/unit/run-script.c testsuite/emit
CLEANFILES += testsuite/unit/t-emit
testsuite/unit/t-emit: testsuite/unit/t-emit.sh testsuite/unit/libcore.a
	$(AM_V_GEN)mkdir -p testsuite/unit && \
	sed 's|@srcdir[@]|$(abs_srcdir)|g; s|@builddir[@]|$(abs_builddir)|g; s|@sanflags[@]|$(SAN_CFLAGS)|' \
		$(srcdir)/testsuite/unit/t-emit.sh > $@ && chmod +x $@

# Parts of spilerun: rings merged; windows planned and stubs run, by a program that patches itself.
check_PROGRAMS += testsuite/unit/t-merge testsuite/unit/t-plan
testsuite_unit_t_merge_SOURCES = testsuite/unit/t-merge.c testsuite/unit/check.h spilerun/merge.c spilerun/spilerun.h
testsuite_unit_t_plan_SOURCES = testsuite/unit/t-plan.c testsuite/unit/check.h \
	spilerun/user/insn.c spilerun/user/object.c spilerun/user/plan.c spilerun/user/redirect.c \
	spilerun/user/stub.c spilerun/user/targets.c
testsuite_unit_t_plan_LDADD = $(ZYDIS_LIBS)
EXTRA_DIST += testsuite/user/make-script.py
