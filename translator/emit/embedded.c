/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unit of what a script brings as C: top-level pieces, bodies of functions, expressions (doc/HACKING, "Embedded C").
 *
 * It includes headers that the script's C file does not, and is compiled only where there is such C.  Each body gets a
 * struct of its arguments and result, and stands in a function of its own, so that its `return' leaves it; around it is one
 * that the script's C file calls.  #line keeps the compiler's messages to the script.  Start reading at embedded_unit().
 */
#include "emit/inner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/syntax.h"

bool is_embedded(const struct function *fn)
{
	return fn->body && fn->body->kind == STMT_EMBEDDED && !strstr(fn->body->u.code->text, "/* spile */");
}

bool embedded_falls_through(const struct function *fn)
{
	return is_embedded(fn) && strstr(fn->body->u.code->text, "STAP_NEXT");
}

static bool is_pure(const char *code)
{
	return strstr(code, "/* pure */") || strstr(code, "/* stable */");
}

static const char *type_c(enum value_type type)
{
	return type == TY_STRING ? "struct sp_str " : type == TY_LONG ? "sp_i64 " : "void ";
}

static bool gives(enum value_type type)
{
	return type == TY_STRING || type == TY_LONG;
}

/* ---- the head ---- */

static void language_version(const struct program *p, unsigned *major, unsigned *minor)
{
	*major = *minor = 0;
	sscanf(p->options->compatible, "%u.%u", major, minor);
}

/* Up to 1.7, arguments were in THIS under their own names. */
static bool is_unmangled(const struct program *p, const char *code)
{
	unsigned major, minor;

	language_version(p, &major, &minor);
	return strstr(code, "/* unmangled */") || major < 1 || (major == 1 && minor < 8);
}

/* Before C that stands in the script, @skip bytes behind @at: the compiler's lines and columns are the script's from here on. */
static void print_line(FILE *out, struct span at, size_t skip)
{
	unsigned line = 0, column = 0;

	if (!at.source)
		return;
	span_place(at, &line, &column);
	fprintf(out, "#line %u \"%s\"\n%*s", line, at.source->name, (int)(column - 1 + skip), "");
}

/* Around it: what the compiler finds wrong there lies in the C at @at (embedded_refused() in build/embedded.c). */
static void around_line(FILE *out, struct span at)
{
	unsigned line = 0, column = 0;

	if (at.source)
		span_place(at, &line, &column);
	fprintf(out, "\n#line 1 \"" EMBEDDED_AROUND "%s:%u:%u>\"\n", at.source ? at.source->name : "", line, column);
}

static void print_head(FILE *out, const struct program *p)
{
	unsigned major, minor;

	language_version(p, &major, &minor);
	fprintf(out, "#line 1 \"" EMBEDDED_OWN "\"\n#define MAXSTRINGLEN %u\n#define STAP_COMPAT_VERSION STAP_VERSION(%u, %u)\n", p->limits.maxstringlen, major,
		minor);
	for (const struct define *d = p->options->defines; d; d = d->next)
		if (strcmp(d->name, "MAXSTRINGLEN"))
			fprintf(out, "#undef %s\n#define %s %s\n", d->name, d->name, d->value);
	fprintf(out, "#include \"embedded/%s.h\"\n\n", p->runtime == RUNTIME_USER ? "user" : "kernel");
}

static void print_pieces(FILE *out, const struct script *s, bool suffix)
{
	for (; s; s = s->next)
		for (const struct embedded *e = s->embedded; e; e = e->next) {
			if (strstr(e->code->text, "/* spile */") || !strstr(e->code->text, "/* pragma:suffix */") == suffix)
				continue;
			print_line(out, e->span, strlen("%{"));
			fputs(e->code->text, out);
			around_line(out, e->span);
		}
}

static bool has_pieces(const struct script *s)
{
	for (; s; s = s->next)
		for (const struct embedded *e = s->embedded; e; e = e->next)
			if (!strstr(e->code->text, "/* spile */"))
				return true;
	return false;
}

/* ---- globals ---- */

/* "(k1, k2" of an accessor, and its SP_VALS. */
static const char *accessor_keys(struct cfile *f, const struct symbol *s, const char **parameters)
{
	const char *keys = "";

	*parameters = "";
	for (int i = 0; i < s->nkeys; i++) {
		*parameters = arena_printf(f->a, "%s%sk%d", *parameters, i ? ", " : "", i);
		keys = arena_printf(f->a, s->keys[i] == TY_STRING ? "%s%s{ .s = sp_c_view(k%d) }" : "%s%s{ .n = (k%d) }", keys,
				    i ? ", " : "", i);
	}
	return arena_printf(f->a, "SP_VALS(%s)", keys);
}

static void print_map_accessor(FILE *out, struct cfile *f, const struct symbol *s, bool write)
{
	const char *parameters, *keys = accessor_keys(f, s, &parameters), *index = global_index(f->a, s);
	bool text = s->type == TY_STRING;

	if (write)
		fprintf(out, "(%s, v) (c->hit->wrote = 1, sp_map_set_%s(c->hit, %s, %s, %s))\n", parameters, text ? "str" : "long",
			index, keys, text ? "sp_c_view(v)" : "(v)");
	else
		fprintf(out, text ? "(%s) sp_c_text(c, sp_map_get_str(c->hit, %s, %s))\n" : "(%s) sp_map_get_long(c->hit, %s, %s)\n",
			parameters, index, keys);
}

static void print_accessor(FILE *out, struct cfile *f, const struct symbol *s, bool write)
{
	const char *place = arena_printf(f->a, "((struct globals *)c->hit->globals)->g_%s", global_index(f->a, s) + strlen("G_"));
	const char *name = c_name(f->a, s->name), *what = write ? "SET" : "GET";

	fprintf(out, "#undef STAP_GLOBAL_%s_%s\n#define STAP_GLOBAL_%s_%s", what, name, what, name);
	if (s->is_array)
		print_map_accessor(out, f, s, write);
	else if (!write)
		fprintf(out, s->type == TY_STRING ? "() sp_c_text(c, sp_string_load(c->hit, &%s))\n" : "() (%s)\n", place);
	else if (s->type == TY_STRING)
		fprintf(out, "(v) (c->hit->wrote = 1, sp_string_store(c->hit, &%s, sp_c_view(v)))\n", place);
	else
		fprintf(out, "(v) (c->hit->wrote = 1, %s = (v))\n", place);
}

/* ---- a body ---- */

/* What is emitted as one function. */
struct piece {
	const char *name;		/* of the C function */
	enum value_type type;
	const struct param *params;
	const struct global_use *globals;
	const char *code;
	struct span span;
	bool is_expression, falls_through, unmangled;
};

static void print_frame(FILE *out, struct cfile *f, const struct piece *k)
{
	fprintf(out, "struct l_%s {\n", k->name);
	for (const struct param *p = k->params; p; p = p->next) {
		const char *name = c_name(f->a, p->name);

		fprintf(out, p->sym->type == TY_STRING ? "\tunion { char l_%s[MAXSTRINGLEN]" : "\tunion { sp_i64 l_%s", name);
		if (k->unmangled)
			fprintf(out, p->sym->type == TY_STRING ? ", %s[MAXSTRINGLEN]" : ", %s", name);
		fputs("; };\n", out);
	}
	if (gives(k->type))
		fprintf(out, k->type == TY_STRING ? "\tchar __retvalue[MAXSTRINGLEN];\n" : "\tsp_i64 __retvalue;\n");
	fputs("};\n", out);
	for (const struct param *p = k->params; p; p = p->next)
		fprintf(out, "#define STAP_ARG_%s (l->l_%s)\n", p->name->text, c_name(f->a, p->name));
	for (const struct global_use *g = k->globals; g; g = g->next)
		print_accessor(out, f, g->sym, g->write);
	fprintf(out, "#undef STAP_RETURN\n#undef STAP_RETVALUE\n");
	if (gives(k->type))
		fprintf(out, "#define STAP_RETVALUE (l->__retvalue)\n");
	fprintf(out, "#define STAP_RETURN SP_C_RETURN_%s\n",
		k->type == TY_STRING ? "STRING" : k->type == TY_LONG ? "LONG" : "NONE");
}

static void print_body(FILE *out, const struct piece *k)
{
	around_line(out, k->span);
	fprintf(out, "static void body_%s(struct context *const c SP_UNUSED, struct l_%s *const l SP_UNUSED)\n{\n"
		"\t__label__ out, deref_fault;\n\tstruct sp_ctx *const sp_c_here SP_UNUSED = c->hit;\n\n", k->name, k->name);
	if (k->is_expression)
		fputs(k->type == TY_STRING ? "\tsp_c_strlcpy(l->__retvalue, (\n" : "\tl->__retvalue = (sp_i64)(\n", out);
	else
		fputs("\t{\n", out);
	print_line(out, k->span, strlen("%{"));
	fputs(k->code, out);
	around_line(out, k->span);
	if (k->is_expression)
		fputs(k->type == TY_STRING ? "), MAXSTRINGLEN);\n" : ");\n", out);
	else
		fputs("\t}\n", out);
	fputs("\tgoto out;\nout: __attribute__((unused));\nderef_fault: __attribute__((unused));\n}\n", out);
}

static const char *piece_head(struct cfile *f, const struct piece *k)
{
	const char *head = arena_printf(f->a, "%s%s(struct sp_ctx *hit", type_c(k->type), k->name);

	for (const struct param *p = k->params; p; p = p->next)
		head = arena_printf(f->a, "%s, %sa_%s", head, type_c(p->sym->type), c_name(f->a, p->name));
	return arena_printf(f->a, "%s%s)", head, k->falls_through ? ", int *next" : "");
}

static void print_call(FILE *out, struct cfile *f, const struct piece *k)
{
	const char *head = piece_head(f, k);

	fprintf(out, "%s;\n%s\n{\n\tchar *mark = hit->arena_at;\n\tstruct context *c = sp_c_context(hit);\n"
		"\tstruct l_%s *l = c ? (struct l_%s *)sp_arena_alloc(hit, sizeof(*l) + 8) : 0;\n", head, head, k->name, k->name);
	if (gives(k->type))
		fprintf(out, "\t%sret = %s;\n", type_c(k->type), k->type == TY_STRING ? "SP_EMPTY" : "0");
	fputs("\n\tif (l) {\n", out);
	if (!is_pure(k->code))
		fputs("\t\thit->wrote = 1;\n", out);
	for (const struct param *p = k->params; p; p = p->next) {
		const char *name = c_name(f->a, p->name);

		if (p->sym->type == TY_STRING)
			fprintf(out, "\t\tsp_c_string(l->l_%s, a_%s, MAXSTRINGLEN);\n", name, name);
		else
			fprintf(out, "\t\tl->l_%s = a_%s;\n", name, name);
	}
	if (gives(k->type))
		fprintf(out, "\t\tl->__retvalue%s = 0;\n", k->type == TY_STRING ? "[0]" : "");
	if (has_pieces(f->p->user) || has_pieces(f->p->library))
		fprintf(out, "\t\tstruct sp_c_note *note = sp_c_note(hit, (char *)__builtin_frame_address(0));\n\n"
			"\t\tbody_%s(c, l);\n\t\tsp_c_forget(note);\n", k->name);
	else
		fprintf(out, "\t\tbody_%s(c, l);\n", k->name);
	fputs("\t\tsp_c_done(c);\n", out);
	if (gives(k->type))
		fprintf(out, k->type == TY_STRING ? "\t\tret = sp_c_str(hit, l->__retvalue);\n" : "\t\tret = l->__retvalue;\n");
	if (k->falls_through)
		fputs("\t\t*next = c->next;\n", out);
	fprintf(out, "\t}\n\tSP_RELEASE(hit, mark%s);\n%s}\n", k->type == TY_STRING ? ", &ret" : "",
		gives(k->type) ? "\treturn ret;\n" : "");
	for (const struct param *p = k->params; p; p = p->next)
		fprintf(out, "#undef STAP_ARG_%s\n", p->name->text);
	fputc('\n', out);
}

static void print_piece(FILE *out, struct cfile *f, const struct piece *k)
{
	print_frame(out, f, k);
	print_body(out, k);
	print_call(out, f, k);
}

/* ---- functions and expressions ---- */

static struct piece of_function(struct cfile *f, const struct function *fn)
{
	return (struct piece){
		.name = arena_printf(f->a, "c_%s", function_c(f, fn)), .type = fn->type, .params = fn->params,
		.globals = fn->globals, .code = fn->body->u.code->text, .span = fn->body->span,
		.falls_through = embedded_falls_through(fn), .unmangled = is_unmangled(f->p, fn->body->u.code->text),
	};
}

static struct piece of_expression(struct cfile *f, unsigned row)
{
	const struct expr *e = f->expressions[row];

	return (struct piece){
		.name = arena_printf(f->a, "e_%u", row), .type = e->u.embedded.is_string ? TY_STRING : TY_LONG,
		.code = e->u.embedded.code->text, .span = e->span, .is_expression = true,
	};
}

/* In the script's C file: the prototype, and the function that the script's own code calls. */
void declare_embedded(struct cfile *f, const struct function *fn)
{
	struct piece k = of_function(f, fn);
	struct strbuf *to = &f->functions;
	const char *call = arena_printf(f->a, "%s(c", k.name), *head = arena_printf(f->a, "static %s%s(struct sp_ctx *c",
			   type_c(fn->type), function_c(f, fn)), *more = "";

	f->any_embedded = true;
	strbuf_printf(to, "%s;\n", piece_head(f, &k));
	for (const struct param *p = fn->params; p; p = p->next) {
		const char *name = c_name(f->a, p->name);

		call = arena_printf(f->a, "%s, a_%s", call, name);
		head = arena_printf(f->a, "%s, %sa_%s", head, type_c(p->sym->type), name);
		more = arena_printf(f->a, "%s, a_%s", more, name);
	}
	if (!k.falls_through) {
		strbuf_printf(to, "%s)\n{\n\t%s%s);\n}\n\n", head, gives(fn->type) ? "return " : "", call);
		return;
	}
	if (fn->overload)
		strbuf_printf(to, "%s;\n", function_head(f, fn->overload, NULL));
	strbuf_printf(to, "%s)\n{\n\tint next = 0;\n\t%s%s, &next);\n\n\tif (next)\n\t\t", head,
		      gives(fn->type) ? arena_printf(f->a, "%sret = ", type_c(fn->type)) : "", call);
	if (fn->overload)
		strbuf_printf(to, "%s%s(c%s);\n", gives(fn->type) ? "ret = " : "", function_c(f, fn->overload), more);
	else
		strbuf_add(to, "sp_error(c, \"all functions exhausted\");\n");
	strbuf_printf(to, "%s}\n\n", gives(fn->type) ? "\treturn ret;\n" : "");
}

/* %{ ... %} in an expression: a function of the unit.  The prototype stands before the function that first calls it. */
struct cvalue emit_embedded(struct body *b, struct expr *e)
{
	struct cfile *f = b->f;
	enum value_type type = e->u.embedded.is_string ? TY_STRING : TY_LONG;
	unsigned before = f->expression_keys.n, row = text_table_add(&f->expression_keys, f->a, e->u.embedded.code->text);

	if (f->expression_keys.n > before) {
		const struct expr **more = ARENA_ARRAY(f->a, const struct expr *, row + 1);

		if (row)
			memcpy(more, f->expressions, row * sizeof(*more));
		more[row] = e;
		f->expressions = more;
		f->any_embedded = true;
		strbuf_printf(&f->functions, "%se_%u(struct sp_ctx *c);\n\n", type_c(type), row);
	}
	if (!is_pure(e->u.embedded.code->text))
		mark_written(b);
	return checked(b, type, place_of_expr(f, e), text(b, "e_%u(c)", row));
}

/* @const("C"): a name that build gives its value to. */
struct cvalue emit_const(struct body *b, struct expr *e)
{
	struct cfile *f = b->f;
	unsigned before = f->constant_keys.n, row = text_table_add(&f->constant_keys, f->a, e->u.perf.name->text);

	if (f->constant_keys.n > before) {
		const struct expr **more = ARENA_ARRAY(f->a, const struct expr *, row + 1);

		if (row)
			memcpy(more, f->constants, row * sizeof(*more));
		more[row] = e;
		f->constants = more;
	}
	return temp_value(text(b, "K_%u", row));
}

static const char *kept(struct cfile *f, FILE *out, char **buffer)
{
	const char *text;

	fclose(out);
	text = arena_strdup(f->a, *buffer);
	free(*buffer);
	return text;
}

static const char *embedded_unit(struct cfile *f)
{
	const struct program *p = f->p;
	bool uses_globals = false;
	char *buffer = NULL;
	size_t size;
	FILE *out;

	if (!f->any_embedded && !has_pieces(p->user))
		return NULL;
	out = open_memstream(&buffer, &size);
	print_head(out, p);
	for (const struct function *fn = p->functions; fn; fn = fn->next)
		uses_globals |= is_embedded(fn) && fn->globals;
	if (uses_globals)
		print_globals_layout(out, f);
	print_pieces(out, p->library, false);
	print_pieces(out, p->user, false);
	for (const struct function *fn = p->functions; fn; fn = fn->next)
		if (is_embedded(fn)) {
			struct piece k = of_function(f, fn);

			print_piece(out, f, &k);
		}
	for (unsigned i = 0; i < f->expression_keys.n; i++) {
		struct piece k = of_expression(f, i);

		print_piece(out, f, &k);
	}
	print_pieces(out, p->library, true);
	print_pieces(out, p->user, true);
	return kept(f, out, &buffer);
}

/* A table that build finds in the object by its mark (build_constants()). */
static const char *constants_unit(struct cfile *f)
{
	char *buffer = NULL;
	size_t size;
	FILE *out;

	if (!f->constant_keys.n)
		return NULL;
	out = open_memstream(&buffer, &size);
	print_head(out, f->p);
	print_pieces(out, f->p->library, false);
	print_pieces(out, f->p->user, false);
	fprintf(out, "__attribute__((used)) const struct { char mark[16]; long long value[%u]; } sp_constants = {\n"
		"\t\"spile constants\", {\n", f->constant_keys.n);
	for (unsigned i = 0; i < f->constant_keys.n; i++) {
		fputs("\t(long long)(\n", out);
		print_line(out, f->constants[i]->span, strlen("@const(\""));
		fputs(f->constant_keys.text[i], out);
		around_line(out, f->constants[i]->span);
		fputs("\t),\n", out);
	}
	fputs("} };\n", out);
	return kept(f, out, &buffer);
}

void emit_more(struct cfile *f, struct emitted *more)
{
	struct span *spans = ARENA_ARRAY(f->a, struct span, f->constant_keys.n + 1);

	for (unsigned i = 0; i < f->constant_keys.n; i++)
		spans[i] = f->constants[i]->span;
	more->embedded = embedded_unit(f);
	more->constants = constants_unit(f);
	more->nconstants = f->constant_keys.n;
	more->constant_spans = spans;
}
