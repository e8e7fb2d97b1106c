// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * References to what the compiler calls on its own.
 *
 * A script's unit is linked to a runtime whose table of symbol versions is already made, and the loader takes no symbol that
 * is not in it.  The script calls nothing but the runtime; these are what gcc may add to it.
 */
#include <linux/module.h>
#include <linux/string.h>

#undef memcpy
#undef memset
#undef memmove
#undef memcmp

extern void __stack_chk_fail(void);
extern const void *const sp_anchors[];

const void *const sp_anchors[] = {
	memcpy, memset, memmove, memcmp, __stack_chk_fail,
};
