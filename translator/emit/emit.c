/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolved program to C.
 *
 * The file holds, in this order: the globals, the formats, the script's functions, a handler for each probe, and the
 * tables that describe them to the runtime.  Handlers and functions are built in memory first, as what they need
 * (temporaries, labels, formats, places) is known only behind them.  Start reading at emit_c().
 */
#include "emit/inner.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

void emit_line(struct body *b, const char *format, ...)
{
	va_list args;

	for (int i = 0; i < b->indent; i++)
		strbuf_char(b->to, '\t');
	va_start(args, format);
	strbuf_vprintf(b->to, format, args);
	va_end(args);
	strbuf_char(b->to, '\n');
}

const char *text(struct body *b, const char *format, ...)
{
	struct strbuf s = { 0 };
	const char *kept;
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&s, format, args);
	va_end(args);
	kept = arena_strdup(b->f->a, s.text ? s.text : "");
	strbuf_free(&s);
	return kept;
}

const char *c_string(struct arena *a, const char *s, size_t n)
{
	static const char escapes[] = "\a" "a" "\b" "b" "\f" "f" "\n" "n" "\r" "r" "\t" "t" "\v" "v" "\"\"" "\\\\";
	struct strbuf b = { 0 };
	const char *kept;

	strbuf_char(&b, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char ch = s[i];
		const char *e = ch ? strchr(escapes, ch) : NULL;

		while (e && (e - escapes) % 2)
			e = strchr(e + 1, ch);
		if (e && e[1])
			strbuf_printf(&b, "\\%c", e[1]);
		else if (ch < ' ' || ch >= 127 || (ch == '?' && i && s[i - 1] == '?'))	/* no trigraphs */
			strbuf_printf(&b, "\\%03o", ch);
		else
			strbuf_char(&b, ch);
	}
	strbuf_char(&b, '"');
	kept = arena_strdup(a, b.text);
	strbuf_free(&b);
	return kept;
}

const char *c_name(struct arena *a, const struct str *name)
{
	char *s = arena_strdup(a, name->text);

	for (char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
	return s;
}

void refuse(struct cfile *f, struct span at, const char *what)
{
	diag_error(f->p->diag, at, TAG_NOT_YET, "%s " NOT_YET, what);
	f->failed = true;
}

/* ---- names ---- */

/* Private globals of several files may share a name, and so may x$ and x_. */
static const char *unique_global(struct arena *a, const struct symbol *s)
{
	const char *name = c_name(a, s->name);

	if (s->is_library || strchr(s->name->text, '$'))
		return arena_printf(a, "%s_%d", name, s->id);
	return name;
}

const char *global_index(struct arena *a, const struct symbol *s)
{
	return arena_printf(a, "G_%s", unique_global(a, s));
}

const char *counter_index(struct arena *a, const struct symbol *s)
{
	return arena_printf(a, "CELL_%s", unique_global(a, s));
}

const char *symbol_c(struct body *b, const struct symbol *s)
{
	const char *name;

	if (s->kind == SYM_GLOBAL) {
		b->uses_globals = true;
		return text(b, "g->g_%s", unique_global(b->f->a, s));
	}
	name = c_name(b->f->a, s->name);
	if (strcmp(name, s->name->text))
		return text(b, "l_%s_%zu", name, strcspn(s->name->text, "$"));
	return text(b, "l_%s", name);
}

/* Whether the program has another function of this name: of another arity, or an overload. */
static bool is_overloaded(const struct cfile *f, const struct function *fn)
{
	for (const struct function *i = f->p->functions; i; i = i->next)
		if (i != fn && i->name == fn->name)
			return true;
	return false;
}

const char *function_c(struct cfile *f, const struct function *fn)
{
	const char *name = c_name(f->a, fn->name);

	if (is_overloaded(f, fn) || fn->has_priority || fn->is_private || strcmp(name, fn->name->text))
		return arena_printf(f->a, "f_%s_%d", name, fn->id);
	return arena_printf(f->a, "f_%s", name);
}

/* ---- functions ---- */

static const char *type_c(enum value_type type)
{
	switch (type) {
	case TY_STRING:
		return "struct sp_str ";
	case TY_LONG:
		return "sp_i64 ";
	default:
		return "void ";
	}
}

static bool is_read(const struct body *b, const struct symbol *s)
{
	for (unsigned i = 0; i < b->nread; i++)
		if (b->read[i] == s)
			return true;
	return false;
}

static void print_temps(struct strbuf *to, const struct body *b, int kind, char letter, const char *type)
{
	if (!b->most_temps[kind])
		return;
	strbuf_printf(to, "\t%s", type);
	for (unsigned i = 1; i <= b->most_temps[kind]; i++)
		strbuf_printf(to, "%s%c%u", i > 1 ? ", " : "", letter, i);
	strbuf_add(to, ";\n");
}

static void print_declarations(struct strbuf *to, struct body *b, const struct symbol *locals)
{
	if (b->uses_globals)
		strbuf_add(to, "\tstruct globals *g = c->globals;\n");
	for (const struct symbol *s = locals; s; s = s->next) {
		if (s->kind != SYM_LOCAL || (s->type != TY_LONG && s->type != TY_STRING))
			continue;
		strbuf_printf(to, "\t%s%s%s = %s;\n", type_c(s->type), symbol_c(b, s), is_read(b, s) ? "" : " SP_UNUSED",
			      s->type == TY_STRING ? "SP_EMPTY" : "0");
	}
	declare_stable(to, b);
	print_temps(to, b, TEMP_LONG, 't', "sp_i64 ");
	print_temps(to, b, TEMP_STRING, 's', "struct sp_str ");
	strbuf_add(to, b->declarations.text ? b->declarations.text : "");
	strbuf_free(&b->declarations);
}

static void print_span_comment(struct strbuf *to, const char *what, struct span at)
{
	unsigned line = 0, column = 0;

	if (!at.source) {
		strbuf_printf(to, "/* %s */\n", what);
		return;
	}
	span_place(at, &line, &column);
	strbuf_printf(to, "/* %s:%u: %s */\n", at.source->name, line, what);
}

/* Nothing that stands in a comment may end it. */
const char *in_comment(struct arena *a, const char *s)
{
	char *copy = arena_strdup(a, s ? s : "");

	for (char *p = copy; (p = strstr(p, "*/")); )
		*p = '+';
	for (char *p = copy; (p = strstr(p, "/*")); )	/* compilers warn of it */
		p[1] = '+';
	return copy;
}

const char *function_head(struct cfile *f, const struct function *fn, const struct body *b)
{
	struct strbuf s = { 0 };
	const char *kept;

	strbuf_printf(&s, "static %s%s(struct sp_ctx *c", type_c(fn->type), function_c(f, fn));
	for (const struct param *p = fn->params; p; p = p->next)
		strbuf_printf(&s, ", %sl_%s%s", type_c(p->sym->type), c_name(f->a, p->name),
			      b && !is_read(b, p->sym) ? " SP_UNUSED" : "");
	strbuf_char(&s, ')');
	kept = arena_strdup(f->a, s.text);
	strbuf_free(&s);
	return kept;
}

/* A jump to the label that follows it. */
static void drop_last_jump(struct strbuf *code)
{
	static const char jump[] = "\n\tgoto out;\n";
	size_t n = strlen(jump);

	if (code->len > n && !strcmp(code->text + code->len - n, jump)) {
		code->len -= n - 1;
		code->text[code->len] = '\0';
	}
}

/* What a function that falls through hands on: what it was called with, kept where the body assigns it. */
static const char *original(struct cfile *f, const struct param *p)
{
	return arena_printf(f->a, "%c_%s", p->sym->written ? 'o' : 'l', c_name(f->a, p->name));
}

static void print_originals(struct strbuf *to, struct cfile *f, const struct function *fn)
{
	for (const struct param *p = fn->params; p; p = p->next)
		if (p->sym->written)
			strbuf_printf(to, "\t%s%s = l_%s;\n", type_c(p->sym->type), original(f, p), c_name(f->a, p->name));
}

/* next: a tail call of the overload, at the same depth. */
static void print_next(struct strbuf *to, struct cfile *f, const struct function *fn, bool makes_strings)
{
	bool gives = fn->type == TY_LONG || fn->type == TY_STRING;

	if (!gives)
		strbuf_add(to, "\treturn;\n");
	strbuf_printf(to, "next:\n%s\tsp_leave(c);\n\tc->at = from;\n\t%s%s(c", makes_strings ? "\tSP_RELEASE(c, mark);\n" : "",
		      gives ? "return " : "", function_c(f, fn->overload));
	for (const struct param *p = fn->params; p; p = p->next)
		strbuf_printf(to, ", %s", original(f, p));
	strbuf_add(to, ");\n");
}

static void emit_function(struct cfile *f, const struct function *fn)
{
	struct strbuf code = { 0 };
	struct body b = { .f = f, .fn = fn, .to = &code, .indent = 1, .at = -1 };
	struct strbuf *to = &f->functions;
	bool makes_strings = f->function_touch[fn->id] & TOUCH_ARENA;

	b.uses_ret = fn->type == TY_LONG || fn->type == TY_STRING;
	find_stable(&b, fn->body);
	emit_stmts(&b, fn->body && fn->body->kind == STMT_BLOCK ? fn->body->u.block : fn->body, -1, 0);
	drop_last_jump(&code);
	print_span_comment(to, text(&b, "function %s", fn->name->text), fn->span);
	for (const struct param *p = fn->params; p && b.uses_next; p = p->next)
		note_read(&b, p->sym);
	strbuf_printf(to, "%s\n{\n", function_head(f, fn, &b));
	print_declarations(to, &b, fn->locals);
	if (b.uses_ret)
		strbuf_printf(to, "\t%sret = %s;\n", type_c(fn->type), fn->type == TY_STRING ? "SP_EMPTY" : "0");
	if (b.uses_next)
		print_originals(to, f, fn);
	if (makes_strings)
		strbuf_add(to, "\tchar *mark = c->arena_at;\n");
	strbuf_add(to, "\tsp_u32 from = c->at;\n");
	strbuf_printf(to, "\n\tif (!sp_enter(c))\n\t\treturn%s;\n", b.uses_ret ? " ret" : "");
	strbuf_add(to, code.text ? code.text : "");
	if (b.uses_leave)
		strbuf_add(to, "leave:\n");
	if (b.uses_out)
		strbuf_add(to, "out:\n");
	if (makes_strings)
		strbuf_printf(to, "\tSP_RELEASE(c, mark%s);\n", fn->type == TY_STRING ? ", &ret" : "");
	strbuf_add(to, "\tSP_LEAVE(c, from);\n");
	if (b.uses_ret)
		strbuf_add(to, "\treturn ret;\n");
	if (b.uses_next)
		print_next(to, f, fn, makes_strings);
	strbuf_add(to, "}\n\n");
	strbuf_free(&code);
}

/* Whether @name stands in C text as a word. */
static bool names_word(const char *code, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = code; (p = strstr(p, name)); p += n)
		if ((p == code || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')) &&
		    !isalnum((unsigned char)p[n]) && p[n] != '_')
			return true;
	return false;
}

/* A library function in C over spile.h: its body as it stands, its parameters under their own names. */
static void emit_c_function(struct cfile *f, const struct function *fn)
{
	const char *code = fn->body->u.code->text;
	struct strbuf *to = &f->functions;

	if (is_embedded(fn)) {
		declare_embedded(f, fn);
		return;
	}
	print_span_comment(to, arena_printf(f->a, "function %s", fn->name->text), fn->span);
	strbuf_printf(to, "static %s%s(struct sp_ctx *c%s", type_c(fn->type), function_c(f, fn),
		      names_word(code, "c") ? "" : " SP_UNUSED");
	for (const struct param *p = fn->params; p; p = p->next)
		strbuf_printf(to, ", %s%s%s", type_c(p->sym ? p->sym->type : p->type), p->name->text,
			      names_word(code, p->name->text) ? "" : " SP_UNUSED");
	strbuf_printf(to, ")\n{%s}\n\n", code);
}

static bool is_c_function(const struct function *fn)
{
	return fn->body && fn->body->kind == STMT_EMBEDDED;
}

/* Functions in C come first and call no script function; the others may call each other in any order. */
static void emit_functions(struct cfile *f)
{
	bool any = false;

	for (const struct function *fn = f->p->functions; fn; fn = fn->next)
		if (is_c_function(fn))
			emit_c_function(f, fn);
	for (const struct function *fn = f->p->functions; fn; fn = fn->next)
		if (!is_c_function(fn)) {
			strbuf_printf(&f->functions, "%s;\n", function_head(f, fn, NULL));
			any = true;
		}
	if (any)
		strbuf_char(&f->functions, '\n');
	for (const struct function *fn = f->p->functions; fn; fn = fn->next)
		if (!is_c_function(fn))
			emit_function(f, fn);
}

/* ---- handlers ---- */

static void emit_handler(struct cfile *f, const struct probe *pr)
{
	struct strbuf code = { 0 };
	struct body b = { .f = f, .probe = pr, .to = &code, .indent = 1, .at = -1 };
	struct strbuf *to = &f->functions;

	emit_handler_body(&b, pr);
	drop_last_jump(&code);
	print_span_comment(to, in_comment(f->a, text(&b, "probe %s%s", pr->chain,
			   pr->hidden ? ": values kept for its exits" : "")), pr->span);
	strbuf_printf(to, "static void probe_%d(struct sp_ctx *c%s)\n{\n", pr->id,
		      code.text && names_word(code.text, "c") ? "" : " SP_UNUSED");
	print_declarations(to, &b, pr->locals);
	if (to->text[to->len - 2] == ';')
		strbuf_char(to, '\n');
	strbuf_add(to, code.text ? code.text : "");
	if (b.uses_leave)
		strbuf_add(to, "leave:\n");
	if (b.uses_out)
		strbuf_add(to, "out:\n");
	if (pr->nlocks)
		strbuf_add(to, "\tsp_unlock(c);\n");
	else if (b.uses_out || b.uses_leave)
		strbuf_add(to, "\treturn;\n");
	strbuf_add(to, "}\n\n");
	strbuf_free(&code);
}

/* What modinfo(8) shows besides the runtime's own: strings in the section that kernel/module reads (linux/moduleparam.h). */
static void print_modinfo(FILE *out, const struct program *p)
{
	unsigned n = 0;

	if (p->runtime != RUNTIME_KERNEL)
		return;
	for (const struct define *d = p->options->modinfo; d; d = d->next)
		fprintf(out, "static const char modinfo_%u[] __attribute__((used, section(\".modinfo\"), aligned(1))) =\n\t\"%s=%s\";\n",
			n++, d->name, d->value);
	if (n)
		fputc('\n', out);
}

/* sp_script.conditions[] has them. */
static void emit_conditions(struct cfile *f)
{
	for (unsigned k = 0; k < f->p->nconditions; k++) {
		struct strbuf code = { 0 };
		struct body b = { .f = f, .to = &code, .indent = 1, .at = -1 };
		struct strbuf *to = &f->functions;
		struct cvalue v = emit_value(&b, f->p->conditions[k]);

		print_span_comment(to, "a condition", f->p->conditions[k]->span);
		strbuf_printf(to, "static sp_bool condition_%u(struct sp_ctx *c SP_UNUSED)\n{\n\tsp_bool holds = 1;\n", k);
		print_declarations(to, &b, NULL);
		strbuf_printf(to, "\n%s\tholds = %s != 0;\n", code.text ? code.text : "", operand(&b, v));
		if (b.uses_out)
			strbuf_add(to, "out:\n");
		strbuf_add(to, "\treturn holds;\n}\n\n");
		strbuf_free(&code);
	}
}

bool emit_c(FILE *out, struct program *p, struct emitted *more)
{
	struct cfile f = { .p = p, .a = p->arena };

	touch_functions(&f);
	emit_functions(&f);
	emit_conditions(&f);
	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		emit_handler(&f, pr);
	if (!f.failed) {
		fputs("#include \"spile.h\"\n\n", out);
		print_modinfo(out, p);
		print_globals(out, &f);
		fputs(f.formats.text ? f.formats.text : "", out);
		print_patterns(out, &f);
		fputs(f.functions.text ? f.functions.text : "", out);
		print_tables(out, &f);
		emit_more(&f, more);
	}
	strbuf_free(&f.formats);
	strbuf_free(&f.functions);
	return !f.failed && !ferror(out);
}
