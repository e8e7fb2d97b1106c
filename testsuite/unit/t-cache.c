/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the cache: whole ones are taken, broken ones go and are not taken. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/cache.h"
#include "check.h"
#include "support/arena.h"
#include "support/file.h"

#define BYTES 100000

static char text[BYTES], folder[] = "/tmp/t-cache-XXXXXX";

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* Stores anew, then @size bytes are left and the one at @flip is another (-1: none). */
static void break_entry(struct arena *a, const char *entry, const char *file, long size, long flip)
{
	char *now, copy[BYTES + 100];
	size_t len;

	CHECK(cache_store(a, entry, file, 10) && cache_use(entry));
	CHECK(!file_read(a, entry, &now, &len) && len > BYTES && len < sizeof(copy));
	memcpy(copy, now, len);
	if (flip >= 0)
		copy[flip] ^= 1;
	CHECK(!file_write(entry, copy, size < 0 ? len : (size_t)size));
	CHECK(!cache_use(entry));
	CHECK(!is_there(entry));
}

int main(void)
{
	struct arena *a = arena_new();
	const char *file, *entry;
	char *now;
	size_t len;

	for (size_t i = 0; i < BYTES; i++)
		text[i] = (char)(i * 7);
	if (!mkdtemp(folder))
		return 1;
	file = arena_printf(a, "%s/made", folder);
	entry = arena_printf(a, "%s/family/entry", folder);
	CHECK(!file_write(file, text, BYTES));
	CHECK(!cache_use(entry));
	CHECK(cache_store(a, entry, file, 10));
	CHECK(cache_use(entry) && cache_use(entry));
	CHECK(!file_read(a, entry, &now, &len) && len > BYTES && !memcmp(now, text, BYTES));
	break_entry(a, entry, file, 0, -1);
	break_entry(a, entry, file, 10, -1);
	break_entry(a, entry, file, BYTES / 2, -1);
	break_entry(a, entry, file, BYTES, -1);
	break_entry(a, entry, file, -1, 0);
	break_entry(a, entry, file, -1, BYTES - 1);
	break_entry(a, entry, file, -1, BYTES + 10);
	CHECK(!tree_remove(folder));
	arena_free(a);
	return check_end();
}
