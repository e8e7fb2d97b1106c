# SPDX-License-Identifier: GPL-2.0-or-later
for level in 0 1 2; do gcc -g -O$level prog.c -o prog-gcc$level; clang -g -O$level prog.c -o prog-clang$level; done
