/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String values: views into the arena, static text or a global, of at most MAXSTRINGLEN-1 bytes.
 *
 * A view's bytes never change while its hit lasts.  So joining may grow a string in place when it ends where
 * the arena ends: its other views keep their own lengths.
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
	sp_count(&c->session->losses[SP_CUT_STRING]);
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
