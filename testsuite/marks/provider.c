/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small program built as its makefile would build it: provider.h and counters.o come from provider.d. */
#include <stdio.h>
#include "provider.h"

static int depth;

static void add(const char *name)
{
	depth++;
	if (QUEUE_ITEM_ADDED_ENABLED())
		QUEUE_ITEM_ADDED(depth, name);
}

int main(void)
{
	if (QUEUE_EMPTY_ENABLED())
		QUEUE_EMPTY();
	add("first");
	add("second");
	QUEUE_ITEM_TAKEN(depth, (char *)"second");
	QUEUE_IDLE();
	OTHER_A_B(-1l);
	printf("%d %d %d %d %d\n", queue_item__added_semaphore, queue_item__taken_semaphore, queue_empty_semaphore,
	       queue_idle_semaphore, other_a_b_semaphore);
	return 0;
}
