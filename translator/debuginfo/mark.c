/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mark.c - static markers, from the notes of .note.stapsdt sections (probes.md B.1, B.2).  Start at find_marks(). */
#include <errno.h>
#include <string.h>

#include "debuginfo/internal.h"

enum { NT_STAPSDT = 3 };

struct mark_search {
	struct object *obj;
	struct arena *arena;
	const char *provider, *name;	/* patterns, `-` turned into `__`; provider NULL: any */
	uint64_t base_addr;		/* where .stapsdt.base is now; 0: no such section */
	struct vec found;
	struct vec all_names;
};

static uint64_t get_word(const struct object *obj, const unsigned char *at)
{
	const char *ident = elf_getident(obj->priv->elf, NULL);
	unsigned size = obj->elf_class / 8;
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v = v << 8 | at[ident[EI_DATA] == ELFDATA2MSB ? i : size - 1 - i];
	return v;
}

/* D scripts write `a-b` for what C calls `a__b`. */
static const char *without_dashes(struct arena *a, const char *name)
{
	char *out, *to;

	if (!name || !strchr(name, '-'))
		return name;
	out = to = arena_alloc(a, 2 * strlen(name) + 1);
	for (; *name; name++) {
		if (*name == '-')
			*to++ = '_';
		*to++ = *name == '-' ? '_' : *name;
	}
	return out;
}

/* The next NUL-terminated string of a note, or NULL. */
static const char *next_string(const unsigned char **at, const unsigned char *end, struct arena *a)
{
	const unsigned char *nul = memchr(*at, 0, end - *at);
	const char *s;

	if (!nul)
		return NULL;
	s = arena_strdup(a, (const char *)*at);
	*at = nul + 1;
	return s;
}

static void find_semaphore(struct mark_search *s, struct mark_site *m)
{
	struct symbol_info sym;

	if (!m->semaphore_addr &&
	    (object_symbol_named(s->obj, arena_printf(s->arena, "%s_%s_semaphore", m->provider, m->name), &sym) ||
	     object_symbol_named(s->obj, arena_printf(s->arena, "%s_semaphore", m->name), &sym)))
		m->semaphore_addr = sym.link_addr;
	if (m->semaphore_addr && !object_file_offset(s->obj, m->semaphore_addr, &m->semaphore_off))
		m->semaphore_off = 0;
}

/* Of a function that the linker left out (--gc-sections) the note stays, with an address that is nowhere. */
static bool is_code(struct object *obj, uint64_t addr)
{
	struct section section;

	return object_section_at(obj, addr, &section) && section.executable;
}

static void take_note(struct mark_search *s, const unsigned char *desc, size_t len)
{
	unsigned word = s->obj->elf_class / 8;
	const unsigned char *at = desc + 3 * word, *end = desc + len;
	struct mark_site *m;
	uint64_t base, shift;

	if (len < 3 * word)
		return;
	m = ARENA_NEW(s->arena, struct mark_site);
	m->obj = s->obj;
	m->addr = get_word(s->obj, desc);
	base = get_word(s->obj, desc + word);
	m->semaphore_addr = get_word(s->obj, desc + 2 * word);
	shift = s->base_addr ? s->base_addr - base : 0;
	m->addr += shift;
	if (m->semaphore_addr)
		m->semaphore_addr += shift;
	m->provider = next_string(&at, end, s->arena);
	m->name = m->provider ? next_string(&at, end, s->arena) : NULL;
	m->args_text = m->name ? next_string(&at, end, s->arena) : NULL;
	if (!m->name || !is_code(s->obj, m->addr))
		return;
	if (!m->args_text)
		m->args_text = "";
	vec_push(&s->all_names, s->arena, (void *)m->name);
	if ((s->provider && !name_matches(s->provider, m->provider)) || !name_matches(s->name, m->name))
		return;
	find_semaphore(s, m);
	m->narg = sdt_operands_parse(s->obj, m->addr, m->args_text, s->arena, m->arg);
	vec_push(&s->found, s->arena, m);
}

static void read_notes(struct mark_search *s, Elf_Data *data)
{
	size_t off = 0, next, name_off, desc_off;
	GElf_Nhdr nh;

	while (off < data->d_size && (next = gelf_getnote(data, off, &nh, &name_off, &desc_off)) > 0) {
		const char *base = data->d_buf;

		if (nh.n_type == NT_STAPSDT && nh.n_namesz == sizeof("stapsdt") &&
		    memcmp(base + name_off, "stapsdt", sizeof("stapsdt")) == 0)
			take_note(s, (const unsigned char *)base + desc_off, nh.n_descsz);
		off = next;
	}
}

int find_marks(struct object *obj, const char *provider, const char *name, struct arena *a,
	       struct mark_site ***marks, unsigned *n, struct di_miss *miss)
{
	struct mark_search s = { .obj = obj, .arena = a };
	Elf *elf = obj->priv->elf;
	struct section base;
	Elf_Scn *scn = NULL;
	size_t shstrndx;

	s.provider = without_dashes(a, provider);
	s.name = without_dashes(a, name);
	if (object_section(obj, ".stapsdt.base", &base))
		s.base_addr = base.link_addr;
	while (elf_getshdrstrndx(elf, &shstrndx) == 0 && (scn = elf_nextscn(elf, scn))) {
		const char *section;
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		section = elf_strptr(elf, shstrndx, sh.sh_name);
		if (section && strcmp(section, ".note.stapsdt") == 0 && (data = elf_getdata(scn, NULL)))
			read_notes(&s, data);
	}
	*marks = (struct mark_site **)s.found.item;
	*n = s.found.n;
	if (s.found.n)
		return 0;
	miss_set(miss, -ENOENT, DI_NO_MATCH, arena_printf(a, "no mark '%s%s%s' in '%s'", provider ? provider : "",
							   provider ? ":" : "", name, obj->path));
	if (miss) {
		near_names(miss, "marks", s.name, (const char *const *)s.all_names.item, s.all_names.n);
		if (!s.all_names.n)
			miss->hint = "the file holds no static marks at all: it was built without <sys/sdt.h>, or stripped of its notes";
		else if (!miss->nalt)
			miss->hint = arena_printf(a, "mark(\"*\") with -l lists its %u mark%s", s.all_names.n,
						  s.all_names.n == 1 ? "" : "s");
	}
	return -ENOENT;
}
