/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of bulk mode: records, each behind this header, in the byte order of the machine.  spile-merge joins them. */
#ifndef SPILERUN_BULK_H
#define SPILERUN_BULK_H

#include <stdint.h>

#define BULK_MAGIC 0x626c7073u		/* "splb" */

struct bulk_header {
	uint32_t magic;
	uint32_t len;			/* bytes of text that follow */
	uint64_t seq;			/* place in the order of all files of one run */
};
_Static_assert(sizeof(struct bulk_header) == 16, "files are read by another program");

#endif
