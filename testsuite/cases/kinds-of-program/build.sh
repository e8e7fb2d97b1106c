# SPDX-License-Identifier: GPL-2.0-or-later
set -e
gcc -g -O2 prog.c -o prog
gcc -g -O2 -no-pie -fno-pie prog.c -o no-pie
gcc -g -O2 -static prog.c -o static
gcc -g -O2 -static-pie prog.c -o static-pie
gcc -g -O2 -fcf-protection=full prog.c -o landing-pads
clang -g -O2 prog.c -o by-clang
clang -g -O0 -gdwarf-4 prog.c -o by-clang-unoptimised
gcc -g -O0 prog.c -o unoptimised
