/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What processes have mapped and how its places are called, for agents to read.
 *
 * Maps are written into each process (struct sp_user_maps), files and their symbols into the shared memory, each file's once.
 * The tables themselves are made by the runtime (core/symbols.c), of the file or of the separate one that its build-id
 * leads to.  Start reading at names_map() and names_load().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "spilerun/user/object.h"
#include "spilerun/user/user.h"

#define VDSO "[vdso]"

/* A file that some process has mapped. */
struct mapped_file {
	dev_t dev;
	ino_t ino;
	pid_t pid;			/* a process that has it mapped */
	char *path;
	uint64_t extent;		/* bytes that it takes as an object, from its first on; 0: it is none */
};

static struct user_run *host;		/* whose agent's copy asks for names: host_names() has no other way to know */

/* ---- room in the shared memory ------------------------------------------------------------------------------ */

/* Offset of @n bytes; 0: there is no room left. */
static uint64_t names_room(struct user_run *u, uint64_t n)
{
	uint64_t at = u->names_at;

	if (n > u->names_end - at)
		return 0;
	u->names_at += (n + 15) & ~15ull;
	return at;
}

/* ---- modules ---------------------------------------------------------------------------------------------------- */

static uint64_t extent_of(const struct object *o)
{
	uint64_t lowest = 0, end = 0;
	bool loaded = false;

	for (int i = 0; o && i < o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *p = &o->phdr[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (!loaded)
			lowest = p->p_vaddr - p->p_offset;
		loaded = true;
		if (p->p_vaddr + p->p_memsz > end)
			end = p->p_vaddr + p->p_memsz;
	}
	return end > lowest ? (end - lowest + 4095) & ~4095ull : 0;
}

static uint64_t mapped_extent(struct user_run *u, const struct mapping *m, pid_t pid)
{
	struct object *o;
	uint64_t extent;

	for (size_t i = 0; i < u->nfiles; i++)
		if (u->files[i]->ino == m->ino && u->files[i]->dev == m->dev)
			return extent_of(u->files[i]->object);
	o = file_open_mapped(m, pid);
	extent = extent_of(o);
	object_free(o);
	return extent;
}

static bool is_named(const struct mapping *m)
{
	return m->path && ((m->ino && m->path[0] == '/') || !strcmp(m->path, VDSO));
}

/* The number of @m's file; 0: no room for another. */
static uint32_t module_of(struct user_run *u, const struct mapping *m, pid_t pid)
{
	struct mapped_file *list;
	uint64_t path;
	size_t n;

	for (size_t i = 0; i < u->nmodules; i++)
		if (u->modules[i].ino == m->ino && u->modules[i].dev == m->dev)	/* the vDSO: 0 and 0 */
			return (uint32_t)i + 1;
	n = strlen(m->path);
	if (n > 10 && !strcmp(m->path + n - 10, " (deleted)"))
		n -= 10;
	path = u->nmodules < SP_USER_MODULES ? names_room(u, n + 1) : 0;
	list = path ? realloc(u->modules, (u->nmodules + 1) * sizeof(*list)) : NULL;
	if (!list)
		return 0;
	u->modules = list;
	list[u->nmodules] = (struct mapped_file){ m->dev, m->ino, pid, strndup(m->path, n), 0 };
	if (m->ino)
		list[u->nmodules].extent = mapped_extent(u, m, pid);
	memcpy((char *)u->session + path, m->path, n);
	u->shared->modules[u->nmodules].path = path;
	return (uint32_t)++u->nmodules;
}

/* ---- maps ------------------------------------------------------------------------------------------------------------ */

struct rows {
	struct sp_user_mapping *m;
	uint32_t n;
};

static void add_row(struct rows *rows, const struct mapping *m, uint64_t base, uint64_t limit, uint32_t module)
{
	if (rows->n < SP_USER_MAPPINGS)
		rows->m[rows->n++] = (struct sp_user_mapping){ m->start, m->end, base, limit, module, m->exec };
}

/* An object's mappings from the @i-th on, with the memory behind them that it has without a file.  Returns how many. */
static size_t add_object(struct user_run *u, struct rows *rows, const struct maps *maps, size_t i, pid_t pid)
{
	const struct mapping *first = &maps->m[i];
	uint32_t module = module_of(u, first, pid);
	uint64_t extent = module ? u->modules[module - 1].extent : 0, base, limit;
	size_t n = 1;

	if (!first->ino)
		extent = first->end - first->start;
	base = first->off || !extent ? 0 : first->start;
	limit = base + extent;
	while (base && i + n < maps->n && maps->m[i + n].start < limit &&
	       (maps->m[i + n].ino == first->ino || (!maps->m[i + n].ino && !maps->m[i + n].path)))
		n++;
	for (size_t k = 0; k < n; k++)
		add_row(rows, &maps->m[i + k], base, base ? limit : 0, module);
	return n;
}

static uint32_t make_rows(struct user_run *u, struct sp_user_mapping *to, const struct maps *maps, pid_t pid, uint64_t base)
{
	struct rows rows = { to, 0 };
	size_t i = 0;

	while (i < maps->n) {
		const struct mapping *m = &maps->m[i];
		bool is_ours = m->start >= base && m->start < base + u->shared_off + u->memory_size;

		if (!is_ours && is_named(m)) {
			i += add_object(u, &rows, maps, i, pid);
			continue;
		}
		if (!is_ours && m->exec)
			add_row(&rows, m, 0, 0, 0);
		i++;
	}
	return rows.n;
}

/* Our own copy of the agent looks at the target's, else at those of whoever was last. */
static void keep_for_host(struct user_run *u, const struct sp_user_maps *maps, size_t size, pid_t pid)
{
	if (u->maps_pid == (pid_t)u->session->target && u->maps_pid != pid)
		return;
	u->maps_pid = pid;
	memcpy(u->agent->config->maps, maps, size);
}

void names_map(struct user_run *u, pid_t pid, int mem, uint64_t base, const struct maps *maps)
{
	struct sp_user_maps head = { 0, 0 }, *all;
	size_t whole = sp_user_maps_size(u->script), size;
	off_t at = (off_t)(base + u->maps_off);

	if (!whole || pread(mem, &head, sizeof(head), at) != sizeof(head))
		return;
	all = malloc(whole);
	if (!all)
		return;
	all->n = make_rows(u, all->m, maps, pid, base);
	all->version = (head.version | 1) + 1;
	size = sizeof(head) + all->n * sizeof(*all->m);
	head.version |= 1;
	/* whoever looks meanwhile sees an odd version, or another one afterwards */
	if (pwrite(mem, &head, sizeof(head), at) == sizeof(head) &&
	    pwrite(mem, all->m, size - sizeof(head), at + (off_t)sizeof(head)) == (ssize_t)(size - sizeof(head)))
		pwrite(mem, all, sizeof(head), at);
	keep_for_host(u, all, size, pid);
	free(all);
}

void names_look(struct user_run *u, pid_t pid)
{
	struct maps maps;
	char path[40];
	uint64_t base;
	int mem;

	if (maps_read(&maps, pid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDWR | O_CLOEXEC);
	base = process_agent_base(u, &maps);
	if (mem >= 0 && base)
		names_map(u, pid, mem, base, &maps);
	if (mem >= 0)
		close(mem);
	maps_free(&maps);
}

/* ---- symbols --------------------------------------------------------------------------------------------------------- */

struct bytes {
	const uint8_t *data;
	uint64_t size;
};

static sp_bool read_bytes(void *file, void *dst, sp_u64 off, sp_size n)
{
	const struct bytes *b = file;

	if (off > b->size || n > b->size - off)
		return false;
	memcpy(dst, b->data + off, n);
	return true;
}

/* Makes the table of @source in the shared memory; its offset, or 0. */
static uint64_t make_table(struct user_run *u, struct sp_symbols_source *source, uint64_t size)
{
	uint64_t at = size ? names_room(u, size) : 0;

	if (!at)
		return 0;
	if (u->agent->symbols_make(source, (void *)((char *)u->session + at)))
		return at;
	u->names_at = at;
	return 0;
}

static uint64_t object_table(struct user_run *u, const struct object *o)
{
	struct bytes bytes = { o->data, o->size }, split_bytes;
	struct sp_symbols_source source = { .read = read_bytes, .file = &bytes }, split = { .read = read_bytes };
	uint64_t size = u->agent->symbols_open(&source), split_size = 0, at;
	char path[SP_SPLIT_PATH_MAX];
	struct object *other = NULL;

	if (size && !source.has_symtab && u->agent->symbols_split_path(&source, path))
		other = object_open(path);
	if (other) {
		split_bytes = (struct bytes){ other->data, other->size };
		split.file = &split_bytes;
		split_size = u->agent->symbols_open(&split);
	}
	if (split_size && split.has_symtab) {
		split_size = u->agent->symbols_split(&source, &split);
		at = make_table(u, &split, split_size);
	} else {
		at = make_table(u, &source, size);
	}
	object_free(other);
	return at;
}

/* The kernel's own object is the same in every process, ours too. */
static uint64_t vdso_table(struct user_run *u)
{
	const uint8_t *data = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *e = (const void *)data;
	struct bytes bytes = { data, data ? e->e_shoff + (uint64_t)e->e_shnum * e->e_shentsize : 0 };
	struct sp_symbols_source source = { .read = read_bytes, .file = &bytes };

	return data ? make_table(u, &source, u->agent->symbols_open(&source)) : 0;
}

static uint64_t module_table(struct user_run *u, const struct mapped_file *m)
{
	struct mapping mapping = { .dev = m->dev, .ino = m->ino, .path = m->path };
	struct object *o;
	uint64_t at;

	if (!m->ino)
		return vdso_table(u);
	for (size_t i = 0; i < u->nfiles; i++)
		if (u->files[i]->ino == m->ino && u->files[i]->dev == m->dev && u->files[i]->object)
			return object_table(u, u->files[i]->object);
	o = file_open_mapped(&mapping, m->pid);
	at = o ? object_table(u, o) : 0;
	object_free(o);
	return at;
}

void names_load(struct user_run *u, uint32_t number)
{
	struct sp_user_module *shown;

	if (!number || number > u->nmodules)
		return;
	shown = &u->shared->modules[number - 1];
	if (shown->state != SP_NAMES_UNKNOWN)
		return;
	shown->symbols = module_table(u, &u->modules[number - 1]);
	__atomic_store_n(&shown->state, shown->symbols ? SP_NAMES_READY : SP_NAMES_NONE, __ATOMIC_RELEASE);
}

/* ---- for probes that run here ------------------------------------------------------------------------------------- */

static void host_names(sp_u32 module)
{
	names_load(host, module);
}

int names_open(struct user_run *u)
{
	uint64_t size = sp_user_maps_size(u->script);

	if (!size)
		return 0;
	host = u;
	u->agent->config->host_names = host_names;
	u->agent->config->maps = calloc(1, size);
	if (u->agent->config->maps)
		return 0;
	run_error(u->run, "out of memory");
	return -1;
}

void names_close(struct user_run *u)
{
	if (u->agent && u->agent->config->host)
		free(u->agent->config->maps);
	for (size_t i = 0; i < u->nmodules; i++)
		free(u->modules[i].path);
	free(u->modules);
}
