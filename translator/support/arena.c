/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arenas over obstack, and the table of interned strings each arena may carry.
 *
 * An arena frees all it gave at once; nothing in it is freed singly.  Start reading at arena_alloc().
 */
#include "support/arena.h"

#include <obstack.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get_chunk(size_t size)
{
	void *p = malloc(size);

	if (!p) {
		fputs("spile: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

#define obstack_chunk_alloc get_chunk
#define obstack_chunk_free free

struct arena {
	struct obstack stack;
	struct str **table;	/* open addressing, a power of two slots, at most half full */
	size_t slots, used;
};

struct arena *arena_new(void)
{
	struct arena *a = get_chunk(sizeof(*a));

	memset(a, 0, sizeof(*a));
	obstack_init(&a->stack);
	obstack_alignment_mask(&a->stack) = _Alignof(max_align_t) - 1;
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	obstack_free(&a->stack, NULL);
	free(a->table);
	free(a);
}

/* glibc's obstack aligns by adding to a null pointer. */
__attribute__((no_sanitize("pointer-overflow")))
void *arena_alloc(struct arena *a, size_t size)
{
	/* obstack counts a chunk's room in int here and there; nothing we build comes near. */
	if (size > INT32_MAX) {
		fputs("spile: out of memory\n", stderr);
		exit(1);
	}
	return memset(obstack_alloc(&a->stack, size), 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	if (n)
		memcpy(copy, s, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args, again;
	char *text;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n < 0)
		n = 0;
	text = arena_alloc(a, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}

/* FNV-1a: short keys, and the table is only ever asked for equality. */
static size_t hash_text(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static struct str **find_slot(struct str **table, size_t slots, const char *text, size_t len)
{
	size_t i = hash_text(text, len) & (slots - 1);

	while (table[i] && (table[i]->len != len || memcmp(table[i]->text, text, len)))
		i = (i + 1) & (slots - 1);
	return &table[i];
}

static void grow_table(struct arena *a)
{
	size_t slots = a->slots ? a->slots * 2 : 64;
	struct str **table = get_chunk(slots * sizeof(*table));

	memset(table, 0, slots * sizeof(*table));
	for (size_t i = 0; i < a->slots; i++)
		if (a->table[i])
			*find_slot(table, slots, a->table[i]->text, a->table[i]->len) = a->table[i];
	free(a->table);
	a->table = table;
	a->slots = slots;
}

struct str *str_intern_n(struct arena *a, const char *text, size_t len)
{
	struct str **slot;

	if (a->used * 2 >= a->slots)
		grow_table(a);
	slot = find_slot(a->table, a->slots, text ? text : "", len);
	if (!*slot) {
		*slot = arena_alloc(a, sizeof(**slot) + len + 1);
		(*slot)->len = len;
		if (len)
			memcpy((*slot)->text, text, len);
		a->used++;
	}
	return *slot;
}

struct str *str_intern(struct arena *a, const char *text)
{
	return str_intern_n(a, text, strlen(text));
}
