/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where everything lies in a session's memory, and what is said of it at the end.
 *
 * In order: struct sp_session with a state for each global, the locks' bitmaps, the script's globals, the table of
 * values from function entries, the numbers of the probe hit report, the counts of cut strings, the words of conditions,
 * the cells of counters, what the overload check notes, then maps and aggregates.  Only heads are written here: memory comes zeroed,
 * zero is a valid empty state everywhere, and pages that no element needs are never touched.
 */
#include "core.h"

#define ALIGN(n) (((n) + 63) & ~(sp_u64)63)

static sp_u64 global_bytes(const struct sp_script *script, sp_u32 global)
{
	const struct sp_global *g = &script->globals[global];

	if (g->is_map)
		return sp_map_size(global);
	return g->type == SP_STATS ? sp_stat_size(global) : 0;
}

static sp_u64 readers_at(const struct sp_script *script)
{
	return ALIGN(sizeof(struct sp_session) + (sp_u64)script->nglobals * sizeof(struct sp_global_state));
}

static sp_u64 globals_at(const struct sp_script *script)
{
	return readers_at(script) + (sp_u64)script->nglobals * (SP_MAX_READERS / 8);
}

static sp_u64 entries_at(const struct sp_script *script)
{
	return globals_at(script) + ALIGN((sp_u64)script->globals_size);
}

static sp_u64 entry_strings_at(const struct sp_script *script)
{
	return entries_at(script) + ALIGN(sp_entry_bytes(sp_entry_count(script)));
}

static sp_u64 timings_at(const struct sp_script *script)
{
	return entry_strings_at(script) + ALIGN(sp_entry_string_bytes(script));
}

static sp_u64 cuts_at(const struct sp_script *script)
{
	return timings_at(script) + ALIGN(sp_timing_bytes(script));
}

static sp_u64 armed_at(const struct sp_script *script)
{
	return cuts_at(script) + ALIGN((sp_u64)script->nplaces * sizeof(sp_u32));
}

static sp_u64 cells_at(const struct sp_script *script)
{
	return armed_at(script) + ALIGN((sp_u64)script->nconditions * sizeof(sp_u32));
}

static sp_u64 overload_at(const struct sp_script *script)
{
	return cells_at(script) + sp_cells_bytes(script);
}

static sp_u64 maps_at(const struct sp_script *script)
{
	return overload_at(script) + ALIGN(sp_overload_bytes(script));
}

sp_u64 sp_session_size(const struct sp_script *script)
{
	sp_u64 size = maps_at(script);
	sp_u32 i;

	for (i = 0; i < script->nglobals; i++)
		size += ALIGN(global_bytes(script, i));
	return size;
}

void sp_session_init(struct sp_session *s, const struct sp_script *script)
{
	sp_u64 at = maps_at(script);
	sp_u32 i;

	s->abi = SP_ABI;
	s->remote_id = -1;
	s->nglobals = script->nglobals;
	s->readers_off = readers_at(script);
	s->globals_off = globals_at(script);
	s->entries_off = entries_at(script);
	s->entries = sp_entry_count(script);
	s->entry_strings_off = entry_strings_at(script);
	s->entry_strings = sp_entry_string_count(script);
	s->timings_off = timings_at(script);
	s->cuts_off = cuts_at(script);
	s->armed_off = armed_at(script);
	sp_arm_all(s);
	s->cells_off = cells_at(script);
	s->overload_off = overload_at(script);
	if (script->globals_init)
		sp_copy(sp_at(s, s->globals_off), script->globals_init, script->globals_size);
	for (i = 0; i < script->nglobals; i++) {
		sp_u64 bytes = global_bytes(script, i);

		if (!bytes)
			continue;
		s->globals[i].off = at;
		if (script->globals[i].is_map)
			sp_map_init(sp_at(s, at), i);
		at += ALIGN(bytes);
	}
	s->size = at;
	__atomic_store_n(&s->state, SP_STARTING, __ATOMIC_RELEASE);
}

/* ---- first values from outside ---- */

/* Whether @text begins with the name of global @i and "=". */
static sp_bool names_global(const char *text, sp_u32 i)
{
	sp_size n = sp_text_len(sp_script.globals[i].name);

	return sp_text_len(text) > n && !sp_compare(text, sp_script.globals[i].name, n) && text[n] == '=';
}

/* Decimal, 0x or 0 and octal, with one sign; all of it. */
static sp_bool read_number(const char *text, sp_i64 *v)
{
	sp_bool minus = *text == '-';
	unsigned base = 10;
	sp_u64 n = 0;

	text += *text == '-' || *text == '+';
	if (text[0] == '0' && (text[1] | 32) == 'x') {
		base = 16;
		text += 2;
	} else if (text[0] == '0' && text[1]) {
		base = 8;
		text++;
	}
	if (!*text)
		return 0;
	for (; *text; text++) {
		unsigned letter = (unsigned char)*text | 32;
		unsigned digit = *text >= '0' && *text <= '9' ? (unsigned)(*text - '0') :
				 letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;

		if (digit >= base || n > (~0ull - digit) / base)
			return 0;
		n = n * base + digit;
	}
	*v = (sp_i64)(minus ? -n : n);
	return 1;
}

const char *sp_session_set(struct sp_session *s, const char *word)
{
	sp_u32 i;

	for (i = 0; i < sp_script.nglobals; i++) {
		const struct sp_global *g = &sp_script.globals[i];
		void *at = (char *)sp_at(s, s->globals_off) + g->offset;
		const char *value;
		sp_size n;

		if (!names_global(word, i))
			continue;
		value = word + sp_text_len(g->name) + 1;
		n = sp_text_len(value);
		if (g->is_map || g->type == SP_STATS)
			return "only a scalar can be set from outside";
		if (g->type == SP_LONG)
			return read_number(value, at) ? 0 : "a number is needed";
		if (n > sp_str_max())
			return "the string is longer than MAXSTRINGLEN allows";
		((struct sp_string_global *)at)->n = (sp_u32)n;
		sp_copy(((struct sp_string_global *)at)->p, value, n);
		return 0;
	}
	return "the script has no such global";
}

/* ---- closing lines ---- */

struct closing {
	void (*line)(void *data, const char *text);
	void *data;
};

/* "@before@n@after" */
static void tell(const struct closing *to, const char *before, sp_u64 n, const char *after)
{
	char buffer[200];
	struct sp_text t = { 0, buffer, 0, sizeof(buffer) - 1, 0 };

	sp_text_puts(&t, before);
	sp_text_u64(&t, n, 10);
	sp_text_puts(&t, after);
	buffer[t.n] = 0;
	to->line(to->data, buffer);
}

static void tell_lock(const struct closing *to, const char *before, const char *name, const char *after, sp_u32 n,
		      const char *end)
{
	char buffer[160];
	struct sp_text t = { 0, buffer, 0, sizeof(buffer) - 1, 0 };

	sp_text_puts(&t, before);
	sp_text_puts(&t, name);
	sp_text_puts(&t, after);
	buffer[t.n] = 0;
	tell(to, buffer, n, end);
}

static void tell_skips(struct sp_session *s, const struct closing *to)
{
	static const char *const causes[SP_SKIPS] = {
		0,			/* locks are told one by one */
		"Skipped due to reentrancy: ",
		"Skipped for want of a context: ",
		"Skipped due to low stack: ",
	};
	sp_u32 i;

	for (i = 0; i < SP_SKIPS; i++)
		if (causes[i] && s->skips[i])
			tell(to, causes[i], s->skips[i], "");
	for (i = 0; i < s->nglobals; i++) {
		const char *name = sp_script.globals[i].name;

		if (s->globals[i].timeouts)
			tell_lock(to, "Skipped due to global '", name, "' lock timeout: ", s->globals[i].timeouts, "");
		/* -t wants it told even where each hit had its lock in the end */
		if (s->globals[i].contended && (s->globals[i].timeouts || sp_script.timing_unit))
			tell_lock(to, "'", name, "' lock contention occurred ", s->globals[i].contended, " times");
	}
}

/* Where strings were cut, by place; so many lines. */
#define CUTS_TOLD 8
static void tell_cuts(struct sp_session *s, const struct closing *to)
{
	const sp_u32 *cuts = sp_at(s, s->cuts_off);
	sp_u32 i, places = 0;

	for (i = 0; i < sp_script.nplaces; i++) {
		char text[300];
		struct sp_text t = { 0, text, 0, sizeof(text) - 1, 0 };

		if (!cuts[i] || places++ >= CUTS_TOLD)
			continue;
		sp_text_puts(&t, "Strings cut");
		sp_text_place(&t, i);
		sp_text_puts(&t, ": ");
		sp_text_u64(&t, cuts[i], 10);
		text[t.n] = 0;
		to->line(to->data, text);
	}
	if (places > CUTS_TOLD)
		tell(to, "Strings cut in ", places - CUTS_TOLD, " more places");
}

static void tell_losses(struct sp_session *s, const struct closing *to)
{
	if (s->losses[SP_LOST_OUTPUT])
		tell(to, "There were ", s->losses[SP_LOST_OUTPUT], " transport failures.");
	if (s->losses[SP_LOST_ENTRY])
		tell(to, "Values from function entry missing at the exit: ", s->losses[SP_LOST_ENTRY], "");
	if (s->losses[SP_CUT_STRING]) {
		char text[80];
		struct sp_text t = { 0, text, 0, sizeof(text) - 1, 0 };

		sp_text_puts(&t, " (a string holds ");
		sp_text_u64(&t, sp_str_max(), 10);
		sp_text_puts(&t, " bytes, see -D MAXSTRINGLEN=");
		sp_text_u64(&t, 2 * (sp_u64)sp_script.limits.maxstringlen, 10);
		sp_text_puts(&t, ")");
		text[t.n] = 0;
		tell(to, "Strings cut: ", s->losses[SP_CUT_STRING], text);
		tell_cuts(s, to);
	}
}

void sp_summary(struct sp_session *s, void (*line)(void *data, const char *text), void *data)
{
	struct closing to = { line, data };
	char text[40];
	struct sp_text t = { 0, text, 0, sizeof(text) - 1, 0 };
	sp_u64 skipped = 0;
	int i;

	for (i = 0; i < SP_SKIPS; i++)
		skipped += s->skips[i];
	if (s->errors || skipped) {
		sp_text_puts(&t, ", skipped probes: ");
		sp_text_u64(&t, skipped, 10);
		text[t.n] = 0;
		tell(&to, "Number of errors: ", s->errors, text);
	}
	tell_skips(s, &to);
	tell_losses(s, &to);
}
