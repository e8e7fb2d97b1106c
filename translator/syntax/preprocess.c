/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditionals (spec/language.md 2.1): %( LEFT OP RIGHT %? tokens %: tokens %).
 *
 * The branch taken flows on to the parser token by token; the other is read raw and dropped, so its
 * bad tokens stay unmentioned.  Start reading at preprocess_next().
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/parser.h"
#include "syntax/parse.h"

/* A condition may hold conditionals (through macros), within reason. */
#define COND_DEPTH_MAX 50

struct cond {				/* an open %( whose branch is being read */
	struct cond *outer;
	struct span span;
	bool in_else;
};

static void fail(struct preprocessor *pp, struct span at, const char *text)
{
	diag_error(pp->diag, at, TAG_CONDITION, "%s", text);
}

static bool is_open_in(const struct cond *c, const struct cond *one)
{
	while (c && c != one)
		c = c->outer;
	return c == one;
}

void conds_unwind(struct preprocessor *pp, struct cond *outer)
{
	/* What was open before the frame may have been closed inside it, and another one opened in its place. */
	for (; pp->cond && !is_open_in(outer, pp->cond); pp->cond = pp->cond->outer)
		fail(pp, pp->cond->span, "incomplete conditional at end of macro");
}

/* What a simple condition compares. */
enum left_kind { LEFT_VERSION, LEFT_PATTERN, LEFT_EXACT, LEFT_GURU, LEFT_CONFIG, LEFT_STRING, LEFT_NUMBER };

static const char *release_base(struct arena *a, const char *release)
{
	return arena_strndup(a, release, strcspn(release, "-"));
}

/* The words a condition may start with, and what they stand for. */
static bool left_word(struct preprocessor *pp, const char *name, enum left_kind *kind, const char **value)
{
	const struct syntax_env *e = pp->env;
	const struct { const char *name; enum left_kind kind; const char *value; } words[] = {
		{ "kernel_v",		LEFT_VERSION,	e->kernel_vr },
		{ "kernel_vr",		LEFT_VERSION,	e->kernel_vr },
		{ "systemtap_v",	LEFT_VERSION,	e->version },
		{ "arch",		LEFT_PATTERN,	e->arch },
		{ "runtime",		LEFT_PATTERN,	e->runtime },
		{ "systemtap_privilege", LEFT_EXACT,	e->privilege },
		{ "guru_mode",		LEFT_GURU,	NULL },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].name, name)) {
			*kind = words[i].kind;
			*value = words[i].value ? words[i].value : "";
			if (i == 0)
				*value = release_base(pp->arena, *value);
			return true;
		}
	if (strncmp(name, "CONFIG_", 7))
		return false;
	*kind = LEFT_CONFIG;
	*value = e->config ? e->config(name) : NULL;
	return true;
}

static bool order_holds(enum op op, int order)
{
	switch (op) {
	case OP_EQ: return order == 0;
	case OP_NE: return order != 0;
	case OP_LT: return order < 0;
	case OP_LE: return order <= 0;
	case OP_GT: return order > 0;
	default:    return order >= 0;
	}
}

static bool is_equality(enum op op)
{
	return op == OP_EQ || op == OP_NE;
}

static int compare_num(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

struct comparison {
	struct preprocessor *pp;
	enum left_kind kind;
	const char *left;		/* CONFIG: NULL where unset */
	struct token l, op, r;
};

static bool need_equality(struct comparison *c)
{
	if (is_equality((enum op)c->op.num))
		return true;
	fail(c->pp, c->op.span, "expected '==' or '!='");
	return false;
}

static bool need_right(struct comparison *c, int kind)
{
	if (c->r.kind == kind)
		return true;
	fail(c->pp, c->r.span, kind == STRING ? "expected string literal as right value" :
	     "expected number literal as right value");
	return false;
}

static bool compare_pattern(struct comparison *c, const char *left)
{
	bool same = !fnmatch(c->r.text->text, left, FNM_NOESCAPE);

	return need_equality(c) && same == (c->op.num == OP_EQ);
}

static bool compare_version(struct comparison *c)
{
	if (!need_right(c, STRING))
		return false;
	if (!strpbrk(c->r.text->text, "*?["))
		return order_holds((enum op)c->op.num, strverscmp(c->left, c->r.text->text));
	if (is_equality((enum op)c->op.num))
		return compare_pattern(c, c->left);
	fail(c->pp, c->op.span, "wildcard not allowed with order comparison operators");
	return false;
}

/* A configuration value as a number; unset counts as 0. */
static bool config_number(const char *text, int64_t *num)
{
	char *end;

	*num = 0;
	if (!text)
		return true;
	errno = 0;
	*num = strtoll(text, &end, 0);
	return *text && !*end && !errno;
}

static bool compare_config(struct comparison *c)
{
	const char *other;
	enum left_kind kind;
	int64_t a, b;

	if (c->r.kind == STRING)
		return compare_pattern(c, c->left ? c->left : "");
	if (c->r.kind == NUMBER) {
		if (config_number(c->left, &a))
			return order_holds((enum op)c->op.num, compare_num(a, c->r.num));
		fail(c->pp, c->l.span, "Config option value not a number");
		return false;
	}
	if (c->r.kind != IDENT || !left_word(c->pp, c->r.text->text, &kind, &other) || kind != LEFT_CONFIG) {
		fail(c->pp, c->r.span, "expected string, number literal or other CONFIG_... as right value");
		return false;
	}
	if (config_number(c->left, &a) && config_number(other, &b))
		return order_holds((enum op)c->op.num, compare_num(a, b));
	return order_holds((enum op)c->op.num, strcmp(c->left ? c->left : "", other ? other : ""));
}

static bool compare_exact(struct comparison *c)
{
	return need_equality(c) && need_right(c, STRING) &&
	       order_holds((enum op)c->op.num, strcmp(c->left, c->r.text->text));
}

static bool compare(struct comparison *c)
{
	enum op op = (enum op)c->op.num;

	switch (c->kind) {
	case LEFT_VERSION:
		return compare_version(c);
	case LEFT_PATTERN:
		return need_equality(c) && need_right(c, STRING) && compare_pattern(c, c->left);
	case LEFT_EXACT:
		return compare_exact(c);
	case LEFT_GURU:
		return need_equality(c) && need_right(c, NUMBER) &&
		       order_holds(op, compare_num(c->pp->env->guru, c->r.num));
	case LEFT_CONFIG:
		return compare_config(c);
	case LEFT_STRING:
		return need_right(c, STRING) && order_holds(op, strcmp(c->l.text->text, c->r.text->text));
	case LEFT_NUMBER:
		return need_right(c, NUMBER) && order_holds(op, compare_num(c->l.num, c->r.num));
	}
	return false;
}

static bool is_cond_end(int kind)
{
	return kind == END || kind == PP_THEN || kind == PP_ELSE || kind == PP_CLOSE;
}

static void open_conditional(struct preprocessor *pp, const struct token *open);
static bool inner_conditional(struct preprocessor *pp, const struct token *t, const struct cond *outer);

/* One token of a condition: macros expanded, conditionals that a macro brought along resolved. */
static void cond_token(struct preprocessor *pp, struct token *t, const struct cond *outer)
{
	do
		macro_next(pp, t);
	while (inner_conditional(pp, t, outer));
}

/* Knows what the left side is; false: told. */
static bool classify(struct comparison *c)
{
	static const char known[] = "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v', 'runtime', "
		"'systemtap_privilege', 'guru_mode', 'CONFIG_...', or comparison between strings or integers";
	bool literal = c->l.kind == STRING || c->l.kind == NUMBER;

	if (literal)
		c->kind = c->l.kind == STRING ? LEFT_STRING : LEFT_NUMBER;
	else if (!c->l.text || !left_word(c->pp, c->l.text->text, &c->kind, &c->left)) {
		fail(c->pp, c->l.span, known);
		return false;
	}
	if (c->kind == LEFT_VERSION && c->pp->gates->check && !strcmp(c->l.text->text, "systemtap_v"))
		diag_warning(c->pp->diag, c->l.span, TAG_VERSION, "what follows depends on the version of the language");
	if (c->op.kind == COMPARE)
		return true;
	if (literal && is_cond_end(c->op.kind))		/* a lone literal: more likely an unknown word was meant */
		fail(c->pp, c->l.span, known);
	else
		fail(c->pp, c->op.span, "expected comparison operator");
	return false;
}

/* LEFT OP RIGHT; the token behind goes to @next.  *ok becomes false where something was told. */
static bool simple_condition(struct preprocessor *pp, const struct token *open, const struct cond *outer,
			     struct token *next, bool *ok)
{
	struct comparison c = { .pp = pp };
	struct token *parts[] = { &c.l, &c.op, &c.r, next };
	unsigned before = diag_errors(pp->diag);
	bool result = false;

	for (unsigned i = 0; i < 4; i++) {
		cond_token(pp, parts[i], outer);
		if (parts[i]->error)
			diag_error(pp->diag, parts[i]->span, parts[i]->tag, "%s", parts[i]->error);
		if (is_cond_end(parts[i]->kind)) {
			*next = *parts[i];
			break;
		}
	}
	if (c.r.kind == 0 || is_cond_end(c.r.kind)) {
		if (c.op.kind == COMPARE || is_cond_end(c.l.kind))
			fail(pp, next->kind == END ? open->span : next->span, "incomplete condition after '%('");
		else
			classify(&c);
	} else if (c.l.kind != BAD && c.op.kind != BAD && c.r.kind != BAD && classify(&c)) {
		result = compare(&c);
	}
	if (diag_errors(pp->diag) != before || c.l.kind == BAD || c.op.kind == BAD || c.r.kind == BAD)
		*ok = false;
	return result;
}

/* The whole condition up to its %?.  && binds tighter than ||.  *ended: the text ended first, which is told. */
static bool condition(struct preprocessor *pp, const struct token *open, bool *ended)
{
	const struct cond *outer = pp->cond;
	bool any = false, all = true, ok = true;
	struct token next = { 0 };

	do {
		next.kind = 0;
		all = simple_condition(pp, open, outer, &next, &ok) && all;
		if (next.kind == LOR) {
			any = any || all;
			all = true;
		}
	} while (ok && (next.kind == LAND || next.kind == LOR));
	if (ok && next.kind != PP_THEN)
		fail(pp, next.span, "expected '%?' marker for conditional");
	/* After a mistake: on to where the branches begin or end. */
	while (next.kind != PP_THEN && next.kind != END && next.kind != PP_CLOSE)
		cond_token(pp, &next, outer);
	*ended = next.kind == END;
	if (*ended && ok)
		fail(pp, open->span, "incomplete conditional at end of file");
	if (next.kind != PP_THEN)
		raw_unread(pp, &next);
	return ok && (any || all);
}

/* Drops a branch.  True where it ended at its %: with the else branch to follow. */
static bool skip_branch(struct preprocessor *pp, const struct cond *c, bool stop_at_else)
{
	unsigned depth = 0;
	struct token t;

	for (;;) {
		if (frame_exhausted(pp)) {
			fail(pp, c->span, "incomplete conditional at end of macro");
			return false;
		}
		raw_next(pp, &t);
		if (t.kind == END) {
			fail(pp, c->span, "incomplete conditional at end of file");
			raw_unread(pp, &t);
			return false;
		}
		if (t.kind == PP_OPEN)
			depth++;
		else if (t.kind == PP_CLOSE && depth-- == 0)
			return false;
		else if (t.kind == PP_ELSE && !depth && stop_at_else)
			return true;
		else if (t.kind == PP_ELSE && !depth)
			fail(pp, t.span, "invalid conditional - duplicate '%:'");
	}
}

/* After %(: evaluates, and leaves reading at the start of the branch taken, or behind it all. */
static void open_conditional(struct preprocessor *pp, const struct token *open)
{
	struct cond *c = ARENA_NEW(pp->arena, struct cond);
	bool holds, ended;

	pp->cond_depth++;
	holds = condition(pp, open, &ended);
	pp->cond_depth--;
	if (ended)
		return;
	c->span = open->span;
	c->outer = pp->cond;
	if (!holds) {
		if (!skip_branch(pp, c, true))
			return;
		c->in_else = true;
	}
	pp->cond = c;
}

/* %: or %) that ends the branch being read. */
static void end_branch(struct preprocessor *pp, const struct token *t)
{
	struct cond *c = pp->cond;

	if (!c) {
		fail(pp, t->span, "incomplete conditional - missing '%('");
		return;
	}
	if (t->kind == PP_ELSE) {
		if (c->in_else)
			fail(pp, t->span, "invalid conditional - duplicate '%:'");
		skip_branch(pp, c, false);
	}
	pp->cond = c->outer;
}

/* True: @t opened, parted or closed a conditional above @outer, and is dealt with. */
static bool inner_conditional(struct preprocessor *pp, const struct token *t, const struct cond *outer)
{
	if (t->kind == PP_OPEN) {
		if (pp->cond_depth >= COND_DEPTH_MAX) {
			fail(pp, t->span, "conditionals nested too deeply");
			return false;
		}
		open_conditional(pp, t);
		return true;
	}
	if ((t->kind != PP_ELSE && t->kind != PP_CLOSE) || pp->cond == outer)
		return false;
	end_branch(pp, t);
	return true;
}

void preprocess_next(struct preprocessor *pp, struct token *t)
{
	for (;;) {
		macro_next(pp, t);
		switch (t->kind) {
		case PP_OPEN:
			open_conditional(pp, t);
			break;
		case PP_THEN:
			fail(pp, t->span, "incomplete conditional - missing '%('");
			break;
		case PP_ELSE:
		case PP_CLOSE:
			end_branch(pp, t);
			break;
		case END:
			for (; pp->cond; pp->cond = pp->cond->outer)
				fail(pp, pp->cond->span, "incomplete conditional at end of file");
			return;
		default:
			return;
		}
	}
}
