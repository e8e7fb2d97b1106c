// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pool of contexts, and running a probe in one.
 *
 * Handlers that sleep keep theirs, so there are several for each CPU.  None is allocated at a hit.
 *
 * Preemption is off while a handler runs, so that a holder of the script's locks is never set aside for one that spins
 * on them; it goes on only where the handler reads memory that may be absent, which core/ does with no lock held if it can,
 * and where it has waited long for a lock and holds none.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "kernel.h"

#define HITS_PER_CPU 4
#define HITS_MIN 16
#define HITS_MAX 1024
#define OUT_BYTES 8192			/* one printf's worth (STP_BUFFER_SIZE) */
#define ARENA_BYTES_MIN (32u << 10)
#define ARENA_STRINGS 64		/* room for so many strings of full length */

static struct sp_hit *hits;
static char *buffers;
static u32 nhits;
static DECLARE_BITMAP(taken, HITS_MAX);
static_assert(HITS_MAX < SP_MAX_COUNTING, "hits are owners of cells");

int sp_hits_make(void)
{
	u64 arena = max_t(u64, ARENA_BYTES_MIN, (u64)ARENA_STRINGS * sp_script.limits.maxstringlen);
	u64 each = PAGE_ALIGN(arena + sp_chain_bytes(&sp_script) + OUT_BYTES);
	u32 i;

	nhits = clamp_t(u32, num_online_cpus() * HITS_PER_CPU, HITS_MIN, HITS_MAX);
	bitmap_zero(taken, HITS_MAX);
	hits = vzalloc((u64)nhits * sizeof(*hits));
	buffers = vmalloc(nhits * each);
	if (!hits || !buffers)
		return -ENOMEM;
	for (i = 0; i < nhits; i++) {
		struct sp_hit *h = &hits[i];

		h->number = i + 1;
		h->c.session = sp_kernel.session;
		h->c.globals = sp_at(sp_kernel.session, sp_kernel.session->globals_off);
		h->c.platform = h;
		h->c.out = buffers + i * each;
		h->c.out_size = OUT_BYTES;
		h->c.arena = h->c.arena_at = h->c.out + OUT_BYTES;
		h->c.arena_end = h->c.out + each;
	}
	return 0;
}

void sp_hits_free(void)
{
	vfree(hits);
	vfree(buffers);
	hits = NULL;
	buffers = NULL;
}

struct sp_hit *sp_hit_get(void)
{
	/* Each CPU begins elsewhere, so that they do not fight for one line; any wrong guess is harmless. */
	u32 first = raw_smp_processor_id() * HITS_PER_CPU % nhits, i;

	for (i = 0; i < nhits; i++) {
		u32 n = (first + i) % nhits;

		if (!test_bit(n, taken) && !test_and_set_bit_lock(n, taken)) {
			hits[n].preemptible = false;
			hits[n].c.site = NULL;
			hits[n].c.regs = NULL;
			hits[n].c.bias = 0;
			return &hits[n];
		}
	}
	sp_count_skip(sp_kernel.session, NULL, SP_SKIP_CONTEXT);
	return NULL;
}

void sp_hit_put(struct sp_hit *h)
{
	clear_bit_unlock(h->number - 1, taken);
}

/* MINSTACKSPACE.  A kernel's stack grows down to the end of its pages. */
static bool has_stack(void)
{
	return current_stack_pointer - (unsigned long)end_of_stack(current) >= sp_script.limits.minstackspace;
}

void sp_hit_run(struct sp_hit *h, const struct sp_probe *probe)
{
	if (!has_stack()) {
		sp_count_skip(sp_kernel.session, &h->c, SP_SKIP_STACK);
		return;
	}
	sp_hit_may_not_sleep(h);
	sp_run_probe(&h->c, probe);
	sp_hit_may_sleep(h);
}
