/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime for one kernel, compiled once and kept in the cache.  Start reading at kernel_runtime_get().
 *
 * kbuild makes a whole module of the runtime and a stub that stands for the script; its objects and its saved commands are what
 * a script needs later (kernel.c).  core/ and kernel/ are one unit each: each unit costs kbuild 0.3 s and more.
 * An entry is made elsewhere and moved to its place, sealed by a hash, since a machine that goes down may lose what was
 * written before the move; a lock keeps two from making the same.
 */
#include "build/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/cache.h"
#include "build/hash.h"
#include "build/modname.h"
#include "build/saved_cmd.h"
#include "support/file.h"

#define RECIPE_FORMAT "3"		/* raised when the recipe or what is in an entry changes its form */
#define STUB MODNAME_PLACE_HOLDER
#define ENTRIES_MOST 16			/* kept: those used last */

static const char *const part_names[RECIPE_PARTS] = {
	[RECIPE_COMPILE] = "[compile]",
	[RECIPE_CHECK_OBJECT] = "[check-object]",
	[RECIPE_LINK_PART] = "[link-part]",
	[RECIPE_CHECK_PART] = "[check-part]",
	[RECIPE_LINK] = "[link]",
	[RECIPE_OBJECTS] = "[objects]",
};

/* Exported symbols that only some kernels have and no type tells of: see compat/.  Each becomes -DHAVE_NAME. */
static const char *const optional_symbols[] = { "hrtimer_setup" };

struct maker {
	struct arena *a;
	struct diag *d;
	const struct kernel_tree *tree;
	const char *runtime_dir;
	const char *dir;			/* the entry being made */
	const char *work;			/* kbuild's folder in it, gone at the end */
};

/* ---- what an entry is named after ---------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files of @dir that end in @end, sorted, NULL-terminated, in @a. */
static const char **list_files(struct arena *a, const char *dir, const char *end)
{
	const char **names = ARENA_ARRAY(a, const char *, 512);
	size_t n = 0;
	DIR *open_dir = opendir(dir);
	struct dirent *e;

	while (open_dir && n < 511 && (e = readdir(open_dir))) {
		size_t len = strlen(e->d_name), m = strlen(end);

		if (len > m && e->d_name[0] != '.' && !strcmp(e->d_name + len - m, end))
			names[n++] = arena_strdup(a, e->d_name);
	}
	if (open_dir)
		closedir(open_dir);
	qsort(names, n, sizeof(*names), by_name);
	return names;
}

static void hash_folder(struct arena *a, struct hash *h, const char *dir, const char *end)
{
	for (const char **name = list_files(a, dir, end); *name; name++) {
		hash_text(h, *name);
		hash_file(h, arena_printf(a, "%s/%s", dir, *name));
	}
}

static const char *which(struct arena *a, const char *program)
{
	const char *path = getenv("PATH"), *next;

	if (strchr(program, '/'))
		return program;
	for (; path && *path; path = *next ? next + 1 : next) {
		const char *full;

		next = strchrnul(path, ':');
		full = arena_printf(a, "%.*s/%s", (int)(next - path), path, program);
		if (!access(full, X_OK))
			return full;
	}
	return program;
}

static const char *entry_name(struct arena *a, const struct kernel_tree *tree, const char *runtime_dir)
{
	static const char *const folders[] = { "", "core", "kernel", "kernel/compat", "embedded" };
	char name[33];
	struct hash h;

	hash_start(&h);
	hash_text(&h, RECIPE_FORMAT);
	hash_text(&h, tree->release);
	hash_text(&h, tree->build_dir);
	hash_text(&h, tree->cc);
	hash_file_stamp(&h, arena_printf(a, "%s/Module.symvers", tree->build_dir));
	hash_file_stamp(&h, arena_printf(a, "%s/.config", tree->build_dir));
	hash_file_stamp(&h, which(a, tree->cc));
	for (const char *const *var = tree->make_vars; var && *var; var++)
		hash_text(&h, *var);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *dir = arena_printf(a, "%s/%s", runtime_dir, folders[i]);

		hash_folder(a, &h, dir, ".h");
		hash_folder(a, &h, dir, ".c");
	}
	hash_name(&h, name);
	return arena_strdup(a, name);
}

/* ---- kbuild ---------------------------------------------------------------------------------------- */

/* One unit of all files of a folder of the runtime. */
static int write_unit(const struct maker *m, const char *folder)
{
	const char *dir = arena_printf(m->a, "%s/%s", m->runtime_dir, folder);
	struct strbuf text = { 0 };
	int rc;

	for (const char **name = list_files(m->a, dir, ".c"); *name; name++)
		strbuf_printf(&text, "#include \"%s/%s\"\n", dir, *name);
	if (!text.len)
		return -1;
	rc = file_write(arena_printf(m->a, "%s/%s.c", m->work, folder), text.text, text.len);
	strbuf_free(&text);
	return rc;
}

/* Which of the optional symbols the kernel exports: lines of Module.symvers are "CRC\tNAME\tMODULE\tKIND\t...". */
static void add_features(const struct maker *m, struct strbuf *kbuild)
{
	FILE *f = fopen(arena_printf(m->a, "%s/Module.symvers", m->tree->build_dir), "re");
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		char *name = strchr(line, '\t'), *end = name ? strchr(name + 1, '\t') : NULL;

		if (!end)
			continue;
		*end = 0;
		for (size_t i = 0; i < sizeof(optional_symbols) / sizeof(optional_symbols[0]); i++)
			if (!strcmp(name + 1, optional_symbols[i]))
				strbuf_printf(kbuild, " -DHAVE_%s", optional_symbols[i]);
	}
	free(line);
	if (f)
		fclose(f);
}

static int write_sources(const struct maker *m)
{
	struct strbuf text = { 0 };
	int rc;

	/* The unit that takes longest comes first.  With -O1 it takes half as long; what -O2 gains is lost beside a trap. */
	strbuf_printf(&text, "obj-m := %s.o\n%s-y := core.o kernel.o script.o\n"
		      "CFLAGS_core.o := -O1\nCFLAGS_kernel.o := -O1\n"
		      "ccflags-y := -std=gnu11 -Wno-declaration-after-statement -I%s", STUB, STUB, m->runtime_dir);
	add_features(m, &text);
	strbuf_add(&text, "\n");
	rc = file_write(arena_printf(m->a, "%s/Kbuild", m->work), text.text, text.len);
	strbuf_free(&text);
	/* What links as a script does. */
	strbuf_add(&text, "#include \"spile.h\"\nconst struct sp_script sp_script = { .abi = SP_ABI };\n");
	rc |= file_write(arena_printf(m->a, "%s/script.c", m->work), text.text, text.len);
	strbuf_free(&text);
	return rc || write_unit(m, "core") || write_unit(m, "kernel") ? -1 : 0;
}

int kbuild_run(struct arena *a, const struct kernel_tree *tree, const char *dir, struct strbuf *said)
{
	const char *words[32] = { "make", "-j2", "-C", tree->build_dir, arena_printf(a, "M=%s", dir), "modules",
				  /* No debug information: it is never read and would be copied with each module. */
				  "CONFIG_DEBUG_INFO=", "CONFIG_DEBUG_INFO_BTF=", "CONFIG_DEBUG_INFO_BTF_MODULES=",
				  /* Whether the compiler knows a warning is asked of it for each, and for nothing: it bears
				   * -Wno- of what it does not know. */
				  "cc-disable-warning=-Wno-$(strip $(1))" };
	struct child_io io = { .out = said, .err = said };
	size_t n = 10;

	for (const char *const *var = tree->make_vars; var && *var && n < 31; var++)
		words[n++] = *var;
	return child_run(words, &io);
}

static int run_kbuild(const struct maker *m)
{
	struct strbuf said = { 0 };
	int status = kbuild_run(m->a, m->tree, m->work, &said);

	if (status)
		diag_error(m->d, NO_SPAN, TAG_BUILD, "the runtime could not be built for kernel %s", m->tree->release);
	if (status < 0)
		diag_hint(m->d, "'make' cannot be run (%s): apt-get install make %s", strerror(-status), m->tree->cc);
	else if (status)
		build_show_said(m->d, said.text);
	strbuf_free(&said);
	return status ? -1 : 0;
}

/* ---- the recipe, out of kbuild's saved commands ------------------------------------------------------ */

struct recipe {
	struct strbuf parts[RECIPE_PARTS];
};

static void recipe_word(struct recipe *r, enum recipe_part part, const char *word)
{
	strbuf_printf(&r->parts[part], "%s\n", word);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* Paths in commands are from where make worked: the build tree, or the module's folder (7.x).  Other words stay. */
static const char *absolute(const struct maker *m, const char *word)
{
	const char *dirs[] = { m->tree->build_dir, m->work };

	if (!strchr(word, '/') || *word == '/' || *word == '-')
		return word;
	for (size_t i = 0; i < 2; i++) {
		const char *path = arena_printf(m->a, "%s/%s", dirs[i], word);

		if (!access(path, F_OK))
			return path;
	}
	return word;
}

/*
 * Flags that are not for a script: it includes no kernel header, is not to be traced by ftrace, carries no debug
 * information, and its warnings are nobody's.  What follows as a word of its own goes with it where .takes_word.
 */
static const struct { const char *start; bool whole, takes_word; } dropped_flags[] = {
	{ "-include", true, true }, { "-isystem", true, true }, { "-o", true, true }, { "-I", true, true },
	{ "-I", false, false }, { "-nostdinc", true, false }, { "-c", true, false },
	{ "-W", false, false }, { "-DKBUILD_", false, false }, { "-D__KBUILD_", false, false },
	{ "-g", false, false }, { "-pg", true, false }, { "-mfentry", true, false },
	{ "-mrecord-mcount", true, false }, { "-DCC_USING_", false, false }, { "-fsanitize", false, false },
	{ "-fmacro-prefix-map", false, false }, { "-std=", false, false },
};

/* How many words to leave out from @words[0] on. */
static size_t dropped(const char *const *words)
{
	for (size_t i = 0; i < sizeof(dropped_flags) / sizeof(dropped_flags[0]); i++) {
		const char *start = dropped_flags[i].start;

		if (dropped_flags[i].whole ? !strcmp(words[0], start) : !strncmp(words[0], start, strlen(start)))
			return dropped_flags[i].takes_word && words[1] ? 2 : 1;
	}
	return 0;
}

static void add_compile(const struct maker *m, struct recipe *r, const struct saved_cmd *c)
{
	recipe_word(r, RECIPE_COMPILE, absolute(m, c->words[0]));
	for (size_t i = 1, skip; i < c->n; i += skip ? skip : 1) {
		skip = dropped(&c->words[i]);
		if (!skip && !ends_with(c->words[i], "/script.c") && strcmp(c->words[i], "script.c"))
			recipe_word(r, RECIPE_COMPILE, absolute(m, c->words[i]));
	}
	recipe_word(r, RECIPE_COMPILE, "-std=gnu11");
}

/* objtool, or a linker: without the object that is read, the result, and lists of objects. */
static void add_tool(const struct maker *m, struct recipe *r, enum recipe_part part, const struct saved_cmd *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!strcmp(c->words[i], "-o"))
			i++;
		else if (c->words[i][0] != '@' && !ends_with(c->words[i], ".o"))
			recipe_word(r, part, absolute(m, c->words[i]));
	}
}

static int not_written(const struct maker *m, const char *path)
{
	diag_error(m->d, NO_SPAN, TAG_FILE, "cannot write the runtime's cache '%s': %s", path, strerror(errno));
	return -1;
}

/* What stands beside the module's own object at the end of the last link: copied into the entry. */
static int add_objects(const struct maker *m, struct recipe *r, const struct saved_cmd *link)
{
	for (size_t i = 0; i < link->n; i++) {
		const char *name, *slash = strrchr(link->words[i], '/');

		name = slash ? slash + 1 : link->words[i];
		if (!ends_with(name, ".o") || !strcmp(name, STUB ".o"))
			continue;
		recipe_word(r, RECIPE_OBJECTS, name);
		if (!cache_copy(absolute(m, link->words[i]), arena_printf(m->a, "%s/%s", m->dir, name)))
			return not_written(m, arena_printf(m->a, "%s/%s", m->dir, name));
	}
	return 0;
}

/* core/ and kernel/ into one object, as kbuild would link them. */
static int link_runtime(const struct maker *m, const struct saved_cmd *link)
{
	const char **words = ARENA_ARRAY(m->a, const char *, link->n + 8);
	struct strbuf said = { 0 };
	struct child_io io = { .out = &said, .err = &said };
	size_t n = 0;
	int status;

	for (size_t i = 0; i < link->n; i++) {
		if (!strcmp(link->words[i], "-o"))
			i++;
		else if (link->words[i][0] != '@' && !ends_with(link->words[i], ".o"))
			words[n++] = absolute(m, link->words[i]);
	}
	words[n++] = "-S";
	words[n++] = "-o";
	words[n++] = arena_printf(m->a, "%s/runtime.o", m->dir);
	words[n++] = arena_printf(m->a, "%s/core.o", m->work);
	words[n++] = arena_printf(m->a, "%s/kernel.o", m->work);
	status = child_run(words, &io);
	if (status)
		diag_error(m->d, NO_SPAN, TAG_BUILD, "the runtime for kernel %s could not be linked by '%s'", m->tree->release,
			   words[0]);
	if (status)
		build_show_said(m->d, status < 0 ? strerror(-status) : said.text);
	strbuf_free(&said);
	return status ? -1 : 0;
}

static int write_recipe(const struct maker *m, struct recipe *r)
{
	struct strbuf text = { 0 };
	int rc;

	for (int i = 0; i < RECIPE_PARTS; i++) {
		strbuf_printf(&text, "%s\n%s", part_names[i], r->parts[i].text ? r->parts[i].text : "");
		strbuf_free(&r->parts[i]);
	}
	rc = file_write(arena_printf(m->a, "%s/recipe", m->dir), text.text, text.len);
	strbuf_free(&text);
	return rc ? not_written(m, arena_printf(m->a, "%s/recipe", m->dir)) : 0;
}

static int make_recipe(const struct maker *m)
{
	struct saved_cmd script[3], part[3], link[3];
	int nscript, npart, nlink;
	struct recipe r = { 0 };

	nscript = saved_cmd_read(m->a, arena_printf(m->a, "%s/.script.o.cmd", m->work), script, 3);
	npart = saved_cmd_read(m->a, arena_printf(m->a, "%s/.%s.o.cmd", m->work, STUB), part, 3);
	nlink = saved_cmd_read(m->a, arena_printf(m->a, "%s/.%s.ko.cmd", m->work, STUB), link, 3);
	if (nscript <= 0 || npart <= 0 || nlink <= 0) {
		diag_error(m->d, NO_SPAN, TAG_BUILD, "kernel %s builds modules in a way that is not understood: "
			   "kbuild's saved commands in '%s'", m->tree->release, m->work);
		return -1;
	}
	add_compile(m, &r, &script[0]);
	if (nscript > 1)
		add_tool(m, &r, RECIPE_CHECK_OBJECT, &script[1]);
	if (npart > 1) {
		add_tool(m, &r, RECIPE_LINK_PART, &part[0]);
		add_tool(m, &r, RECIPE_CHECK_PART, &part[1]);
	}
	add_tool(m, &r, RECIPE_LINK, &link[0]);
	recipe_word(&r, RECIPE_LINK, "-S");
	return add_objects(m, &r, &link[0]) || link_runtime(m, &part[0]) || write_recipe(m, &r) ? -1 : 0;
}

/* ---- the cache ------------------------------------------------------------------------------------- */

/* Reads an entry's recipe; NULL: there is none. */
static const struct kernel_runtime *read_recipe(struct arena *a, const char *dir)
{
	FILE *f = fopen(arena_printf(a, "%s/recipe", dir), "re");
	struct kernel_runtime *k;
	char *line = NULL;
	size_t room = 0;
	int part = -1;

	if (!f)
		return NULL;
	k = ARENA_NEW(a, struct kernel_runtime);
	k->dir = dir;
	for (int i = 0; i < RECIPE_PARTS; i++)
		k->parts[i].words = ARENA_ARRAY(a, const char *, 512);
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (part + 1 < RECIPE_PARTS && !strcmp(line, part_names[part + 1]))
			part++;
		else if (part >= 0 && k->parts[part].n < 511)
			k->parts[part].words[k->parts[part].n++] = arena_strdup(a, line);
	}
	free(line);
	fclose(f);
	return part == RECIPE_PARTS - 1 ? k : NULL;
}

/* The hash of all that a script's module takes from an entry. */
static void hash_entry(struct arena *a, const struct kernel_runtime *k, char name[33])
{
	struct hash h;

	hash_start(&h);
	hash_file(&h, arena_printf(a, "%s/recipe", k->dir));
	hash_file(&h, arena_printf(a, "%s/runtime.o", k->dir));
	for (size_t i = 0; i < k->parts[RECIPE_OBJECTS].n; i++)
		hash_file(&h, arena_printf(a, "%s/%s", k->dir, k->parts[RECIPE_OBJECTS].words[i]));
	hash_name(&h, name);
}

static int put_seal(const struct maker *m)
{
	const struct kernel_runtime *k = read_recipe(m->a, m->dir);
	const char *path = arena_printf(m->a, "%s/seal", m->dir);
	char name[33];

	if (!k)
		return not_written(m, path);
	hash_entry(m->a, k, name);
	return file_write(path, name, strlen(name)) ? not_written(m, path) : 0;
}

/* An entry that is there and whole; else NULL. */
static const struct kernel_runtime *load_entry(struct arena *a, const char *dir)
{
	const struct kernel_runtime *k = read_recipe(a, dir);
	char name[33], *seal;
	size_t len;

	if (!k || file_read(a, arena_printf(a, "%s/seal", dir), &seal, &len))
		return NULL;
	hash_entry(a, k, name);
	if (len != strlen(name) || memcmp(seal, name, len))
		return NULL;
	utimensat(AT_FDCWD, dir, NULL, 0);	/* used now: see trim_entries() */
	return k;
}

/* Makes the entry in a folder of its own and moves it to @dir. */
static int make_entry(struct maker *m, const char *dir)
{
	int rc = -1;

	m->dir = arena_printf(m->a, "%s.%d", dir, (int)getpid());
	m->work = arena_printf(m->a, "%s/work", m->dir);
	tree_remove(m->dir);
	if (cache_make_dir(m->work) || write_sources(m)) {
		diag_error(m->d, NO_SPAN, TAG_FILE, "cannot write the runtime's cache '%s': %s", m->work, strerror(errno));
	} else {
		diag_say(m->d, "Building the runtime for kernel %s, once ...\n", m->tree->release);
		rc = run_kbuild(m) || make_recipe(m) || put_seal(m) ? -1 : 0;
	}
	if (!rc) {
		tree_remove(m->work);
		tree_remove(dir);	/* one that is not whole */
		rc = rename(m->dir, dir);
		if (rc)
			diag_error(m->d, NO_SPAN, TAG_FILE, "cannot make '%s': %s", dir, strerror(errno));
	}
	if (rc)
		tree_remove(m->dir);
	return rc;
}

/* Folders ENTRY.PID of those who were killed while they made one.  Lock held: nobody is at work in them. */
static void remove_unfinished(struct arena *a, const char *family)
{
	for (const char **name = list_files(a, family, ""); *name; name++)
		if (strchr(*name, '.'))
			tree_remove(arena_printf(a, "%s/%s", family, *name));
}

/* The entry that nobody has used for longest, or NULL; *n: how many there are. */
static const char *oldest_entry(struct arena *a, const char *family, unsigned *n)
{
	const char *oldest = NULL;
	struct timespec at = { 0 };

	*n = 0;
	for (const char **name = list_files(a, family, ""); *name; name++) {
		const char *path = arena_printf(a, "%s/%s", family, *name);
		struct stat st;

		if (stat(path, &st) || !S_ISDIR(st.st_mode))
			continue;
		++*n;
		if (oldest && (st.st_mtim.tv_sec > at.tv_sec ||
			       (st.st_mtim.tv_sec == at.tv_sec && st.st_mtim.tv_nsec >= at.tv_nsec)))
			continue;
		oldest = path;
		at = st.st_mtim;
	}
	return oldest;
}

/* Lock held. */
static void trim_entries(struct arena *a, const char *family)
{
	const char *oldest;
	unsigned n;

	while ((oldest = oldest_entry(a, family, &n)) && n > ENTRIES_MOST)
		tree_remove(oldest);
}

/* Looks again under the lock, since another may have made the entry meanwhile. */
static const struct kernel_runtime *make_locked(struct maker *m, const char *dir)
{
	const char *family = arena_strndup(m->a, dir, (size_t)(strrchr(dir, '/') - dir));
	const struct kernel_runtime *k;
	int lock, error = cache_make_dir(family);

	if (error) {
		diag_error(m->d, NO_SPAN, TAG_FILE, "cannot make the cache '%s': %s", family, strerror(-error));
		return NULL;
	}
	lock = open(arena_printf(m->a, "%s/lock", family), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock >= 0)
		flock(lock, LOCK_EX);
	k = load_entry(m->a, dir);
	if (!k && lock >= 0)
		remove_unfinished(m->a, family);
	if (!k && !make_entry(m, dir)) {
		trim_entries(m->a, family);
		k = load_entry(m->a, dir);
	}
	if (lock >= 0)
		close(lock);
	return k;
}

const struct kernel_runtime *kernel_runtime_get(struct arena *a, struct diag *d, const struct kernel_tree *tree,
						const char *runtime_dir)
{
	struct maker m = { .a = a, .d = d, .tree = tree };
	const struct kernel_runtime *k;
	const char *dir;
	char real[PATH_MAX];

	m.runtime_dir = arena_strdup(a, realpath(runtime_dir, real) ? real : runtime_dir);
	dir = cache_entry(a, "runtime", entry_name(a, tree, m.runtime_dir));
	if (!dir) {
		diag_error(d, NO_SPAN, TAG_FILE, "there is no place for the cache that kernel modules need");
		diag_hint(d, "set SPILE_CACHE to a folder, or HOME");
		return NULL;
	}
	k = load_entry(a, dir);
	return k ? k : make_locked(&m, dir);
}
