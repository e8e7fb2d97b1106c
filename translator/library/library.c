/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script library.  A file's names are known from the cached index, or from parsing it once; its tree is made
 * when a name in it is asked for.  Start reading at library_open(), then library_find().
 */
#include "library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "library/index.h"
#include "probes/probes.h"

struct entry { const char *name; struct lib_file *file; unsigned order; };

struct library {
	struct program *p;
	const struct syntax_env *env;
	struct macros *macros;
	struct lib_files files;
	struct entry *entries[LIB_KINDS];	/* sorted by name, then search order */
	unsigned nentries[LIB_KINDS];
	const char **names[LIB_KINDS];		/* sorted, each once */
	unsigned nnames[LIB_KINDS];
};

static struct source *read_source(struct arena *a, const char *path)
{
	struct source *s = ARENA_NEW(a, struct source);
	FILE *f = fopen(path, "re");
	struct strbuf b = { 0 };
	char chunk[8192];
	size_t n;

	while (f && (n = fread(chunk, 1, sizeof(chunk), f)))
		strbuf_add_n(&b, chunk, n);
	s->name = path;
	s->text = arena_strndup(a, b.text ? b.text : "", b.len);
	s->len = b.len;
	strbuf_free(&b);
	if (f)
		fclose(f);
	return f ? s : NULL;
}

/* The tree of a file; NULL where it can not be read or has errors: then the file is skipped, as if it were not there. */
static struct script *parse_file(struct library *l, struct lib_file *f)
{
	struct arena *a = l->p->arena;
	struct source *source;
	struct diag *quiet;

	if (f->script || f->broken)
		return f->script;
	source = read_source(a, f->path);
	quiet = diag_new(stderr, false);
	diag_silence(quiet, l->p->options->verbose < 2);
	if (source)
		f->script = script_parse(a, quiet, l->env, l->macros, source, true);
	if (!source || diag_errors(quiet)) {
		f->script = NULL;
		f->broken = true;
	}
	diag_free(quiet);
	return f->script;
}

static void add_name(struct arena *a, struct lib_file *f, enum library_name what, const char *text)
{
	struct lib_name *n = ARENA_NEW(a, struct lib_name);

	*n = (struct lib_name){ what, text, f->names };
	f->names = n;
}

static void name_file(struct library *l, struct lib_file *f)
{
	struct script *s = parse_file(l, f);
	struct arena *a = l->p->arena;

	f->named = true;
	if (!s)
		return;
	for (struct function *fn = s->functions; fn; fn = fn->next)
		if (!fn->is_private)
			add_name(a, f, LIB_FUNCTION, fn->name->text);
	for (struct global *g = s->globals; g; g = g->next)
		if (!g->is_private)
			add_name(a, f, LIB_GLOBAL, g->name->text);
	for (struct alias *al = s->aliases; al; al = al->next)
		for (struct alias_name *n = al->names; n; n = n->next)
			add_name(a, f, LIB_ALIAS, components_text(a, n->components));
}

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int d = strcmp(a->name, b->name);

	return d ? d : a->order < b->order ? -1 : a->order > b->order;
}

static void sort_kind(struct library *l, enum library_name what)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->files.n; i++)
		for (struct lib_name *m = l->files.file[i].names; m; m = m->next)
			n += m->what == what;
	l->entries[what] = ARENA_ARRAY(l->p->arena, struct entry, n + 1);
	l->names[what] = ARENA_ARRAY(l->p->arena, const char *, n + 1);
	for (unsigned i = 0; i < l->files.n; i++)
		for (struct lib_name *m = l->files.file[i].names; m; m = m->next)
			if (m->what == what)
				l->entries[what][l->nentries[what]++] =
					(struct entry){ m->text, &l->files.file[i], i };
	qsort(l->entries[what], n, sizeof(struct entry), compare_entries);
	for (unsigned i = 0; i < n; i++)
		if (!i || strcmp(l->entries[what][i].name, l->entries[what][i - 1].name))
			l->names[what][l->nnames[what]++] = l->entries[what][i].name;
}

static void read_macro_files(struct library *l)
{
	for (unsigned i = 0; i < l->files.n; i++) {
		struct lib_file *f = &l->files.file[i];
		struct source *source = f->is_macro ? read_source(l->p->arena, f->path) : NULL;

		if (source)
			macros_read(l->macros, l->p->arena, l->p->diag, l->env, source);
	}
}

struct library *library_open(struct program *p, const struct syntax_env *env)
{
	struct library *l = ARENA_NEW(p->arena, struct library);
	bool fresh = false;

	l->p = p;
	l->env = env;
	l->macros = macros_new(p->arena);
	search_library(p->arena, p, env, &l->files);
	read_macro_files(l);
	index_load(p->arena, env, &l->files);
	for (unsigned i = 0; i < l->files.n; i++) {
		struct lib_file *f = &l->files.file[i];

		if (!f->is_macro && !f->named) {
			name_file(l, f);
			fresh = true;
		}
		if (f->broken)
			diag_warning(p->diag, NO_SPAN, TAG_LIBRARY, "tapset \"%s\" has errors, and will be skipped.", f->path);
	}
	if (fresh)
		index_save(p->arena, env, &l->files);
	for (int what = 0; what < LIB_KINDS; what++)
		sort_kind(l, (enum library_name)what);
	return l;
}

void library_close(struct library *l)
{
	if (l)
		free(l->files.file);
}

const struct macros *library_macros(const struct library *l)
{
	return l->macros;
}

unsigned library_files(const struct library *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->files.n; i++)
		n += !l->files.file[i].is_macro;
	return n;
}

struct script *library_script(struct library *l, unsigned i)
{
	for (unsigned k = 0; k < l->files.n; k++)
		if (!l->files.file[k].is_macro && !i--)
			return parse_file(l, &l->files.file[k]);
	return NULL;
}

bool library_has_file(const struct library *l, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	for (unsigned i = 0; i < l->files.n; i++)
		if (l->files.file[i].inode == (uint64_t)st.st_ino && l->files.file[i].device == (uint64_t)st.st_dev)
			return true;
	return false;
}

struct script *const *library_find(struct library *l, enum library_name what, const char *name, unsigned *n)
{
	struct entry *e = l->entries[what];
	unsigned low = 0, high = l->nentries[what], end;
	struct script **found;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;

		if (strcmp(e[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < l->nentries[what] && !strcmp(e[end].name, name); end++)
		;
	*n = 0;
	if (end == low)
		return NULL;
	found = ARENA_ARRAY(l->p->arena, struct script *, end - low);
	for (unsigned i = low; i < end; i++)
		if ((i == low || e[i].file != e[i - 1].file) && parse_file(l, e[i].file))
			found[(*n)++] = e[i].file->script;
	return *n ? found : NULL;
}

const char *const *library_names(struct library *l, enum library_name what, unsigned *n)
{
	*n = l->nnames[what];
	return l->names[what];
}
