/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String values: views into the arena, static text or a global, of at most MAXSTRINGLEN-1 bytes.
 *
 * A view's bytes never change while it may be used.  So joining may grow a string in place when it ends where
 * the arena ends: its other views keep their own lengths.  sp_arena_release() gives room back.
 */
#include "core.h"

char *sp_arena_bump(struct sp_ctx *c, sp_u32 n)
{
	char *p = c->arena_at;

	if (sp_unlikely(n > (sp_size)(c->arena_end - p))) {
		sp_error(c, "out of memory for strings");
		return 0;
	}
	c->arena_at = p + n;
	return p;
}

char *sp_arena_alloc(struct sp_ctx *c, sp_u32 n)
{
	sp_u32 gap = -(sp_size)c->arena_at & 7;
	char *p = n > 0xffffffffu - gap ? 0 : sp_arena_bump(c, gap + n);

	if (!p) {
		sp_error(c, "out of memory for strings");
		return 0;
	}
	return p + gap;
}

static sp_u32 cut(struct sp_ctx *c, sp_size n)
{
	if (sp_likely(n <= sp_str_max()))
		return n;
	sp_count_cut(c);
	return sp_str_max();
}

struct sp_str sp_str_keep(struct sp_ctx *c, const char *p, sp_u32 n)
{
	char *to;

	n = cut(c, n);
	to = sp_arena_bump(c, n);
	if (!to)
		return SP_EMPTY;
	sp_copy(to, p, n);
	return sp_str_make(to, n);
}

struct sp_str sp_concat(struct sp_ctx *c, struct sp_str a, struct sp_str b)
{
	sp_u32 n = cut(c, (sp_size)a.n + b.n), first = SP_MIN(a.n, n);
	char *to;

	if (!b.n)
		return sp_str_make(a.p, first);
	if (a.n && a.p + a.n == c->arena_at) {
		to = sp_arena_bump(c, n - first) ? (char *)a.p : 0;
	} else {
		to = sp_arena_bump(c, n);
		if (to)
			sp_copy(to, a.p, first);
	}
	if (!to)
		return SP_EMPTY;
	sp_copy(to + first, b.p, n - first);
	return sp_str_make(to, n);
}

int sp_strcmp(struct sp_str a, struct sp_str b)
{
	int order = sp_compare(a.p, b.p, SP_MIN(a.n, b.n));

	if (order)
		return order;
	return a.n < b.n ? -1 : a.n > b.n;
}

/* The length goes to 0 first: whoever dies half way leaves an empty string, not a mixed one. */
void sp_string_store(struct sp_ctx *c, void *global, struct sp_str s)
{
	struct sp_string_global *to = global;
	sp_u32 n = cut(c, s.n);

	c->wrote = 1;
	__atomic_store_n(&to->n, 0, __ATOMIC_RELAXED);
	sp_barrier();
	sp_copy(to->p, s.p, n);
	__atomic_store_n(&to->n, n, __ATOMIC_RELEASE);
}

struct sp_str sp_string_load(struct sp_ctx *c, const void *global)
{
	const struct sp_string_global *from = global;
	sp_u32 n = __atomic_load_n(&from->n, __ATOMIC_ACQUIRE);

	return sp_str_keep(c, from->p, n);
}

/* ---- giving room back ---- */

struct kept {
	struct sp_ctx *c;
	struct sp_str *const *view;
	sp_u32 n;
};

/* The runtime's own views come behind the script's. */
static struct sp_str *kept_view(const struct kept *k, sp_u32 i)
{
	return i < k->n ? k->view[i] : i == k->n ? &k->c->tokens : &k->c->subject;
}

static sp_u32 kept_views(const struct kept *k)
{
	return k->n + 2;
}

/* Whether a view has bytes in the arena at or above @from: it has not been moved yet. */
static sp_bool ends_above(const struct kept *k, const struct sp_str *s, const char *from)
{
	return s->n && s->p >= k->c->arena && s->p < k->c->arena_end && s->p + s->n > from;
}

/* Where the lowest view that is not moved yet starts, or NULL. */
static const char *next_run(const struct kept *k, const char *from)
{
	const char *low = 0;
	sp_u32 i;

	for (i = 0; i < kept_views(k); i++) {
		const struct sp_str *s = kept_view(k, i);

		if (ends_above(k, s, from) && (!low || s->p < low))
			low = s->p;
	}
	return low;
}

/* Views may share bytes: a run ends where no view goes on. */
static const char *run_end(const struct kept *k, const char *from, const char *start)
{
	const char *end = start, *before;
	sp_u32 i;

	do {
		before = end;
		for (i = 0; i < kept_views(k); i++) {
			const struct sp_str *s = kept_view(k, i);

			if (ends_above(k, s, from) && s->p <= end && s->p + s->n > end)
				end = s->p + s->n;
		}
	} while (end != before);
	return end;
}

/* Runs move down in order, to where the one before ends.  One that begins below the mark was grown past it, and stays. */
void sp_arena_release(struct sp_ctx *c, char *mark, struct sp_str *const *view, sp_u32 n)
{
	struct kept k;
	const char *from = mark, *start, *end;
	char *to = mark;
	sp_u32 i;

	k.c = c;
	k.view = view;
	k.n = n;
	while ((start = next_run(&k, from))) {
		end = run_end(&k, from, start);
		if (start <= to) {
			to = (char *)end;
		} else {
			sp_copy(to, start, end - start);
			for (i = 0; i < kept_views(&k); i++)
				if (ends_above(&k, kept_view(&k, i), from) && kept_view(&k, i)->p < end)
					kept_view(&k, i)->p -= start - to;
			to += end - start;
		}
		from = end;
	}
	c->arena_at = to;
}
