/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library's string functions: parts, search, numbers, tokens.
 */
#include "core.h"

struct sp_str sp_substr(struct sp_ctx *c, struct sp_str s, sp_i64 start, sp_i64 length)
{
	(void)c;
	if (start < 0 || start >= (sp_i64)s.n || length <= 0)
		return SP_EMPTY;
	return sp_str_make(s.p + start, SP_MIN(length, (sp_i64)s.n - start));
}

sp_i64 sp_stringat(struct sp_ctx *c, struct sp_str s, sp_i64 at)
{
	if (at < 0 || at >= (sp_i64)s.n) {
		sp_error(c, "Position out of bounds");
		return 0;
	}
	return (unsigned char)s.p[at];
}

/* Offset of @what in @s at or behind @from, or -1. */
static sp_i64 find_text(struct sp_str s, struct sp_str what, sp_u32 from)
{
	sp_u32 i;

	for (i = from; what.n <= s.n && i <= s.n - what.n; i++)
		if (!sp_compare(s.p + i, what.p, what.n))
			return i;
	return -1;
}

sp_i64 sp_strpos(struct sp_str s, struct sp_str what)
{
	return find_text(s, what, 0);
}

struct sp_str sp_str_replace(struct sp_ctx *c, struct sp_str s, struct sp_str from, struct sp_str to)
{
	struct sp_text t;
	sp_u32 at = 0;

	if (!from.n)
		return s;
	sp_text_arena(&t, c);
	for (;;) {
		sp_i64 hit = find_text(s, from, at);

		if (hit < 0)
			break;
		sp_text_put(&t, s.p + at, hit - at);
		sp_text_put(&t, to.p, to.n);
		at = hit + from.n;
	}
	sp_text_put(&t, s.p + at, s.n - at);
	return sp_text_end(&t);
}

static int digit_value(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 0x20;
	return ch >= 'a' && ch <= 'z' ? ch - 'a' + 10 : 36;
}

/* As the kernel's simple_strtol(): no white space is skipped, what is no number is 0, overflow wraps. */
sp_i64 sp_strtol(struct sp_str s, sp_i64 base)
{
	sp_bool negative = s.n && s.p[0] == '-';
	sp_u32 i = negative;
	sp_bool hex = i + 2 < s.n && s.p[i] == '0' && (s.p[i + 1] | 0x20) == 'x' && digit_value(s.p[i + 2]) < 16;
	sp_u64 v = 0;

	if (base == 0)
		base = hex ? 16 : i < s.n && s.p[i] == '0' ? 8 : 10;
	if (base == 16 && hex)
		i += 2;
	for (; i < s.n && digit_value(s.p[i]) < base; i++)
		v = v * base + digit_value(s.p[i]);
	return negative ? -v : v;
}

/*
 * The hit's .tokens is what is left: a view of the string that was given first.
 */
struct sp_str sp_tokenize(struct sp_ctx *c, struct sp_str s, struct sp_str delims)
{
	const char *p = s.n ? s.p : c->tokens.p;
	sp_u32 left = s.n ? s.n : c->tokens.n, n = 0, rest;

	while (left && sp_find_byte(delims.p, *p, delims.n) < delims.n) {
		p++;
		left--;
	}
	while (n < left && sp_find_byte(delims.p, p[n], delims.n) == delims.n)
		n++;
	rest = n + (n < left);			/* the delimiter that ended it goes with it */
	c->tokens = sp_str_make(p + rest, left - rest);
	return n ? sp_str_make(p, n) : SP_EMPTY;
}
