/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file as the planner and the planter need it: bytes by link-time address, function bounds, symbols, build-id.
 *
 * Read with <elf.h> alone, since spilerun stays small.  Nothing in the file is trusted: every access is bounded.
 */
#ifndef SPILERUN_USER_OBJECT_H
#define SPILERUN_USER_OBJECT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A stretch of code that is one function, or a split-off part of one. */
struct function {
	uint64_t lo, hi;		/* link-time addresses */
	uint64_t lsda;			/* of its exception table; 0: none */
};

struct object {
	char *path;
	dev_t dev;
	ino_t ino;
	const uint8_t *data;
	size_t size;
	const Elf64_Ehdr *ehdr;
	const Elf64_Phdr *phdr;
	const Elf64_Shdr *shdr;		/* NULL: none */
	const uint8_t *build_id;
	size_t build_id_len;
	bool fixed;			/* ET_EXEC: addresses in its code and data are absolute */
	bool text_relocs;
	struct function *functions;	/* by .lo; from unwind tables, then symbols; filled by object_functions() */
	size_t nfunctions;
};

/* NULL with errno: no such file, or EINVAL: no x86-64 ELF file. */
struct object *object_open(const char *path);
void object_free(struct object *o);
/* Bytes of the file behind link-time address @addr, and in *@n how many follow in its segment; NULL: none. */
const uint8_t *object_at(const struct object *o, uint64_t addr, size_t *n);
const Elf64_Phdr *object_segment(const struct object *o, uint64_t addr);
int object_functions(struct object *o);
const struct function *object_function_at(const struct object *o, uint64_t addr);
/* Link-time address of a defined symbol; 0: not there. */
uint64_t object_symbol(const struct object *o, const char *name);
/* Calls @f for each defined symbol. */
void object_symbols(const struct object *o, void (*f)(void *data, const Elf64_Sym *sym, const char *name), void *data);
/* The encoded pointer (DW_EH_PE_*) at *@at, which moves on; *@at NULL after an overrun.  @addr: link-time address of *@at. */
uint64_t object_eh_pointer(const struct object *o, const uint8_t **at, const uint8_t *end, uint64_t addr, uint8_t encoding);
uint64_t object_uleb(const uint8_t **at, const uint8_t *end);

#endif
