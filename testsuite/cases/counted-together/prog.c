/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Four threads and a forked child, all over the same keys. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void hit(long key, long size)
{
	__asm__ volatile("" : : "r"(key), "r"(size));
}

static void *run(void *arg)
{
	for (long i = 0; i < 5000; i++)
		hit((i * 7 + (long)arg) % 100, i & 1);
	return arg;
}

int main(void)
{
	pthread_t thread[4];
	pid_t child = fork();

	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], 0, run, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], 0);
	if (child)
		waitpid(child, 0, 0);
	return 0;
}
