/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of symbols, with rows for unwinding that processes lack: made of an ELF file, and asked for the name of an address.
 *
 * The back end reads the file and keeps the table; sp_symbols_open() and sp_symbols_make() are where to start.  Nothing in
 * the file is trusted.
 */
#include "core.h"
#include "elf.h"
#include "unwind.h"

enum {
	SECTIONS_MAX = 1 << 20, SEGMENTS_MAX = 256, NOTES_MAX = 4096, BATCH = 16,
	LOOK_BACK = 32,			/* symbols below an address that may reach over others */
};

static sp_bool get(struct sp_symbols_source *s, void *dst, sp_u64 at, sp_size n)
{
	return s->read(s->file, dst, at, n);
}

static sp_bool section_at(struct sp_symbols_source *s, sp_u32 i, struct sp_elf_section *to)
{
	return i < s->nsections && get(s, to, s->sections + (sp_u64)i * sizeof(*to), sizeof(*to));
}

/* ---- headers --------------------------------------------------------------------------------------------- */

/* The build-id among the notes of a segment (gABI, "Note Section"). */
static void read_notes(struct sp_symbols_source *s, sp_u64 at, sp_u64 size)
{
	struct { sp_u32 name_size, size, type; char name[4]; } n;
	sp_u64 end = at + SP_MIN(size, (sp_u64)NOTES_MAX);

	while (end - at >= sizeof(n) && at < end && get(s, &n, at, sizeof(n))) {
		sp_u64 desc = at + 12 + ((n.name_size + 3ULL) & ~3ULL);

		if (n.type == SP_ELF_BUILD_ID && n.name_size == 4 && !sp_compare(n.name, "GNU", 4)) {
			if (n.size <= sizeof(s->build_id) && get(s, s->build_id, desc, n.size))
				s->build_id_len = n.size;
			return;
		}
		at = desc + ((n.size + 3ULL) & ~3ULL);
	}
}

static void read_segments(struct sp_symbols_source *s, const struct sp_elf_header *e)
{
	struct sp_elf_segment p;
	sp_bool loaded = 0;
	sp_u32 i;

	for (i = 0; i < e->phnum && i < SEGMENTS_MAX; i++) {
		if (!get(s, &p, e->phoff + i * sizeof(p), sizeof(p)))
			return;
		s->frames_mapped |= p.type == SP_ELF_EH_FRAME;
		if (p.type == SP_ELF_LOAD && !loaded) {
			s->load = p.vaddr - p.offset;
			loaded = 1;
		} else if (p.type == SP_ELF_NOTE && !s->build_id_len) {
			read_notes(s, p.offset, p.filesz);
		}
	}
}

/* Takes a table of symbols, if it is one, with its names. */
static sp_bool take_table(struct sp_symbols_source *s, const struct sp_elf_section *table)
{
	struct sp_elf_section names;
	sp_u8 last;

	if (!section_at(s, table->link, &names) || !names.size || names.size >= SP_SYMBOLS_MAX ||
	    table->size / sizeof(struct sp_elf_symbol) >= SP_SYMBOLS_MAX / sizeof(struct sp_symbol) ||
	    !get(s, &last, names.offset + names.size - 1, 1) || last)
		return 0;
	s->table = table->offset;
	s->ntable = table->size / sizeof(struct sp_elf_symbol);
	s->names = names.offset;
	s->names_size = names.size;
	return 1;
}

/* Takes a section of rows: .debug_frame, or .eh_frame where the process has no sorted table of it. */
static void take_frames(struct sp_symbols_source *s, const struct sp_elf_section *section, sp_u64 names)
{
	char name[13];
	sp_bool is_debug;

	if ((section->type != SP_ELF_PROGBITS && section->type != SP_ELF_X86_UNWIND) || section->size > SP_SYMBOLS_MAX / 4 ||
	    section->flags & SP_ELF_COMPRESSED || !get(s, name, names + section->name, sizeof(name)))
		return;
	is_debug = !sp_compare(name, ".debug_frame", 13);
	if (!is_debug && (s->frames_mapped || sp_compare(name, ".eh_frame", 10)))
		return;
	if (s->frames_size && is_debug)
		return;			/* .eh_frame is for all of the code */
	s->frames = section->offset;
	s->frames_addr = is_debug ? 0 : section->addr;
	s->frames_size = section->size;
	s->frames_debug = is_debug;
}

static void find_tables(struct sp_symbols_source *s, sp_u32 names_section)
{
	struct sp_elf_section section, names;
	sp_bool named = section_at(s, names_section, &names);
	sp_u32 i;

	for (i = 0; i < s->nsections; i++) {
		if (!section_at(s, i, &section))
			return;
		if (section.type == SP_ELF_SYMTAB)
			s->has_symtab = take_table(s, &section);
		else if (section.type == SP_ELF_DYNSYM && !s->has_symtab)
			take_table(s, &section);
		else if (named)
			take_frames(s, &section, names.offset);
	}
}

/* Entries of a section of rows take so many bytes at least. */
static sp_u64 fdes_room(const struct sp_symbols_source *s)
{
	return s->frames_size / 20;
}

static sp_u64 symbols_size(struct sp_symbols_source *s)
{
	sp_u64 size = sizeof(struct sp_symbols) + s->ntable * sizeof(struct sp_symbol) + s->names_size;

	if (size > SP_SYMBOLS_MAX) {
		s->ntable = s->names_size = 0;
		size = sizeof(struct sp_symbols);
	}
	if (s->frames_size)
		size = ((size + 7) & ~7ULL) + fdes_room(s) * sizeof(struct sp_fde) + s->frames_size;
	return size;
}

sp_u64 sp_symbols_open(struct sp_symbols_source *s)
{
	struct sp_elf_header e;
	struct sp_elf_section first;

	s->nsections = s->ntable = s->names_size = s->build_id_len = s->frames_size = 0;
	s->load = 0;
	s->has_symtab = s->frames_mapped = 0;
	s->frames_file = s->file;
	if (!get(s, &e, 0, sizeof(e)) || sp_compare(e.ident, SP_ELF_MAGIC, 6))
		return 0;
	if (e.phentsize == sizeof(struct sp_elf_segment))
		read_segments(s, &e);
	if (e.shoff && e.shentsize == sizeof(first)) {
		s->sections = e.shoff;
		s->nsections = e.shnum;
		if (!e.shnum && get(s, &first, e.shoff, sizeof(first)))
			s->nsections = SP_MIN(first.size, (sp_u64)SECTIONS_MAX);
		find_tables(s, e.shstrndx);
	}
	return symbols_size(s);
}

sp_bool sp_symbols_split_path(const struct sp_symbols_source *s, char path[SP_SPLIT_PATH_MAX])
{
	static const char digits[] = "0123456789abcdef";
	struct sp_text t = { 0, path, 0, SP_SPLIT_PATH_MAX - 1, 0 };
	sp_u32 i;

	if (s->build_id_len < 2)
		return 0;
	sp_text_puts(&t, "/usr/lib/debug/.build-id/");
	for (i = 0; i < s->build_id_len; i++) {
		sp_text_put(&t, &digits[s->build_id[i] >> 4], 1);
		sp_text_put(&t, &digits[s->build_id[i] & 15], 1);
		if (!i)
			sp_text_puts(&t, "/");
	}
	sp_text_puts(&t, ".debug");
	path[t.n] = 0;
	return !t.cut;
}

/* The offsets of its own segments mean nothing, and its .eh_frame is empty. */
sp_u64 sp_symbols_split(const struct sp_symbols_source *s, struct sp_symbols_source *split)
{
	if (!split->frames_debug || !split->frames_size || s->frames_size) {
		split->frames_file = s->frames_file;
		split->frames = s->frames;
		split->frames_addr = s->frames_addr;
		split->frames_size = s->frames_size;
		split->frames_debug = s->frames_debug;
	}
	split->load = s->load;
	split->build_id_len = s->build_id_len;
	sp_copy(split->build_id, s->build_id, sizeof(split->build_id));
	return symbols_size(split);
}

/* ---- making a table ------------------------------------------------------------------------------------------- */

static sp_bool is_named_place(const struct sp_symbols_source *s, const struct sp_elf_symbol *e)
{
	unsigned type = e->info & 15;

	return e->section && e->section < SP_ELF_RESERVED && e->name && e->name < s->names_size &&
	       (type <= SP_ELF_FUNC || type == SP_ELF_IFUNC);
}

/* "$x", "$d" of the Arm ABI, ".L12" of a compiler: marks, not names. */
static sp_bool is_mark(const char *name)
{
	return !name[0] || name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

/* Where a symbol without size can reach at most: the end of its section. */
static sp_u64 section_end(struct sp_symbols_source *s, sp_u32 i, sp_u32 *last, sp_u64 *end)
{
	struct sp_elf_section section;

	if (i != *last) {
		*last = i;
		*end = section_at(s, i, &section) ? section.addr + section.size : 0;
	}
	return *end;
}

static void take_entry(struct sp_symbols_source *s, struct sp_symbols *t, const struct sp_elf_symbol *e, sp_u32 *last,
		       sp_u64 *end)
{
	struct sp_symbol *to = &t->symbols[t->n];
	sp_u64 size = e->size;

	if (!is_named_place(s, e) || is_mark((const char *)t + t->names_off + e->name))
		return;
	to->addr = e->value;
	to->name = e->name | ((e->info & 15) == SP_ELF_IFUNC ? SP_SYMBOL_CHOOSES : 0);
	if (!size) {
		size = section_end(s, e->section, last, end) - e->value;
		if (size > SP_SYMBOLS_MAX)
			return;		/* it marks an end, or lies outside its section */
		to->name |= SP_SYMBOL_GUESSED;
	}
	to->size = SP_MIN(size, 0xffffffffULL);
	t->n++;
}

static sp_bool take_entries(struct sp_symbols_source *s, struct sp_symbols *t)
{
	struct sp_elf_symbol batch[BATCH];
	sp_u32 at, i, n, last = 0;
	sp_u64 end = 0;

	for (at = 0; at < s->ntable; at += n) {
		n = SP_MIN(s->ntable - at, (sp_u32)BATCH);
		if (!get(s, batch, s->table + (sp_u64)at * sizeof(*batch), n * sizeof(*batch)))
			return 0;
		for (i = 0; i < n; i++)
			take_entry(s, t, &batch[i], &last, &end);
	}
	return 1;
}

/* Leading underscores, and the length: of two names the one with fewer of both is the one that people know. */
static sp_u32 strangeness(const struct sp_symbols *t, const struct sp_symbol *y)
{
	const char *name = (const char *)t + t->names_off + (y->name & SP_SYMBOL_NAME);
	sp_u32 bars = 0;

	while (bars < 255 && name[bars] == '_')
		bars++;
	return bars << 20 | SP_MIN(sp_text_len(name), 0xfffffu);
}

/* Order by address, of equal ones the better name first; the offset settles what is left. */
static sp_bool goes_before(const void *data, const void *one, const void *other)
{
	const struct sp_symbols *t = data;
	const struct sp_symbol *a = one, *b = other;
	sp_u32 x, y;

	if (a->addr != b->addr)
		return a->addr < b->addr;
	if ((a->name ^ b->name) & ~SP_SYMBOL_NAME)
		return (a->name & ~SP_SYMBOL_NAME) < (b->name & ~SP_SYMBOL_NAME);
	x = strangeness(t, a);
	y = strangeness(t, b);
	return x != y ? x < y : a->name < b->name;
}

struct pair {
	sp_u64 a, b;
};
_Static_assert(sizeof(struct sp_symbol) == sizeof(struct pair) && sizeof(struct sp_fde) == sizeof(struct pair), "pairs");

static void sift(struct pair *s, sp_u32 at, sp_u32 n, sp_bool (*before)(const void *, const void *, const void *),
		 const void *data)
{
	struct pair held = s[at];

	for (;;) {
		sp_u32 child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && before(data, &s[child], &s[child + 1]))
			child++;
		if (!before(data, &held, &s[child]))
			break;
		s[at] = s[child];
		at = child;
	}
	s[at] = held;
}

/* A heap: no recursion, no second table. */
void sp_sort_pairs(void *pairs, sp_u32 n, sp_bool (*before)(const void *data, const void *a, const void *b), const void *data)
{
	struct pair *s = pairs;
	sp_u32 i;

	for (i = n / 2; i-- > 0;)
		sift(s, i, n, before, data);
	for (i = n; i-- > 1;) {
		struct pair first = s[0];

		s[0] = s[i];
		s[i] = first;
		sift(s, 0, i, before, data);
	}
}

/* One name for each address; one without size ends where the next begins. */
static void settle_symbols(struct sp_symbols *t)
{
	struct sp_symbol *s = t->symbols;
	sp_u32 i, n = 0;

	for (i = 0; i < t->n; i++) {
		if (n && s[n - 1].addr == s[i].addr)
			continue;
		if (n && s[n - 1].name & SP_SYMBOL_GUESSED && s[i].addr - s[n - 1].addr < s[n - 1].size)
			s[n - 1].size = s[i].addr - s[n - 1].addr;
		s[n++] = s[i];
	}
	t->n = n;
}

/* The copied section's entries, by the code they cover; what makes no sense is left out. */
static sp_bool make_fdes(struct sp_symbols_source *s, struct sp_symbols *t)
{
	t->frames_debug = s->frames_debug;
	t->frames_addr = s->frames_addr;
	t->frames_size = s->frames_size;
	t->fdes_off = (t->names_off + t->names_size + 7) & ~7u;
	t->frames_off = t->fdes_off + fdes_room(s) * sizeof(struct sp_fde);
	if (!s->read(s->frames_file, (char *)t + t->frames_off, s->frames, s->frames_size))
		return 0;
	sp_fdes_make(t, fdes_room(s));
	return 1;
}

sp_bool sp_symbols_make(struct sp_symbols_source *s, struct sp_symbols *t)
{
	t->load = s->load;
	t->n = t->nfdes = t->frames_size = 0;
	t->names_off = sizeof(*t) + s->ntable * sizeof(struct sp_symbol);
	t->names_size = s->names_size;
	t->build_id_len = s->build_id_len;
	sp_copy(t->build_id, s->build_id, sizeof(t->build_id));
	if (s->frames_size && !make_fdes(s, t))
		return 0;
	if (!s->names_size)
		return 1;
	if (!get(s, (char *)t + t->names_off, s->names, s->names_size))
		return 0;
	((char *)t)[t->names_off + t->names_size - 1] = 0;	/* the file may have changed since it was looked at */
	if (!take_entries(s, t))
		return 0;
	sp_sort_pairs(t->symbols, t->n, goes_before, t);
	settle_symbols(t);
	return 1;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* Symbols at or below @addr. */
static sp_u32 symbols_up_to(const struct sp_symbols *t, sp_u64 addr)
{
	sp_u32 low = 0, high = t->n;

	while (low < high) {
		sp_u32 middle = low + (high - low) / 2;

		if (t->symbols[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct sp_symbol *sp_symbol_at(const struct sp_symbols *t, sp_u64 addr)
{
	sp_u32 up_to = symbols_up_to(t, addr), i;
	const struct sp_symbol *nearest = up_to ? &t->symbols[up_to - 1] : 0, *s;

	for (i = 0; i < LOOK_BACK && i < up_to; i++) {
		s = nearest - i;
		if (!(s->name & SP_SYMBOL_GUESSED) && addr - s->addr < s->size)
			return s;
	}
	/* a place right behind the last call of a function that does not come back is the function's, too */
	return nearest && addr - nearest->addr <= nearest->size ? nearest : 0;
}
