# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -shared -fPIC lib.c -o liblate.so && gcc -g -O2 prog.c -o prog -ldl && strip prog
