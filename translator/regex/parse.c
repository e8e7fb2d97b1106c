/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to a tree: extended regular expressions of POSIX (XBD 9.4), with (?:), escapes and short class names.
 *
 * A `)' that closes nothing stands for itself, as in regcomp(); an empty alternative matches the empty string.  Start
 * reading at parse_alternation().
 */
#include "regex/inner.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 250, MOST_IN_A_ROW = 10 };

struct parser {
	struct arena *a;
	const char *text;
	size_t n, at;
	unsigned ngroups, depth;
	struct regex_fault *fault;
};

static struct node *parse_alternation(struct parser *p);

static struct node *node_make(struct parser *p, enum node_kind kind)
{
	struct node *node = ARENA_NEW(p->a, struct node);

	node->kind = kind;
	return node;
}

/* The first fault stays. */
static struct node *fault(struct parser *p, size_t position, const char *text)
{
	if (!p->fault->text) {
		p->fault->position = position;
		p->fault->text = text;
	}
	return NULL;
}

static size_t last_position(const struct parser *p)
{
	return p->n ? p->n - 1 : 0;
}

static bool at_end(const struct parser *p)
{
	return p->at == p->n;
}

static bool next_is(const struct parser *p, const char *word)
{
	size_t n = strlen(word);

	return p->n - p->at >= n && !memcmp(p->text + p->at, word, n);
}

/* ---- escapes ---- */

/* @n digits of @base at @at, no more and no less; -1: there are not so many, or their value is no byte. */
static int digits(const struct parser *p, size_t at, size_t n, int base)
{
	char number[4] = "";
	char *end;
	long v;

	if (at + n > p->n)
		return -1;
	memcpy(number, p->text + at, n);
	if (strspn(number, base == 8 ? "01234567" : "0123456789abcdefABCDEF") != n)
		return -1;
	v = strtol(number, &end, base);
	return v < 256 ? (int)v : -1;
}

/* The byte that the escape behind a backslash stands for. */
static unsigned char escaped(struct parser *p)
{
	static const char names[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
	char c = p->text[p->at++];
	const char *name = strchr(names, c);
	int v;

	if (c && name)
		return bytes[name - names];
	if (c == 'x' && (v = digits(p, p->at, 2, 16)) >= 0) {
		p->at += 2;
		return v;
	}
	if ((v = digits(p, p->at - 1, 3, 8)) >= 0) {
		p->at += 2;
		return v;
	}
	return c;
}

/* ---- brackets ---- */

/* Classes by name, as ranges of ASCII in pairs of their ends. */
static const struct { const char *name, *ranges; } classes[] = {
	{ "alpha", "AZaz" }, { "alnum", "09AZaz" }, { "blank", "  \t\t" }, { "cntrl", "\001\037\177\177" },
	{ "digit", "09" }, { "d", "09" }, { "graph", "!~" }, { "lower", "az" }, { "l", "az" }, { "print", " ~" },
	{ "punct", "!/:@[`{~" }, { "space", "\t\r  " }, { "s", "\t\r  " }, { "upper", "AZ" }, { "u", "AZ" },
	{ "xdigit", "09AFaf" },
};

static void add_range(struct byte_set *s, unsigned char from, unsigned char to)
{
	for (unsigned b = from; b <= to; b++)
		set_add(s, b);
}

static bool add_class(struct byte_set *s, const char *name)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strcmp(classes[i].name, name))
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2)
			add_range(s, r[0], r[1]);
		if (!strcmp(name, "cntrl"))
			set_add(s, 0);
		return true;
	}
	return false;
}

/* "[:alpha:]"; the parser stands on its first byte. */
static bool parse_class(struct parser *p, struct byte_set *s)
{
	size_t start = p->at + 2, end = start;
	const char *name;

	while (end + 1 < p->n && memcmp(p->text + end, ":]", 2))
		end++;
	if (end + 1 >= p->n) {
		fault(p, p->n, arena_printf(p->a, "unclosed character class '%.*s'", (int)(p->n - p->at), p->text + p->at));
		return false;
	}
	name = arena_strndup(p->a, p->text + start, end - start);
	p->at = end + 2;
	if (add_class(s, name))
		return true;
	fault(p, start, arena_printf(p->a, "unknown character class '%s'", name));
	return false;
}

static unsigned char bracket_byte(struct parser *p)
{
	unsigned char c = p->text[p->at++];

	return c == '\\' && !at_end(p) ? escaped(p) : c;
}

/* One byte, or "a-z"; a `-' before the closing bracket stands for itself. */
static bool parse_range(struct parser *p, struct byte_set *s)
{
	size_t start = p->at;
	unsigned char from = bracket_byte(p), to = from;

	if (next_is(p, "-") && p->at + 1 < p->n && p->text[p->at + 1] != ']') {
		p->at++;
		to = bracket_byte(p);
	}
	if (from > to) {
		fault(p, p->at, arena_printf(p->a, "Inverted character range %.*s", (int)(p->at - start), p->text + start));
		return false;
	}
	add_range(s, from, to);
	return true;
}

/* Behind the opening bracket. */
static struct node *parse_bracket(struct parser *p)
{
	struct node *node = node_make(p, NODE_BYTES);
	bool negated = next_is(p, "^");

	p->at += negated;
	for (bool first = true; first || !next_is(p, "]"); first = false) {
		if (at_end(p))
			return fault(p, last_position(p), "unclosed character class");
		if (!(next_is(p, "[:") ? parse_class : parse_range)(p, &node->set))
			return NULL;
	}
	p->at++;
	for (int i = 0; negated && i < 4; i++)
		node->set.bits[i] = ~node->set.bits[i];
	return node;
}

/* ---- repeats ---- */

/* A number, no greater than REPEAT_MOST + 1. */
static bool parse_number(struct parser *p, int *v, const char *what)
{
	size_t start = p->at;

	for (*v = 0; !at_end(p) && p->text[p->at] >= '0' && p->text[p->at] <= '9'; p->at++)
		*v = *v > REPEAT_MOST ? *v : *v * 10 + (p->text[p->at] - '0');
	if (p->at > start)
		return true;
	fault(p, at_end(p) ? p->n : p->at + 1, what);
	return false;
}

static bool check_bounds(struct parser *p, size_t start, const struct node *node)
{
	const char *digits = p->text + start, *last = memchr(digits, ',', p->at - start);

	if (node->max > REPEAT_MOST || node->min > REPEAT_MOST) {
		digits = node->min > REPEAT_MOST || !last ? digits : last + 1;
		fault(p, p->at, arena_printf(p->a, "%.*s is too large", (int)strspn(digits, "0123456789"), digits));
	} else if (node->max != REPEAT_FOREVER && node->max < node->min) {
		fault(p, p->at, arena_printf(p->a, "%d is more than %d", node->min, node->max));
	}
	return !p->fault->text;
}

/* "m}", "m,}" or "m,n}", behind the opening brace. */
static bool parse_bounds(struct parser *p, struct node *node)
{
	size_t start = p->at;

	if (!parse_number(p, &node->min, "expected number"))
		return false;
	node->max = node->min;
	if (at_end(p)) {
		fault(p, p->n, "unexpected end of regex");
		return false;
	}
	if (next_is(p, ",")) {
		p->at++;
		node->max = REPEAT_FOREVER;
		if (!next_is(p, "}") && !parse_number(p, &node->max, "expected '}' or number"))
			return false;
	}
	if (!next_is(p, "}")) {
		fault(p, at_end(p) ? last_position(p) : p->at,
		      arena_printf(p->a, "expected }, found %s", at_end(p) ? "end of regex" :
				   arena_strndup(p->a, p->text + p->at, 1)));
		return false;
	}
	p->at++;
	return check_bounds(p, start, node);
}

static bool is_repeat(char c)
{
	return c == '*' || c == '+' || c == '?' || c == '{';
}

/* What follows an atom: each operator applies to all before it. */
static struct node *parse_repeats(struct parser *p, struct node *atom)
{
	for (unsigned n = 0; atom && !at_end(p) && is_repeat(p->text[p->at]); n++) {
		char op = p->text[p->at];
		struct node *node = node_make(p, NODE_REPEAT);

		if (atom->kind == NODE_BEGIN || atom->kind == NODE_END)
			return fault(p, p->at, arena_printf(p->a, "postfix closure '%c' applied to anchoring operator", op));
		if (n == MOST_IN_A_ROW)
			return fault(p, p->at, "too many operators in a row");
		p->at++;
		node->child = atom;
		node->min = op == '+';
		node->max = op == '?' ? 1 : REPEAT_FOREVER;
		if (op == '{' && !parse_bounds(p, node))
			return NULL;
		atom = node;
	}
	return atom;
}

/* ---- atoms and what they make ---- */

/* Behind the opening parenthesis. */
static struct node *parse_group(struct parser *p)
{
	struct node *node = node_make(p, NODE_GROUP);
	size_t start = p->at - 1;

	if (next_is(p, "?")) {
		if (!next_is(p, "?:"))
			return fault(p, p->at + 1 < p->n ? p->at + 1 : p->at, arena_printf(p->a, "unexpected '(%.*s'",
				     (int)(p->at + 1 < p->n ? 2 : 1), p->text + p->at));
		p->at += 2;
	} else {
		node->group = ++p->ngroups;
		if (p->ngroups >= SP_RE_GROUPS)
			return fault(p, start, "too many groups");
	}
	if (++p->depth > MOST_NESTED)
		return fault(p, start, "too many parentheses in each other");
	node->child = parse_alternation(p);
	p->depth--;
	node->last_inside = p->ngroups;
	if (!node->child)
		return NULL;
	if (at_end(p))
		return fault(p, last_position(p), "expected ), found end of regex");
	p->at++;
	return node;
}

static struct node *parse_atom(struct parser *p)
{
	char c = p->text[p->at++];
	struct node *node;

	if (c == '(')
		return parse_group(p);
	if (c == '[')
		return parse_bracket(p);
	if (c == '^' || c == '$')
		return node_make(p, c == '^' ? NODE_BEGIN : NODE_END);
	if (is_repeat(c))
		return fault(p, p->at - 1, arena_printf(p->a, "unexpected '%c'", c));
	if (c == '\\' && at_end(p))
		return fault(p, p->n, "unexpected end of regex");
	node = node_make(p, NODE_BYTES);
	if (c == '.')
		add_range(&node->set, 0, 255);
	else
		set_add(&node->set, c == '\\' ? escaped(p) : (unsigned char)c);
	return node;
}

static struct node *parse_concat(struct parser *p)
{
	struct node *concat = node_make(p, NODE_CONCAT), **tail = &concat->child;

	while (!at_end(p) && p->text[p->at] != '|' && !(p->text[p->at] == ')' && p->depth)) {
		*tail = parse_repeats(p, parse_atom(p));
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return concat->child && !concat->child->next ? concat->child : concat;
}

static struct node *parse_alternation(struct parser *p)
{
	struct node *alternation = node_make(p, NODE_ALTERNATION), **tail = &alternation->child;

	for (;;) {
		*tail = parse_concat(p);
		if (!*tail)
			return NULL;
		if (!next_is(p, "|"))
			break;
		p->at++;
		tail = &(*tail)->next;
	}
	return alternation->child->next ? alternation : alternation->child;
}

struct node *regex_parse(struct arena *a, const char *text, size_t n, unsigned *ngroups, struct regex_fault *fault)
{
	struct parser p = { .a = a, .text = text, .n = n, .fault = fault };
	struct node *tree;

	*fault = (struct regex_fault){ 0, NULL };
	tree = parse_alternation(&p);
	*ngroups = p.ngroups;
	return tree;
}
