/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic on doubles that scripts hold as their 64 bits (IEEE 754-2008, binary64), without a floating-point instruction:
 * neither a kernel module nor a handler beside the target's own values may touch those registers.
 *
 * A finite number that is not 0 is taken apart into a sign, an exponent and 63 bits, the first of which is set; the last ten
 * are what rounding looks at, the very last also standing for all behind it.  Start reading at sp_float_pack().
 */
#include "core.h"

#define SIGN (1ull << 63)
#define INFINITE 0x7ff0000000000000ull
#define NOT_A_NUMBER 0x7ff8000000000000ull
#define FRACTION 0xfffffffffffffull
#define SPARE_BITS 10			/* behind the 53 that a double keeps */
#define BIAS 1023

struct number {
	sp_u64 sign;			/* SIGN or 0 */
	int exponent;			/* it is sig / 2^62 * 2^exponent */
	sp_u64 sig;			/* bit 62 is set, bit 63 is not */
};

static sp_bool is_nan(sp_u64 v)
{
	return (v & ~SIGN) > INFINITE;
}

static sp_bool is_infinite(sp_u64 v)
{
	return (v & ~SIGN) == INFINITE;
}

static sp_bool is_zero(sp_u64 v)
{
	return !(v & ~SIGN);
}

/* @sig shifted down; what falls out is still seen in the last bit. */
static sp_u64 shift_down(sp_u64 sig, int n)
{
	if (n < 64)
		return n ? sig >> n | (sig << (64 - n) != 0) : sig;
	return sig != 0;
}

static struct number put_in_place(sp_u64 sign, int exponent, sp_u64 sig)
{
	int up = __builtin_clzll(sig) - 1;
	struct number n;

	n.sign = sign;
	n.exponent = exponent - up;
	n.sig = up < 0 ? shift_down(sig, 1) : sig << up;
	return n;
}

static struct number take_apart(sp_u64 v)
{
	int exponent = v >> 52 & 0x7ff;
	sp_u64 fraction = v & FRACTION;

	if (exponent)
		return put_in_place(v & SIGN, exponent - BIAS, (fraction | 1ull << 52) << SPARE_BITS);
	return put_in_place(v & SIGN, 1 - BIAS, fraction << SPARE_BITS);
}

sp_u64 sp_float_pack(sp_u64 sign, int exponent, sp_u64 sig)
{
	const sp_u64 half = 1ull << (SPARE_BITS - 1);
	int biased = exponent + BIAS;
	sp_u64 rest;

	if (biased > 0x7fe)
		return sign | INFINITE;
	if (biased < 1) {		/* a number without leading one */
		sig = shift_down(sig, 1 - biased);
		biased = 1;
	}
	rest = sig & ((1ull << SPARE_BITS) - 1);
	sig >>= SPARE_BITS;
	sig += rest > half || (rest == half && (sig & 1));
	/* the leading one, where there is one, is what makes the exponent whole; so is a carry */
	return sign | (((sp_u64)(biased - 1) << 52) + sig);
}

static sp_u64 pack(struct number n)
{
	return sp_float_pack(n.sign, n.exponent, n.sig);
}

/* ---- the four operations and their kin ---- */

static sp_u64 add_finite(struct number x, struct number y)
{
	if (x.exponent < y.exponent || (x.exponent == y.exponent && x.sig < y.sig)) {
		struct number swap = x;

		x = y;
		y = swap;
	}
	y.sig = shift_down(y.sig, x.exponent - y.exponent);
	x.sig = x.sign == y.sign ? x.sig + y.sig : x.sig - y.sig;
	return x.sig ? pack(put_in_place(x.sign, x.exponent, x.sig)) : 0;
}

sp_i64 sp_fp_add(sp_u64 a, sp_u64 b)
{
	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b) && a != b))
		return NOT_A_NUMBER;
	if (is_infinite(a) || is_infinite(b))
		return is_infinite(a) ? a : b;
	if (is_zero(a) && is_zero(b))
		return a & b;
	if (is_zero(a) || is_zero(b))
		return is_zero(a) ? b : a;
	return add_finite(take_apart(a), take_apart(b));
}

sp_i64 sp_fp_sub(sp_u64 a, sp_u64 b)
{
	return sp_fp_add(a, is_nan(b) ? b : b ^ SIGN);
}

sp_i64 sp_fp_mul(sp_u64 a, sp_u64 b)
{
	sp_u64 sign = (a ^ b) & SIGN;
	unsigned __int128 product;
	struct number x, y;

	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
		return NOT_A_NUMBER;
	if (is_infinite(a) || is_infinite(b))
		return sign | INFINITE;
	if (is_zero(a) || is_zero(b))
		return sign;
	x = take_apart(a);
	y = take_apart(b);
	product = (unsigned __int128)x.sig * y.sig;
	x.sig = (sp_u64)(product >> 62) | (((sp_u64)product << 2) != 0);
	return pack(put_in_place(sign, x.exponent + y.exponent, x.sig));
}

/* The 63 bits of x / y, for x no less than y and less than twice y, and 1 in the last where there is a rest. */
static sp_u64 divide(sp_u64 x, sp_u64 y)
{
	sp_u64 q = 0;
	int i;

	for (i = 0; i < 63; i++) {
		q <<= 1;
		if (x >= y) {
			x -= y;
			q |= 1;
		}
		x <<= 1;
	}
	return q | (x != 0);
}

sp_i64 sp_fp_div(sp_u64 a, sp_u64 b)
{
	sp_u64 sign = (a ^ b) & SIGN;
	struct number x, y;

	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
		return NOT_A_NUMBER;
	if (is_infinite(a) || is_zero(b))
		return sign | INFINITE;
	if (is_zero(a) || is_infinite(b))
		return sign;
	x = take_apart(a);
	y = take_apart(b);
	if (x.sig < y.sig) {
		x.sig <<= 1;
		x.exponent--;
	}
	return sp_float_pack(sign, x.exponent - y.exponent, divide(x.sig, y.sig));
}

/* x less the nearest whole multiple of y, of two as near the even one (5.3.1). */
static sp_u64 remainder_finite(struct number x, struct number y)
{
	int i = x.exponent - y.exponent;
	sp_bool odd = 0;

	if (i < -1)
		return pack(x);
	if (i < 0) {			/* the same scale for both */
		y.sig <<= 1;
		y.exponent--;
	}
	for (; i >= 0; i--) {
		odd = x.sig >= y.sig;
		x.sig -= odd ? y.sig : 0;
		x.sig <<= i != 0;
	}
	if (x.sig > y.sig - x.sig || (x.sig == y.sig - x.sig && odd)) {
		x.sig = y.sig - x.sig;
		x.sign ^= SIGN;
	}
	return x.sig ? pack(put_in_place(x.sign, y.exponent, x.sig)) : x.sign;
}

sp_i64 sp_fp_rem(sp_u64 a, sp_u64 b)
{
	if (is_nan(a) || is_nan(b) || is_infinite(a) || is_zero(b))
		return NOT_A_NUMBER;
	if (is_zero(a) || is_infinite(b))
		return a;
	return remainder_finite(take_apart(a), take_apart(b));
}

sp_i64 sp_fp_sqrt(sp_u64 v)
{
	unsigned __int128 of;
	struct number x;
	sp_u64 root = 0;
	int bit;

	if (is_nan(v) || ((v & SIGN) && !is_zero(v)))
		return NOT_A_NUMBER;
	if (is_infinite(v) || is_zero(v))
		return v;
	x = take_apart(v);
	if (x.exponent & 1) {
		x.sig <<= 1;
		x.exponent--;
	}
	of = (unsigned __int128)x.sig << 62;
	for (bit = 62; bit >= 0; bit--) {
		sp_u64 more = root | 1ull << bit;

		if ((unsigned __int128)more * more <= of)
			root = more;
	}
	return sp_float_pack(0, x.exponent / 2, root | ((unsigned __int128)root * root != of));
}

/* ---- comparing ---- */

static sp_i64 rank(sp_u64 v)
{
	return v & SIGN ? -(sp_i64)(v & ~SIGN) : (sp_i64)v;
}

sp_bool sp_fp_eq(sp_u64 a, sp_u64 b)
{
	return !is_nan(a) && !is_nan(b) && rank(a) == rank(b);
}

sp_bool sp_fp_le(sp_u64 a, sp_u64 b)
{
	return !is_nan(a) && !is_nan(b) && rank(a) <= rank(b);
}

sp_bool sp_fp_lt(sp_u64 a, sp_u64 b)
{
	return !is_nan(a) && !is_nan(b) && rank(a) < rank(b);
}

/* ---- whole numbers ---- */

sp_i64 sp_long_to_fp(sp_i64 v)
{
	return v ? pack(put_in_place(v < 0 ? SIGN : 0, 62, v < 0 ? -(sp_u64)v : (sp_u64)v)) : 0;
}

/* Whether @whole, followed by @rest / 2^64, becomes one more. */
static sp_bool goes_up(sp_u64 whole, sp_u64 rest, sp_bool negative, sp_i64 mode)
{
	const sp_u64 half = SIGN;

	switch (mode) {
	case SP_ROUND_NEAREST_EVEN: return rest > half || (rest == half && (whole & 1));
	case SP_ROUND_DOWN: return rest && negative;
	case SP_ROUND_UP: return rest && !negative;
	case SP_ROUND_NEAREST_AWAY: return rest >= half;
	case SP_ROUND_ODD: return rest && !(whole & 1);
	default: return 0;
	}
}

sp_i64 sp_fp_to_long(struct sp_ctx *c, sp_u64 v, sp_i64 mode)
{
	struct number x;
	sp_u64 whole, rest;
	int drop;

	if (mode < SP_ROUND_NEAREST_EVEN || mode > SP_ROUND_ODD || mode == SP_ROUND_ODD - 1) {
		sp_error(c, "fp_to_long: no such rounding mode");
		return 0;
	}
	if (is_nan(v) || is_zero(v))
		return 0;
	x = take_apart(v);
	if (x.exponent > 62)
		return x.sign ? (sp_i64)SIGN : (sp_i64)~SIGN;
	drop = 62 - x.exponent;
	whole = drop < 64 ? x.sig >> drop : 0;
	rest = !drop ? 0 : drop < 64 ? x.sig << (64 - drop) : shift_down(x.sig, drop - 64);
	whole += goes_up(whole, rest, x.sign != 0, mode);
	return x.sign ? -(sp_i64)whole : (sp_i64)whole;
}
