/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts numbered in order of appearance, found by hashing. */
#include "elaborate/texts.h"

#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *s)
{
	unsigned h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static void place(struct texts *t, unsigned i)
{
	unsigned at = hash(t->text[i]) & (t->room - 1);

	while (t->slot[at])
		at = (at + 1) & (t->room - 1);
	t->slot[at] = i + 1;
}

/* Twice the room; old arrays stay in the arena. */
static void grow(struct texts *t, struct arena *a)
{
	const char **old = t->text;

	t->room = t->room ? t->room * 2 : 16;
	t->text = ARENA_ARRAY(a, const char *, t->room);
	t->slot = ARENA_ARRAY(a, unsigned, t->room);
	for (unsigned i = 0; i < t->n; i++) {
		t->text[i] = old[i];
		place(t, i);
	}
}

bool texts_find(const struct texts *t, const char *text, unsigned *index)
{
	if (!t->room)
		return false;
	for (unsigned at = hash(text) & (t->room - 1); t->slot[at]; at = (at + 1) & (t->room - 1))
		if (!strcmp(t->text[t->slot[at] - 1], text)) {
			*index = t->slot[at] - 1;
			return true;
		}
	return false;
}

unsigned texts_add(struct texts *t, struct arena *a, const char *text, bool *fresh)
{
	unsigned i;

	*fresh = !texts_find(t, text, &i);
	if (!*fresh)
		return i;
	if (2 * (t->n + 1) > t->room)
		grow(t, a);
	t->text[t->n] = arena_strdup(a, text);
	place(t, t->n);
	return t->n++;
}
