# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O1 prog.c -o prog
