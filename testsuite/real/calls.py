# SPDX-License-Identifier: GPL-2.0-or-later
def inner(n):
    return n * 2


def outer():
    return inner(1) + inner(2)


outer()
