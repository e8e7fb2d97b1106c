/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinding: rows written by hand, as compilers would, for small functions of both architectures.
 *
 * The object lies at HOST_BASE: ELF header, .eh_frame_hdr at 0x400, .eh_frame at 0x800; code at 0x2000, stack at 0x5000.
 */
#include <elf.h>
#include <string.h>

#include "check.h"
#include "core/unwind.h"
#include "host-platform.h"

#define CODE (HOST_BASE + 0x2000)
#define STACK (HOST_BASE + 0x5000)
#define HEADER 0x400
#define FRAMES 0x800
#define LIMIT (HOST_BASE + sizeof(host_memory))

const struct sp_script sp_script = {
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 64, .maxbacktrace = 6 },
	.needs = SP_NEEDS_CHAIN | SP_NEEDS_NAMES,
};

static struct sp_unwinder unwinder;
static struct sp_frame_table table;
static size_t frames_at, last_cie;
static unsigned nfdes;
static struct { sp_i32 start, fde; } rows[16];

static void put(size_t at, const void *bytes, size_t n)
{
	memcpy(host_memory + at, bytes, n);
}

static void put_u64(sp_u64 addr, sp_u64 v)
{
	put(addr - HOST_BASE, &v, 8);
}

/* Length, identity, body; padded with DW_CFA_nop. */
static size_t put_entry(sp_u32 id, const void *body, size_t n)
{
	size_t at = frames_at, padded = (n + 7) & ~(size_t)7;
	sp_u32 length = (sp_u32)(4 + padded);

	put(at, &length, 4);
	put(at + 4, &id, 4);
	memset(host_memory + at + 8, 0, padded);
	put(at + 8, body, n);
	frames_at = at + 8 + padded;
	return at;
}

/* A CIE whose augmentation is "zR" with pc-relative 4-byte pointers, and "S" for a signal's frame. */
static void cie(sp_u8 code_align, sp_i8 data_align, sp_u8 ra, int is_signal, const char *program, size_t n)
{
	sp_u8 body[64];
	size_t at = 0;

	body[at++] = 1;
	memcpy(body + at, is_signal ? "zRS" : "zR", is_signal ? 4 : 3);
	at += is_signal ? 4 : 3;
	body[at++] = code_align;
	body[at++] = data_align & 0x7f;
	body[at++] = ra;
	body[at++] = 1;
	body[at++] = 0x1b;
	memcpy(body + at, program, n);
	last_cie = put_entry(0, body, at + n);
}

static void fde(sp_u32 start, sp_u32 size, const char *program, size_t n)
{
	sp_u8 body[128];
	sp_i32 relative = (sp_i32)(0x2000 + start) - (sp_i32)(frames_at + 8);
	sp_u32 id = (sp_u32)(frames_at + 4 - last_cie);

	memcpy(body, &relative, 4);
	memcpy(body + 4, &size, 4);
	body[8] = 0;
	memcpy(body + 9, program, n);
	rows[nfdes].start = (sp_i32)(0x2000 + start) - HEADER;
	rows[nfdes++].fde = (sp_i32)put_entry(id, body, 9 + n) - HEADER;
}
#define PROGRAM(text) text, sizeof(text) - 1

static void object_start(void)
{
	Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1 }, .e_phoff = sizeof(e), .e_phnum = 2,
			 .e_phentsize = sizeof(Elf64_Phdr) };
	Elf64_Phdr p[2] = { { .p_type = PT_LOAD, .p_vaddr = 0x1000 }, { .p_type = PT_GNU_EH_FRAME, .p_vaddr = 0x1000 + HEADER } };

	memset(host_memory, 0, sizeof(host_memory));
	put(0, &e, sizeof(e));
	put(sizeof(e), p, sizeof(p));
	frames_at = FRAMES;
	nfdes = 0;
}

/* The sorted table: entries were made by ascending address. */
static void object_end(void)
{
	const sp_u8 head[4] = { 1, 0x1b, 0x03, 0x3b };
	sp_i32 frames = FRAMES - (HEADER + 4);

	put(HEADER, head, 4);
	put(HEADER + 4, &frames, 4);
	put(HEADER + 8, &nfdes, 4);
	put(HEADER + 12, rows, nfdes * sizeof(*rows));
	CHECK(sp_frame_table_find(host_context(), HOST_BASE, LIMIT, &table));
	CHECK_NUM(table.header, HOST_BASE + HEADER);
	CHECK_NUM(table.bias, HOST_BASE - 0x1000);
}

static struct sp_frame frame_at(const struct sp_unwind_abi *abi, sp_u64 pc, sp_u64 sp)
{
	struct sp_frame f = { .pc = pc, .known = (1ULL << abi->nregs) - 1 };

	for (int i = 0; i < SP_FRAME_REGS; i++)
		f.r[i] = 0x1000 + i;
	f.r[abi->sp] = sp;
	unwinder.c = host_context();
	unwinder.abi = abi;
	return f;
}

/* ---- x86-64 ---- */

/*
 * 0: push %rbp; 1: mov %rsp,%rbp; 4: ...; 0x30: leave; 0x31: ret.  At 0x40 a second one that keeps %rbx, by
 * DW_CFA_offset_extended, returns early and goes on.
 */
static void make_x86(void)
{
	object_start();
	cie(1, -8, 16, 0, PROGRAM("\x0c\x07\x08\x90\x01"));
	fde(0, 0x32, PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x6d\x0c\x07\x08\xc6"));
	fde(0x40, 0x20, PROGRAM("\x41\x0e\x10\x05\x03\x02\x44\x0a\x0e\x08\xc3\x41\x0b\x44\x16\x03\x02\x77\x70"));
	object_end();
}

static void test_x86(void)
{
	struct sp_frame f;

	make_x86();
	/* first instruction: the return address is on top */
	put_u64(STACK, CODE + 0x777);
	f = frame_at(&sp_unwind_x86_64, CODE, STACK);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x777);
	CHECK_NUM(f.r[7], STACK + 8);
	CHECK_NUM(f.r[6], 0x1006);
	CHECK(f.is_call);
	/* behind the push */
	put_u64(STACK - 8, 0x5555);
	f = frame_at(&sp_unwind_x86_64, CODE + 1, STACK - 8);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x777);
	CHECK_NUM(f.r[7], STACK + 8);
	CHECK_NUM(f.r[6], 0x5555);
	/* in the body, by the frame pointer, whatever the stack pointer is */
	f = frame_at(&sp_unwind_x86_64, CODE + 0x20, STACK - 0x100);
	f.r[6] = STACK - 8;
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x777);
	CHECK_NUM(f.r[6], 0x5555);
	/* at the return instruction, behind `leave' */
	f = frame_at(&sp_unwind_x86_64, CODE + 0x31, STACK);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x777);
	CHECK_NUM(f.r[6], 0x1006);
	/* a call as the last instruction: the address behind it is no longer the function's */
	f = frame_at(&sp_unwind_x86_64, CODE + 0x32, STACK);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND_NO_ROW);
	f = frame_at(&sp_unwind_x86_64, CODE + 0x32, STACK);
	f.is_call = 1;
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
}

static void test_x86_kept(void)
{
	struct sp_frame f;

	put_u64(STACK, CODE + 0x10);
	put_u64(STACK - 8, 0xb0b);
	/* from 1 on, and again behind the early return at 5 */
	for (int i = 1; i <= 6; i += 5) {
		f = frame_at(&sp_unwind_x86_64, CODE + 0x40 + i, STACK - 8);
		CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
		CHECK_NUM(f.r[3], 0xb0b);
		CHECK_NUM(f.r[7], STACK + 8);
	}
	f = frame_at(&sp_unwind_x86_64, CODE + 0x45, STACK);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.r[3], 0x1003);
	/* from 0xa on %rbx's value is what an expression says: rsp - 16, the CFA being on its stack unused */
	f = frame_at(&sp_unwind_x86_64, CODE + 0x4a, STACK - 8);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.r[3], STACK - 8 - 16);
}

/*
 * A procedure linkage table as GNU ld describes it: 16 bytes an entry, the push from offset 11 on raises the CFA by 8:
 * breg7 8, breg16 0, lit15, and, lit11, ge, lit3, shl, plus.
 */
static void test_plt(void)
{
	struct sp_frame f;

	object_start();
	cie(1, -8, 16, 0, PROGRAM("\x0c\x07\x08\x90\x01"));
	fde(0, 0x100, PROGRAM("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"));
	object_end();
	put_u64(STACK, 0x7);			/* what the entry pushes */
	put_u64(STACK + 8, CODE + 0x500);
	f = frame_at(&sp_unwind_x86_64, CODE + 0x20, STACK + 8);
	f.r[16] = f.pc;
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x500);
	f = frame_at(&sp_unwind_x86_64, CODE + 0x2b, STACK);
	f.r[16] = f.pc;
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x500);
	CHECK_NUM(f.r[7], STACK + 16);
}

/* glibc's __restore_rt: all in expressions over the saved context; the place below is not a call. */
static void test_signal(void)
{
	static const sp_u8 code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	struct sp_frame f;

	object_start();
	cie(1, -8, 16, 1, PROGRAM(""));
	/* CFA: *(rsp + 160); rip: at rsp + 168; rbx: at rsp + 128 */
	fde(0x0f, 0x0a, PROGRAM("\x0f\x04\x77\xa0\x01\x06\x10\x10\x03\x77\xa8\x01\x10\x03\x03\x77\x80\x01"));
	object_end();
	put_u64(STACK + 160, STACK + 0x800);
	put_u64(STACK + 168, CODE + 0x77);
	put_u64(STACK + 128, 0xabc);
	f = frame_at(&sp_unwind_x86_64, CODE + 0x10, STACK);
	f.is_call = 1;				/* a handler returns to it */
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x77);
	CHECK_NUM(f.r[7], STACK + 0x800);
	CHECK_NUM(f.r[3], 0xabc);
	CHECK(!f.is_call);
	/* the same without rows, by its bytes */
	put(0x2100, code, sizeof(code));
	f = frame_at(&sp_unwind_x86_64, CODE + 0x100, STACK);
	CHECK_NUM(sp_unwind_signal(&unwinder, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x77);
	CHECK_NUM(f.r[7], STACK + 0x800);
	CHECK_NUM(f.r[3], 0xabc);
	f = frame_at(&sp_unwind_x86_64, CODE + 0x101, STACK);
	CHECK_NUM(sp_unwind_signal(&unwinder, &f), SP_UNWOUND_NO_ROW);
}

/* ---- AArch64 ---- */

/* paciasp; stp x29, x30, [sp, -32]!; mov x29, sp; str x19, [sp, 16] ... and a leaf at 0x80 that keeps all in registers. */
static void test_aarch64(void)
{
	struct sp_frame f;

	object_start();
	cie(4, -8, 30, 0, PROGRAM("\x0c\x1f\x00"));
	fde(0, 0x40, PROGRAM("\x41\x2d\x41\x0e\x20\x9d\x04\x9e\x03\x42\x93\x02"));
	fde(0x80, 0x20, PROGRAM(""));
	object_end();
	f = frame_at(&sp_unwind_aarch64, CODE + 0x80, STACK);
	f.r[30] = CODE + 0x44;
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x44);
	CHECK_NUM(f.r[31], STACK);
	/* signed from the first instruction on: the bits above the address are not part of it */
	f = frame_at(&sp_unwind_aarch64, CODE + 4, STACK);
	f.r[30] = 0x002a000000000000ULL | (CODE + 0x44);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x44);
	put_u64(STACK, 0xf9);
	put_u64(STACK + 8, 0x002a000000000000ULL | (CODE + 0x48));
	put_u64(STACK + 16, 0x19);
	f = frame_at(&sp_unwind_aarch64, CODE + 0x20, STACK);
	CHECK_NUM(sp_unwind_step(&unwinder, &table, &f), SP_UNWOUND);
	CHECK_NUM(f.pc, CODE + 0x48);
	CHECK_NUM(f.r[31], STACK + 32);
	CHECK_NUM(f.r[29], 0xf9);
	CHECK_NUM(f.r[19], 0x19);
	CHECK_NUM(f.r[20], 0x1014);
}

/* ---- what makes no sense ---- */

static enum sp_unwound step_of(const char *program, size_t n)
{
	struct sp_frame f;

	object_start();
	cie(1, -8, 16, 0, PROGRAM("\x0c\x07\x08\x90\x01"));
	fde(0, 0x100, program, n);
	object_end();
	put_u64(STACK, CODE + 0x777);
	put_u64(STACK - 8, CODE + 1);
	f = frame_at(&sp_unwind_x86_64, CODE + 1, STACK);
	return sp_unwind_step(&unwinder, &table, &f);
}

static void test_broken(void)
{
	CHECK_NUM(step_of(PROGRAM("")), SP_UNWOUND);
	CHECK_NUM(step_of(PROGRAM("\x07\x10")), SP_UNWOUND_END);		/* rip is undefined: the outermost */
	CHECK_NUM(step_of(PROGRAM("\x0b")), SP_UNWOUND_BROKEN);			/* recalls what was not remembered */
	CHECK_NUM(step_of(PROGRAM("\x0a\x0a\x0a\x0a\x0a")), SP_UNWOUND_BROKEN);
	CHECK_NUM(step_of(PROGRAM("\x3e")), SP_UNWOUND_BROKEN);			/* no instruction */
	CHECK_NUM(step_of(PROGRAM("\x2d")), SP_UNWOUND_BROKEN);			/* AArch64's */
	CHECK_NUM(step_of(PROGRAM("\x0f\x7f\x77\x08")), SP_UNWOUND_BROKEN);	/* a block longer than the entry */
	CHECK_NUM(step_of(PROGRAM("\x0f\x03\x2f\xfd\xff")), SP_UNWOUND_BROKEN);	/* skips to itself for ever */
	CHECK_NUM(step_of(PROGRAM("\x0f\x03\x2f\xf0\xff")), SP_UNWOUND_BROKEN);	/* out of itself */
	CHECK_NUM(step_of(PROGRAM("\x0f\x01\x22")), SP_UNWOUND_BROKEN);		/* adds nothing to nothing */
	CHECK_NUM(step_of(PROGRAM("\x0f\x02\x30\x06")), SP_UNWOUND_BROKEN);	/* loads from 0 */
	CHECK_NUM(step_of(PROGRAM("\x0f\x03\x77\x00\x12")), SP_UNWOUND_BROKEN);	/* CFA = rsp: nothing is gained */
	CHECK_NUM(step_of(PROGRAM("\x0c\x07\x80\x80\x80\x80\x08")), SP_UNWOUND_BROKEN);	/* far off the stack */
	CHECK_NUM(step_of(PROGRAM("\x0c\x20\x08")), SP_UNWOUND_BROKEN);		/* of a register that is not known */
	CHECK_NUM(step_of(PROGRAM("\x00\x00\x00\x00\x00\x00\x80")), SP_UNWOUND_BROKEN);	/* ends amid an instruction */
}

/* Headers cut or spoilt at every byte: an answer, whatever it is. */
static void test_spoilt(void)
{
	static char good[0x1000];
	struct sp_frame_table t;

	make_x86();
	memcpy(good, host_memory, sizeof(good));
	for (size_t i = 0; i < sizeof(good); i++) {
		for (int k = 0; k < 3; k++) {
			struct sp_frame f = frame_at(&sp_unwind_x86_64, CODE + 0x20, STACK - 0x40);

			host_memory[i] = (char)(k == 0 ? 0xff : k == 1 ? good[i] + 1 : good[i] ^ 0x80);
			if (sp_frame_table_find(unwinder.c, HOST_BASE, LIMIT, &t))
				sp_unwind_step(&unwinder, &t, &f);
		}
		host_memory[i] = good[i];
	}
	CHECK(1);
}

/* ---- chains ---- */

static struct sp_regs regs;

static void chain_start(void)
{
	make_x86();
	host_module = (struct sp_module){ .start = HOST_BASE, .end = HOST_BASE + 0x3000, .base = HOST_BASE,
					  .limit = HOST_BASE + 0x3000, .file = 1, .executable = 1, .path = "/bin/unit" };
	memset(&regs, 0, sizeof(regs));
	regs.r[7] = STACK;
	regs.r[16] = CODE;
	put_u64(STACK, CODE + 0x32);		/* a call as the first function's last instruction */
	put_u64(STACK + 8, CODE + 0x44);
	put_u64(STACK + 16, 0x1);
	put_u64(STACK + 24, 0xdead0000);	/* into nowhere */
}

static sp_u32 length;
static void count_chain(struct sp_ctx *c)
{
	const struct sp_call *calls;

	c->locked = 1;
	if (sp_chain_get(c, &calls, &length))
		sp_print_str(c, sp_chain_addresses(c));
}
static const struct sp_probe counter = { .kind = SP_PROBE_SITE, .handler = count_chain, .point = "p", .name = "p" };

static void test_chain(void)
{
	chain_start();
	host_regs = &regs;
	host_run(&counter);
	CHECK(!strcmp(host_out, "0x12000 0x12032 0x12044"));
	host_clear();
	/* a page of it is absent: the handler leaves, and finds the chain made when it runs again */
	host_pages[(STACK - HOST_BASE) / 4096] = HOST_ABSENT;
	host_run(&counter);
	CHECK(!strcmp(host_out, "0x12000 0x12032 0x12044"));
	host_clear();
	/* a stack that calls itself for ever ends at MAXBACKTRACE */
	for (int i = 0; i < 32; i++)
		put_u64(STACK + 8 * i, CODE + 1);
	regs.r[7] = STACK;
	host_run(&counter);
	CHECK_NUM(length, 6);
	host_clear();
	host_regs = NULL;
	host_run(&counter);
	CHECK_NUM(length, 0);
	host_clear();
}

int main(void)
{
	host_start();
	test_x86();
	test_x86_kept();
	test_plt();
	test_signal();
	test_aarch64();
	test_broken();
	test_spoilt();
	test_chain();
	return check_end();
}
