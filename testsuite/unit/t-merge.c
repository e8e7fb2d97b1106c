/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merging: records of several rings come out in the order of their numbers, whole, whatever ring they lie in and wherever
 * they go round a ring's end; a number that never comes is given up only when asked.
 */
#include <stdlib.h>

#include "check.h"
#include "platform.h"
#include "spilerun/spilerun.h"

#define SIZE 256u

static struct sp_ring *ring_new(void)
{
	struct sp_ring *r = calloc(1, sizeof(*r) + SIZE);

	r->size = SIZE;
	return r;
}

/* A producer of our own, byte by byte, so that merge.c is not tested against the code it was written with. */
static void produce(struct sp_ring *r, uint64_t seq, const char *text)
{
	struct sp_record rec = { .seq = seq, .len = (uint32_t)strlen(text), .kind = SP_REC_OUTPUT };
	uint64_t at = r->head;

	for (size_t i = 0; i < sizeof(rec); i++)
		r->data[(at + i) % SIZE] = ((char *)&rec)[i];
	for (size_t i = 0; i < rec.len; i++)
		r->data[(at + sizeof(rec) + i) % SIZE] = text[i];
	r->head = at + sizeof(rec) + (rec.len + 7) / 8 * 8;
}

static char got[4096];

static unsigned from;		/* ring of the last record */
static int enough = -1;		/* records the sink takes before it says stop; -1: all */

static bool sink(void *data, const struct merge_record *rec)
{
	(void)data;
	CHECK_NUM(rec->kind, SP_REC_OUTPUT);
	strncat(got, rec->text, rec->n);
	strcat(got, " ");
	from = rec->ring;
	return enough < 0 || --enough > 0;
}

int main(void)
{
	struct sp_ring *a = ring_new(), *b = ring_new();
	struct merge *m = merge_new(10);

	merge_add(m, a);
	merge_add(m, b);
	produce(a, 11, "eleven");
	CHECK_NUM(merge_drain(m, sink, NULL), 0);
	CHECK(merge_is_stuck(m));
	produce(b, 10, "ten");
	produce(b, 12, "twelve");
	CHECK_NUM(merge_drain(m, sink, NULL), 3);
	CHECK_STR(got, "ten eleven twelve ");
	CHECK(!merge_is_stuck(m));

	got[0] = 0;
	for (uint64_t seq = 13; seq < 60; seq++) {	/* many times round, at odd lengths */
		const char *text = &"abcdefghijklmnopq"[seq % 17];
		char want[20];

		produce(seq % 3 ? a : b, seq, text);
		CHECK_NUM(merge_drain(m, sink, NULL), 1);
		snprintf(want, sizeof(want), "%s ", text);
		CHECK_STR(got, want);
		got[0] = 0;
	}
	CHECK_NUM(a->tail, a->head);
	CHECK_NUM(b->tail, b->head);

	produce(a, 62, "later");
	CHECK_NUM(merge_drain(m, sink, NULL), 0);
	CHECK_NUM(merge_skip(m), 2);
	CHECK_NUM(merge_drain(m, sink, NULL), 1);
	CHECK_STR(got, "later ");
	CHECK_NUM(from, 0);

	/* a sink that has enough leaves the rest for the next time */
	got[0] = 0;
	enough = 2;
	produce(b, 63, "one");
	produce(b, 64, "two");
	produce(b, 65, "three");
	CHECK_NUM(merge_drain(m, sink, NULL), 2);
	CHECK_STR(got, "one two ");
	CHECK_NUM(from, 1);
	enough = -1;
	CHECK_NUM(merge_drain(m, sink, NULL), 1);

	/* up to a number whatever is missing was overwritten; from there on it is waited for */
	got[0] = 0;
	merge_gaps_until(m, 80);
	produce(a, 70, "seventy");
	produce(b, 75, "and");
	produce(a, 79, "last");
	CHECK_NUM(merge_drain(m, sink, NULL), 3);
	CHECK_STR(got, "seventy and last ");
	produce(a, 81, "ahead");
	CHECK_NUM(merge_drain(m, sink, NULL), 0);
	produce(b, 80, "eighty");
	CHECK_NUM(merge_drain(m, sink, NULL), 2);
	CHECK_STR(got, "seventy and last eighty ahead ");

	a->lost = 3;
	b->lost = 4;
	CHECK_NUM(merge_lost(m), 7);
	merge_free(m);
	free(a);
	free(b);
	return check_end();
}
