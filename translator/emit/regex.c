/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions: their automata as constant tables, which runtime/core/regex.c walks.
 *
 * Tables, not code: a state is one line that a person can follow with the classes beside it, the C compiler takes numbers
 * ten times as fast as it takes a switch of 256 cases for each state, and the walk is one function that is tested by itself.
 */
#include "emit/inner.h"

#include <ctype.h>
#include <string.h>

#include "regex/regex.h"

static const char *byte_text(struct cfile *f, unsigned b)
{
	return isgraph((int)b) && b < 128 ? arena_printf(f->a, "%c", (int)b) : arena_printf(f->a, "%#x", b);
}

/* " * 1: a-z _": what each class is, for a reader; those of all the rest are not spelled out. */
static void print_class_comment(FILE *out, struct cfile *f, const struct regex *re)
{
	for (unsigned c = 1; c < re->nclasses; c++) {
		fprintf(out, " * class %u:", c);
		for (unsigned b = 0, end; b < 256; b = end) {
			for (end = b + 1; end < 256 && re->classes[end] == re->classes[b]; end++)
				;
			if (re->classes[b] != c)
				continue;
			/* nothing in a comment may end it */
			fprintf(out, end - b > 1 ? " %s-%s" : " %s", byte_text(f, b), byte_text(f, end - 1));
		}
		fputc('\n', out);
	}
}

/* Numbers in lines of @row. */
static void print_numbers(FILE *out, const char *type, const char *name, int id, const void *numbers, size_t width, size_t n,
			  size_t row)
{
	fprintf(out, "static const %s re_%d_%s[] = {", type, id, name);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s%u", i ? "," : "", i % row ? " " : "\n\t",
			width == 1 ? ((const unsigned char *)numbers)[i] : ((const uint16_t *)numbers)[i]);
	fputs("\n};\n", out);
}

static void print_u8(FILE *out, const char *name, int id, const unsigned char *numbers, size_t n, size_t row)
{
	print_numbers(out, "sp_u8", name, id, numbers, 1, n, row);
}

static void print_u16(FILE *out, const char *name, int id, const uint16_t *numbers, size_t n, size_t row)
{
	print_numbers(out, "sp_u16", name, id, numbers, 2, n, row);
}

static void print_groups(FILE *out, const struct regex *re, int id)
{
	const struct regex_tagged *t = re->tagged;
	size_t cells = (size_t)t->nstates * re->nclasses;

	fputs("/* from where the match begins: next states, their moves, what ends where */\n", out);
	print_u16(out, "ahead", id, t->next, cells, re->nclasses);
	print_u16(out, "move", id, t->move, cells, re->nclasses);
	print_u16(out, "final", id, t->final, t->nstates, 16);
	print_u16(out, "final_end", id, t->final_end, t->nstates, 16);
	print_u8(out, "moves", id, t->moves, t->nmoves, 16);
	fprintf(out, "static const struct sp_groups re_%d_groups = {\n"
		"\t.ngroups = %u, .start = { %u, %u }, .start_moves = { %u, %u }, .next = re_%d_ahead, .move = re_%d_move,\n"
		"\t.final = re_%d_final, .final_end = re_%d_final_end, .moves = re_%d_moves,\n};\n",
		id, re->ngroups, t->start[0], t->start[1], t->start_moves[0], t->start_moves[1], id, id, id, id, id);
}

static void print_pattern(FILE *out, struct cfile *f, const struct pattern *p)
{
	const struct regex *re = p->automaton;

	fprintf(out, "/*\n * %s\n", in_comment(f->a, c_string(f->a, p->text->text, p->text->len)));
	print_class_comment(out, f, re);
	fputs(" */\n", out);
	print_u8(out, "classes", p->id, re->classes, 256, 32);
	print_u16(out, "next", p->id, re->search.next, (size_t)re->search.nstates * re->nclasses, re->nclasses);
	print_u8(out, "flags", p->id, re->search.flags, re->search.nstates, 32);
	if (re->tagged)
		print_groups(out, re, p->id);
	fprintf(out, "static const struct sp_regex re_%d = {\n"
		"\t.nclasses = %u, .start = %u, .classes = re_%d_classes, .next = re_%d_next, .flags = re_%d_flags,\n",
		p->id, re->nclasses, re->search.start, p->id, p->id, p->id);
	if (re->tagged)
		fprintf(out, "\t.groups = &re_%d_groups,\n", p->id);
	fputs("};\n\n", out);
}

void print_patterns(FILE *out, struct cfile *f)
{
	for (const struct pattern *p = f->p->patterns; p; p = p->next)
		print_pattern(out, f, p);
}

/* A match that notes groups changes what the library's functions give: it happens where it stands. */
struct cvalue emit_match(struct body *b, struct expr *e)
{
	const struct pattern *p = e->u.regex.pattern;
	struct cvalue s = emit_value(b, e->u.regex.subject), v = { .on = s.on, .primary = true, .is_truth = true };

	if (b->unused_value && !p->automaton->tagged)
		return temp_value("0");
	if (!p->automaton->tagged) {
		v.text = text(b, "%ssp_match(&re_%d, %s)", e->u.regex.negate ? "!" : "", p->id, s.text);
		return v;
	}
	v.text = new_temp(b, TY_LONG);
	v.on = 0;
	emit_line(b, "%s = %ssp_match_groups(c, &re_%d, %s);", v.text, e->u.regex.negate ? "!" : "", p->id, s.text);
	return v;
}
