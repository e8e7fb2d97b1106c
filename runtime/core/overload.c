/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overload check: on each processor handlers may take so many cycles (STP_OVERLOAD_THRESHOLD) in so many
 * (STP_OVERLOAD_INTERVAL), or the session ends.  A row for each processor in the session's memory; hits of one that a
 * process is moved from, or of two that share a row, may lose a little of what they took, which only delays the end.
 */
#include "core.h"

#define PROCESSORS 64u			/* rows; a power of two */
#define ROW_BYTES 64u

struct overload {
	sp_u64 began;			/* of the interval; 0: none yet */
	sp_u64 spent;
};

sp_u64 sp_overload_bytes(const struct sp_script *script)
{
	return script->limits.overload_interval ? PROCESSORS * ROW_BYTES : 0;
}

static void fail(struct sp_ctx *c, sp_u64 spent, sp_u64 within)
{
	const struct sp_limits *l = &sp_script.limits;
	const char *point = c->site ? c->site->point : c->probe->point;
	struct sp_text t = { 0, c->out, 0, c->out_size, 0 };

	if (__atomic_exchange_n(&c->session->overloaded, 1, __ATOMIC_RELAXED))
		return;
	sp_text_puts(&t, "probe overhead exceeded threshold");
	if (point) {
		sp_text_puts(&t, " in probe ");
		sp_text_puts(&t, point);
	}
	sp_text_puts(&t, " (");
	sp_text_u64(&t, spent, 10);
	sp_text_puts(&t, " of ");
	sp_text_u64(&t, within, 10);
	sp_text_puts(&t, " cycles; ");
	sp_text_limit(&t, "STP_OVERLOAD_THRESHOLD", l->overload_threshold);
	sp_text_puts(&t, " or -D STP_NO_OVERLOAD)");
	sp_emit(c, SP_REC_ERROR, t.p, t.n);
	sp_session_fail(c->session);
}

void sp_overload_add(struct sp_ctx *c, sp_u64 from)
{
	const struct sp_limits *l = &sp_script.limits;
	sp_u64 row = (sp_plat_cpu() & (PROCESSORS - 1)) * ROW_BYTES, now = sp_plat_cycles();
	struct overload *o = sp_at(c->session, c->session->overload_off + row);

	if (now < from)			/* counters of two processors may disagree */
		return;
	if (!o->began || now - o->began >= l->overload_interval) {
		o->began = from;
		o->spent = 0;
	}
	o->spent += now - from;
	if (sp_unlikely(o->spent > l->overload_threshold))
		fail(c, o->spent, now - o->began);
}
