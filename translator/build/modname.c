/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and changing a module's name in its bytes: plain ELF64, every offset checked before use. */
#include "build/modname.h"

#include <elf.h>
#include <string.h>

struct section {
	char *data;
	size_t size;
};

/* The section @name of the file, or one of size 0. */
static struct section section_find(void *image, size_t size, const char *name)
{
	const Elf64_Ehdr *header = image;
	const Elf64_Shdr *s, *names;
	struct section none = { 0 };

	if (size < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_shentsize != sizeof(*s) || header->e_shoff > size || header->e_shoff % 8 ||
	    header->e_shnum > (size - header->e_shoff) / sizeof(*s) || header->e_shstrndx >= header->e_shnum)
		return none;
	s = (const Elf64_Shdr *)((const char *)image + header->e_shoff);
	names = &s[header->e_shstrndx];
	if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
		return none;
	for (size_t i = 0; i < header->e_shnum; i++) {
		const char *text = (const char *)image + names->sh_offset + s[i].sh_name;

		if (s[i].sh_name >= names->sh_size || names->sh_size - s[i].sh_name < strlen(name) + 1 ||
		    memcmp(text, name, strlen(name) + 1))
			continue;
		if (s[i].sh_type == SHT_NOBITS || s[i].sh_offset > size || s[i].sh_size > size - s[i].sh_offset)
			return none;
		return (struct section){ (char *)image + s[i].sh_offset, s[i].sh_size };
	}
	return none;
}

/* The value of "name=" among the NUL-separated strings of .modinfo. */
static char *info_name(struct section info)
{
	static const char key[] = "name=";

	for (size_t at = 0; at < info.size;) {
		char *text = info.data + at;
		char *end = memchr(text, 0, info.size - at);

		if (!end)
			return NULL;
		if (!strncmp(text, key, sizeof(key) - 1))
			return text + sizeof(key) - 1;
		at += (size_t)(end - text) + 1;
	}
	return NULL;
}

const char *modname_get(const void *image, size_t size)
{
	return info_name(section_find((void *)image, size, ".modinfo"));
}

/* Puts @name over the old one of @n bytes, if the NULs behind that leave room for it. */
static int replace(struct section s, char *old, size_t n, const char *name)
{
	size_t room = n, want = strlen(name);

	while (room < MODNAME_MAX + 1 && old + room < s.data + s.size && !old[room])
		room++;
	if (want + 1 > room)
		return -1;
	memset(old, 0, n);
	memcpy(old, name, want);
	return 0;
}

int modname_set(void *image, size_t size, const char *name)
{
	struct section info = section_find(image, size, ".modinfo");
	struct section module = section_find(image, size, ".gnu.linkonce.this_module");
	char *in_info = info_name(info), *in_module;
	char old[MODNAME_MAX + 1];
	size_t n;

	if (!in_info || !*name || strlen(in_info) > MODNAME_MAX)
		return -1;
	n = strlen(in_info);
	memcpy(old, in_info, n + 1);
	in_module = module.data ? memmem(module.data, module.size, old, n + 1) : NULL;
	if (!in_module || replace(info, in_info, n, name))
		return -1;
	return replace(module, in_module, n, name);
}
