# SPDX-License-Identifier: GPL-2.0-or-later
g++ -g -O2 prog.cc -o prog
