# SPDX-License-Identifier: GPL-2.0-or-later
gcc -g -O2 -shared -fPIC -ftls-model=initial-exec -DNAME=early lib.c -o libearly.so &&
gcc -g -O2 -shared -fPIC -DNAME=late lib.c -o liblate.so &&
gcc -g -O2 prog.c -o prog libearly.so -Wl,-rpath,'$ORIGIN' -ldl -lpthread
