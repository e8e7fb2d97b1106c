/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the process has mapped, and the names in it: tables that spilerun writes and the agent reads.
 *
 * spilerun writes the maps when it gets in and after each change that the loader makes.  An address in nothing known, and symbols
 * that nobody has asked for yet, are asked of it; the thread waits, so core/ sees to it that no lock is held then.
 */
#include "agent.h"
#include "core/unwind.h"

#define cfg sp_user_config
#define TRIES 1000			/* while the table is being written */

static sp_bool find_mapping(const struct sp_user_maps *maps, sp_uaddr addr, struct sp_user_mapping *found)
{
	sp_u32 low = 0, high = SP_MIN(maps->n, SP_USER_MAPPINGS);

	while (low < high) {
		sp_u32 middle = (low + high) / 2;

		if (maps->m[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low >= maps->n || low >= SP_USER_MAPPINGS)
		return 0;
	*found = maps->m[low];
	return addr >= found->start && addr < found->end;
}

/* The version is read before and after: spilerun may write the table amid the look. */
static sp_bool look_up(sp_uaddr addr, struct sp_user_mapping *found)
{
	const struct sp_user_maps *maps = cfg.maps;
	sp_u32 version, i;

	for (i = 0; maps && i < TRIES; i++) {
		sp_bool is_there;

		version = __atomic_load_n(&maps->version, __ATOMIC_ACQUIRE);
		is_there = find_mapping(maps, addr, found);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(version & 1) && __atomic_load_n(&maps->version, __ATOMIC_RELAXED) == version)
			return is_there;
		if (i > TRIES / 10)
			sp_plat_relax();
	}
	return 0;
}

static void *in_session(sp_u64 off)
{
	return (char *)cfg.session + off;
}

static const struct sp_user_module *module_at(sp_u32 number)
{
	return &cfg.shared->modules[number - 1];
}

enum sp_answer sp_plat_module(struct sp_ctx *c, sp_uaddr addr, sp_bool wait, struct sp_module *m)
{
	struct sp_user_lane *lane = c->platform;
	struct sp_user_mapping found;

	if (!look_up(addr, &found)) {
		if (cfg.host || lane->looked)
			return SP_NO;
		if (!wait)
			return SP_LATER;
		lane->looked = 1;
		sp_user_request(lane, SP_REQ_LOOK, 0);
		if (!look_up(addr, &found))
			return SP_NO;
	}
	m->start = found.start;
	m->end = found.end;
	m->base = found.base;
	m->limit = found.limit;
	m->executable = found.executable != 0;
	m->file = found.module <= SP_USER_MODULES ? found.module : 0;
	m->path = m->file ? in_session(module_at(m->file)->path) : "";
	return SP_YES;
}

enum sp_answer sp_plat_symbols(struct sp_ctx *c, sp_u32 file, sp_bool wait, const struct sp_symbols **s)
{
	const struct sp_user_module *module = module_at(file);
	sp_u32 state = __atomic_load_n(&module->state, __ATOMIC_ACQUIRE);

	if (state == SP_NAMES_UNKNOWN) {
		if (!wait)
			return SP_LATER;
		if (cfg.host)
			cfg.host_names(file);
		else
			sp_user_request(c->platform, SP_REQ_NAMES, file);
		state = __atomic_load_n(&module->state, __ATOMIC_ACQUIRE);
	}
	if (state != SP_NAMES_READY)
		return SP_NO;
	*s = in_session(module->symbols);
	return SP_YES;
}

/* A signal that came amid a handler finds the program's registers in the lane whose stack the thread is on. */
void sp_plat_frame(struct sp_ctx *c, struct sp_frame *f)
{
	const struct sp_unwind_abi *abi = SP_UNWIND_ABI;
	sp_u64 off = f->r[abi->sp] - (sp_u64)cfg.stacks, lane_number;
	const struct sp_user_lane *lane;
	unsigned i;

	(void)c;
	if (cfg.host || !(f->known >> abi->sp & 1) || off >= SP_USER_STACKS || off < SP_USER_STACKS_ROOM)
		return;
	lane_number = (off - SP_USER_STACKS_ROOM + SP_USER_STACK - 1) / SP_USER_STACK;
	if (!lane_number || lane_number > SP_USER_LANES)
		return;
	lane = sp_user_lane_at((sp_u32)lane_number);
	if (lane->regs.r[abi->sp] != lane->sp)
		return;
	for (i = 0; i < abi->nregs; i++)
		f->r[i] = lane->regs.r[i];
	f->known = (1ULL << abi->nregs) - 1;
	f->pc = lane->regs.r[SP_REGS_PC];
	f->is_call = 0;
}
