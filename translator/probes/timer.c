/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers: timer.s(N) and its units, .randomize(M), timer.hz(N), timer.jiffies(N) (probes.md A.2).  No sites, no registers. */
#include "probes/probes.h"

#include <inttypes.h>
#include <string.h>

static const char *const patterns[] = {
	"timer.s(number)", "timer.s(number).randomize(number)",
	"timer.sec(number)", "timer.sec(number).randomize(number)",
	"timer.ms(number)", "timer.ms(number).randomize(number)",
	"timer.msec(number)", "timer.msec(number).randomize(number)",
	"timer.us(number)", "timer.us(number).randomize(number)",
	"timer.usec(number)", "timer.usec(number).randomize(number)",
	"timer.ns(number)", "timer.ns(number).randomize(number)",
	"timer.nsec(number)", "timer.nsec(number).randomize(number)",
	"timer.hz(number)",
	"timer.jiffies(number)", "timer.jiffies(number).randomize(number)",
	"timer.profile", "timer.profile.tick",
	NULL
};

/* The range is 100 us to one day, in the unit as written. */
static const struct unit { const char *word; int64_t ns, low, high; } units[] = {
	{ "s",		1000000000,	1,	86400 },
	{ "sec",	1000000000,	1,	86400 },
	{ "ms",		1000000,	1,	86400000 },
	{ "msec",	1000000,	1,	86400000 },
	{ "us",		1000,		100,	86400000000 },
	{ "usec",	1000,		100,	86400000000 },
	{ "ns",		1,		100000,	86400000000000 },
	{ "nsec",	1,		100000,	86400000000000 },
};

static bool refuse(struct di_miss *miss, enum di_reason reason, const char *text)
{
	miss->reason = reason;
	miss->text = text;
	return false;
}

static bool range_refused(struct program *p, struct di_miss *miss, int64_t low, int64_t high)
{
	return refuse(miss, DI_MALFORMED, arena_printf(p->arena, "interval value out of range (%" PRId64 ", %" PRId64 ")",
						       low, high));
}

static bool unit_find(struct program *p, const struct unit *u, const struct point_match *m, struct found *out,
		      struct di_miss *miss)
{
	int64_t n = m->component[1]->num, spread = m->n > 2 ? m->component[2]->num : 0;

	if (n < u->low || n > u->high)
		return range_refused(p, miss, u->low, u->high);
	if (spread < 0 || spread > n)
		return refuse(miss, DI_MALFORMED, "randomization value out of range");
	out->interval_ns = (uint64_t)(n * u->ns);
	out->random_ns = (uint64_t)(spread * u->ns);
	return true;
}

static bool hz_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	int64_t hz = m->component[1]->num, ns;

	if (hz <= 0)
		return refuse(miss, DI_MALFORMED, "frequency must be greater than 0");
	ns = 1000000000 / hz + (1000000000 % hz != 0);
	if (ns < 100000)
		return range_refused(p, miss, 1, 10000);
	out->interval_ns = (uint64_t)ns;
	return true;
}

static bool jiffies_find(const struct point_match *m, struct found *out, struct di_miss *miss)
{
	int64_t n = m->component[1]->num, spread = m->n > 2 ? m->component[2]->num : 0;

	if (n < 1 || n > 1000000)
		return refuse(miss, DI_MALFORMED, "invalid interval for jiffies timer");
	if (spread < 0 || spread > n)
		return refuse(miss, DI_MALFORMED, "invalid randomize for jiffies timer");
	out->interval_ns = (uint64_t)n;
	out->random_ns = (uint64_t)spread;
	out->in_ticks = true;
	return true;
}

static bool timer_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	const char *unit = m->component[1]->name->text;

	out->kind = SP_PROBE_TIMER;
	out->point = components_text(p->arena, m->component[0]);
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].word, unit))
			return unit_find(p, &units[i], m, out, miss);
	if (!strcmp(unit, "hz"))
		return hz_find(p, m, out, miss);
	if (!strcmp(unit, "jiffies"))
		return jiffies_find(m, out, miss);
	return refuse(miss, DI_UNSUPPORTED, arena_printf(p->arena, "timer.%s " NOT_YET,
							 unit));
}

const struct provider provider_timer = {
	.name		= "timer",
	.patterns	= patterns,
	.backends	= BE_KERNEL | BE_USER,
	.context	= CTX_NONE,
	.unprivileged	= true,
	.find		= timer_find,
	.help		= "periodic timers",
};
