/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One hit from beginning to end, and what ends it early.
 *
 * sp_run_probe() is the place to start.  A handler reads target memory while it may hold locks, where no page
 * can be brought in.  If it has changed nothing yet, it is left with .retry set, gives its locks back,
 * the page (or a chain of calls, or an object's names) is brought in here, and it runs again from its first statement; output is staged, so the first
 * run leaves no trace.  A page that can not be brought in is remembered: the next run meets the fault as an
 * ordinary error, which the script may catch.
 */
#include "core.h"

static const char out_of_actions[] = "MAXACTION exceeded";
static const char aborted[] = "abort() called";

void sp_count(sp_u32 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

void sp_count_cut(struct sp_ctx *c)
{
	struct sp_session *s = c->session;

	sp_count(&s->losses[SP_CUT_STRING]);
	if (c->at < sp_script.nplaces)
		sp_count((sp_u32 *)sp_at(s, s->cuts_off) + c->at);
}

/* ---- session state ---- */

sp_bool sp_state_change(struct sp_session *s, enum sp_state from, enum sp_state to)
{
	sp_u32 expected = from;

	if (!__atomic_compare_exchange_n(&s->state, &expected, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return 0;
	sp_plat_state_changed(s);
	return 1;
}

void sp_session_fail(struct sp_session *s)
{
	__atomic_store_n(&s->exit_status, 1, __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&s->state, SP_ERROR, __ATOMIC_ACQ_REL) != SP_ERROR)
		sp_plat_state_changed(s);
}

/* The one state in which probes of a kind run. */
static sp_u32 state_for(sp_u32 kind)
{
	switch (kind) {
	case SP_PROBE_BEGIN:
		return SP_STARTING;
	case SP_PROBE_END:
		return SP_STOPPING;
	case SP_PROBE_ERROR:
		return SP_ERROR;
	case SP_PROBE_NEVER:
		return 0;
	default:
		return SP_RUNNING;
	}
}

void sp_exit(struct sp_ctx *c)
{
	struct sp_session *s = c->session;

	if (sp_state_change(s, SP_RUNNING, SP_STOPPING) || sp_state_change(s, SP_STARTING, SP_STOPPING))
		sp_plat_emit(c, SP_REC_EXIT, "", 0);
}

void sp_abort(struct sp_ctx *c)
{
	sp_exit(c);
	c->aborted = 1;
	c->error = aborted;
}

/* ---- errors ---- */

void sp_error(struct sp_ctx *c, const char *text)
{
	if (!c->error)
		c->error = text;
}

void sp_error_limit(struct sp_ctx *c, const char *text, const char *option, sp_u64 limit)
{
	struct sp_text t = { 0, c->hint, 0, sizeof(c->hint) - 1, 0 };

	if (c->error)
		return;
	c->error = text;
	sp_text_limit(&t, option, limit);
	c->hint[t.n] = 0;
}

void sp_unwind(struct sp_ctx *c, sp_u32 from)
{
	if (c->ncallers < SP_CALLERS)
		c->callers[c->ncallers] = from;
	c->ncallers++;
}

/* The error, if any, is as good as never met. */
static void forget_error(struct sp_ctx *c)
{
	c->error = 0;
	c->hint[0] = 0;
	c->ncallers = 0;
}

void sp_error_str(struct sp_ctx *c, struct sp_str text)
{
	struct sp_text t;

	if (c->error)
		return;
	sp_text_for_error(&t, c);
	sp_text_put(&t, text.p, text.n);
	sp_text_error(&t);
}

void sp_out_of_actions(struct sp_ctx *c)
{
	if (c->aborted)
		return;
	forget_error(c);
	sp_error_limit(c, out_of_actions, sp_script.limits.uninterruptible ? "MAXACTION" : "MAXACTION_INTERRUPTIBLE",
		       sp_script.limits.maxaction);
}

sp_bool sp_catchable(const struct sp_ctx *c)
{
	return c->error && !c->aborted && !c->retry && c->error != out_of_actions;
}

struct sp_str sp_catch(struct sp_ctx *c)
{
	const char *text = c->error;
	sp_size n = sp_text_len(text), room = c->arena_end - c->arena_at;

	forget_error(c);
	return sp_str_keep(c, text, SP_MIN(SP_MIN(n, room), sp_str_max()));
}

sp_bool sp_enter(struct sp_ctx *c)
{
	if (sp_unlikely(c->nesting >= sp_script.limits.maxnesting)) {
		sp_error_limit(c, "MAXNESTING exceeded", "MAXNESTING", sp_script.limits.maxnesting);
		return 0;
	}
	c->nesting++;
	return 1;
}

/* ---- output ---- */

void sp_emit(struct sp_ctx *c, enum sp_record_kind kind, const char *p, sp_u32 n)
{
	if (!sp_plat_emit(c, kind, p, n))
		sp_count(&c->session->losses[SP_LOST_OUTPUT]);
}

static void commit_output(struct sp_ctx *c)
{
	sp_u32 n = c->out_len;

	c->out_len = 0;
	if (n)
		sp_emit(c, SP_REC_OUTPUT, c->out, n);
}

/* More than the stage holds goes out in parts; from then on the handler can not be run again. */
void sp_output(struct sp_ctx *c, const char *p, sp_u32 n)
{
	while (sp_unlikely(n > c->out_size - c->out_len)) {
		sp_u32 part = c->out_size - c->out_len;

		sp_copy(c->out + c->out_len, p, part);
		c->out_len += part;
		p += part;
		n -= part;
		c->wrote = 1;
		commit_output(c);
	}
	sp_copy(c->out + c->out_len, p, n);
	c->out_len += n;
}

void sp_warn(struct sp_ctx *c, struct sp_str text)
{
	if (text.n && text.p[text.n - 1] == '\n')
		text.n--;
	c->wrote = 1;
	sp_emit(c, SP_REC_WARNING, text.p, text.n);
}

static void put_place(struct sp_text *t, const char *before, sp_u32 at)
{
	const struct sp_place *place = &sp_script.places[at];

	if (at >= sp_script.nplaces)
		return;
	sp_text_puts(t, before);
	sp_text_puts(t, place->token);
	sp_text_puts(t, " at ");
	sp_text_puts(t, place->file);
	sp_text_puts(t, ":");
	sp_text_u64(t, place->line, 10);
	sp_text_puts(t, ":");
	sp_text_u64(t, place->column, 10);
}

void sp_text_place(struct sp_text *t, sp_u32 at)
{
	put_place(t, " near ", at);
}

void sp_text_limit(struct sp_text *t, const char *option, sp_u64 limit)
{
	sp_text_puts(t, "limit ");
	sp_text_u64(t, limit, 10);
	sp_text_puts(t, ", see -D ");
	sp_text_puts(t, option);
	sp_text_puts(t, "=");
	sp_text_u64(t, limit ? 2 * limit : 1, 10);
}

static void put_callers(struct sp_text *t, const struct sp_ctx *c)
{
	sp_u32 i;

	for (i = 0; i < c->ncallers && i < SP_CALLERS; i++) {
		put_place(t, " (called from ", c->callers[i]);
		sp_text_puts(t, ")");
	}
	if (c->ncallers > SP_CALLERS) {
		sp_text_puts(t, " (and ");
		sp_text_u64(t, c->ncallers - SP_CALLERS, 10);
		sp_text_puts(t, " more)");
	}
}

/*
 * "MESSAGE near TOKEN at FILE:LINE:COL (called from TOKEN at FILE:LINE:COL) in probe PP (HINT)", put together where the
 * output, now gone, was staged.
 */
static void tell_error(struct sp_ctx *c)
{
	const char *point = c->site ? c->site->point : c->probe->point;
	struct sp_text t;

	t.c = c;
	t.p = c->out;
	t.n = 0;
	t.size = c->out_size;
	t.cut = 0;
	sp_text_puts(&t, c->error);
	sp_text_place(&t, c->at);
	put_callers(&t, c);
	if (point) {
		sp_text_puts(&t, " in probe ");
		sp_text_puts(&t, point);
	}
	if (c->hint[0]) {
		sp_text_puts(&t, " (");
		sp_text_puts(&t, c->hint);
		sp_text_puts(&t, ")");
	}
	sp_emit(c, SP_REC_ERROR, t.p, t.n);
}

static void report_error(struct sp_ctx *c)
{
	struct sp_session *s = c->session;
	sp_u32 errors;

	if (c->aborted)
		return;
	errors = __atomic_add_fetch(&s->errors, 1, __ATOMIC_RELAXED);
	if (sp_script.limits.suppress_handler_errors)
		return;
	tell_error(c);
	__atomic_store_n(&s->exit_status, 1, __ATOMIC_RELAXED);
	if (errors > sp_script.limits.maxerrors)
		sp_session_fail(s);
}

/* The one ERROR line about skips; what could not tell it, for want of a context, leaves that to the end. */
static void tell_skipped(struct sp_session *s, struct sp_ctx *c)
{
	static const char text[] =
		"Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.";
	char line[200];
	struct sp_text t = { 0, line, 0, sizeof(line), 0 };

	sp_text_puts(&t, text);
	sp_text_puts(&t, " (");
	sp_text_limit(&t, "MAXSKIPPED", sp_script.limits.maxskipped);
	sp_text_puts(&t, ")");
	sp_emit(c, SP_REC_ERROR, t.p, t.n);
	__atomic_store_n(&s->skips_told, 1, __ATOMIC_RELAXED);
}

void sp_tell_skips(struct sp_ctx *c)
{
	struct sp_session *s = c->session;

	if (__atomic_load_n(&s->skipped_out, __ATOMIC_RELAXED) && !__atomic_load_n(&s->skips_told, __ATOMIC_RELAXED))
		tell_skipped(s, c);
}

void sp_count_skip(struct sp_session *s, struct sp_ctx *c, enum sp_skip why)
{
	sp_u32 all = 0;
	int i;

	sp_count(&s->skips[why]);
	for (i = 0; i < SP_SKIPS; i++)
		all += __atomic_load_n(&s->skips[i], __ATOMIC_RELAXED);
	if (all <= sp_script.limits.maxskipped || sp_script.limits.suppress_handler_errors ||
	    __atomic_exchange_n(&s->skipped_out, 1, __ATOMIC_RELAXED))
		return;
	if (c)
		tell_skipped(s, c);
	sp_session_fail(s);
}

/* ---- the hit ---- */

static void reset(struct sp_ctx *c)
{
	forget_error(c);
	c->actions = sp_script.limits.suppress_time_limits ? 0x7fffffff : (sp_i32)sp_script.limits.maxaction;
	c->nesting = 0;
	c->at = 0;
	c->locked = 0;
	c->wrote = 0;
	c->aborted = 0;
	c->arena_at = c->arena + sp_chain_bytes(&sp_script);
	c->out_len = 0;
	c->retry = SP_RETRY_NOTHING;
	c->tokens = sp_str_make("", 0);
	c->subject = sp_str_make("", 0);
	c->ngroups = 0;
}

/* A page that can not be brought in is remembered. */
static void bring_page_in(struct sp_ctx *c)
{
	sp_uaddr page = c->retry_addr & -(sp_uaddr)SP_PAGE;
	char byte;

	if (!sp_plat_read(c, &byte, c->retry_addr, 1))
		c->bad_pages[c->nbad++ & 3] = page;
}

/* What the handler missed. */
static void bring_in(struct sp_ctx *c)
{
	if (c->retry == SP_RETRY_PAGE)
		bring_page_in(c);
	else if (c->retry == SP_RETRY_CHAIN)
		sp_chain_make(c);
	else
		sp_names_bring_in(c, c->retry_addr);
}

static void find_cells(struct sp_ctx *c)
{
	sp_u32 owner = sp_plat_owner(c);

	sp_note_owner(c->session, owner);
	c->cells = sp_cells_of(c->session, owner);
}

void sp_ctx_begin(struct sp_ctx *c, const struct sp_probe *probe)
{
	c->probe = probe;
	c->globals = sp_at(c->session, c->session->globals_off);
	c->nbad = 0;
	c->tries = 0;
	c->chain_made = 0;
	if (sp_script.ncells)
		find_cells(c);
	reset(c);
}

static void run_handler(struct sp_ctx *c, const struct sp_probe *probe)
{
	sp_ctx_begin(c, probe);
	for (;;) {
		probe->handler(c);
		sp_unlock(c);
		c->tries++;
		if (sp_likely(!c->retry))
			break;
		bring_in(c);
		reset(c);
	}
	commit_output(c);
	if (sp_unlikely(c->error != 0))
		report_error(c);
}

/* For the report, or the overload check, which is about what the program is held up by. */
static void run_timed(struct sp_ctx *c, const struct sp_probe *probe)
{
	sp_u64 from = sp_script.timing_unit ? sp_timing_now() : 0;
	sp_u64 cycles = sp_script.limits.overload_interval ? sp_plat_cycles() : 0;

	run_handler(c, probe);
	if (sp_script.timing_unit)
		sp_timing_add(c, from);
	if (sp_script.limits.overload_interval && (probe->kind == SP_PROBE_SITE || probe->kind == SP_PROBE_TIMER))
		sp_overload_add(c, cycles);
}

void sp_run_probe(struct sp_ctx *c, const struct sp_probe *probe)
{
	if (__atomic_load_n(&c->session->state, __ATOMIC_ACQUIRE) != state_for(probe->kind))
		return;
	if (sp_unlikely(probe->condition != 0) && !sp_is_armed(c->session, probe))
		return;
	if (sp_likely(!sp_script.timing_unit && !sp_script.limits.overload_interval))
		run_handler(c, probe);
	else
		run_timed(c, probe);
}

/* ---- arithmetic ---- */

sp_i64 sp_div(struct sp_ctx *c, sp_i64 a, sp_i64 b)
{
	if (sp_unlikely(b == 0)) {
		sp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? sp_neg(a) : a / b;
}

sp_i64 sp_mod(struct sp_ctx *c, sp_i64 a, sp_i64 b)
{
	if (sp_unlikely(b == 0)) {
		sp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}
