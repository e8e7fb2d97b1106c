# SPDX-License-Identifier: GPL-2.0-or-later
set -e
gcc -g -O2 -fPIC -c prog.c -o prog.o
gcc -g -O2 -fno-pic -c other.c -o other.o
gcc -no-pie prog.o other.o -o prog
gcc -g -O2 -fPIE -c other.c -o other-pie.o
gcc -pie prog.o other-pie.o -o prog-pie
