/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf and its family: the directives of spec/language.md 7.2.
 *
 * conversions[] below has a row for each; numbers share one writer.
 */
#include "core.h"

#define SP_PRINTF_BYTES 8192u		/* that one printf delivers, where -D STP_BUFFER_SIZE does not say */
#define SP_DUMP_MAX 4096		/* bytes that %m and %M may show */

/* One directive with its arguments at hand. */
struct directive {
	struct sp_ctx *c;
	struct sp_text *t;
	const struct sp_format_part *part;
	sp_i64 width, prec;		/* prec -1: not given */
	sp_bool left, fill;		/* fill: zeros, after sign and prefix */
	const union sp_val *arg;
};

static void pad_before(const struct directive *d, sp_i64 n, char byte)
{
	if (!d->left)
		sp_text_fill(d->t, byte, d->width - n);
}

static void pad_after(const struct directive *d, sp_i64 n, char byte)
{
	if (d->left)
		sp_text_fill(d->t, byte, d->width - n);
}

/* @sign and @prefix may be "". */
static void put_number(const struct directive *d, const char *sign, const char *prefix, sp_u64 v, unsigned base,
		       sp_bool upper)
{
	char buffer[24], *end = buffer + sizeof(buffer), *start = sp_digits(end, v, base, upper);
	sp_i64 digits = end - start, zeros = SP_MAX(d->prec - digits, 0);
	sp_i64 all = sp_text_len(sign) + sp_text_len(prefix) + zeros + digits;

	if (!d->fill)
		pad_before(d, all, ' ');
	sp_text_puts(d->t, sign);
	sp_text_puts(d->t, prefix);
	if (d->fill)
		pad_before(d, all, '0');
	sp_text_fill(d->t, '0', zeros);
	sp_text_put(d->t, start, digits);
	pad_after(d, all, ' ');
}

static void put_signed(const struct directive *d)
{
	sp_i64 v = d->arg->n;
	const char *sign = v < 0 ? "-" : d->part->flag == '+' ? "+" : d->part->flag == ' ' ? " " : "";

	put_number(d, sign, "", v < 0 ? -(sp_u64)v : (sp_u64)v, 10, 0);
}

static void put_unsigned(const struct directive *d)
{
	put_number(d, "", "", d->arg->n, 10, 0);
}

static void put_hex_memory(const struct directive *d)
{
	sp_bool upper = d->part->conv == 'X';

	put_number(d, "", d->part->flag != '#' ? "" : upper ? "0X" : "0x", d->arg->n, 16, upper);
}

static void put_pointer(const struct directive *d)
{
	put_number(d, "", "0x", d->arg->n, 16, 0);
}

static void put_octal(const struct directive *d)
{
	put_number(d, "", d->part->flag == '#' ? "0" : "", d->arg->n, 8, 0);
}

/* Raw bytes, as many as the precision says, else the width, else 8. */
static void put_binary(const struct directive *d)
{
	sp_i64 want = d->prec >= 0 ? d->prec : d->part->width >= 0 || (d->part->star & 1) ? d->width : 8;
	sp_i64 n = want == 1 || want == 2 || want == 4 ? want : 8;

	pad_before(d, n, 0);
	sp_text_put(d->t, (const char *)&d->arg->n, n);
	pad_after(d, n, 0);
}

/* What `%#c' writes for @byte; returns its length, at most 4. */
static unsigned escape_char(char to[4], unsigned char byte)
{
	static const char named[] = "\a\b\f\n\r\t\v'\\", letters[] = "abfnrtv'\\";
	unsigned at = sp_find_byte(named, byte, sizeof(named) - 1);

	if (at < sizeof(named) - 1) {
		to[0] = '\\';
		to[1] = letters[at];
		return 2;
	}
	if (byte >= 0x20 && byte < 0x7f) {
		to[0] = byte;
		return 1;
	}
	to[0] = '\\';
	to[1] = '0' + (byte >> 6);
	to[2] = '0' + (byte >> 3 & 7);
	to[3] = '0' + (byte & 7);
	return 4;
}

static void put_char(const struct directive *d)
{
	char text[4];
	unsigned n = 1;

	text[0] = d->arg->n;
	if (d->part->flag == '#')
		n = escape_char(text, d->arg->n);
	pad_before(d, n, ' ');
	sp_text_put(d->t, text, n);
	pad_after(d, n, ' ');
}

static void put_string(const struct directive *d)
{
	struct sp_str s = d->arg->s;

	if (d->prec >= 0)
		s.n = SP_MIN((sp_i64)s.n, d->prec);
	pad_before(d, s.n, ' ');
	sp_text_put(d->t, s.p, s.n);
	pad_after(d, s.n, ' ');
	if (d->part->flag == '0')
		sp_text_fill(d->t, 0, 1);
}

static void dump_too_long(const struct directive *d, sp_i64 n)
{
	struct sp_text t;

	if (d->c->error)
		return;
	sp_text_for_error(&t, d->c);
	sp_text_u64(&t, n, 10);
	sp_text_puts(&t, " is too many bytes for a memory dump");
	sp_text_error(&t);
}

static void put_hex_bytes(struct sp_text *t, const unsigned char *p, unsigned n)
{
	static const char digits[] = "0123456789abcdef";
	unsigned i;

	for (i = 0; i < n; i++) {
		char pair[2];

		pair[0] = digits[p[i] >> 4];
		pair[1] = digits[p[i] & 15];
		sp_text_put(t, pair, 2);
	}
}

/* Memory, piece by piece: nothing is printed before its bytes have been read. */
static void put_memory(const struct directive *d)
{
	sp_i64 n = d->prec >= 0 ? d->prec : 1, shown = d->part->conv == 'M' ? 2 * n : n, done;
	unsigned char piece[64];

	if (n > SP_DUMP_MAX) {
		dump_too_long(d, n);
		return;
	}
	pad_before(d, shown, ' ');
	for (done = 0; done < n; done += sizeof(piece)) {
		unsigned part = SP_MIN(n - done, (sp_i64)sizeof(piece));
		sp_uaddr addr = (sp_uaddr)d->arg->n + done;

		if (!sp_fetch(d->c, piece, addr, part)) {
			sp_error_addr(d->c, "read fault [man error::fault] at ", addr, "");
			return;
		}
		if (d->part->conv == 'M')
			put_hex_bytes(d->t, piece, part);
		else
			sp_text_put(d->t, (const char *)piece, part);
	}
	pad_after(d, shown, ' ');
}

static const struct conversion {
	char conv;
	void (*put)(const struct directive *d);
} conversions[] = {
	{ 's', put_string },
	{ 'd', put_signed },
	{ 'i', put_signed },
	{ 'u', put_unsigned },
	{ 'x', put_hex_memory },
	{ 'X', put_hex_memory },
	{ 'p', put_pointer },
	{ 'o', put_octal },
	{ 'c', put_char },
	{ 'b', put_binary },
	{ 'm', put_memory },
	{ 'M', put_memory },
};

static void put_directive(const struct directive *d)
{
	unsigned i;

	for (i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++)
		if (conversions[i].conv == d->part->conv) {
			conversions[i].put(d);
			return;
		}
}

static void format(struct sp_text *t, struct sp_ctx *c, const struct sp_format *f, const union sp_val *args)
{
	struct directive d;
	sp_u32 i;

	d.c = c;
	d.t = t;
	for (i = 0; i < f->nparts && !c->error; i++) {
		const struct sp_format_part *part = &f->parts[i];

		if (part->text) {
			sp_text_put(t, part->text, part->len);
			continue;
		}
		d.part = part;
		d.left = part->flag == '-';
		d.fill = !d.left && (part->flag == '0' || part->zero) && part->conv != 's';
		d.width = part->star & 1 ? (args++)->n : part->width;
		d.prec = part->star & 2 ? (args++)->n : part->prec;
		d.width = SP_MAX(d.width, 0);
		d.prec = SP_MAX(d.prec, -1);
		d.arg = args++;
		put_directive(&d);
	}
}

void sp_printf(struct sp_ctx *c, const struct sp_format *f, const union sp_val *args)
{
	struct sp_text t;

	t.c = c;
	t.p = 0;
	t.n = 0;
	t.size = sp_script.limits.printf_bytes ? sp_script.limits.printf_bytes : SP_PRINTF_BYTES;
	t.cut = 0;
	format(&t, c, f, args);
}

/* A NUL ends a string, so what follows one is dropped. */
struct sp_str sp_sprintf(struct sp_ctx *c, const struct sp_format *f, const union sp_val *args)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	format(&t, c, f, args);
	t.n = sp_find_byte(t.p, 0, t.n);
	return sp_text_end(&t);
}

void sp_print_long(struct sp_ctx *c, sp_i64 v)
{
	char buffer[24], *end = buffer + sizeof(buffer);
	char *start = sp_digits(end, v < 0 ? -(sp_u64)v : (sp_u64)v, 10, 0);

	if (v < 0)
		*--start = '-';
	sp_output(c, start, end - start);
}

void sp_print_str(struct sp_ctx *c, struct sp_str s)
{
	sp_output(c, s.p, s.n);
}

void sp_print_char(struct sp_ctx *c, sp_i64 byte)
{
	char text = byte;

	sp_output(c, &text, 1);
}
