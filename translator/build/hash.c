/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FNV-1a as its authors' draft gives it (draft-eastlake-fnv, section 5: the 128-bit prime and offset basis). */
#include "build/hash.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hash_start(struct hash *h)
{
	h->value = (unsigned __int128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
}

void hash_add(struct hash *h, const void *data, size_t n)
{
	const unsigned char *p = data;
	unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;

	for (size_t i = 0; i < n; i++)
		h->value = (h->value ^ p[i]) * prime;
}

void hash_text(struct hash *h, const char *text)
{
	if (text)
		hash_add(h, text, strlen(text) + 1);
	else
		hash_add(h, "\377", 1);
}

void hash_file(struct hash *h, const char *path)
{
	char buffer[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t size = 0;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buffer, sizeof(buffer))) > 0) {
		hash_add(h, buffer, (size_t)n);
		size += (uint64_t)n;
	}
	hash_add(h, &size, sizeof(size));
	if (fd >= 0)
		close(fd);
	else
		hash_text(h, NULL);
}

void hash_file_stamp(struct hash *h, const char *path)
{
	struct stat st;

	if (stat(path, &st)) {
		hash_text(h, NULL);
		return;
	}
	hash_add(h, &st.st_size, sizeof(st.st_size));
	hash_add(h, &st.st_mtim, sizeof(st.st_mtim));
}

void hash_name(const struct hash *h, char name[33])
{
	snprintf(name, 33, "%016llx%016llx", (unsigned long long)(h->value >> 64), (unsigned long long)h->value);
}
