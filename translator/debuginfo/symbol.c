/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbol.c - the symbol table of an object, sorted by address and by name.
 *
 * libdwfl merges .symtab (of the file or of its debug file), .dynsym and the compressed .gnu_debugdata; this file keeps
 * what defines something in a loaded section.  Start at object_symbols().
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

/* More words for the same place: global names first, sized ones first, then by name, so that the order is stable. */
static int by_address(const void *x, const void *y)
{
	const struct symbol_info *a = x, *b = y;

	if (a->link_addr != b->link_addr)
		return a->link_addr < b->link_addr ? -1 : 1;
	if (a->exported != b->exported)
		return a->exported ? -1 : 1;
	if (!a->size != !b->size)
		return a->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_name(const void *x, const void *y, void *arg)
{
	const struct symbol_info *all = arg, *a = &all[*(const unsigned *)x], *b = &all[*(const unsigned *)y];
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	if (a->exported != b->exported)
		return a->exported ? -1 : 1;
	return a->link_addr < b->link_addr ? -1 : a->link_addr > b->link_addr;
}

/* @name without the version that .symtab of a linked file carries ("memcpy@GLIBC_2.14", "x@@VERS_2"). */
static const char *without_version(struct arena *a, const char *name)
{
	const char *at = strchr(name, '@');

	return at && at != name ? arena_strndup(a, name, at - name) : name;
}

static bool symbol_fill(struct object *obj, int i, struct symbol_info *out)
{
	GElf_Sym sym;
	GElf_Addr addr;
	GElf_Word shndx;
	const char *name = dwfl_module_getsym_info(obj->priv->mod, i, &sym, &addr, &shndx, NULL, NULL);
	unsigned type = GELF_ST_TYPE(sym.st_info), bind;

	if (!name || !*name || shndx == SHN_UNDEF || shndx == SHN_ABS || type == STT_SECTION || type == STT_FILE)
		return false;
	bind = GELF_ST_BIND(sym.st_info);
	*out = (struct symbol_info) {
		.name = without_version(obj->priv->arena, name),
		.link_addr = type == STT_TLS ? sym.st_value : addr,
		.size = sym.st_size,
		.is_function = type == STT_FUNC,
		.is_object = type == STT_OBJECT || type == STT_TLS,
		.is_ifunc = type == STT_GNU_IFUNC,
		.is_tls = type == STT_TLS,
		.exported = bind == STB_GLOBAL || bind == STB_WEAK || bind == STB_GNU_UNIQUE,
	};
	return true;
}

static void note_source(struct object *obj)
{
	struct section s;

	if (object_section(obj, ".symtab", &s))
		obj->symbol_source = SYMBOLS_SYMTAB;
	else if (obj->debug_source == DEBUG_BUILD_ID || obj->debug_source == DEBUG_LINK ||
		 obj->debug_source == DEBUG_SERVER)
		obj->symbol_source = SYMBOLS_SYMTAB;
	else if (object_section(obj, ".gnu_debugdata", &s))
		obj->symbol_source = SYMBOLS_MINIDEBUG;
	else
		obj->symbol_source = SYMBOLS_DYNSYM;
}

static void load_symbols(struct object *obj)
{
	struct object_priv *p = obj->priv;
	int total;

	if (p->symbols_tried)
		return;
	p->symbols_tried = true;
	total = dwfl_module_getsymtab(p->mod);
	if (total <= 0)
		return;
	p->symbols = ARENA_ARRAY(p->arena, struct symbol_info, total);
	for (int i = 0; i < total; i++)
		if (symbol_fill(obj, i, &p->symbols[p->nsymbols]))
			p->nsymbols++;
	note_source(obj);
}

const struct symbol_info *object_symbols(struct object *obj, unsigned *n)
{
	struct object_priv *p = obj->priv;

	load_symbols(obj);
	if (p->nsymbols && !p->symbols_sorted)
		qsort(p->symbols, p->nsymbols, sizeof(*p->symbols), by_address);
	p->symbols_sorted = true;
	*n = p->nsymbols;
	return p->symbols;
}

const struct symbol_info *symbols_of_name(struct object *obj, const char *name, struct arena *a, unsigned *n)
{
	struct object_priv *p = obj->priv;
	struct symbol_info *found;

	load_symbols(obj);
	*n = 0;
	for (unsigned i = 0; i < p->nsymbols; i++)
		*n += strcmp(p->symbols[i].name, name) == 0;
	found = ARENA_ARRAY(a, struct symbol_info, *n + 1);
	*n = 0;
	for (unsigned i = 0; i < p->nsymbols; i++)
		if (strcmp(p->symbols[i].name, name) == 0)
			found[(*n)++] = p->symbols[i];
	qsort(found, *n, sizeof(*found), by_address);
	return found;
}

static const unsigned *symbols_by_name(struct object *obj)
{
	struct object_priv *p = obj->priv;
	unsigned n;

	object_symbols(obj, &n);
	if (!p->symbols_by_name) {
		p->symbols_by_name = ARENA_ARRAY(p->arena, unsigned, n + 1);
		for (unsigned i = 0; i < n; i++)
			p->symbols_by_name[i] = i;
		qsort_r(p->symbols_by_name, n, sizeof(unsigned), by_name, p->symbols);
	}
	return p->symbols_by_name;
}

const struct symbol_info *symbol_starting_at(struct object *obj, uint64_t link_addr, const struct symbol_info *before)
{
	enum { SEARCHES = 16 };		/* that cost as much as sorting */
	struct object_priv *p = obj->priv;
	unsigned n, at = 0, hi;

	load_symbols(obj);
	if (!before && ++p->symbol_searches > SEARCHES)
		object_symbols(obj, &n);
	if (before)
		at = before - p->symbols + 1;
	if (!p->symbols_sorted) {
		while (at < p->nsymbols && p->symbols[at].link_addr != link_addr)
			at++;
		return at < p->nsymbols ? &p->symbols[at] : NULL;
	}
	for (hi = p->nsymbols; !before && at < hi; ) {
		unsigned mid = at + (hi - at) / 2;

		if (p->symbols[mid].link_addr < link_addr)
			at = mid + 1;
		else
			hi = mid;
	}
	return at < p->nsymbols && p->symbols[at].link_addr == link_addr ? &p->symbols[at] : NULL;
}

/* Index of the first symbol above @addr. */
static unsigned upper_bound(const struct symbol_info *sym, unsigned n, uint64_t addr)
{
	unsigned lo = 0, hi = n;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (sym[mid].link_addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool object_symbol_at(struct object *obj, uint64_t link_addr, struct symbol_info *out)
{
	enum { LOOK_BACK = 64 };	/* nested and aliased symbols lie close together */
	unsigned n, at, looked = 0;
	const struct symbol_info *sym = object_symbols(obj, &n), *nearest = NULL, *best = NULL;
	struct section section;

	for (at = upper_bound(sym, n, link_addr); at-- > 0 && looked < LOOK_BACK && !best; looked++) {
		const struct symbol_info *s = &sym[at];

		if (s->is_tls)
			continue;
		if (s->size && link_addr - s->link_addr < s->size)
			best = s;
		else if (!s->size && !nearest)
			nearest = s;
	}
	/* Of several names for one address the first in table order is the one to show. */
	while (best && best > sym && best[-1].link_addr == best->link_addr && best[-1].size == best->size &&
	       best[-1].is_function == best->is_function)
		best--;
	if (!best && nearest && object_section_at(obj, link_addr, &section) &&
	    nearest->link_addr >= section.link_addr)
		best = nearest;
	if (best)
		*out = *best;
	return best != NULL;
}

bool object_symbol_named(struct object *obj, const char *name, struct symbol_info *out)
{
	unsigned n, lo = 0, hi;
	const struct symbol_info *sym = object_symbols(obj, &n);
	const unsigned *order = symbols_by_name(obj);

	for (hi = n; lo < hi; ) {
		unsigned mid = lo + (hi - lo) / 2;

		if (strcmp(sym[order[mid]].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n || strcmp(sym[order[lo]].name, name) != 0)
		return false;
	*out = sym[order[lo]];
	return true;
}

/* The name of version number @index of what this object defines (.gnu.version_d), or NULL. */
static const char *version_name(Elf *elf, unsigned index)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_GNU_verdef ? elf_getdata(scn, NULL) : NULL;
		GElf_Verdef def;
		GElf_Verdaux aux;

		for (size_t at = 0; data && gelf_getverdef(data, at, &def); at += def.vd_next) {
			if (def.vd_ndx == index && gelf_getverdaux(data, at + def.vd_aux, &aux))
				return elf_strptr(elf, sh.sh_link, aux.vda_name);
			if (def.vd_next == 0)
				break;
		}
	}
	return NULL;
}

/* The first section of @type; NULL where there is none. */
static Elf_Data *section_data(Elf *elf, unsigned type, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, sh) && sh->sh_type == type)
			return elf_getdata(scn, NULL);
	return NULL;
}

bool object_symbol_has_version(struct object *obj, const struct symbol_info *sym, const char *version)
{
	Elf *elf = obj->priv->elf;
	GElf_Shdr sh, versions_sh;
	Elf_Data *symbols = section_data(elf, SHT_DYNSYM, &sh), *versions = section_data(elf, SHT_GNU_versym, &versions_sh);
	GElf_Versym index;
	GElf_Sym s;

	for (int i = 0; symbols && versions && gelf_getsymshndx(symbols, NULL, i, &s, NULL); i++) {
		const char *name = s.st_value == sym->link_addr ? elf_strptr(elf, sh.sh_link, s.st_name) : NULL;
		const char *found;

		if (!name || strcmp(name, sym->name) != 0 || !gelf_getversym(versions, i, &index))
			continue;
		found = version_name(elf, index & 0x7fff);
		if (found && strcmp(found, version) == 0)
			return true;
	}
	return false;
}
