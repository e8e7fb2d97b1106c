/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map table: four threads count 1,000,000 keys of 100,000 in open-addressed tables, one for each CPU with its lock, merged
 * at the end.  map nothing: they only call target().  Prints milliseconds of processor time: of the threads, and of what
 * came after them.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, EACH = 250000, KEYS = 100000, SLOTS = 1 << 18, CPUS = 64 };

struct table {
	pthread_spinlock_t lock;
	int used;
	struct { uint64_t key, count; } slot[SLOTS];	/* key 0: free */
};
static struct table *tables[CPUS];
static int counting;

static void add(struct table *t, uint64_t key, uint64_t n)
{
	uint64_t i = (key * 0x9e3779b97f4a7c15ull) >> 46;

	while (t->slot[i].key && t->slot[i].key != key)
		i = (i + 1) & (SLOTS - 1);
	t->slot[i].key = key;
	t->slot[i].count += n;
}

__attribute__((noinline)) void target(long key)
{
	__asm__ volatile("" : : "r"(key) : "memory");
}

static void count(long key)
{
	struct table *t = tables[sched_getcpu() % CPUS];

	pthread_spin_lock(&t->lock);
	t->used = 1;
	add(t, (uint64_t)key + 1, 1);
	pthread_spin_unlock(&t->lock);
}

static void *run(void *arg)
{
	uint64_t x = (uint64_t)(size_t)arg * 7919 + 1;

	for (int i = 0; i < EACH; i++) {
		long key;

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		key = (long)((x >> 33) % KEYS);
		if (counting)
			count(key);
		target(key);
	}
	return arg;
}

static double milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	double counted;
	uint64_t sum = 0;

	counting = argc > 1 && !strcmp(argv[1], "table");
	for (int i = 0; counting && i < CPUS; i++) {
		tables[i] = calloc(1, sizeof(struct table));
		pthread_spin_init(&tables[i]->lock, PTHREAD_PROCESS_PRIVATE);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	counted = milliseconds();
	for (int c = 1; counting && c < CPUS; c++)
		for (int i = 0; tables[c]->used && i < SLOTS; i++)
			if (tables[c]->slot[i].key)
				add(tables[0], tables[c]->slot[i].key, tables[c]->slot[i].count);
	for (int i = 0; counting && i < SLOTS; i++)
		sum += tables[0]->slot[i].count;
	if (counting && sum != THREADS * EACH)
		return 1;
	printf("%.1f\n%.1f\n", counted, milliseconds() - counted);
	return 0;
}
