/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-target.c - target variables, read from a running program and compared with its source (fixtures/fetch.c).
 *
 * Rows say what to read where; every compiler, optimisation level, DWARF version and link form of the lists below must
 * give that value.  Rows marked MAY_O may be optimised out, but if they have a value it is this one.
 */
#include "check.h"
#include "compile.h"
#include "debuginfo/debuginfo.h"
#include "support/arena.h"
#include "testsuite/unit/inferior.h"

enum where { ENTRY, RETURN, LINE };
enum need { MUST, MAY_O };			/* MAY_O: may be optimised out above -O0 */

#define INT(x) .value = (x)
#define REAL(x) .is_float = true, .real = (x)

static const struct row {
	enum where where;
	const char *spec, *path;		/* path: "p->at[1]->y", "[k0]" is run-time index 0 */
	enum need need;
	int64_t value;
	bool is_float;
	double real;
} rows[] = {
	{ ENTRY, "ints", "a", MUST, INT(-1) },
	{ ENTRY, "ints", "b", MUST, INT(255) },
	{ ENTRY, "ints", "c", MUST, INT(-2) },
	{ ENTRY, "ints", "d", MUST, INT(65535) },
	{ ENTRY, "ints", "e", MUST, INT(-3) },
	{ ENTRY, "ints", "f", MUST, INT(4294967295LL) },
	{ ENTRY, "ints", "g", MUST, INT(-4) },
	{ ENTRY, "ints", "h", MUST, INT(INT64_MIN) },
	{ ENTRY, "ints", "shared", MUST, INT(-12) },
	{ ENTRY, "ints", "hidden", MAY_O, INT(4711) },
	{ ENTRY, "ints", "outer_p->tag", MUST, INT('o') },
	{ ENTRY, "ints", "GREEN", MUST, INT(5) },
	{ ENTRY, "ints", "BLUE", MUST, INT(-3) },
	{ ENTRY, "reals", "a", MUST, REAL(1.5) },
	{ ENTRY, "reals", "b", MUST, REAL(-2.25) },
	{ ENTRY, "reals", "c", MUST, INT(7) },
	{ ENTRY, "reals", "d", MUST, REAL(0.125) },
	{ ENTRY, "structs", "p->tag", MUST, INT('o') },
	{ ENTRY, "structs", "p->s", MUST, INT(-300) },
	{ ENTRY, "structs", "p->at[2]->y", MUST, INT(-15) },
	{ ENTRY, "structs", "p->at[k1]->x", MUST, INT(12) },
	{ ENTRY, "structs", "p->grid[1][2]", MUST, INT(26) },
	{ ENTRY, "structs", "p->grid[k1][k2]", MUST, INT(27) },
	{ ENTRY, "structs", "p->u1", MUST, INT(0x40490fdb) },
	{ ENTRY, "structs", "p->u2", MUST, REAL(3.14159274101257324) },
	{ ENTRY, "structs", "p->fl->lo", MUST, INT(5) },
	{ ENTRY, "structs", "p->fl->mid", MUST, INT(-9) },
	{ ENTRY, "structs", "p->fl->wide", MUST, INT(0x123456789aLL) },
	{ ENTRY, "structs", "p->fl->tail", MUST, INT(300) },
	{ ENTRY, "structs", "p->c", MUST, INT(5) },
	{ ENTRY, "structs", "p->next->c", MUST, INT(-3) },
	{ ENTRY, "structs", "p->next->at[0]->y", MUST, INT(2) },
	{ ENTRY, "structs", "p->next->next", MUST, INT(0) },
	{ ENTRY, "structs", "p->name[0]", MUST, INT('o') },
	{ ENTRY, "structs", "p->next->name[k2]", MUST, INT('e') },
	{ ENTRY, "structs", "p->d", MUST, REAL(2.5) },
	{ ENTRY, "structs", "p->f", MUST, REAL(-0.75) },
	{ ENTRY, "structs", "p->ll", MUST, INT(-1234567890123LL) },
	{ ENTRY, "structs", "p->uc", MUST, INT(200) },
	{ ENTRY, "structs", "p->b", MUST, INT(1) },
	{ ENTRY, "structs", "p->named->in1", MUST, INT(77) },
	{ ENTRY, "structs", "p->named->in2", MUST, INT(88) },
	{ ENTRY, "structs", "p->odd[2]", MUST, INT(3) },
	{ ENTRY, "structs", "p[0]->s", MUST, INT(-300) },
	{ ENTRY, "structs", "small->x", MUST, INT(30) },
	{ ENTRY, "structs", "small->y", MUST, INT(-31) },
	{ ENTRY, "structs", "pp->s", MUST, INT(-7) },
	{ ENTRY, "structs", "by_value->fl->mid", MUST, INT(-9) },
	{ ENTRY, "structs", "by_value->at[1]->y", MUST, INT(13) },
	{ ENTRY, "structs", "by_value->next->s", MUST, INT(-7) },
	{ ENTRY, "locals", "start", MUST, INT(42) },
	{ LINE, "locals@fetch.c:LINE", "sum", MUST, INT(142) },
	{ LINE, "locals@fetch.c:LINE", "start", MAY_O, INT(42) },
	{ LINE, "locals@fetch.c:LINE", "list[2]", MAY_O, INT(9) },
	{ LINE, "locals@fetch.c:LINE", "list[3]", MAY_O, INT(42) },
	{ ENTRY, "twice", "n", MAY_O, INT(142) },
	{ RETURN, "ret_char", "return", MUST, INT(-5) },
	{ RETURN, "ret_ushort", "return", MUST, INT(65000) },
	{ RETURN, "ret_int", "return", MUST, INT(-123456) },
	{ RETURN, "ret_unsigned", "return", MUST, INT(4000000000LL) },
	{ RETURN, "ret_bool", "return", MUST, INT(1) },
	{ RETURN, "ret_enum", "return", MUST, INT(-3) },
	{ RETURN, "ret_float", "return", MUST, REAL(1.25) },
	{ RETURN, "ret_double", "return", MUST, REAL(-3.5) },
	{ RETURN, "ret_pointer", "return->at[2]->y", MUST, INT(-15) },
	{ RETURN, "ret_point", "return->x", MUST, INT(-8) },
	{ RETURN, "ret_point", "return->y", MUST, INT(9) },
	{ RETURN, "ret_pair", "return->a", MUST, INT(1LL << 40) },
	{ RETURN, "ret_pair", "return->b", MUST, INT(-2) },
	{ RETURN, "ret_mixed", "return->d", MUST, REAL(0.5) },
	{ RETURN, "ret_mixed", "return->l", MUST, INT(99) },
	{ RETURN, "ret_floats", "return->x", MUST, REAL(1.5) },
	{ RETURN, "ret_floats", "return->y", MUST, REAL(-2.5) },
	{ RETURN, "ret_three", "return->b", MUST, INT(-2) },
	{ RETURN, "ret_three", "return->c", MUST, INT(3) },
	{ RETURN, "ret_wide", "return->v[4]", MUST, INT(-5) },
};

static const int64_t run_time_index[] = { 0, 1, 3 };	/* [k0], [k1], [k2] */

enum { MAX_STEPS = 8 };

/* "p->at[1]->y" into a query; run-time index k2 is 3 except where an array of 5 letters is meant ("inner"[3] = 'e'). */
static void parse_path(char *text, struct target_query *q, struct target_step *step)
{
	char *at = text + strcspn(text, "-[");
	char stop = *at;

	*at = 0;
	q->name = text;
	q->root = strcmp(text, "return") == 0 ? TARGET_RETURN : TARGET_LOCAL;
	q->step = step;
	while (stop) {
		struct target_step *s = &step[q->nstep++];

		if (stop == '-') {
			s->kind = STEP_MEMBER;
			s->name = at + 2;
			at += 2 + strcspn(at + 2, "-[");
		} else {
			bool run_time = at[1] == 'k';

			s->kind = run_time ? STEP_RUNTIME_INDEX : STEP_INDEX;
			s->index = atoi(at + 1 + run_time);
			at += strcspn(at + 1, "]") + 2;
		}
		stop = *at;
		*at = 0;
	}
}

static char config[128];
static bool optimised;

static void check_row(const struct row *r, bool good, const char *why)
{
	char what[256];

	snprintf(what, sizeof(what), "%s: $%s in %s", config, r->path, r->spec);
	check_result(good, (int)(r - rows), what, why);
}

static void check_value(const struct row *r, struct inferior *inf, const struct target_value *v, unsigned machine,
			struct arena *a)
{
	uint64_t got = inferior_eval(inf, v->value), want = r->value;
	char why[512];

	if (r->is_float)
		memcpy(&want, &r->real, sizeof(want));
	snprintf(why, sizeof(why), "got %lld, want %lld%s from %s", (long long)got, (long long)want,
		 inf->fault ? " (fault)" : "", loc_print(v->value, machine, a));
	check_row(r, got == want && !inf->fault && v->is_float == r->is_float, why);
}

/* Stop the program where the row wants it. */
static bool stop_there(const struct row *r, struct inferior *inf, const struct code_site *site)
{
	if (r->where == ENTRY && site->addr == site->entry_addr) {
		if (!inferior_run_to(inf, site->addr))
			return false;
		inf->entry_regs = inf->regs;
		return true;
	}
	if (site->kind == SITE_FUNCTION) {
		if (!inferior_run_to(inf, site->entry_addr))
			return false;
		inf->entry_regs = inf->regs;
	}
	if (r->where == RETURN)
		return inferior_run_to_run_addr(inf, inferior_peek(inf, inf->regs.rsp, 8));
	return inferior_run_to(inf, site->addr);
}

static int find_site(const struct row *r, struct object *obj, struct arena *a, unsigned line, struct site_list *list,
		     struct di_miss *miss)
{
	struct func_query fq = { .spec = r->spec, .variant = r->where == RETURN ? FUNC_RETURN : FUNC_ANY };
	struct stmt_query sq = { 0 };

	if (r->where != LINE)
		return find_functions(obj, &fq, a, list, miss);
	sq.spec = arena_printf(a, "%.*s%u", (int)(strlen(r->spec) - strlen("LINE")), r->spec, line);
	return find_statements(obj, &sq, a, list, miss);
}

/* One row, in the program stopped where it wants it. */
static void read_row(const struct row *r, const struct code_site *site, struct inferior *inf, bool stopped,
		     struct arena *a)
{
	struct target_step step[MAX_STEPS] = { 0 };
	struct target_query q = { .scope = site->scope, .pc = site->addr };
	struct target_value v;
	struct di_miss miss;

	parse_path(arena_strdup(a, r->path), &q, step);
	if (target_resolve(&q, a, &v, &miss) != 0)
		check_row(r, r->need == MAY_O && optimised && miss.reason == DI_NO_LOCATION, miss.text);
	else if (!stopped)
		check_row(r, false, "the program did not get there");
	else
		check_value(r, inf, &v, site->obj->machine, a);
}

/* All rows from @r on that want the same place. */
static const struct row *run_rows(const struct row *r, const struct row *end, struct object *obj, unsigned line)
{
	struct arena *a = arena_new();
	const struct row *first = r;
	struct inferior inf = { 0 };
	struct site_list list;
	struct di_miss miss;
	bool found = find_site(r, obj, a, line, &list, &miss) == 0;
	bool started = found && inferior_start(&inf, obj);
	bool stopped = started && stop_there(r, &inf, list.site[0]);

	inf.index = run_time_index;
	for (; r < end && r->where == first->where && strcmp(r->spec, first->spec) == 0; r++) {
		if (!found)
			check_row(r, r->need == MAY_O && optimised, miss.text);
		else if (!started)
			printf("skip %s: ptrace does not work here\n", config);
		else
			read_row(r, list.site[0], &inf, stopped, a);
	}
	inferior_kill(&inf);
	arena_free(a);
	return r;
}

/* The line that carries the comment `line:`. */
static unsigned marked_line(void)
{
	char text[512];
	unsigned n = 0, found = 0;
	FILE *f = fopen(FIXTURES "/fetch.c", "r");

	while (f && fgets(text, sizeof(text), f)) {
		n++;
		if (strstr(text, "/* line:"))
			found = n;
	}
	if (f)
		fclose(f);
	return found;
}

static void run_config(const char *compiler, const char *flags)
{
	struct arena *a = arena_new();
	unsigned line = marked_line();
	struct di_miss miss;
	struct object *obj;

	snprintf(config, sizeof(config), "%s %s", compiler, flags);
	optimised = !strstr(flags, "-O0");
	if (!sh("%s %s -w -o fetch %s/fetch.c", compiler, flags, FIXTURES)) {
		printf("skip %s: does not compile here\n", config);
		goto out;
	}
	obj = object_open(in_scratch("fetch"), NULL, a, &miss);
	CHECK(obj != NULL);
	if (!obj)
		goto out;
	for (const struct row *r = rows, *end = rows + sizeof(rows) / sizeof(rows[0]); r < end; )
		r = run_rows(r, end, obj, line);
	object_close(obj);
out:
	arena_free(a);
}

int main(void)
{
	static const char *const compilers[] = { "gcc", "clang" };
	/* DWARF 2 and 3 have no way to say what clang knows of optimised code. */
	static const char *const flags[] = {
		"-O0 -gdwarf-5", "-O2 -gdwarf-5", "-O0 -gdwarf-4 -no-pie", "-O2 -gdwarf-4 -no-pie", "-O1 -gdwarf-5 -static",
		"-O3 -gdwarf-4 -fcf-protection", "-O0 -gdwarf-2", "-O2 -gdwarf-5 -gz",
		"-O2 -gdwarf-4 -fomit-frame-pointer -fno-asynchronous-unwind-tables", "-O2 -gdwarf-5 -gsplit-dwarf",
		"-O2 -gdwarf-5 -fuse-ld=lld", "-O0 -gdwarf-5 -no-pie -Wl,-Ttext=0x700000", "-O2 -gdwarf-5 -flto",
	};

	for (unsigned c = 0; c < 2; c++)
		for (unsigned i = 0; have(compilers[c]) && i < sizeof(flags) / sizeof(flags[0]); i++)
			run_config(compilers[c], flags[i]);
	run_config("gcc", "-Og -gdwarf-3");
	run_config("gcc", "-O2 -gdwarf-2");
	return check_end();
}
