/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the tree's nodes for the grammar, and refuses what the grammar alone cannot.
 *
 * Some nodes are right only under certain parents: a histogram in print(), a * index in delete, a
 * return in a function.  They are claimed when made, settled by the parent that may hold them, and
 * what is left at the end of an item is told.  Start reading at expr_make().
 */
#include <string.h>

#include "syntax/parser.h"
#include "syntax/parse.h"

#define PRINT_ARGS_MAX 32

struct claim {
	struct claim *next;
	enum { CLAIM_HIST, CLAIM_WILDCARD, CLAIM_RETURN } kind;
	const void *node;
	struct span span;
};

static void claim(struct parser *p, int kind, const void *node, struct span at)
{
	struct claim *c = ARENA_NEW(p->arena, struct claim);

	*c = (struct claim){ p->claims, kind, node, at };
	p->claims = c;
}

static void settle(struct parser *p, const void *node)
{
	/* What settles is made right after, so the claim is found near the front. */
	for (struct claim **c = &p->claims; *c; c = &(*c)->next)
		if ((*c)->node == node) {
			*c = (*c)->next;
			return;
		}
}

void claims_settle(struct parser *p, bool in_function)
{
	static const struct { enum diag_tag tag; const char *text; } unsettled[] = {
		[CLAIM_HIST]	 = { TAG_HISTOGRAM, "base histogram operator where expression expected" },
		[CLAIM_WILDCARD] = { TAG_WILDCARD, "wildcard not allowed in array index" },
		[CLAIM_RETURN]	 = { TAG_RETURN, "found 'return' not in function context" },
	};
	struct claim *c, *next, *forward = NULL;

	for (c = p->claims; c; c = next) {	/* back into source order */
		next = c->next;
		c->next = forward;
		forward = c;
	}
	for (c = forward; c; c = c->next)
		if (c->kind != CLAIM_RETURN || !in_function)
			diag_error(p->diag, c->span, unsettled[c->kind].tag, "%s", unsettled[c->kind].text);
	p->claims = NULL;
}

void check_guru(struct parser *p, struct span at, const char *what)
{
	if (!p->env->guru && !p->is_library)
		diag_error(p->diag, at, TAG_GURU, "%s in unprivileged script; need stap -g", what);
}

/* Depth of trees */

struct depth { unsigned most; };

static void deepest_expr(struct expr **e, void *data)
{
	struct depth *d = data;

	if ((*e)->depth > d->most)
		d->most = (*e)->depth;
}

static void deepest_stmt(struct stmt **s, void *data)
{
	struct depth *d = data;

	if ((*s)->depth > d->most)
		d->most = (*s)->depth;
}

static bool too_deep(struct parser *p, struct span at, unsigned depth)
{
	if (depth <= DEPTH_MAX)
		return false;
	if (!p->too_deep_told)
		diag_error(p->diag, at, TAG_NESTING, "nested too deeply (more than %d levels)", DEPTH_MAX);
	p->too_deep_told = true;
	return true;
}

struct expr *expr_make(struct parser *p, enum expr_kind kind, struct span at)
{
	struct expr *e = ARENA_NEW(p->arena, struct expr);

	e->kind = kind;
	e->span = at;
	e->depth = 1;
	return e;
}

struct expr *expr_done(struct parser *p, struct expr *e)
{
	struct depth d = { 0 };

	expr_children(e, deepest_expr, &d);
	e->depth = d.most + 1;
	return too_deep(p, e->span, e->depth) ? expr_make(p, EXPR_ERROR, e->span) : e;
}

struct stmt *stmt_make(struct parser *p, enum stmt_kind kind, struct span at)
{
	struct stmt *s = ARENA_NEW(p->arena, struct stmt);

	s->kind = kind;
	s->span = at;
	s->depth = 1;
	return s;
}

struct stmt *stmt_done(struct parser *p, struct stmt *s)
{
	struct depth d = { 0 };

	stmt_children(s, deepest_expr, deepest_stmt, &d);
	s->depth = d.most + 1;
	return too_deep(p, s->span, s->depth) ? stmt_make(p, STMT_NULL, s->span) : s;
}

/* Expressions */

struct exprs exprs_add(struct parser *p, struct exprs list, struct expr *e)
{
	struct expr_list *item = ARENA_NEW(p->arena, struct expr_list);

	item->e = e;
	if (list.last)
		list.last->next = item;
	else
		list.first = item;
	list.last = item;
	list.n++;
	return list;
}

static bool has_wildcard(struct exprs list)
{
	for (struct expr_list *k = list.first; k; k = k->next)
		if (!k->e)
			return true;
	return false;
}

struct expr *make_num(struct parser *p, struct span at, int64_t num)
{
	struct expr *e = expr_make(p, EXPR_NUM, at);

	e->u.num = num;
	return e;
}

struct expr *make_str(struct parser *p, struct span at, struct str *str)
{
	struct expr *e = expr_make(p, EXPR_STR, at);

	e->u.str = str;
	return e;
}

struct expr *make_var(struct parser *p, struct span at, struct str *name)
{
	struct expr *e = expr_make(p, EXPR_VAR, at);

	e->u.var.name = name;
	return e;
}

struct expr *make_unary(struct parser *p, struct span at, enum op op, struct expr *operand)
{
	struct expr *e = expr_make(p, EXPR_UNARY, at);

	e->u.un.op = op;
	e->u.un.e = operand;
	return expr_done(p, e);
}

struct expr *make_binary(struct parser *p, struct span at, enum op op, struct expr *l, struct expr *r)
{
	struct expr *e = expr_make(p, EXPR_BINARY, at);

	e->u.bin.op = op;
	e->u.bin.l = l;
	e->u.bin.r = r;
	return expr_done(p, e);
}

/* Up to version 3.3 the last arm of a ternary went as far as it could: a ? b : c = d set c. */
static struct expr *assign_last_arm(struct parser *p, struct span at, enum op op, enum op compound, struct expr *l,
				    struct expr *r)
{
	struct expr *arm = l->u.tern.no;

	l->u.tern.no = make_assign(p, (struct span){ at.source, arm->span.off, at.off + at.len - arm->span.off, NULL }, op,
				   compound, arm, r);
	l->span = at;
	return expr_done(p, l);
}

struct expr *make_assign(struct parser *p, struct span at, enum op op, enum op compound, struct expr *l,
			 struct expr *r)
{
	struct expr *e = expr_make(p, EXPR_ASSIGN, at);

	if (l->kind == EXPR_TERNARY && !l->parens && !gate(&p->gates, l->span, "3.4", "the end of a ternary"))
		return assign_last_arm(p, at, op, compound, l, r);
	e->u.assign.op = op;
	e->u.assign.compound = compound;
	e->u.assign.l = l;
	e->u.assign.r = r;
	return expr_done(p, e);
}

struct expr *make_incdec(struct parser *p, struct span at, enum op op, bool postfix, struct expr *operand)
{
	struct expr *e = expr_make(p, EXPR_INCDEC, at);

	e->u.incdec.op = op;
	e->u.incdec.postfix = postfix;
	e->u.incdec.e = operand;
	return expr_done(p, e);
}

struct expr *make_index(struct parser *p, struct span at, struct str *name, struct exprs keys)
{
	struct expr *e = expr_make(p, EXPR_INDEX, at);

	e->u.index.name = name;
	e->u.index.keys = keys.first;
	if (has_wildcard(keys))
		claim(p, CLAIM_WILDCARD, e, at);
	return expr_done(p, e);
}

struct expr *make_in(struct parser *p, struct span at, struct exprs keys, struct loop_base base)
{
	struct expr *e = expr_make(p, EXPR_IN, at);

	e->u.in.keys = keys.first;
	e->u.in.array = base.array;
	e->u.in.hist = base.hist;
	return expr_done(p, e);
}

struct expr *make_regex(struct parser *p, struct span at, bool negate, struct expr *subject,
			const struct token *re)
{
	struct expr *e = expr_make(p, EXPR_REGEX, at);

	e->u.regex.negate = negate;
	e->u.regex.subject = subject;
	e->u.regex.re = re->text;
	e->u.regex.re_span = re->span;
	return expr_done(p, e);
}

struct expr *make_embedded(struct parser *p, const struct token *code)
{
	struct expr *e = expr_make(p, EXPR_EMBEDDED, code->span);

	e->u.embedded.code = code->text;
	e->u.embedded.is_string = strstr(code->text->text, "/* string */") != NULL;
	check_guru(p, code->span, "embedded expression code");
	return e;
}

/* Target variables and access paths */

/* How many $ end the word, 0 to 2, and what is left of it. */
static int split_suffix(struct parser *p, struct str **word)
{
	size_t lead = strspn((*word)->text, "$"), len = (*word)->len;
	int depth = 0;

	while (depth < 2 && len > lead && (*word)->text[len - 1] == '$') {
		depth++;
		len--;
	}
	*word = str_intern_n(p->arena, (*word)->text, len);
	return depth;
}

static void path_add(struct parser *p, struct expr *e, struct access step)
{
	struct access *s = ARENA_NEW(p->arena, struct access), **end = &e->u.target.path;

	/* Paths grow at the end, usually the same one again and again. */
	if (p->path_owner == e)
		end = &p->path_last->next;
	while (*end)
		end = &(*end)->next;
	*s = step;
	*end = s;
	p->path_owner = e;
	p->path_last = s;
}

/* The target expression that a path step goes onto: @e itself, or an autocast of it. */
static struct expr *path_base(struct parser *p, struct span at, struct expr *e)
{
	struct expr *cast;

	if (e->kind == EXPR_ERROR)
		return e;
	if (e->kind == EXPR_TARGET && !e->u.target.address) {
		if (p->path_owner == e && p->path_last->kind == ACC_PRETTY)
			diag_error(p->diag, at, TAG_PRETTY,
				   "-> and [ are not accepted for a pretty-printing variable");
		e->span = at;
		return e;
	}
	if (!gate(&p->gates, at, "2.6", "a member of a value without @cast"))
		diag_error(p->diag, at, TAG_SYNTAX, "a member of a value without @cast is not part of version %s",
			   p->gates.version);
	cast = expr_make(p, EXPR_TARGET, at);
	cast->u.target.base = TB_AUTOCAST;
	cast->u.target.operand = e;
	return expr_done(p, cast);
}

static void add_suffix(struct parser *p, struct expr *e, struct span at, int depth)
{
	if (depth)
		path_add(p, e, (struct access){ .kind = ACC_PRETTY, .span = at, .depth = depth });
}

struct expr *make_target(struct parser *p, const struct token *name)
{
	struct expr *e = expr_make(p, EXPR_TARGET, name->span);
	struct str *word = name->text;
	int depth = split_suffix(p, &word);

	e->u.target.base = TB_NAME;
	e->u.target.name = word;
	add_suffix(p, e, name->span, depth);
	return e;
}

/* &(a ? $x : $y): what the address is of is seen only once types are known, so it is an autocast. */
struct expr *make_address(struct parser *p, struct span at, struct expr *e)
{
	struct expr *cast;

	if (e->kind == EXPR_ERROR)
		return e;
	if (e->kind == EXPR_TARGET && !e->u.target.address) {
		e->u.target.address = true;
		e->span = at;
		return e;
	}
	cast = expr_make(p, EXPR_TARGET, at);
	cast->u.target.base = TB_AUTOCAST;
	cast->u.target.address = true;
	cast->u.target.operand = e;
	return expr_done(p, cast);
}

struct expr *add_member(struct parser *p, struct span at, struct expr *e, const struct token *name)
{
	struct str *word = name->text;
	int depth = split_suffix(p, &word);

	e = path_base(p, at, e);
	if (e->kind == EXPR_ERROR)
		return e;
	path_add(p, e, (struct access){ .kind = ACC_MEMBER, .span = name->span, .name = word });
	add_suffix(p, e, name->span, depth);
	return e;
}

static struct expr *make_bucket(struct parser *p, struct span at, struct expr *hist, struct exprs keys)
{
	struct expr *e = expr_make(p, EXPR_HISTINDEX, at);

	e->u.histindex.hist = take_hist(p, hist);
	e->u.histindex.bucket = keys.first->e;
	return expr_done(p, e);
}

struct expr *add_index(struct parser *p, struct span at, struct expr *e, struct exprs keys)
{
	if (keys.n != 1 || has_wildcard(keys)) {
		diag_error(p->diag, at, TAG_WILDCARD, "expected one index here, not a list or '*'");
		return expr_make(p, EXPR_ERROR, at);
	}
	if (e->kind == EXPR_HIST)
		return make_bucket(p, at, e, keys);
	e = path_base(p, at, e);
	if (e->kind == EXPR_ERROR)
		return e;
	path_add(p, e, (struct access){ .kind = ACC_INDEX, .span = at, .index = keys.first->e });
	if (e->depth <= keys.first->e->depth)
		e->depth = keys.first->e->depth + 1;
	return too_deep(p, at, e->depth) ? expr_make(p, EXPR_ERROR, at) : e;
}

struct expr *add_pretty(struct parser *p, struct span at, struct expr *e, const struct token *suffix)
{
	e = path_base(p, at, e);
	if (e->kind != EXPR_ERROR)
		add_suffix(p, e, suffix->span, (int)suffix->text->len);
	return e;
}

/* Aggregates */

static bool is_stat(struct parser *p, const struct expr *e)
{
	if (e->kind == EXPR_VAR || e->kind == EXPR_INDEX || e->kind == EXPR_ERROR)
		return true;
	diag_error(p->diag, e->span, TAG_AGGREGATE, "expected an aggregate: a global or an array element");
	return false;
}

struct expr *make_extract(struct parser *p, struct span at, enum extractor what, struct expr *stat,
			  struct expr *shift)
{
	struct expr *e = expr_make(p, is_stat(p, stat) ? EXPR_EXTRACT : EXPR_ERROR, at);

	if (e->kind == EXPR_ERROR)
		return e;
	if (shift && (shift->u.num < 0 || shift->u.num > 62))
		diag_error(p->diag, shift->span, TAG_AGGREGATE, "bit shift (%lld) out of range <0..62>",
			   (long long)shift->u.num);
	e->u.extract.what = what;
	e->u.extract.stat = stat;
	e->u.extract.shift = shift;
	return expr_done(p, e);
}

struct expr *make_hist(struct parser *p, struct span at, struct expr *stat, bool linear, const int64_t shape[3])
{
	struct expr *e = expr_make(p, EXPR_HIST, at), *done;
	struct hist *h = ARENA_NEW(p->arena, struct hist);

	is_stat(p, stat);
	h->stat = stat;
	h->linear = linear;
	if (linear) {
		h->low = shape[0];
		h->high = shape[1];
		h->width = shape[2];
	}
	e->u.hist = h;
	done = expr_done(p, e);
	/* Too deep: the grammar still wants a histogram here, without what is in it. */
	if (done->kind == EXPR_ERROR) {
		h->stat = done;
		e->depth = 2;
	}
	claim(p, CLAIM_HIST, e, at);
	return e;
}

struct hist *take_hist(struct parser *p, struct expr *e)
{
	settle(p, e);
	return e->u.hist;
}

/* Prints */

static void check_count(struct parser *p, struct span at, const struct print_word *word, struct exprs args)
{
	bool delimited = word->form == PRINT_D || word->form == PRINT_DLN;

	if (args.n > PRINT_ARGS_MAX)
		diag_error(p->diag, at, TAG_PRINT, "too many arguments to print (%u)", args.n);
	if (delimited && args.n < 2)
		diag_error(p->diag, at, TAG_PRINT, "%s needs two values or more: expected literal string or number "
			   "or other expression", word->name);
}

struct expr *make_print(struct parser *p, struct span at, const struct token *word, const struct token *text,
			struct exprs args)
{
	const struct print_word *w = &print_words[word->num];
	struct expr *e = expr_make(p, EXPR_PRINT, at);

	check_count(p, at, w, args);
	if ((w->form == PRINT_PLAIN || w->form == PRINT_LN) && args.n == 1 && args.first->e->kind == EXPR_HIST)
		settle(p, args.first->e);
	e->u.print.form = w->form;
	e->u.print.to_string = w->to_string;
	e->u.print.text = text ? text->text : NULL;
	e->u.print.args = args.first;
	if (w->form == PRINT_F && !format_parse(p, text->span, text->text, &e->u.print.parts))
		return expr_make(p, EXPR_ERROR, at);
	return expr_done(p, e);
}

/* Statements */

struct stmts stmts_add(struct stmts list, struct stmt *s)
{
	if (list.last)
		list.last->next = s;
	else
		list.first = s;
	list.last = s;
	return list;
}

struct stmt *make_return(struct parser *p, struct span at, struct expr *e)
{
	struct stmt *s = stmt_make(p, STMT_RETURN, at);

	if (!e && !gate(&p->gates, at, "4.0", "'return' without a value"))
		diag_error(p->diag, at, TAG_RETURN, "'return' without a value is not part of version %s", p->gates.version);
	s->u.expr = e;
	claim(p, CLAIM_RETURN, s, at);
	return stmt_done(p, s);
}

struct stmt *make_delete(struct parser *p, struct span at, struct expr *e)
{
	struct stmt *s = stmt_make(p, STMT_DELETE, at);

	settle(p, e);
	s->u.expr = e;
	return stmt_done(p, s);
}

/* The one sort directive, on value variable, a key or the array; and a histogram's one key. */
static void check_keys(struct parser *p, struct foreach_key *value, struct keys keys,
			     const struct loop_base *base)
{
	unsigned n = (base->direction != 0) + (value && value->direction);
	struct span at = base->span;

	for (struct foreach_key *k = keys.first; k; k = k->next)
		n += k->direction != 0;
	if (n > 1)
		diag_error(p->diag, at, TAG_SORT, "multiple sort directives");
	else if (n && base->hist)
		diag_error(p->diag, at, TAG_SORT, "histogram buckets come in order, without a sort directive");
	if (base->hist && keys.first->next)
		diag_error(p->diag, keys.first->next->var->span, TAG_HISTOGRAM,
			   "histogram buckets have one key, their number");
}

struct stmt *make_foreach(struct parser *p, struct span at, struct foreach_key *value, struct keys keys,
			  struct loop_base base, struct expr *limit)
{
	struct stmt *s = stmt_make(p, STMT_FOREACH, at);

	check_keys(p, value, keys, &base);
	s->u.foreach.keys = keys.first;
	s->u.foreach.value = value ? value->var : NULL;
	s->u.foreach.array = base.array;
	s->u.foreach.hist = base.hist;
	s->u.foreach.slice = base.slice;
	s->u.foreach.direction = value && value->direction ? value->direction : base.direction;
	s->u.foreach.sorted_by_value = s->u.foreach.direction != 0;
	s->u.foreach.has_extract = base.has_extract;
	s->u.foreach.extract = base.extract;
	s->u.foreach.limit = limit;
	return s;
}

/* Items */

void add_embedded(struct parser *p, const struct token *code)
{
	struct embedded *e = ARENA_NEW(p->arena, struct embedded);

	check_guru(p, code->span, "embedded code");
	e->span = code->span;
	e->code = code->text;
	*p->embedded_end = e;
	p->embedded_end = &e->next;
}

void add_global(struct parser *p, struct global *g)
{
	g->is_private = p->private_globals;
	g->script = p->script;
	for (struct global *other = p->script->globals; other; other = other->next)
		if (other->name == g->name) {
			diag_error(p->diag, g->span, TAG_GLOBAL, other->is_private != g->is_private ?
				   "global versus private variable declaration conflict: '%s'" : "duplicate global name '%s'",
				   g->name->text);
			diag_note(p->diag, other->span, "first declared here");
			break;
		}
	*p->globals_end = g;
	p->globals_end = &g->next;
}

void add_function(struct parser *p, struct function *f)
{
	claims_settle(p, true);
	f->script = p->script;
	*p->functions_end = f;
	p->functions_end = &f->next;
}

struct params params_add(struct parser *p, struct params list, const struct token *name, enum value_type type)
{
	struct param *param = ARENA_NEW(p->arena, struct param);

	for (struct param *q = list.first; q; q = q->next)
		if (q->name == name->text)
			diag_error(p->diag, name->span, TAG_PARAMETER, "duplicate parameter names");
	param->name = name->text;
	param->span = name->span;
	param->type = type;
	if (list.last)
		list.last->next = param;
	else
		list.first = param;
	list.last = param;
	list.n++;
	return list;
}
