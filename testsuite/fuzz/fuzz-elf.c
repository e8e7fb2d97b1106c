/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a program, through every question of the debuginfo room (libFuzzer): crashes, hangs, leaks and what the
 * sanitizers see.  What is fuzzed is mostly the content of sections that describe code: a mutation of any byte of the
 * file would hit instructions.  testsuite/fuzz/run prepares the folder that this runs in.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/debuginfo.h"
#include "support/arena.h"

enum { SITES_MAX = 200, VARIABLES_MAX = 50, MEMBERS_MAX = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* ---------------------------------------------------------------------------------------------- mutations */

static bool is_described(const char *name)
{
	static const char *const prefixes[] = {
		".debug", ".zdebug", ".note", ".eh_frame", ".symtab", ".strtab", ".dyn", ".rela", ".gnu",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* The @pick-th section worth changing, counted in a circle; false: the file's headers are too damaged to tell. */
static bool find_section(const uint8_t *data, size_t size, unsigned pick, size_t *off, size_t *len)
{
	Elf64_Ehdr eh;
	Elf64_Shdr sh, names;
	unsigned found = 0;

	if (size < sizeof(eh))
		return false;
	memcpy(&eh, data, sizeof(eh));
	if (eh.e_shnum > 100 || eh.e_shoff > size || size - eh.e_shoff < eh.e_shnum * sizeof(sh) ||
	    eh.e_shstrndx >= eh.e_shnum)
		return false;
	memcpy(&names, data + eh.e_shoff + eh.e_shstrndx * sizeof(sh), sizeof(names));
	if (names.sh_offset >= size || !memchr(data + names.sh_offset, 0, size - names.sh_offset))
		return false;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < eh.e_shnum; i++) {
			memcpy(&sh, data + eh.e_shoff + i * sizeof(sh), sizeof(sh));
			if (sh.sh_name >= size - names.sh_offset || sh.sh_offset >= size ||
			    sh.sh_size > size - sh.sh_offset || !sh.sh_size || sh.sh_type == SHT_NOBITS ||
			    !memchr(data + names.sh_offset + sh.sh_name, 0, size - names.sh_offset - sh.sh_name) ||
			    !is_described((const char *)data + names.sh_offset + sh.sh_name))
				continue;
			if (round && !pick--) {
				*off = sh.sh_offset;
				*len = sh.sh_size;
				return true;
			}
			found++;
		}
		if (!found)
			return false;
		pick %= found;
	}
	return false;
}

/* A few bytes of one section; now and then of the headers. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	size_t off = 0, len = size < 4096 ? size : 4096, n;

	srand(seed);
	if (rand() % 16 && !find_section(data, size, (unsigned)rand(), &off, &len))
		return LLVMFuzzerMutate(data, size, max);
	for (int i = rand() % 4; i >= 0 && len; i--) {
		size_t at = (size_t)rand() % len;

		n = 1 + (size_t)rand() % 8;
		if (n > len - at)
			n = len - at;
		LLVMFuzzerMutate(data + off + at, n, n);
	}
	return size;
}

/* ---------------------------------------------------------------------------------------------- questions */

static void look_at_type(const struct ctype *t, struct arena *a, int depth)
{
	const struct ctype_member *member;
	const struct ctype_enumerator *enumerator;
	const int64_t *dims;
	unsigned n;

	if (!t || depth > 3)
		return;
	ctype_dimensions(t, a, &dims);
	ctype_enumerators(t, a, &enumerator);
	n = ctype_members(t, a, &member);
	for (unsigned i = 0; i < n && i < MEMBERS_MAX; i++)
		look_at_type(member[i].type, a, depth + 1);
	look_at_type(ctype_pointee(t, a), a, depth + 1);
	look_at_type(ctype_element(t, a), a, depth + 1);
}

static void resolve(struct object *obj, const struct code_site *site, const char *name, struct arena *a)
{
	static const struct target_step steps[] = { { STEP_MEMBER, "next", 0 }, { STEP_MEMBER, "x", 0 } };
	struct target_query q = { .root = TARGET_LOCAL, .obj = obj, .scope = site->scope, .pc = site->addr,
				  .name = name, .type_enough = true };
	struct target_value value;
	struct loc_needs needs;
	struct di_miss miss;

	if (!target_resolve(&q, a, &value, &miss)) {
		look_at_type(value.type, a, 0);
		if (value.value) {
			loc_needs(value.value, obj->machine, &needs);
			loc_print(value.value, obj->machine, a);
		}
	}
	q.step = steps;
	q.nstep = 2;
	target_resolve(&q, a, &value, &miss);
}

static void look_at_site(struct object *obj, const struct code_site *site, struct arena *a)
{
	struct target_query q = { .root = TARGET_RETURN, .obj = obj, .scope = site->scope, .pc = site->addr,
				  .type_enough = true };
	const struct addr_range *ranges;
	const struct visible_var *var;
	struct target_value value;
	struct di_miss miss;
	const char *file;
	unsigned n, line;

	frame_cfa(obj, site->addr, a);
	object_function_ranges(obj, site->addr, a, &ranges, &n);
	source_line(obj, site->addr, &file, &line);
	if (!site->scope)
		return;
	n = scope_variables(site->scope, site->addr, VARS_PARAMETERS | VARS_LOCALS, a, &var);
	for (unsigned i = 0; i < n && i < VARIABLES_MAX; i++)
		resolve(obj, site, var[i].name, a);
	resolve(obj, site, "counter", a);
	resolve(obj, site, "GREEN", a);
	target_resolve(&q, a, &value, &miss);
}

static void ask_all(struct object *obj, struct arena *a)
{
	static const char *const functions[] = { "*", "area", "are", "twice", "*::*", "_Z*", "main@target.c", "*@*" };
	static const char *const statements[] = { "*@target.c:*", "*@*:19", "main+1", "area@*:*" };
	static const char *const types[] = { "struct point", "point", "enum colour", "struct nothing*" };
	struct mark_site **marks;
	const struct plt_entry *plt;
	struct site_list list;
	struct di_miss miss;
	unsigned n;

	object_symbols(obj, &n);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		struct func_query q = { .spec = functions[i] };

		if (!find_functions(obj, &q, a, &list, &miss))
			for (unsigned k = 0; k < list.n && k < SITES_MAX; k++)
				look_at_site(obj, list.site[k], a);
	}
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		struct stmt_query q = { .spec = statements[i], .nearest = i == 1 };

		if (!find_statements(obj, &q, a, &list, &miss))
			for (unsigned k = 0; k < list.n && k < SITES_MAX; k++)
				look_at_site(obj, list.site[k], a);
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		look_at_type(ctype_named(obj, types[i], a), a, 0);
	scope_at(obj, obj->entry_addr, a);
	find_marks(obj, NULL, "*", a, &marks, &n, &miss);
	find_plt(obj, "*", a, &plt, &n, &miss);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/program-%ld", (long)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd))
		abort();
	for (int indexed = 0; indexed < 2; indexed++) {
		struct object_options opts = { .index_from = indexed ? 1 : UINT64_MAX };
		struct arena *a = arena_new();
		struct di_miss miss;
		struct object *obj = object_open(path, &opts, a, &miss);

		if (obj)
			ask_all(obj, a);
		object_close(obj);
		arena_free(a);
	}
	unlink(path);
	return 0;
}
