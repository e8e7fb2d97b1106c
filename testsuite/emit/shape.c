#include "spile.h"

enum { G_total, G_name, G_seen };

struct globals {
	sp_i64 g_total;
	struct { sp_u32 n; char p[512]; } g_name;
};

static const struct globals globals_init = {
	.g_total = 7LL,
	.g_name = { 4, "none" },
};

static const struct sp_format_part parts_0[] = {
	{ 0, 0, 'd', 0, 0, 0, 5, -1 },
	{ " ", 1, 0, 0, 0, 0, -1, -1 },
	{ 0, 0, 's', 0, 0, 0, -1, -1 },
	{ "\n", 1, 0, 0, 0, 0, -1, -1 },
};
static const struct sp_format format_0 = { 4, parts_0 };

static const struct sp_format_part parts_1[] = {
	{ "caught ", 7, 0, 0, 0, 0, -1, -1 },
	{ 0, 0, 's', 0, 0, 0, -1, -1 },
	{ "\n", 1, 0, 0, 0, 0, -1, -1 },
};
static const struct sp_format format_1 = { 3, parts_1 };

static const struct sp_format_part parts_2[] = {
	{ 0, 0, 's', 0, 0, 0, -1, -1 },
	{ "=", 1, 0, 0, 0, 0, -1, -1 },
	{ 0, 0, 'd', 0, 0, 0, -1, -1 },
	{ ":", 1, 0, 0, 0, 0, -1, -1 },
	{ 0, 0, 'd', 0, 0, 0, -1, -1 },
	{ "\n", 1, 0, 0, 0, 0, -1, -1 },
};
static const struct sp_format format_2 = { 6, parts_2 };

static sp_i64 f_twice(struct sp_ctx *c, sp_i64 l_n);

/* shape.stp:5: function twice */
static sp_i64 f_twice(struct sp_ctx *c, sp_i64 l_n)
{
	sp_i64 ret = 0;
	sp_u32 from = c->at;

	if (!sp_enter(c))
		return ret;
	SP_STMT(c, 0, 1);
	ret = sp_mul(l_n, 2);
out:
	SP_LEAVE(c, from);
	return ret;
}

/* shape.stp:6: probe begin */
static void probe_0(struct sp_ctx *c)
{
	struct globals *g = c->globals;
	struct sp_str l_why = SP_EMPTY;
	sp_i64 t1;
	struct sp_str s1, s2;

	SP_STMT(c, 1, 3);
	c->at = 2;
	t1 = f_twice(c, 3);
	SP_CHECK(c);
	g->g_total = sp_add(g->g_total, t1);
	c->at = 3;
	s1 = sp_string_load(c, &g->g_name);
	SP_CHECK(c);
	c->at = 4;
	s2 = sp_concat(c, SP_STR("ab"), s1);
	SP_CHECK(c);
	sp_string_store(c, &g->g_name, s2);
	c->at = 5;
	s1 = sp_string_load(c, &g->g_name);
	SP_CHECK(c);
	t1 = g->g_total;
	c->at = 6;
	sp_map_add_long(c, G_seen, SP_VALS({ .s = s1 }, { .n = t1 }), 1);
	SP_CHECK(c);
	{
		__label__ out;
		SP_STMT(c, 7, 1);
		c->at = 8;
		t1 = sp_div(c, g->g_total, sp_sub(g->g_total, 13));
		SP_CHECK(c);
		c->at = 9;
		s1 = sp_string_load(c, &g->g_name);
		SP_CHECK(c);
		sp_printf(c, &format_0, SP_VALS({ .n = t1 }, { .s = s1 }));
	out:;
	}
	if (sp_unlikely(c->error != 0)) {
		if (!sp_catchable(c))
			goto out;
		l_why = sp_catch(c);
		SP_STMT(c, 10, 1);
		sp_printf(c, &format_1, SP_VALS({ .s = l_why }));
	}
out:
	return;
}

/* shape.stp:12: probe end(5) */
static void probe_1(struct sp_ctx *c)
{
	struct sp_str l_s = SP_EMPTY;
	sp_i64 l_n = 0;
	struct sp_iter it1;
	char *mark1;

	SP_STMT(c, 11, 1);
	it1.any = ~0u;
	c->at = 11;
	sp_iter_start(c, &it1, G_seen, 1, SP_COUNT, -1);
	SP_CHECK(c);
	mark1 = c->arena_at;
	while (sp_iter_next(c, &it1)) {
		SP_RELEASE(c, mark1, &l_s);
		l_s = sp_iter_key_str(c, &it1, 0);
		SP_CHECK(c);
		l_n = sp_iter_key_long(c, &it1, 1);
		SP_STMT(c, 11, 2);
		sp_printf(c, &format_2, SP_VALS({ .s = l_s }, { .n = l_n }, { .n = sp_map_get_long(c, G_seen, SP_VALS({ .s = l_s }, { .n = l_n })) }));
	}
out:
	return;
}

static const struct sp_global globals[] = {
	{ .name = "total", .type = SP_LONG, .offset = __builtin_offsetof(struct globals, g_total) },
	{ .name = "name", .type = SP_STRING, .offset = __builtin_offsetof(struct globals, g_name) },
	{ .name = "seen", .type = SP_LONG, .is_map = 1, .nkeys = 2, .keys = { SP_STRING, SP_LONG }, .capacity = 100, .wraps = 1 },
};

static const struct sp_place places[] = {
	{ "keyword", "shape.stp", 5, 21 },
	{ "operator '+='", "shape.stp", 7, 8 },
	{ "identifier 'twice'", "shape.stp", 7, 11 },
	{ "identifier 'name'", "shape.stp", 8, 21 },
	{ "operator '.'", "shape.stp", 8, 19 },
	{ "identifier 'name'", "shape.stp", 9, 7 },
	{ "operator '++'", "shape.stp", 9, 19 },
	{ "identifier 'printf'", "shape.stp", 10, 8 },
	{ "operator '/'", "shape.stp", 10, 33 },
	{ "identifier 'name'", "shape.stp", 10, 49 },
	{ "identifier 'println'", "shape.stp", 10, 71 },
	{ "keyword", "shape.stp", 12, 16 },
};

static const struct sp_probe probes[] = {
	{ .kind = SP_PROBE_BEGIN, .handler = probe_0,
	  .point = "begin",
	  .name = "begin" },
	{ .kind = SP_PROBE_END, .handler = probe_1, .order = 5LL,
	  .point = "end(5)",
	  .name = "end(5)" },
};

const struct sp_script sp_script = {
	.abi = SP_ABI,
	.name = "spile",
	.nprobes = 2, .probes = probes,
	.nglobals = 3, .globals = globals,
	.nplaces = 12, .places = places,
	.globals_size = sizeof(struct globals), .globals_init = &globals_init,
	.limits = {
		.maxaction = 10000,
		.maxnesting = 2,
		.maxstringlen = 512,
		.maxmapentries = 2048,
		.maxskipped = 100,
		.maxtrylock = 100,
		.trylockdelay_us = 10,
		.maxbacktrace = 20,
		.histwidth = 50,
		.histelision = 2,
	},
};
