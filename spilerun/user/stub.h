/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making the plot of one object in one process: descriptors, stubs, and the book of patches, as bytes ready to be written.
 */
#ifndef SPILERUN_USER_STUB_H
#define SPILERUN_USER_STUB_H

#include "user/shared.h"
#include "spilerun/user/plan.h"

struct plot {
	uint8_t *bytes;			/* struct sp_user_plot first */
	size_t size;			/* whole pages */
	uint64_t addr;			/* where it will lie in the target */
	/* the jumps to be written over the object's code, in the order of the book */
	struct plot_jump {
		uint64_t run_addr;
		uint8_t len;
		uint8_t bytes[5];
	} *jumps;
	size_t njumps;
};

/* An upper bound of the room that a plan's plot needs, in whole pages; @ngates: semaphores to be noted. */
size_t plot_room(const struct plan *plan, size_t ngates);
/*
 * Writes the plot for an object loaded with @bias, to lie at @addr, within the reach of jumps.  @entry and @entry_fp: the
 * agent's entries in that process; @armed: the words of the script's conditions there.  The book's entries for gates are left for the caller behind the jumps'.
 * Returns -1: out of memory.
 */
int plot_make(struct plot *plot, const struct object *o, const struct plan *plan, uint64_t bias, uint64_t addr,
	      uint64_t entry, uint64_t entry_fp, uint64_t armed, uint32_t object, size_t ngates);
void plot_free(struct plot *plot);
static inline struct sp_user_patch *plot_book(const struct plot *plot)
{
	const struct sp_user_plot *head = (const void *)plot->bytes;

	return (struct sp_user_patch *)(plot->bytes + (head->patches - plot->addr));
}

#endif
