/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls by several ways, from several threads, and a child. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

__thread volatile int out;

__attribute__((noinline)) int probed(int n)
{
	return out + n;
}

__attribute__((noinline)) int one_way(int n)
{
	return probed(n) + 1;
}

__attribute__((noinline)) int other_way(int n)
{
	return probed(n) + one_way(n);
}

static void *work(void *data)
{
	for (int i = 0; i < 50; i++)
		out = other_way(i);
	return data;
}

int main(void)
{
	pthread_t threads[3];
	int status;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (fork() == 0) {
		work(NULL);
		_exit(0);
	}
	wait(&status);
	return 0;
}
