/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the installation is, and which of the two runtimes this machine can carry. */
#ifndef SPILE_LAYOUT_H
#define SPILE_LAYOUT_H

#include "session.h"
#include "support/arena.h"
#include "support/strbuf.h"

/*
 * From SPILE_SOURCE_DIR and SPILE_BUILD_DIR where the uninstalled wrapper set them, else from where the
 * program itself stands (PREFIX/bin/spile: PREFIX/share/spile, PREFIX/lib/spile).  In @a.
 */
struct layout *layout_find(struct arena *a);

/*
 * kernel_lacks - what stands in the way of the kernel runtime here, as "a; b; c" appended to @why.
 * @release: of the kernel to build for, or a build tree when it starts with '/'.  @last_pass below 5: nothing is loaded.
 * Returns: true where something is missing.
 */
bool kernel_lacks(const char *release, int last_pass, struct strbuf *why);

#endif
