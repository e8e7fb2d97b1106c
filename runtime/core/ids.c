/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who, where and when: what the context functions of the library say about a hit.
 */
#include "core.h"

sp_i64 sp_pid(struct sp_ctx *c)
{
	return sp_plat_id(c, SP_ID_PID);
}

sp_i64 sp_tid(struct sp_ctx *c)
{
	return sp_plat_id(c, SP_ID_TID);
}

sp_i64 sp_ppid(struct sp_ctx *c)
{
	return sp_plat_id(c, SP_ID_PPID);
}

sp_i64 sp_uid(struct sp_ctx *c)
{
	return sp_plat_id(c, SP_ID_UID);
}

sp_i64 sp_cpu(struct sp_ctx *c)
{
	(void)c;
	return sp_plat_cpu();
}

sp_i64 sp_target(struct sp_ctx *c)
{
	return c->session->target;
}

sp_i64 sp_remote_id(struct sp_ctx *c)
{
	return c->session->remote_id;
}

struct sp_str sp_remote_uri(struct sp_ctx *c)
{
	const char *uri = c->session->remote_uri;

	return sp_str_keep(c, uri, sp_find_byte(uri, 0, SP_REMOTE_URI));
}

struct sp_str sp_execname(struct sp_ctx *c)
{
	char name[16];

	sp_zero(name, sizeof(name));
	sp_plat_execname(c, name);
	return sp_str_keep(c, name, sp_find_byte(name, 0, sizeof(name)));
}

static struct sp_str fixed(const char *text)
{
	return text ? sp_str_make(text, SP_MIN(sp_text_len(text), sp_str_max())) : SP_EMPTY;
}

static const char *point_of(struct sp_ctx *c)
{
	return c->site && c->site->point ? c->site->point : c->probe->point;
}

struct sp_str sp_pp(struct sp_ctx *c)
{
	return fixed(point_of(c));
}

struct sp_str sp_pn(struct sp_ctx *c)
{
	return fixed(c->site && c->site->script_point ? c->site->script_point : c->probe->name);
}

struct sp_str sp_probefunc(struct sp_ctx *c)
{
	return fixed(c->site ? c->site->name : 0);
}

struct sp_str sp_module_name(struct sp_ctx *c)
{
	(void)c;
	return fixed(sp_script.name);
}

/* The name in `function("NAME@FILE:LINE")' or `statement("...")' of the probe point. */
struct sp_str sp_ppfunc(struct sp_ctx *c)
{
	static const struct { const char *text; sp_u32 n; } heads[] = { { "function(\"", 10 }, { "statement(\"", 11 } };
	const char *text = point_of(c);
	struct sp_str point = sp_str_make(text, text ? sp_text_len(text) : 0);
	unsigned i;

	for (i = 0; i < 2; i++) {
		sp_i64 at = sp_strpos(point, sp_str_make(heads[i].text, heads[i].n));
		sp_u32 n = 0;

		if (at < 0)
			continue;
		point.p += at + heads[i].n;
		point.n -= at + heads[i].n;
		while (n < point.n && point.p[n] != '@' && point.p[n] != '"')
			n++;
		return sp_str_make(point.p, n);
	}
	return SP_EMPTY;
}

sp_i64 sp_clock_real_ns(struct sp_ctx *c)
{
	(void)c;
	return sp_plat_real_ns();
}

sp_i64 sp_clock_mono_ns(struct sp_ctx *c)
{
	(void)c;
	return sp_plat_mono_ns();
}

sp_i64 sp_cycles(struct sp_ctx *c)
{
	(void)c;
	return sp_plat_cycles();
}

sp_i64 sp_is_return(struct sp_ctx *c)
{
	return c->site && (c->site->kind == SP_SITE_RETURN || c->site->kind == SP_SITE_TAIL);
}
