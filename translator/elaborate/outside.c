/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -G: whether the globals that are set from outside are there, and can take what they are to hold. */
#include "elaborate/elaborate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct symbol *find_global(const struct program *p, const char *name)
{
	struct symbol *s = p->globals;

	while (s && (s->is_library || strcmp(s->name->text, name)))
		s = s->next;
	return s;
}

static void tell_unknown(struct program *p, const struct define *d)
{
	const char **names;
	unsigned n = 0;

	for (const struct symbol *s = p->globals; s; s = s->next)
		n++;
	names = ARENA_ARRAY(p->arena, const char *, n + 1);
	n = 0;
	for (const struct symbol *s = p->globals; s; s = s->next)
		if (!s->is_library)
			names[n++] = s->name->text;
	diag_error(p->diag, NO_SPAN, TAG_GLOBAL, "-G %s=%s: the script has no such global%s", d->name, d->value,
		   similar_text(p->arena, "similar", d->name, names, n, false));
	diag_hint(p->diag, "`global %s' in the script declares it", d->name);
}

static const char *wrong_value(const struct program *p, const struct symbol *s, const char *value)
{
	char *end;

	if (s->type == TY_UNKNOWN)
		return NULL;		/* nobody uses it */
	if (s->type == TY_STRING)
		return strlen(value) < p->limits.maxstringlen ? NULL : "the string is longer than MAXSTRINGLEN allows";
	errno = 0;
	strtoll(value, &end, 0);
	return *end ? "a number is needed" : errno ? "the number is out of range" : NULL;
}

void check_outside(struct program *p)
{
	for (const struct define *d = p->options->globals; d; d = d->next) {
		const struct symbol *s = find_global(p, d->name);
		bool scalar = s && !s->is_array && s->type != TY_STATS;
		const char *why = scalar ? wrong_value(p, s, d->value) : "only a scalar can be set from outside";

		if (!s)
			tell_unknown(p, d);
		else if (why)
			diag_error(p->diag, s->span, TAG_GLOBAL, "-G %s=%s: %s", d->name, d->value, why);
		if (s && !scalar)
			diag_hint(p->diag, "a begin probe can fill it: probe begin { %s%s %s %s }", d->name,
				  s->is_array ? "[...]" : "", s->type == TY_STATS ? "<<<" : "=", d->value);
	}
}
