/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Four threads hit a few keys again and again, for some tenths of a second. */
#include <pthread.h>
#include <unistd.h>

__attribute__((noinline)) void hit(long key)
{
	__asm__ volatile("" : : "r"(key));
}

static void *run(void *arg)
{
	for (int round = 0; round < 30; round++) {
		for (long i = 0; i < 500; i++)
			hit((i + (long)arg) % 20);
		usleep(10000);
	}
	return arg;
}

int main(void)
{
	pthread_t thread[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], 0, run, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], 0);
	return 0;
}
