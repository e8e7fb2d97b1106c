/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe hit report (-t): how often each probe ran, and for how long.
 *
 * One row in the session's memory for each probe point of the report, fed by every context at once: each number is added
 * atomically by itself, since nothing is read before the end, and a process that dies in between spoils one hit's share.
 * The squares need more than 64 bits: their low and high halves are two such numbers.  Start at sp_timing_add().
 */
#include "core.h"

__extension__ typedef unsigned __int128 wide;

struct timing {
	sp_u64 hits, sum;
	sp_u64 least;			/* inverted, so that zeroed memory is an empty row */
	sp_u64 most;
	sp_u64 squares_low, squares_high;
};
/* Behind the rows of the probes. */
enum { TIMING_REFRESH, TIMING_START, TIMINGS_OWN };

sp_u64 sp_timing_bytes(const struct sp_script *script)
{
	return script->timing_unit ? ((sp_u64)script->ntimings + TIMINGS_OWN) * sizeof(struct timing) : 0;
}

sp_u64 sp_timing_now(void)
{
	return sp_script.timing_unit == SP_TIMING_NSECS ? sp_plat_mono_ns() : sp_plat_cycles();
}

static void raise_to(sp_u64 *most, sp_u64 v)
{
	sp_u64 seen = __atomic_load_n(most, __ATOMIC_RELAXED);

	while (seen < v && !__atomic_compare_exchange_n(most, &seen, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static sp_u32 row_of(const struct sp_ctx *c)
{
	if (c->site)
		return sp_script.site_timings[c->site - sp_script.sites];
	return sp_script.probe_timings[c->probe - sp_script.probes];
}

static void add_timing(struct sp_session *s, sp_u32 row, sp_u64 from)
{
	sp_u64 now = sp_timing_now(), v = now > from ? now - from : 0;	/* cycle counters of two processors may disagree */
	wide square = (wide)v * v;
	sp_u64 low = (sp_u64)square, high = (sp_u64)(square >> 64);
	struct timing *t = (struct timing *)sp_at(s, s->timings_off) + row;

	__atomic_fetch_add(&t->hits, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&t->sum, v, __ATOMIC_RELAXED);
	raise_to(&t->least, ~v);
	raise_to(&t->most, v);
	if (__atomic_fetch_add(&t->squares_low, low, __ATOMIC_RELAXED) > ~low)
		high++;
	if (high)
		__atomic_fetch_add(&t->squares_high, high, __ATOMIC_RELAXED);
}

void sp_timing_add(struct sp_ctx *c, sp_u64 from)
{
	sp_u32 row = row_of(c);

	if (row != SP_NO_TIMING)
		add_timing(c->session, row, from);
}

void sp_timing_refreshed(struct sp_session *s, sp_u64 from)
{
	add_timing(s, sp_script.ntimings + TIMING_REFRESH, from);
}

void sp_timing_started(struct sp_session *s, sp_u64 from)
{
	if (sp_script.timing_unit)
		add_timing(s, sp_script.ntimings + TIMING_START, from);
}

/* Bit by bit: a division of 128 bits would be a call into the compiler's library, which is not there. */
static wide divide_wide(wide a, sp_u64 by)
{
	wide rest = 0, result = 0;
	int i;

	for (i = 127; i >= 0; i--) {
		rest = rest << 1 | (a >> i & 1);
		result <<= 1;
		if (rest >= by) {
			rest -= by;
			result |= 1;
		}
	}
	return result;
}

/* Of a sample: (n * squares - sum * sum) / (n * (n - 1)), rounded down. */
static sp_u64 timing_variance(const struct timing *t)
{
	wide squares = (wide)t->squares_high << 64 | t->squares_low, spread;

	if (t->hits < 2)
		return 0;
	spread = squares * t->hits - (wide)t->sum * t->sum;
	return (sp_u64)divide_wide(divide_wide(spread, t->hits), t->hits - 1);
}

static void put_numbers(struct sp_text *t, const struct timing *row)
{
	sp_text_puts(t, "hits: ");
	sp_text_u64(t, row->hits, 10);
	sp_text_puts(t, sp_script.timing_unit == SP_TIMING_NSECS ? ", nsecs: " : ", cycles: ");
	sp_text_u64(t, ~row->least, 10);
	sp_text_puts(t, "min/");
	sp_text_u64(t, row->sum / row->hits, 10);
	sp_text_puts(t, "avg/");
	sp_text_u64(t, row->most, 10);
	sp_text_puts(t, "max, variance: ");
	sp_text_u64(t, timing_variance(row), 10);
}

struct report {
	void (*put)(void *data, const char *text, sp_u32 n);
	void *data;
};

static void say(const struct report *to, const char *text)
{
	to->put(to->data, text, (sp_u32)sp_text_len(text));
}

static void report_row(const struct report *to, sp_u32 i, const struct timing *row)
{
	const struct sp_timing *about = &sp_script.timings[i];
	char buffer[200];
	struct sp_text t = { 0, buffer, 0, sizeof(buffer), 0 };

	say(to, about->point);
	say(to, ", (");
	say(to, about->place);
	sp_text_puts(&t, "), ");
	put_numbers(&t, row);
	sp_text_puts(&t, ",");
	to->put(to->data, t.p, t.n);
	say(to, about->from);
	t.n = 0;
	sp_text_puts(&t, ", index: ");
	sp_text_u64(&t, i, 10);
	sp_text_puts(&t, "\n");
	to->put(to->data, t.p, t.n);
}

static void report_own(const struct report *to, const char *title, const struct timing *row)
{
	char buffer[200];
	struct sp_text t = { 0, buffer, 0, sizeof(buffer), 0 };

	if (!row->hits)
		return;
	say(to, title);
	put_numbers(&t, row);
	sp_text_puts(&t, "\n");
	to->put(to->data, t.p, t.n);
}

void sp_timing_report(struct sp_session *s, void (*put)(void *data, const char *text, sp_u32 n), void *data)
{
	const struct timing *rows = sp_at(s, s->timings_off);
	struct report to = { put, data };
	sp_u32 i;

	if (!sp_script.timing_unit)
		return;
	say(&to, "----- probe hit report: \n");
	for (i = 0; i < sp_script.ntimings; i++)
		if (rows[i].hits)
			report_row(&to, i, &rows[i]);
	report_own(&to, "----- refresh report:\n", &rows[i + TIMING_REFRESH]);
	report_own(&to, "----- module init report:\n", &rows[i + TIMING_START]);
}
