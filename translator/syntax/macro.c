/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros (spec/language.md 2.2): takes @define in, puts bodies in place of @name.
 *
 * An expansion is a frame on a stack: a list of tokens being read before the text goes on.  A frame
 * is either a macro's body or one of its arguments; an argument's own @names belong to where it was
 * written (env).  Nothing here recurses, and EXPANDED_MAX bounds what a script can make of itself.
 * Start reading at macro_next().
 */
#include <string.h>

#include "syntax/parser.h"
#include "syntax/parse.h"

/* Tokens and uses that one text may expand to. */
#define EXPANDED_MAX 1000000

struct tokens {
	struct token *v;
	size_t n, room;
};

struct macro {
	struct macro *next;
	struct str *name;		/* without @ */
	struct span span;
	const struct arena *arena;	/* whose strings the tokens hold */
	bool is_library;
	struct str **params;
	size_t nparams;
	struct tokens body;
};

#define MACRO_BUCKETS 256

struct macros {
	bool is_library;
	void (*want)(void *data, const char *name);	/* or NULL: what there is was read */
	void *want_data;
	struct macro *bucket[MACRO_BUCKETS];
};

struct frame {
	struct frame *below;
	const struct tokens *tokens;
	size_t pos;
	const struct macro *macro;	/* NULL: an argument */
	const struct tokens *args;	/* the macro's, one a parameter */
	struct frame *env;		/* body: itself; argument: where it was written, NULL for the text */
	struct frame *parent;		/* body: env of its use */
	const struct span *use;		/* body: place of its use */
	struct cond *cond;		/* what was open when it began */
};

/* Operators that look like macros; a user's macro of that name wins. */
static const struct { const char *name; int kind; int num; const char *since; } operators[] = {
	{ "cast", AT_CAST, 0, NULL }, { "defined", AT_DEFINED, 0, NULL }, { "probewrite", AT_PROBEWRITE, 0, NULL },
	{ "entry", AT_ENTRY, 0, NULL }, { "perf", AT_PERF, 0, NULL }, { "var", AT_VAR, 0, NULL }, { "const", AT_CONST, 0, "3.1" },
	{ "avg", AT_EXTRACT, EX_AVG, NULL }, { "count", AT_EXTRACT, EX_COUNT, NULL }, { "sum", AT_EXTRACT, EX_SUM, NULL },
	{ "min", AT_EXTRACT, EX_MIN, NULL }, { "max", AT_EXTRACT, EX_MAX, NULL },
	{ "variance", AT_VARIANCE, EX_VARIANCE, "3.1" },
	{ "hist_linear", AT_HIST_LINEAR, 0, NULL }, { "hist_log", AT_HIST_LOG, 0, NULL },
	{ "kregister", AT_REGISTER, false, "4.0" }, { "uregister", AT_REGISTER, true, "4.0" },
	{ "kderef", AT_DEREF, false, "4.0" }, { "uderef", AT_DEREF, true, "4.0" },
	{ "enum", AT_ENUM, 0, "5.5" }, { "enumname", AT_ENUMNAME, 0, "5.6" },
};

static int operator_find(const char *name)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strcmp(operators[i].name, name))
			return (int)i;
	return -1;
}

static unsigned bucket_of(const char *name)
{
	unsigned h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h % MACRO_BUCKETS;
}

static const struct macro *macro_known(const struct macros *m, const char *name)
{
	const struct macro *macro;

	for (macro = m->bucket[bucket_of(name)]; macro; macro = macro->next)
		if (!strcmp(macro->name->text, name))
			return macro;
	return NULL;
}

static const struct macro *macro_find(const struct macros *m, const char *name)
{
	const struct macro *macro = m ? macro_known(m, name) : NULL;

	if (!m || macro || !m->want)
		return macro;
	m->want(m->want_data, name);
	return macro_known(m, name);
}

void macros_on_demand(struct macros *m, void (*want)(void *data, const char *name), void *data)
{
	m->want = want;
	m->want_data = data;
}

void macros_each(const struct macros *m, void (*visit)(void *data, const char *name, const struct source *source),
		 void *data)
{
	for (int i = 0; i < MACRO_BUCKETS; i++)
		for (const struct macro *macro = m->bucket[i]; macro; macro = macro->next)
			visit(data, macro->name->text, macro->span.source);
}

struct macros *macros_own(struct arena *a)
{
	return ARENA_NEW(a, struct macros);
}

struct macros *macros_new(struct arena *a)
{
	struct macros *m = macros_own(a);

	m->is_library = true;
	return m;
}

static void tokens_add(struct arena *a, struct tokens *list, const struct token *t)
{
	if (list->n == list->room) {
		struct token *old = list->v;

		list->room = list->room ? list->room * 2 : 8;
		list->v = ARENA_ARRAY(a, struct token, list->room);
		if (list->n)
			memcpy(list->v, old, list->n * sizeof(*old));
	}
	list->v[list->n++] = *t;
}

bool frame_exhausted(const struct preprocessor *pp)
{
	return !pp->has_unread && pp->frame && pp->frame->pos == pp->frame->tokens->n;
}

static void frame_pop(struct preprocessor *pp)
{
	conds_unwind(pp, pp->frame->cond);
	pp->frame = pp->frame->below;
}

static void frame_push(struct preprocessor *pp, struct frame frame)
{
	struct frame *f = ARENA_NEW(pp->arena, struct frame);

	*f = frame;
	f->below = pp->frame;
	f->cond = pp->cond;
	if (f->macro)
		f->env = f;
	pp->frame = f;
	pp->expanded++;
}

void raw_next(struct preprocessor *pp, struct token *t)
{
	if (pp->has_unread) {
		pp->has_unread = false;
		*t = pp->unread;
		return;
	}
	while (frame_exhausted(pp))
		frame_pop(pp);
	if (!pp->frame) {
		lexer_next(pp->lexer, t);
		return;
	}
	*t = pp->frame->tokens->v[pp->frame->pos++];
	pp->expanded++;
	if (pp->frame->macro) {
		t->span.expanded = pp->frame->use;
		if (t->text && pp->frame->macro->arena != pp->arena)
			t->text = str_intern_n(pp->arena, t->text->text, t->text->len);
	}
}

void raw_unread(struct preprocessor *pp, const struct token *t)
{
	pp->has_unread = true;
	pp->unread = *t;
}

void token_spoil(struct token *t)
{
	t->kind = BAD;
	t->error = NULL;
}

static bool is_define(const struct token *t)
{
	return t->kind == AT_WORD && !strcmp(t->text->text, "@define");
}

/* After %(: up to the %) that closes it, which is left out.  False: told. */
static bool read_body(struct preprocessor *pp, struct macro *macro, struct token *t)
{
	struct span open = t->span;
	unsigned depth = 1;
	bool good = true;

	for (;;) {
		raw_next(pp, t);
		if (t->kind == END) {
			diag_error(pp->diag, open, TAG_MACRO, "incomplete macro definition - missing '%%)'");
			raw_unread(pp, t);
			return false;
		}
		if (is_define(t)) {
			diag_error(pp->diag, t->span, TAG_MACRO, "'@define' forbidden inside macro body");
			good = false;
		}
		depth += t->kind == PP_OPEN;
		depth -= t->kind == PP_CLOSE;
		if (!depth)
			return good;
		tokens_add(pp->arena, &macro->body, t);
	}
}

/* Passes over the rest of a definition with a mistake in its head, @t being where it was seen. */
static void skip_definition(struct preprocessor *pp, struct token *t)
{
	struct macro unused = { 0 };

	while (t->kind != PP_OPEN && !is_define(t) && !token_starts_item(t->kind))
		raw_next(pp, t);
	if (t->kind == PP_OPEN)
		read_body(pp, &unused, t);
	else
		raw_unread(pp, t);
}

static bool is_name(const struct token *t)
{
	return t->kind == IDENT;
}

static bool expect(struct preprocessor *pp, const struct token *t, bool good, const char *text)
{
	if (!good)
		diag_error(pp->diag, t->span, t->error ? t->tag : TAG_MACRO, "%s", t->error ? t->error : text);
	return good;
}

/* After '(': names, commas, ')'.  False: told. */
static bool read_params(struct preprocessor *pp, struct macro *macro, struct token *t)
{
	struct tokens names = { 0 };

	do {
		raw_next(pp, t);
		if (!expect(pp, t, is_name(t), "expected identifier"))
			return false;
		tokens_add(pp->arena, &names, t);
		raw_next(pp, t);
	} while (t->kind == ',');
	if (!expect(pp, t, t->kind == ')', "expected ',' or ')'"))
		return false;
	macro->params = ARENA_ARRAY(pp->arena, struct str *, names.n);
	macro->nparams = names.n;
	for (size_t i = 0; i < names.n; i++)
		macro->params[i] = names.v[i].text;
	raw_next(pp, t);
	return true;
}

/* Enters a complete definition, unless the name is taken. */
static void enter(struct preprocessor *pp, struct macro *macro)
{
	struct macro **bucket = &pp->own->bucket[bucket_of(macro->name->text)];
	const struct macro *first = macro_find(pp->own, macro->name->text);

	if (first) {
		diag_error(pp->diag, macro->span, TAG_MACRO,
			   pp->own->is_library ? "duplicate definition of library macro '@%s'" :
			   "attempt to redefine macro '@%s' in the same file", macro->name->text);
		diag_note(pp->diag, first->span, "macro '@%s' first defined here", first->name->text);
		return;
	}
	if (operator_find(macro->name->text) >= 0)
		diag_warning(pp->diag, macro->span, TAG_MACRO_OPERATOR, "macro redefines built-in operator '@%s'",
			     macro->name->text);
	macro->next = *bucket;
	*bucket = macro;
}

/* The name, parameters and %( of a definition.  False: told. */
static bool read_head(struct preprocessor *pp, struct macro *macro, struct token *t)
{
	raw_next(pp, t);
	if (!expect(pp, t, is_name(t), "expected identifier") ||
	    !expect(pp, t, strcmp(t->text->text, "define") != 0, "attempt to redefine '@define'"))
		return false;
	macro->name = t->text;
	macro->span = t->span;
	raw_next(pp, t);
	if (t->kind == '(' && !read_params(pp, macro, t))
		return false;
	return expect(pp, t, t->kind == PP_OPEN, "expected '%('");
}

/* After @define: takes the whole definition in, or out. */
static void define(struct preprocessor *pp, struct token *t)
{
	struct macro *macro = ARENA_NEW(pp->arena, struct macro);

	macro->arena = pp->arena;
	macro->is_library = pp->own->is_library;
	if (!read_head(pp, macro, t))
		skip_definition(pp, t);
	else if (read_body(pp, macro, t))
		enter(pp, macro);
}

/* Reads one argument up to its ',' or ')', which is left in @t.  False: the text ended before. */
static bool read_argument(struct preprocessor *pp, struct tokens *arg, struct token *t)
{
	unsigned depth = 0;

	for (;;) {
		if (frame_exhausted(pp))
			return false;
		raw_next(pp, t);
		if (t->kind == END)
			return false;
		if (!depth && (t->kind == ',' || t->kind == ')'))
			return true;
		depth += t->kind == '(' || t->kind == '[';
		depth -= depth && (t->kind == ')' || t->kind == ']');
		tokens_add(pp->arena, arg, t);
	}
}

/* The (arguments) of a use.  NULL: told. */
static struct tokens *read_arguments(struct preprocessor *pp, const struct macro *macro, const struct token *use)
{
	struct tokens *args = ARENA_ARRAY(pp->arena, struct tokens, macro->nparams);
	size_t n = 0;
	struct token t = { .kind = END };

	if (!frame_exhausted(pp))
		raw_next(pp, &t);
	if (t.kind != '(') {
		diag_error(pp->diag, use->span, TAG_MACRO,
			   "expected '(' in invocation of macro '@%s' taking %zu parameter%s", macro->name->text,
			   macro->nparams, macro->nparams == 1 ? "" : "s");
		return NULL;
	}
	do {
		struct tokens surplus = { 0 };

		if (!read_argument(pp, n < macro->nparams ? &args[n] : &surplus, &t)) {
			diag_error(pp->diag, use->span, TAG_MACRO, "could not find end of macro invocation");
			return NULL;
		}
		n++;
	} while (t.kind != ')');
	if (n != macro->nparams) {
		diag_error(pp->diag, use->span, TAG_MACRO, "too %s parameters for macro '@%s' (expected %zu)",
			   n < macro->nparams ? "few" : "many", macro->name->text, macro->nparams);
		diag_note(pp->diag, macro->span, "macro '@%s' defined here", macro->name->text);
		return NULL;
	}
	return args;
}

static struct frame *current_env(const struct preprocessor *pp)
{
	return pp->frame ? pp->frame->env : NULL;
}

/* A parameter's argument goes in front of what is read; false: @name is no parameter here. */
static bool expand_param(struct preprocessor *pp, const char *name)
{
	struct frame *env = current_env(pp);

	if (!env)
		return false;
	/* of two parameters of one name the last one is meant */
	for (size_t i = env->macro->nparams; i-- > 0;)
		if (!strcmp(env->macro->params[i]->text, name)) {
			frame_push(pp, (struct frame){ .tokens = &env->args[i], .env = env->parent });
			return true;
		}
	return false;
}

static const struct macro *visible_macro(const struct preprocessor *pp, const char *name)
{
	struct frame *env = current_env(pp);
	const struct macro *macro = NULL;

	/* A library macro's own names do not change with what a user happens to define. */
	if (!env || !env->macro->is_library || pp->own->is_library)
		macro = macro_find(pp->own, name);
	return macro ? macro : macro_find(pp->library, name);
}

/* False: told, and @t is bad. */
static bool expand_macro(struct preprocessor *pp, const struct macro *macro, struct token *t)
{
	struct frame *env = current_env(pp);
	struct span *use = ARENA_NEW(pp->arena, struct span);
	const struct tokens *args = NULL;

	for (struct frame *f = env; f; f = f->parent)
		if (f->macro == macro) {
			diag_error(pp->diag, t->span, TAG_MACRO, "macro '@%s' expands to itself", macro->name->text);
			token_spoil(t);
			return false;
		}
	*use = t->span;
	if (macro->nparams && !(args = read_arguments(pp, macro, t))) {
		token_spoil(t);
		return false;
	}
	frame_push(pp, (struct frame){ .tokens = &macro->body, .macro = macro, .args = args, .parent = env,
				       .use = use });
	return true;
}

/* @name that is neither parameter nor macro. */
static void name_operator(struct preprocessor *pp, struct token *t)
{
	int i = operator_find(t->text->text + 1);

	if (i < 0 || (operators[i].since && !gate(pp->gates, t->span, operators[i].since, t->text->text))) {
		diag_error(pp->diag, t->span, TAG_OPERATOR, "unknown operator %s", t->text->text);
		token_spoil(t);
		return;
	}
	t->kind = operators[i].kind;
	t->num = operators[i].num;
}

/* A text that expands without end: told once, and nothing more of it is read. */
static void give_up(struct preprocessor *pp, struct token *t)
{
	if (pp->gave_up) {
		*t = (struct token){ .kind = END, .span = t->span };
		return;
	}
	diag_error(pp->diag, t->span, TAG_MACRO, "macros expand to more than %d tokens", EXPANDED_MAX);
	token_spoil(t);
	pp->gave_up = true;
}

void macro_next(struct preprocessor *pp, struct token *t)
{
	for (;;) {
		const struct macro *macro;

		raw_next(pp, t);
		if (pp->expanded > EXPANDED_MAX && t->kind != END) {
			give_up(pp, t);
			return;
		}
		if (t->kind != AT_WORD)
			return;
		if (is_define(t)) {	/* in the text: bodies hold none */
			define(pp, t);
		} else if (expand_param(pp, t->text->text + 1)) {
			continue;
		} else if ((macro = visible_macro(pp, t->text->text + 1))) {
			if (!expand_macro(pp, macro, t))
				return;
		} else {
			name_operator(pp, t);
			return;
		}
	}
}

bool macros_read(struct macros *m, struct arena *a, struct diag *d, const struct syntax_env *env,
		 const struct source *source)
{
	const struct gates gates = gates_of(d, env, source, true);
	struct preprocessor pp = { .arena = a, .diag = d, .env = env, .gates = &gates, .own = m };
	unsigned before = diag_errors(d);
	struct token t;

	pp.lexer = lexer_new(a, env, &gates, source);
	preprocess_next(&pp, &t);
	if (t.kind != END && (t.kind != BAD || t.error))
		diag_error(d, t.span, t.kind == BAD ? t.tag : TAG_MACRO, "%s",
			   t.kind == BAD ? t.error : "unexpected token in library macro file");
	lexer_free(pp.lexer);
	if (diag_errors(d) == before)
		return true;
	diag_warning(d, NO_SPAN, TAG_MACRO_FILE, "macro tapset \"%s\" has errors, and will be skipped.",
		     source->name);
	return false;
}
