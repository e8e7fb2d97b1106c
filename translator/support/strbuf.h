/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string on the heap. */
#ifndef SPILE_STRBUF_H
#define SPILE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *text;		/* always NUL-terminated once anything was added; NULL before */
	size_t len, room;
};

void strbuf_add(struct strbuf *b, const char *s);
void strbuf_add_n(struct strbuf *b, const char *s, size_t n);
void strbuf_char(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void strbuf_free(struct strbuf *b);

#endif
