/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes killed at any instruction while they change an array under its lock: what they leave is mended.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host-platform.h"

#define KEYS 40
#define KILLS 300

static const struct sp_global globals[] = {
	{ .name = "a", .is_map = 1, .type = SP_LONG, .nkeys = 1, .keys = { SP_LONG }, .capacity = 30, .wraps = 1 },
};
const struct sp_script sp_script = {
	.nglobals = 1, .globals = globals,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .maxtrylock = 100, .trylockdelay_us = 10,
		    .maxskipped = 1000000 },
};
static const struct sp_lock lock[] = { { 0, 1 } };
static const struct sp_probe probe = { .kind = SP_PROBE_SITE, .nlocks = 1, .locks = lock };

static struct sp_ctx *locked_context(void)
{
	struct sp_ctx *c = host_context();

	c->probe = &probe;
	return sp_lock(c) ? c : NULL;
}

/* Adds, deletes and sorts until it is killed.  A value is ten times its key. */
static void change_for_ever(void)
{
	struct sp_iter it = { .any = ~0u };

	for (;;) {
		struct sp_ctx *c = locked_context();
		union sp_val key = { .n = rand() % KEYS };

		if (!c)
			_exit(3);
		if (rand() % 3)
			sp_map_set_long(c, 0, &key, key.n * 10);
		else
			sp_map_delete(c, 0, &key);
		if (rand() % 8 == 0)
			sp_iter_start(c, &it, 0, rand() & 1 ? 1 : -1, SP_COUNT, -1);
		sp_unlock(c);
	}
}

/* Whether list, chains and count agree.  An element whose insertion was cut short may hold 0. */
static bool is_whole(struct sp_ctx *c)
{
	struct sp_iter it = { .any = ~0u };
	bool listed[KEYS] = { false };
	int n = 0;

	sp_iter_start(c, &it, 0, SP_SORT_NONE, SP_COUNT, -1);
	while (sp_iter_next(c, &it)) {
		sp_i64 key = sp_iter_key_long(c, &it, 0), value = sp_iter_value_long(c, &it);

		if (key < 0 || key >= KEYS || listed[key] || (value && value != key * 10) || ++n > 30)
			return false;
		listed[key] = true;
	}
	for (int k = 0; k < KEYS; k++)
		if (sp_map_has(c, 0, &(union sp_val){ .n = k }) != listed[k])
			return false;
	return true;
}

int main(void)
{
	int broken = 0, held = 0, unlockable = 0;

	host_start_shared();
	host_be_owner(1);
	for (int i = 0; i < KILLS; i++) {
		sp_u32 owner = 2 + i % 5000;
		pid_t child = fork();
		struct sp_ctx *c;

		if (!child) {
			host_be_owner(owner);
			srand(i);
			change_for_ever();
		}
		usleep(500 + rand() % 1000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		held += host_session->globals[0].writer == owner;
		sp_locks_recover(host_session, owner);
		c = locked_context();
		if (!c) {
			unlockable++;
			continue;
		}
		broken += !is_whole(c);
		sp_unlock(c);
	}
	printf("# %d of %d died with the lock\n", held, KILLS);
	CHECK(held > KILLS / 20);
	CHECK_NUM(unlockable, 0);
	CHECK_NUM(broken, 0);
	return check_end();
}
