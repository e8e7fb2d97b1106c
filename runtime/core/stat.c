/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregates: what `<<<' feeds and the extractors read.
 *
 * One copy for each variable or element.  Whoever feeds another element or a variance has its global's lock to himself; a
 * scalar without variance is fed by several at once, under a shared lock or none, so each of its words changes in one
 * step (elaborate/locks.c).  So it is with elements of counted arrays, which also have a copy in each lane (lanes.c).
 */
#include "core.h"

sp_size sp_stat_size(sp_u32 global)
{
	return sizeof(struct sp_stat) + sp_hist_buckets(global) * sizeof(sp_i64);
}

static struct sp_stat *stat_of(struct sp_ctx *c, sp_u32 global)
{
	return sp_at(c->session, c->session->globals[global].off);
}

/* Running mean and sum of squares (Welford) in integers, step by step as spec/language.md 5.6 has them. */
static void feed_variance(struct sp_stat *st, unsigned shift, sp_i64 v)
{
	sp_i64 x = sp_shl(v, shift), d;

	if (st->count == 1) {
		st->avg = x;
		st->m2 = 0;
		return;
	}
	d = sp_sub(x, st->avg);
	st->avg = sp_add(st->avg, d / st->count);
	st->m2 = sp_add(st->m2, sp_mul(d, sp_sub(x, st->avg)));
}

/* Extremes are kept so that the zero of an empty aggregate is below any value. */
#define SMALLEST ((sp_i64)(1ull << 63))
#define LARGEST (~SMALLEST)

static sp_i64 smallest(const struct sp_stat *st)
{
	return (sp_i64)((sp_u64)LARGEST - st->low);
}

static sp_i64 largest(const struct sp_stat *st)
{
	return (sp_i64)((sp_u64)SMALLEST + st->high);
}

static void raise(sp_u64 *word, sp_u64 to)
{
	sp_u64 was = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (was < to && !__atomic_compare_exchange_n(word, &was, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void add(sp_i64 *word, sp_i64 v)
{
	__atomic_fetch_add(word, v, __ATOMIC_RELAXED);
}

void sp_stat_feed(struct sp_stat *st, sp_u32 global, sp_i64 v)
{
	const struct sp_global *g = &sp_script.globals[global];

	add(&st->count, 1);
	add(&st->sum, v);
	if (g->stats & SP_STAT_MINMAX) {
		raise(&st->low, (sp_u64)LARGEST - (sp_u64)v);
		raise(&st->high, (sp_u64)v - (sp_u64)SMALLEST);
	}
	if (g->stats & SP_STAT_VARIANCE)
		feed_variance(st, g->shift, v);
	if (g->hist)
		add(&st->buckets[sp_hist_bucket_of(g, v)], 1);
}

void sp_stat_merge(struct sp_stat *to, const struct sp_stat *from, sp_u32 global)
{
	sp_u32 i, buckets = sp_hist_buckets(global);

	to->count = sp_add(to->count, from->count);
	to->sum = sp_add(to->sum, from->sum);
	to->low = SP_MAX(to->low, from->low);
	to->high = SP_MAX(to->high, from->high);
	for (i = 0; i < buckets; i++)
		to->buckets[i] = sp_add(to->buckets[i], from->buckets[i]);
}

static sp_i64 variance(const struct sp_stat *st, unsigned shift)
{
	sp_i64 n = st->count, off, sum;

	if (n < 2)
		return 0;
	off = sp_sub(st->avg, sp_shl(st->sum, shift) / n);
	sum = sp_add(sp_mul(n, sp_mul(off, off)), sp_mul(n - 1, st->m2 / (n - 1)));
	return sp_shr(sum / (n - 1), 2 * shift > 63 ? 63 : 2 * shift);
}

sp_i64 sp_stat_extract(struct sp_ctx *c, const struct sp_stat *st, sp_u32 global, enum sp_extract what)
{
	if (what == SP_COUNT)
		return st ? st->count : 0;
	if (what == SP_SUM && st)
		return st->sum;
	if (!st || !st->count) {
		/* An empty variable sums up to 0; an element that is not there is an error to everything but the count. */
		if (what != SP_SUM || !st)
			sp_error(c, "empty aggregate");
		return 0;
	}
	switch (what) {
	case SP_MIN:
		return smallest(st);
	case SP_MAX:
		return largest(st);
	case SP_AVG:
		return st->sum / st->count;
	default:
		return variance(st, sp_script.globals[global].shift);
	}
}

sp_i64 sp_stat_rank(const struct sp_stat *st, enum sp_extract what)
{
	switch (what) {
	case SP_SUM:
		return st->sum;
	case SP_MIN:
		return smallest(st);
	case SP_MAX:
		return largest(st);
	case SP_AVG:
		return st->count ? st->sum / st->count : 0;
	default:
		return st->count;
	}
}

static void bad_bucket(struct sp_ctx *c, sp_u32 global, sp_i64 bucket)
{
	struct sp_text t = { 0, c->hint, 0, sizeof(c->hint) - 1, 0 };

	if (c->error)
		return;
	sp_error(c, "histogram index out of range");
	sp_text_puts(&t, bucket < 0 ? "index -" : "index ");
	sp_text_u64(&t, bucket < 0 ? -(sp_u64)bucket : (sp_u64)bucket, 10);
	sp_text_puts(&t, " of 0 to ");
	sp_text_u64(&t, sp_hist_buckets(global) - 1, 10);
	c->hint[t.n] = 0;
}

sp_i64 sp_stat_bucket(struct sp_ctx *c, const struct sp_stat *st, sp_u32 global, sp_i64 bucket)
{
	if (!st || !st->count) {
		sp_error(c, "empty aggregate");
		return 0;
	}
	if (bucket < 0 || bucket >= (sp_i64)sp_hist_buckets(global)) {
		bad_bucket(c, global, bucket);
		return 0;
	}
	return st->buckets[bucket];
}

void sp_stat_add(struct sp_ctx *c, sp_u32 global, sp_i64 v)
{
	c->wrote = 1;
	sp_stat_feed(stat_of(c, global), global, v);
}

void sp_stat_clear(struct sp_ctx *c, sp_u32 global)
{
	c->wrote = 1;
	sp_zero(stat_of(c, global), sp_stat_size(global));
}

sp_i64 sp_stat_get(struct sp_ctx *c, sp_u32 global, enum sp_extract what)
{
	return sp_stat_extract(c, stat_of(c, global), global, what);
}

sp_i64 sp_stat_hist_bucket(struct sp_ctx *c, sp_u32 global, sp_i64 bucket)
{
	return sp_stat_bucket(c, stat_of(c, global), global, bucket);
}

void sp_stat_hist_print(struct sp_ctx *c, sp_u32 global)
{
	struct sp_text t = { 0 };

	t.c = c;
	t.size = ~0u;
	sp_hist_text(&t, c, stat_of(c, global), global);
}

struct sp_str sp_stat_hist_sprint(struct sp_ctx *c, sp_u32 global)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	sp_hist_text(&t, c, stat_of(c, global), global);
	return sp_text_end(&t);
}
