# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O1 -fno-optimize-sibling-calls prog.c -o prog
