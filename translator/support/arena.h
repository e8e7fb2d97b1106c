/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arenas: memory that lives and dies together, over obstack; and interned strings. */
#ifndef SPILE_ARENA_H
#define SPILE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);

/* Zeroed, aligned for any object.  Running out of memory ends the translator in one place. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

/* An interned string: equal text, same pointer, within one arena.  NUL-terminated, may hold NULs. */
struct str {
	size_t len;
	char text[];
};

struct str *str_intern_n(struct arena *a, const char *text, size_t len);
struct str *str_intern(struct arena *a, const char *text);

#endif
