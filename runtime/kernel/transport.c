// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way out: one ring for each CPU in memory that the reader maps, and waking the reader.
 *
 * A ring's only producer is its CPU with preemption and interrupts off.  A record that finds no room is lost and counted;
 * but begin, end and error probes hold nothing up, so they wait for the reader as long as there is one.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "kernel.h"

#define RING_BYTES_MIN (64u << 10)
#define RING_BYTES_USUAL (1u << 20)
#define RING_BYTES_MAX (1u << 30)

static struct sp_ring *ring_of(unsigned int cpu)
{
	return (struct sp_ring *)((char *)sp_kernel.control + PAGE_SIZE + cpu * sp_kernel.control->stride);
}

/* All of it is zeroed and mapped at once: pages that come in later would do so inside a probe. */
int sp_transport_make(u32 ring_bytes)
{
	u64 stride;
	u32 cpu;

	if (!ring_bytes)
		ring_bytes = RING_BYTES_USUAL;
	if (!is_power_of_2(ring_bytes) || ring_bytes < RING_BYTES_MIN || ring_bytes > RING_BYTES_MAX)
		return -EINVAL;
	stride = PAGE_ALIGN(sizeof(struct sp_ring) + (u64)ring_bytes);
	sp_kernel.map_bytes = PAGE_SIZE + nr_cpu_ids * stride;
	sp_kernel.control = vmalloc_user(sp_kernel.map_bytes);
	if (!sp_kernel.control)
		return -ENOMEM;
	sp_kernel.control->abi = SP_WIRE_ABI;
	sp_kernel.control->phase = SP_PHASE_READY;
	sp_kernel.control->nrings = nr_cpu_ids;
	sp_kernel.control->stride = stride;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		ring_of(cpu)->size = ring_bytes;
	return 0;
}

void sp_transport_free(void)
{
	vfree(sp_kernel.control);
}

bool sp_transport_holds_data(void)
{
	u32 cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		struct sp_ring *r = ring_of(cpu);

		if (READ_ONCE(r->head) != READ_ONCE(r->tail))
			return true;
	}
	return false;
}

void sp_transport_wake(void)
{
	irq_work_queue(&sp_kernel.wake);
}

/* Whether a record of @len bytes fits this CPU's ring, asked before putting it, so that waiting counts nothing as lost. */
static bool has_room(u32 len)
{
	struct sp_ring *r = ring_of(smp_processor_id());
	u64 used = r->head - smp_load_acquire(&r->tail);

	return r->size - used >= sizeof(struct sp_record) + ALIGN((u64)len, 8);
}

/* Nobody reads this CPU's ring: its oldest records go, until a new one of @len bytes fits. */
static void make_room(u32 len)
{
	struct sp_ring *r = ring_of(smp_processor_id());

	while (!has_room(len) && sp_ring_drop(r))
		;
}

static bool put(enum sp_record_kind kind, const void *data, u32 len)
{
	unsigned long flags;
	bool fitted;

	local_irq_save(flags);
	if (READ_ONCE(sp_kernel.detached))
		make_room(len);
	fitted = sp_ring_put(ring_of(smp_processor_id()), &sp_kernel.session->seq, kind, data, len);
	local_irq_restore(flags);
	/* The record before the look at the flag: pairs with device_poll(), which sets the flag before it looks. */
	smp_mb();
	if (atomic_read(&sp_kernel.reader_waits) && atomic_xchg(&sp_kernel.reader_waits, 0))
		sp_transport_wake();
	return fitted;
}

/* Without a limit, as long as there is a reader: one that is held up, as by a pager, holds the end of the session up and nothing else. */
static bool put_patiently(enum sp_record_kind kind, const void *data, u32 len)
{
	bool fitted;

	for (;;) {
		preempt_disable();
		if (has_room(len) || READ_ONCE(sp_kernel.reader_gone) || READ_ONCE(sp_kernel.detached))
			break;
		preempt_enable();
		sp_transport_wake();
		usleep_range(900, 1100);
	}
	fitted = put(kind, data, len);
	preempt_enable();
	return fitted;
}

sp_bool sp_plat_emit(struct sp_ctx *c, enum sp_record_kind kind, const void *data, sp_u32 len)
{
	const struct sp_hit *h = c ? c->platform : NULL;
	bool fitted;

	if (h && h->preemptible)
		return put_patiently(kind, data, len);
	preempt_disable();
	fitted = put(kind, data, len);
	preempt_enable();
	return fitted;
}

void sp_warn_text(const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vscnprintf(text, sizeof(text), format, args);
	va_end(args);
	put_patiently(SP_REC_WARNING, text, n);
}

/* A handler moved the session on: exit(), an error too many. */
void sp_plat_rearm(struct sp_session *s)
{
	WRITE_ONCE(sp_kernel.rearm_asked, true);
	sp_transport_wake();
}

void sp_plat_state_changed(struct sp_session *s)
{
	sp_transport_wake();
}
