/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Providers: one file for each family of probe points, one row each in providers.def.
 *
 * elaborate/derive.c matches a user's point against the patterns of all providers and asks the one that
 * fits for its sites; for each target variable of the handler it asks again, site by site.
 */
#ifndef SPILE_PROBES_H
#define SPILE_PROBES_H

#include "elaborate/program.h"
#include "support/strbuf.h"

enum backend_set { BE_KERNEL = 1, BE_USER = 2 };
enum context_set { CTX_NONE = 0, CTX_USER_REGS = 1 };

enum { MAX_COMPONENTS = 8 };

/* A user's point, and the pattern of ours that it fits. */
struct point_match {
	const struct provider *provider;
	const char *pattern;		/* "process(string).mark(string)" */
	const struct probe_point *point;
	const struct component *component[MAX_COMPONENTS];
	unsigned n;
};

/* What find() leaves: either sites, or one event of another kind. */
struct found {
	enum sp_probe_kind kind;
	struct site *sites;		/* in order, for SP_PROBE_SITE */
	unsigned nsites;
	int64_t order;
	uint64_t interval_ns, random_ns;	/* of timers; ticks where .in_ticks */
	bool in_ticks;
	const char *point;		/* resolved text where there are no sites: "timer.s(1)" */
};

/* What a target expression means at one site. */
struct target_result {
	enum { TARGET_FETCH, TARGET_REPLACE, TARGET_MISS } kind;
	struct fetch_variant fetch;
	const struct ctype *ctype;
	struct expr *replace;		/* another expression in its place: $$vars, $x$, constants */
	struct di_miss miss;
};

struct provider {
	const char *name;
	const char *const *patterns;	/* NULL-terminated; number and string in parentheses are literal arguments */
	unsigned backends;		/* BE_ */
	unsigned context;		/* CTX_ */
	bool unprivileged;		/* scripts of --privilege=stapusr may use it, too (cli.md 6.7) */
	/*
	 * Fills @out, or @miss (then false).  Never prints but for warnings about what it found.
	 * @pn: the point's text as the user wrote it.
	 */
	bool (*find)(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss);
	/*
	 * Resolves EXPR_TARGET @e at @site (NULL where the family has none).  @index: the script's run-time index
	 * expressions in @e's path, numbered in order; the tree may name them as LOC_INDEX(k).
	 */
	void (*target)(struct program *p, const struct point_match *m, const struct site *site,
		       const struct expr *e, struct target_result *out);
	/* -L: variables of a site, " $name:type" each, appended to @b. */
	void (*list)(struct program *p, const struct site *site, struct strbuf *b);
	const char *help;
};

#define PROVIDER(name) extern const struct provider provider_##name;
#include "probes/providers.def"
#undef PROVIDER
extern const struct provider *const providers[];	/* NULL-terminated, in the order of providers.def */

/* One word of a pattern: its name (not terminated) and the kind of its argument, as component.arg counts them. */
struct pattern_word { const char *name; size_t len; int arg; };
/* Takes the next word off @cursor; false at the end. */
bool pattern_next(const char **cursor, struct pattern_word *out);
bool pattern_word_fits(const struct pattern_word *w, const struct component *c);
/* "timer.s(1)": the text of a point without its suffixes, in @a. */
const char *components_text(struct arena *a, const struct component *c);

/* True where @point's components fit @pattern word for word, arguments by kind; fills @m. */
bool pattern_match(const char *pattern, const struct probe_point *point, struct point_match *m);

#endif
