/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Content hashes that name cache entries: FNV-1a, 128 bits.  Not for adversaries: a cache belongs to one user. */
#ifndef SPILE_HASH_H
#define SPILE_HASH_H

#include <stddef.h>

struct hash {
	unsigned __int128 value;
};

void hash_start(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t n);
/* A text and its end, so that "ab" "c" is another than "a" "bc".  NULL counts as a text of its own. */
void hash_text(struct hash *h, const char *text);
/* The file's bytes; where it cannot be read, that fact. */
void hash_file(struct hash *h, const char *path);
/* Size and times of a file, for one too large to be read each time. */
void hash_file_stamp(struct hash *h, const char *path);
void hash_name(const struct hash *h, char name[33]);		/* 32 hex digits */

#endif
