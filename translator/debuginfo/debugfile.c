/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debugfile.c - the search for separate debug files (probes.md C.6), and why one that was found is refused.
 *
 * Order: build-id directories, then the .gnu_debuglink name beside the file, in its .debug/ and under each debug root,
 * then debuginfod servers.  A file whose build-id (or, where one has none, whose CRC) differs describes another build:
 * its addresses would be wrong without a word, so it is refused by name.  Start at debugfile_find().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/internal.h"
#include "support/setting.h"

static const char default_path_list[] = "+:.debug:/usr/lib/debug:/var/cache/abrt-di/usr/lib/debug";

struct search {
	struct object *obj;
	const char *link_name;		/* .gnu_debuglink, or NULL */
	uint32_t link_crc;
	int fd;				/* the answer, or -1 */
	const char *path;
};

/* The CRC of .gnu_debuglink: the reflected IEEE 802.3 polynomial (gdb manual, "Separate Debug Files"). */
static bool file_crc(int fd, uint32_t *out)
{
	unsigned char buf[65536];
	uint32_t crc = ~0U, table[256];
	off_t at = 0;
	ssize_t n;

	for (unsigned i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? (c >> 1) ^ 0xedb88320U : c >> 1;
		table[i] = c;
	}
	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 255] ^ (crc >> 8);
		at += n;
	}
	*out = ~crc;
	return n == 0;
}

static bool has_section(Elf *elf, const char *const *names)
{
	Elf_Scn *scn = NULL;
	size_t shstrndx;

	if (elf_getshdrstrndx(elf, &shstrndx) != 0)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, shstrndx, sh.sh_name) : NULL;

		for (unsigned i = 0; name && names[i]; i++)
			if (strcmp(name, names[i]) == 0 && sh.sh_type != SHT_NOBITS)
				return true;
	}
	return false;
}

/* Is the file at @fd the debug file of our object?  NULL if so, else what is wrong with it. */
static const char *refusal(const struct search *s, int fd, bool by_link, bool check_crc)
{
	static const char *const dwarf_sections[] = { ".debug_info", ".zdebug_info", NULL };
	const struct object *obj = s->obj;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const char *wrong = NULL;
	const void *id;
	ssize_t len;
	uint32_t crc;

	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return "it is not an ELF file";
	}
	len = dwelf_elf_gnu_build_id(elf, &id);
	if (len > 0 && obj->build_id) {
		if ((size_t)len != obj->build_id_len || memcmp(id, obj->build_id, len) != 0)
			wrong = "its build-id is another one";
	} else if (by_link && check_crc && (!file_crc(fd, &crc) || crc != s->link_crc)) {
		wrong = "its CRC differs from the one in .gnu_debuglink";
	}
	if (!wrong && !has_section(elf, dwarf_sections))
		wrong = "it has no .debug_info section";
	elf_end(elf);
	return wrong;
}

/* Take @path if it fits; remember why not if it is there but does not fit. */
static bool try_file(struct search *s, const char *path, enum debug_source source, bool check_crc)
{
	struct arena *own = s->obj->priv->arena;
	const char *wrong;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	wrong = refusal(s, fd, source == DEBUG_LINK, check_crc);
	if (wrong) {
		close(fd);
		if (!s->obj->debug_problem && strcmp(path, s->obj->path) != 0)
			s->obj->debug_problem = arena_printf(own, "'%s' is not used as debuginfo of '%s': %s",
							     path, s->obj->path, wrong);
		return false;
	}
	s->fd = fd;
	s->path = arena_strdup(own, path);
	s->obj->debug_source = source;
	s->obj->debug_path = s->path;
	s->obj->debug_problem = NULL;
	return true;
}

static bool try_build_id(struct search *s, const char *root)
{
	const struct object *obj = s->obj;

	if (!obj->build_id || obj->build_id_len < 2)
		return false;
	return try_file(s, arena_printf(obj->priv->arena, "%s/.build-id/%.2s/%s.debug", root, obj->build_id_hex,
					obj->build_id_hex + 2), DEBUG_BUILD_ID, false);
}

/* One element of the list: "" is the file's own directory, a relative one is below that, an absolute one is a root
 * under which both the whole directory and the bare name are looked for. */
static bool try_link(struct search *s, const char *element, bool check_crc)
{
	const struct object *obj = s->obj;
	struct arena *own = obj->priv->arena;
	int dir_len = strrchr(obj->path, '/') - obj->path;

	if (!s->link_name)
		return false;
	if (element[0] == '/')
		return try_file(s, arena_printf(own, "%s%.*s/%s", element, dir_len, obj->path, s->link_name),
				DEBUG_LINK, check_crc) ||
		       try_file(s, arena_printf(own, "%s/%s", element, s->link_name), DEBUG_LINK, check_crc);
	return try_file(s, arena_printf(own, "%.*s/%s%s%s", dir_len, obj->path, element, *element ? "/" : "",
					s->link_name), DEBUG_LINK, check_crc);
}

static void search_path_list(struct search *s, const char *list)
{
	const char *sysroot = s->obj->priv->opts.sysroot;
	struct arena *own = s->obj->priv->arena;
	bool check_crc = true;

	if (*list == '+' || *list == '-')
		check_crc = *list++ == '+';
	/* Build-ids are exact, so they come first, in every root. */
	for (int pass = 0; pass < 2; pass++) {
		for (const char *at = list; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
			char *element = arena_strndup(own, at, strcspn(at, ":"));
			bool check = check_crc;

			if (*element == '+' || *element == '-')
				check = *element++ == '+';
			if (*element == '/' && sysroot)
				element = arena_printf(own, "%s%s", sysroot, element);
			if (pass == 0 ? *element == '/' && try_build_id(s, element) : try_link(s, element, check))
				return;
		}
	}
}

/* The callback of libdwfl (libdwfl.h, Dwfl_Callbacks.find_debuginfo): returns an open descriptor or -1. */
int debugfile_find(Dwfl_Module *mod, void **userdata, const char *modname, Dwarf_Addr base, const char *file_name,
		   const char *debuglink_file, GElf_Word debuglink_crc, char **debuginfo_file_name)
{
	struct object *obj = *userdata;
	struct search s = { .obj = obj, .fd = -1, .link_crc = debuglink_crc };
	const char *list = obj->priv->opts.debug_path_list;

	if (debuglink_file && *debuglink_file && !strchr(debuglink_file, '/'))
		s.link_name = debuglink_file;
	if (!list)
		list = setting("DEBUGINFO_PATH");
	search_path_list(&s, list ? list : default_path_list);
	if (s.fd >= 0) {
		*debuginfo_file_name = strdup(s.path);
		return s.fd;
	}
	if (!obj->priv->opts.use_server)
		return -1;
	s.fd = dwfl_standard_find_debuginfo(mod, userdata, modname, base, file_name, debuglink_file, debuglink_crc,
					    debuginfo_file_name);
	if (s.fd >= 0) {
		obj->debug_source = DEBUG_SERVER;
		obj->debug_path = *debuginfo_file_name ? arena_strdup(obj->priv->arena, *debuginfo_file_name) : NULL;
		obj->debug_problem = NULL;
	}
	return s.fd;
}
