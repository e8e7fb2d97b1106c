# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += doc/HACKING doc/kernel.md doc/vm.md doc/dependencies doc/benchmarks doc/examples
