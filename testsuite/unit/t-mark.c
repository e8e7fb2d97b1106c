/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-mark.c - static markers: where they are, what their operands mean (fixtures/marks.c states them). */
#include <elf.h>

#include "check.h"
#include "compile.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/internal.h"
#include "support/arena.h"

static struct arena *a;

static const char *operand(const struct mark_site *m, unsigned i)
{
	return i < m->narg && m->arg[i].value ? loc_print(m->arg[i].value, m->obj->machine, a) : "?";
}

static const char *symbol_operand(struct object *obj, const char *symbol, unsigned add, unsigned size)
{
	struct symbol_info sym = { 0 };

	object_symbol_named(obj, symbol, &sym);
	return arena_printf(a, "*(u%u*)bias+0x%llx", size * 8, (unsigned long long)sym.link_addr + add);
}

static void check_operands(struct object *obj, const struct mark_site *m)
{
	CHECK_NUM(m->narg, 12);
	CHECK_STR(operand(m, 0), "(s32)rdi");
	CHECK_STR(operand(m, 1), "rax");
	CHECK_STR(operand(m, 2), "(u8)rdi");
	CHECK_STR(operand(m, 3), "(s8)rax[8..15]");
	CHECK_STR(operand(m, 4), "7");
	CHECK_STR(operand(m, 5), "-3");
	CHECK_STR(operand(m, 6), "*(u64*)(rbp - 0x18)");
	CHECK_STR(operand(m, 7), "(s32)*(u32*)(rcx + (rdx * 4))");
	CHECK_STR(operand(m, 8), "*(u16*)(rbp + 4)");
	CHECK_STR(operand(m, 9), symbol_operand(obj, "global_object", 0, 4));
	CHECK_STR(operand(m, 10), "xmm1");
	CHECK_STR(operand(m, 11), symbol_operand(obj, "local_object", 8, 1));
	CHECK(m->arg[0].is_signed && m->arg[0].size == 4 && !m->arg[0].is_memory && !m->arg[0].is_float);
	CHECK(m->arg[6].is_memory && m->arg[10].is_float);
}

static void check_marks(const char *name)
{
	struct di_miss miss = { 0 };
	struct object *obj = object_open(in_scratch(name), NULL, a, &miss);
	struct symbol_info sym;
	struct mark_site **m;
	uint64_t off;
	unsigned n;

	CHECK(obj != NULL);
	if (!obj)
		return;
	CHECK_NUM(find_marks(obj, NULL, "*", a, &m, &n, &miss), 0);
	CHECK_NUM(n, 4);
	CHECK_NUM(find_marks(obj, "prov", "one", a, &m, &n, &miss), 0);
	CHECK_NUM(n, 1);
	check_operands(obj, m[0]);
	CHECK_NUM(m[0]->semaphore_addr, 0);
	CHECK(*object_bytes(obj, m[0]->addr, 1) == 0x90);
	CHECK_NUM(find_marks(obj, NULL, "one", a, &m, &n, &miss), 0);
	CHECK_NUM(n, 2);
	CHECK_STR(m[1]->provider, "other");
	CHECK_STR(operand(m[1], 0), "*(u64*)(fs.base + 0x28)");
	CHECK_STR(operand(m[1], 1), "*(u64*)(rsi * 8)");
	CHECK_STR(operand(m[1], 2), "?");	/* no size of 9 */
	CHECK_STR(operand(m[1], 3), "?");	/* no such symbol */
	CHECK_STR(operand(m[1], 4), "?");	/* no x87 register is saved */
	CHECK_NUM(find_marks(obj, "pr*", "two-words", a, &m, &n, &miss), 0);
	CHECK_NUM(n, 1);
	CHECK(object_symbol_named(obj, "prov_two__words_semaphore", &sym) && sym.link_addr == m[0]->semaphore_addr);
	CHECK(object_file_offset(obj, sym.link_addr, &off) && off == m[0]->semaphore_off);
	CHECK_NUM(m[0]->narg, 0);
	CHECK_NUM(find_marks(obj, NULL, "bare", a, &m, &n, &miss), 0);
	CHECK_STR(operand(m[0], 0), "rdi");
	CHECK_STR(operand(m[0], 1), "5");
	CHECK(find_marks(obj, NULL, "tow__words", a, &m, &n, &miss) != 0 && miss.nalt > 0);
	CHECK_STR(miss.alt[0], "two__words");
	object_close(obj);
}

/* AArch64 operands need no such program: the parser takes the machine from the object. */
static void check_aarch64(void)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "-4@[sp, 28]", "(s32)*(u32*)(sp + 0x1c)" }, { "8@x19", "x19" }, { "-4@w0", "(s32)x0" },
		{ "8@[x29, -16]", "*(u64*)(x29 - 0x10)" }, { "4@5", "5" }, { "-4@#-1", "-1" },
		{ "8@[x0, x1]", "*(u64*)(x0 + x1)" }, { "8f@d3", "v3" },
		{ "4@[x0, w1, sxtw 2]", "*(u32*)(x0 + SHL((s32)x1, 2))" }, { "2@[x0]", "*(u16*)x0" },
		{ "8@#12", "0xc" }, { "8@xzr", "0" }, { "4@wzr", "0" }, { "8@lr", "x30" }, { "8@[fp, 16]", "*(u64*)(x29 + 0x10)" },
		{ "8@sp", "sp" }, { "4f@s0", "(u32)v0" }, { "8@v31", "v31" }, { "2@h4", "(u16)v4" }, { "1@b2", "(u8)v2" },
		{ "-1@w3", "(s8)x3" }, { "-2@[x1, x2, lsl 1]", "(s16)*(u16*)(x1 + SHL(x2, 1))" },
		{ "8@[x1, w2, uxtw #3]", "*(u64*)(x1 + SHL((u32)x2, 3))" }, { "1@[sp, w9, sxtw]", "*(u8*)(sp + SHL((s32)x9, 0))" },
		{ "8@[x0", "?" }, { "3@x0", "?" }, { "8@[x0, w1, ror 2]", "?" },
	};
	struct object obj = { .machine = EM_AARCH64, .elf_class = 64 };
	struct sdt_operand arg[SDT_MAX_ARGS];

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_NUM(sdt_operands_parse(&obj, 0, rows[i].text, a, arg), 1);
		CHECK_STR(arg[0].value ? loc_print(arg[0].value, obj.machine, a) : "?", rows[i].want);
	}
	CHECK_NUM(sdt_operands_parse(&obj, 0, "-4@[sp, 28] 8@x19 -4@w0 8@[x29, -16]", a, arg), 4);
	CHECK_STR(loc_print(arg[3].value, obj.machine, a), "*(u64*)(x29 - 0x10)");
}

int main(void)
{
	a = arena_new();
	if (sh("${CC:-cc} -O2 -o marks %s/marks.c", FIXTURES)) {
		check_marks("marks");
		CHECK(sh("strip -o marks.stripped marks --keep-symbol=global_object --keep-symbol=local_object "
			 "--keep-symbol=prov_two__words_semaphore"));
		check_marks("marks.stripped");
		CHECK(sh("${CC:-cc} -O0 -no-pie -static -o marks.static %s/marks.c", FIXTURES));
	}
	check_aarch64();
	arena_free(a);
	return check_end();
}
