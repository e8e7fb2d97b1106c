# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -pthread prog.c -o prog
