// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of a session: begin probes, sites and timers armed, running, all out, end or error probes, stopped.
 *
 * It all happens in one work item, which never runs twice at a time, so that START, STOP, exit() in a handler and a reader that
 * dies cannot race; and not in the reader's own context, so that it goes on reading what the begin and end probes print.
 */

#include "kernel.h"

static void set_phase(enum sp_phase phase)
{
	smp_store_release(&sp_kernel.control->phase, phase);
	sp_transport_wake();
}

/* The session's state from one to another, unless it has moved on by itself. */
static bool move_state(enum sp_state from, enum sp_state to)
{
	return cmpxchg(&sp_kernel.session->state, (u32)from, (u32)to) == from;
}

/*
 * Runs the probes of one kind, ascending by order, equal ones as the script has them, while the state stays @while_state.
 * Picks the next each time instead of sorting: there are few.
 */
static void run_kind(enum sp_probe_kind kind, enum sp_state while_state)
{
	const struct sp_probe *last = NULL, *p, *next;
	struct sp_hit *h = sp_hit_get();
	u32 i;

	if (!h)
		return;
	h->preemptible = true;
	while (sp_state() == while_state) {
		next = NULL;
		for (i = 0; i < sp_script.nprobes; i++) {
			p = &sp_script.probes[i];
			if (p->kind != kind)
				continue;
			if (last && (p->order < last->order || (p->order == last->order && p <= last)))
				continue;
			if (!next || p->order < next->order)
				next = p;
		}
		if (!next)
			break;
		sp_hit_run(h, next);
		last = next;
	}
	sp_hit_put(h);
}

/* Does in a context what has no event of its own. */
static void in_context(void (*what)(struct sp_ctx *c), bool preemptible)
{
	struct sp_hit *h = sp_hit_get();

	if (!h)
		return;
	h->preemptible = preemptible;
	what(&h->c);
	sp_hit_put(h);
}

/* A begin probe that ends the session leaves the phase as it is: a command that waits for RUNNING is not let go. */
static void start(void)
{
	u64 from = sp_timing_now();

	run_kind(SP_PROBE_BEGIN, SP_STARTING);
	if (sp_state() != SP_STARTING)
		return;
	in_context(sp_refresh_all, false);
	sp_uprobes_make();
	if (sp_timers_start())
		sp_warn_text("timers could not be started: out of memory");
	sp_timing_started(sp_kernel.session, from);
	if (move_state(SP_STARTING, SP_RUNNING))
		set_phase(SP_PHASE_RUNNING);
}

/* Handlers have found conditions changed. */
static void rearm(void)
{
	WRITE_ONCE(sp_kernel.rearm_asked, false);
	smp_mb();			/* before the look at the words: a change after it asks anew */
	sp_uprobes_rearm();
	sp_timers_rearm();
}

static void summary_line(void *data, const char *text)
{
	sp_warn_text("%s", text);
}

static void report_text(void *data, const char *text, sp_u32 n)
{
	sp_plat_emit(data, SP_REC_OUTPUT, text, n);
}

static void report(struct sp_ctx *c)
{
	sp_timing_report(sp_kernel.session, report_text, c);
}

static void stop(bool was_started)
{
	if (!move_state(SP_RUNNING, SP_STOPPING))
		move_state(SP_STARTING, SP_STOPPING);
	sp_timers_stop();
	sp_uprobes_remove();
	if (was_started) {
		in_context(sp_tell_skips, false);
		if (sp_state() == SP_ERROR)
			run_kind(SP_PROBE_ERROR, SP_ERROR);
		else
			run_kind(SP_PROBE_END, SP_STOPPING);
		in_context(report, true);
		sp_summary(sp_kernel.session, summary_line, NULL);
	}
	WRITE_ONCE(sp_kernel.session->state, SP_STOPPED);
	sp_kernel.control->exit_status = sp_kernel.session->exit_status;
	set_phase(SP_PHASE_STOPPED);
}

void sp_session_control(struct work_struct *work)
{
	if (!sp_kernel.started && READ_ONCE(sp_kernel.start_asked)) {
		sp_kernel.started = true;
		start();
	}
	if (sp_state() == SP_RUNNING && READ_ONCE(sp_kernel.rearm_asked))
		rearm();
	if (sp_state() != SP_STOPPED && (READ_ONCE(sp_kernel.stop_asked) || sp_state() > SP_RUNNING))
		stop(sp_kernel.started);
}
