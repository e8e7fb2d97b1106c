/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More busy threads than processors, all at one array: who holds its lock is often set aside. */
#include <pthread.h>

enum { THREADS = 8, CALLS = 20000 };
volatile int out;

__attribute__((noinline)) void touch(int i) { out = i; }

static void *run(void *unused)
{
	for (int i = 0; i < CALLS; i++)
		touch(i);
	return unused;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, run, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	return 0;
}
