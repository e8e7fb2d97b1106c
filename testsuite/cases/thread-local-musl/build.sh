# SPDX-License-Identifier: GPL-2.0-or-later
musl-gcc -g -O2 -shared -fPIC lib.c -o liblate.so && musl-gcc -g -O2 prog.c -o prog
