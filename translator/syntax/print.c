/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees to text: the canonical text (spec/language.md 14), and a form that parses to the same tree.
 *
 * The two differ only where the canonical text loses something: types, priorities, privacy, nested
 * statements' braces and null statements.  Start reading at print_expr().
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "syntax/syntax.h"

struct printer {
	FILE *out;
	bool source;			/* the form that can be read back */
	const struct naming *naming;	/* of a resolved tree, or NULL */
};

static const char *const op_texts[OPS] = {
	[OP_PLUS] = "+", [OP_NEG] = "-", [OP_NOT] = "!", [OP_COMPL] = "~",
	[OP_MUL] = "*", [OP_DIV] = "/", [OP_MOD] = "%", [OP_ADD] = "+", [OP_SUB] = "-", [OP_CONCAT] = ".",
	[OP_SHL] = "<<", [OP_SHR] = ">>", [OP_USHR] = ">>>",
	[OP_LT] = "<", [OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_EQ] = "==", [OP_NE] = "!=",
	[OP_AND] = "&", [OP_XOR] = "^", [OP_OR] = "|", [OP_LAND] = "&&", [OP_LOR] = "||",
	[OP_SET] = "=", [OP_AGGREGATE] = "<<<", [OP_INC] = "++", [OP_DEC] = "--",
};

static const char *const extractor_texts[] = {
	[EX_COUNT] = "@count", [EX_SUM] = "@sum", [EX_MIN] = "@min", [EX_MAX] = "@max", [EX_AVG] = "@avg",
	[EX_VARIANCE] = "@variance",
};

const char *op_text(enum op op)
{
	return op_texts[op];
}

static void print_expr(struct printer *pr, const struct expr *e);
static void print_stmt(struct printer *pr, const struct stmt *s);

/* A literal in quotes.  @doubled: the backslashes of escapes doubled, as formats are shown. */
static void print_quoted(struct printer *pr, const struct str *s, bool doubled)
{
	const char *slash = doubled ? "\\\\" : "\\";

	fputc('"', pr->out);
	for (size_t i = 0; i < s->len; i++) {
		unsigned char c = (unsigned char)s->text[i];

		if (c == '"')
			fputs("\\\"", pr->out);
		else if (c == '\\')
			fprintf(pr->out, "%s%s", slash, slash);
		else if (c >= '\a' && c <= '\r')
			fprintf(pr->out, "%s%c", slash, "abtnvfr"[c - '\a']);
		else if (c < ' ' || c == 0x7f)
			fprintf(pr->out, "%s%03o", slash, c);
		else
			fputc(c, pr->out);
	}
	fputc('"', pr->out);
}

static void print_string(struct printer *pr, const struct str *s)
{
	print_quoted(pr, s, false);
}

static void print_list(struct printer *pr, const struct expr_list *l)
{
	for (; l; l = l->next) {
		if (l->e)
			print_expr(pr, l->e);
		else
			fputc('*', pr->out);
		if (l->next)
			fputs(", ", pr->out);
	}
}

static void print_in_parens(struct printer *pr, const struct expr *e)
{
	fputc('(', pr->out);
	print_expr(pr, e);
	fputc(')', pr->out);
}

static bool is_concat(const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->u.bin.op == OP_CONCAT;
}

/* Whether the text of @e stays whole beside an operator. */
static bool is_compact(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY: case EXPR_BINARY: case EXPR_TERNARY: case EXPR_ASSIGN: case EXPR_INCDEC: case EXPR_IN:
	case EXPR_REGEX:
		return is_concat(e);
	default:
		return true;
	}
}

static void print_operand(struct printer *pr, const struct expr *e)
{
	if (is_compact(e))
		print_expr(pr, e);
	else
		print_in_parens(pr, e);
}

/* (a . b . c): what was joined from left to right is shown as one. */
static void print_concat(struct printer *pr, const struct expr *e)
{
	if (is_concat(e->u.bin.l))
		print_concat(pr, e->u.bin.l);
	else
		print_operand(pr, e->u.bin.l);
	fputs(" . ", pr->out);
	print_operand(pr, e->u.bin.r);
}

static void print_binary(struct printer *pr, const struct expr *e)
{
	if (is_concat(e)) {
		fputc('(', pr->out);
		print_concat(pr, e);
		fputc(')', pr->out);
		return;
	}
	print_in_parens(pr, e->u.bin.l);
	fprintf(pr->out, " %s ", op_text(e->u.bin.op));
	print_in_parens(pr, e->u.bin.r);
}

static void print_assign(struct printer *pr, const struct expr *e)
{
	const char *compound = op_text(e->u.assign.compound);

	print_in_parens(pr, e->u.assign.l);
	fprintf(pr->out, " %s%s ", compound ? compound : "", op_text(e->u.assign.op));
	print_in_parens(pr, e->u.assign.r);
}

static void print_incdec(struct printer *pr, const struct expr *e)
{
	if (!e->u.incdec.postfix)
		fputs(op_text(e->u.incdec.op), pr->out);
	print_in_parens(pr, e->u.incdec.e);
	if (e->u.incdec.postfix)
		fputs(op_text(e->u.incdec.op), pr->out);
}

static void print_ternary(struct printer *pr, const struct expr *e)
{
	print_in_parens(pr, e->u.tern.cond);
	fputc('?', pr->out);
	print_in_parens(pr, e->u.tern.yes);
	fputc(':', pr->out);
	print_in_parens(pr, e->u.tern.no);
}

static void print_hist(struct printer *pr, const struct hist *h)
{
	fputs(h->linear ? "@hist_linear(" : "@hist_log(", pr->out);
	print_expr(pr, h->stat);
	if (h->linear)
		fprintf(pr->out, ", %" PRId64 ", %" PRId64 ", %" PRId64, h->low, h->high, h->width);
	fputc(')', pr->out);
}

static void print_in(struct printer *pr, const struct expr *e)
{
	fputc('[', pr->out);
	print_list(pr, e->u.in.keys);
	fputs("] in ", pr->out);
	if (e->u.in.hist)
		print_hist(pr, e->u.in.hist);
	else
		print_expr(pr, e->u.in.array);
}

/* , "name" where there is one */
static void print_further(struct printer *pr, const struct str *s)
{
	if (!s)
		return;
	fputs(", ", pr->out);
	print_string(pr, s);
}

static void print_path(struct printer *pr, const struct access *path)
{
	for (; path; path = path->next) {
		switch (path->kind) {
		case ACC_MEMBER:
			fprintf(pr->out, "->%s", path->name->text);
			break;
		case ACC_INDEX:
			fputc('[', pr->out);
			print_expr(pr, path->index);
			fputc(']', pr->out);
			break;
		case ACC_PRETTY:
			fputs(path->depth == 2 ? "->$$" : "->$", pr->out);
			break;
		}
	}
}

static void print_target(struct printer *pr, const struct expr *e)
{
	if (e->u.target.address)
		fputc('&', pr->out);
	switch (e->u.target.base) {
	case TB_NAME:
		fputs(e->u.target.name->text, pr->out);
		break;
	case TB_AUTOCAST:
		print_in_parens(pr, e->u.target.operand);
		break;
	case TB_CAST:
		fputs("@cast(", pr->out);
		print_expr(pr, e->u.target.operand);
		print_further(pr, e->u.target.name);
		print_further(pr, e->u.target.module);
		fputc(')', pr->out);
		break;
	case TB_VAR:
		fputs("@var(", pr->out);
		print_string(pr, e->u.target.name);
		print_further(pr, e->u.target.module);
		fputc(')', pr->out);
		break;
	}
	print_path(pr, e->u.target.path);
}

static void print_print(struct printer *pr, const struct expr *e)
{
	static const char *const names[] = {
		[PRINT_PLAIN] = "print", [PRINT_LN] = "println", [PRINT_D] = "printd", [PRINT_DLN] = "printdln",
		[PRINT_F] = "printf", [PRINT_CHAR] = "print_char",
	};

	fprintf(pr->out, "%s%s(", e->u.print.to_string ? "s" : "", names[e->u.print.form]);
	if (e->u.print.text) {
		print_quoted(pr, e->u.print.text, !pr->source);
		if (e->u.print.args)
			fputs(", ", pr->out);
	}
	print_list(pr, e->u.print.args);
	fputc(')', pr->out);
}

static void print_named(struct printer *pr, const char *word, const struct str *name)
{
	fprintf(pr->out, "%s(", word);
	print_string(pr, name);
	fputc(')', pr->out);
}

/* word(a) or word(a, b) */
static void print_operator(struct printer *pr, const char *word, const struct expr *a, const struct expr *b)
{
	fprintf(pr->out, "%s(", word);
	print_expr(pr, a);
	if (b) {
		fputs(", ", pr->out);
		print_expr(pr, b);
	}
	fputc(')', pr->out);
}

static void print_variable(struct printer *pr, const struct str *name, const struct symbol *s)
{
	if (pr->naming && s)
		pr->naming->variable(pr->out, s, pr->naming->data);
	else
		fputs(name->text, pr->out);
}

static void print_callee(struct printer *pr, const struct str *name, const struct function *f)
{
	if (pr->naming && f)
		pr->naming->function(pr->out, f, pr->naming->data);
	else
		fputs(name->text, pr->out);
}

/* ---- a function for each kind ---- */

static void print_error(struct printer *pr, const struct expr *e)
{
	(void)e;
	fputs("<error>", pr->out);
}

static void print_num(struct printer *pr, const struct expr *e)
{
	/* As signed, a number that was wrapped would read back as a negation. */
	fprintf(pr->out, pr->source ? "%" PRIu64 : "%" PRId64, e->u.num);
}

static void print_str(struct printer *pr, const struct expr *e)
{
	print_string(pr, e->u.str);
}

static void print_var(struct printer *pr, const struct expr *e)
{
	print_variable(pr, e->u.var.name, e->u.var.sym);
}

static void print_index(struct printer *pr, const struct expr *e)
{
	print_variable(pr, e->u.index.name, e->u.index.sym);
	fputc('[', pr->out);
	print_list(pr, e->u.index.keys);
	fputc(']', pr->out);
}

static void print_call(struct printer *pr, const struct expr *e)
{
	print_callee(pr, e->u.call.name, e->u.call.fn);
	fputc('(', pr->out);
	print_list(pr, e->u.call.args);
	fputc(')', pr->out);
}

static void print_unary(struct printer *pr, const struct expr *e)
{
	fputs(op_text(e->u.un.op), pr->out);
	print_in_parens(pr, e->u.un.e);
}

static void print_regex(struct printer *pr, const struct expr *e)
{
	print_in_parens(pr, e->u.regex.subject);
	fputs(e->u.regex.negate ? " !~ " : " =~ ", pr->out);
	print_string(pr, e->u.regex.re);
}

static void print_entry(struct printer *pr, const struct expr *e)
{
	print_operator(pr, "@entry", e->u.entry.e, NULL);
}

static void print_defined(struct printer *pr, const struct expr *e)
{
	print_operator(pr, "@defined", e->u.defined.e, NULL);
}

/* @perf, @const, @enum: a word and a name. */
static void print_perf(struct printer *pr, const struct expr *e)
{
	print_named(pr, e->kind == EXPR_PERF ? "@perf" : e->kind == EXPR_CONST ? "@const" : "@enum", e->u.perf.name);
}

static void print_probewrite(struct printer *pr, const struct expr *e)
{
	fprintf(pr->out, "@probewrite(%s)", e->u.perf.name->text);
}

static void print_embedded(struct printer *pr, const struct expr *e)
{
	fprintf(pr->out, pr->source ? "%%{%s%%}" : "%%{ %s %%}", e->u.embedded.code->text);
}

static void print_register(struct printer *pr, const struct expr *e)
{
	print_operator(pr, e->u.machine.user ? "@uregister" : "@kregister", e->u.machine.a, NULL);
}

static void print_deref(struct printer *pr, const struct expr *e)
{
	print_operator(pr, e->u.machine.user ? "@uderef" : "@kderef", e->u.machine.a, e->u.machine.b);
}

static void print_enumname(struct printer *pr, const struct expr *e)
{
	fputs("@enumname(", pr->out);
	print_expr(pr, e->u.enumname.e);
	print_further(pr, e->u.enumname.type);
	print_further(pr, e->u.enumname.module);
	fputc(')', pr->out);
}

static void print_extract(struct printer *pr, const struct expr *e)
{
	/* The shift is a literal, and so shown signed. */
	print_operator(pr, extractor_texts[e->u.extract.what], e->u.extract.stat, e->u.extract.shift);
}

static void print_hist_expr(struct printer *pr, const struct expr *e)
{
	print_hist(pr, e->u.hist);
}

static void print_histindex(struct printer *pr, const struct expr *e)
{
	print_hist(pr, e->u.histindex.hist);
	fputc('[', pr->out);
	print_expr(pr, e->u.histindex.bucket);
	fputc(']', pr->out);
}

static void print_expr(struct printer *pr, const struct expr *e)
{
	static void (*const printers[EXPR_KINDS])(struct printer *pr, const struct expr *e) = {
		[EXPR_ERROR] = print_error, [EXPR_NUM] = print_num, [EXPR_STR] = print_str, [EXPR_VAR] = print_var,
		[EXPR_INDEX] = print_index, [EXPR_CALL] = print_call, [EXPR_UNARY] = print_unary,
		[EXPR_BINARY] = print_binary, [EXPR_TERNARY] = print_ternary, [EXPR_ASSIGN] = print_assign,
		[EXPR_INCDEC] = print_incdec, [EXPR_IN] = print_in, [EXPR_REGEX] = print_regex,
		[EXPR_TARGET] = print_target, [EXPR_ENTRY] = print_entry,
		[EXPR_DEFINED] = print_defined, [EXPR_PERF] = print_perf, [EXPR_PROBEWRITE] = print_probewrite,
		[EXPR_CONST] = print_perf, [EXPR_ENUM] = print_perf, [EXPR_EMBEDDED] = print_embedded,
		[EXPR_REGISTER] = print_register, [EXPR_DEREF] = print_deref, [EXPR_ENUMNAME] = print_enumname,
		[EXPR_EXTRACT] = print_extract, [EXPR_HIST] = print_hist_expr, [EXPR_HISTINDEX] = print_histindex,
		[EXPR_PRINT] = print_print,
	};

	printers[e->kind](pr, e);
}

static void print_direction(struct printer *pr, int direction)
{
	if (direction)
		fputc(direction > 0 ? '+' : '-', pr->out);
}

static void print_foreach(struct printer *pr, const struct stmt *s)
{
	fputs("foreach (", pr->out);
	if (s->u.foreach.value) {
		print_expr(pr, s->u.foreach.value);
		fputs(" = ", pr->out);
	}
	fputc('[', pr->out);
	for (const struct foreach_key *k = s->u.foreach.keys; k; k = k->next) {
		print_expr(pr, k->var);
		print_direction(pr, k->direction);
		if (k->next)
			fputs(", ", pr->out);
	}
	fputs("] in ", pr->out);
	if (s->u.foreach.hist)
		print_hist(pr, s->u.foreach.hist);
	else
		print_expr(pr, s->u.foreach.array);
	if (s->u.foreach.slice) {
		fputc('[', pr->out);
		print_list(pr, s->u.foreach.slice);
		fputc(']', pr->out);
	}
	if (s->u.foreach.has_extract)
		fprintf(pr->out, " %s", extractor_texts[s->u.foreach.extract]);
	if (s->u.foreach.sorted_by_value)
		print_direction(pr, s->u.foreach.direction);
	if (s->u.foreach.limit) {
		fputs(" limit ", pr->out);
		print_expr(pr, s->u.foreach.limit);
	}
	fputs(") ", pr->out);
	print_stmt(pr, s->u.foreach.body);
}

static void print_for(struct printer *pr, const struct stmt *s)
{
	if (pr->source && s->u.loop.is_while) {
		fputs("while ", pr->out);
		print_in_parens(pr, s->u.loop.cond);
		fputc(' ', pr->out);
		print_stmt(pr, s->u.loop.body);
		return;
	}
	fputs("for (", pr->out);
	if (s->u.loop.init)
		print_expr(pr, s->u.loop.init);
	fputs("; ", pr->out);
	if (s->u.loop.cond)
		print_expr(pr, s->u.loop.cond);
	else if (!pr->source)
		fputc('1', pr->out);
	fputs("; ", pr->out);
	if (s->u.loop.step)
		print_expr(pr, s->u.loop.step);
	fputs(") ", pr->out);
	print_stmt(pr, s->u.loop.body);
}

/* The statements below @s that would be shown flat, counted to 2; *first: the first of them. */
static unsigned count_flat(const struct stmt *s, const struct stmt **first)
{
	unsigned n = 0;

	if (!s || s->kind == STMT_NULL)
		return 0;
	if (s->kind != STMT_BLOCK) {
		*first = *first ? *first : s;
		return 1;
	}
	for (const struct stmt *each = s->u.block; each && n < 2; each = each->next)
		n += count_flat(each, first);
	return n;
}

static bool is_flat(const struct printer *pr)
{
	return pr->naming && pr->naming->flat;
}

static void print_if(struct printer *pr, const struct stmt *s)
{
	const struct stmt *first = NULL;

	if (is_flat(pr) && s->u.branch.no && !count_flat(s->u.branch.yes, &first)) {
		fputs("if (!", pr->out);
		print_in_parens(pr, s->u.branch.cond);
		fputs(") ", pr->out);
		print_stmt(pr, s->u.branch.no);
		fputc('\n', pr->out);
		return;
	}
	fputs("if ", pr->out);
	print_in_parens(pr, s->u.branch.cond);
	fputc(' ', pr->out);
	print_stmt(pr, s->u.branch.yes);
	fputc('\n', pr->out);
	if (!s->u.branch.no)
		return;
	fputs("else ", pr->out);
	print_stmt(pr, s->u.branch.no);
	fputc('\n', pr->out);
}

static void print_try(struct printer *pr, const struct stmt *s)
{
	const char *open = pr->source ? "" : "{\n", *close = pr->source ? "" : "\n} ";

	fprintf(pr->out, "try %s", open);
	print_stmt(pr, s->u.try.body);
	fprintf(pr->out, "%scatch ", close);
	if (s->u.try.message) {
		print_in_parens(pr, s->u.try.message);
		fputc(' ', pr->out);
	}
	fputs(open, pr->out);
	print_stmt(pr, s->u.try.handler);
	if (!pr->source)
		fputs("\n}\n", pr->out);
}

static void print_statements(struct printer *pr, const struct stmt *s)
{
	for (; s; s = s->next) {
		if (is_flat(pr) && s->kind == STMT_NULL)
			continue;
		if (is_flat(pr) && s->kind == STMT_BLOCK) {
			print_statements(pr, s->u.block);
			continue;
		}
		print_stmt(pr, s);
		fputs(pr->source ? "\n" : ";\n", pr->out);
	}
}

static void print_block(struct printer *pr, const struct stmt *s)
{
	const struct stmt *first = NULL;
	unsigned n = is_flat(pr) ? count_flat(s, &first) : 2;

	if (n == 1) {
		print_stmt(pr, first);
	} else if (!n) {
		fputc(';', pr->out);
	} else {
		fputs("{\n", pr->out);
		print_statements(pr, s->u.block);
		fputc('}', pr->out);
	}
}

/* return, delete: the word and perhaps an expression */
static void print_word(struct printer *pr, const char *word, const struct expr *e)
{
	fputs(word, pr->out);
	if (e)
		print_expr(pr, e);
	if (pr->source)
		fputc(';', pr->out);
}

static void print_stmt(struct printer *pr, const struct stmt *s)
{
	switch (s->kind) {
	case STMT_NULL: case STMT_KINDS:
		fputc(';', pr->out);
		break;
	case STMT_BLOCK:
		print_block(pr, s);
		break;
	case STMT_EXPR:
		print_word(pr, "", s->u.expr);
		break;
	case STMT_IF:
		print_if(pr, s);
		break;
	case STMT_FOR:
		print_for(pr, s);
		break;
	case STMT_FOREACH:
		print_foreach(pr, s);
		break;
	case STMT_RETURN:
		print_word(pr, s->u.expr ? "return " : "return", s->u.expr);
		break;
	case STMT_DELETE:
		print_word(pr, "delete ", s->u.expr);
		break;
	case STMT_NEXT:
		print_word(pr, "next", NULL);
		break;
	case STMT_BREAK:
		print_word(pr, "break", NULL);
		break;
	case STMT_CONTINUE:
		print_word(pr, "continue", NULL);
		break;
	case STMT_TRY:
		print_try(pr, s);
		break;
	case STMT_EMBEDDED:
		fprintf(pr->out, "%%{%s%%}", s->u.code->text);
		break;
	}
}

/* Probe points and items */

static void print_components(struct printer *pr, const struct component *c)
{
	for (; c; c = c->next) {
		fputs(c->name->text, pr->out);
		if (c->arg == ARG_NUM) {
			fprintf(pr->out, "(%" PRId64 ")", c->num);
		} else if (c->arg == ARG_STR) {
			fputc('(', pr->out);
			print_string(pr, c->str);
			fputc(')', pr->out);
		}
		if (c->next)
			fputc('.', pr->out);
	}
}

static void print_point(struct printer *pr, const struct probe_point *p)
{
	print_components(pr, p->components);
	if (p->sufficient)
		fputc('!', pr->out);
	else if (p->optional)
		fputc('?', pr->out);
	if (p->condition) {
		fputs(" if ", pr->out);
		print_in_parens(pr, p->condition);
	}
}

static void print_points(struct printer *pr, const struct probe_point *p, const char *comma)
{
	for (; p; p = p->next) {
		print_point(pr, p);
		if (p->next)
			fputs(comma, pr->out);
	}
}

static void print_global(struct printer *pr, const struct global *g)
{
	fprintf(pr->out, "%sglobal %s", pr->source && g->is_private ? "private " : "", g->name->text);
	if (g->wraps)
		fputc('%', pr->out);
	if (g->has_size)
		fprintf(pr->out, "[%" PRId64 "]", g->size);
	if (g->init) {
		fputs(" = ", pr->out);
		if (g->init->kind == EXPR_NUM)
			fprintf(pr->out, "%" PRId64, g->init->u.num);
		else
			print_expr(pr, g->init);
	}
	fputc('\n', pr->out);
}

static void print_alias(struct printer *pr, const struct alias *a)
{
	fputs("probe ", pr->out);
	for (const struct alias_name *n = a->names; n; n = n->next) {
		print_components(pr, n->components);
		fputs(a->append && !n->next ? " += " : " = ", pr->out);
	}
	print_points(pr, a->points, ", ");
	if (a->prologue)
		print_stmt(pr, a->prologue);
	if (a->prologue && a->epilogue)
		fputs(", ", pr->out);
	if (a->epilogue)
		print_stmt(pr, a->epilogue);
	fputc('\n', pr->out);
}

static void print_type(struct printer *pr, enum value_type type)
{
	if (pr->source && type != TY_UNKNOWN)
		fputs(type == TY_LONG ? ":long" : ":string", pr->out);
}

static void print_function(struct printer *pr, const struct function *f)
{
	fprintf(pr->out, "%sfunction %s", pr->source && f->is_private ? "private " : "", f->name->text);
	print_type(pr, f->declared);
	fputs(" (", pr->out);
	for (const struct param *p = f->params; p; p = p->next) {
		fputs(p->name->text, pr->out);
		print_type(pr, p->type);
		if (p->next)
			fputs(", ", pr->out);
	}
	fputc(')', pr->out);
	if (pr->source && f->has_priority)
		fprintf(pr->out, ":%" PRId64, f->priority);
	fputc('\n', pr->out);
	print_stmt(pr, f->body);
	fputc('\n', pr->out);
}

static void print_script(struct printer *pr, const struct script *s)
{
	fprintf(pr->out, "# file %s\n", s->source->name);
	for (const struct embedded *e = s->embedded; e; e = e->next)
		fprintf(pr->out, "%%{%s%%}", e->code->text);
	for (const struct global *g = s->globals; g; g = g->next)
		print_global(pr, g);
	for (const struct alias *a = s->aliases; a; a = a->next)
		print_alias(pr, a);
	for (const struct probe_decl *p = s->probes; p; p = p->next) {
		fputs("probe ", pr->out);
		print_points(pr, p->points, ",");
		print_stmt(pr, p->body);
		fputc('\n', pr->out);
	}
	for (const struct function *f = s->functions; f; f = f->next)
		print_function(pr, f);
}

void script_print(FILE *out, const struct script *s)
{
	print_script(&(struct printer){ .out = out }, s);
}

void script_print_source(FILE *out, const struct script *s)
{
	print_script(&(struct printer){ .out = out, .source = true }, s);
}

void expr_print(FILE *out, const struct expr *e)
{
	print_expr(&(struct printer){ .out = out }, e);
}

void stmt_print(FILE *out, const struct stmt *s)
{
	print_stmt(&(struct printer){ .out = out }, s);
}

void stmt_print_resolved(FILE *out, const struct stmt *s, const struct naming *n)
{
	print_stmt(&(struct printer){ .out = out, .naming = n }, s);
}

void expr_print_resolved(FILE *out, const struct expr *e, const struct naming *n)
{
	print_expr(&(struct printer){ .out = out, .naming = n }, e);
}

void probe_point_print(FILE *out, const struct probe_point *p)
{
	print_point(&(struct printer){ .out = out }, p);
}

/* Runs a printer into memory. */
static char *to_text(struct arena *a, const struct expr *e, const struct probe_point *p)
{
	char *heap = NULL, *text;
	size_t len = 0;
	FILE *out = open_memstream(&heap, &len);

	if (!out) {
		fputs("spile: out of memory\n", stderr);
		exit(1);
	}
	if (e)
		expr_print(out, e);
	if (p)
		probe_point_print(out, p);
	fclose(out);
	text = arena_strndup(a, heap, len);
	free(heap);
	return text;
}

char *expr_text(struct arena *a, const struct expr *e)
{
	return to_text(a, e, NULL);
}

char *probe_point_text(struct arena *a, const struct probe_point *p)
{
	return to_text(a, NULL, p);
}
