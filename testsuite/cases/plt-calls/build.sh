# SPDX-License-Identifier: GPL-2.0-or-later
set -e
gcc -O2 -fPIC -shared -Wl,-z,lazy lib.c -o libcalls.so
gcc -O2 -fcf-protection=none -Wl,-z,lazy prog.c -o prog -L. -lcalls -Wl,-rpath,"$PWD"
gcc -O2 -fcf-protection=none -Wl,-z,now prog.c -o prog-now -L. -lcalls -Wl,-rpath,"$PWD"
gcc -O2 -fcf-protection=full -Wl,-z,lazy -Wl,-z,ibtplt prog.c -o prog-ibt -L. -lcalls -Wl,-rpath,"$PWD"
gcc -O2 -fcf-protection=full -Wl,-z,now -Wl,-z,ibtplt -no-pie prog.c -o prog-ibt-now -L. -lcalls -Wl,-rpath,"$PWD"
