# SPDX-License-Identifier: GPL-2.0-or-later
g++ -g -O1 -fno-optimize-sibling-calls prog.cc -o prog
