// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User-space sites as uprobes.
 *
 * Sites at one place of one file are one uprobe, whose hit runs their probes in the table's order.  The kernel keeps a
 * static mark's semaphore for us, by the counter's offset: it goes up in every process that maps the file, and down
 * again, whoever dies.  It takes one counter for a place, so where two marks share a nop the first one's counts.
 *
 * A handler decides for itself whether its process is wanted: the kernel calls it on every hit that any consumer caused.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/ptrace.h>

#include "kernel.h"
#include "compat/uprobe.h"

/* One uprobe: a run of rows in the site table. */
struct place {
	struct uprobe_consumer consumer;
	struct sp_uprobe uprobe;
	const struct sp_site *sites;
	u32 nsites;
	bool made;			/* the kernel has it */
	bool refused;			/* and would not: told once */
	bool needs_fp;
};
static struct place *places;
static u32 nplaces;

/* Whether some probe of the place has no condition, or one that holds. */
static bool is_wanted(const struct place *p)
{
	const struct sp_site *site;

	for (site = p->sites; site < p->sites + p->nsites; site++)
		if (sp_is_armed(sp_kernel.session, &sp_script.probes[site->probe]))
			return true;
	return false;
}

static int place_hit(struct uprobe_consumer *uc, struct pt_regs *regs)
{
	const struct place *p = container_of(uc, struct place, consumer);
	const struct sp_site *site;
	struct sp_hit *h;

	if (sp_state() != SP_RUNNING)
		return 0;
	if (!sp_process_wanted(current))
		return UPROBE_HANDLER_REMOVE;	/* out of this process, if no other consumer wants it there */
	if (!is_wanted(p))
		return 0;
	h = sp_hit_get();
	if (!h)
		return 0;
	sp_regs_fill(h, regs, p->needs_fp);
	for (site = p->sites; site < p->sites + p->nsites; site++) {
		h->c.site = site;
		h->c.bias = instruction_pointer(regs) - site->addr;
		sp_hit_run(h, &sp_script.probes[site->probe]);
	}
	if (h->c.set_regs)
		sp_regs_store(h, regs);
	sp_hit_put(h);
	return 0;
}

/* Saves breakpoints in processes that are not wanted; place_hit() does not rely on it. */
static bool place_hit_filter(struct mm_struct *mm)
{
	return sp_mm_wanted(mm);
}

SP_UPROBE_CALLBACKS(place_hit)

static bool same_place(const struct sp_site *a, const struct sp_site *b)
{
	return a->object == b->object && a->offset == b->offset;
}

static void arm(struct place *p)
{
	const struct sp_site *site;
	u64 counter = 0;
	int rc;

	for (site = p->sites; site < p->sites + p->nsites; site++) {
		if (!counter)
			counter = site->gate_offset;
		if (sp_script.probes[site->probe].flags & SP_PROBE_NEEDS_FP)
			p->needs_fp = true;
	}
	SP_UPROBE_SET_CALLBACKS(&p->consumer, place_hit);
	rc = sp_uprobe_add(&p->uprobe, sp_object_inode(p->sites->object), p->sites->offset, counter, &p->consumer);
	p->made = !rc;
	p->refused = rc;
	for (site = p->sites; rc && site < p->sites + p->nsites; site++)
		sp_warn_text("probe %s registration error [man warning::pass5] (rc %d)", site->point, rc);
}

/* One message for each file that is not there, however many sites it would have. */
static void warn_missing(void)
{
	u32 i;

	for (i = 0; i < sp_script.nobjects; i++) {
		const char *path = sp_script.objects[i].path;

		if (sp_object_error(i) == -ESTALE)
			sp_warn_text("Build-id mismatch [man warning::buildid]: \"%s\" is not the file the script was translated for",
				     path);
		else if (!sp_object_inode(i))
			sp_warn_text("cannot probe \"%s\": not found (rc %d)", path, sp_object_error(i));
	}
}

/* Counts places; fills them in where @into is given. */
static u32 group_sites(struct place *into)
{
	u32 i, n = 0;

	for (i = 0; i < sp_script.nsites; i++) {
		const struct sp_site *site = &sp_script.sites[i];

		if (!sp_object_inode(site->object))
			continue;
		if (!n || !i || !same_place(site, site - 1)) {
			if (into)
				into[n].sites = site;
			n++;
		}
		if (into)
			into[n - 1].nsites++;
	}
	return n;
}

/* What cannot be armed is told, and the session goes on without it. */
void sp_uprobes_make(void)
{
	u32 i;

	warn_missing();
	nplaces = group_sites(NULL);
	places = kvcalloc(nplaces + 1, sizeof(*places), GFP_KERNEL);
	if (!places) {
		sp_warn_text("no probe could be armed: out of memory for %u places", nplaces);
		nplaces = 0;
		return;
	}
	group_sites(places);
	for (i = 0; i < nplaces && sp_state() == SP_STARTING; i++)
		if (is_wanted(&places[i]))
			arm(&places[i]);
}

void sp_uprobes_rearm(void)
{
	u32 i, n = 0;

	for (i = 0; i < nplaces && sp_state() == SP_RUNNING; i++)
		if (!places[i].made && !places[i].refused && is_wanted(&places[i]))
			arm(&places[i]);
	for (i = 0; i < nplaces; i++) {
		if (!places[i].made || is_wanted(&places[i]))
			continue;
		sp_uprobe_del(&places[i].uprobe, &places[i].consumer);
		places[i].made = false;
		n++;
	}
	if (n)
		sp_uprobes_settle();
}

void sp_uprobes_remove(void)
{
	u32 i, n = 0;

	for (i = 0; i < nplaces; i++) {
		if (!places[i].made)
			continue;
		sp_uprobe_del(&places[i].uprobe, &places[i].consumer);
		n++;
	}
	if (n)
		sp_uprobes_settle();
	kvfree(places);
	places = NULL;
	nplaces = 0;
}
