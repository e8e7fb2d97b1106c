/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inferior.c - see inferior.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testsuite/unit/inferior.h"

static bool read_bias(struct inferior *inf, const struct object *obj)
{
	char path[64];
	Elf64_auxv_t aux;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)inf->pid);
	f = fopen(path, "r");
	while (f && fread(&aux, sizeof(aux), 1, f) == 1)
		if (aux.a_type == AT_ENTRY) {
			inf->bias = aux.a_un.a_val - obj->entry_addr;
			found = true;
		}
	if (f)
		fclose(f);
	return found;
}

bool inferior_start(struct inferior *inf, const struct object *obj)
{
	int status;

	memset(inf, 0, sizeof(*inf));
	inf->pid = fork();
	if (inf->pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
			execl(obj->path, obj->path, (char *)NULL);
		_exit(127);
	}
	if (waitpid(inf->pid, &status, 0) < 0 || !WIFSTOPPED(status))
		return false;
	ptrace(PTRACE_SETOPTIONS, inf->pid, 0, PTRACE_O_EXITKILL);
	return read_bias(inf, obj);
}

bool inferior_run_to_run_addr(struct inferior *inf, uint64_t addr)
{
	long word;
	int status;

	errno = 0;
	word = ptrace(PTRACE_PEEKTEXT, inf->pid, addr, 0);
	if (errno || ptrace(PTRACE_POKETEXT, inf->pid, addr, (word & ~0xffL) | 0xcc) != 0)
		return false;
	ptrace(PTRACE_CONT, inf->pid, 0, 0);
	if (waitpid(inf->pid, &status, 0) < 0 || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		return false;
	ptrace(PTRACE_POKETEXT, inf->pid, addr, word);
	ptrace(PTRACE_GETREGS, inf->pid, 0, &inf->regs);
	ptrace(PTRACE_GETFPREGS, inf->pid, 0, &inf->fpregs);
	inf->regs.rip--;
	ptrace(PTRACE_SETREGS, inf->pid, 0, &inf->regs);
	return inf->regs.rip == addr;
}

bool inferior_run_to(struct inferior *inf, uint64_t link_addr)
{
	return inferior_run_to_run_addr(inf, inf->bias + link_addr);
}

uint64_t inferior_peek(struct inferior *inf, uint64_t addr, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++) {
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKDATA, inf->pid, (addr + i) & ~7UL, 0);
		if (errno)
			inf->fault = true;
		value |= (uint64_t)(word >> ((addr + i) & 7) * 8 & 0xff) << i * 8;
	}
	return value;
}

static uint64_t register_value(struct inferior *inf, const struct user_regs_struct *r, unsigned reg)
{
	const unsigned long long gprs[] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
		r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip,
	};

	if (reg < sizeof(gprs) / sizeof(gprs[0]))
		return gprs[reg];
	if (reg >= 17 && reg <= 32) {
		uint64_t low;

		memcpy(&low, &inf->fpregs.xmm_space[4 * (reg - 17)], sizeof(low));
		return low;
	}
	if (reg == 58)
		return r->fs_base;
	inf->fault = true;
	return 0;
}

static uint64_t sign_extend(uint64_t v, unsigned bits)
{
	return (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

static uint64_t unary(enum loc_op op, uint64_t x)
{
	uint32_t low = x;
	double d;
	float f;

	switch (op) {
	case LOC_OP_NEG: return -x;
	case LOC_OP_NOT: return ~x;
	case LOC_OP_ABS: return (int64_t)x < 0 ? -x : x;
	default:
		memcpy(&f, &low, sizeof(f));
		d = f;
		memcpy(&x, &d, sizeof(x));
		return x;
	}
}

static uint64_t binary(struct inferior *inf, enum loc_op op, uint64_t x, uint64_t y)
{
	int64_t sx = x, sy = y;

	switch (op) {
	case LOC_OP_ADD: return x + y;
	case LOC_OP_SUB: return x - y;
	case LOC_OP_MUL: return x * y;
	case LOC_OP_SDIV: return y ? (uint64_t)(sx / sy) : (inf->fault = true);
	case LOC_OP_UMOD: return y ? x % y : (inf->fault = true);
	case LOC_OP_AND: return x & y;
	case LOC_OP_OR: return x | y;
	case LOC_OP_XOR: return x ^ y;
	case LOC_OP_SHL: return y < 64 ? x << y : 0;
	case LOC_OP_SHR: return y < 64 ? x >> y : 0;
	case LOC_OP_SAR: return sx >> (y < 64 ? y : 63);
	case LOC_OP_EQ: return x == y;
	case LOC_OP_NE: return x != y;
	case LOC_OP_SLT: return sx < sy;
	case LOC_OP_SLE: return sx <= sy;
	case LOC_OP_SGT: return sx > sy;
	default: return sx >= sy;
	}
}

static uint64_t eval(struct inferior *inf, const struct loc_expr *e, const struct user_regs_struct *regs)
{
	uint64_t v;

	switch (e->kind) {
	case LOC_CONST: return e->num;
	case LOC_ADDRESS: return e->num + inf->bias;
	case LOC_REG: return register_value(inf, regs, e->reg);
	case LOC_INDEX: return inf->index[e->num];
	case LOC_OPERAND: return inf->operand;
	case LOC_DEREF: return inferior_peek(inf, eval(inf, e->a, regs), e->size);
	case LOC_UNARY: return unary(e->op, eval(inf, e->a, regs));
	case LOC_BINARY: return binary(inf, e->op, eval(inf, e->a, regs), eval(inf, e->b, regs));
	case LOC_SELECT: return eval(inf, eval(inf, e->a, regs) ? e->b : e->c, regs);
	case LOC_SIGN_EXTEND: return sign_extend(eval(inf, e->a, regs), e->bits);
	case LOC_ZERO_EXTEND: return eval(inf, e->a, regs) & ~(~0ULL << e->bits);
	case LOC_BITS:
		v = eval(inf, e->a, regs) >> e->shift;
		return e->bits < 64 ? v & ~(~0ULL << e->bits) : v;
	case LOC_ENTRY_VALUE: return eval(inf, e->a, &inf->entry_regs);
	}
	return 0;
}

uint64_t inferior_eval(struct inferior *inf, const struct loc_expr *e)
{
	inf->fault = false;
	return eval(inf, e, &inf->regs);
}

void inferior_kill(struct inferior *inf)
{
	int status;

	if (inf->pid > 0) {
		kill(inf->pid, SIGKILL);
		waitpid(inf->pid, &status, 0);
	}
	inf->pid = 0;
}
