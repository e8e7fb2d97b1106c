/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What embedded C calls: C formats and C strings.  Start reading at sp_c_vformat().
 */
#include "core.h"
#include "../embedded/support.h"

/* ---- formats ---- */

struct sp_c_directive {
	sp_bool left, plus, space, alternate, zero, upper;
	sp_i64 width, precision;		/* precision -1: none */
	int longs;				/* -2 hh, -1 h, 0, 1 l and what is as wide */
};

/* The flags, width, precision and length at @f; returns what is behind them. */
static const char *sp_c_parse(struct sp_c_directive *d, const char *f, sp_i64 (*star)(void *data), void *data)
{
	for (;; f++) {
		if (*f == '-')
			d->left = 1;
		else if (*f == '+')
			d->plus = 1;
		else if (*f == ' ')
			d->space = 1;
		else if (*f == '#')
			d->alternate = 1;
		else if (*f == '0')
			d->zero = 1;
		else
			break;
	}
	if (*f == '*') {
		d->width = star(data);
		if (d->width < 0) {
			d->left = 1;
			d->width = -d->width;
		}
		f++;
	}
	for (; *f >= '0' && *f <= '9'; f++)
		d->width = SP_MIN(d->width * 10 + (*f - '0'), 65536);
	d->precision = -1;
	if (*f == '.') {
		d->precision = 0;
		f++;
		if (*f == '*') {
			d->precision = star(data);
			f++;
		}
		for (; *f >= '0' && *f <= '9'; f++)
			d->precision = SP_MIN(d->precision * 10 + (*f - '0'), 65536);
	}
	for (;; f++) {
		if (*f == 'h')
			d->longs--;
		else if (*f == 'l' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'L')
			d->longs++;
		else
			return f;
	}
}

static void sp_c_padded(struct sp_text *t, const struct sp_c_directive *d, const char *s, sp_u32 n)
{
	sp_i64 gap = d->width - n;

	if (!d->left)
		sp_text_fill(t, ' ', gap);
	sp_text_put(t, s, n);
	if (d->left)
		sp_text_fill(t, ' ', gap);
}

/* Sign or prefix, zeroes, digits. */
static void sp_c_number(struct sp_text *t, const struct sp_c_directive *d, const char *sign, sp_u64 v, unsigned base)
{
	char room[24], *end = room + sizeof(room), *at = sp_digits(end, v, base, d->upper);
	sp_i64 digits = v || d->precision ? end - at : 0, zeroes = d->precision - digits, nsign = (sp_i64)sp_text_len(sign), gap;

	if (d->precision < 0)
		zeroes = d->zero && !d->left ? d->width - digits - nsign : 0;
	zeroes = SP_MAX(zeroes, 0);
	gap = d->width - nsign - zeroes - digits;
	if (!d->left)
		sp_text_fill(t, ' ', gap);
	sp_text_puts(t, sign);
	sp_text_fill(t, '0', zeroes);
	sp_text_put(t, end - digits, (sp_u32)digits);
	if (d->left)
		sp_text_fill(t, ' ', gap);
}

struct sp_c_args { __builtin_va_list list; };

static sp_i64 sp_c_star(void *data)
{
	struct sp_c_args *a = data;

	return __builtin_va_arg(a->list, int);
}

static sp_i64 sp_c_signed(struct sp_c_args *a, int longs)
{
	if (longs > 0)
		return __builtin_va_arg(a->list, sp_i64);
	return longs < -1 ? (signed char)__builtin_va_arg(a->list, int) : longs ? (short)__builtin_va_arg(a->list, int)
		: __builtin_va_arg(a->list, int);
}

static sp_u64 sp_c_unsigned(struct sp_c_args *a, int longs)
{
	if (longs > 0)
		return __builtin_va_arg(a->list, sp_u64);
	return longs < -1 ? (unsigned char)__builtin_va_arg(a->list, int) :
	       longs ? (unsigned short)__builtin_va_arg(a->list, int) : __builtin_va_arg(a->list, unsigned int);
}

static void sp_c_text(struct sp_text *t, const struct sp_c_directive *d, const char *s)
{
	if ((sp_u64)(unsigned long)s < SP_PAGE)
		s = "<NULL>";
	sp_c_padded(t, d, s, (sp_u32)sp_c_length(s, d->precision < 0 ? ~(sp_u32)0 : (sp_size)d->precision));
}

/* One directive; what is none stands for itself. */
static void sp_c_convert(struct sp_text *t, struct sp_c_directive *d, char conversion, struct sp_c_args *a)
{
	sp_i64 n;
	char one;

	switch (conversion) {
	case 'd': case 'i':
		n = sp_c_signed(a, d->longs);
		sp_c_number(t, d, n < 0 ? "-" : d->plus ? "+" : d->space ? " " : "", n < 0 ? -(sp_u64)n : (sp_u64)n, 10);
		break;
	case 'u':
		sp_c_number(t, d, "", sp_c_unsigned(a, d->longs), 10);
		break;
	case 'o':
		sp_c_number(t, d, d->alternate ? "0" : "", sp_c_unsigned(a, d->longs), 8);
		break;
	case 'X':
		d->upper = 1;
		/* fall through */
	case 'x':
		sp_c_number(t, d, !d->alternate ? "" : d->upper ? "0X" : "0x", sp_c_unsigned(a, d->longs), 16);
		break;
	case 'p':
		sp_c_number(t, d, "0x", (sp_u64)(unsigned long)__builtin_va_arg(a->list, void *), 16);
		break;
	case 's':
		sp_c_text(t, d, __builtin_va_arg(a->list, const char *));
		break;
	case 'c':
		one = (char)__builtin_va_arg(a->list, int);
		sp_c_padded(t, d, &one, 1);
		break;
	default:
		sp_text_put(t, &conversion, 1);
	}
}

static sp_u32 sp_c_build(struct sp_text *t, const char *f, struct sp_c_args *a)
{
	while (*f) {
		sp_size n = 0;

		while (f[n] && f[n] != '%')
			n++;
		sp_text_put(t, f, (sp_u32)n);
		f += n;
		if (*f) {
			struct sp_c_directive d = { .precision = -1 };

			f = sp_c_parse(&d, f + 1, sp_c_star, a);
			if (*f)
				sp_c_convert(t, &d, *f++, a);
		}
	}
	return t->n;
}

int sp_c_vformat(char *out, sp_size size, const char *format, __builtin_va_list args)
{
	struct sp_text t = { .p = out, .size = size ? (sp_u32)(size - 1) : 0 };
	struct sp_c_args a;
	sp_u32 n;

	__builtin_va_copy(a.list, args);
	n = sp_c_build(&t, format, &a);
	__builtin_va_end(a.list);
	if (size)
		out[n] = 0;
	return (int)n;
}

int sp_c_format(char *out, sp_size size, const char *format, ...)
{
	__builtin_va_list args;
	int n;

	__builtin_va_start(args, format);
	n = sp_c_vformat(out, size, format, args);
	__builtin_va_end(args);
	return n;
}

void sp_c_printf(struct sp_ctx *c, const char *format, ...)
{
	struct sp_text t = { .c = c, .size = 0x7fffffff };
	struct sp_c_args a;

	__builtin_va_start(a.list, format);
	sp_c_build(&t, format, &a);
	__builtin_va_end(a.list);
}

void sp_c_warn(struct sp_ctx *c, const char *format, ...)
{
	struct sp_c_args a;
	struct sp_text t;

	sp_text_arena(&t, c);
	__builtin_va_start(a.list, format);
	sp_c_build(&t, format, &a);
	__builtin_va_end(a.list);
	sp_warn(c, sp_text_end(&t));
}

/* ---- strings ---- */

sp_size sp_c_length(const char *s, sp_size most)
{
	sp_size n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

sp_size sp_c_strlcpy(char *to, const char *from, sp_size size)
{
	sp_size n = sp_c_length(from, ~(sp_size)0), fits = size ? SP_MIN(n, size - 1) : 0;

	sp_copy(to, from, fits);
	if (size)
		to[fits] = 0;
	return n;
}

sp_size sp_c_strlcat(char *to, const char *from, sp_size size)
{
	sp_size n = sp_c_length(to, size);

	return n == size ? n + sp_c_length(from, ~(sp_size)0) : n + sp_c_strlcpy(to + n, from, size - n);
}

void sp_c_string(char *to, struct sp_str from, sp_size size)
{
	sp_size n = SP_MIN(from.n, size - 1);

	sp_copy(to, from.p, n);
	to[n] = 0;
}

struct sp_str sp_c_str(struct sp_ctx *c, const char *s)
{
	return s ? sp_str_keep(c, s, (sp_u32)sp_c_length(s, sp_str_max())) : SP_EMPTY;
}
