/* SPDX-License-Identifier: GPL-2.0-or-later */
/* containers.c - the room's growing array and its hash from DIE addresses, both in an arena. */
#include <string.h>

#include "debuginfo/internal.h"

void vec_push(struct vec *v, struct arena *a, void *item)
{
	if (v->n == v->room) {
		void **bigger = ARENA_ARRAY(a, void *, v->room ? v->room * 2 : 8);

		if (v->n)
			memcpy(bigger, v->item, v->n * sizeof(*bigger));
		v->room = v->room ? v->room * 2 : 8;
		v->item = bigger;
	}
	v->item[v->n++] = item;
}

void *vec_array(const struct vec *v, struct arena *a, size_t size)
{
	char *all = arena_alloc(a, (v->n + 1) * size);

	for (unsigned i = 0; i < v->n; i++)
		memcpy(all + i * size, v->item[i], size);
	return all;
}

static struct ptr_map_slot *slot_of(const struct ptr_map *m, const void *key)
{
	uint64_t hash = (uintptr_t)key * 0x9e3779b97f4a7c15ULL;
	unsigned i = hash >> 32 & (m->room - 1);

	while (m->slot[i].key && m->slot[i].key != key)
		i = (i + 1) & (m->room - 1);
	return &m->slot[i];
}

void ptr_map_put(struct ptr_map *m, struct arena *a, const void *key, void *value)
{
	struct ptr_map_slot *slot;

	if (m->n * 2 >= m->room) {
		struct ptr_map old = *m;

		m->room = old.room ? old.room * 2 : 64;
		m->slot = ARENA_ARRAY(a, struct ptr_map_slot, m->room);
		for (unsigned i = 0; i < old.room; i++)
			if (old.slot[i].key)
				*slot_of(m, old.slot[i].key) = old.slot[i];
	}
	slot = slot_of(m, key);
	if (!slot->key)
		m->n++;
	slot->key = key;
	slot->value = value;
}

void *ptr_map_get(const struct ptr_map *m, const void *key)
{
	return m->room ? slot_of(m, key)->value : NULL;
}
