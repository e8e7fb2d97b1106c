/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings of records, from a handler's side to spilerun's.
 *
 * One producer, one consumer.  A producer that is killed before it moves the head leaves nothing that the
 * consumer could see.
 */
#include "core.h"

static void ring_write(struct sp_ring *r, sp_u64 at, const void *data, sp_u32 n)
{
	sp_u32 place = at & (r->size - 1), first = SP_MIN(n, r->size - place);

	sp_copy(r->data + place, data, first);
	sp_copy(r->data, (const char *)data + first, n - first);
}

/*
 * A head only we write; the tail is read with acquire, pairing with the consumer's release after it has copied
 * a record out, so that its bytes are not overwritten while it reads them.
 */
sp_bool sp_ring_put(struct sp_ring *r, sp_u64 *seq, enum sp_record_kind kind, const void *data, sp_u32 len)
{
	sp_u64 head = r->head, need = sizeof(struct sp_record) + (((sp_u64)len + 7) & ~7ull);
	sp_u64 used = head - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	struct sp_record record;

	if (used > r->size || need > r->size - used) {
		__atomic_store_n(&r->lost, r->lost + 1, __ATOMIC_RELAXED);
		return 0;
	}
	record.len = len;
	record.kind = kind;
	record.seq = __atomic_fetch_add(seq, 1, __ATOMIC_RELAXED);
	ring_write(r, head, &record, sizeof(record));
	ring_write(r, head + sizeof(record), data, len);
	__atomic_store_n(&r->head, head + need, __ATOMIC_RELEASE);
	return 1;
}

static void ring_read(const struct sp_ring *r, sp_u64 at, void *data, sp_u32 n)
{
	sp_u32 place = at & (r->size - 1), first = SP_MIN(n, r->size - place);

	sp_copy(data, r->data + place, first);
	sp_copy((char *)data + first, r->data, n - first);
}

sp_bool sp_ring_drop(struct sp_ring *r)
{
	sp_u64 step, left = r->head - r->tail;
	struct sp_record record;

	if (!left)
		return 0;
	ring_read(r, r->tail, &record, sizeof(record));
	step = sizeof(record) + (((sp_u64)record.len + 7) & ~7ull);
	r->tail += SP_MIN(step, left);
	return 1;
}
