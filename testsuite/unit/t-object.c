/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-object.c - opening files: layout, separate debug files and their refusal, libraries, PLT, damaged input. */
#include "check.h"
#include "compile.h"
#include "debuginfo/debuginfo.h"
#include "support/arena.h"

static struct arena *a;
static struct di_miss miss;

static struct object *open_in(const char *name, const char *debug_path_list)
{
	struct object_options opts = { .debug_path_list = debug_path_list };

	return object_open(in_scratch(name), &opts, a, &miss);
}

static bool has_text(const char *text, const char *part)
{
	return text && strstr(text, part);
}

/* The bytes of a function in memory order, from the file by our offset and from objdump by address. */
static void check_layout(const char *flags)
{
	struct symbol_info sym;
	struct object *obj;
	uint64_t off, addr;
	unsigned char byte;
	FILE *f;

	if (!sh("${CC:-cc} %s -w -g -o layout %s/places.c", flags, FIXTURES)) {
		printf("skip %s: does not compile here\n", flags);
		return;
	}
	obj = open_in("layout", NULL);
	CHECK(obj != NULL);
	if (!obj)
		return;
	CHECK(object_symbol_named(obj, "exported_function", &sym) && sym.is_function && sym.exported && sym.size);
	CHECK(object_file_offset(obj, sym.link_addr, &off));
	f = fopen(in_scratch("layout"), "r");
	CHECK(f && fseek(f, off, SEEK_SET) == 0 && fread(&byte, 1, 1, f) == 1 &&
	      byte == *object_bytes(obj, sym.link_addr, 1));
	if (f)
		fclose(f);
	CHECK(object_link_address(obj, off, &addr) && addr == sym.link_addr);
	CHECK(object_segment(obj, sym.link_addr)->executable);
	CHECK(object_symbol_named(obj, "counter", &sym) && sym.is_object);
	CHECK(!object_file_offset(obj, sym.link_addr, &off));	/* .bss: nothing of it is in the file */
	CHECK(object_symbol_at(obj, sym.link_addr + 1, &sym) && strcmp(sym.name, "counter") == 0);
	CHECK(object_has_dwarf(obj) && obj->debug_source == DEBUG_OWN);
	object_close(obj);
}

static void check_debug_files(void)
{
	struct object *obj;
	const char *id;

	CHECK(sh("${CC:-cc} -g -w -Wl,--build-id -o linked %s/places.c && objcopy --only-keep-debug linked linked.debug && "
		 "strip -g linked && objcopy --add-gnu-debuglink=linked.debug linked", FIXTURES));
	obj = open_in("linked", "+:.debug");
	CHECK(obj && object_has_dwarf(obj) && obj->debug_source == DEBUG_LINK);
	CHECK(obj && has_text(obj->debug_path, "/linked.debug"));
	id = obj ? obj->build_id_hex : "";
	CHECK(sh("mkdir -p root/.build-id/%.2s && mv linked.debug root/.build-id/%.2s/%s.debug", id, id, id + 2));
	object_close(obj);

	obj = open_in("linked", arena_printf(a, "+:.debug:%s/root", scratch_dir()));
	CHECK(obj && object_has_dwarf(obj) && obj->debug_source == DEBUG_BUILD_ID);
	object_close(obj);

	/* Another build's debug file under the right name: refused, and named. */
	CHECK(sh("mkdir -p .debug && ${CC:-cc} -g -O2 -w -Wl,--build-id -o other %s/places.c && "
		 "objcopy --only-keep-debug other .debug/linked.debug", FIXTURES));
	obj = open_in("linked", "+:.debug");
	CHECK(obj && !object_has_dwarf(obj) && obj->debug_source == DEBUG_NONE);
	CHECK(obj && has_text(obj->debug_problem, "/.debug/linked.debug") && has_text(obj->debug_problem, "build-id"));
	object_close(obj);

	/* Without build-ids the CRC decides. */
	CHECK(sh("${CC:-cc} -g -w -Wl,--build-id=none -o plain %s/places.c && objcopy --only-keep-debug plain plain.debug && "
		 "strip -g plain && objcopy --add-gnu-debuglink=plain.debug plain", FIXTURES));
	obj = open_in("plain", "+:.debug");
	CHECK(obj && !obj->build_id && object_has_dwarf(obj) && obj->debug_source == DEBUG_LINK);
	object_close(obj);
	CHECK(sh("printf x >> plain.debug"));
	obj = open_in("plain", "+:.debug");
	CHECK(obj && !object_has_dwarf(obj) && has_text(obj->debug_problem, "CRC"));
	object_close(obj);
	obj = open_in("plain", "-:.debug");
	CHECK(obj && object_has_dwarf(obj));
	object_close(obj);
}

/* Full symbols in .gnu_debugdata, as Fedora ships them. */
static void check_minidebug(void)
{
	struct symbol_info sym;
	struct object *obj;

	if (!have("xz")) {
		printf("skip minidebuginfo: no xz here\n");
		return;
	}
	CHECK(sh("${CC:-cc} -w -o mini %s/places.c && objcopy -S --remove-section=.comment --keep-symbol=local_function "
		 "--keep-symbol=exported_function mini mini.syms && objcopy --only-keep-debug mini.syms mini.dbg && "
		 "xz -f mini.dbg && strip mini && objcopy --add-section .gnu_debugdata=mini.dbg.xz mini", FIXTURES));
	obj = open_in("mini", NULL);
	CHECK(obj && object_symbol_named(obj, "local_function", &sym) && sym.is_function);
	CHECK(obj && obj->symbol_source == SYMBOLS_MINIDEBUG);
	object_close(obj);
}

static const char *library_path(const struct needed_library *lib, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(lib[i].name, name) == 0)
			return lib[i].path ? lib[i].path : "not found";
	return "not listed";
}

static void check_libraries(void)
{
	const struct needed_library *lib = NULL;
	struct object *obj;
	const char *want;
	unsigned n = 0;

	CHECK(sh("mkdir -p libs && echo 'int deep(void) { return 1; }' > deep.c && "
		 "echo 'int deep(void); int near(void) { return deep(); }' > near.c && "
		 "echo 'int near(void); int main(void) { return near(); }' > user.c && "
		 "${CC:-cc} -shared -fPIC -o libs/libdeep.so deep.c && "
		 "${CC:-cc} -shared -fPIC -Wl,-rpath,'$ORIGIN' -o libs/libnear.so near.c -Llibs -ldeep && "
		 "${CC:-cc} -Wl,-rpath,'$ORIGIN/libs' -o user user.c -Llibs -lnear -Wl,-rpath-link,libs"));
	want = arena_printf(a, "%s/libs/libnear.so", scratch_dir());
	obj = open_in("user", NULL);
	CHECK(obj && object_needed_libraries(obj, a, &lib, &n) == 0);
	CHECK_STR(library_path(lib, n, "libnear.so"), want);
	CHECK_STR(library_path(lib, n, "libdeep.so"), arena_printf(a, "%s/libs/libdeep.so", scratch_dir()));
	CHECK(strstr(library_path(lib, n, "libc.so.6"), "/libc.so.6"));
	object_close(obj);

	/* A library has no loader of its own to ask: DT_NEEDED is walked. */
	obj = open_in("libs/libnear.so", NULL);
	CHECK(obj && !obj->interpreter && object_needed_libraries(obj, a, &lib, &n) == 0);
	CHECK_STR(library_path(lib, n, "libdeep.so"), arena_printf(a, "%s/libs/libdeep.so", scratch_dir()));
	object_close(obj);

	CHECK(sh("${CC:-cc} -w -static -o alone %s/places.c", FIXTURES));
	obj = open_in("alone", NULL);
	CHECK(obj && obj->is_static && object_needed_libraries(obj, a, &lib, &n) != 0);
	object_close(obj);
}

static void check_plt(const char *flags)
{
	const struct plt_entry *entry;
	struct object *obj;
	unsigned n = 0;

	if (!sh("${CC:-cc} %s -w -o plt %s/places.c", flags, FIXTURES)) {
		printf("skip %s: does not compile here\n", flags);
		return;
	}
	obj = open_in("plt", NULL);
	CHECK(obj && find_plt(obj, "abort", a, &entry, &n, &miss) == 0 && n == 1);
	CHECK(obj && find_plt(obj, "abrot", a, &entry, &n, &miss) != 0 && miss.nalt && !strcmp(miss.alt[0], "abort"));
	object_close(obj);
}

/* Everything that reads the file, for what it may find in a damaged one; only crashes count. */
static void read_everything(const char *path)
{
	struct object *obj = object_open(path, NULL, a, &miss);
	struct func_query fq = { .spec = "*" };
	struct stmt_query sq = { .spec = "*@places.c:20" };
	const struct needed_library *lib;
	const struct plt_entry *plt;
	struct mark_site **marks;
	struct addr_range range;
	struct site_list list;
	unsigned n;

	if (!obj)
		return;
	if (find_functions(obj, &fq, a, &list, &miss) == 0) {
		for (unsigned i = 0; i < list.n && i < 50; i++) {
			struct target_query q = { .name = "n", .scope = list.site[i]->scope, .pc = list.site[i]->addr };
			const struct visible_var *vars;
			struct target_value v;

			scope_variables(q.scope, q.pc, VARS_PARAMETERS | VARS_LOCALS, a, &vars);
			target_resolve(&q, a, &v, &miss);
		}
	}
	find_statements(obj, &sq, a, &list, &miss);
	find_marks(obj, NULL, "*", a, &marks, &n, &miss);
	find_plt(obj, "*", a, &plt, &n, &miss);
	fde_covering(obj, obj->entry_addr, &range);
	if (!obj->interpreter)
		object_needed_libraries(obj, a, &lib, &n);
	object_close(obj);
}

static void check_damage(void)
{
	enum { COPIES = 60, FLIPS = 12 };
	static unsigned char good[1 << 18], bad[1 << 18];
	const char *path = in_scratch("damaged");
	uint64_t random = 88172645463325252ULL;
	size_t size;
	FILE *f;

	CHECK(sh("${CC:-cc} -O2 -g -w -o whole %s/places.c", FIXTURES));
	f = fopen(in_scratch("whole"), "r");
	size = f ? fread(good, 1, sizeof(good), f) : 0;
	if (f)
		fclose(f);
	CHECK(size > 0 && size < sizeof(good));
	for (unsigned i = 0; i < COPIES && size; i++) {
		memcpy(bad, good, size);
		for (unsigned k = 0; k < FLIPS; k++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			bad[random % size] = random >> 32;
		}
		f = fopen(path, "w");
		if (!f)
			break;
		fwrite(bad, 1, i % 8 == 7 ? random % size : size, f);
		fclose(f);
		read_everything(path);
	}
	CHECK(true);	/* still here */
}

int main(void)
{
	struct object *obj;

	a = arena_new();
	CHECK(!open_in("missing", NULL) && miss.reason == DI_NO_FILE);
	CHECK(sh("echo text > text"));
	CHECK(!open_in("text", NULL) && miss.reason == DI_BAD_ELF);
	CHECK(sh("${CC:-cc} -w -c -o part.o %s/places.c", FIXTURES));
	obj = open_in("part.o", NULL);
	CHECK(!obj && miss.reason == DI_BAD_ELF);
	check_layout("-O0");
	check_layout("-O2 -no-pie");
	check_layout("-fuse-ld=lld");
	check_layout("-no-pie -Wl,-Ttext=0x700000");
	check_layout("-static");
	check_layout("-static-pie");
	check_layout("-gz");
	check_debug_files();
	check_minidebug();
	check_libraries();
	check_plt("-O0");
	check_plt("-O2 -fcf-protection -Wl,-z,ibtplt");
	check_plt("-O2 -Wl,-z,now");
	check_plt("-O2 -fuse-ld=lld");
	check_damage();
	arena_free(a);
	return check_end();
}
