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

/* Text being put together, and how long the whole of it is, that which found no room too. */
struct sp_c_out {
	struct sp_text text;
	sp_i64 whole;
};

static void sp_c_put(struct sp_c_out *t, const char *p, sp_u32 n)
{
	t->whole += n;
	sp_text_put(&t->text, p, n);
}

static void sp_c_fill(struct sp_c_out *t, char byte, sp_i64 n)
{
	t->whole += SP_MAX(n, 0);
	sp_text_fill(&t->text, byte, n);
}

static void sp_c_padded(struct sp_c_out *t, const struct sp_c_directive *d, const char *s, sp_u32 n)
{
	sp_i64 gap = d->width - n;

	if (!d->left)
		sp_c_fill(t, ' ', gap);
	sp_c_put(t, s, n);
	if (d->left)
		sp_c_fill(t, ' ', gap);
}

/* Sign or prefix, zeroes, digits. */
static void sp_c_number(struct sp_c_out *t, const struct sp_c_directive *d, const char *sign, sp_u64 v, unsigned base)
{
	char room[24], *end = room + sizeof(room), *at = sp_digits(end, v, base, d->upper);
	sp_i64 digits = v || d->precision ? end - at : 0, zeroes = d->precision - digits, nsign = (sp_i64)sp_text_len(sign), gap;

	if (d->precision < 0)
		zeroes = d->zero && !d->left ? d->width - digits - nsign : 0;
	zeroes = SP_MAX(zeroes, 0);
	gap = d->width - nsign - zeroes - digits;
	if (!d->left)
		sp_c_fill(t, ' ', gap);
	sp_c_put(t, sign, (sp_u32)nsign);
	sp_c_fill(t, '0', zeroes);
	sp_c_put(t, end - digits, (sp_u32)digits);
	if (d->left)
		sp_c_fill(t, ' ', gap);
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

static void sp_c_text(struct sp_c_out *t, const struct sp_c_directive *d, const char *s)
{
	if ((sp_u64)(unsigned long)s < SP_PAGE)
		s = "<NULL>";
	sp_c_padded(t, d, s, (sp_u32)sp_c_length(s, d->precision < 0 ? ~(sp_u32)0 : (sp_size)d->precision));
}

/* One directive; what is none stands for itself. */
static void sp_c_convert(struct sp_c_out *t, struct sp_c_directive *d, char conversion, struct sp_c_args *a)
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
		sp_c_put(t, &conversion, 1);
	}
}

static void sp_c_build(struct sp_c_out *t, const char *f, struct sp_c_args *a)
{
	while (*f) {
		sp_size n = 0;

		while (f[n] && f[n] != '%')
			n++;
		sp_c_put(t, f, (sp_u32)n);
		f += n;
		if (*f) {
			struct sp_c_directive d = { .precision = -1 };

			f = sp_c_parse(&d, f + 1, sp_c_star, a);
			if (*f)
				sp_c_convert(t, &d, *f++, a);
		}
	}
}

int sp_c_vformat(char *out, sp_size size, const char *format, __builtin_va_list args)
{
	char none;
	struct sp_c_out t = { .text = { .p = size ? out : &none, .size = size ? (sp_u32)(size - 1) : 0 } };
	struct sp_c_args a;

	__builtin_va_copy(a.list, args);
	sp_c_build(&t, format, &a);
	__builtin_va_end(a.list);
	if (size)
		out[t.text.n] = 0;
	return (int)t.whole;
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

int sp_c_format_cut(char *out, sp_size size, const char *format, ...)
{
	__builtin_va_list args;
	int n;

	__builtin_va_start(args, format);
	n = sp_c_vformat(out, size, format, args);
	__builtin_va_end(args);
	return (sp_size)n < size ? n : size ? (int)size - 1 : 0;
}

void sp_c_printf(struct sp_ctx *c, const char *format, ...)
{
	struct sp_c_out t = { .text = { .c = c, .size = 0x7fffffff } };
	struct sp_c_args a;

	if (!c)
		return;
	__builtin_va_start(a.list, format);
	sp_c_build(&t, format, &a);
	__builtin_va_end(a.list);
}

/* A text in the arena. */
static struct sp_str sp_c_kept(struct sp_ctx *c, const char *format, struct sp_c_args *a)
{
	struct sp_c_out t = { .whole = 0 };

	sp_text_arena(&t.text, c);
	sp_c_build(&t, format, a);
	return sp_text_end(&t.text);
}

void sp_c_warn(struct sp_ctx *c, const char *format, ...)
{
	struct sp_c_args a;

	if (!c)
		return;
	__builtin_va_start(a.list, format);
	sp_warn(c, sp_c_kept(c, format, &a));
	__builtin_va_end(a.list);
}

void sp_c_fatal(struct sp_ctx *c, const char *format, ...)
{
	struct sp_c_args a;

	if (!c)
		return;
	__builtin_va_start(a.list, format);
	sp_error_str(c, sp_c_kept(c, format, &a));
	__builtin_va_end(a.list);
	sp_exit(c);
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
