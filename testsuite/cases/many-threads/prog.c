/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Eight threads call one function, 2000 times each. */
#include <pthread.h>

__attribute__((noinline)) void step(long thread)
{
	__asm__ volatile("" : : "r"(thread) : "memory");
}

static void *run(void *arg)
{
	for (int i = 0; i < 2000; i++)
		step((long)arg);
	return 0;
}

int main(void)
{
	pthread_t thread[8];

	for (long i = 0; i < 8; i++)
		pthread_create(&thread[i], 0, run, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(thread[i], 0);
	return 0;
}
