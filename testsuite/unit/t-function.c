/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-function.c - functions, variants, lines and their names, against the fixtures' source and nm. */
#include <errno.h>

#include "check.h"
#include "compile.h"
#include "debuginfo/debuginfo.h"
#include "support/arena.h"

static struct arena *a;
static struct object *obj;
static struct di_miss miss;
static struct site_list list;

static unsigned functions(const char *spec, enum func_variant variant)
{
	struct func_query q = { .spec = spec, .variant = variant };

	memset(&miss, 0, sizeof(miss));
	return find_functions(obj, &q, a, &list, &miss) == 0 ? list.n : 0;
}

static unsigned statements(const char *spec, bool nearest)
{
	struct stmt_query q = { .spec = spec, .nearest = nearest };

	memset(&miss, 0, sizeof(miss));
	return find_statements(obj, &q, a, &list, &miss) == 0 ? list.n : 0;
}

static const char *listing(unsigned i)
{
	const char *slash = i < list.n ? strrchr(list.site[i]->listing, '/') : NULL;
	const char *at = slash ? strchr(list.site[i]->listing, '@') : NULL;

	/* Without the folder: "main@places.c:36". */
	return at ? arena_printf(a, "%.*s@%s", (int)(at - list.site[i]->listing), list.site[i]->listing, slash + 1) :
	       i < list.n ? list.site[i]->listing : "-";
}

/* The line of a fixture that carries @text. */
static unsigned line_with(const char *fixture, const char *text)
{
	char path[512], line[512];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", FIXTURES, fixture);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		n++;
		if (strstr(line, text)) {
			fclose(f);
			return n;
		}
	}
	if (f)
		fclose(f);
	return 0;
}

/* What nm says of a symbol. */
static unsigned long long nm_address(const char *program, const char *symbol)
{
	unsigned long long addr = 0;
	char command[512];
	FILE *p;

	snprintf(command, sizeof(command), "nm %s | awk '$3 == \"%s\" { print $1 }'", in_scratch(program), symbol);
	p = popen(command, "r");
	if (!p || fscanf(p, "%llx", &addr) != 1)
		addr = 0;
	if (p)
		pclose(p);
	return addr;
}

static void check_c_functions(const char *program)
{
	unsigned decl = line_with("places.c", "int exported_function(int n)");

	CHECK_NUM(functions("exported_function", FUNC_ANY), 1);
	CHECK_STR(listing(0), arena_printf(a, "exported_function@places.c:%u", decl));
	CHECK_NUM(list.site[0]->entry_addr, nm_address(program, "exported_function"));
	CHECK(list.site[0]->exported && list.site[0]->kind == SITE_FUNCTION);
	CHECK_NUM(functions("weak_function", FUNC_ANY), 1);	/* an alias lists as the function itself */
	CHECK_STR(listing(0), arena_printf(a, "exported_function@places.c:%u", decl));
	CHECK_NUM(functions("weak_f*", FUNC_CALL), 1);
	CHECK_STR(listing(0), arena_printf(a, "exported_function@places.c:%u", decl));
	CHECK_NUM(functions("local_function", FUNC_CALL), 1);
	CHECK(!list.site[0]->exported);
	CHECK_NUM(functions("local_function", FUNC_EXPORTED), 0);
	CHECK_NUM(functions("twice", FUNC_ANY), 2);
	CHECK(list.site[0]->kind == SITE_INLINE && list.site[1]->kind == SITE_INLINE);
	CHECK_NUM(functions("twice", FUNC_INLINE), 2);
	CHECK_NUM(functions("twice", FUNC_RETURN), 0);
	CHECK_NUM(miss.reason, DI_ONLY_INLINE);
	CHECK_NUM(functions("*@places.c", FUNC_CALL), 3);
	CHECK_NUM(functions("*@places.c", FUNC_RETURN), 3);
	CHECK_NUM(list.ninline_only, 1);
	CHECK_NUM(functions("*@fixtures/places.c", FUNC_CALL), 3);
	CHECK_NUM(functions("*@laces.c", FUNC_CALL), 0);
	CHECK_NUM(functions("exp*_function", FUNC_ANY), 1);
	CHECK_NUM(functions("_start", FUNC_ANY), 1);
	CHECK(list.site[0]->kind == SITE_SYMBOL && !list.site[0]->scope);
	CHECK_NUM(functions("exported_functoin", FUNC_ANY), 0);
	CHECK(miss.nalt > 0 && strcmp(miss.alt[0], "exported_function") == 0);
	CHECK_NUM(functions("f@", FUNC_ANY), 0);
	CHECK_NUM(miss.reason, DI_MALFORMED);
}

static void check_c_statements(bool optimised)
{
	unsigned in_exported = line_with("places.c", "/* in exported */"), in_twice = line_with("places.c", "/* in twice */");
	const char *file;
	unsigned line;

	CHECK_NUM(statements(arena_printf(a, "exported_function@places.c:%u", in_exported), false), 1);
	CHECK_STR(listing(0), arena_printf(a, "exported_function@places.c:%u", in_exported));
	CHECK(source_line(obj, list.site[0]->addr, &file, &line) && line == in_exported);
	/* Optimised, the line's first record may lie just outside the inlined copy. */
	CHECK(statements(arena_printf(a, "*@places.c:%u", in_twice), false) >= (optimised ? 1 : 2));
	CHECK_NUM(list.site[0]->line, in_twice);
	if (!optimised) {
		CHECK_STR(listing(0), arena_printf(a, "twice@places.c:%u", in_twice));
		CHECK(source_line(obj, list.site[0]->addr, &file, &line) && line == in_twice);
	}
	CHECK_NUM(statements(arena_printf(a, "exported_function@places.c:%u", in_exported - 1), false), 0);
	CHECK_NUM(miss.reason, DI_NO_LINE);
	CHECK(miss.nalt > 0 && strcmp(miss.alt[miss.nalt - 1], arena_printf(a, ":%u", in_exported)) == 0);
	CHECK_NUM(statements(arena_printf(a, "exported_function@places.c:%u", in_exported - 1), true), 1);
	CHECK_STR(listing(0), arena_printf(a, "exported_function@places.c:%u", in_exported - 1));
	CHECK(source_line(obj, list.site[0]->addr, &file, &line) && line == in_exported);
	CHECK_NUM(statements("exported_function", false), 1);
	CHECK_NUM(list.site[0]->addr, list.site[0]->entry_addr);
	if (!optimised) {
		unsigned decl = line_with("places.c", "int exported_function(int n)");

		CHECK_NUM(statements(arena_printf(a, "exported_function@places.c+%u", in_exported - decl), false), 1);
		CHECK_NUM(list.site[0]->line, in_exported);
		/* Its opening line and the return; gcc gives the closing brace a statement, too. */
		CHECK(statements("main@places.c:*", false) >= 2 && list.site[1]->line == list.site[0]->line + 2);
	}
}

static void check_addresses(const char *program, bool optimised)
{
	struct func_query q = { .addr = nm_address(program, "exported_function") + 1 };
	struct stmt_query sq = { .addr = q.addr };

	CHECK_NUM(find_functions(obj, &q, a, &list, &miss), 0);
	CHECK_STR(list.site[0]->name, "exported_function");
	if (!optimised) {	/* then the prologue is one statement of several instructions */
		CHECK_NUM(find_statements(obj, &sq, a, &list, &miss), -ENOENT);
		CHECK_NUM(miss.reason, DI_NOT_STATEMENT);
	}
	sq.addr--;
	CHECK_NUM(find_statements(obj, &sq, a, &list, &miss), 0);
	CHECK_NUM(list.site[0]->addr, sq.addr);
}

/* gcc moves the branch to abort() out of line: both parts belong to the function, with and without DWARF. */
static void check_cold_part(const char *program)
{
	unsigned long long hot = nm_address(program, "exported_function"), cold = nm_address(program, "exported_function.cold");
	const struct addr_range *r;
	struct addr_range fde;
	unsigned n;

	CHECK(cold != 0);
	CHECK_NUM(object_function_ranges(obj, hot, a, &r, &n), 0);
	CHECK_NUM(n, 2);
	CHECK(n == 2 && r[0].lo == hot && r[1].lo == cold);
	CHECK_NUM(object_function_ranges(obj, cold, a, &r, &n), 0);
	CHECK(n == 2 && r[0].lo == hot && r[1].lo == cold);
	CHECK(fde_covering(obj, cold, &fde) && fde.lo == cold);
	CHECK(fde_covering(obj, hot, &fde) && fde.lo == hot);
}

static bool open_program(const char *name)
{
	obj = object_open(in_scratch(name), NULL, a, &miss);
	CHECK(obj != NULL);
	return obj != NULL;
}

static void check_c(const char *compiler, const char *flags)
{
	if (!sh("%s %s -w -o places %s/places.c", compiler, flags, FIXTURES)) {
		printf("skip %s %s: does not compile here\n", compiler, flags);
		return;
	}
	printf("# %s %s\n", compiler, flags);
	if (!open_program("places"))
		return;
	check_c_functions("places");
	check_c_statements(!strstr(flags, "-O0"));
	check_addresses("places", !strstr(flags, "-O0"));
	if (strcmp(compiler, "gcc") == 0 && strstr(flags, "-O2"))
		check_cold_part("places");
	object_close(obj);
	CHECK(sh("strip -g -o places.stripped places"));
	if (!open_program("places.stripped"))
		return;
	CHECK(!object_has_dwarf(obj) && obj->debug_problem);
	CHECK_NUM(functions("exported_function", FUNC_RETURN), 1);
	CHECK(list.site[0]->kind == SITE_SYMBOL && list.site[0]->entry_addr == nm_address("places", "exported_function"));
	CHECK_NUM(functions("expor*_function", FUNC_EXPORTED), 1);
	CHECK_NUM(statements("exported_function@places.c:20", false), 0);
	CHECK_NUM(miss.reason, DI_NO_DEBUGINFO);
	if (strcmp(compiler, "gcc") == 0 && strstr(flags, "-O2"))
		check_cold_part("places");
	object_close(obj);
}

static void check_cxx(const char *compiler, const char *flags)
{
	if (!sh("%s %s -w -o places.cxx %s/places.cc", compiler, flags, FIXTURES)) {
		printf("skip %s %s: does not compile here\n", compiler, flags);
		return;
	}
	if (!open_program("places.cxx"))
		return;
	CHECK_NUM(functions("method", FUNC_CALL), 1);
	CHECK_STR(list.site[0]->name, "method");
	CHECK_NUM(functions("outer::inner::Thing::method", FUNC_CALL), 1);
	CHECK_STR(list.site[0]->name, "outer::inner::Thing::method");
	CHECK_NUM(functions("Thing::helper", FUNC_CALL), 1);
	CHECK_STR(list.site[0]->name, "outer::inner::Thing::helper");
	CHECK_NUM(functions("Nothing::helper", FUNC_CALL), 0);
	CHECK_NUM(functions("over", FUNC_CALL), 3);
	CHECK_NUM(functions("outer::over", FUNC_CALL), 2);
	CHECK_NUM(functions("::over", FUNC_CALL), 1);
	CHECK_NUM(functions("*::over", FUNC_CALL), 3);
	CHECK_NUM(functions("_ZN5outer4overEd", FUNC_CALL), 1);
	CHECK_STR(list.site[0]->name, "_ZN5outer4overEd");
	if (strstr(flags, "-O0")) {
		CHECK_NUM(functions("operator==", FUNC_CALL), 1);
		CHECK_NUM(functions("convert<long*>", FUNC_CALL), 1);
	}
	object_close(obj);
}

int main(void)
{
	static const char *const flags[] = {
		"-g -O0", "-g -O2", "-gdwarf-4 -O2 -no-pie", "-g -O0 -static-pie", "-gdwarf-4 -O0", "-g -O2 -fuse-ld=lld",
	};

	a = arena_new();
	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		check_c("gcc", flags[i]);
		check_c("clang", flags[i]);
		check_cxx("g++", flags[i]);
		check_cxx("clang++", flags[i]);
	}
	arena_free(a);
	return check_end();
}
