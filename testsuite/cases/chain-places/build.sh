# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -fomit-frame-pointer prog.c -o prog
gcc -g -O0 -fno-omit-frame-pointer prog.c -o plain
gcc -g -O2 -static prog.c -o static
