# SPDX-License-Identifier: GPL-2.0-or-later
"""A small program with a call tree worth looking at."""
import sys

# CPython 3.11 passes its function__entry mark only while a profile function is set; this one does nothing.
sys.setprofile("".format)


def leaf(n):
    return n + 1


def branch(n):
    return leaf(n) + leaf(n * 2)


def trunk():
    return branch(1) + branch(10)


print("fruit:", trunk())
