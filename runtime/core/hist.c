/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: which bucket a sample falls into, and the picture of spec/language.md 7.5.
 *
 * Log: 128 buckets; 64 holds 0, 64+k the values of k bits, 64-k the negative ones.  Linear: bucket 0 below the low
 * bound, then one for each step, the last beyond them.
 */
#include "core.h"

#define LOG_BUCKETS 128u
#define LOG_ZERO 64
#define HIST_LOG 1
#define HIST_LINEAR 2

/* Steps between the bounds.  The translator has refused a width of 0 and more buckets than STP_MAX_BUCKETS. */
static sp_u64 steps(const struct sp_global *g)
{
	return ((sp_u64)g->high - (sp_u64)g->low) / (sp_u64)g->width;
}

sp_u32 sp_hist_buckets(sp_u32 global)
{
	const struct sp_global *g = &sp_script.globals[global];

	return g->hist == HIST_LOG ? LOG_BUCKETS : g->hist == HIST_LINEAR ? (sp_u32)steps(g) + 3 : 0;
}

static unsigned bits(sp_u64 v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

unsigned sp_hist_bucket_of(const struct sp_global *g, sp_i64 v)
{
	sp_u64 above;

	if (g->hist == HIST_LOG)
		return v < 0 ? LOG_ZERO - bits(-(sp_u64)v) : LOG_ZERO + bits(v);
	if (v < g->low)
		return 0;
	above = ((sp_u64)v - (sp_u64)g->low) / (sp_u64)g->width;
	return SP_MIN(above, steps(g) + 1) + 1;
}

/* What is to be drawn. */
struct picture {
	const struct sp_global *g;
	const sp_i64 *buckets;
	int last, lo, hi;		/* last bucket there is; first and last row */
	int column;			/* width of the labels */
	sp_i64 max, scale;		/* largest count; samples for each @ */
	int bar;			/* widest bar */
	int count_width;		/* digits of the largest count */
};

static int digits_of(sp_i64 v)
{
	char buffer[24];

	return (v < 0) + (int)(buffer + sizeof(buffer) -
			       sp_digits(buffer + sizeof(buffer), v < 0 ? -(sp_u64)v : (sp_u64)v, 10, 0));
}

static sp_i64 lower_bound(const struct picture *p, int bucket)
{
	if (p->g->hist == HIST_LINEAR)
		return sp_add(p->g->low, sp_mul(bucket - 1, p->g->width));
	if (bucket == LOG_ZERO)
		return 0;
	return bucket > LOG_ZERO ? sp_shl(1, bucket - LOG_ZERO - 1) : sp_neg(sp_shl(1, LOG_ZERO - 1 - bucket));
}

static const char *mark_of(const struct picture *p, int bucket)
{
	if (p->g->hist != HIST_LINEAR)
		return "";
	return bucket == 0 ? "<" : bucket == p->last ? ">" : "";
}

/* The number of a row's label: the outermost rows of a linear histogram show the bound they lie beyond. */
static sp_i64 label_of(const struct picture *p, int bucket)
{
	if (p->g->hist == HIST_LINEAR && bucket == 0)
		return p->g->low;
	if (p->g->hist == HIST_LINEAR && bucket == p->last)
		return lower_bound(p, bucket - 1);
	return lower_bound(p, bucket);
}

static void find_rows(struct picture *p)
{
	int i;

	for (p->lo = 0; p->lo < p->last && !p->buckets[p->lo]; p->lo++)
		;
	for (p->hi = p->last; p->hi > p->lo && !p->buckets[p->hi]; p->hi--)
		;
	for (i = 0; i < 2; i++) {
		if (p->lo > 0 && !(p->g->hist == HIST_LOG && p->lo == LOG_ZERO))
			p->lo--;
		if (p->hi < p->last)
			p->hi++;
	}
	if (p->g->hist != HIST_LINEAR)
		return;
	if (p->lo == 0 && !p->buckets[0])
		p->lo++;
	if (p->hi == p->last && !p->buckets[p->last])
		p->hi--;
}

static void find_widths(struct picture *p)
{
	sp_i64 right = label_of(p, p->hi);
	int i, left = digits_of(label_of(p, p->lo)) + (int)sp_text_len(mark_of(p, p->lo));

	if (p->g->hist == HIST_LINEAR)
		right = sp_add(p->g->low, sp_mul(p->g->width, p->hi));
	p->column = SP_MAX(5, SP_MAX(left, digits_of(right) + (int)sp_text_len(mark_of(p, p->hi))));
	p->max = 0;
	for (i = p->lo; i <= p->hi; i++)
		p->max = SP_MAX(p->max, p->buckets[i]);
	p->bar = SP_MIN(SP_MAX(sp_script.limits.histwidth, 1), 1000);
	p->scale = p->max <= p->bar ? 1 : p->max / p->bar + (p->max % p->bar != 0);
	p->count_width = digits_of(p->max);
}

/* Whether a row and all that are near it are empty. */
static sp_bool is_elided(const struct picture *p, int row)
{
	int near = (int)sp_script.limits.histelision, i;

	if (near < 0)
		return 0;
	near = SP_MIN(near, p->last);
	for (i = SP_MAX(row - near, p->lo); i <= SP_MIN(row + near, p->hi); i++)
		if (p->buckets[i])
			return 0;
	return 1;
}

static void put_row(struct sp_text *t, const struct picture *p, int row)
{
	sp_i64 label = label_of(p, row), bar = p->buckets[row] / p->scale;
	const char *mark = mark_of(p, row);

	sp_text_fill(t, ' ', p->column - digits_of(label) - (int)sp_text_len(mark));
	sp_text_puts(t, mark);
	if (label < 0)
		sp_text_puts(t, "-");
	sp_text_u64(t, label < 0 ? -(sp_u64)label : (sp_u64)label, 10);
	sp_text_puts(t, " |");
	sp_text_fill(t, '@', bar);
	sp_text_fill(t, ' ', p->bar - bar + 1 + p->count_width - digits_of(p->buckets[row]));
	sp_text_u64(t, p->buckets[row], 10);
	sp_text_puts(t, "\n");
}

static void draw(struct sp_text *t, const struct picture *p)
{
	sp_bool gap = 0;
	int row;

	sp_text_fill(t, ' ', p->column - 5);
	sp_text_puts(t, "value |");
	sp_text_fill(t, '-', p->bar);
	sp_text_puts(t, " count\n");
	for (row = p->lo; row <= p->hi; row++) {
		if (is_elided(p, row)) {
			gap = 1;
			continue;
		}
		if (gap) {
			sp_text_fill(t, ' ', p->column);
			sp_text_puts(t, " ~\n");
			gap = 0;
		}
		put_row(t, p, row);
	}
	sp_text_puts(t, "\n");
}

void sp_hist_text(struct sp_text *t, struct sp_ctx *c, const struct sp_stat *st, sp_u32 global)
{
	struct picture p;

	if (!st || !st->count) {
		sp_error(c, "empty aggregate");
		return;
	}
	p.g = &sp_script.globals[global];
	p.buckets = st->buckets;
	p.last = sp_hist_buckets(global) - 1;
	find_rows(&p);
	find_widths(&p);
	draw(t, &p);
}
