/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where execution may arrive other than from the instruction before: a window may start there, but not hold it.
 *
 * Too many targets cost a few windows; a missing one crashes a program.  So whole segments are searched byte by byte
 * for anything that reads as a branch, an address of code in data, or a jump table, without deciding whether it is
 * one.  A false find must hit one of the few bytes inside a window, which happens to one in thousands.
 */
#include <stdlib.h>
#include <string.h>

#include "spilerun/user/targets.h"

#define TABLE_MAX 65536			/* entries followed in one jump table */

int marks_make(struct marks *m, const struct object *o)
{
	m->o = o;
	m->n = 0;
	for (int i = 0; i < o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *p = &o->phdr[i];
		struct mark_segment *s = &m->segments[m->n];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || !p->p_filesz || m->n == MARK_SEGMENTS)
			continue;
		s->p = object_at(o, p->p_vaddr, &s->size);
		if (!s->p)
			continue;
		s->lo = p->p_vaddr;
		s->marks = calloc(s->size + 16, 1);
		if (!s->marks) {
			marks_free(m);
			return -1;
		}
		m->n++;
	}
	return 0;
}

void marks_free(struct marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->segments[i].marks);
	m->n = 0;
}

uint8_t *marks_at(const struct marks *m, uint64_t addr, size_t *n)
{
	for (size_t i = 0; i < m->n; i++)
		if (addr - m->segments[i].lo < m->segments[i].size) {
			*n = m->segments[i].size - (addr - m->segments[i].lo);
			return m->segments[i].marks + (addr - m->segments[i].lo);
		}
	return NULL;
}

/* Notes a target where it matters.  Returns whether @addr is code at all. */
static bool arrive(const struct marks *m, uint64_t addr)
{
	size_t n;
	uint8_t *mark = marks_at(m, addr, &n);

	if (mark && *mark & MARK_WANTED)
		*mark |= MARK_TARGET | MARK_OTHER;
	return mark != NULL;
}

void marks_branch(const struct marks *m, uint64_t from, uint64_t addr)
{
	size_t n;
	uint8_t *mark = marks_at(m, addr, &n);

	if (!mark || !(*mark & MARK_WANTED))
		return;
	*mark |= MARK_TARGET;
	if (!(*mark & MARK_OTHER) && object_function_at(m->o, from) != object_function_at(m->o, addr))
		*mark |= MARK_OTHER;
}

static int32_t i32_at(const uint8_t *p)
{
	int32_t v;

	memcpy(&v, p, 4);
	return v;
}

/* A table of 32-bit distances from its own start, as gcc and clang make for switch in position-independent code. */
static void try_table(const struct marks *m, uint64_t table)
{
	size_t n;
	const uint8_t *p = object_at(m->o, table, &n);

	if (!p || table % 4)
		return;
	for (size_t i = 0; i < TABLE_MAX && n >= 4; i++, n -= 4)
		if (!arrive(m, table + (uint64_t)(int64_t)i32_at(p + 4 * i)))
			return;
}

/* Every byte of code that could be the first of a branch with a 32-bit displacement, or of a lea off rip. */
static void search_code(const struct marks *m, const struct mark_segment *s)
{
	const uint8_t *p = s->p;

	for (size_t i = 0; i + 6 <= s->size; i++) {
		uint64_t addr = s->lo + i;

		if (p[i] == 0xe9 || p[i] == 0xe8) {
			marks_branch(m, addr, addr + 5 + (uint64_t)(int64_t)i32_at(p + i + 1));
		} else if (p[i] == 0x0f && (p[i + 1] & 0xf0) == 0x80) {
			marks_branch(m, addr, addr + 6 + (uint64_t)(int64_t)i32_at(p + i + 2));
		} else if (p[i] == 0x8d && (p[i + 1] & 0xc7) == 0x05) {
			uint64_t to = addr + 6 + (uint64_t)(int64_t)i32_at(p + i + 2);

			arrive(m, to);
			try_table(m, to);
		}
	}
	if (m->o->fixed)		/* an address may stand in an instruction */
		for (size_t i = 0; i + 4 <= s->size; i++)
			arrive(m, (uint32_t)i32_at(p + i));
}

/* Every aligned word of every segment: data of fixed programs, addends of relocations, packed ones. */
static void search_data(const struct marks *m)
{
	for (int i = 0; i < m->o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *ph = &m->o->phdr[i];
		const uint8_t *p;
		size_t n, skip = -ph->p_vaddr & 7;

		if (ph->p_type != PT_LOAD || !(p = object_at(m->o, ph->p_vaddr, &n)))
			continue;
		for (size_t at = skip; at + 8 <= n; at += 8) {
			uint64_t v;

			memcpy(&v, p + at, 8);
			if (v)
				arrive(m, v);
		}
	}
}

static void symbol_target(void *data, const Elf64_Sym *sym, const char *name)
{
	(void)name;
	if (ELF64_ST_TYPE(sym->st_info) != STT_TLS)
		arrive(data, sym->st_value);
}

void marks_search(const struct marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		search_code(m, &m->segments[i]);
	search_data(m);
	object_symbols(m->o, symbol_target, (void *)m);
}

/*
 * Landing pads of @f: the exception table's call sites (Itanium C++ ABI, exception handling, 7.2).  A split-off part
 * has the same table with a base of its own, or names its parent's pads by an explicit base.
 */
void marks_landing_pads(const struct marks *m, const struct function *f)
{
	size_t n;
	const uint8_t *start = f->lsda ? object_at(m->o, f->lsda, &n) : NULL, *at = start, *end, *sites_end;
	uint64_t base = f->lo, len;
	uint8_t encoding;

	if (!start || n < 4)
		return;
	end = start + n;
	encoding = *at++;
	if (encoding != 0xff)
		base = object_eh_pointer(m->o, &at, end, f->lsda + (uint64_t)(at - start), encoding);
	if (at >= end)
		return;
	encoding = *at++;
	if (encoding != 0xff)
		object_uleb(&at, end);
	if (at >= end)
		return;
	encoding = *at++;
	len = object_uleb(&at, end);
	if (len > (uint64_t)(end - at))
		return;
	for (sites_end = at + len; at < sites_end;) {
		uint64_t pad;

		object_eh_pointer(m->o, &at, sites_end, 0, encoding & 0x0f);
		object_eh_pointer(m->o, &at, sites_end, 0, encoding & 0x0f);
		pad = object_eh_pointer(m->o, &at, sites_end, 0, encoding & 0x0f);
		object_uleb(&at, sites_end);
		if (pad)
			arrive(m, base + pad);
	}
}
