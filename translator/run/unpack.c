/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompression by the machine's own tools: kernels and modules come packed in whatever their distribution likes, and
 * each format's tool is a small package, so no library of each is linked.  Start reading at packings[].
 */
#include "run/unpack.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Trailers: Linux Documentation/x86/boot.rst, payload_length; scripts/Makefile.lib, size_append. */
static const struct { const char *magic; size_t len; struct packing packing; } packings[] = {
	{ "\xfd" "7zXZ",		5, { "xz",   "xz-utils", 4 } },
	{ "\x28\xb5\x2f\xfd",	4, { "zstd", "zstd",     4 } },
	{ "\x02\x21\x4c\x18",	4, { "lz4",  "lz4",      4 } },
	{ "\x1f\x8b",		2, { "gzip", "gzip",     0 } },
};

const struct packing *packing_of(const void *data, size_t len)
{
	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++)
		if (len >= packings[i].len && !memcmp(data, packings[i].magic, packings[i].len))
			return &packings[i].packing;
	return NULL;
}

static int write_all(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n <= 0)
			return -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Runs the tool with these two as its standard input and output. */
static int run_tool(const struct packing *packing, int in, int out)
{
	char *argv[] = { (char *)packing->tool, (char *)"-dc", NULL };
	posix_spawn_file_actions_t actions;
	int failed, status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	failed = posix_spawnp(&pid, packing->tool, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed)
		return failed == ENOENT ? -ENOENT : -EIO;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -EIO;
	return status == 0 ? 0 : -EIO;
}

int unpack(const struct packing *packing, const void *data, size_t len, int out)
{
	int in = memfd_create("packed", MFD_CLOEXEC), rc;

	if (in < 0)
		return -EIO;
	rc = write_all(in, data, len);
	if (!rc && lseek(in, 0, SEEK_SET) != 0)
		rc = -EIO;
	if (!rc)
		rc = run_tool(packing, in, out);
	close(in);
	return rc;
}
