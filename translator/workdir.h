/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The temporary directory of one run: there from pass 3 on, gone on every way out. */
#ifndef SPILE_WORKDIR_H
#define SPILE_WORKDIR_H

#include <stdbool.h>

/*
 * Makes it, below TMPDIR; NULL with errno set.  @own: instead a folder that the user chose, made where it is missing, which
 * is never removed.  From now on a signal that ends the program removes it first.
 */
const char *workdir_make(const char *own);
/* Removes it (or leaves it, @keep); harmless where there is none. */
void workdir_remove(bool keep);
/* The path, or NULL. */
const char *workdir_path(void);

#endif
