/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks that musl gives each thread when the library is loaded. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static long (*use)(int);

static void *twice(void *n)
{
	use(*(int *)n);
	use(*(int *)n);
	return NULL;
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	int one = 1, two = 2;
	pthread_t thread;
	void *handle;

	(void)argc;
	snprintf(path, sizeof path, "%s", argv[0]);
	snprintf(path + strlen(dirname(path)), sizeof path - strlen(path), "/liblate.so");
	handle = dlopen(path, RTLD_NOW);
	if (!handle)
		return 1;
	use = (long (*)(int))dlsym(handle, "use");
	twice(&one);
	pthread_create(&thread, NULL, twice, &two);
	pthread_join(thread, NULL);
	return 0;
}
