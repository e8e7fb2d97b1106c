/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting text together, into a buffer or straight into the output.
 *
 * format.c, hist.c and every message of the runtime write through struct sp_text, so that one place knows how
 * text is cut.
 */
#include "core.h"

void sp_text_put(struct sp_text *t, const char *p, sp_u32 n)
{
	sp_u32 room = t->size - t->n;

	if (n > room) {
		t->cut = 1;
		n = room;
	}
	if (t->p)
		sp_copy(t->p + t->n, p, n);
	else
		sp_output(t->c, p, n);
	t->n += n;
}

void sp_text_fill(struct sp_text *t, char byte, sp_i64 n)
{
	char run[16];
	unsigned i;

	for (i = 0; i < sizeof(run); i++) {
		run[i] = byte;
		sp_barrier();
	}
	for (; n > 0 && t->n < t->size; n -= sizeof(run))
		sp_text_put(t, run, SP_MIN(n, (sp_i64)sizeof(run)));
	if (n > 0)
		t->cut = 1;
}

void sp_text_puts(struct sp_text *t, const char *text)
{
	sp_text_put(t, text, sp_text_len(text));
}

char *sp_digits(char *end, sp_u64 v, unsigned base, sp_bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	if (base == 10) {
		do
			*--end = digits[v % 10];
		while (v /= 10);
	} else {
		unsigned shift = base == 16 ? 4 : 3;

		do
			*--end = digits[v & (base - 1)];
		while (v >>= shift);
	}
	return end;
}

void sp_text_u64(struct sp_text *t, sp_u64 v, unsigned base)
{
	char buffer[24], *end = buffer + sizeof(buffer), *start = sp_digits(end, v, base, 0);

	sp_text_put(t, start, end - start);
}

void sp_text_hex(struct sp_text *t, sp_u64 v)
{
	sp_text_puts(t, "0x");
	sp_text_u64(t, v, 16);
}

void sp_text_arena(struct sp_text *t, struct sp_ctx *c)
{
	sp_size room = c->arena_end - c->arena_at;

	t->c = c;
	t->p = c->arena_at;
	t->n = 0;
	t->size = SP_MIN(room, sp_str_max());
	t->cut = 0;
	if (!t->size)
		sp_error(c, "out of memory for strings");
}

struct sp_str sp_text_end(struct sp_text *t)
{
	if (t->cut && t->p + t->size == t->c->arena_end && t->size < sp_str_max())
		sp_error(t->c, "out of memory for strings");
	else if (t->cut)
		sp_count_cut(t->c);
	t->c->arena_at = t->p + t->n;
	return sp_str_make(t->p, t->n);
}

void sp_text_for_error(struct sp_text *t, struct sp_ctx *c)
{
	t->c = c;
	t->p = c->error_buffer;
	t->n = 0;
	t->size = sizeof(c->error_buffer) - 1;
	t->cut = 0;
}

void sp_text_error(struct sp_text *t)
{
	t->p[t->n] = 0;
	t->c->error = t->p;
}

void sp_error_addr(struct sp_ctx *c, const char *before, sp_uaddr addr, const char *after)
{
	struct sp_text t;

	if (c->error)
		return;
	sp_text_for_error(&t, c);
	sp_text_puts(&t, before);
	sp_text_hex(&t, addr);
	sp_text_puts(&t, after);
	sp_text_error(&t);
}
