/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-names.c - the index of names and the scan below it, over the forms that debug information comes in: each must
 * find what libdw's own walk finds, with no index, with one just made and with one from the cache; a damaged one is
 * made anew. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "compile.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/units.h"
#include "support/arena.h"

static struct arena *a;
static const char *form_name;

#define CHECK_FORM(what, good) check_result((good), __LINE__, arena_printf(a, "%s: %s", form_name, what), "is not so")

static struct object *open_with(const char *program, uint64_t index_from)
{
	struct object_options opts = { .index_from = index_from };
	struct di_miss miss = { 0 };

	if (*program != '/')
		opts.debug_path_list = arena_printf(a, "+:.debug:%s/debug", scratch_dir());
	return object_open(*program == '/' ? program : in_scratch(program), &opts, a, &miss);
}

/* ---------------------------------------------------------------------------------------------- scan against walk */

static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && !strcmp(x, y));
}

/* Both see the unit's functions with code in the same order, under the same names. */
static bool same_functions(const struct scan *s, struct unit_functions *walked, Dwarf_CU *own)
{
	unsigned at = 0;

	for (unsigned i = 0; i < s->nentry; i++) {
		const struct scan_entry *e = &s->entry[i];
		Dwarf_Die die = { .addr = (void *)(uintptr_t)(s->from->info.at + e->off), .cu = own };
		uint64_t addr = e->addr;
		const struct func_entry *w;

		if (!addr && !die_entry(&die, &addr))
			continue;
		if (at == walked->n)
			return false;
		w = walked->entry[at++];
		if (w->die.addr != die.addr || w->entry_addr != addr || w->is_inline != e->is_inline ||
		    (e->outer >= 0) != (w->outer != NULL))
			return false;
		if (!e->ask && (!same_text(e->name ? e->name : "", w->name) || !same_text(e->linkage, w->linkage_name)))
			return false;
	}
	return at == walked->n;
}

/* Files of the line tables, against libdw's. */
static bool same_files(struct object *obj, Dwarf_Die *cu)
{
	Dwarf_Files *files;
	bool same = true;
	size_t n;

	if (dwarf_getsrcfiles(cu, &files, &n) != 0)
		return unit_file(obj, cu, 0) == NULL;
	for (size_t i = 0; i < n; i++)
		same &= same_text(unit_file(obj, cu, i), dwarf_filesrc(files, i, NULL, NULL));
	return same && !unit_file(obj, cu, n);
}

static void check_scan(const char *program, bool split)
{
	struct object *obj = open_with(program, 0);
	Dwarf *dw = obj ? object_dwarf(obj) : NULL;
	struct scan_source from;
	struct scan s;
	bool same = true, files = true;
	unsigned read = 0, functions = 0;

	CHECK_FORM("its DWARF is found", dw);
	if (dw) {
		scan_find_sections(&from, dw);
		scan_list_units(&from, dw, a);
		scan_open(&s, &from);
		for (unsigned i = 0; i < from.nunit; i++) {
			struct unit_functions walked = { 0 };
			Dwarf_Die cu;

			if (dwarf_offdie(dw, from.unit[i].first_die, &cu))
				files &= same_files(obj, &cu);
			if (!scan_unit(&s, i))
				continue;
			read++;
			functions += s.nentry;
			walk_unit(&cu, from.unit[i].has_classes, a, &walked);
			same &= same_functions(&s, &walked, cu.cu);
		}
		CHECK_FORM("the scan and libdw agree", same);
		CHECK_FORM("so do the names of files", files);
		CHECK_FORM("the scan reads the program's unit", split || (read && functions >= 3));
		scan_close(&s);
	}
	object_close(obj);
}

/* ---------------------------------------------------------------------------------------------- with and without */

static const char *listing(struct object *obj, const char *spec, enum func_variant variant)
{
	struct func_query q = { .spec = spec, .variant = variant };
	struct di_miss miss = { 0 };
	struct site_list list;
	const char *text = "";

	if (!obj || find_functions(obj, &q, a, &list, &miss) != 0) {
		for (unsigned i = 0; i < miss.nalt; i++)
			text = arena_printf(a, "%s near:%s", text, miss.alt[i]);
		return text;
	}
	for (unsigned i = 0; i < list.n; i++)
		text = arena_printf(a, "%s %s/%llx", text, list.site[i]->listing,
				    (unsigned long long)list.site[i]->addr);
	return text;
}

static const char *answers(const char *program, uint64_t index_from, const char *const *specs)
{
	struct object *obj = open_with(program, index_from);
	const struct scope *scope;
	struct symbol_info main_symbol;
	const char *text = "";

	for (; *specs; specs++)
		text = arena_printf(a, "%s[%s]%s", text, *specs, listing(obj, *specs, FUNC_ANY));
	if (obj && object_symbol_named(obj, "main", &main_symbol)) {
		scope = scope_at(obj, main_symbol.link_addr, a);
		text = arena_printf(a, "%s main:%d", text, scope != NULL);
	}
	object_close(obj);
	return text;
}

static const char *const c_specs[] = {
	"exported_function", "twice", "local_function", "main", "*@places.c", "exp*", "weak_f*", "exported_functoin",
	NULL
};
static const char *const cxx_specs[] = {
	"method", "outer::inner::Thing::method", "over", "outer::over", "::over", "*::over", "_ZN5outer4overEd", "main",
	"*@places.cc", "Thing::*", "metod", NULL
};

/* The folder of indexes; there is one file in it. */
static const char *index_file(void)
{
	const char *dir = in_scratch("cache/names"), *found = NULL;
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			found = arena_printf(a, "%s/%s", dir, e->d_name);
	if (d)
		closedir(d);
	return found;
}

static void check_answers(const char *program, bool cxx)
{
	const char *const *specs = cxx ? cxx_specs : c_specs;
	const char *none = answers(program, 1ull << 60, specs);

	sh("rm -rf cache");
	CHECK_FORM("an index just made gives the same", same_text(none, answers(program, 1, specs)));
	CHECK_FORM("it is in the cache", index_file());
	CHECK_FORM("one from the cache gives the same", same_text(none, answers(program, 1, specs)));
	CHECK_FORM("a function is found", strstr(none, cxx ? "[method] method@" :
						 "[exported_function] exported_function@"));
	CHECK_FORM("its place is right", strstr(none, cxx ? "places.cc:13" : "/places.c:"));
	CHECK_FORM("scopes are found", !cxx || strstr(none, "] outer::inner::Thing::method@"));
	CHECK_FORM("others are not", !cxx || strstr(none, "[::over] over@") || strstr(none, "[::over] ::over@"));
	CHECK_FORM("near names are offered", strstr(none, cxx ? "near:method" : "near:exported_function"));
	CHECK_FORM("main has a scope", strstr(none, "main:1"));
}

/* ---------------------------------------------------------------------------------------------- forms */

struct form {
	const char *name;
	const char *tool;		/* NULL: always there */
	const char *command;		/* %s: the compiler, the source */
	bool cxx, split;
};

static const struct form forms[] = {
	{ "plain", NULL, "%s -g -O2 %s -o prog", false, false },
	{ "plain", NULL, "%s -g -O0 %s -o prog", true, false },
	{ "optimised", NULL, "%s -g -O2 %s -o prog", true, false },
	{ "DWARF 2", NULL, "%s -gdwarf-2 -gstrict-dwarf -O2 %s -o prog", false, false },
	{ "DWARF 3", NULL, "%s -gdwarf-3 -O2 %s -o prog", true, false },
	{ "DWARF 4", NULL, "%s -gdwarf-4 -O2 %s -o prog", true, false },
	{ "64-bit DWARF", NULL, "%s -gdwarf-5 -gdwarf64 -O2 %s -o prog", false, false },
	{ "compressed", NULL, "%s -g -gz=zlib -O2 %s -o prog", true, false },
	{ "compressed the old way", "objcopy", "%s -g -O2 %s -o prog && "
	  "objcopy --compress-debug-sections=zlib-gnu prog",
	  false, false },
	{ "type units", NULL, "%s -gdwarf-4 -fdebug-types-section -O2 %s -o prog", true, false },
	{ "type units of DWARF 5", NULL, "%s -gdwarf-5 -fdebug-types-section -O2 %s -o prog", true, false },
	{ "split", NULL, "%s -gdwarf-5 -gsplit-dwarf -O2 -c %s -o prog.o && $CC prog.o -o prog", true, true },
	{ "split, DWARF 4", NULL, "%s -gdwarf-4 -gsplit-dwarf -O2 -c %s -o prog.o && $CC prog.o -o prog", false, true },
	{ "link-time optimisation", NULL, "%s -g -O2 -flto %s -o prog", false, false },
	{ "dwz", "dwz", "%s -gdwarf-4 -O2 %s -o prog && { dwz prog || true; }", true, false },
	{ "dwz of two", "dwz", "%s -gdwarf-4 -O2 %s -o prog && cp prog second && "
	  "dwz -m common -M common prog second && readelf -S prog | grep -q gnu_debugaltlink", true, false },
	{ "a separate file by link", "objcopy", "%s -g -O2 -Wl,--build-id=none %s -o prog && "
	  "objcopy --only-keep-debug prog prog.debug && strip -g prog && "
	  "objcopy --add-gnu-debuglink=prog.debug prog", false, false },
	{ "a separate file by build-id", "objcopy", "%s -g -O2 -Wl,--build-id=0x0123456789abcdef %s -o prog && "
	  "mkdir -p debug/.build-id/01 && objcopy --only-keep-debug prog debug/.build-id/01/23456789abcdef.debug && "
	  "strip -g prog", false, false },
	{ "a table of names", NULL, "%s -gdwarf-5 -gpubnames -O2 %s -o prog", true, false },
	{ "gdb's index", "gdb-add-index", "%s -g -O2 %s -o prog && gdb-add-index prog", true, false },
};

static void check_form(const struct form *f, const char *compiler)
{
	const char *source = arena_printf(a, "%s/places.%s", FIXTURES, f->cxx ? "cc" : "c");

	form_name = arena_printf(a, "%s, %s", f->name, compiler);
	if (f->tool && !sh("command -v %s >/dev/null", f->tool)) {
		printf("skip %s: no %s\n", form_name, f->tool);
		return;
	}
	if (!sh("rm -rf prog* debug; CC=%s; %s", compiler, arena_printf(a, f->command, compiler, source))) {
		printf("skip %s: the compiler does not make it\n", form_name);
		return;
	}
	check_scan("prog", f->split);
	check_answers("prog", f->cxx);
}

/* ---------------------------------------------------------------------------------------------- damage */

/* Every byte of the file is changed in turn (@step apart), and it is cut at each: answers stay the same. */
static void check_damage(void)
{
	const char *none, *file;
	unsigned char byte;
	bool same = true;
	struct stat st;
	int fd;

	form_name = "damage";
	if (!sh("gcc -g -O2 %s/places.c -o prog", FIXTURES))
		return;
	none = answers("prog", 1ull << 60, c_specs);
	sh("rm -rf cache");
	answers("prog", 1, c_specs);
	file = index_file();
	CHECK_FORM("there is an index", file && !stat(file, &st));
	for (off_t at = 0; file && at < st.st_size; at += at < 256 ? 1 : 61) {
		struct stat now;

		fd = open(file, O_RDWR);
		same &= fd >= 0 && pread(fd, &byte, 1, at) == 1;
		byte ^= 0x55;
		same &= pwrite(fd, &byte, 1, at) == 1;
		close(fd);
		same &= same_text(none, answers("prog", 1, c_specs));
		same &= truncate(file, at) == 0 && same_text(none, answers("prog", 1, c_specs));
		same &= !stat(file, &now) && now.st_size == st.st_size;
	}
	CHECK_FORM("a damaged or torn index is made anew", same);
	/* The same build-id and size, other content. */
	CHECK_FORM("another debug file is seen", sh("cp prog other && touch -d '2001-01-01' other && mv other prog") &&
		   same_text(none, answers("prog", 1, c_specs)) && sh("test -n \"$(find cache/names -newer prog)\""));
	sh("rm -rf cache && touch cache");
	CHECK_FORM("no cache does no harm", same_text(none, answers("prog", 1, c_specs)));
	sh("rm -f cache");
}

/* Several at once make and read the one file. */
static void check_together(void)
{
	const char *none = answers("prog", 1ull << 60, c_specs);
	unsigned wrong = 0;

	form_name = "together";
	sh("rm -rf cache");
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			bool same = true;

			for (int k = 0; k < 10; k++)
				same &= same_text(none, answers("prog", 1, c_specs));
			_exit(!same);
		}
		wrong += pid < 0;
	}
	for (int i = 0, status; i < 8; i++)
		wrong += wait(&status) < 0 || status != 0;
	CHECK_FORM("eight processes get the same answers", wrong == 0);
	CHECK_FORM("one file is left", sh("test $(ls -A cache/names | wc -l) = 1"));
}

/* With arguments: only whether both read each of these programs alike. */
int main(int argc, char **argv)
{
	a = arena_new();
	for (int i = 1; i < argc; i++) {
		form_name = argv[i];
		check_scan(argv[i], false);
	}
	if (argc > 1)
		return check_end();
	setenv("SPILE_CACHE", in_scratch("cache"), 1);
	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		check_form(&forms[i], forms[i].cxx ? "g++" : "gcc");
		check_form(&forms[i], forms[i].cxx ? "clang++" : "clang");
	}
	check_damage();
	check_together();
	arena_free(a);
	return check_end();
}
