/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How deep script functions call each other: MAXNESTING where -D does not say it (spec/language.md 8.1).
 *
 * The longest chain of calls without coming back to a function that is already in it, and one more; where a chain does
 * come back, ten more.
 */
#include "emit/inner.h"

#include "syntax/syntax.h"

enum { FOR_RECURSION = 10 };

struct diving {
	struct cfile *f;
	unsigned *depth;		/* by function id; 0: not yet known */
	bool *open;			/* by function id: in the chain at hand */
	bool recursive;
	unsigned deepest;		/* below the node at hand */
};

static void dive_expr(struct expr **e, void *data);
static void dive_stmt(struct stmt **s, void *data);

static unsigned of_function(struct diving *d, struct function *fn)
{
	struct diving inner = *d;

	if (d->open[fn->id]) {
		d->recursive = true;
		return 0;
	}
	if (!d->depth[fn->id]) {
		d->open[fn->id] = true;
		inner.deepest = 0;
		dive_stmt(&fn->body, &inner);
		d->recursive |= inner.recursive;
		d->open[fn->id] = false;
		d->depth[fn->id] = inner.deepest + 1;
	}
	return d->depth[fn->id];
}

static void dive_expr(struct expr **e, void *data)
{
	struct diving *d = data;

	if (!*e)
		return;
	if ((*e)->kind == EXPR_CALL)
		for (struct function *fn = (*e)->u.call.fn; fn; fn = fn->overload) {
			unsigned n = (unsigned)fn->id < d->f->nfunction_ids ? of_function(d, fn) : 0;

			d->deepest = n > d->deepest ? n : d->deepest;
		}
	expr_children(*e, dive_expr, d);
}

static void dive_stmt(struct stmt **s, void *data)
{
	if (!*s)
		return;
	stmt_children(*s, dive_expr, dive_stmt, data);
}

unsigned nesting_needed(struct cfile *f)
{
	struct diving d = { .f = f };
	unsigned deepest = 0;

	d.depth = ARENA_ARRAY(f->a, unsigned, f->nfunction_ids + 1);
	d.open = ARENA_ARRAY(f->a, bool, f->nfunction_ids + 1);
	for (struct function *fn = f->p->functions; fn; fn = fn->next) {
		unsigned n = of_function(&d, fn);

		deepest = n > deepest ? n : deepest;
	}
	return deepest + 1 + (d.recursive ? FOR_RECURSION : 0);
}
