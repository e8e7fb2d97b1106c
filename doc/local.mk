# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += doc/HACKING doc/kernel.md doc/vm.md doc/dependencies doc/benchmarks doc/regular-expressions.md doc/examples doc/call-chains.md
EXTRA_DIST += doc/library-differences
EXTRA_DIST += doc/differences doc/running.md

# What --example looks through.
examplesdir = $(pkgdatadir)/examples
examples_DATA = $(srcdir)/doc/examples/family.py $(srcdir)/doc/examples/python-calls.stp \
	$(srcdir)/doc/examples/sample.c $(srcdir)/doc/examples/sample.stp

# The manual page and the completion are the option table, printed by the program itself.
man1_MANS = doc/spile.1
completionsdir = $(datadir)/bash-completion/completions
completions_DATA = doc/completions/spile
CLEANFILES += doc/spile.1 doc/completions/spile

doc/spile.1: translator/spile$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc && SPILE_DIR=/nonexistent translator/spile$(EXEEXT) --print=manual > $@.new && mv $@.new $@

doc/completions/spile: translator/spile$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc/completions && SPILE_DIR=/nonexistent translator/spile$(EXEEXT) --print=completion > $@.new && mv $@.new $@
