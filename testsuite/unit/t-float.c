/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doubles without floating-point instructions: each function beside what this machine and its C library make of the same
 * bits, for all pairs of numbers at the edges and for many made-up ones (always the same).
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = {
	.name = "spile_unit", .limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 2048 },
};

enum { PAIRS = 400000, TEXTS = 60000 };

static uint64_t seed = 1;
static unsigned long tried, failed;

static uint64_t pick(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1dull;
}

static double number_of(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static uint64_t bits_of(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return isnan(d) ? 0x7ff8000000000000ull : bits;
}

/* Zero, the smallest, around one without leading one, one, halves, long ones, the largest, infinity, NaN; and their negatives. */
static const uint64_t edges[] = {
	0, 1, 2, 0xfffffffffffffull, 0x10000000000000ull, 0x10000000000001ull, 0x3fe0000000000000ull, 0x3fefffffffffffffull,
	0x3ff0000000000000ull, 0x3ff0000000000001ull, 0x3ff8000000000000ull, 0x4000000000000000ull, 0x4004000000000000ull,
	0x4008000000000000ull, 0x4024000000000000ull, 0x433fffffffffffffull, 0x4340000000000000ull, 0x43dfffffffffffffull,
	0x43e0000000000000ull, 0x43f0000000000000ull, 0x7fdfffffffffffffull, 0x7fe0000000000000ull, 0x7fefffffffffffffull,
	0x7ff0000000000000ull, 0x7ff8000000000000ull, 0x7ff0000000000001ull,
};
enum { NEDGES = sizeof(edges) / sizeof(*edges) };

/* Any bits; or numbers near one another, with many zeros or ones in them, where rounding has its hard cases. */
static uint64_t made_up(void)
{
	uint64_t v = pick(), like = pick();

	if (like % 4 == 0)
		return v;
	v = (v & 0x800fffffffffffffull) | (0x3ff + (like >> 8) % 128 - 64) << 52;
	if (like % 4 == 1)
		v &= ~0ull << (like >> 20) % 53;
	else if (like % 4 == 2)
		v |= (1ull << (like >> 20) % 53) - 1;
	return v;
}

static void tell(const char *what, uint64_t a, uint64_t b, uint64_t got, uint64_t want)
{
	tried++;
	if (got != want && failed++ < 20)
		printf("# %s of %016" PRIx64 ", %016" PRIx64 ": %016" PRIx64 ", not %016" PRIx64 "\n", what, a, b, got, want);
}

static void check_pair(uint64_t a, uint64_t b)
{
	volatile double x = number_of(a), y = number_of(b);

	tell("sum", a, b, sp_fp_add(a, b), bits_of(x + y));
	tell("difference", a, b, sp_fp_sub(a, b), bits_of(x - y));
	tell("product", a, b, sp_fp_mul(a, b), bits_of(x * y));
	tell("quotient", a, b, sp_fp_div(a, b), bits_of(x / y));
	tell("remainder", a, b, sp_fp_rem(a, b), bits_of(remainder(x, y)));
	tell("root", a, 0, sp_fp_sqrt(a), bits_of(sqrt(x)));
	tell("equal", a, b, sp_fp_eq(a, b), x == y);
	tell("less or equal", a, b, sp_fp_le(a, b), x <= y);
	tell("less", a, b, sp_fp_lt(a, b), x < y);
}

static void test_pairs(void)
{
	for (unsigned i = 0; i < 2 * NEDGES; i++)
		for (unsigned k = 0; k < 2 * NEDGES; k++)
			check_pair(edges[i / 2] | (uint64_t)i << 63, edges[k / 2] | (uint64_t)k << 63);
	for (unsigned i = 0; i < PAIRS; i++) {
		uint64_t a = made_up();

		check_pair(a, made_up());
	}
	CHECK_NUM(failed, 0);
	CHECK(tried > 9ul * PAIRS);
}

/* ---- whole numbers ---- */

static int64_t bounded(double d)
{
	return isnan(d) ? 0 : d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d;
}

/* @mode: as the library's functions round, one for each. */
static int64_t rounded(double d, int mode)
{
	double whole = trunc(d);

	switch (mode) {
	case SP_ROUND_NEAREST_EVEN: return bounded(nearbyint(d));
	case SP_ROUND_TO_ZERO: return bounded(whole);
	case SP_ROUND_DOWN: return bounded(floor(d));
	case SP_ROUND_UP: return bounded(ceil(d));
	case SP_ROUND_NEAREST_AWAY: return bounded(round(d));
	default: return bounded(whole == d || fmod(whole, 2) ? whole : whole + copysign(1, d));
	}
}

static void check_whole(uint64_t bits)
{
	struct sp_ctx *c = host_context();

	for (int mode = SP_ROUND_NEAREST_EVEN; mode <= SP_ROUND_ODD; mode++)
		if (mode != 5)
			tell("whole", bits, (uint64_t)mode, sp_fp_to_long(c, bits, mode), rounded(number_of(bits), mode));
	tell("double", bits, 0, sp_long_to_fp(bits), bits_of((double)(int64_t)bits));
}

static void test_whole(void)
{
	struct sp_ctx *c = host_context();

	failed = 0;
	for (unsigned i = 0; i < 2 * NEDGES; i++)
		check_whole(edges[i / 2] | (uint64_t)i << 63);
	for (unsigned i = 0; i < TEXTS; i++) {
		check_whole(made_up());
		check_whole(pick() >> i % 64);
	}
	for (int64_t i = -9; i <= 9; i++)
		check_whole(bits_of(i / 2.0));
	CHECK_NUM(failed, 0);
	for (int mode = -1; mode <= 7; mode += mode < 5 ? 6 : 2) {	/* -1, 5, 7 */
		CHECK_NUM(sp_fp_to_long(c, 0, mode), 0);
		CHECK_STR(c->error, "fp_to_long: no such rounding mode");
		c->error = NULL;
	}
}

/* ---- text ---- */

static void tell_text(const char *what, const char *got, const char *want)
{
	tried++;
	if (strcmp(got, want) && failed++ < 20)
		printf("# %s: '%s', not '%s'\n", what, got, want);
}

static void check_print(uint64_t bits, int precision)
{
	struct sp_ctx *c = host_context();
	double d = number_of(bits);
	char want[2048], what[80];

	if (isnan(d))
		strcpy(want, "NaN");
	else if (isinf(d))
		strcpy(want, d < 0 ? "-Infinity" : "Infinity");
	else
		snprintf(want, sizeof(want), "%.*f", precision, d);
	snprintf(what, sizeof(what), "%a with %d", d, precision);
	tell_text(what, host_text(sp_fp_to_string(c, bits, precision)), want);
}

static void check_scan(const char *text)
{
	struct sp_ctx *c = host_context();
	uint64_t got = (uint64_t)sp_string_to_fp(c, (struct sp_str){ text, (sp_u32)strlen(text) });
	uint64_t want = bits_of(strtod(text, NULL));

	tried++;
	if ((got != want || c->error) && failed++ < 20)
		printf("# '%s': %016" PRIx64 " (%s), not %016" PRIx64 "\n", text, got, c->error ? c->error : "", want);
}

/* The number as text, with one digit of it changed: most lie just beside where two doubles meet. */
static void check_around(uint64_t bits)
{
	char text[1500];		/* 309 digits, a point, 1100 decimals */
	int n;

	if (!isfinite(number_of(bits)) || !isfinite(number_of(bits + 1)))
		return;
	n = snprintf(text, sizeof(text), "%.*e", (int)(pick() % 20), number_of(bits));
	check_scan(text);
	n = snprintf(text, sizeof(text), "%.1100f", (number_of(bits) / 2 + number_of(bits + 1) / 2));
	check_scan(text);
	text[n - 1] = '1';
	check_scan(text);
}

static void test_text(void)
{
	static const char *const good[] = {
		"0", "-0", "+1", "1.", ".5", "-.5e1", "1e0", "1E+3", "1e-3", "00012.500", "1e400", "-1e400", "1e-400", "0e999999999999", "9007199254740993",
		"9007199254740993.00000000000000000000000000000000000000000001", "2.4703282292062327e-324", "2.4703282292062328e-324",
		"1.7976931348623158e308", "1.7976931348623159e308", "123456789012345678901234567890e-25", "0.1", "1e22", "1e23",
	}, *const bad[] = { "", "+", "-", ".", "e5", "1e", "1e+", "1x", " 1", "1 ", "0x10", "1.2.3", "NaN", "--1", "1e1.5" };
	static const int precisions[] = { 0, 1, 2, 6, 17, 60, 500, 1074, 1200 };
	struct sp_ctx *c;

	failed = 0;
	for (unsigned i = 0; i < 2 * NEDGES; i++)
		for (unsigned k = 0; k < sizeof(precisions) / sizeof(*precisions); k++)
			check_print(edges[i / 2] | (uint64_t)i << 63, precisions[k]);
	for (unsigned i = 0; i < TEXTS; i++) {
		uint64_t bits = made_up();

		check_print(bits, (int)(pick() % 20));
	}
	for (int i = 0; i < 2000; i++)
		check_print(bits_of(i / 16.0), i % 4);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		check_scan(good[i]);
	for (unsigned i = 0; i < 2 * NEDGES; i++)
		check_around(edges[i / 2] | (uint64_t)i << 63);
	for (unsigned i = 0; i < TEXTS / 20; i++)
		check_around(made_up());
	CHECK_NUM(failed, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		c = host_context();
		sp_string_to_fp(c, (struct sp_str){ bad[i], (sp_u32)strlen(bad[i]) });
		check_str(c->error ? c->error : "", "invalid format", __LINE__, bad[i]);
	}
	c = host_context();
	CHECK_STR(host_text(sp_fp_to_string(c, bits_of(2.75), -3)), "3");
	CHECK_STR(host_text(sp_fp_to_string(c, bits_of(-0.001), 2)), "-0.00");
	CHECK_NUM(host_text(sp_fp_to_string(c, bits_of(1), 1000000))[2046], '0');
}

/* Nothing stays in the arena but the text. */
static void test_room(void)
{
	struct sp_ctx *c = host_context();
	char *mark = c->arena_at;

	sp_string_to_fp(c, (struct sp_str){ "1.5", 3 });
	CHECK_NUM(c->arena_at - mark, 0);
	sp_fp_to_string(c, bits_of(1.5), 2);
	CHECK_NUM(c->arena_at - mark, 4);
	c->arena_at = c->arena_end - 100;
	sp_fp_to_string(c, bits_of(1.5), 2);
	CHECK_STR(c->error, "out of memory for strings");
}

int main(void)
{
	host_start();
	test_pairs();
	test_whole();
	test_text();
	test_room();
	printf("# %lu results\n", tried);
	return check_end();
}
