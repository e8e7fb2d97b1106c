# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzzing, in a build of its own (testsuite/fuzz/run).
EXTRA_DIST += testsuite/fuzz/run testsuite/fuzz/script.dict testsuite/fuzz/target.c
EXTRA_PROGRAMS = testsuite/fuzz/fuzz-script testsuite/fuzz/fuzz-elf
testsuite_fuzz_fuzz_script_SOURCES = testsuite/fuzz/fuzz-script.c testsuite/unit/script-text.h
testsuite_fuzz_fuzz_script_LDADD = $(libspile_libs)
testsuite_fuzz_fuzz_script_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

testsuite_fuzz_fuzz_elf_SOURCES = testsuite/fuzz/fuzz-elf.c
testsuite_fuzz_fuzz_elf_LDADD = $(libspile_libs)
testsuite_fuzz_fuzz_elf_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

.PHONY: fuzz-smoke
fuzz-smoke:
	$(srcdir)/testsuite/fuzz/run -s 60 -d fuzz
