/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts a printf format into text and directives (spec/language.md 7.2).  Start at format_parse(). */
#include <string.h>

#include "support/strbuf.h"
#include "syntax/parser.h"

#define FORMAT_NUMBER_MAX 1000000	/* no width or precision beyond: it could not be printed */

struct format {
	struct parser *p;
	struct span at;			/* of the whole format */
	const char *s;			/* NUL-terminated, as every string value is */
	struct strbuf text;		/* the literal text so far */
	struct format_part **end;
};

static void end_text(struct format *f)
{
	struct format_part *part;

	if (!f->text.len)
		return;
	part = ARENA_NEW(f->p->arena, struct format_part);
	part->kind = FMT_TEXT;
	part->text = str_intern_n(f->p->arena, f->text.text, f->text.len);
	f->text.len = 0;
	*f->end = part;
	f->end = &part->next;
}

static int digits(struct format *f)
{
	int n = 0;

	for (; *f->s >= '0' && *f->s <= '9'; f->s++)
		if (n < FORMAT_NUMBER_MAX)
			n = n * 10 + (*f->s - '0');
	return n < FORMAT_NUMBER_MAX ? n : FORMAT_NUMBER_MAX;
}

/* Digits or a star.  False: neither. */
static bool number_or_star(struct format *f, bool *star, int *n)
{
	*star = *f->s == '*';
	if (*star) {
		f->s++;
		return true;
	}
	if (*f->s < '0' || *f->s > '9')
		return false;
	*n = digits(f);
	return true;
}

/* Before version 1.3 a pointer was as wide as the machine's. */
static void old_pointer(struct format *f, struct format_part *part)
{
	if (part->conv != 'p' || part->has_width || gate(&f->p->gates, f->at, "1.3", "%p"))
		return;
	part->has_width = true;
	part->width = 2 + 2 * 8;	/* 0x and the digits */
	part->flag = '0';
}

/* After %.  NULL, or what is wrong. */
static const char *directive(struct format *f)
{
	struct format_part *part = ARENA_NEW(f->p->arena, struct format_part);

	part->kind = FMT_VALUE;
	if (*f->s && strchr("-+ #0", *f->s))
		part->flag = *f->s++;
	if (*f->s == '0') {
		part->zero = true;
		f->s++;
	}
	part->has_width = number_or_star(f, &part->star_width, &part->width);
	if (*f->s == '.') {
		f->s++;
		part->has_prec = true;
		number_or_star(f, &part->star_prec, &part->prec);
	}
	if (*f->s == 'l')
		f->s++;
	if (!*f->s)
		return "trailing incomplete print format conversion";
	if (!strchr("diuxXopbcsmM", *f->s))
		return "invalid or missing conversion specifier";
	part->conv = *f->s++;
	old_pointer(f, part);
	end_text(f);
	*f->end = part;
	f->end = &part->next;
	return NULL;
}

bool format_parse(struct parser *p, struct span at, const struct str *text, struct format_part **parts)
{
	struct format f = { .p = p, .at = at, .s = text->text, .end = parts };
	const char *wrong = NULL;

	while (!wrong && *f.s) {
		if (*f.s != '%') {
			strbuf_char(&f.text, *f.s++);
		} else if (f.s[1] == '%') {
			strbuf_char(&f.text, '%');
			f.s += 2;
		} else {
			f.s++;
			wrong = directive(&f);
		}
	}
	end_text(&f);
	strbuf_free(&f.text);
	if (wrong)
		diag_error(p->diag, at, TAG_FORMAT, "%s", wrong);
	return !wrong;
}
