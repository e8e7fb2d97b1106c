/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script library.  Which names there are is known from the cached index, or from reading every file once; in a run
 * whose library is as it was, a file is read when a name in it is asked for, macro files included.  Start reading at
 * library_open(), then library_find().
 */
#include "library/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "library/index.h"
#include "probes/probes.h"
#include "support/file.h"

struct library {
	struct program *p;
	const struct syntax_env *env;
	struct macros *macros;
	struct lib_files files;
	struct index index;
	const char **names[LIB_KINDS];		/* sorted, each once; NULL until asked for */
	unsigned nnames[LIB_KINDS];
};

/* ------------------------------------------------------------------------------------------------ reading files */

static struct source *read_source(struct arena *a, const struct lib_file *f)
{
	struct source *s = ARENA_NEW(a, struct source);
	char *text;

	if (file_read(a, f->path, &text, &s->len))
		return NULL;
	s->name = f->path;
	s->text = text;
	s->is_gated = !f->is_installed;
	return s;
}

/* `process' and a relative process("x") in a file below PATH/ mean the executable, and x beside it (cli.md 3.1). */
static void name_executable(struct arena *a, struct probe_point *points, const char *executable)
{
	const char *slash = strrchr(executable, '/');

	for (struct probe_point *pt = points; pt; pt = pt->next) {
		struct component *c = pt->components;

		if (!c || strcmp(c->name->text, "process") || c->arg == ARG_NUM)
			continue;
		if (c->arg == ARG_NONE)
			c->str = str_intern(a, executable);
		else if (*c->str->text != '/')
			c->str = str_intern(a, arena_printf(a, "%.*s/%s", (int)(slash - executable), executable, c->str->text));
		if (c->arg == ARG_NONE)
			c->arg_span = c->span;
		c->arg = ARG_STR;
	}
}

/* The tree of a file; NULL where it can not be read or has errors: then the file is skipped, as if it were not there. */
static struct script *parse_file(struct library *l, struct lib_file *f)
{
	struct arena *a = l->p->arena;
	struct source *source;
	struct diag *quiet;

	if (f->read || f->broken)
		return f->script;
	f->read = true;
	source = read_source(a, f);
	quiet = diag_new(stderr, false);
	diag_silence(quiet, l->p->options->verbose < 2);
	if (source)
		f->script = script_parse(a, quiet, l->env, l->macros, source, true);
	if (!source || diag_errors(quiet)) {
		f->script = NULL;
		f->broken = true;
	}
	diag_free(quiet);
	if (!f->script || !f->executable)
		return f->script;
	for (struct probe_decl *p = f->script->probes; p; p = p->next)
		name_executable(a, p->points, f->executable);
	for (struct alias *al = f->script->aliases; al; al = al->next)
		name_executable(a, al->points, f->executable);
	return f->script;
}

/* False: told. */
static bool read_macro_file(struct library *l, struct lib_file *f)
{
	struct source *source;

	if (f->read)
		return true;
	f->read = true;
	source = read_source(l->p->arena, f);
	return source && macros_read(l->macros, l->p->arena, l->p->diag, l->env, source);
}

/* ------------------------------------------------------------------------------------------------ what files define */

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

/* A macro belongs to the file whose text it was read from. */
static void name_macro(void *data, const char *name, const struct source *source)
{
	struct library *l = data;

	for (unsigned i = 0; i < l->files.n; i++)
		if (l->files.file[i].path == source->name && !l->files.file[i].named)
			add_name(l->p->arena, &l->files.file[i], LIB_MACRO, name);
}

/* False: some have mistakes, which were told. */
static bool read_all_macros(struct library *l)
{
	bool good = true;

	for (unsigned i = 0; i < l->files.n; i++)
		if (l->files.file[i].is_macro && !read_macro_file(l, &l->files.file[i]))
			good = false;
	return good;
}

/* The first run after a change: everything that is not known is read. */
static void make_index(struct library *l)
{
	bool good = read_all_macros(l);

	macros_each(l->macros, name_macro, l);
	for (unsigned i = 0; i < l->files.n; i++)
		if (!l->files.file[i].is_macro && !l->files.file[i].named)
			name_file(l, &l->files.file[i]);
	l->index = index_make(l->p->arena, l->env, &l->files, !good);
	index_save(l->p->arena, l->env, &l->files, &l->index);
}

/* ------------------------------------------------------------------------------------------------ the library */

static void want_macro(void *data, const char *name)
{
	struct library *l = data;
	unsigned file, i = index_seek(&l->index, LIB_MACRO, name);

	if (i < index_count(&l->index, LIB_MACRO) && !strcmp(index_name(&l->index, LIB_MACRO, i, &file), name))
		read_macro_file(l, &l->files.file[file]);
}

struct library *library_open(struct program *p, const struct syntax_env *env)
{
	struct library *l = ARENA_NEW(p->arena, struct library);

	l->p = p;
	l->env = env;
	l->macros = macros_new(p->arena);
	search_library(p->arena, p, env, &l->files);
	l->index = index_load(p->arena, env, &l->files);
	if (!l->index.image)
		make_index(l);
	else if (index_loose(&l->index))
		read_all_macros(l);
	else
		macros_on_demand(l->macros, want_macro, l);
	for (unsigned i = 0; i < l->files.n; i++) {
		struct lib_file *f = &l->files.file[i];

		f->broken = index_broken(&l->index, i);
		if (f->broken)
			diag_warning(p->diag, NO_SPAN, TAG_LIBRARY, "tapset \"%s\" has errors, and will be skipped.", f->path);
	}
	return l;
}

void library_close(struct library *l)
{
	if (!l)
		return;
	index_close(&l->index);
	free(l->files.file);
}

const struct macros *library_macros(const struct library *l)
{
	return l->macros;
}

unsigned library_files(const struct library *l)
{
	return l->files.n;
}

struct script *library_script(struct library *l, unsigned i)
{
	return l->files.file[i].is_macro ? NULL : parse_file(l, &l->files.file[i]);
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
	unsigned first = index_seek(&l->index, what, name), end = first, file;
	struct script **found;

	while (end < index_count(&l->index, what) && !strcmp(index_name(&l->index, what, end, &file), name))
		end++;
	*n = 0;
	if (end == first)
		return NULL;
	found = ARENA_ARRAY(l->p->arena, struct script *, end - first);
	for (unsigned i = first; i < end; i++) {
		index_name(&l->index, what, i, &file);
		if (parse_file(l, &l->files.file[file]))
			found[(*n)++] = l->files.file[file].script;
	}
	return *n ? found : NULL;
}

const char *const *library_names(struct library *l, enum library_name what, unsigned *n)
{
	unsigned count = index_count(&l->index, what), file;

	if (!l->names[what]) {
		l->names[what] = ARENA_ARRAY(l->p->arena, const char *, count + 1);
		for (unsigned i = 0; i < count; i++) {
			const char *name = index_name(&l->index, what, i, &file);

			if (!l->nnames[what] || strcmp(l->names[what][l->nnames[what] - 1], name))
				l->names[what][l->nnames[what]++] = name;
		}
	}
	*n = l->nnames[what];
	return l->names[what];
}
