/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's initramfs: our first process and the kernel modules it needs to reach the host.  Inner header of run/. */
#ifndef SPILE_INITRAMFS_H
#define SPILE_INITRAMFS_H

#include "run/kernels.h"
#include "support/diag.h"

/*
 * Makes an initramfs for @kernel with the program at @guest_init as /init.
 * Returns a memory file's descriptor, close-on-exec; -1 after a message through @d.
 */
int initramfs_make(const struct kernel_tree *kernel, const char *guest_init, struct diag *d);

#endif
