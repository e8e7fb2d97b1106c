/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The print family.  Every form becomes a format table (spec/language.md 7): what print() and printd() join is known
 * when the script is translated, and literal arguments melt into the text between the directives.
 */
#include "emit/inner.h"

#include <string.h>

/* A format being put together: parts as C initialisers, and the arguments left over. */
struct format_maker {
	struct body *b;
	struct strbuf parts;
	struct strbuf pending;		/* literal text not yet made a part */
	unsigned nparts;
	const char *args;
	unsigned nargs;
	bool may_fail;			/* %m and %M read memory */
};

static void flush_text(struct format_maker *m)
{
	if (!m->pending.len)
		return;
	strbuf_printf(&m->parts, "\t{ %s, %zu, 0, 0, 0, 0, -1, -1 },\n",
		      c_string(m->b->f->a, m->pending.text, m->pending.len), m->pending.len);
	m->nparts++;
	strbuf_free(&m->pending);
	m->pending = (struct strbuf){ 0 };
}

static const char *flag_c(struct body *b, char flag)
{
	return flag ? text(b, "'%c'", flag) : "0";
}

static void add_directive(struct format_maker *m, const struct format_part *p)
{
	flush_text(m);
	strbuf_printf(&m->parts, "\t{ 0, 0, '%c', %s, %d, %d, %d, %d },\n", p->conv, flag_c(m->b, p->flag), p->zero,
		      (p->star_width ? 1 : 0) | (p->star_prec ? 2 : 0), p->has_width && !p->star_width ? p->width : -1,
		      p->has_prec && !p->star_prec ? p->prec : -1);
	m->nparts++;
	if (p->conv == 'm' || p->conv == 'M')
		m->may_fail = true;
}

static void add_argument(struct format_maker *m, enum value_type type, struct cvalue v)
{
	m->args = text(m->b, "%s%s%s", m->nargs ? m->args : "", m->nargs ? ", " : "", array_item(m->b, type, v));
	m->nargs++;
}

/* One value of print(): text where it is a literal, else %d or %s. */
static void add_value(struct format_maker *m, const struct expr *e, struct cvalue v)
{
	struct format_part p = { .kind = FMT_VALUE, .conv = e->type == TY_STRING ? 's' : 'd' };

	if (e->kind == EXPR_STR) {
		strbuf_add_n(&m->pending, e->u.str->text, e->u.str->len);
	} else if (e->kind == EXPR_NUM) {
		strbuf_printf(&m->pending, "%lld", (long long)e->u.num);
	} else {
		add_directive(m, &p);
		add_argument(m, e->type, v);
	}
}

/* &format_N for these parts; equal formats share one table. */
static const char *format_table(struct format_maker *m)
{
	struct cfile *f = m->b->f;
	unsigned before = f->format_keys.n, n;
	const char *parts = arena_strdup(f->a, m->parts.text ? m->parts.text : "");

	n = text_table_add(&f->format_keys, f->a, parts);
	if (n == before && m->nparts)
		strbuf_printf(&f->formats, "static const struct sp_format_part parts_%u[] = {\n%s};\n"
			      "static const struct sp_format format_%u = { %u, parts_%u };\n\n", n, parts, n, m->nparts, n);
	return arena_printf(f->a, "&format_%u", n);
}

/* The text alone, where the format holds nothing else. */
static struct cvalue print_text(struct body *b, struct expr *e, struct strbuf *literal)
{
	const char *s = c_string(b->f->a, literal->text ? literal->text : "", literal->len);

	if (e->u.print.to_string)
		return temp_value(literal->len ? text(b, "SP_STR(%s)", s) : "SP_EMPTY");
	if (literal->len)
		emit_line(b, "sp_print_str(c, SP_STR(%s));", s);
	return temp_value("0");
}

static struct cvalue print_made(struct body *b, struct expr *e, struct format_maker *m)
{
	struct cvalue v = temp_value("0");
	const char *call;

	if (!m->nparts) {
		v = print_text(b, e, &m->pending);
		goto free;
	}
	flush_text(m);
	call = text(b, "sp_%sprintf(c, %s, %s)", e->u.print.to_string ? "s" : "", format_table(m),
		    m->nargs ? text(b, "SP_VALS(%s)", m->args) : "0");
	if (e->u.print.to_string) {
		v = checked(b, TY_STRING, place_of_expr(b->f, e), call);
	} else {
		if (m->may_fail)
			place_set(b, place_of_expr(b->f, e));
		emit_line(b, "%s;", call);
		if (m->may_fail)
			check(b);
	}
free:
	strbuf_free(&m->parts);
	strbuf_free(&m->pending);
	return v;
}

/* print(x), sprint(x): no format needed. */
static bool print_single(struct body *b, struct expr *e, struct cvalue *out)
{
	struct expr *x = e->u.print.args ? e->u.print.args->e : NULL;

	if (e->u.print.form == PRINT_CHAR) {
		emit_line(b, "sp_print_char(c, %s);", emit_value(b, x).text);
		*out = temp_value("0");
		return true;
	}
	if (x && x->kind == EXPR_HIST) {
		const char *call = hist_call(b, x->u.hist, e->u.print.to_string ? "sprint" : "print", "");
		int place = place_of_expr(b->f, e);

		if (e->u.print.to_string) {
			*out = checked(b, TY_STRING, place, call);
			return true;
		}
		place_set(b, place);
		emit_line(b, "%s;", call);
		check(b);
		*out = temp_value("0");
		return true;
	}
	if (e->u.print.form != PRINT_PLAIN || !x || e->u.print.args->next || e->u.print.to_string ||
	    x->kind == EXPR_STR)
		return false;
	emit_line(b, "sp_print_%s(c, %s);", x->type == TY_STRING ? "str" : "long", emit_value(b, x).text);
	*out = temp_value("0");
	return true;
}

/* Text at an address becomes a string of its own first: both would grow in the arena. */
static struct format_part quote(struct format_maker *m, const struct expr *e, const struct format_part *p, struct cvalue *v)
{
	struct format_part as_string = { .kind = FMT_VALUE, .conv = 's' };
	const char *most = p->has_prec ? text(m->b, "%d", p->prec) : "SP_WHOLE";

	*v = checked(m->b, TY_STRING, place_of_expr(m->b->f, e), text(m->b, "sp_user_string_quoted(c, %s, %s, 0)", v->text, most));
	return as_string;
}

static void add_format(struct format_maker *m, struct expr *e, struct cvalue *v)
{
	const struct expr_list *arg = e->u.print.args;
	unsigned k = 0;

	for (const struct format_part *p = e->u.print.parts; p; p = p->next) {
		unsigned take;

		if (p->kind == FMT_TEXT) {
			strbuf_add_n(&m->pending, p->text->text, p->text->len);
			continue;
		}
		take = 1 + p->star_width + p->star_prec;
		if (p->conv == 'q') {
			const struct format_part as_string = quote(m, e, p, &v[k]);

			add_directive(m, &as_string);
			add_argument(m, TY_STRING, v[k++]);
			arg = arg->next;
			continue;
		}
		add_directive(m, p);
		for (; take && arg; take--, k++, arg = arg->next)
			add_argument(m, arg->e->type, v[k]);
	}
}

static struct cvalue print_any(struct body *b, struct expr *e)
{
	struct format_maker m = { .b = b };
	enum print_form form = e->u.print.form;
	bool delimited = form == PRINT_D || form == PRINT_DLN;
	struct cvalue v[MAX_ARGS], out;
	unsigned n = 0;

	for (const struct expr_list *i = e->u.print.args; i; i = i->next)
		n++;
	if (n > MAX_ARGS) {
		refuse(b->f, e->span, "printing more than 32 values");
		return temp_value("0");
	}
	if (print_single(b, e, &out))
		return out;
	emit_list(b, e->u.print.args, v, MAX_ARGS, 0);
	if (form == PRINT_F) {
		add_format(&m, e, v);
		return print_made(b, e, &m);
	}
	n = 0;
	for (const struct expr_list *i = e->u.print.args; i; i = i->next, n++) {
		if (n && delimited)
			strbuf_add_n(&m.pending, e->u.print.text->text, e->u.print.text->len);
		add_value(&m, i->e, v[n]);
	}
	if (form == PRINT_LN || form == PRINT_DLN)
		strbuf_char(&m.pending, '\n');
	return print_made(b, e, &m);
}

/* Pretty printing: the block's own label `out' is where a fault leads, as in a try block (stmt.c). */
static struct cvalue print_guarded(struct body *b, struct expr *e)
{
	bool outer_uses_out = b->uses_out, outer_unused = b->unused_value, faults;
	unsigned done = b->done;
	const char *t = new_temp(b, TY_STRING);

	emit_line(b, "{");
	b->indent++;
	emit_line(b, "__label__ out;");
	b->uses_out = b->unused_value = false;
	for (struct expr_list *i = e->u.print.before; i; i = i->next)
		emit_effect(b, i->e);
	emit_line(b, "%s = %s;", t, print_any(b, e).text);
	faults = b->uses_out;
	b->indent--;
	if (faults)
		emit_line(b, "out:;");
	emit_line(b, "}");
	b->uses_out = outer_uses_out || faults;
	b->unused_value = outer_unused;
	b->done = done;
	b->at = -1;
	if (!faults)
		return temp_value(t);
	emit_line(b, "if (sp_unlikely(c->error != 0)) {");
	emit_line(b, "\tif (!sp_catchable(c))");
	emit_line(b, "\t\tgoto out;");
	emit_line(b, "\tsp_catch(c);");
	emit_line(b, "\t%s = SP_STR(\"ERROR\");", t);
	emit_line(b, "}");
	return temp_value(t);
}

struct cvalue emit_print(struct body *b, struct expr *e)
{
	return e->u.print.guarded ? print_guarded(b, e) : print_any(b, e);
}
