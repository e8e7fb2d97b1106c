# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -fomit-frame-pointer prog.c -o prog
