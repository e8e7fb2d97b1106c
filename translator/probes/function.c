/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of user programs and libraries: process("PATH").function("SPEC") in its variants, and .statement
 * (spec/probes.md A.4, A.6 to A.8).
 *
 * debuginfo/ knows which places a SPEC denotes; here they become sites.  A return probe has a site on each exit of the
 * function, and names one place at its entry where a hidden probe can keep values.  Start reading at function_find().
 */
#include "probes/probes.h"
#include "probes/callees.h"
#include "probes/exits.h"
#include "probes/process.h"
#include "probes/target.h"

#include <errno.h>
#include <string.h>

#define FUNCTIONS(root) \
	root ".function(string)", root ".function(string).call", root ".function(string).inline", \
	root ".function(string).return", root ".function(string).exported", root ".function(string).label(string)", \
	root ".function(string).callee(string)", root ".function(string).callee(string).call", \
	root ".function(string).callee(string).return", root ".function(string).callees", \
	root ".function(string).callees(number)", \
	root ".function(number)", root ".function(number).call", root ".function(number).return", \
	root ".function(number).exported", \
	root ".statement(string)", root ".statement(string).nearest", \
	root ".statement(number)", root ".statement(number).nearest"

static const char *const function_patterns[] = {
	FUNCTIONS("process"),
	FUNCTIONS("process(string)"),
	FUNCTIONS("process(number)"),
	FUNCTIONS("process.library(string)"),
	FUNCTIONS("process(string).library(string)"),
	NULL
};

enum within { ALL_OF_IT, ITS_LABELS, ITS_CALLEES };

/* What follows function(...): which of the functions, and what of them. */
static const struct { const char *word; enum func_variant variant; enum within within; } variants[] = {
	{ "call",	FUNC_CALL,	ALL_OF_IT },
	{ "inline",	FUNC_INLINE,	ALL_OF_IT },
	{ "return",	FUNC_RETURN,	ALL_OF_IT },
	{ "exported",	FUNC_EXPORTED,	ALL_OF_IT },
	{ "label",	FUNC_ANY,	ITS_LABELS },
	{ "callee",	FUNC_ANY,	ITS_CALLEES },
	{ "callees",	FUNC_ANY,	ITS_CALLEES },
};

struct finding {
	struct program *p;
	struct arena *a;
	struct found *out;
	struct di_miss *miss;
	struct span span;
	struct site **tail;
	const struct component *what;	/* function(...) or statement(...) */
	const struct component *how;	/* the variant's word behind it, or NULL */
	const char *suffix;		/* as listings repeat it: ".return", ".nearest", or "" */
	enum func_variant variant;
	enum within within;
	enum func_variant callee_variant;	/* of ITS_CALLEES: ANY, CALL or RETURN */
	const struct root *root;
	unsigned nvia;			/* functions with an exit by tail call that is followed */
	unsigned unwatched;		/* ways out of a function that have no site */
};

static bool missed(struct finding *f, enum di_reason reason, const char *text)
{
	*f->miss = (struct di_miss){ .reason = reason, .text = text };
	return false;
}

/* ---- sites ---- */

/* A name as a script writes it: operator""_x has quotes. */
static const char *quoted(struct arena *a, const char *s)
{
	char *out, *to;

	if (!strpbrk(s, "\"\\"))
		return s;
	out = to = arena_alloc(a, 2 * strlen(s) + 1);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			*to++ = '\\';
		*to++ = *s;
	}
	*to = 0;
	return out;
}

static const char *point_text(struct finding *f, const char *root, const struct code_site *cs)
{
	return arena_printf(f->a, "%s.%s(\"%s\")%s", root, f->what->name->text, quoted(f->a, cs->listing), f->suffix);
}

static struct site *site_make(struct finding *f, const struct code_site *cs, enum sp_site_kind kind, uint64_t addr)
{
	struct site *s = ARENA_NEW(f->a, struct site);

	if (!object_file_offset(f->root->obj, addr, &s->file_off))
		return NULL;
	s->obj = f->root->obj;
	s->kind = kind;
	s->addr = s->pc = addr;
	s->point = point_text(f, f->root->point, cs);
	s->list_point = point_text(f, f->root->list_point, cs);
	s->name = cs->base_name;
	s->code = cs;
	s->scope = cs->scope;
	return s;
}

static void site_add(struct finding *f, struct site *s)
{
	if (!s)
		return;
	*f->tail = s;
	f->tail = &s->next;
	f->out->nsites++;
}

static bool is_statement(const struct finding *f)
{
	return !strcmp(f->what->name->text, "statement");
}

static enum sp_site_kind entry_kind(const struct finding *f, const struct code_site *cs)
{
	return is_statement(f) || cs->kind == SITE_INLINE ? SP_SITE_PLACE : SP_SITE_ENTRY;
}

static void add_entries(struct finding *f, const struct site_list *list)
{
	for (unsigned i = 0; i < list->n; i++)
		site_add(f, site_make(f, list->site[i], entry_kind(f, list->site[i]), list->site[i]->addr));
}

static const char *function_text(struct finding *f, const char *root, const struct code_site *cs, const char *suffix)
{
	return arena_printf(f->a, "%s.function(\"%s\")%s", root, cs->listing, suffix);
}

static void add_labels(struct finding *f, const struct site_list *functions)
{
	struct site_list labels;

	if (find_labels(functions, f->how->str->text, f->a, &labels, f->miss))
		return;
	for (unsigned i = 0; i < labels.n; i++) {
		const struct code_site *cs = labels.site[i];
		struct site *s = site_make(f, cs, SP_SITE_PLACE, cs->addr);

		if (!s)
			continue;
		s->point = function_text(f, f->root->point, cs, "");
		s->list_point = function_text(f, f->root->list_point, cs, arena_printf(f->a, ".label(\"%s\")", cs->label));
		site_add(f, s);
	}
}

/* ---- returns ---- */

static struct finding *query(struct finding *f, struct func_query *q)
{
	static const enum prologue_mode modes[] = {
		[WHEN_AUTO] = PROLOGUE_AUTO, [WHEN_ALWAYS] = PROLOGUE_ALWAYS, [WHEN_NEVER] = PROLOGUE_NEVER,
	};

	*q = (struct func_query){ .variant = f->variant, .prologue = modes[f->p->options->prologue] };
	if (f->what->arg == ARG_STR)
		q->spec = f->what->str->text;
	else
		q->addr = (uint64_t)f->what->num;
	return f;
}

/* CFA = rbp + 16, as in any function with a frame pointer once that is set up. */
static bool has_frame_pointer(struct finding *f, uint64_t pc)
{
	const struct loc_expr *cfa = frame_cfa(f->root->obj, pc, f->a);

	return cfa && cfa->kind == LOC_BINARY && cfa->op == LOC_OP_ADD && cfa->a->kind == LOC_REG && cfa->a->reg == 6 &&
	       cfa->b->kind == LOC_CONST && cfa->b->num == 16;
}

/*
 * Where values are kept at entry: the first instruction, where the CFA is rsp + 8; in code whose variables get their
 * places only in the prologue, behind that (C.4), where it must be rbp + 16: such a site is of kind PLACE.
 */
static struct site *entry_of(struct finding *f, const struct site_list *entries, const struct code_site *cs)
{
	for (unsigned i = 0; i < entries->n; i++) {
		const struct code_site *e = entries->site[i];

		if (e->entry_addr != cs->entry_addr || e->addr == e->entry_addr)
			continue;
		if (has_frame_pointer(f, e->addr))
			return site_make(f, cs, SP_SITE_PLACE, e->addr);
	}
	return site_make(f, cs, SP_SITE_ENTRY, cs->entry_addr);
}

static void exit_add(struct finding *f, struct site *s, struct site *entry, unsigned via)
{
	if (!s)
		return;
	s->entry = entry;
	s->via = via;
	site_add(f, s);
}

static bool is_denied(const struct code_site *cs)
{
	const char *name = cs->base_name;

	return !strcmp(name, "_start") || (!strncmp(name, "__", 2) && strstr(name, ".get_pc_thunk."));
}

/* The return instructions by which a tail call comes back, over as many functions as it takes. */
enum { MAX_CALLEES = 8, MAX_CALLEE_RETURNS = 32, MAX_VIA = (1 << (32 - SP_VIA_SHIFT)) - 1 };
struct callees {
	uint64_t function[MAX_CALLEES];
	unsigned nfunctions;
	uint64_t ret[MAX_CALLEE_RETURNS];
	unsigned nrets;
};

/* Follows a tail call to the function at @target; false where not all its exits are known. */
static bool follow(struct finding *f, uint64_t target, struct callees *c)
{
	const struct addr_range *ranges;
	struct exit_list exits;
	struct di_miss ignored = { 0 };
	unsigned n;

	for (unsigned i = 0; i < c->nfunctions; i++)
		if (c->function[i] == target)
			return true;
	if (!target || c->nfunctions == MAX_CALLEES ||
	    object_function_ranges(f->root->obj, target, f->a, &ranges, &n) || ranges[0].lo != target ||
	    function_exits(f->root->obj, target, ranges, n, f->a, &exits, &ignored) || exits.undecided)
		return false;
	c->function[c->nfunctions++] = target;
	for (unsigned i = 0; i < exits.n; i++) {
		if (exits.exit[i].kind == EXIT_TAIL_IF || c->nrets == MAX_CALLEE_RETURNS)
			return false;
		if (exits.exit[i].kind == EXIT_RETURN)
			c->ret[c->nrets++] = exits.exit[i].addr;
		else if (!follow(f, exits.exit[i].target, c))
			return false;
	}
	return true;
}

/*
 * Where all exits of the callee are known, the jump is no exit yet: the callee's return instructions are, after that
 * jump (see sp_exit_follows()).  Else the jump itself is the exit, without a return value.
 */
static unsigned via_number(struct finding *f, const struct exit_place *e, struct callees *all)
{
	struct callees more = *all;

	if (e->kind != EXIT_TAIL || !follow(f, e->target, &more))
		return 0;
	if (more.nrets && f->nvia == MAX_VIA)
		return 0;
	*all = more;
	return f->nvia + 1;
}

static bool add_returns(struct finding *f, const struct site_list *entries, const struct code_site *cs)
{
	const struct addr_range *ranges = cs->ranges;
	unsigned n = cs->nranges;
	struct callees callees = { 0 };
	struct exit_list exits;
	struct site *entry;

	if (is_denied(cs) && !f->p->options->guru)
		return missed(f, DI_UNSUPPORTED, arena_printf(f->a, "function %s return probe is blocklisted", cs->name));
	if (!n && object_function_ranges(f->root->obj, cs->entry_addr, f->a, &ranges, &n))
		return missed(f, DI_UNSUPPORTED, arena_printf(f->a, "the extent of function '%s' is not known", cs->name));
	if (function_exits(f->root->obj, cs->entry_addr, ranges, n, f->a, &exits, f->miss))
		return false;
	entry = entry_of(f, entries, cs);
	f->unwatched += exits.undecided;
	for (unsigned i = 0; i < exits.n; i++) {
		struct site *s;

		if (exits.exit[i].kind == EXIT_TAIL_IF) {
			f->unwatched++;
			continue;
		}
		s = site_make(f, cs, exits.exit[i].kind == EXIT_RETURN ? SP_SITE_RETURN : SP_SITE_TAIL, exits.exit[i].addr);
		exit_add(f, s, entry, via_number(f, &exits.exit[i], &callees));
	}
	for (unsigned i = 0; i < callees.nrets; i++)
		exit_add(f, site_make(f, cs, SP_SITE_RETURN, callees.ret[i]), entry, f->nvia + 1);
	f->nvia += callees.nfunctions > 0;
	if (!exits.n)
		return missed(f, DI_NO_MATCH, arena_printf(f->a, "function '%s' never returns", cs->name));
	return true;
}

static void warn_inline_only(struct finding *f, const struct site_list *list)
{
	struct strbuf names = { 0 };

	for (unsigned i = 0; i < list->ninline_only; i++)
		strbuf_printf(&names, "%s%s", i ? ", " : "", list->inline_only[i]);
	diag_warning(f->p->diag, f->span, TAG_INLINED, "cannot probe .return of %u inlined function%s %s", list->ninline_only,
		     list->ninline_only == 1 ? "" : "s", names.text);
	strbuf_free(&names);
}

static void add_all_returns(struct finding *f, const struct site_list *list)
{
	struct site_list entries = { 0 };
	struct di_miss ignored = { 0 };
	struct func_query q;

	query(f, &q);
	q.variant = FUNC_CALL;
	if (find_functions(f->root->obj, &q, f->a, &entries, &ignored))
		entries.n = 0;
	for (unsigned i = 0; i < list->n; i++)
		add_returns(f, &entries, list->site[i]);
	if (f->unwatched)
		diag_warning(f->p->diag, f->span, TAG_EXITS, "%u jump%s that may leave a function have no probe: exits by "
			     "them go unseen", f->unwatched, f->unwatched == 1 ? "" : "s");
}

/* ---- callees ---- */

/* -DSTAP_CALLEE_MATCHALL: whoever the caller is (A.7). */
static bool takes_any_caller(const struct finding *f)
{
	for (const struct define *d = f->p->options->defines; d; d = d->next)
		if (!strcmp(d->name, "STAP_CALLEE_MATCHALL"))
			return true;
	return false;
}

/* True where @s is reached by one of @chains; false where that can not be told there. */
static bool set_caller(struct finding *f, const struct callee *c, struct site *s)
{
	struct loc_expr *any = NULL;

	for (const struct call_chain *k = takes_any_caller(f) ? NULL : c->chains; k; k = k->next) {
		struct loc_expr *this, *either;

		if (!k->n)		/* on every way there */
			return true;
		this = frame_called_from(s->obj, s->pc, k->ret, k->n, f->a);
		if (!this)
			return false;
		either = ARENA_NEW(f->a, struct loc_expr);
		*either = (struct loc_expr){ .kind = LOC_BINARY, .op = LOC_OP_OR, .a = any, .b = this };
		any = any ? either : this;
	}
	s->called_from = any;
	return true;
}

static struct site *callee_site(struct finding *f, const struct callee *c)
{
	struct site *s = site_make(f, c->site, c->jump || c->site->kind == SITE_INLINE ? SP_SITE_PLACE : SP_SITE_ENTRY,
				   c->jump ? c->jump : c->site->addr);

	if (s && c->jump)
		s->pc = c->site->entry_addr;	/* nothing has changed since */
	return s;
}

static void add_callee(struct finding *f, const struct callee *c)
{
	const char *suffix = f->callee_variant == FUNC_RETURN ? ".return" : f->callee_variant == FUNC_CALL ? ".call" : "";
	const char *within = arena_printf(f->a, ".callee(\"%s\")%s", c->site->listing, suffix);
	struct code_site *self = (struct code_site *)(uintptr_t)c->site;
	struct site_list entries = { .site = &self, .n = 1 };
	struct site **last = f->tail, *s, *next;
	unsigned nsites = f->out->nsites;

	if (f->callee_variant != FUNC_RETURN)
		site_add(f, callee_site(f, c));
	else if (!c->jump)
		add_returns(f, &entries, c->site);
	else
		f->unwatched++;		/* it returns where its caller would have */
	s = *last;
	*last = NULL;
	f->tail = last;
	f->out->nsites = nsites;
	for (; s; s = next) {
		next = s->next;
		s->next = NULL;
		s->point = function_text(f, f->root->point, c->site, suffix);
		s->list_point = function_text(f, f->root->list_point, c->caller, within);
		if (set_caller(f, c, s))
			site_add(f, s);
		else
			f->unwatched++;
	}
}

static void add_callees(struct finding *f, const struct site_list *callers)
{
	const char *spec = f->how->arg == ARG_STR ? f->how->str->text : "*";
	unsigned depth = f->how->arg == ARG_NUM ? (unsigned)f->how->num : 1;
	struct callee_list list;

	if (find_callees(f->root->obj, callers, spec, f->callee_variant == FUNC_ANY ? FUNC_ANY : FUNC_CALL, depth, f->a, &list,
			 f->miss))
		return;
	for (const struct callee *c = list.first; c; c = c->next)
		add_callee(f, c);
	if (list.conditional + f->unwatched)
		diag_warning(f->p->diag, f->span, TAG_EXITS, "%u call%s can not be told from calls by others, and ha%s no probe",
			     list.conditional + f->unwatched, list.conditional + f->unwatched == 1 ? "" : "s",
			     list.conditional + f->unwatched == 1 ? "s" : "ve");
}

/* ---- the whole ---- */

/* Words behind the root: function(...) or statement(...), and how. */
static bool read_point(struct finding *f, const struct point_match *m, unsigned words)
{
	f->what = m->component[words];
	f->how = m->n > words + 1 ? m->component[words + 1] : NULL;
	f->suffix = f->how ? arena_printf(f->a, ".%s", components_text(f->a, f->how)) : "";
	if (!f->how || is_statement(f))
		return true;
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
		if (strcmp(variants[i].word, f->how->name->text))
			continue;
		f->variant = variants[i].variant;
		f->within = variants[i].within;
	}
	if (f->within == ITS_CALLEES && f->how->next)
		f->callee_variant = strcmp(f->how->next->name->text, "call") ? FUNC_RETURN : FUNC_CALL;
	if (f->within == ITS_CALLEES && f->how->arg == ARG_NUM && (f->how->num < 1 || f->how->num > MAX_CALL_LEVELS))
		return missed(f, DI_MALFORMED, arena_printf(f->a, ".callees(N) only acceptable for N >= 1 and at most %d",
							    MAX_CALL_LEVELS));
	return true;
}

static int ask_statements(struct finding *f, struct site_list *list)
{
	struct stmt_query q = { .nearest = f->how != NULL, .any_address = f->p->options->guru };

	if (f->what->arg == ARG_STR)
		q.spec = f->what->str->text;
	else
		q.addr = (uint64_t)f->what->num;
	return find_statements(f->root->obj, &q, f->a, list, f->miss);
}

static int ask_functions(struct finding *f, struct site_list *list)
{
	struct func_query q;

	return find_functions(query(f, &q)->root->obj, &q, f->a, list, f->miss);
}

/* Names stripped files once, and what is known of the reason. */
static void warn_no_debuginfo(struct finding *f)
{
	struct object *o = f->root->obj;

	if (object_has_dwarf(o))
		return;
	if (o->debug_problem)
		diag_warning(f->p->diag, f->span, TAG_NO_DEBUGINFO, "%s", o->debug_problem);
	else
		diag_warning(f->p->diag, f->span, TAG_NO_DEBUGINFO, "'%s' has no debuginfo (DWARF): functions are known from its "
			     "symbol table only", o->path);
}

static void find_in(struct finding *f, const struct root *r)
{
	struct site_list list = { 0 };

	f->root = r;
	if (is_statement(f) ? ask_statements(f, &list) : ask_functions(f, &list)) {
		f->miss->searched = r->obj;
		if (!object_has_dwarf(r->obj) && !f->miss->hint)
			f->miss->hint = arena_printf(f->a, "'%s' has no debuginfo (DWARF)%s%s", r->obj->path,
						     r->obj->debug_problem ? ": " : "",
						     r->obj->debug_problem ? r->obj->debug_problem : "");
		return;
	}
	warn_no_debuginfo(f);
	if (list.warning)
		diag_warning(f->p->diag, f->span, TAG_PROBE_POINT, "%s", list.warning);
	if (list.ninline_only && f->variant == FUNC_RETURN)
		warn_inline_only(f, &list);
	if (f->within == ITS_CALLEES)
		add_callees(f, &list);
	else if (f->within == ITS_LABELS)
		add_labels(f, &list);
	else if (f->variant == FUNC_RETURN)
		add_all_returns(f, &list);
	else
		add_entries(f, &list);
}

static bool function_find(struct program *p, const struct point_match *m, struct found *out, struct di_miss *miss)
{
	struct finding f = { .p = p, .a = p->arena, .out = out, .miss = miss, .tail = &out->sites,
			     .span = m->component[0]->span };
	struct roots roots;

	if (!process_roots(p, m, &roots, miss) || !read_point(&f, m, roots.words))
		return false;
	out->kind = SP_PROBE_SITE;
	for (const struct root *r = roots.first; r; r = r->next)
		find_in(&f, r);
	return out->nsites > 0;
}

static void called_from(struct program *p, const struct site *site, struct target_result *out)
{
	struct loc_expr *always = ARENA_NEW(p->arena, struct loc_expr);

	*always = (struct loc_expr){ .kind = LOC_CONST, .num = 1 };
	*out = (struct target_result){ .kind = TARGET_FETCH };
	out->fetch.value = site->called_from ? site->called_from : always;
	out->fetch.fault_is_zero = true;
}

static void function_target(struct program *p, const struct point_match *m, const struct site *site, const struct expr *e,
			    struct target_result *out)
{
	(void)m;
	if (target_is(e, CALLER_TARGET))
		called_from(p, site, out);
	else if ((site->kind == SP_SITE_RETURN || site->kind == SP_SITE_TAIL) &&
	    (target_is(e, "$return") || target_is(e, "$$return")))
		target_returned(p, site, e, out);
	else if (target_is(e, "$$return"))
		replacement_string(p, e->span, "", out);
	else
		target_in_scope(p, site, site->scope, e, out);
}

static void function_list(struct program *p, const struct site *site, struct strbuf *b)
{
	bool at_exit = site->kind == SP_SITE_RETURN || site->kind == SP_SITE_TAIL;
	const struct site *where = at_exit && site->entry ? site->entry : site;
	const struct visible_var *vars;
	const struct ctype *type;
	unsigned n;

	if (!where->scope)
		return;
	type = at_exit ? scope_return_type(where->scope, p->arena) : NULL;
	if (type)
		strbuf_printf(b, " $return:%s", type->name);
	n = scope_variables(where->scope, where->pc, VARS_PARAMETERS | VARS_LOCALS, p->arena, &vars);
	for (unsigned i = 0; i < n; i++)
		if (vars[i].readable)
			strbuf_printf(b, " $%s:%s", vars[i].name, vars[i].type ? vars[i].type->name : "unknown");
}

const struct provider provider_function = {
	.name		= "function",
	.patterns	= function_patterns,
	.backends	= BE_KERNEL | BE_USER,
	.context	= CTX_USER_REGS,
	.unprivileged	= true,
	.find		= function_find,
	.target		= function_target,
	.list		= function_list,
	.help		= "functions and statements of programs and libraries",
};
