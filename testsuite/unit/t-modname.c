/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module's name in its bytes: found, replaced, refused where the file is not as it should be. */
#include "build/modname.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define HOLDS(what, condition) check_result((condition), __LINE__, what, "does not hold")

/* A file of three sections: names, information, the module's struct. */
struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[4];
	char names[64];
	char info[128];
	char module[256];
};

static void section(struct image *i, int n, unsigned name, size_t offset, size_t size)
{
	i->sections[n] = (Elf64_Shdr){ .sh_name = name, .sh_type = SHT_PROGBITS, .sh_offset = offset, .sh_size = size };
}

static void make(struct image *i, const char *name)
{
	static const char names[] = "\0.shstrtab\0.modinfo\0.gnu.linkonce.this_module";

	memset(i, 0, sizeof(*i));
	memcpy(i->header.e_ident, ELFMAG, SELFMAG);
	i->header.e_ident[EI_CLASS] = ELFCLASS64;
	i->header.e_shoff = offsetof(struct image, sections);
	i->header.e_shentsize = sizeof(Elf64_Shdr);
	i->header.e_shnum = 4;
	i->header.e_shstrndx = 1;
	memcpy(i->names, names, sizeof(names));
	section(i, 1, 1, offsetof(struct image, names), sizeof(names));
	section(i, 2, 11, offsetof(struct image, info), sizeof(i->info));
	section(i, 3, 20, offsetof(struct image, module), sizeof(i->module));
	memcpy(i->info, "license=GPL\0name=", 17);
	memcpy(i->info + 17, name, strlen(name));
	memcpy(i->info + 17 + MODNAME_MAX + 1, "vermagic=x", 11);
	memcpy(i->module + 24, name, strlen(name));
	memset(i->module + 24 + MODNAME_MAX + 1, 0xff, 8);
}

int main(void)
{
	struct image i;
	char longest[MODNAME_MAX + 2];

	make(&i, MODNAME_PLACE_HOLDER);
	HOLDS("found", modname_get(&i, sizeof(i)) && !strcmp(modname_get(&i, sizeof(i)), MODNAME_PLACE_HOLDER));
	HOLDS("shorter", !modname_set(&i, sizeof(i), "abc") && !strcmp(modname_get(&i, sizeof(i)), "abc") &&
	      !strcmp(i.module + 24, "abc"));
	HOLDS("nothing of the old name is left", !i.info[17 + 3 + 1] && !i.module[24 + 4] && !i.module[24 + MODNAME_MAX]);
	HOLDS("longer again", !modname_set(&i, sizeof(i), "abc_1234") && !strcmp(i.module + 24, "abc_1234"));
	HOLDS("its neighbours stay", !strcmp(i.info, "license=GPL") && !strcmp(i.info + 17 + MODNAME_MAX + 1, "vermagic=x") &&
	      (unsigned char)i.module[24 + MODNAME_MAX + 1] == 0xff);
	memset(longest, 'x', sizeof(longest));
	longest[MODNAME_MAX + 1] = 0;
	HOLDS("too long is refused", modname_set(&i, sizeof(i), longest) && !strcmp(i.module + 24, "abc_1234"));
	longest[MODNAME_MAX] = 0;
	HOLDS("the longest fits", !modname_set(&i, sizeof(i), longest) && !strcmp(i.module + 24, longest) &&
	      !strcmp(i.info + 17, longest));
	HOLDS("empty is refused", modname_set(&i, sizeof(i), ""));
	make(&i, "one");
	i.module[24] = 'x';
	HOLDS("two names that differ are refused", modname_set(&i, sizeof(i), "two") && !strcmp(i.info + 17, "one"));
	make(&i, "one");
	for (size_t size = 0; size < sizeof(i); size += 8)
		if (size < offsetof(struct image, module) + sizeof(i.module) && !modname_set(&i, size, "two"))
			HOLDS("a file cut short is refused", false);
	i.sections[2].sh_offset = ~0ull - 8;
	HOLDS("a section behind the end is refused", !modname_get(&i, sizeof(i)));
	make(&i, "one");
	i.sections[3].sh_name = 1u << 30;
	HOLDS("a name behind the names is refused", modname_set(&i, sizeof(i), "two"));
	return check_end();
}
