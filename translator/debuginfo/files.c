/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.c - the file names of a unit, from the header of its line table (DWARF4 6.2.4, DWARF5 6.2.4).
 *
 * libdw reads a unit's whole line table before it tells one name, which for a large unit takes as long as all else that a
 * question needs.  The names are made as libdw makes them, for they are compared with those of line records; what is
 * not understood here is asked of libdw.  Start at unit_file().
 */
#include <string.h>

#include "debuginfo/reader.h"
#include "debuginfo/scan.h"

enum {
	FILES_MAX = 1 << 20,
	FORMATS_MAX = 16,
};

struct file {
	const char *name;		/* as the table has it */
	uint64_t dir;
	const char *text;		/* with the directory; NULL until asked for */
};

struct file_table {
	bool usable;			/* false: ask libdw */
	struct file *file;
	const char **dir;
	unsigned nfile, ndir;
};

struct header {
	struct reader r;
	unsigned version, offset_size;
	const struct scan_source *from;
	struct arena *arena;
};

static const char *get_text(struct reader *r)
{
	const char *text = (const char *)r->at;

	skip_string(r);
	return r->bad ? NULL : text;
}

/* ---------------------------------------------------------------------------------------------- tables of DWARF 5 */

struct format { uint64_t content, form; };

static const char *string_of(const struct scan_bytes *b, uint64_t off)
{
	return off < b->size ? (const char *)b->at + off : NULL;
}

/* One value, a string or a number; false: of a form that is not expected here. */
static bool get_value(struct header *h, uint64_t form, const char **text, uint64_t *number)
{
	switch (form) {
	case DW_FORM_string: *text = get_text(&h->r); break;
	case DW_FORM_line_strp: *text = string_of(&h->from->line_str, get_fixed(&h->r, h->offset_size)); break;
	case DW_FORM_strp: *text = string_of(&h->from->str, get_fixed(&h->r, h->offset_size)); break;
	case DW_FORM_udata: *number = get_uleb(&h->r); break;
	case DW_FORM_data1: *number = get_fixed(&h->r, 1); break;
	case DW_FORM_data2: *number = get_fixed(&h->r, 2); break;
	case DW_FORM_data4: *number = get_fixed(&h->r, 4); break;
	case DW_FORM_data8: *number = get_fixed(&h->r, 8); break;
	case DW_FORM_data16: skip_bytes(&h->r, 16); break;
	case DW_FORM_block: skip_bytes(&h->r, get_uleb(&h->r)); break;
	default: return false;
	}
	return !h->r.bad;
}

/* Directories or files: what an entry holds, how many there are, and those.  Returns NULL where that fails. */
static struct file *read_entries(struct header *h, unsigned *n)
{
	struct format format[FORMATS_MAX];
	unsigned nformat = get_fixed(&h->r, 1);
	struct file *all;
	uint64_t count;

	if (nformat > FORMATS_MAX)
		return NULL;
	for (unsigned i = 0; i < nformat; i++) {
		format[i].content = get_uleb(&h->r);
		format[i].form = get_uleb(&h->r);
	}
	count = get_uleb(&h->r);
	/* Each takes a byte at least, so a damaged count is not believed. */
	if (h->r.bad || count > FILES_MAX || count > (uint64_t)(h->r.end - h->r.at) || (count && !nformat))
		return NULL;
	all = ARENA_ARRAY(h->arena, struct file, count + 1);
	for (*n = 0; *n < count; ++*n) {
		for (unsigned i = 0; i < nformat; i++) {
			const char *text = NULL;
			uint64_t number = 0;

			if (!get_value(h, format[i].form, &text, &number))
				return NULL;
			if (format[i].content == DW_LNCT_path)
				all[*n].name = text;
			else if (format[i].content == DW_LNCT_directory_index)
				all[*n].dir = number;
		}
	}
	return all;
}

static bool read_tables_5(struct header *h, struct file_table *t)
{
	struct file *dirs = read_entries(h, &t->ndir);

	if (!dirs)
		return false;
	t->dir = ARENA_ARRAY(h->arena, const char *, t->ndir + 1);
	for (unsigned i = 0; i < t->ndir; i++)
		t->dir[i] = dirs[i].name;
	t->file = read_entries(h, &t->nfile);
	return t->file != NULL;
}

/* ---------------------------------------------------------------------------------------------- tables before that */

/* Entries up to an empty one; the reader goes on behind it. */
static unsigned count_entries(struct reader r, bool files)
{
	unsigned n = 0;

	while (!r.bad && r.at < r.end && *r.at) {
		skip_string(&r);
		for (int i = 0; files && i < 3; i++)
			get_uleb(&r);
		n++;
	}
	return n;
}

/* Directory 0 is the one of compilation; file 0 is none. */
static bool read_tables_2(struct header *h, Dwarf_Die *cu, struct file_table *t)
{
	t->ndir = 1 + count_entries(h->r, false);
	t->dir = ARENA_ARRAY(h->arena, const char *, t->ndir);
	t->dir[0] = die_string(cu, DW_AT_comp_dir);
	for (unsigned i = 1; i < t->ndir; i++)
		t->dir[i] = get_text(&h->r);
	skip_bytes(&h->r, 1);
	t->nfile = 1 + count_entries(h->r, true);
	t->file = ARENA_ARRAY(h->arena, struct file, t->nfile);
	t->file[0].text = "???";
	for (unsigned i = 1; i < t->nfile; i++) {
		t->file[i].name = get_text(&h->r);
		t->file[i].dir = get_uleb(&h->r);
		get_uleb(&h->r);	/* time */
		get_uleb(&h->r);	/* length */
	}
	return !h->r.bad;
}

/* ---------------------------------------------------------------------------------------------- one unit */

/* Up to the tables of directories and files. */
static bool read_header(struct header *h, uint64_t off)
{
	uint64_t length;

	h->r = (struct reader){ h->from->line.at, h->from->line.at + h->from->line.size, false };
	skip_bytes(&h->r, off);
	length = get_fixed(&h->r, 4);
	h->offset_size = length == UINT32_MAX ? 8 : 4;
	if (h->offset_size == 8)
		length = get_fixed(&h->r, 8);
	if (h->r.bad || length > (uint64_t)(h->r.end - h->r.at))
		return false;
	h->r.end = h->r.at + length;
	h->version = get_fixed(&h->r, 2);
	if (h->version < 2 || h->version > 5)
		return false;
	if (h->version == 5)
		skip_bytes(&h->r, 2);			/* sizes of an address and of a segment selector */
	skip_bytes(&h->r, h->offset_size);		/* length of the header */
	skip_bytes(&h->r, h->version >= 4 ? 5 : 4);	/* what the program's opcodes mean */
	skip_bytes(&h->r, get_fixed(&h->r, 1) - 1);	/* how many operands each standard one has */
	return !h->r.bad;
}

static struct file_table *read_table(struct object *obj, Dwarf_Die *cu)
{
	struct arena *a = obj->priv->arena;
	struct file_table *t = ARENA_NEW(a, struct file_table);
	struct header h = { .from = units_source(obj), .arena = a };
	Dwarf_Attribute attr;
	Dwarf_Word off;

	if (!h.from->little_endian || dwarf_cu_getdwarf(cu->cu) != object_dwarf(obj) ||
	    !dwarf_attr(cu, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &off) != 0 || !read_header(&h, off))
		return t;
	t->usable = h.version == 5 ? read_tables_5(&h, t) : read_tables_2(&h, cu, t);
	return t;
}

static const char *file_text(struct object *obj, const struct file_table *t, struct file *f)
{
	if (!f->text && f->name && f->name[0] != '/' && f->dir < t->ndir && t->dir[f->dir])
		f->text = arena_printf(obj->priv->arena, "%s/%s", t->dir[f->dir], f->name);
	else if (!f->text)
		f->text = f->name;
	return f->text;
}

const char *unit_file(struct object *obj, Dwarf_Die *cu, uint64_t number)
{
	struct object_priv *p = obj->priv;
	struct file_table *t = ptr_map_get(&p->unit_files, cu->addr);
	Dwarf_Files *files;
	size_t n;

	if (!t) {
		t = read_table(obj, cu);
		ptr_map_put(&p->unit_files, p->arena, cu->addr, t);
	}
	if (t->usable)
		return number < t->nfile ? file_text(obj, t, &t->file[number]) : NULL;
	return dwarf_getsrcfiles(cu, &files, &n) == 0 && number < n ? dwarf_filesrc(files, number, NULL, NULL) : NULL;
}
