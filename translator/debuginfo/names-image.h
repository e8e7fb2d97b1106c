/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names-image.h - an index as it lies in a file: what names-make.c makes and names.c reads. */
#ifndef SPILE_NAMES_IMAGE_H
#define SPILE_NAMES_IMAGE_H

#include "debuginfo/names.h"

/* The number is that of the format: it changes when what is kept does, or which units it is kept of. */
#define IMAGE_MAGIC "spidx 1"

/* What the index is of. */
struct image_key {
	uint64_t info_size;		/* of .debug_info, inflated */
	uint64_t file_size, mtime_ns, inode;	/* of the debug file */
};

struct name_row {
	uint32_t text;			/* offset of the name */
	uint32_t units;			/* offset of the list of its units */
};

struct image {
	char magic[8];
	uint64_t sum;			/* of all that follows */
	uint64_t size;			/* of all of it, a multiple of 8; the last byte is 0 */
	struct image_key key;
	uint64_t slots, names, covers, units;	/* offsets of the tables */
	uint32_t nslot;			/* a power of two: a hash table of 1 + rows, by name_hash(); 0: free */
	uint32_t nname, ncover, nunit;
};

uint64_t image_sum(const struct image *m);
/* image_make - reads all of the object's units; NULL where that cannot be done.  The caller frees it. */
struct image *image_make(struct object *obj, const struct scan_source *from, const struct image_key *key);

static inline uint64_t name_hash(const char *name)
{
	uint64_t h = 1469598103934665603u;

	while (*name)
		h = (h ^ (unsigned char)*name++) * 1099511628211u;
	return h ^ h >> 32;
}

#endif
