/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the probed objects' code was made of, as tables for the runtime: inlined copies and, where the script asks for source
 * positions, lines (struct sp_code).
 */
#include "emit/inner.h"

#include <inttypes.h>
#include <string.h>

/* Rows of one object that are still printed: a compiler reads so many in a second. */
enum { ROWS_MAX = 300000 };

/* Texts, each once, and what a hash finds them by. */
struct texts {
	struct cfile *f;
	struct strbuf literals;
	const char **key;
	unsigned *offset, room, size;
};

bool functions_say(const struct program *p, const char *pragma)
{
	for (const struct function *fn = p->functions; fn; fn = fn->next)
		for (const struct function *o = fn; o; o = o->overload)
			if (o->body && o->body->kind == STMT_EMBEDDED && strstr(o->body->u.code->text, pragma))
				return true;
	return false;
}

static void texts_start(struct texts *t, struct cfile *f, unsigned most)
{
	*t = (struct texts){ .f = f, .room = 2 * most + 1, .size = 1 };
	t->key = ARENA_ARRAY(f->a, const char *, t->room);
	t->offset = ARENA_ARRAY(f->a, unsigned, t->room);
	strbuf_add(&t->literals, "\t\"\\0\"\n");
}

/* Offset of @text; 0: there is none. */
static unsigned text_at(struct texts *t, const char *text)
{
	unsigned hash = 5381, at;

	if (!text || !*text)
		return 0;
	for (const char *c = text; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	for (at = hash % t->room; t->key[at]; at = (at + 1) % t->room)
		if (t->key[at] == text || !strcmp(t->key[at], text))
			return t->offset[at];
	t->key[at] = text;
	t->offset[at] = t->size;
	t->size += (unsigned)strlen(text) + 1;
	strbuf_printf(&t->literals, "\t%s \"\\0\"\n", c_string(t->f->a, text, strlen(text)));
	return t->offset[at];
}

static void print_places(FILE *out, struct texts *t, const struct code_map *map, unsigned object)
{
	fprintf(out, "static const struct sp_code_place code_places_%u[] = {\n", object);
	for (unsigned i = 0; i < map->nplaces; i++)
		fprintf(out, "\t{ 0x%" PRIx64 ", %u, %u, %u },\n", map->places[i].addr, map->places[i].copy,
			text_at(t, map->places[i].file), map->places[i].line);
	fputs("};\n", out);
}

static void print_copies(FILE *out, struct texts *t, const struct code_map *map, unsigned object)
{
	fprintf(out, "static const struct sp_inline_copy code_copies_%u[] = {\n", object);
	for (unsigned i = 0; i < map->ncopies; i++) {
		const struct inline_copy *c = &map->copies[i];

		fprintf(out, "\t{ 0x%" PRIx64 ", %u, %u, %u, %u, %u },\n", c->lo, (unsigned)c->size, text_at(t, c->name), c->outer,
			text_at(t, c->call_file), c->call_line);
	}
	fputs("\t{ 0 },\n};\n", out);
}

bool print_code_map(FILE *out, struct cfile *f, unsigned object)
{
	bool lines = functions_say(f->p, "/* pragma:lines */");
	struct code_map map;
	struct texts t;

	if (!lines && !functions_say(f->p, "/* pragma:inlines */"))
		return false;
	object_code_map(f->p->objects[object], lines, f->a, &map);
	if (!map.nplaces)
		return false;
	if (map.nplaces > ROWS_MAX) {
		diag_warning(f->p->diag, NO_SPAN, TAG_NO_DEBUGINFO, "'%s' has code of %u places, more than %u: its inlined calls "
			     "and source lines are not shown", f->p->objects[object]->path, map.nplaces, ROWS_MAX);
		return false;
	}
	texts_start(&t, f, map.nplaces + 2 * map.ncopies);
	print_places(out, &t, &map, object);
	print_copies(out, &t, &map, object);
	fprintf(out, "static const char code_text_%u[] =\n%s;\n", object, t.literals.text);
	fprintf(out, "static const struct sp_code code_%u = { %u, %u, code_places_%u, code_copies_%u, code_text_%u };\n", object,
		map.nplaces, map.ncopies, object, object, object);
	strbuf_free(&t.literals);
	return true;
}
