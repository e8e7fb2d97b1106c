/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings: order, wrap-around, loss, and a consumer beside the producer.
 */
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = { .limits = { .maxstringlen = 64 } };

#define SIZE 256u
static struct sp_ring *ring;
static sp_u64 seq;

static void copy_out(char *to, sp_u64 at, sp_u32 n)
{
	for (sp_u32 i = 0; i < n; i++)
		to[i] = ring->data[(at + i) & (SIZE - 1)];
}

/* The next record, its bytes in @data; false where there is none. */
static bool take(struct sp_record *record, char *data)
{
	sp_u64 tail = ring->tail;

	if (tail == __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE))
		return false;
	copy_out((char *)record, tail, sizeof(*record));
	copy_out(data, tail + sizeof(*record), record->len);
	__atomic_store_n(&ring->tail, tail + sizeof(*record) + ((record->len + 7) & ~7u), __ATOMIC_RELEASE);
	return true;
}

static void *consumer(void *wrong)
{
	sp_u64 next = 0;
	struct sp_record r;
	char data[SIZE], want[SIZE];

	while (next < 100000) {
		if (!take(&r, data))
			continue;
		memset(want, 'a' + r.seq % 26, r.len);
		*(long *)wrong += r.seq != next || r.len != r.seq % 50 || memcmp(data, want, r.len);
		next = r.seq + 1;
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread;
	char data[64];
	long wrong = 0;

	ring->lost = 0;
	seq = 0;
	pthread_create(&thread, NULL, consumer, &wrong);
	while (seq < 100000) {
		memset(data, 'a' + seq % 26, sizeof(data));
		sp_ring_put(ring, &seq, SP_REC_OUTPUT, data, seq % 50);
	}
	pthread_join(thread, NULL);
	CHECK_NUM(wrong, 0);
}

int main(void)
{
	struct sp_record r;
	char data[SIZE];
	int n = 0;

	ring = calloc(1, sizeof(*ring) + SIZE);
	ring->size = SIZE;
	CHECK(sp_ring_put(ring, &seq, SP_REC_OUTPUT, "hello", 5));
	CHECK_NUM(ring->head, 24);
	CHECK(take(&r, data) && r.seq == 0 && r.len == 5 && r.kind == SP_REC_OUTPUT && !memcmp(data, "hello", 5));
	CHECK(!take(&r, data));
	/* 40 bytes each: six fit beside the 24 that were taken, since those are free again. */
	while (sp_ring_put(ring, &seq, SP_REC_ERROR, "0123456789abcdefghij", 20))
		n++;
	CHECK_NUM(n, 6);
	CHECK_NUM(ring->lost, 1);
	CHECK_NUM(seq, 7);			/* the lost one took no number */
	CHECK(!sp_ring_put(ring, &seq, SP_REC_OUTPUT, data, 1000));
	CHECK_NUM(ring->lost, 2);
	for (n = 1; take(&r, data); n++)
		CHECK(r.seq == (sp_u64)n && r.kind == SP_REC_ERROR && !memcmp(data, "0123456789abcdefghij", 20));
	CHECK_NUM(n, 7);
	test_threads();
	free(ring);
	return check_end();
}
