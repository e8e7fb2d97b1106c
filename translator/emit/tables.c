/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables by which the runtime knows the script: globals, places, objects, sites, locks, probes, and sp_script itself.
 * All are constant data; what a hit needs is found by index.
 */
#include "emit/inner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *string_c(struct cfile *f, const char *s)
{
	return s ? c_string(f->a, s, strlen(s)) : "0";
}

/* ---- globals ---- */

static bool is_scalar(const struct symbol *s)
{
	return !s->is_array && s->type != TY_STATS;
}

static const char *member(struct cfile *f, const struct symbol *s)
{
	return arena_printf(f->a, "g_%s", global_index(f->a, s) + strlen("G_"));
}

static void print_struct(FILE *out, struct cfile *f)
{
	bool any = false;

	for (const struct symbol *s = f->p->globals; s; s = s->next) {
		if (!is_scalar(s))
			continue;
		if (!any)
			fputs("struct globals {\n", out);
		any = true;
		if (s->type == TY_STRING)
			fprintf(out, "\tstruct { sp_u32 n; char p[%u]; } %s;\n", f->p->limits.maxstringlen, member(f, s));
		else
			fprintf(out, "\tsp_i64 %s;\n", member(f, s));
	}
	if (any)
		fputs("};\n\n", out);
}

static void print_initial(FILE *out, struct cfile *f)
{
	bool any = false;

	for (const struct symbol *s = f->p->globals; s; s = s->next) {
		if (!is_scalar(s) || !s->init)
			continue;
		if (!any)
			fputs("static const struct globals globals_init = {\n", out);
		any = true;
		if (s->init->kind == EXPR_STR) {
			size_t n = s->init->u.str->len, most = f->p->limits.maxstringlen - 1;

			n = n < most ? n : most;
			fprintf(out, "\t.%s = { %zu, %s },\n", member(f, s), n, c_string(f->a, s->init->u.str->text, n));
		} else if (s->init->u.num == INT64_MIN) {
			fprintf(out, "\t.%s = -9223372036854775807LL - 1,\n", member(f, s));
		} else {
			fprintf(out, "\t.%s = %" PRId64 "LL,\n", member(f, s), s->init->u.num);
		}
	}
	if (any)
		fputs("};\n\n", out);
}

static void print_cells(FILE *out, struct cfile *f)
{
	bool any = false;

	for (const struct symbol *s = f->p->globals; s; s = s->next) {
		if (!is_counter(s))
			continue;
		fprintf(out, "%s %s", any ? "," : "enum {", counter_index(f->a, s));
		any = true;
	}
	if (any)
		fputs(", CELLS };\n\n", out);
}

void print_globals_layout(FILE *out, struct cfile *f)
{
	const struct symbol *s = f->p->globals;

	if (!s)
		return;
	fputs("enum {", out);
	for (int id = 0; s; s = s->next, id++) {
		if (s->id != id)
			BUG("global '%s' has number %d at place %d", s->name->text, s->id, id);
		fprintf(out, "%s%s", id ? ", " : " ", global_index(f->a, s));
	}
	fputs(" };\n\n", out);
	print_cells(out, f);
	print_struct(out, f);
}

void print_globals(FILE *out, struct cfile *f)
{
	print_globals_layout(out, f);
	print_initial(out, f);
}

static int type_number(enum value_type t)
{
	return t == TY_STRING ? SP_STRING : t == TY_STATS ? SP_STATS : SP_LONG;
}

static void print_global_row(FILE *out, struct cfile *f, const struct symbol *s)
{
	static const char *const types[] = { [SP_LONG] = "SP_LONG", [SP_STRING] = "SP_STRING", [SP_STATS] = "SP_STATS" };

	fprintf(out, "\t{ .name = %s, .type = %s", string_c(f, s->name->text), types[type_number(s->type)]);
	if (s->is_array) {
		fprintf(out, ", .is_map = 1, .nkeys = %d, .keys = {", s->nkeys);
		for (int k = 0; k < s->nkeys; k++)
			fprintf(out, "%s%s", k ? ", " : " ", types[type_number(s->keys[k])]);
		fputs(" }", out);
		if (s->size)
			fprintf(out, ", .capacity = %" PRId64, s->size);
		if (s->wraps)
			fputs(", .wraps = 1", out);
		if (s->counted)
			fputs(", .counted = 1", out);
	}
	if (is_scalar(s))
		fprintf(out, ", .offset = __builtin_offsetof(struct globals, %s)", member(f, s));
	if (s->hist)
		fprintf(out, ", .hist = %d, .low = %" PRId64 ", .high = %" PRId64 ", .width = %" PRId64,
			s->hist->linear ? 2 : 1, s->hist->low, s->hist->high, s->hist->width);
	if (s->shift)
		fprintf(out, ", .shift = %d", s->shift);
	if (s->stats)
		fprintf(out, ", .stats = %#x", s->stats);
	fputs(" },\n", out);
}

/* ---- places and objects ---- */

static void print_places(FILE *out, struct cfile *f)
{
	if (!f->places.n)
		return;
	fputs("static const struct sp_place places[] = {\n", out);
	for (unsigned i = 0; i < f->places.n; i++)
		fprintf(out, "\t{ %s },\n", f->places.text[i]);
	fputs("};\n\n", out);
}

static void print_objects(FILE *out, struct cfile *f)
{
	const struct program *p = f->p;
	bool *has_code;

	if (!p->nobjects)
		return;
	for (unsigned i = 0; i < p->nobjects; i++) {
		if (!p->objects[i]->build_id_len)
			continue;
		fprintf(out, "static const sp_u8 build_id_%u[] = {", i);
		for (unsigned k = 0; k < p->objects[i]->build_id_len; k++)
			fprintf(out, "%s0x%02x", k ? ", " : " ", p->objects[i]->build_id[k]);
		fputs(" };\n", out);
	}
	has_code = ARENA_ARRAY(f->a, bool, p->nobjects);
	for (unsigned i = 0; i < p->nobjects; i++)
		has_code[i] = print_code_map(out, f, i);
	fputs("static const struct sp_object objects[] = {\n", out);
	for (unsigned i = 0; i < p->nobjects; i++) {
		const struct object *o = p->objects[i];
		bool executable = !o->is_dyn || o->interpreter || o->is_static;

		fprintf(out, "\t{ %s, ", string_c(f, o->path));
		if (o->build_id_len)
			fprintf(out, "build_id_%u, %u, %d", i, o->build_id_len, executable);
		else
			fprintf(out, "0, 0, %d", executable);
		fprintf(out, has_code[i] ? ", &code_%u },\n" : " },\n", i);
	}
	fputs("};\n\n", out);
}

/* ---- sites ---- */

struct row {
	const struct site *site;
	const struct probe *of;
	unsigned object, probe;
};

static int row_order(const void *a, const void *b)
{
	const struct row *l = a, *r = b;

	if (l->object != r->object)
		return l->object < r->object ? -1 : 1;
	if (l->site->file_off != r->site->file_off)
		return l->site->file_off < r->site->file_off ? -1 : 1;
	return l->probe < r->probe ? -1 : l->probe > r->probe;
}

static unsigned object_number(const struct program *p, const struct object *o)
{
	for (unsigned i = 0; i < p->nobjects; i++)
		if (p->objects[i] == o)
			return i;
	BUG("a site in an object that was never opened");
}

static unsigned count_sites(const struct program *p)
{
	unsigned n = 0;

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		for (const struct site *s = pr->sites; s; s = s->next)
			n++;
	return n;
}

static const char *const site_kinds[] = {
	[SP_SITE_ENTRY] = "SP_SITE_ENTRY", [SP_SITE_RETURN] = "SP_SITE_RETURN", [SP_SITE_TAIL] = "SP_SITE_TAIL",
	[SP_SITE_PLACE] = "SP_SITE_PLACE", [SP_SITE_MARK] = "SP_SITE_MARK",
};

static const char *variant_of(const struct site *s)
{
	static char text[64];

	if (s->variant >> SP_VIA_SHIFT)
		BUG("%s: too many ways to fetch variables", s->point);
	snprintf(text, sizeof(text), s->via ? "%u | %uu << SP_VIA_SHIFT" : "%u", s->variant, s->via);
	return text;
}

/* What pn() returns in the whole probe: the alias a script named, or the first site's point. */
static const char *probe_name(const struct probe *pr)
{
	return pr->alias ? pr->alias : pr->sites ? pr->sites->list_point : pr->point;
}

static const char *script_point_c(struct cfile *f, const struct probe *pr, const struct site *s)
{
	return pr->alias || !strcmp(s->list_point, pr->sites->list_point) ? "0" : string_c(f, s->list_point);
}

static void print_sites(FILE *out, struct cfile *f, unsigned n)
{
	struct row *rows;
	unsigned k = 0;

	if (!n)
		return;
	rows = ARENA_ARRAY(f->a, struct row, n);
	for (const struct probe *pr = f->p->probes; pr; pr = pr->next)
		for (const struct site *s = pr->sites; s; s = s->next)
			rows[k++] = (struct row){ s, pr, object_number(f->p, s->obj), pr->id };
	qsort(rows, n, sizeof(*rows), row_order);
	fputs("/* object, probe, kind, variant, address, offset, gate address and offset, point, name, script's point */\n"
	      "static const struct sp_site sites[] = {\n", out);
	for (k = 0; k < n; k++) {
		const struct site *s = rows[k].site;

		fprintf(out, "\t{ %u, %u, %s, %s, %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ",\n\t  %s, %s, %s },\n",
			rows[k].object, rows[k].probe, site_kinds[s->kind], variant_of(s), s->addr, s->file_off,
			s->gate_addr, s->gate_off, string_c(f, s->point), string_c(f, s->name),
			script_point_c(f, rows[k].of, s));
	}
	fputs("};\n\n", out);
	if (!f->p->options->timing)
		return;
	fputs("static const sp_u32 site_timings[] = {", out);
	for (k = 0; k < n; k++)
		print_timing_number(out, rows[k].site->timing);
	fputs(" };\n\n", out);
}

/* ---- probes ---- */

static const char *const probe_kinds[] = {
	[SP_PROBE_BEGIN] = "SP_PROBE_BEGIN", [SP_PROBE_END] = "SP_PROBE_END", [SP_PROBE_ERROR] = "SP_PROBE_ERROR",
	[SP_PROBE_TIMER] = "SP_PROBE_TIMER", [SP_PROBE_SITE] = "SP_PROBE_SITE", [SP_PROBE_NEVER] = "SP_PROBE_NEVER",
};

static void print_locks(FILE *out, struct cfile *f, const struct probe *pr)
{
	if (!pr->nlocks)
		return;
	fprintf(out, "static const struct sp_lock locks_%d[] = {", pr->id);
	for (unsigned i = 0; i < pr->nlocks; i++)
		fprintf(out, "%s{ %s, %d }", i ? ", " : " ", global_index(f->a, pr->locks[i].global), pr->locks[i].write);
	fputs(" };\n", out);
}

static void print_sets(FILE *out, const struct probe *pr)
{
	if (!pr->nsets)
		return;
	fprintf(out, "static const sp_u16 sets_%d[] = {", pr->id);
	for (unsigned i = 0; i < pr->nsets; i++)
		fprintf(out, "%s%u", i ? ", " : " ", pr->sets[i]);
	fputs(" };\n", out);
}

static void print_conditions(FILE *out, const struct program *p)
{
	if (!p->nconditions)
		return;
	if (p->nconditions > UINT16_MAX)
		BUG("%u conditions", p->nconditions);
	fputs("static sp_bool (*const conditions[])(struct sp_ctx *c) = {", out);
	for (unsigned i = 0; i < p->nconditions; i++)
		fprintf(out, "%scondition_%u", i ? ", " : " ", i);
	fputs(" };\n", out);
}

static void print_flags(FILE *out, const struct probe *pr)
{
	const struct { bool set; const char *name; } flags[] = {
		{ pr->needs_fp, "SP_PROBE_NEEDS_FP" }, { pr->hidden, "SP_PROBE_HIDDEN" }, { pr->in_ticks, "SP_PROBE_TICKS" },
	};
	const char *before = " .flags = ";

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (!flags[i].set)
			continue;
		fprintf(out, "%s%s", before, flags[i].name);
		before = " | ";
	}
	if (pr->needs_fp || pr->hidden || pr->in_ticks)
		fputc(',', out);
}

static void print_probe_row(FILE *out, struct cfile *f, const struct probe *pr)
{
	fprintf(out, "\t{ .kind = %s, .handler = probe_%d,", probe_kinds[pr->kind], pr->id);
	if (pr->nlocks)
		fprintf(out, " .nlocks = %u, .locks = locks_%d,", pr->nlocks, pr->id);
	if (pr->condition_id)
		fprintf(out, " .condition = %d,", pr->condition_id);
	if (pr->nsets)
		fprintf(out, " .nsets = %u, .sets = sets_%d,", pr->nsets, pr->id);
	if (pr->order == INT64_MIN)
		fputs(" .order = -9223372036854775807LL - 1,", out);
	else if (pr->order)
		fprintf(out, " .order = %" PRId64 "LL,", pr->order);
	if (pr->kind == SP_PROBE_TIMER)
		fprintf(out, " .interval_ns = %" PRIu64 "ULL, .random_ns = %" PRIu64 "ULL,", pr->interval_ns, pr->random_ns);
	print_flags(out, pr);
	fprintf(out, "\n\t  .point = %s,", string_c(f, pr->sites ? pr->sites->point : pr->point));
	fprintf(out, "\n\t  .name = %s },\n", string_c(f, probe_name(pr)));
}

static unsigned print_probes(FILE *out, struct cfile *f)
{
	unsigned n = 0;

	for (const struct probe *pr = f->p->probes; pr; pr = pr->next) {
		print_locks(out, f, pr);
		print_sets(out, pr);
	}
	print_conditions(out, f->p);
	fputs("static const struct sp_probe probes[] = {\n", out);
	for (const struct probe *pr = f->p->probes; pr; pr = pr->next, n++) {
		if (pr->id != (int)n)
			BUG("probe %s has number %d at place %u", pr->point, pr->id, n);
		print_probe_row(out, f, pr);
	}
	fputs("};\n\n", out);
	return n;
}

static void print_limits(FILE *out, struct cfile *f)
{
	const struct sp_limits *l = &f->p->limits;
	const struct { const char *name; sp_u32 value; } rows[] = {
		{ "maxaction", l->maxaction }, { "maxnesting", l->maxnesting ? l->maxnesting : nesting_needed(f) },
		{ "maxstringlen", l->maxstringlen }, { "maxmapentries", l->maxmapentries },
		{ "maxerrors", l->maxerrors }, { "maxskipped", l->maxskipped },
		{ "maxtrylock", l->maxtrylock }, { "trylockdelay_us", l->trylockdelay_us },
		{ "maxbacktrace", l->maxbacktrace },
		{ "histwidth", l->histwidth }, { "histelision", l->histelision },
		{ "uninterruptible", l->uninterruptible },
		{ "printf_bytes", l->printf_bytes }, { "maxmemory_kb", l->maxmemory_kb },
		{ "overload_interval", l->overload_interval }, { "overload_threshold", l->overload_threshold },
		{ "minstackspace", l->minstackspace },
		{ "suppress_handler_errors", l->suppress_handler_errors },
		{ "suppress_time_limits", l->suppress_time_limits },
	};

	fputs("\t.limits = {\n", out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].value)
			fprintf(out, "\t\t.%s = %u,\n", rows[i].name, rows[i].value);
	if (l->maphashbias)
		fprintf(out, "\t\t.maphashbias = %d,\n", l->maphashbias);
	fputs("\t},\n", out);
}

/* What a script needs of the runtime beside its functions; pragmas in the C of those that are called say so, too. */
static void print_needs(FILE *out, const struct cfile *f)
{
	static const struct { const char *pragma; unsigned need; } rows[] = {
		{ "/* pragma:unwind */", SP_NEEDS_CHAIN }, { "/* pragma:symbols */", SP_NEEDS_NAMES },
		{ "/* pragma:vma */", SP_NEEDS_NAMES },
	};
	static const struct { unsigned need; const char *name; } names[] = {
		{ SP_NEEDS_MAPS, "SP_NEEDS_MAPS" }, { SP_NEEDS_CHAIN, "SP_NEEDS_CHAIN" }, { SP_NEEDS_NAMES, "SP_NEEDS_NAMES" },
	};
	unsigned needs = f->needs_maps ? SP_NEEDS_MAPS : 0;
	const char *before = "\t.needs = ";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		needs |= functions_say(f->p, rows[i].pragma) ? rows[i].need : 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(needs & names[i].need))
			continue;
		fprintf(out, "%s%s", before, names[i].name);
		before = " | ";
	}
	if (needs)
		fputs(",\n", out);
}

static void print_globals_rows(FILE *out, struct cfile *f)
{
	fputs("static const struct sp_global globals[] = {\n", out);
	for (const struct symbol *s = f->p->globals; s; s = s->next)
		print_global_row(out, f, s);
	fputs("};\n\n", out);
}

void print_tables(FILE *out, struct cfile *f)
{
	const struct program *p = f->p;
	unsigned nprobes, nsites = count_sites(p), nglobals = 0, ntimings = 0;
	bool scalars = false, initial = false, counters = false;

	for (const struct symbol *s = p->globals; s; s = s->next, nglobals++) {
		scalars |= is_scalar(s);
		initial |= is_scalar(s) && s->init;
		counters |= is_counter(s);
	}
	if (nglobals)
		print_globals_rows(out, f);
	print_places(out, f);
	print_objects(out, f);
	if (p->options->timing)
		ntimings = print_timing_rows(out, f);
	print_sites(out, f, nsites);
	nprobes = print_probes(out, f);

	fputs("const struct sp_script sp_script = {\n\t.abi = SP_ABI,\n", out);
	fprintf(out, "\t.name = %s,\n", string_c(f, p->options && p->options->module_name ? p->options->module_name : "spile"));
	fprintf(out, "\t.nprobes = %u, .probes = probes,\n", nprobes);
	if (nsites)
		fprintf(out, "\t.nsites = %u, .sites = sites,\n", nsites);
	if (p->nobjects)
		fprintf(out, "\t.nobjects = %u, .objects = objects,\n", p->nobjects);
	if (nglobals)
		fprintf(out, "\t.nglobals = %u, .globals = globals,\n", nglobals);
	if (f->places.n)
		fprintf(out, "\t.nplaces = %u, .places = places,\n", f->places.n);
	if (scalars)
		fprintf(out, "\t.globals_size = sizeof(struct globals),%s\n", initial ? " .globals_init = &globals_init," : "");
	if (counters)
		fputs("\t.ncells = CELLS,\n", out);
	print_limits(out, f);
	print_needs(out, f);
	if (p->entry_slots)
		fprintf(out, "\t.entry_slots = %u,\n", p->entry_slots);
	if (f->entry_strings)
		fprintf(out, "\t.entry_strings = %u,\n", f->entry_strings);
	if (p->nconditions)
		fprintf(out, "\t.nconditions = %u, .conditions = conditions,\n", p->nconditions);
	if (p->options->timing)
		fprintf(out, "\t.timing_unit = %s, .ntimings = %u, .timings = timings, .probe_timings = probe_timings,%s\n",
			timing_unit(p), ntimings, nsites ? " .site_timings = site_timings," : "");
	fputs("};\n", out);
}
