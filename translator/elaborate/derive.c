/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass derive: from the points a user wrote to probes at sites.
 *
 * A point is followed through aliases (the script's and the library's, with suffixes passed on), wildcards in its
 * words are matched against all words there are, and what fits a provider's pattern is given to that provider.
 * Bodies and target variables are sites.c's.  Start reading at derive_script(), then derive_point().
 */
#include "elaborate/elaborate.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Aliases may double at each step; this many steps are a mistake, not a script, and so are as many failures. */
enum { MAX_EXPANSIONS = 20000, MAX_FAILURES = 2000 };

enum { NEAR_WORDS = 4096 };

/* One point on its way. */
struct trip {
	struct program *p;
	struct probe_decl *decl;
	const struct alias_use *uses;
	bool quiet;			/* optional, or found by a wildcard: a failure is none */
};

static unsigned derive_point(const struct trip *t, const struct probe_point *pt);

/* ------------------------------------------------------------------------------------------------ messages */

/* Where the user can act: the point in the script; inside a library alias also the use that led there. */
static void note_uses(const struct trip *t)
{
	for (const struct alias_use *u = t->uses; u; u = u->outer)
		diag_note(t->p->diag, u->use->span, "in expansion of alias '%s'",
			  components_text(t->p->arena, u->alias->names->components));
}

static void count_failure(const struct trip *t)
{
	if (++t->p->state->failures == MAX_FAILURES + 1ul)
		diag_error(t->p->diag, t->decl->span, TAG_ALIAS_LOOP, "more than %d probe points came to nothing", MAX_FAILURES);
}

#define FAIL(t, at, tag, ...) do { \
		if (!(t)->quiet) { \
			diag_error((t)->p->diag, (at), (tag), __VA_ARGS__); \
			note_uses(t); \
			count_failure(t); \
		} \
	} while (0)

void tell_searched(struct program *p, const struct di_miss *m)
{
	switch (m->reason) {
	case DI_NO_MATCH: case DI_NO_LINE: case DI_NOT_STATEMENT: case DI_ONLY_INLINE: case DI_NO_DEBUGINFO: case DI_NO_VARIABLE:
	case DI_NO_LOCATION: case DI_NO_TYPE: case DI_INCOMPLETE:
		break;
	default:		/* found, but of no use in this way */
		return;
	}
	if (!m->searched || m->searched == p->state->told)
		return;
	p->state->told = m->searched;
	diag_note(p->diag, NO_SPAN, "searched %s", object_text(m->searched, p->arena));
}

static void tell_miss(const struct trip *t, struct span at, const struct di_miss *miss)
{
	enum diag_tag tag = miss->reason == DI_UNSUPPORTED ? TAG_NOT_YET :
			    miss->reason == DI_MALFORMED ? TAG_PROBE_POINT : TAG_NO_MATCH;
	struct strbuf near = { 0 };

	strbuf_add(&near, "");
	for (unsigned i = 0; i < miss->nalt; i++)
		strbuf_printf(&near, "%s%s", i ? ", " : "", miss->alt[i]);
	if (miss->nalt)
		FAIL(t, at, tag, "%s (similar %s: %s)", miss->text ? miss->text : "no match",
		     miss->alt_kind ? miss->alt_kind : "names", near.text);
	else
		FAIL(t, at, tag, "%s", miss->text ? miss->text : "no match");
	if (!t->quiet)
		tell_searched(t->p, miss);
	if (miss->hint && !t->quiet)
		diag_hint(t->p->diag, "%s", miss->hint);
	strbuf_free(&near);
}

/* ------------------------------------------------------------------------------------------------ all words there are */

/* A word that may stand in a point: of an alias or of a pattern. */
struct word { const char *name; size_t len; int arg; };
enum { MAX_WORDS = 32 };

struct words {
	struct word w[MAX_WORDS];
	unsigned n;
	const struct provider *provider;	/* NULL: an alias */
};

static bool words_of_alias(const char *name, struct words *out)
{
	out->n = 0;
	out->provider = NULL;
	while (*name && out->n < MAX_WORDS) {
		size_t len = strcspn(name, ".");

		out->w[out->n++] = (struct word){ name, len, ARG_NONE };
		name += len + (name[len] == '.');
	}
	return !*name;
}

static void words_of_pattern(const char *pattern, const struct provider *provider, struct words *out)
{
	struct pattern_word w;

	out->n = 0;
	out->provider = provider;
	while (out->n < MAX_WORDS && pattern_next(&pattern, &w))
		out->w[out->n++] = (struct word){ w.name, w.len, w.arg };
}

/* Calls @visit for each alias of the script and the library, and for each pattern. */
static void each_words(struct program *p, void (*visit)(const struct words *w, void *data), void *data)
{
	struct words w;
	unsigned n;
	const char *const *names = library_names(p->tapset, LIB_ALIAS, &n);

	for (unsigned i = 0; i < p->state->nscripts; i++) {
		const struct script *s = p->state->scripts[i];

		for (struct alias *a = s->is_library ? NULL : s->aliases; a; a = a->next)
			for (struct alias_name *an = a->names; an; an = an->next)
				if (words_of_alias(components_text(p->arena, an->components), &w))
					visit(&w, data);
	}
	for (unsigned i = 0; i < n; i++)
		if (words_of_alias(names[i], &w))
			visit(&w, data);
	for (const struct provider *const *q = providers; *q; q++)
		for (const char *const *pattern = (*q)->patterns; *pattern; pattern++) {
			words_of_pattern(*pattern, *q, &w);
			visit(&w, data);
		}
}

/* ------------------------------------------------------------------------------------------------ what does not fit */

/* How far the words there are go along with a point, and what would come next. */
struct nearest {
	struct program *p;
	const struct probe_point *pt;
	unsigned depth;			/* most words in common */
	bool ends;			/* something complete is that long */
	const char **next;
	unsigned nnext, room;
};

static bool word_fits(const struct word *w, const struct component *c)
{
	char name[256];

	if (w->arg != (int)c->arg || w->len >= sizeof(name))
		return false;
	memcpy(name, w->name, w->len);
	name[w->len] = 0;
	return !fnmatch(c->name->text, name, 0);
}

static const char *word_text(struct arena *a, const struct word *w)
{
	return arena_printf(a, "%.*s", (int)w->len, w->name);
}

static bool known_next(const struct nearest *n, const char *text)
{
	for (unsigned i = 0; i < n->nnext; i++)
		if (!strcmp(n->next[i], text))
			return true;
	return false;
}

static void look_nearest(const struct words *w, void *data)
{
	struct nearest *n = data;
	const struct component *c = n->pt->components;
	unsigned i;

	for (i = 0; c && i < w->n && word_fits(&w->w[i], c); i++)
		c = c->next;
	if (i < n->depth)
		return;
	if (i > n->depth) {
		n->depth = i;
		n->ends = false;
		n->nnext = 0;
	}
	if (i == w->n) {
		n->ends = true;
		return;
	}
	if (n->nnext < n->room && !known_next(n, word_text(n->p->arena, &w->w[i])))
		n->next[n->nnext++] = word_text(n->p->arena, &w->w[i]);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *joined(struct arena *a, const char **names, unsigned n)
{
	struct strbuf b = { 0 };
	const char *text;

	strbuf_add(&b, "");
	qsort(names, n, sizeof(*names), by_text);
	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&b, " %s", names[i]);
	text = arena_strdup(a, b.text ? b.text : "");
	strbuf_free(&b);
	return text;
}

static void tell_mismatch(const struct trip *t, const struct probe_point *pt)
{
	struct arena *a = t->p->arena;
	struct nearest n = { .p = t->p, .pt = pt, .room = NEAR_WORDS };
	const struct component *c = pt->components;

	if (t->quiet)
		return;
	if (!t->p->state->near_words)
		t->p->state->near_words = ARENA_ARRAY(a, const char *, NEAR_WORDS);
	n.next = t->p->state->near_words;
	each_words(t->p, look_nearest, &n);
	for (unsigned i = 0; i < n.depth && c; i++)
		c = c->next;
	if (!c)
		FAIL(t, pt->span, TAG_PROBE_POINT, "probe point truncated (follow: %s)", joined(a, n.next, n.nnext));
	else if (n.ends && !n.nnext)
		FAIL(t, c->span, TAG_PROBE_POINT, "invalid suffix for probe");
	else
		FAIL(t, c->span, TAG_PROBE_POINT, "probe point mismatch%s",
		     similar_text(a, "similar", c->name->text, n.next, n.nnext, true));
}

/* ------------------------------------------------------------------------------------------------ aliases */

/* A copy of @c with a copy of @suffix (or NULL) behind it. */
static struct component *copy_components(struct arena *a, const struct component *c, const struct component *suffix)
{
	struct component *copy;

	if (!c)
		return suffix ? copy_components(a, suffix, NULL) : NULL;
	copy = ARENA_NEW(a, struct component);
	*copy = *c;
	copy->next = copy_components(a, c->next, suffix);
	return copy;
}

/* The point @inside of an alias's definition with @suffix behind it. */
static struct probe_point *with_suffix(struct arena *a, const struct probe_point *inside, const struct component *suffix)
{
	struct probe_point *pt = ARENA_NEW(a, struct probe_point);

	*pt = *inside;
	pt->next = NULL;
	pt->components = copy_components(a, inside->components, suffix);
	return pt;
}

static bool is_given_up(const struct program *p)
{
	return p->state->expansions > MAX_EXPANSIONS || p->state->failures > MAX_FAILURES;
}

static unsigned expand_alias(const struct trip *t, const struct probe_point *pt, const struct alias *alias,
			     const struct component *suffix)
{
	struct alias_use *use = ARENA_NEW(t->p->arena, struct alias_use);
	struct trip inner = *t;
	unsigned n = 0;

	for (const struct alias_use *u = t->uses; u; u = u->outer)
		if (u->alias == alias) {
			FAIL(t, alias->span, TAG_ALIAS_LOOP, "recursive loop in alias expansion of %s",
			     components_text(t->p->arena, alias->names->components));
			return 0;
		}
	if (++t->p->state->expansions > MAX_EXPANSIONS) {
		if (t->p->state->expansions == MAX_EXPANSIONS + 1ul)
			diag_error(t->p->diag, t->decl->span, TAG_ALIAS_LOOP, "more than %d steps of alias expansion",
				   MAX_EXPANSIONS);
		return 0;
	}
	*use = (struct alias_use){ alias, pt, t->uses };
	inner.uses = use;
	for (const struct probe_point *q = alias->points; q && !is_given_up(t->p); q = q->next) {
		unsigned got;

		inner.quiet = t->quiet || q->optional || q->sufficient;
		got = derive_point(&inner, with_suffix(t->p->arena, q, suffix));
		n += got;
		if (got && q->sufficient)
			break;
	}
	return n;
}

/* True where the first words of @pt are @name, all without arguments; *rest: what follows. */
static bool starts_with(const struct probe_point *pt, const struct component *name, const struct component **rest)
{
	const struct component *c = pt->components;

	for (; name; name = name->next, c = c->next)
		if (!c || c->arg != ARG_NONE || c->name->len != name->name->len ||
		    memcmp(c->name->text, name->name->text, name->name->len))
			return false;
	*rest = c;
	return true;
}

/* Expands every definition in @s of the alias that is @nwords words of @pt. */
static unsigned expand_in_script(const struct trip *t, const struct probe_point *pt, const struct script *s,
				 unsigned nwords, bool *matched)
{
	const struct component *rest;
	unsigned n = 0;

	for (struct alias *a = s->aliases; a; a = a->next)
		for (struct alias_name *name = a->names; name; name = name->next) {
			unsigned len = 0;

			for (struct component *c = name->components; c; c = c->next)
				len++;
			if (len != nwords || !starts_with(pt, name->components, &rest))
				continue;
			/* before version 2.0 nothing could follow an alias */
			if (rest && is_older(t->p, "2.0") && is_gated(t->decl->script))
				continue;
			*matched = true;
			n += expand_alias(t, pt, a, rest);
			break;
		}
	return n;
}

static const char *first_words(struct arena *a, const struct probe_point *pt, unsigned nwords)
{
	struct strbuf b = { 0 };
	const struct component *c = pt->components;
	const char *text;

	for (unsigned i = 0; i < nwords; i++, c = c->next)
		strbuf_printf(&b, "%s%s", i ? "." : "", c->name->text);
	text = arena_strdup(a, b.text);
	strbuf_free(&b);
	return text;
}

static unsigned expand_word_count(const struct trip *t, const struct probe_point *pt, unsigned nwords, bool *matched)
{
	struct program *p = t->p;
	struct script *const *found;
	unsigned n = 0, nfound, nscripts = p->state->nscripts;

	for (unsigned i = 0; i < nscripts; i++)
		if (!p->state->scripts[i]->is_library)
			n += expand_in_script(t, pt, p->state->scripts[i], nwords, matched);
	found = library_find(p->tapset, LIB_ALIAS, first_words(p->arena, pt, nwords), &nfound);
	for (unsigned i = 0; i < nfound; i++) {
		script_register(p, found[i]);
		n += expand_in_script(t, pt, found[i], nwords, matched);
	}
	return n;
}

/* The longest alias that begins the point; what is left is passed on to its points. */
static unsigned derive_aliases(const struct trip *t, const struct probe_point *pt, bool *matched)
{
	unsigned nwords = 0, n = 0;

	for (const struct component *c = pt->components; c && c->arg == ARG_NONE; c = c->next)
		nwords++;
	for (; nwords && !*matched; nwords--)
		n += expand_word_count(t, pt, nwords, matched);
	return n;
}

/* ------------------------------------------------------------------------------------------------ wildcards */

static bool has_wildcard(const struct probe_point *pt)
{
	for (const struct component *c = pt->components; c; c = c->next)
		if (strchr(c->name->text, '*'))
			return true;
	return false;
}

struct wild {
	const struct trip *t;
	const struct probe_point *pt;
	bool suffixes;			/* aliases with a suffix behind them count, too */
	struct probe_point **found;
	unsigned n, room;
};

/* A component as the user wrote it, under the name it turned out to have. */
static struct component *named(struct arena *a, const struct component *as, const struct word *w)
{
	struct component *c = ARENA_NEW(a, struct component);

	*c = *as;
	c->name = str_intern_n(a, w->name, w->len);
	c->next = NULL;
	return c;
}

/*
 * Matches @c and what follows against words @at and on; `*' stays within a word, `**' also crosses dots.
 * *out: the components under their real names.  @open: the words may end before the components do.
 */
static bool match_words(struct arena *a, const struct component *c, const struct words *w, unsigned at, bool open,
			struct component **out)
{
	char text[1024];
	size_t len = 0;

	*out = NULL;
	if (!c)
		return at == w->n;
	if (at == w->n && open && at) {
		*out = copy_components(a, c, NULL);
		return true;
	}
	for (unsigned last = at; last < w->n; last++) {
		struct component *first = NULL, **tail = &first;

		if (last > at && (!strstr(c->name->text, "**") || w->w[last - 1].arg != ARG_NONE))
			return false;
		if (len + w->w[last].len + 2 > sizeof(text))
			return false;
		if (last > at)
			text[len++] = '.';
		memcpy(text + len, w->w[last].name, w->w[last].len);
		text[len += w->w[last].len] = 0;
		if (w->w[last].arg != (int)c->arg || fnmatch(c->name->text, text, 0))
			continue;
		for (unsigned i = at; i <= last; i++) {
			struct component *one = named(a, c, &w->w[i]);

			if (i < last)
				one->arg = ARG_NONE;
			*tail = one;
			tail = &one->next;
		}
		if (match_words(a, c->next, w, last + 1, open, tail)) {
			*out = first;
			return true;
		}
	}
	return false;
}

static bool same_point(const struct component *a, const struct component *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->name != b->name || a->arg != b->arg)
			return false;
	return a == b;
}

static void try_words(const struct words *w, void *data)
{
	struct wild *v = data;
	struct arena *a = v->t->p->arena;
	struct component *c;
	struct probe_point *pt;

	if (v->suffixes && w->provider)
		return;
	if (!match_words(a, v->pt->components, w, 0, v->suffixes, &c))
		return;
	for (unsigned i = 0; i < v->n; i++)
		if (same_point(v->found[i]->components, c))
			return;
	pt = ARENA_NEW(a, struct probe_point);
	*pt = *v->pt;
	pt->components = c;
	pt->next = NULL;
	if (v->n == v->room) {
		v->room = v->room ? v->room * 2 : 32;
		v->found = realloc(v->found, v->room * sizeof(*v->found));
		if (!v->found)
			abort();
	}
	v->found[v->n++] = pt;
}

static unsigned derive_wildcard(const struct trip *t, const struct probe_point *pt)
{
	struct wild v = { .t = t, .pt = pt };
	struct trip each = *t;
	unsigned n = 0;

	each_words(t->p, try_words, &v);
	if (!v.n) {
		v.suffixes = true;
		each_words(t->p, try_words, &v);
	}
	each.quiet = true;
	for (unsigned i = 0; i < v.n; i++) {
		bool matched = false;

		n += v.suffixes ? derive_aliases(&each, v.found[i], &matched) : derive_point(&each, v.found[i]);
	}
	free(v.found);
	if (!n)
		FAIL(t, pt->span, TAG_PROBE_POINT, "probe point mismatch: didn't find any wildcard matches");
	return n;
}

/* ------------------------------------------------------------------------------------------------ providers */

static unsigned ask_provider(const struct trip *t, const struct probe_point *pt, const struct point_match *m)
{
	struct program *p = t->p;
	struct derivation d = { .decl = t->decl, .uses = t->uses, .match = *m };
	struct di_miss miss = { 0 };

	if (!(m->provider->backends & (p->runtime == RUNTIME_USER ? BE_USER : BE_KERNEL))) {
		FAIL(t, pt->span, TAG_NOT_YET, "%s probes are not there in the %s runtime", m->provider->name,
		     p->runtime == RUNTIME_USER ? "user" : "kernel");
		return 0;
	}
	if (p->options->privilege == PRIVILEGE_STAPUSR && !m->provider->unprivileged) {
		FAIL(t, pt->span, TAG_PRIVILEGE, "probe point is not allowed for --privilege=stapusr");
		return 0;
	}
	if (!m->provider->find(p, &d.match, &d.found, &miss)) {
		tell_miss(t, pt->span, &miss);
		return 0;
	}
	probes_make(p, &d);
	return 1;
}

static unsigned derive_pattern(const struct trip *t, const struct probe_point *pt, bool *matched)
{
	struct point_match m;

	for (const struct provider *const *q = providers; *q; q++)
		for (const char *const *pattern = (*q)->patterns; *pattern; pattern++) {
			memset(&m, 0, sizeof(m));
			if (!pattern_match(*pattern, pt, &m))
				continue;
			m.provider = *q;
			*matched = true;
			return ask_provider(t, pt, &m);
		}
	return 0;
}

/* Returns how many derivations came of it; failures are told unless the trip is quiet. */
static unsigned derive_point(const struct trip *t, const struct probe_point *pt)
{
	unsigned long before = t->p->state->failures;
	unsigned n = 0;
	bool matched = false;

	if (is_given_up(t->p))
		return 0;
	if (has_wildcard(pt))
		return derive_wildcard(t, pt);
	n += derive_aliases(t, pt, &matched);
	n += derive_pattern(t, pt, &matched);
	if (!matched)
		tell_mismatch(t, pt);
	else if (!n && t->p->state->failures == before && !is_given_up(t->p))	/* an alias all of whose points are optional and not there */
		FAIL(t, pt->span, TAG_NO_MATCH, "no match");
	return n;
}

void derive_script(struct program *p, struct script *s)
{
	script_register(p, s);
	for (struct probe_decl *d = s->probes; d; d = d->next)
		for (struct probe_point *pt = d->points; pt; pt = pt->next) {
			struct trip t = { .p = p, .decl = d, .quiet = pt->optional || pt->sufficient };
			unsigned n = derive_point(&t, with_suffix(p->arena, pt, NULL));

			if (n && pt->sufficient)
				break;
		}
}

/* ------------------------------------------------------------------------------------------------ the pass */

static bool has_sites(const struct program *p)
{
	for (const struct probe *q = p->probes; q; q = q->next)
		if (q->nsites)
			return true;
	return false;
}

/* The user runtime goes into one program: probes at sites need to know which. */
static bool runtime_will_do(struct program *p)
{
	const struct options *o = p->options;

	if (p->runtime != RUNTIME_USER || o->last_pass < 5 || o->command || o->target_pid || !has_sites(p))
		return true;
	if (o->runtime == RUNTIME_USER) {
		diag_error(p->diag, NO_SPAN, TAG_RUNTIME, "the user runtime probes one program: name it with -c CMD or -x PID");
		return false;
	}
	diag_error(p->diag, NO_SPAN, TAG_RUNTIME, "neither runtime can carry this script here");
	diag_note(p->diag, NO_SPAN, "--runtime=user: needs -c CMD or -x PID");
	diag_note(p->diag, NO_SPAN, "--runtime=kernel: %s", p->kernel_lacks);
	diag_hint(p->diag, "--vm runs the script in a throwaway virtual machine");
	return false;
}

bool derive_probes(struct program *p)
{
	unsigned before = diag_errors(p->diag);

	for (struct script *s = p->user; s; s = s->next)
		script_register(p, s);
	for (struct script *s = p->user; s; s = s->next)
		derive_script(p, s);
	if (diag_errors(p->diag) == before && !p->probes)
		diag_error(p->diag, NO_SPAN, TAG_NO_PROBES, "no probes found");
	return diag_errors(p->diag) == before && runtime_will_do(p);
}
