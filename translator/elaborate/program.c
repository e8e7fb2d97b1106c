/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resolved program as a whole: its making, its limits, its objects. */
#include "elaborate/elaborate.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ limits */

/*
 * -D names of language.md 8.1 that the runtime knows, and what they may be.  A string of MAX_STRING bytes is more than
 * one record of output holds; larger ones only make every hit's memory impossible to have.
 */
enum { MAX_STRING = 1 << 20, MAX_CALLS = 1 << 12 };
static const struct limit { const char *name; size_t offset; int32_t value, least, most; } limits[] = {
	{ "MAXACTION_INTERRUPTIBLE",	offsetof(struct sp_limits, maxaction),		0, 0, INT32_MAX },
	{ "MAXNESTING",			offsetof(struct sp_limits, maxnesting),		0, 0, INT32_MAX },	/* 0: as the calls need */
	{ "MAXSTRINGLEN",		offsetof(struct sp_limits, maxstringlen),	512, 2, MAX_STRING },
	{ "MAXMAPENTRIES",		offsetof(struct sp_limits, maxmapentries),	2048, 1, INT32_MAX },
	{ "MAXERRORS",			offsetof(struct sp_limits, maxerrors),		0, 0, INT32_MAX },
	{ "MAXSKIPPED",			offsetof(struct sp_limits, maxskipped),		100, 0, INT32_MAX },
	{ "MAXTRYLOCK",			offsetof(struct sp_limits, maxtrylock),		100, 0, INT32_MAX },
	{ "TRYLOCKDELAY",		offsetof(struct sp_limits, trylockdelay_us),	10, 0, INT32_MAX },
	{ "MAXBACKTRACE",		offsetof(struct sp_limits, maxbacktrace),	20, 1, MAX_CALLS },
	{ "MAPHASHBIAS",		offsetof(struct sp_limits, maphashbias),	0, -8, 8 },
	{ "HIST_WIDTH",			offsetof(struct sp_limits, histwidth),		50, 1, INT32_MAX },
	{ "HIST_ELISION",		offsetof(struct sp_limits, histelision),	2, INT32_MIN, INT32_MAX },
	/* 0: what the runtime takes for it, or none */
	{ "STP_BUFFER_SIZE",		offsetof(struct sp_limits, printf_bytes),	0, 1, INT32_MAX },
	{ "STP_MAXMEMORY",		offsetof(struct sp_limits, maxmemory_kb),	0, 1, INT32_MAX },
	{ "STP_OVERLOAD_INTERVAL",	offsetof(struct sp_limits, overload_interval),	0, 1, INT32_MAX },
	{ "STP_OVERLOAD_THRESHOLD",	offsetof(struct sp_limits, overload_threshold),	0, 1, INT32_MAX },
	{ "MINSTACKSPACE",		offsetof(struct sp_limits, minstackspace),	0, 0, INT32_MAX },
};
enum { OVERLOAD_INTERVAL = 1000000000, OVERLOAD_THRESHOLD = 500000000 };
/* Names that scripts in use give, and what they would bound is not there. */
static const struct unused { const char *name, *why; } unused[] = {
	{ "KRETACTIVE",			"returns are probed at return instructions, as many at once as there are" },
	{ "MAXUPROBES",			"all probes are known when the session starts" },
	{ "STP_ON_THE_FLY_INTERVAL",	"probes are armed as soon as a condition changes" },
};
static const struct limit limit_interruptible = { "INTERRUPTIBLE", 0, 1, 0, 1 };
/* A linear histogram takes 8 bytes for each, in every element and on every processor. */
static const struct limit limit_buckets = { "STP_MAX_BUCKETS", 0, 128, 3, 1 << 16 };
static const struct limit limit_maxaction = { "MAXACTION", 0, 1000, 0, INT32_MAX };
enum {
	NLIMITS = sizeof(limits) / sizeof(limits[0]), INTERRUPTIBLE_FACTOR = 10,
	NUNUSED = sizeof(unused) / sizeof(unused[0]),
};

static int64_t limit_value(struct program *p, const struct define *d, const struct limit *l)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(d->value, &end, 0);
	if (!*d->value || *end)
		diag_error(p->diag, NO_SPAN, TAG_LIMIT, "-D %s=%s: a number is needed", d->name, d->value);
	else if (errno || n < l->least || n > l->most)
		diag_error(p->diag, NO_SPAN, TAG_LIMIT, "-D %s=%s: it must be a number from %" PRId32 " to %" PRId32, d->name,
			   d->value, l->least, l->most);
	else
		return n;
	return l->value;
}

static void say_unused(struct program *p, const struct define *d)
{
	for (int i = 0; i < NUNUSED; i++)
		if (!strcmp(d->name, unused[i].name))
			diag_warning(p->diag, NO_SPAN, TAG_LIMIT, "-D %s has no effect: %s", d->name, unused[i].why);
}

/* The overload check is made where one of its limits is given, and not where any option says that it is unwanted. */
static void set_overload(struct program *p)
{
	bool wanted = (p->limits.overload_interval || p->limits.overload_threshold) && !p->options->suppress_time_limits;

	for (const struct define *d = p->options->defines; d; d = d->next)
		wanted &= strcmp(d->name, "STP_NO_OVERLOAD") != 0;
	if (!p->limits.overload_interval)
		p->limits.overload_interval = OVERLOAD_INTERVAL;
	if (!p->limits.overload_threshold)
		p->limits.overload_threshold = OVERLOAD_THRESHOLD;
	if (!wanted)
		p->limits.overload_interval = p->limits.overload_threshold = 0;
}

static void set_limits(struct program *p)
{
	char *base = (char *)&p->limits;
	int64_t maxaction = limit_maxaction.value, interruptible = limit_interruptible.value;

	p->max_buckets = limit_buckets.value;
	for (int i = 0; i < NLIMITS; i++)
		*(sp_u32 *)(base + limits[i].offset) = limits[i].value;
	for (const struct define *d = p->options->defines; d; d = d->next) {
		if (!strcmp(d->name, limit_maxaction.name))
			maxaction = limit_value(p, d, &limit_maxaction);
		if (!strcmp(d->name, limit_interruptible.name))
			interruptible = limit_value(p, d, &limit_interruptible);
		if (!strcmp(d->name, limit_buckets.name))
			p->max_buckets = limit_value(p, d, &limit_buckets);
		for (int i = 0; i < NLIMITS; i++)
			if (!strcmp(d->name, limits[i].name))
				*(sp_u32 *)(base + limits[i].offset) = limit_value(p, d, &limits[i]);
		say_unused(p, d);
	}
	set_overload(p);
	if (!interruptible)
		p->limits.maxaction = maxaction;
	else if (!p->limits.maxaction)
		p->limits.maxaction = maxaction < INT32_MAX / INTERRUPTIBLE_FACTOR ? maxaction * INTERRUPTIBLE_FACTOR : INT32_MAX;
	p->limits.uninterruptible = !interruptible;
	p->limits.suppress_handler_errors = p->options->suppress_handler_errors;
	p->limits.suppress_time_limits = p->options->suppress_time_limits;
}

/* ------------------------------------------------------------------------------------------------ making, objects */

struct program *program_make(struct arena *a, struct diag *d, const struct options *o, const struct layout *l)
{
	struct program *p = ARENA_NEW(a, struct program);

	p->arena = a;
	p->diag = d;
	p->options = o;
	p->layout = l;
	p->state = ARENA_NEW(a, struct elaboration);
	set_limits(p);
	return p;
}

bool is_older(const struct program *p, const char *version)
{
	return p->options->compatible && strverscmp(p->options->compatible, version) < 0;
}

void program_close(struct program *p)
{
	for (unsigned i = 0; i < p->nobjects; i++)
		object_close(p->objects[i]);
	for (unsigned i = 0; i < p->ntype_objects; i++)
		object_close(p->type_objects[i]);
	free(p->objects);
	free(p->type_objects);
	p->objects = p->type_objects = NULL;
	p->nobjects = p->ntype_objects = 0;
}

/* @path in the list of @n, opened where it is not there yet. */
static struct object *open_in(struct program *p, struct object ***list, unsigned *n, const char *path, struct di_miss *miss)
{
	struct object_options opts = { .use_server = getenv("DEBUGINFOD_URLS") != NULL };
	char *real = realpath(path, NULL);
	struct object *obj = NULL;

	for (unsigned i = 0; real && i < *n && !obj; i++)
		if (!strcmp((*list)[i]->path, real))
			obj = (*list)[i];
	free(real);
	if (obj)
		return obj;
	obj = object_open(path, &opts, p->arena, miss);
	if (!obj)
		return NULL;
	*list = realloc(*list, (*n + 1) * sizeof(**list));
	if (!*list)
		abort();
	(*list)[(*n)++] = obj;
	return obj;
}

struct object *program_object(struct program *p, const char *path, struct di_miss *miss)
{
	return open_in(p, &p->objects, &p->nobjects, path, miss);
}

struct object *program_type_object(struct program *p, const char *path, struct di_miss *miss)
{
	return open_in(p, &p->type_objects, &p->ntype_objects, path, miss);
}
