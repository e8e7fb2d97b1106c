/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers.c - register names and DWARF numbers, one .def file an architecture. */
#include <string.h>

#include "debuginfo/internal.h"

struct register_row {
	const char *name;
	unsigned char reg, shift, bits;
};

#define REG(name, number, from, bits) { name, number, from, bits },
static const struct register_row x86_64_rows[] = {
#include "debuginfo/regs-x86_64.def"
	{ NULL, 0, 0, 0 },
};
static const struct register_row aarch64_rows[] = {
#include "debuginfo/regs-aarch64.def"
	{ NULL, 0, 0, 0 },
};
#undef REG

static const struct register_row *rows_of(unsigned machine)
{
	static const struct register_row none[] = { { NULL, 0, 0, 0 } };

	return machine == EM_X86_64 ? x86_64_rows : machine == EM_AARCH64 ? aarch64_rows : none;
}

const char *register_name(unsigned machine, unsigned dwarf_reg)
{
	for (const struct register_row *r = rows_of(machine); r->name; r++)
		if (r->reg == dwarf_reg)
			return r->name;
	return NULL;
}

bool register_parse(unsigned machine, const char *name, size_t len, unsigned *reg, unsigned *shift, unsigned *bits)
{
	for (const struct register_row *r = rows_of(machine); r->name; r++) {
		if (strlen(r->name) != len || memcmp(r->name, name, len) != 0)
			continue;
		*reg = r->reg;
		*shift = r->shift;
		*bits = r->bits;
		return true;
	}
	return false;
}
