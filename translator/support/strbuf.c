/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string on the heap; running out of memory ends the translator. */
#include "support/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct strbuf *b, size_t more)
{
	size_t room = b->room ? b->room : 64;
	char *text;

	while (room - b->len <= more)
		room *= 2;
	if (room == b->room)
		return;
	text = realloc(b->text, room);
	if (!text) {
		fputs("spile: out of memory\n", stderr);
		exit(1);
	}
	b->text = text;
	b->room = room;
}

void strbuf_add_n(struct strbuf *b, const char *s, size_t n)
{
	make_room(b, n);
	if (n)
		memcpy(b->text + b->len, s, n);
	b->len += n;
	b->text[b->len] = '\0';
}

void strbuf_add(struct strbuf *b, const char *s)
{
	strbuf_add_n(b, s, strlen(s));
}

void strbuf_char(struct strbuf *b, char c)
{
	strbuf_add_n(b, &c, 1);
}

void strbuf_vprintf(struct strbuf *b, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n > 0) {
		make_room(b, (size_t)n);
		vsnprintf(b->text + b->len, (size_t)n + 1, format, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(b, format, args);
	va_end(args);
}

void strbuf_free(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf){ 0 };
}
