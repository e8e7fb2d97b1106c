/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mapped files: the sites of the script in them, the hooks that following a process needs, and one plan for all of it.
 *
 * A file is looked at once in a session, however many processes map it.  The hooks: where the loader calls its debugger
 * breakpoint, and where a program or C library asks for exec.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "spilerun/user/user.h"

#define R_STATE_OFF 24			/* of r_state in struct r_debug (link.h) */
#define REFUSALS_SHOWN 5

struct points {
	struct plan_point *p;
	size_t n, room;
};

static int add_point(struct points *ps, struct plan_point p)
{
	if (ps->n == ps->room) {
		size_t room = ps->room ? 2 * ps->room : 64;
		struct plan_point *more = realloc(ps->p, room * sizeof(p));

		if (!more)
			return -1;
		ps->p = more;
		ps->room = room;
	}
	ps->p[ps->n++] = p;
	return 0;
}

/* ---- the script's sites ------------------------------------------------------------------------------ */

static bool is_inside(uint32_t kind)
{
	return kind == SP_SITE_PLACE || kind == SP_SITE_MARK || kind == SP_SITE_TAIL;
}

/* Sites at one address are neighbours in the table and become one point. */
static int add_sites(const struct sp_script *script, uint32_t object, struct points *ps)
{
	struct plan_point *last = NULL;

	for (uint32_t i = 0; i < script->nsites; i++) {
		const struct sp_site *s = &script->sites[i];
		bool fp = script->probes[s->probe].flags & SP_PROBE_NEEDS_FP;

		if (s->object != object)
			continue;
		if (last && last->addr == s->addr && last->site + last->nsites == i) {
			last->nsites++;
			last->fp |= fp;
			if (last->condition != script->probes[s->probe].condition)
				last->condition = 0;
			if (is_inside(s->kind) && !is_inside(last->kind))
				last->kind = s->kind;
			continue;
		}
		if (add_point(ps, (struct plan_point){ .addr = s->addr, .kind = s->kind, .hook = SP_HOOK_SITES,
						       .site = i, .nsites = 1, .fp = fp,
						       .condition = script->probes[s->probe].condition }))
			return -1;
		last = &ps->p[ps->n - 1];
	}
	return 0;
}

static int add_gates(const struct sp_script *script, struct file *f)
{
	for (uint32_t i = 0; i < script->nsites; i++) {
		uint64_t gate = script->sites[i].gate_addr;
		bool known = script->sites[i].object != f->script_object || !gate;
		uint64_t *more;

		for (size_t k = 0; !known && k < f->ngates; k++)
			known = f->gates[k] == gate;
		if (known)
			continue;
		more = realloc(f->gates, (f->ngates + 1) * sizeof(*more));
		if (!more)
			return -1;
		f->gates = more;
		f->gates[f->ngates++] = gate;
	}
	return 0;
}

/* ---- hooks of our own --------------------------------------------------------------------------------- */

/* `mov $59, %eax; syscall' and `mov $322, %eax; syscall': execve and execveat. */
static int add_execs(const struct object *o, struct points *ps)
{
	static const uint8_t patterns[][7] = {
		{ 0xb8, 0x3b, 0, 0, 0, 0x0f, 0x05 }, { 0xb8, 0x42, 0x01, 0, 0, 0x0f, 0x05 },
	};

	for (int i = 0; i < o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *ph = &o->phdr[i];
		size_t n;
		const uint8_t *p, *at;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) || !(p = object_at(o, ph->p_vaddr, &n)))
			continue;
		for (int k = 0; k < 2; k++)
			for (at = p; (at = memmem(at, (size_t)(p + n - at), patterns[k], 7)); at++)
				if (add_point(ps, (struct plan_point){ .addr = ph->p_vaddr + (uint64_t)(at - p),
								       .kind = SP_SITE_PLACE, .hook = SP_HOOK_EXEC }))
					return -1;
	}
	return 0;
}

/* glibc and musl both export the breakpoint; where the state lies, only glibc says by name. */
static int add_loader(struct file *f, struct points *ps)
{
	uint64_t brk = object_symbol(f->object, "_dl_debug_state"), debug = object_symbol(f->object, "_r_debug");

	f->loader_state = debug ? debug + R_STATE_OFF : 0;
	return brk ? add_point(ps, (struct plan_point){ .addr = brk, .kind = SP_SITE_ENTRY, .hook = SP_HOOK_LOADER }) : 0;
}

/* ---- a file ------------------------------------------------------------------------------------------- */

static int point_order(const void *a, const void *b)
{
	const struct plan_point *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static void hex(char *to, const uint8_t *id, size_t n)
{
	for (size_t i = 0; i < n && i < 32; i++)
		sprintf(to + 2 * i, "%02x", id[i]);
}

/* Whether the file is the one the script was made for. */
static bool build_id_fits(struct user_run *u, const struct sp_object *so, const struct object *o)
{
	char want[72] = "none", is[72] = "none";

	if (!so->build_id || (o->build_id && o->build_id_len == so->build_id_len &&
			      !memcmp(o->build_id, so->build_id, o->build_id_len)))
		return true;
	hex(want, so->build_id, so->build_id_len);
	if (o->build_id)
		hex(is, o->build_id, o->build_id_len);
	run_warning(u->run, "'%s' is not the file the script was built for, nothing is probed in it: its build-id is %s, not %s",
		    o->path, is, want);
	return false;
}

static uint32_t script_object_of(struct user_run *u, const struct mapping *m)
{
	for (uint32_t i = 0; i < u->script->nobjects; i++)
		if ((u->script_files[i].ino == m->ino && u->script_files[i].dev == m->dev) ||
		    (m->path && !strcmp(m->path, u->script->objects[i].path)))
			return i;
	return SP_USER_NO_OBJECT;
}

struct object *file_open_mapped(const struct mapping *m, pid_t pid)
{
	char path[4200];
	struct object *o = object_open(m->path);

	if (o && o->ino == m->ino)
		return o;
	object_free(o);
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, m->path);
	o = object_open(path);
	if (o && o->ino == m->ino)
		return o;
	object_free(o);
	return NULL;
}

static void report(struct user_run *u, const struct file *f)
{
	static const char *const names[PLAN_MEANS] = {
		"straight", "over a branch", "into padding", "both", "shared", "by a short jump", "exec", "redirected",
		"on the way to one", "by breakpoint",
	};
	size_t count[PLAN_MEANS] = { 0 }, refused = 0;
	const struct plan *p = f->plan;

	for (size_t i = 0; i < p->nwindows; i++)
		count[p->windows[i].means]++;
	for (size_t i = 0; i < p->npoints; i++) {
		const struct plan_point *pt = &p->points[i];
		const struct sp_site *s = &u->script->sites[pt->site];

		if (!pt->refused || pt->hook != SP_HOOK_SITES)
			continue;
		if (refused++ < REFUSALS_SHOWN || u->run->options->verbose)
			run_warning(u->run, "probe %s (address 0x%lx in %s) is not planted: %s", s->point, pt->addr,
				    f->object->path, pt->refused);
	}
	if (refused > REFUSALS_SHOWN && !u->run->options->verbose)
		run_warning(u->run, "%zu places of %zu in %s are not planted (-v names them all)", refused, p->npoints, f->object->path);
	for (int i = 0; i < PLAN_MEANS; i++)
		if (count[i])
			run_note(u->run, "%s: %zu windows %s", f->object->path, count[i], names[i]);
}

static int file_plan(struct user_run *u, struct file *f, bool is_loader)
{
	const struct sp_script *script = u->script;
	struct points ps = { 0 };

	if (f->script_object != SP_USER_NO_OBJECT) {
		if (!build_id_fits(u, &script->objects[f->script_object], f->object)) {
			f->script_object = SP_USER_NO_OBJECT;
		} else if (f->object->text_relocs) {
			run_warning(u->run, "'%s' has relocations in its code, nothing is probed in it", f->object->path);
			f->script_object = SP_USER_NO_OBJECT;
		} else if (add_sites(script, f->script_object, &ps) || add_gates(script, f)) {
			return -1;
		}
	}
	if ((is_loader && add_loader(f, &ps)) || (!f->object->text_relocs && add_execs(f->object, &ps)))
		return -1;
	if (!ps.n)
		return 0;
	qsort(ps.p, ps.n, sizeof(*ps.p), point_order);
	f->plan = plan_make(f->object, ps.p, ps.n);
	if (!f->plan)
		return -1;
	report(u, f);
	return 0;
}

struct file *file_get(struct user_run *u, const struct mapping *m, pid_t pid, bool is_loader)
{
	struct file *f, **files;

	for (size_t i = 0; i < u->nfiles; i++)
		if (u->files[i]->ino == m->ino && u->files[i]->dev == m->dev)
			return u->files[i];
	files = realloc(u->files, (u->nfiles + 1) * sizeof(*files));
	f = files ? calloc(1, sizeof(*f)) : NULL;
	if (files)
		u->files = files;
	if (!f)
		return NULL;
	*f = (struct file){ .dev = m->dev, .ino = m->ino, .script_object = script_object_of(u, m) };
	u->files[u->nfiles++] = f;
	f->object = file_open_mapped(m, pid);
	if (f->object && file_plan(u, f, is_loader))
		return NULL;
	if (!f->object && f->script_object != SP_USER_NO_OBJECT)
		run_warning(u->run, "'%s' is mapped but can not be read, nothing is probed in it: %s", m->path, strerror(errno));
	return f;
}

void files_free(struct user_run *u)
{
	for (size_t i = 0; i < u->nfiles; i++) {
		object_free(u->files[i]->object);
		plan_free(u->files[i]->plan);
		free(u->files[i]->gates);
		free(u->files[i]);
	}
	free(u->files);
	u->files = NULL;
	u->nfiles = 0;
}
