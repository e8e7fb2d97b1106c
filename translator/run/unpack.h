/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompression by the machine's own tools, chosen by the data's first bytes.  Inner header of run/. */
#ifndef SPILE_UNPACK_H
#define SPILE_UNPACK_H

#include <stddef.h>

struct packing {
	const char *tool;	/* reads standard input with -dc; its package has the same name unless said */
	const char *package;
	size_t trailer;		/* bytes a kernel image adds behind (the unpacked size); 0 where the format has it */
};

/* The packing of @data by its first bytes; NULL: none known. */
const struct packing *packing_of(const void *data, size_t len);

/*
 * Unpacks @data (@len bytes) into the open file @out.  0; -ENOENT: the tool is not installed; -EIO: it failed.
 */
int unpack(const struct packing *packing, const void *data, size_t len, int out);

#endif
