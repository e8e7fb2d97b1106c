/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int early_use(int n);

/* With an alignment that its size is no multiple of. */
struct wide { char text[40]; } __attribute__((aligned(64)));
__thread struct wide wide = { "wide" };
__thread int counted = 7;
static __thread long zero;

static int (*late_use)(int);

__attribute__((noinline)) void program_use(int n)
{
	counted += n;
	zero += n;
	wide.text[0] = (char)('a' + n);
	errno = 30 + n;
	__asm__ volatile("" ::: "memory");
}

static void *use(void *arg)
{
	int n = *(int *)arg;

	errno = 5;
	program_use(n);
	program_use(n);
	early_use(n);
	early_use(n);
	late_use(n);
	late_use(n);
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
	late_use = (int (*)(int))dlsym(handle, "late_use");
	use(&one);
	pthread_create(&thread, NULL, use, &two);
	pthread_join(thread, NULL);
	return 0;
}
