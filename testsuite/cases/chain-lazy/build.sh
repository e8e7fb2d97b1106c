# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -shared -fPIC lib.c -o liblazy.so && gcc -g -O2 -fcf-protection=none prog.c -o prog -Wl,-z,lazy -L. -llazy -Wl,-rpath,"$PWD"
