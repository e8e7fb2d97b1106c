/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the kernel that a script is for without loading anything: its configuration. */
#ifndef SPILE_KERNEL_CONFIG_H
#define SPILE_KERNEL_CONFIG_H

#include "support/arena.h"

/* Whose configuration kernel_config() looks into: @release of a kernel, or a build tree's path.  Nothing is read yet. */
void kernel_config_of(struct arena *a, const char *release);

/*
 * The value of CONFIG_@name as the kernel's .config has it: y, m, a number, text with its quotes.  NULL where unset, and
 * where there is no configuration to be found.  Read at the first call: the build tree's .config, else /boot/config-RELEASE.
 */
const char *kernel_config(const char *name);

#endif
