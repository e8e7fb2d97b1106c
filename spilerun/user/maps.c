/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/maps: what is mapped, and where there is room.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "spilerun/user/user.h"

#define REACH (1900ull << 20)		/* of a jump, with a margin for large objects and plots */
#define HEAP_ROOM (256ull << 20)	/* left to brk above an object */
#define LOWEST 0x110000ull		/* no map of ours near address 0 */
#define HIGHEST 0x7ffffffff000ull

static int add(struct maps *maps, size_t *room, struct mapping m)
{
	if (maps->n == *room) {
		size_t more = *room ? 2 * *room : 64;
		struct mapping *list = realloc(maps->m, more * sizeof(m));

		if (!list)
			return -1;
		maps->m = list;
		*room = more;
	}
	maps->m[maps->n++] = m;
	return 0;
}

int maps_read(struct maps *maps, pid_t pid)
{
	char path[40], *line = NULL;
	size_t size = 0, room = 0;
	FILE *f;

	*maps = (struct maps){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while (getline(&line, &size, f) > 0) {
		struct mapping m = { 0 };
		unsigned major, minor;
		unsigned long ino;
		char prot[5];
		int at = 0;

		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &m.start, &m.end, prot, &m.off, &major, &minor, &ino, &at) < 7)
			continue;
		line[strcspn(line, "\n")] = 0;
		m.dev = makedev(major, minor);
		m.ino = ino;
		m.exec = prot[2] == 'x';
		m.path = at && line[at] ? strdup(line + at) : NULL;
		if (add(maps, &room, m))
			break;
	}
	free(line);
	fclose(f);
	return 0;
}

void maps_free(struct maps *maps)
{
	for (size_t i = 0; i < maps->n; i++)
		free(maps->m[i].path);
	free(maps->m);
	*maps = (struct maps){ 0 };
}

uint64_t maps_find_inode(const struct maps *maps, ino_t ino, const char *name)
{
	for (size_t i = 0; i < maps->n; i++)
		if (maps->m[i].ino == ino && maps->m[i].path && strstr(maps->m[i].path, name))
			return maps->m[i].start;
	return 0;
}

/* The hole below mapping @i, or below the end of the address space for i == n. */
static void hole(const struct maps *maps, size_t i, uint64_t *lo, uint64_t *hi)
{
	*lo = i ? maps->m[i - 1].end : LOWEST;
	*hi = i < maps->n ? maps->m[i].start : HIGHEST;
	if (*lo < LOWEST)
		*lo = LOWEST;
}

/* Below the object first: above lies what brk will want. */
uint64_t maps_gap(const struct maps *maps, uint64_t obj_lo, uint64_t obj_hi, uint64_t size)
{
	uint64_t lowest = obj_hi > REACH ? obj_hi - REACH : 0, lo, hi;

	for (size_t i = maps->n; i-- > 0;) {
		hole(maps, i, &lo, &hi);
		if (hi > obj_lo)
			continue;
		if (hi < lowest)
			break;
		if (hi > lo && hi - lo >= size && hi - size >= lowest)
			return hi - size;
	}
	for (size_t i = 0; i <= maps->n; i++) {
		hole(maps, i, &lo, &hi);
		if (lo < obj_hi + HEAP_ROOM)
			lo = obj_hi + HEAP_ROOM;
		if (hi > lo && hi - lo >= size && lo + size <= obj_lo + REACH)
			return lo;
	}
	return 0;
}
