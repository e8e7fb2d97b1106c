/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What core/ needs of an ELF64 file (gABI, "Object Files"): <elf.h> is a library's and <linux/elf.h> a kernel's. */
#ifndef SPILE_CORE_ELF_H
#define SPILE_CORE_ELF_H

#include "../spile.h"

struct sp_elf_header {
	sp_u8 ident[16];
	sp_u16 type, machine;
	sp_u32 version;
	sp_u64 entry, phoff, shoff;
	sp_u32 flags;
	sp_u16 ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};
struct sp_elf_segment {
	sp_u32 type, flags;
	sp_u64 offset, vaddr, paddr, filesz, memsz, align;
};
struct sp_elf_section {
	sp_u32 name, type;
	sp_u64 flags, addr, offset, size;
	sp_u32 link, info;
	sp_u64 addralign, entsize;
};
struct sp_elf_symbol {
	sp_u32 name;
	sp_u8 info, other;
	sp_u16 section;
	sp_u64 value, size;
};
#define SP_ELF_MAGIC "\177ELF\2\1"	/* 64 bits, little-endian */
enum {
	SP_ELF_LOAD = 1, SP_ELF_NOTE = 4, SP_ELF_EH_FRAME = 0x6474e550,	/* types of segments */
	SP_ELF_PROGBITS = 1, SP_ELF_SYMTAB = 2, SP_ELF_DYNSYM = 11, SP_ELF_X86_UNWIND = 0x70000001, SP_ELF_RESERVED = 0xff00,	/* of sections; numbers from
									 * here on are none */
	SP_ELF_COMPRESSED = 0x800,					/* flag of a section */
	SP_ELF_FUNC = 2, SP_ELF_IFUNC = 10,				/* of symbols */
	SP_ELF_BUILD_ID = 3,						/* of notes */
};

#endif
