/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that is loaded, closed and loaded again. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char path[PATH_MAX];

	(void)argc;
	snprintf(path, sizeof path, "%s", argv[0]);
	snprintf(path + strlen(dirname(path)), sizeof path - strlen(path), "/liblate.so");
	for (int round = 0; round < 2; round++) {
		void *handle = dlopen(path, RTLD_NOW);
		if (!handle)
			return 1;
		int (*late)(int) = (int (*)(int))dlsym(handle, "late");
		if (late(10 + round) != 11 + round)
			return 2;
		dlclose(handle);
	}
	return 0;
}
