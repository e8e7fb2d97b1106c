/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.c - opening an ELF file: what kind it is, how it is laid out in memory and in the file.
 *
 * Owns the Dwfl session behind each struct object.  The file is reported at base 0, so that every address libdw and
 * libdwfl give is a link address.  DWARF is looked for only when a question needs it (object_dwarf), since finding
 * and inflating it costs more than everything else here.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/internal.h"

int miss_set(struct di_miss *miss, int err, enum di_reason reason, const char *text)
{
	if (miss) {
		memset(miss, 0, sizeof(*miss));
		miss->reason = reason;
		miss->text = text;
	}
	return err;
}

static const Dwfl_Callbacks dwfl_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = debugfile_find,
	.section_address = dwfl_offline_section_address,
};

static struct object *open_failed(int fd, struct di_miss *miss, enum di_reason reason, const char *text)
{
	if (fd >= 0)
		close(fd);
	miss_set(miss, 0, reason, text);
	return NULL;
}

static char *string_at(struct object *obj, uint64_t file_off)
{
	size_t size;
	const char *raw = elf_rawfile(obj->priv->elf, &size);

	if (!raw || file_off >= size || !memchr(raw + file_off, 0, size - file_off))
		return NULL;
	return arena_strdup(obj->priv->arena, raw + file_off);
}

static void read_program_headers(struct object *obj)
{
	struct object_priv *p = obj->priv;
	struct segment *seg;
	size_t n;

	if (elf_getphdrnum(p->elf, &n) != 0)
		return;
	seg = ARENA_ARRAY(p->arena, struct segment, n + 1);
	obj->segments = seg;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(p->elf, i, &ph))
			continue;
		if (ph.p_type == PT_INTERP)
			obj->interpreter = string_at(obj, ph.p_offset);
		if (ph.p_type == PT_TLS && ph.p_align)
			p->tls_size = (ph.p_memsz + ph.p_align - 1) / ph.p_align * ph.p_align;
		if (ph.p_type != PT_LOAD)
			continue;
		seg[obj->nsegments++] = (struct segment) {
			.link_addr = ph.p_vaddr,
			.file_off = ph.p_offset,
			.file_size = ph.p_filesz,
			.mem_size = ph.p_memsz,
			.executable = ph.p_flags & PF_X,
			.writable = ph.p_flags & PF_W,
		};
	}
}

/* As musl's own linker script has it, and as distributions of it name the file. */
static bool is_musl_name(const char *needed)
{
	return needed && (strcmp(needed, "libc.so") == 0 || strncmp(needed, "libc.musl-", 10) == 0);
}

static void read_dynamic(struct object *obj)
{
	Elf_Scn *scn = NULL;
	bool needs = false, is_program = !obj->is_dyn;

	while ((scn = elf_nextscn(obj->priv->elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *data;
		GElf_Dyn dyn;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC || !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 0; gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
			if (dyn.d_tag == DT_NEEDED) {
				needs = true;
				obj->priv->is_musl |= is_musl_name(elf_strptr(obj->priv->elf, sh.sh_link, dyn.d_un.d_val));
			}
			if (dyn.d_tag == DT_SONAME)
				obj->soname = elf_strptr(obj->priv->elf, sh.sh_link, dyn.d_un.d_val);
			if (dyn.d_tag == DT_FLAGS_1 && dyn.d_un.d_val & DF_1_PIE)
				is_program = true;
		}
	}
	obj->is_static = is_program && !needs && !obj->interpreter;
}

static void read_build_id(struct object *obj)
{
	static const char digits[] = "0123456789abcdef";
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(obj->priv->elf, &id);
	char *hex;

	if (len <= 0)
		return;
	obj->build_id = id;
	obj->build_id_len = len;
	hex = arena_alloc(obj->priv->arena, len * 2 + 1);
	for (ssize_t i = 0; i < len; i++) {
		hex[2 * i] = digits[obj->build_id[i] >> 4];
		hex[2 * i + 1] = digits[obj->build_id[i] & 15];
	}
	obj->build_id_hex = hex;
}

/* Give the open file to a new Dwfl session; it owns @fd from then on. */
static bool start_session(struct object *obj, int fd)
{
	struct object_priv *p = obj->priv;
	GElf_Addr bias;
	void **userdata;

	p->dwfl = dwfl_begin(&dwfl_callbacks);
	if (!p->dwfl)
		return false;
	dwfl_report_begin(p->dwfl);
	p->mod = dwfl_report_elf(p->dwfl, obj->path, obj->path, fd, 0, true);
	if (!p->mod)
		return false;
	dwfl_report_end(p->dwfl, NULL, NULL);
	dwfl_module_info(p->mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = obj;
	p->elf = dwfl_module_getelf(p->mod, &bias);
	return p->elf && bias == 0;
}

static struct object *object_new(const char *path, const struct object_options *opts)
{
	struct arena *own = arena_new();
	struct object *obj = ARENA_NEW(own, struct object);

	obj->priv = ARENA_NEW(own, struct object_priv);
	obj->priv->arena = own;
	if (opts)
		obj->priv->opts = *opts;
	obj->path = arena_strdup(own, path);
	return obj;
}

/* Is the open file an executable or library we can read?  NULL if so, else what it is instead. */
static const char *check_header(int fd, GElf_Ehdr *eh)
{
	const char *problem = NULL;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size_t phnum = 0;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, eh))
		problem = "is not an ELF file";
	else if (eh->e_type != ET_EXEC && eh->e_type != ET_DYN)
		problem = "is neither an executable nor a shared library";
	else if (elf_getphdrnum(elf, &phnum) != 0 || phnum == 0)
		problem = "has no program headers, so nothing of it is ever mapped";
	elf_end(elf);
	return problem;
}

struct object *object_open(const char *path, const struct object_options *opts, struct arena *a, struct di_miss *miss)
{
	char real[PATH_MAX];
	const char *problem, *full = path;
	struct object *obj;
	GElf_Ehdr eh;
	int fd;

	elf_version(EV_CURRENT);
	if (opts && opts->sysroot)
		full = arena_printf(a, "%s/%s", opts->sysroot, path);
	if (!realpath(full, real))
		return open_failed(-1, miss, DI_NO_FILE, arena_printf(a, "cannot open '%s': %s", full, strerror(errno)));
	fd = open(real, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return open_failed(-1, miss, DI_NO_FILE, arena_printf(a, "cannot open '%s': %s", real, strerror(errno)));
	problem = check_header(fd, &eh);
	if (problem)
		return open_failed(fd, miss, DI_BAD_ELF, arena_printf(a, "'%s' %s", real, problem));
	obj = object_new(real, opts);
	if (!start_session(obj, fd)) {
		miss_set(miss, 0, DI_BAD_ELF, arena_printf(a, "'%s' is a damaged ELF file: %s", real, dwfl_errmsg(-1)));
		if (!obj->priv->mod)
			close(fd);
		object_close(obj);
		return NULL;
	}
	obj->machine = eh.e_machine;
	obj->elf_class = gelf_getclass(obj->priv->elf) == ELFCLASS32 ? 32 : 64;
	obj->is_dyn = eh.e_type == ET_DYN;
	obj->entry_addr = eh.e_entry;
	read_program_headers(obj);
	read_dynamic(obj);
	read_build_id(obj);
	return obj;
}

void object_close(struct object *obj)
{
	if (!obj)
		return;
	units_close(obj);
	if (obj->priv->dwfl)
		dwfl_end(obj->priv->dwfl);
	arena_free(obj->priv->arena);
}

Dwarf *object_dwarf(struct object *obj)
{
	struct object_priv *p = obj->priv;
	Dwarf_Addr bias = 0;

	if (p->dwarf_tried)
		return p->dwarf;
	p->dwarf_tried = true;
	p->dwarf = dwfl_module_getdwarf(p->mod, &bias);
	if (p->dwarf && bias != 0) {
		/* The separate file was made before prelink moved the main one: every address would need two biases. */
		obj->debug_problem = arena_printf(p->arena, "'%s' has other addresses than '%s'",
						  obj->debug_path ? obj->debug_path : obj->path, obj->path);
		p->dwarf = NULL;
	}
	if (p->dwarf && obj->debug_source == DEBUG_NONE) {
		obj->debug_source = DEBUG_OWN;
		obj->debug_path = obj->path;
	} else if (!p->dwarf) {
		obj->debug_source = DEBUG_NONE;
		obj->debug_path = NULL;
		if (!obj->debug_problem)
			obj->debug_problem = arena_printf(p->arena, "no DWARF information found for '%s'", obj->path);
	}
	return p->dwarf;
}

bool object_has_dwarf(struct object *obj)
{
	return object_dwarf(obj) != NULL;
}

const char *object_text(struct object *obj, struct arena *a)
{
	bool has_dwarf = object_has_dwarf(obj);
	const char *id = obj->build_id_hex ? arena_printf(a, "build-id %s", obj->build_id_hex) : "without a build-id";

	if (!has_dwarf)
		return arena_printf(a, "'%s' (%s), which has no debuginfo", obj->path, id);
	if (obj->debug_source == DEBUG_OWN || !obj->debug_path)
		return arena_printf(a, "'%s' (%s), with debuginfo of its own", obj->path, id);
	return arena_printf(a, "'%s' (%s), with debuginfo from '%s'", obj->path, id, obj->debug_path);
}

bool object_file_offset(const struct object *obj, uint64_t link_addr, uint64_t *file_off)
{
	const struct segment *s = object_segment(obj, link_addr);

	if (!s || link_addr - s->link_addr >= s->file_size)
		return false;
	*file_off = link_addr - s->link_addr + s->file_off;
	return true;
}

bool object_link_address(const struct object *obj, uint64_t file_off, uint64_t *link_addr)
{
	const struct segment *best = NULL;

	for (unsigned i = 0; i < obj->nsegments; i++) {
		const struct segment *s = &obj->segments[i];

		if (file_off >= s->file_off && file_off - s->file_off < s->file_size &&
		    (!best || (s->executable && !best->executable)))
			best = s;
	}
	if (best)
		*link_addr = file_off - best->file_off + best->link_addr;
	return best != NULL;
}

const struct segment *object_segment(const struct object *obj, uint64_t link_addr)
{
	for (unsigned i = 0; i < obj->nsegments; i++) {
		const struct segment *s = &obj->segments[i];

		if (link_addr >= s->link_addr && link_addr - s->link_addr < s->mem_size)
			return s;
	}
	return NULL;
}

const unsigned char *object_bytes(struct object *obj, uint64_t link_addr, size_t n)
{
	const struct segment *s = object_segment(obj, link_addr);
	size_t size;
	const char *raw = elf_rawfile(obj->priv->elf, &size);
	uint64_t off;

	if (!s || !raw || link_addr - s->link_addr >= s->file_size || n > s->file_size - (link_addr - s->link_addr))
		return NULL;
	off = link_addr - s->link_addr + s->file_off;
	if (off > size || n > size - off)
		return NULL;
	return (const unsigned char *)raw + off;
}

static void section_fill(struct section *out, const char *name, const GElf_Shdr *sh)
{
	*out = (struct section) {
		.name = name ? name : "",
		.link_addr = sh->sh_flags & SHF_ALLOC ? sh->sh_addr : 0,
		.file_off = sh->sh_offset,
		.size = sh->sh_size,
		.loaded = sh->sh_flags & SHF_ALLOC,
		.executable = sh->sh_flags & SHF_EXECINSTR,
		.writable = sh->sh_flags & SHF_WRITE,
	};
}

/* The first section with this name, or, where @name is NULL, the loaded one that covers @link_addr. */
static bool find_section(struct object *obj, const char *name, uint64_t link_addr, struct section *out)
{
	Elf *elf = obj->priv->elf;
	Elf_Scn *scn = NULL;
	size_t shstrndx;

	if (elf_getshdrstrndx(elf, &shstrndx) != 0)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *found;

		if (!gelf_getshdr(scn, &sh))
			continue;
		found = elf_strptr(elf, shstrndx, sh.sh_name);
		if (name ? found && strcmp(found, name) == 0 :
		    (sh.sh_flags & SHF_ALLOC) && !(sh.sh_flags & SHF_TLS && sh.sh_type == SHT_NOBITS) &&
		    link_addr >= sh.sh_addr && link_addr - sh.sh_addr < sh.sh_size) {
			section_fill(out, found, &sh);
			return true;
		}
	}
	return false;
}

bool object_section(struct object *obj, const char *name, struct section *out)
{
	return find_section(obj, name, 0, out);
}

bool object_section_at(struct object *obj, uint64_t link_addr, struct section *out)
{
	return find_section(obj, NULL, link_addr, out);
}
