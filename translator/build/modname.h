/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name inside a built module.  It stands in two places, where the kernel's loader looks: the module's own struct, and
 * "name=" of the information section.  Built with a place holder of full length, a module takes any name in its place,
 * padded with NULs, and another one later.  No dependencies: spilerun uses it too.
 */
#ifndef SPILE_MODNAME_H
#define SPILE_MODNAME_H

#include <stddef.h>

/* The longest name there is: MODULE_NAME_LEN - 1 of 64-bit kernels. */
#define MODNAME_MAX 55
#define MODNAME_PLACE_HOLDER "spile_place_holder_as_long_as_a_module_name_can_ever_be"
_Static_assert(sizeof(MODNAME_PLACE_HOLDER) - 1 == MODNAME_MAX, "the place holder is as long as a name can be");

/* The name of the module @image (an ELF file of @size bytes), inside it; NULL: no module. */
const char *modname_get(const void *image, size_t size);
/* Gives it the name @name.  Returns 0; -1 where it is no module or the name does not fit. */
int modname_set(void *image, size_t size, const char *name);

#endif
