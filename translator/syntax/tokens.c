/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last stage before the grammar: joins adjacent string literals, glues the pieces of probe point
 * words, tells what is wrong with bad tokens, and after an error skips to the next item.
 * Start reading at token_next().
 */
#include <ctype.h>
#include <string.h>

#include "support/strbuf.h"
#include "syntax/parser.h"
#include "syntax/parse.h"

bool token_starts_item(int kind)
{
	return kind == PROBE || kind == GLOBAL || kind == PRIVATE || kind == FUNCTION || kind == EMBEDDED ||
	       kind == END;
}

static bool is_keyword(int kind)
{
	return kind >= PROBE && kind <= CATCH;
}

static bool is_print_word(int kind)
{
	return kind >= PRINT && kind <= PRINTCHAR;
}

/* May be a piece of a probe point component's name. */
static bool is_piece(int kind)
{
	return kind == IDENT || kind == NUMBER || kind == '*' || is_keyword(kind) || is_print_word(kind);
}

const char *token_describe(struct arena *a, const struct token *t)
{
	const char *kind = "operator", *text = t->span.source ? t->span.source->text + t->span.off : "";

	if (t->kind == END)
		return "end of file";
	if (t->kind == EMBEDDED)
		return "embedded-code";
	if (t->kind == STRING)
		return arena_printf(a, "string '%.*s'", (int)(t->text->len < 40 ? t->text->len : 40), t->text->text);
	if (t->kind == NUMBER)
		kind = "number";
	else if (t->kind == BAD)
		kind = "junk";
	else if (is_keyword(t->kind))
		kind = "keyword";
	else if (t->kind == IDENT || t->kind == TARGET || t->kind == WORD || is_print_word(t->kind))
		kind = "identifier";
	return arena_printf(a, "%s '%.*s'", kind, (int)(t->span.len < 80 ? t->span.len : 80), text);
}

static void take(struct parser *p, struct token *t)
{
	if (p->has_ahead) {
		*t = p->ahead;
		p->has_ahead = false;
	} else {
		preprocess_next(&p->pp, t);
	}
}

static struct token *look_ahead(struct parser *p)
{
	if (!p->has_ahead) {
		preprocess_next(&p->pp, &p->ahead);
		p->has_ahead = true;
	}
	return &p->ahead;
}

/* True where more than blanks stands between two tokens of one text: a comment. */
static bool comment_between(struct span a, struct span b)
{
	const char *s = a.source->text + a.off + a.len, *end = b.source->text + b.off;

	if (a.source != b.source || a.expanded || b.expanded)
		return false;
	while (s < end && isspace((unsigned char)*s))
		s++;
	return s < end;
}

static bool joins_next(struct parser *p, const struct token *t)
{
	const struct token *next = look_ahead(p);

	return next->kind == STRING && (!comment_between(t->span, next->span) ||
					gate(&p->gates, t->span, "2.0", "joining strings across a comment"));
}

static void join_strings(struct parser *p, struct token *t)
{
	struct strbuf all = { 0 };

	if (!joins_next(p, t))
		return;
	strbuf_add_n(&all, t->text->text, t->text->len);
	while (joins_next(p, t)) {
		struct token more;

		take(p, &more);
		strbuf_add_n(&all, more.text->text, more.text->len);
		t->span = span_join(t->span, more.span);
	}
	t->text = str_intern_n(p->arena, all.text, all.len);
	strbuf_free(&all);
}

/* Piece after piece with nothing between: func*_2, foo.if */
static void glue_word(struct parser *p, struct token *t)
{
	struct strbuf all = { 0 };
	const struct token *more;

	if (t->kind == '*')
		strbuf_char(&all, '*');
	else
		strbuf_add_n(&all, t->text->text, t->text->len);
	while ((more = look_ahead(p))->glued && is_piece(more->kind)) {
		struct token piece;

		take(p, &piece);
		if (piece.kind == '*')
			strbuf_char(&all, '*');
		else
			strbuf_add_n(&all, piece.text->text, piece.text->len);
		t->span = span_join(t->span, piece.span);
	}
	t->kind = WORD;
	t->error = NULL;
	t->text = str_intern_n(p->arena, all.text, all.len);
	strbuf_free(&all);
}

/* Tokens after which a probe point's word or brace group stands, and not its handler. */
static bool expects_word(int kind)
{
	return kind == PROBE || kind == '.' || kind == ',' || kind == '{' || kind == '=' || kind == PLUS_SET;
}

/* Between `probe' and its handler words are other than in a body. */
static void follow_points(struct parser *p, struct token *t)
{
	if (p->parens) {
		p->parens += t->kind == '(';
		p->parens -= t->kind == ')';
	} else if (t->kind == '(') {
		p->parens = 1;
	} else if (t->kind == '{' && !expects_word(p->last.kind)) {
		p->in_points = false;
	} else if (is_piece(t->kind) && expects_word(p->last.kind)) {
		glue_word(p, t);
	}
}

static void skip_to_item(struct parser *p, struct token *t)
{
	/* kernel.function is no item, nor is ->probe. */
	int before = 0;

	while (!token_starts_item(t->kind) || before == '.' || before == ARROW) {
		if (t->kind == END)
			break;
		before = t->kind;
		take(p, t);
	}
	p->skipping = false;
	p->in_points = false;
	p->last = (struct token){ 0 };
}

int token_next(SPILE_SYNTAX_STYPE *value, struct span *at, struct parser *p)
{
	struct token *t = &value->token;

	take(p, t);
	if (p->skipping)
		skip_to_item(p, t);
	if (t->kind == STRING)
		join_strings(p, t);
	else if (t->text && (p->last.kind == ARROW || (p->last.kind == FUNCTION && is_print_word(t->kind))) &&
		 (is_keyword(t->kind) || is_print_word(t->kind)))
		t->kind = IDENT;
	else if (t->kind == PROBE && !p->in_points) {
		p->in_points = true;
		p->parens = 0;
	} else if (p->in_points) {
		follow_points(p, t);
	}
	if (t->error) {
		diag_error(p->diag, t->span, t->tag, "%s", t->error);
		token_spoil(t);
	}
	p->seen_any = p->seen_any || t->kind != END;
	p->last = *t;
	*at = t->span;
	return t->kind;
}
