/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading ELF files: segments, symbols, unwind tables.  See object.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spilerun/user/object.h"

static bool fits(const struct object *o, uint64_t off, uint64_t n)
{
	return off <= o->size && n <= o->size - off;
}

const Elf64_Phdr *object_segment(const struct object *o, uint64_t addr)
{
	for (int i = 0; i < o->ehdr->e_phnum; i++)
		if (o->phdr[i].p_type == PT_LOAD && addr - o->phdr[i].p_vaddr < o->phdr[i].p_memsz)
			return &o->phdr[i];
	return NULL;
}

const uint8_t *object_at(const struct object *o, uint64_t addr, size_t *n)
{
	const Elf64_Phdr *p = object_segment(o, addr);
	uint64_t at = p ? addr - p->p_vaddr : 0;

	if (!p || at >= p->p_filesz || !fits(o, p->p_offset, p->p_filesz))
		return NULL;
	*n = p->p_filesz - at;
	return o->data + p->p_offset + at;
}

static void find_build_id(struct object *o, const Elf64_Phdr *p)
{
	uint64_t at = p->p_offset, end = p->p_offset + p->p_filesz;

	if (!fits(o, p->p_offset, p->p_filesz))
		return;
	while (end - at >= sizeof(Elf64_Nhdr) && at < end) {
		const Elf64_Nhdr *n = (const void *)(o->data + at);
		uint64_t desc = at + sizeof(*n) + ((n->n_namesz + 3ull) & ~3ull);
		uint64_t next = desc + ((n->n_descsz + 3ull) & ~3ull);

		if (next > end || next <= at)
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(n + 1, "GNU", 4)) {
			o->build_id = o->data + desc;
			o->build_id_len = n->n_descsz;
			return;
		}
		at = next;
	}
}

static void find_text_relocs(struct object *o, const Elf64_Phdr *p)
{
	const Elf64_Dyn *d = (const void *)(o->data + p->p_offset);

	if (!fits(o, p->p_offset, p->p_filesz))
		return;
	for (size_t i = 0; i < p->p_filesz / sizeof(*d) && d[i].d_tag != DT_NULL; i++)
		if (d[i].d_tag == DT_TEXTREL || (d[i].d_tag == DT_FLAGS && d[i].d_un.d_val & DF_TEXTREL))
			o->text_relocs = true;
}

static bool header_is_good(struct object *o)
{
	const Elf64_Ehdr *e = o->ehdr = (const void *)o->data;

	if (o->size < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_machine != EM_X86_64 || e->e_phentsize != sizeof(Elf64_Phdr) || e->e_phoff % 8 ||
	    !fits(o, e->e_phoff, (uint64_t)e->e_phnum * sizeof(Elf64_Phdr)))
		return false;
	o->phdr = (const void *)(o->data + e->e_phoff);
	if (e->e_shoff && e->e_shoff % 8 == 0 && e->e_shentsize == sizeof(Elf64_Shdr) &&
	    fits(o, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr)))
		o->shdr = (const void *)(o->data + e->e_shoff);
	o->fixed = e->e_type == ET_EXEC;
	for (int i = 0; i < e->e_phnum; i++) {
		if (o->phdr[i].p_type == PT_NOTE && !o->build_id)
			find_build_id(o, &o->phdr[i]);
		if (o->phdr[i].p_type == PT_DYNAMIC)
			find_text_relocs(o, &o->phdr[i]);
	}
	return true;
}

struct object *object_open(const char *path)
{
	struct object *o = calloc(1, sizeof(*o));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data = MAP_FAILED;

	if (o && fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (!o || data == MAP_FAILED) {
		free(o);
		return NULL;
	}
	o->data = data;
	o->size = (size_t)st.st_size;
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	o->path = strdup(path);
	if (o->path && header_is_good(o))
		return o;
	object_free(o);
	errno = EINVAL;
	return NULL;
}

void object_free(struct object *o)
{
	if (!o)
		return;
	munmap((void *)o->data, o->size);
	free(o->path);
	free(o->functions);
	free(o);
}

/* ---- symbols ---- */

static void table_symbols(const struct object *o, const Elf64_Shdr *s,
			  void (*f)(void *data, const Elf64_Sym *sym, const char *name), void *data)
{
	const Elf64_Shdr *str;
	const Elf64_Sym *sym = (const void *)(o->data + s->sh_offset);

	if (s->sh_link >= o->ehdr->e_shnum || !fits(o, s->sh_offset, s->sh_size) || s->sh_offset % 8)
		return;
	str = &o->shdr[s->sh_link];
	if (!fits(o, str->sh_offset, str->sh_size) || !str->sh_size || o->data[str->sh_offset + str->sh_size - 1])
		return;
	for (size_t i = 1; i < s->sh_size / sizeof(*sym); i++)
		if (sym[i].st_shndx != SHN_UNDEF && sym[i].st_shndx != SHN_ABS && sym[i].st_name < str->sh_size)
			f(data, &sym[i], (const char *)o->data + str->sh_offset + sym[i].st_name);
}

void object_symbols(const struct object *o, void (*f)(void *data, const Elf64_Sym *sym, const char *name), void *data)
{
	for (int i = 0; o->shdr && i < o->ehdr->e_shnum; i++)
		if (o->shdr[i].sh_type == SHT_SYMTAB || o->shdr[i].sh_type == SHT_DYNSYM)
			table_symbols(o, &o->shdr[i], f, data);
}

struct lookup {
	const char *name;
	uint64_t addr;
};

static void lookup_symbol(void *data, const Elf64_Sym *sym, const char *name)
{
	struct lookup *l = data;

	if (!l->addr && ELF64_ST_TYPE(sym->st_info) != STT_TLS && !strcmp(name, l->name))
		l->addr = sym->st_value;
}

uint64_t object_symbol(const struct object *o, const char *name)
{
	struct lookup l = { name, 0 };

	object_symbols(o, lookup_symbol, &l);
	return l.addr;
}

/* ---- unwind tables: DWARF4 6.4.1, and the Linux Standard Base's account of .eh_frame ---- */

uint64_t object_uleb(const uint8_t **at, const uint8_t *end)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t b = *(*at)++;

		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	*at = end;
	return v;
}

static uint64_t sleb(const uint8_t **at, const uint8_t *end)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b = 0;

	while (*at < end && shift < 64) {
		b = *(*at)++;
		v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
		if (!(b & 0x80))
			break;
	}
	return b & 0x40 && shift < 64 ? v | -(1ull << shift) : v;
}

static bool take(const uint8_t **at, const uint8_t *end, void *to, size_t n)
{
	if ((size_t)(end - *at) < n) {
		*at = end;
		return false;
	}
	memcpy(to, *at, n);
	*at += n;
	return true;
}

uint64_t object_eh_pointer(const struct object *o, const uint8_t **at, const uint8_t *end, uint64_t addr, uint8_t encoding)
{
	uint64_t v = 0;
	size_t n;
	const uint8_t *p;

	if (encoding == 0xff)
		return 0;
	switch (encoding & 0x0f) {
	case 0x00: case 0x04: case 0x0c:
		take(at, end, &v, 8);
		break;
	case 0x01:
		v = object_uleb(at, end);
		break;
	case 0x09:
		v = sleb(at, end);
		break;
	case 0x02:
		take(at, end, &v, 2);
		break;
	case 0x0a:
		take(at, end, &v, 2);
		v = (uint64_t)(int16_t)v;
		break;
	case 0x03:
		take(at, end, &v, 4);
		break;
	case 0x0b:
		take(at, end, &v, 4);
		v = (uint64_t)(int32_t)v;
		break;
	default:
		*at = end;
		return 0;
	}
	if (v && (encoding & 0x70) == 0x10)
		v += addr;
	if (v && encoding & 0x80) {		/* indirect */
		p = object_at(o, v, &n);
		v = 0;
		if (p && n >= 8)
			memcpy(&v, p, 8);
	}
	return v;
}

struct cie {
	uint8_t fde_encoding, lsda_encoding;
	bool augmented;
};

static void cie_parse(const struct object *o, const uint8_t *at, const uint8_t *end, uint64_t addr, struct cie *c)
{
	const uint8_t *start = at, *letters;
	uint8_t b;

	*c = (struct cie){ .lsda_encoding = 0xff };
	if (!take(&at, end, &b, 1))
		return;
	letters = at;
	while (at < end && *at)
		at++;
	if (at == end)
		return;
	at++;
	object_uleb(&at, end);
	sleb(&at, end);
	object_uleb(&at, end);
	if (*letters != 'z')
		return;
	c->augmented = true;
	object_uleb(&at, end);
	for (letters++; *letters; letters++)
		switch (*letters) {
		case 'R':
			take(&at, end, &c->fde_encoding, 1);
			break;
		case 'L':
			take(&at, end, &c->lsda_encoding, 1);
			break;
		case 'P':
			if (!take(&at, end, &b, 1))
				return;
			object_eh_pointer(o, &at, end, addr + (uint64_t)(at - start), b & 0x7f);
			break;
		}
}

static int add_function(struct object *o, size_t *room, struct function f)
{
	if (o->nfunctions == *room) {
		size_t more = *room ? 2 * *room : 1024;
		struct function *functions = realloc(o->functions, more * sizeof(f));

		if (!functions)
			return -1;
		o->functions = functions;
		*room = more;
	}
	o->functions[o->nfunctions++] = f;
	return 0;
}

/* One FDE behind its length and CIE pointer. */
static int fde_parse(struct object *o, size_t *room, const struct cie *c, const uint8_t *at, const uint8_t *end, uint64_t addr)
{
	const uint8_t *start = at;
	struct function f = { 0 };
	uint64_t n;

	f.lo = object_eh_pointer(o, &at, end, addr, c->fde_encoding);
	f.hi = f.lo + object_eh_pointer(o, &at, end, 0, c->fde_encoding & 0x0f);
	if (c->augmented) {
		n = object_uleb(&at, end);
		if (n && n <= (uint64_t)(end - at))
			f.lsda = object_eh_pointer(o, &at, at + n, addr + (uint64_t)(at - start), c->lsda_encoding);
	}
	return f.lo && f.hi > f.lo && object_segment(o, f.lo) ? add_function(o, room, f) : 0;
}

static int eh_frame_parse(struct object *o, size_t *room, uint64_t addr)
{
	size_t n;
	const uint8_t *p = object_at(o, addr, &n), *section = p, *at = p;
	const uint8_t *end = p ? p + n : NULL;
	struct cie cie = { 0 };
	const uint8_t *cie_at = NULL;

	while (p && end - at >= 8) {
		uint32_t len, id;
		const uint8_t *body = at + 8, *next;

		memcpy(&len, at, 4);
		memcpy(&id, at + 4, 4);
		if (!len || len == 0xffffffff || len < 4 || len > (size_t)(end - at - 4))
			break;
		next = at + 4 + len;
		if (id) {
			const uint8_t *its = at + 4 - id;

			if (id > (size_t)(at + 4 - section) || its + 8 > end)
				break;
			if (its != cie_at) {
				memcpy(&len, its, 4);
				if (len < 4 || len > (size_t)(end - its - 4))
					break;
				cie_parse(o, its + 8, its + 4 + len, addr + (uint64_t)(its + 8 - section), &cie);
				cie_at = its;
			}
			if (fde_parse(o, room, &cie, body, next, addr + (uint64_t)(body - section)))
				return -1;
		}
		at = next;
	}
	return 0;
}

/* Link-time address of .eh_frame: by its header's segment, else by section name. */
static uint64_t eh_frame_addr(const struct object *o)
{
	size_t n;

	for (int i = 0; i < o->ehdr->e_phnum; i++) {
		const uint8_t *p, *at;

		if (o->phdr[i].p_type != PT_GNU_EH_FRAME)
			continue;
		p = object_at(o, o->phdr[i].p_vaddr, &n);
		if (!p || n < 12 || p[0] != 1)
			continue;
		at = p + 4;
		return object_eh_pointer(o, &at, p + n, o->phdr[i].p_vaddr + 4, p[1]);
	}
	for (int i = 0; o->shdr && i < o->ehdr->e_shnum; i++) {
		const Elf64_Shdr *names = o->ehdr->e_shstrndx < o->ehdr->e_shnum ? &o->shdr[o->ehdr->e_shstrndx] : NULL;

		if (!names || !fits(o, names->sh_offset, names->sh_size))
			return 0;
		if ((uint64_t)o->shdr[i].sh_name + 10 <= names->sh_size &&
		    !memcmp(o->data + names->sh_offset + o->shdr[i].sh_name, ".eh_frame", 10))
			return o->shdr[i].sh_addr;
	}
	return 0;
}

static int function_order(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->hi < y->hi ? -1 : x->hi > y->hi;
}

struct symbol_functions {
	struct object *o;
	size_t room, known;		/* functions known before, sorted */
	bool sized;			/* this round takes symbols with a size, or those without */
	bool failed;
};

static const struct function *find(const struct function *f, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (f[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < f[lo - 1].hi ? &f[lo - 1] : NULL;
}

/* The end of the section of code that holds @addr; 0: none does. */
static uint64_t code_section_end(const struct object *o, uint64_t addr)
{
	for (int i = 0; o->shdr && i < o->ehdr->e_shnum; i++)
		if (o->shdr[i].sh_flags & SHF_EXECINSTR && addr - o->shdr[i].sh_addr < o->shdr[i].sh_size)
			return o->shdr[i].sh_addr + o->shdr[i].sh_size;
	return 0;
}

/* A sized symbol is a function; one without size, in assembler code, runs on until something else begins. */
static void add_symbol_function(void *data, const Elf64_Sym *sym, const char *name)
{
	struct symbol_functions *s = data;
	unsigned type = ELF64_ST_TYPE(sym->st_info);
	uint64_t end = code_section_end(s->o, sym->st_value);

	(void)name;
	if ((type != STT_FUNC && type != STT_NOTYPE) || s->sized != (sym->st_size != 0) ||
	    find(s->o->functions, s->known, sym->st_value))
		return;
	if (s->sized && type == STT_FUNC && object_segment(s->o, sym->st_value))
		end = sym->st_value + sym->st_size;
	if (end)
		s->failed |= add_function(s->o, &s->room, (struct function){ sym->st_value, end, 0 }) != 0;
}

/* Sorts; where two overlap the later start wins the rest, and of equal ones the first is kept. */
static void settle(struct object *o, size_t *known)
{
	size_t n = 0;

	if (o->nfunctions)
		qsort(o->functions, o->nfunctions, sizeof(*o->functions), function_order);
	for (size_t i = 0; i < o->nfunctions; i++) {
		struct function *last = n ? &o->functions[n - 1] : NULL;

		if (last && o->functions[i].lo == last->lo)
			continue;
		if (last && last->hi > o->functions[i].lo)
			last->hi = o->functions[i].lo;
		o->functions[n++] = o->functions[i];
	}
	*known = o->nfunctions = n;
}

int object_functions(struct object *o)
{
	struct symbol_functions s = { .o = o };
	uint64_t eh = eh_frame_addr(o);

	if (o->functions)
		return 0;
	if (eh && eh_frame_parse(o, &s.room, eh))
		return -1;
	settle(o, &s.known);
	for (int round = 0; round < 2; round++) {
		s.sized = round == 0;
		object_symbols(o, add_symbol_function, &s);
		if (s.failed)
			return -1;
		settle(o, &s.known);
	}
	return 0;
}

const struct function *object_function_at(const struct object *o, uint64_t addr)
{
	return find(o->functions, o->nfunctions, addr);
}
