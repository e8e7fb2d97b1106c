/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits.c against objdump: samples are built by gcc and clang at several levels, and what the room finds is held against
 * a count over objdump's text, which knows nothing of our rules.  Which indirect jumps are tail calls is known from the
 * samples' sources: in functions named via_* all of them, elsewhere none.
 */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "probes/exits.h"

static const char c_source[] =
	"#include <stdlib.h>\n"
	"volatile int sink;\n"
	"__attribute__((noinline)) int other(int x) { sink = x; return x * 3; }\n"
	"__attribute__((noinline, cold)) void rare(int x) { sink = -x; }\n"
	"__attribute__((noinline)) int plain(int x) { sink = x; return x + 1; }\n"
	"__attribute__((noinline)) int early(int x) { if (x > 9) return 1; sink = x; if (x < 2) return other(x) + 1; sink++; return 7; }\n"
	"__attribute__((noinline)) int tail(int x) { sink = x; return other(x + 1); }\n"
	"__attribute__((noinline)) int choose(int x) { sink++; switch (x) { case 0: return 5; case 1: sink = 2; return 9;\n"
	"  case 2: return other(2); case 3: sink = 4; return 1; case 4: return sink; case 5: return other(sink);\n"
	"  case 6: sink = 17; return 3; case 7: return 11; default: return -1; } }\n"
	"__attribute__((noinline)) int split(int x) { if (__builtin_expect(x < 0, 0)) { rare(x); sink = 8; return x - 5; } return x * x; }\n"
	"__attribute__((noinline)) void never(int x) { sink = x; exit(x); }\n"
	"__attribute__((noinline)) int via_pointer(int (*f)(int), int x) { sink = x; return f(x); }\n"
	"struct ops { long a; int (*f)(int); };\n"
	"__attribute__((noinline)) int via_struct(struct ops *o, int x) { sink = x; return o->f(x); }\n"
	"static int (*const table[])(int) = { other, plain, early, tail };\n"
	"__attribute__((noinline)) int via_table(unsigned i, int x) { sink = x; return table[i & 3](x); }\n"
	"__attribute__((noinline)) int computed(const unsigned char *p, int x) {\n"
	"  static const void *const go[] = { &&add, &&sub, &&mul, &&end };\n"
	"  goto *go[*p];\n"
	"add: x += 3; goto *go[*++p];\n"
	"sub: x -= 5; sink = x; goto *go[*++p];\n"
	"mul: x *= 7; goto *go[*++p];\n"
	"end: return x; }\n"
	"int main(int c, char **v) { struct ops o = { c, plain }; (void)v;\n"
	"  if (c > 99) never(c);\n"
	"  return early(c) + tail(c) + choose(c) + split(c) + via_pointer(plain, c) + via_struct(&o, c) + via_table(c, c) +\n"
	"    computed((const unsigned char *)\"\\0\\1\\2\\3\", c); }\n";

static const char cc_source[] =
	"#include <string>\n#include <stdexcept>\n"
	"volatile int sink;\n"
	"extern \"C\" __attribute__((noinline)) int catches(int x) { try { if (x > 3) throw std::runtime_error(\"x\"); sink = x; return 1; }\n"
	"  catch (std::exception &e) { sink = e.what()[0]; return 2; } }\n"
	"extern \"C\" __attribute__((noinline)) int strings(int x) { std::string s = std::to_string(x); if (s.size() > 2) return 1;\n"
	"  s += \"abc\"; sink = s.size(); return s[0]; }\n"
	"int main(int c, char **) { return catches(c) + strings(c); }\n";

struct count { unsigned returns, tails, conditional, indirect; };

static bool is_part_of(const char *symbol, size_t n, const char *function)
{
	size_t len = strlen(function);

	if (n < len || strncmp(symbol, function, len))
		return false;
	return n == len || !strncmp(symbol + len, ".cold", 5);
}

/* One line of disassembly in the function: which kind of exit it is, by the words in it. */
static void count_line(const char *line, const char *function, struct count *c)
{
	const char *tab = strchr(line, '\t'), *op = tab ? tab + 1 : "", *target = strchr(op, '<');
	bool inside;

	while (!strncmp(op, "bnd ", 4) || !strncmp(op, "repz ", 5) || !strncmp(op, "notrack ", 8))
		op = strchr(op, ' ') + 1;
	if (!strncmp(op, "ret", 3)) {
		c->returns++;
	} else if (*op == 'j' && strchr(op, '*')) {
		c->indirect++;
	} else if (*op == 'j' && target) {
		size_t n = strcspn(target + 1, "+>");

		inside = is_part_of(target + 1, n, function) && !(n == strlen(function) && target[1 + n] == '>');
		if (!inside && !strncmp(op, "jmp", 3))
			c->tails++;
		else if (!inside)
			c->conditional++;
	}
}

static struct count count_in_objdump(const char *file, const char *function)
{
	struct count c = { 0 };
	char command[512], line[1024];
	bool in = false;
	FILE *f;

	snprintf(command, sizeof(command), "objdump -d --no-show-raw-insn %s", file);
	f = popen(command, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *head = strstr(line, " <"), *end = strstr(line, ">:\n");

		if (*line == '\n')
			in = false;
		else if (head && end && *line != ' ')
			in = is_part_of(head + 2, end - head - 2, function);
		else if (in)
			count_line(line, function, &c);
	}
	if (f)
		pclose(f);
	return c;
}

static void compare(struct object *obj, struct arena *a, const char *function, bool pie, const char *how)
{
	struct count want = count_in_objdump(obj->path, function), got = { 0 };
	bool via = !strncmp(function, "via_", 4);
	const struct addr_range *ranges;
	struct exit_list list = { 0 };
	struct symbol_info symbol;
	struct di_miss miss = { 0 };
	char what[256], result[128], wanted[128];
	unsigned n;

	snprintf(what, sizeof(what), "%s in %s", function, how);
	if (!object_symbol_named(obj, function, &symbol) ||
	    object_function_ranges(obj, symbol.link_addr, a, &ranges, &n) ||
	    function_exits(obj, symbol.link_addr, ranges, n, a, &list, &miss)) {
		check_result(false, __LINE__, what, miss.text ? miss.text : "no symbol or ranges");
		return;
	}
	for (unsigned i = 0; i < list.n; i++) {
		got.returns += list.exit[i].kind == EXIT_RETURN;
		got.tails += list.exit[i].kind == EXIT_TAIL;
		got.conditional += list.exit[i].kind == EXIT_TAIL_IF;
	}
	/* a table that the loader fills cannot be read from the file */
	got.tails += via && pie ? list.undecided : 0;
	want.tails += via ? want.indirect : 0;
	snprintf(result, sizeof(result), "%u ret %u tail %u jcc", got.returns, got.tails, got.conditional);
	snprintf(wanted, sizeof(wanted), "%u ret %u tail %u jcc", want.returns, want.tails, want.conditional);
	check_str(result, wanted, __LINE__, what);
}

static bool build(const char *dir, const char *source, const char *command, const char *out)
{
	char path[256], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, source);
	f = fopen(path, "w");
	fputs(strstr(source, ".cc") ? cc_source : c_source, f);
	fclose(f);
	snprintf(line, sizeof(line), "cd %s && %s %s -o %s 2>build.log", dir, command, source, out);
	return system(line) == 0;
}

static void one_build(const char *dir, const char *source, const char *command, const char *const *functions)
{
	struct arena *a = arena_new();
	struct di_miss miss = { 0 };
	char path[300];
	struct object *obj;

	if (!build(dir, source, command, "sample")) {
		check_result(false, __LINE__, command, "does not build");
		arena_free(a);
		return;
	}
	snprintf(path, sizeof(path), "%s/sample", dir);
	obj = object_open(path, NULL, a, &miss);
	if (!obj)
		check_result(false, __LINE__, command, miss.text);
	for (; obj && *functions; functions++)
		compare(obj, a, *functions, obj->is_dyn, command);
	if (obj)
		object_close(obj);
	arena_free(a);
}

int main(void)
{
	static const char *const c_functions[] = { "other", "plain", "early", "tail", "choose", "split", "never", "via_pointer",
		"via_struct", "via_table", "computed", "main", NULL };
	static const char *const cc_functions[] = { "catches", "strings", "main", NULL };
	static const char *const flags[] = { "-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -no-pie -fno-pie",
		"-O0 -no-pie -fno-pie", "-O2 -fcf-protection=full", "-O2 -g", NULL };
	char dir[] = "/tmp/t-exits.XXXXXX", command[128];

	if (!mkdtemp(dir))
		return 1;
	for (unsigned i = 0; flags[i]; i++) {
		snprintf(command, sizeof(command), "gcc %s", flags[i]);
		one_build(dir, "s.c", command, c_functions);
		snprintf(command, sizeof(command), "clang %s", flags[i]);
		one_build(dir, "s.c", command, c_functions);
		snprintf(command, sizeof(command), "g++ %s", flags[i]);
		one_build(dir, "s.cc", command, cc_functions);
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) || check_end();
}
