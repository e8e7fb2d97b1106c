# SPDX-License-Identifier: GPL-2.0-or-later
musl-gcc -g -O2 prog.c -o prog && musl-gcc -g -O2 -static prog.c -o static
