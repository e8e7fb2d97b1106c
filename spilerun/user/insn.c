/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction, as far as moving it asks: the only file that knows Zydis.
 */
#include <Zydis/Zydis.h>

#include "spilerun/user/plan.h"

/* Counting branches have no form with a long displacement; far transfers and transactions are left alone. */
static bool cannot_move(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_JCXZ: case ZYDIS_MNEMONIC_JECXZ: case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP: case ZYDIS_MNEMONIC_LOOPE: case ZYDIS_MNEMONIC_LOOPNE:
	case ZYDIS_MNEMONIC_XBEGIN: case ZYDIS_MNEMONIC_IRETQ: case ZYDIS_MNEMONIC_INT3: case ZYDIS_MNEMONIC_INT:
		return true;
	default:
		return i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
	}
}

static enum insn_class classify(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_RET:
		return i->mnemonic == ZYDIS_MNEMONIC_RET ? INSN_RET : INSN_BAD;
	case ZYDIS_CATEGORY_CALL:
		return INSN_CALL;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return INSN_JMP;
	case ZYDIS_CATEGORY_COND_BR:
		return INSN_JCC;
	case ZYDIS_CATEGORY_SYSCALL:
		return INSN_SYSCALL;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return INSN_NOP;
	default:
		return INSN_PLAIN;
	}
}

/* Fills in the target of a branch, the place of an rip displacement; refuses a call through the stack pointer. */
static void operands(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *ops, uint64_t addr, struct insn *insn)
{
	for (int n = 0; n < i->operand_count; n++) {
		ZyanU64 target;

		if (ops[n].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && ops[n].imm.is_relative) {
			insn->relative = 1;
			if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(i, &ops[n], addr, &target)))
				insn->target = target;
		} else if (ops[n].type == ZYDIS_OPERAND_TYPE_MEMORY && ops[n].mem.base == ZYDIS_REGISTER_RIP) {
			insn->disp_off = i->raw.disp.offset;
			if (i->raw.disp.size != 32)
				insn->class = INSN_BAD;
		} else if (insn->class == INSN_CALL && n == 0 &&
			   ((ops[n].type == ZYDIS_OPERAND_TYPE_MEMORY && ops[n].mem.base == ZYDIS_REGISTER_RSP) ||
			    (ops[n].type == ZYDIS_OPERAND_TYPE_REGISTER && ops[n].reg.value == ZYDIS_REGISTER_RSP))) {
			insn->class = INSN_BAD;
		}
	}
}

bool insn_decode(const uint8_t *p, size_t n, uint64_t addr, struct insn *insn)
{
	static ZydisDecoder decoder;
	static bool ready;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecoderContext ctx;

	if (!ready) {
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		ready = true;
	}
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &ctx, p, n, &i)))
		return false;
	*insn = (struct insn){ .len = i.length, .class = (uint8_t)classify(&i), .modrm_off = i.raw.modrm.offset };
	if (cannot_move(&i))
		insn->class = INSN_BAD;
	if (i.attributes & ZYDIS_ATTRIB_IS_RELATIVE || insn->class == INSN_CALL) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &ctx, &i, ops, i.operand_count)))
			return false;
		operands(&i, ops, addr, insn);
	}
	return true;
}
