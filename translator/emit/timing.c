/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the probe hit report (-t): one for each resolved point of a probe, however many sites it has (the return
 * instructions of one function are one point).  Start at print_timing_rows().
 */
#include "emit/inner.h"

#include <stdlib.h>
#include <string.h>

struct placed {
	struct site *site;
	unsigned nth;			/* as the probe has them */
};

static int point_order(const void *a, const void *b)
{
	const struct placed *l = a, *r = b;
	int by_point = strcmp(l->site->point, r->site->point);

	return by_point ? by_point : l->nth < r->nth ? -1 : l->nth > r->nth;
}

/* Each site's .timing is the number, within the probe, of the first site with the same point. */
static void find_equals(struct probe *pr, struct arena *a)
{
	struct placed *all = ARENA_ARRAY(a, struct placed, pr->nsites + 1);
	unsigned n = 0;

	for (struct site *s = pr->sites; s; s = s->next, n++)
		all[n] = (struct placed){ s, n };
	qsort(all, n, sizeof(*all), point_order);
	for (unsigned i = 0; i < n; i++)
		all[i].site->timing = i && !strcmp(all[i].site->point, all[i - 1].site->point) ?
				      all[i - 1].site->timing : (int)all[i].nth;
}

static void print_row(FILE *out, struct cfile *f, const struct probe *pr, const char *point)
{
	struct span at = pr->decl ? pr->decl->span : pr->span;
	const char *file = at.source ? at.source->name : "<none>", *place;
	unsigned line = 0, column = 0;

	if (at.source)
		span_place(at, &line, &column);
	place = arena_printf(f->a, "%s:%u:%u", file, line, column);
	fprintf(out, "\t{ %s,\n", c_string(f->a, point, strlen(point)));
	fprintf(out, "\t  %s, %s },\n", c_string(f->a, place, strlen(place)), c_string(f->a, pr->from, strlen(pr->from)));
}

/* Rows of the probe's points, from @n on; returns the number behind the last. */
static int print_sites_rows(FILE *out, struct cfile *f, struct probe *pr, int n)
{
	int *row = ARENA_ARRAY(f->a, int, pr->nsites + 1);
	int nth = 0;

	find_equals(pr, f->a);
	for (struct site *s = pr->sites; s; s = s->next, nth++) {
		if (s->timing == nth) {
			print_row(out, f, pr, s->point);
			row[nth] = n++;
		}
		s->timing = row[s->timing];
	}
	return n;
}

static void hide(struct probe *pr)
{
	pr->timing = -1;
	for (struct site *s = pr->sites; s; s = s->next)
		s->timing = -1;
}

unsigned print_timing_rows(FILE *out, struct cfile *f)
{
	int n = 0;

	fputs("static const struct sp_timing timings[] = {\n", out);
	for (struct probe *pr = f->p->probes; pr; pr = pr->next) {
		hide(pr);
		if (pr->hidden)
			continue;
		if (pr->sites) {
			n = print_sites_rows(out, f, pr, n);
			continue;
		}
		print_row(out, f, pr, pr->point);
		pr->timing = n++;
	}
	fputs("};\n", out);
	fputs("static const sp_u32 probe_timings[] = {", out);
	for (const struct probe *pr = f->p->probes; pr; pr = pr->next)
		print_timing_number(out, pr->timing);
	fputs(" };\n\n", out);
	return (unsigned)n;
}

void print_timing_number(FILE *out, int row)
{
	if (row < 0)
		fputs(" SP_NO_TIMING,", out);
	else
		fprintf(out, " %d,", row);
}

/* cli.md 7: nanoseconds where a program times itself, or where asked for. */
const char *timing_unit(const struct program *p)
{
	for (const struct define *d = p->options->defines; d; d = d->next)
		if (!strcmp(d->name, "STP_TIMING_NSECS"))
			return "SP_TIMING_NSECS";
	return p->runtime == RUNTIME_USER ? "SP_TIMING_NSECS" : "SP_TIMING_CYCLES";
}
