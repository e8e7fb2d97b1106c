/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doubles, held as their 64 bits, to decimal text and back, each to the last digit: through whole numbers of some thousand
 * bits, which lie in the arena as long as they are needed.
 */
#include "core.h"

#define WORDS 160
#define MOST_DIGITS 800			/* 767 tell any number from one halfway between two doubles */
#define MOST_DECIMALS 1100		/* the smallest double has 1074 */
#define BILLION 1000000000u

/* A whole number, its lowest word first; words from n on are not set. */
struct big {
	sp_u32 n;
	sp_u32 w[WORDS];
};

static struct big *big_make(struct sp_ctx *c, sp_u64 v)
{
	struct big *b = (struct big *)sp_arena_alloc(c, sizeof(*b));

	if (!b)
		return 0;
	b->w[0] = (sp_u32)v;
	b->w[1] = v >> 32;
	b->n = b->w[1] ? 2 : v != 0;
	return b;
}

static void big_multiply(struct big *b, sp_u32 by, sp_u32 add)
{
	sp_u64 carry = add;
	sp_u32 i;

	for (i = 0; i < b->n; i++) {
		carry += (sp_u64)b->w[i] * by;
		b->w[i] = (sp_u32)carry;
		carry >>= 32;
	}
	if (carry && b->n < WORDS)
		b->w[b->n++] = (sp_u32)carry;
}

static void big_power(struct big *b, sp_u32 tens)
{
	for (; tens >= 9; tens -= 9)
		big_multiply(b, BILLION, 0);
	for (; tens; tens--)
		big_multiply(b, 10, 0);
}

/* Returns the rest. */
static sp_u32 big_divide(struct big *b, sp_u32 by)
{
	sp_u64 rest = 0;
	sp_u32 i;

	for (i = b->n; i--; ) {
		rest = rest << 32 | b->w[i];
		b->w[i] = (sp_u32)(rest / by);
		rest %= by;
	}
	while (b->n && !b->w[b->n - 1])
		b->n--;
	return (sp_u32)rest;
}

static void big_shift_up(struct big *b, sp_u32 bits)
{
	sp_u32 words = bits / 32, up = bits % 32, i;

	if (!b->n)
		return;
	if (b->n + words + 1 > WORDS)	/* none of our numbers is so large */
		return;
	b->w[b->n] = 0;
	for (i = b->n + 1; i--; ) {
		sp_u32 low = up && i ? b->w[i - 1] >> (32 - up) : 0;

		b->w[i + words] = b->w[i] << up | low;
	}
	sp_zero(b->w, words * sizeof(*b->w));
	b->n += words + 1;
	while (!b->w[b->n - 1])
		b->n--;
}

static sp_u32 big_bits(const struct big *b)
{
	return b->n ? 32 * b->n - __builtin_clz(b->w[b->n - 1]) : 0;
}

static sp_u32 big_bit(const struct big *b, sp_u32 i)
{
	return i / 32 < b->n ? b->w[i / 32] >> i % 32 & 1 : 0;
}

/* Whether one of the @n lowest bits is set. */
static sp_bool big_any(const struct big *b, sp_u32 n)
{
	sp_u32 i;

	for (i = 0; i < n / 32 && i < b->n; i++)
		if (b->w[i])
			return 1;
	return i < b->n && n % 32 && (b->w[i] & ((1u << n % 32) - 1));
}

static int big_compare(const struct big *a, const struct big *b)
{
	sp_u32 i;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = a->n; i--; )
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

/* @a is no less than @b. */
static void big_subtract(struct big *a, const struct big *b)
{
	sp_u32 i, borrow = 0;

	for (i = 0; i < a->n; i++) {
		sp_u64 d = (sp_u64)a->w[i] - (i < b->n ? b->w[i] : 0) - borrow;

		a->w[i] = (sp_u32)d;
		borrow = d >> 63;
	}
	while (a->n && !a->w[a->n - 1])
		a->n--;
}

/* Divides by 2^@bits, to the nearest number, of two as near to the even one. */
static void big_round_down(struct big *b, sp_u32 bits)
{
	sp_bool half = bits && big_bit(b, bits - 1), more = bits && big_any(b, bits - 1);
	sp_u32 words = bits / 32, down = bits % 32, i;

	for (i = words; i < b->n; i++) {
		sp_u32 high = down && i + 1 < b->n ? b->w[i + 1] << (32 - down) : 0;

		b->w[i - words] = b->w[i] >> down | high;
	}
	b->n = b->n > words ? b->n - words : 0;
	while (b->n && !b->w[b->n - 1])
		b->n--;
	if (half && (more || big_bit(b, 0)))
		big_multiply(b, 1, 1);
}

/* ---- to text ---- */

/* The digits of @b, at least @least, so that they end at @end; returns where they start. */
static char *big_digits(struct big *b, char *end, sp_u32 least)
{
	char *at = end;

	while (b->n || (sp_u32)(end - at) < least) {
		sp_u32 part = big_divide(b, BILLION), i;

		for (i = 0; i < 9 && (b->n || part || (sp_u32)(end - at) < least); i++) {
			*--at = '0' + part % 10;
			part /= 10;
		}
	}
	return at;
}

/* |v| in fixed notation. */
static void text_finite(struct sp_text *t, struct big *b, sp_u64 v, sp_i64 precision, char *end)
{
	int exponent = (int)(v >> 52 & 0x7ff) - 1075;
	sp_u32 decimals = exponent < 0 ? SP_MIN(precision, MOST_DECIMALS) : 0;
	char *at;

	exponent += (v >> 52 & 0x7ff) == 0;
	if (exponent >= 0) {
		big_shift_up(b, exponent);
	} else {
		big_power(b, decimals);
		big_round_down(b, -exponent);
	}
	at = big_digits(b, end, decimals + 1);
	sp_text_put(t, at, end - at - decimals);
	if (!precision)
		return;
	sp_text_put(t, ".", 1);
	sp_text_put(t, end - decimals, decimals);
	sp_text_fill(t, '0', precision - decimals);
}

struct sp_str sp_fp_to_string(struct sp_ctx *c, sp_u64 v, sp_i64 precision)
{
	const sp_u64 fraction = v & 0xfffffffffffffull;
	sp_bool special = (v >> 52 & 0x7ff) == 0x7ff;
	char *mark = c->arena_at, *buffer = sp_arena_alloc(c, MOST_DECIMALS + 320);
	struct big *b = big_make(c, fraction | ((v >> 52 & 0x7ff) ? 1ull << 52 : 0));
	struct sp_str *kept, s;
	struct sp_text t;

	if (!buffer || !b)
		return SP_EMPTY;
	sp_text_arena(&t, c);
	if (v >> 63 && !(special && fraction))
		sp_text_put(&t, "-", 1);
	if (special)
		sp_text_puts(&t, fraction ? "NaN" : "Infinity");
	else
		text_finite(&t, b, v, SP_MAX(precision, 0), buffer + MOST_DECIMALS + 320);
	s = sp_text_end(&t);
	kept = &s;
	sp_arena_release(c, mark, &kept, 1);
	return s;
}

/* ---- from text ---- */

/* A decimal number on its way: digits * 10^scale, and a little more where .more. */
struct decimal {
	struct big *digits;
	sp_u32 n;			/* how many, from the first that is not 0 */
	sp_i64 scale;
	sp_bool any, more;
};

static sp_bool is_digit(struct sp_str s, sp_u32 at)
{
	return at < s.n && s.p[at] >= '0' && s.p[at] <= '9';
}

/* Returns where the digits at @at end. */
static sp_u32 read_digits(struct decimal *d, struct sp_str s, sp_u32 at, sp_bool decimals)
{
	for (; is_digit(s, at); at++) {
		sp_u32 digit = s.p[at] - '0';

		d->any = 1;
		if (d->n == MOST_DIGITS) {
			d->more |= digit != 0;
			d->scale += !decimals;
			continue;
		}
		d->n += d->n || digit;
		big_multiply(d->digits, 10, digit);
		d->scale -= decimals;
	}
	return at;
}

/* "e-12" at @at; returns where it ends, or @at where there is none. */
static sp_u32 read_exponent(struct decimal *d, struct sp_str s, sp_u32 at)
{
	sp_u32 i = at + 1;
	sp_bool down = i < s.n && s.p[i] == '-';
	sp_i64 v = 0;

	if (at >= s.n || (s.p[at] | 0x20) != 'e')
		return at;
	i += down || (i < s.n && s.p[i] == '+');
	if (!is_digit(s, i))
		return at;
	for (; is_digit(s, i); i++)
		v = v > 100000 ? v : v * 10 + (s.p[i] - '0');
	d->scale += down ? -v : v;
	return i;
}

/* The double nearest to a / b, neither being 0. */
static sp_u64 quotient(sp_u64 sign, struct big *a, struct big *b)
{
	int exponent = (int)big_bits(a) - (int)big_bits(b), i;
	sp_u64 q = 0;

	big_shift_up(exponent < 0 ? a : b, exponent < 0 ? -exponent : exponent);
	if (big_compare(a, b) < 0) {
		big_shift_up(a, 1);
		exponent--;
	}
	for (i = 0; i < 63; i++) {
		q <<= 1;
		if (big_compare(a, b) >= 0) {
			big_subtract(a, b);
			q |= 1;
		}
		big_shift_up(a, 1);
	}
	return sp_float_pack(sign, exponent, q | (a->n != 0));
}

static sp_u64 decimal_to_double(struct sp_ctx *c, sp_u64 sign, struct decimal *d)
{
	struct big *by = big_make(c, 1);

	if (!by || !d->n || d->n + d->scale < -330)
		return sign;
	if (d->n + d->scale > 310)
		return sp_float_pack(sign, 2000, 1ull << 62);
	if (d->more) {
		big_multiply(d->digits, 10, 1);
		d->scale--;
	}
	big_power(d->scale < 0 ? by : d->digits, d->scale < 0 ? -d->scale : d->scale);
	return quotient(sign, d->digits, by);
}

sp_i64 sp_string_to_fp(struct sp_ctx *c, struct sp_str s)
{
	char *mark = c->arena_at;
	struct decimal d = { .digits = big_make(c, 0) };
	sp_u64 sign = s.n && s.p[0] == '-' ? 1ull << 63 : 0, v = 0;
	sp_u32 at = s.n && (s.p[0] == '-' || s.p[0] == '+');

	if (!d.digits)
		return 0;
	at = read_digits(&d, s, at, 0);
	if (at < s.n && s.p[at] == '.')
		at = read_digits(&d, s, at + 1, 1);
	if (read_exponent(&d, s, at) == s.n && d.any)
		v = decimal_to_double(c, sign, &d);
	else
		sp_error(c, "invalid format");
	sp_arena_release(c, mark, 0, 0);
	return v;
}
