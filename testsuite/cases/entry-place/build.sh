# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O0 prog.c -o plain && gcc -g -O2 prog.c -o fast && gcc -g -O2 -fno-var-tracking prog.c -o listless
