/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sdt_operand.c - the argument string of a static marker: "-4@%edi 8@-24(%rbp) 1@$7" (probes.md B.3).
 *
 * Compilers print these as assembler operands, so each machine has its own syntax; what comes out is the same typed
 * tree that DWARF gives.  Start at sdt_operands_parse().
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

/* A piece of text being read. */
struct scan {
	const char *at, *end;
	struct object *obj;
	struct arena *arena;
	uint64_t pc;			/* of the mark: which unit's static variables are meant */
	bool is_value;			/* what was taken for an address is the value itself (GOTPCREL) */
};

static bool take_char(struct scan *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static void skip_spaces(struct scan *s)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
}

/* A number: decimal, octal or 0x, with a sign; false (and nothing taken) where there is none. */
static bool take_number(struct scan *s, int64_t *out)
{
	char buf[32], *stop;
	size_t len = s->end - s->at;
	const char *digits;

	if (len >= sizeof(buf))
		len = sizeof(buf) - 1;
	memcpy(buf, s->at, len);
	buf[len] = 0;
	digits = buf + (*buf == '-' || *buf == '+');
	if (!isdigit((unsigned char)*digits))
		return false;
	*out = *buf == '-' ? (int64_t)-strtoull(digits, &stop, 0) : (int64_t)strtoull(digits, &stop, 0);
	s->at += stop - buf;
	return true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool take_word(struct scan *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len) != 0)
		return false;
	s->at += len;
	return true;
}

static const char *take_symbol_name(struct scan *s)
{
	const char *start = s->at;

	if (s->at == s->end || (!isalpha((unsigned char)*s->at) && *s->at != '_' && *s->at != '.'))
		return NULL;
	while (s->at < s->end && is_name_char(*s->at))
		s->at++;
	return arena_strndup(s->arena, start, s->at - start);
}

/*
 * Local objects first, then anything of that name (B.3).  Each unit may have a static variable of the same name: then it is
 * the one that the debuginfo of the mark's own unit knows, and without that none rather than a wrong one.
 */
static bool find_symbol(struct scan *s, const char *name, struct symbol_info *out)
{
	const struct symbol_info *all, *first = NULL;
	unsigned n, nfound = 0;

	all = object_symbols(s->obj, &n);
	for (unsigned i = 0; i < n; i++) {
		if (!all[i].is_object || all[i].exported || strcmp(all[i].name, name) != 0)
			continue;
		if (!first || all[i].link_addr != first->link_addr)
			nfound++;
		first = first ? first : &all[i];
	}
	if (nfound == 1)
		*out = *first;
	for (unsigned i = 0; i < n && nfound > 1; i++) {
		if (!all[i].is_object || all[i].exported || strcmp(all[i].name, name) != 0 ||
		    !unit_variable_at(s->obj, s->pc, all[i].link_addr))
			continue;
		*out = all[i];
		return true;
	}
	return nfound ? nfound == 1 : object_symbol_named(s->obj, name, out);
}

/* Where a thread's copy of an executable's variable is, from the thread pointer (ELF handling for TLS, variant II). */
static struct loc_expr *thread_offset(struct scan *s, const struct symbol_info *sym)
{
	uint64_t size;

	if (!sym->is_tls || !object_tls_size(s->obj, &size))
		return NULL;
	return loc_const(s->arena, (int64_t)(sym->link_addr - size));
}

/* A slot of the global offset table holds the symbol's address; without one the linker knew it. */
static struct loc_expr *table_slot(struct scan *s, const char *name, const struct symbol_info *sym)
{
	uint64_t slot = got_slot(s->obj, name);

	if (slot)
		return loc_address(s->arena, s->obj, slot);
	s->is_value = true;
	return sym ? loc_address(s->arena, s->obj, sym->link_addr) : NULL;
}

/* A symbol's address, or what stands behind `@' says of it. */
static struct loc_expr *take_symbol(struct scan *s)
{
	const char *name = take_symbol_name(s);
	struct symbol_info sym;
	bool found;

	if (!name)
		return NULL;
	found = find_symbol(s, name, &sym);
	if (take_word(s, "@GOTPCREL"))
		return table_slot(s, name, found ? &sym : NULL);
	if (take_word(s, "@tpoff"))
		return found ? thread_offset(s, &sym) : NULL;
	return found && !sym.is_tls ? loc_address(s->arena, s->obj, sym.link_addr) : NULL;
}

static size_t name_length(const struct scan *s)
{
	size_t n = 0;

	while (s->at + n < s->end && (isalnum((unsigned char)s->at[n]) || s->at[n] == '_'))
		n++;
	return n;
}

/* A register by name, without `%`; its width in *bits where @bits is not NULL. */
static struct loc_expr *take_register(struct scan *s, unsigned *bits)
{
	size_t len = name_length(s);
	unsigned reg, shift, width;

	if (!len || !register_parse(s->obj->machine, s->at, len, &reg, &shift, &width))
		return NULL;
	s->at += len;
	if (bits)
		*bits = width;
	return loc_bits(s->arena, loc_reg(s->arena, reg), shift, width);
}

/* ---------------------------------------------------------------------------------------------- x86-64 */

static struct loc_expr *take_x86_register(struct scan *s, unsigned *bits)
{
	const char *start = s->at;
	struct loc_expr *e = take_char(s, '%') ? take_register(s, bits) : NULL;

	if (!e)
		s->at = start;
	return e;
}

/* "(BASE,INDEX,SCALE)" with any part left out, added to @disp. */
static struct loc_expr *take_x86_indirect(struct scan *s, struct loc_expr *disp)
{
	struct loc_expr *sum = disp, *reg;
	int64_t scale = 1;

	if (!take_char(s, '('))
		return NULL;
	reg = take_x86_register(s, NULL);
	/* `sym(%rip)`: the symbol is the address, rip only says how it is encoded. */
	if (reg && !(reg->kind == LOC_REG && reg->reg == 16 && disp->kind == LOC_ADDRESS))
		sum = loc_binary(s->arena, LOC_OP_ADD, sum, reg);
	if (take_char(s, ',')) {
		reg = take_x86_register(s, NULL);
		if (!reg)
			return NULL;
		if (take_char(s, ',') && !take_number(s, &scale))
			return NULL;
		if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
			return NULL;
		sum = loc_binary(s->arena, LOC_OP_ADD, sum,
				 loc_binary(s->arena, LOC_OP_MUL, reg, loc_const(s->arena, scale)));
	}
	return take_char(s, ')') ? sum : NULL;
}

/* A sum of numbers and at most one symbol: "-4+8", "sym", "sym+4", "8+sym-4"; 0 where there is none. */
static struct loc_expr *take_displacement(struct scan *s)
{
	struct loc_expr *sum = loc_const(s->arena, 0), *sym;
	int64_t number;

	while (s->at < s->end && *s->at != '(') {
		if (take_number(s, &number)) {
			sum = loc_add(s->arena, sum, number);
			continue;
		}
		take_char(s, '+');
		sym = sum->kind == LOC_CONST ? take_symbol(s) : NULL;
		if (!sym)
			return NULL;
		sum = loc_add(s->arena, sym, sum->num);
	}
	return sum;
}

static struct loc_expr *take_x86_memory(struct scan *s)
{
	/* %gs is nobody's in user space: only the thread pointer is known at a hit */
	struct loc_expr *segment = take_word(s, "%fs:") ? loc_reg(s->arena, 58) : NULL;
	struct loc_expr *address = take_displacement(s);

	if (!address)
		return NULL;
	if (s->at < s->end)
		address = take_x86_indirect(s, address);
	if (address && segment)
		address = loc_binary(s->arena, LOC_OP_ADD, segment, address);
	return address;
}

/* Fills value (of the operand's width) or address. */
static bool parse_x86_64(struct scan *s, struct loc_expr **value, struct loc_expr **address)
{
	int64_t number;

	if (take_char(s, '$')) {
		if (take_number(s, &number)) {
			*value = loc_const(s->arena, number);
		} else {
			*value = take_displacement(s);	/* `$sym`: its address */
		}
		return *value && s->at == s->end;
	}
	*value = take_x86_register(s, NULL);
	if (*value)
		return s->at == s->end;
	*address = take_x86_memory(s);
	return *address && s->at == s->end;
}

/* ---------------------------------------------------------------------------------------------- AArch64 */

/* ", sxtw 2" and its like after an index register. */
static struct loc_expr *take_extension(struct scan *s, struct loc_expr *index)
{
	static const struct { const char *word; unsigned bits; bool is_signed; } rules[] = {
		{ "lsl", 64, false }, { "sxtw", 32, true }, { "uxtw", 32, false }, { "sxtx", 64, true },
		{ "uxtx", 64, false },
	};
	int64_t shift = 0;

	skip_spaces(s);
	if (!take_char(s, ','))
		return index;
	skip_spaces(s);
	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!take_word(s, rules[i].word))
			continue;
		skip_spaces(s);
		take_char(s, '#');
		take_number(s, &shift);
		index = loc_extend(s->arena, index, rules[i].bits, rules[i].is_signed);
		return loc_binary(s->arena, LOC_OP_SHL, index, loc_const(s->arena, shift));
	}
	return NULL;
}

/* What is added to the base register: a number, `:lo12:sym', an index register; NULL: none of these. */
static struct loc_expr *take_aarch64_offset(struct scan *s)
{
	struct loc_expr *e;
	int64_t number;

	take_char(s, '#');
	if (take_word(s, ":lo12:")) {
		/* the base register has the rest of the address, by whole pages, which no load bias changes */
		e = take_displacement(s);
		return e && e->kind == LOC_ADDRESS ? loc_const(s->arena, e->num & 0xfff) : NULL;
	}
	if (take_number(s, &number))
		return loc_const(s->arena, number);
	e = take_register(s, NULL);
	return e ? take_extension(s, e) : NULL;
}

static struct loc_expr *take_aarch64_memory(struct scan *s)
{
	struct loc_expr *base, *offset;

	if (!take_char(s, '['))
		return NULL;
	skip_spaces(s);
	base = take_register(s, NULL);
	skip_spaces(s);
	if (base && take_char(s, ',')) {
		skip_spaces(s);
		offset = take_aarch64_offset(s);
		base = offset ? loc_binary(s->arena, LOC_OP_ADD, base, offset) : NULL;
		skip_spaces(s);
	}
	return base && take_char(s, ']') ? base : NULL;
}

/* xzr and wzr read as nothing. */
static struct loc_expr *take_zero_register(struct scan *s)
{
	size_t len = name_length(s);

	if (len != 3 || (memcmp(s->at, "xzr", 3) != 0 && memcmp(s->at, "wzr", 3) != 0))
		return NULL;
	s->at += len;
	return loc_const(s->arena, 0);
}

static bool parse_aarch64(struct scan *s, struct loc_expr **value, struct loc_expr **address)
{
	const char *start = s->at;
	int64_t number;

	take_char(s, '#');
	if (take_number(s, &number) && s->at == s->end) {
		*value = loc_const(s->arena, number);
		return true;
	}
	s->at = start;			/* "8+sym" begins with a number, too */
	*value = take_zero_register(s);
	if (!*value)
		*value = take_register(s, NULL);
	if (*value)
		return s->at == s->end;
	*address = *s->at == '[' ? take_aarch64_memory(s) : take_displacement(s);
	return *address && s->at == s->end;
}

/* ---------------------------------------------------------------------------------------------- all machines */

static bool parse_operand(struct scan *s, struct loc_expr **value, struct loc_expr **address)
{
	*value = *address = NULL;
	if (s->at == s->end)
		return false;
	switch (s->obj->machine) {
	case EM_X86_64: return parse_x86_64(s, value, address);
	case EM_AARCH64: return parse_aarch64(s, value, address);
	default: return false;
	}
}

/* "-4f@" at the head of @s; without any `@` the whole token is an operand of the machine's own size. */
static bool take_size(struct scan *s, struct sdt_operand *out)
{
	int64_t size;

	if (!memchr(s->at, '@', s->end - s->at)) {
		out->size = s->obj->elf_class / 8;
		return true;
	}
	out->is_signed = *s->at == '-';
	if (!take_number(s, &size))
		return false;
	size = size < 0 ? -size : size;
	out->is_float = take_char(s, 'f');
	out->size = size;
	return (size == 1 || size == 2 || size == 4 || size == 8) && take_char(s, '@');
}

static void parse_one(struct object *obj, uint64_t pc, struct arena *a, const char *start, const char *end,
		      struct sdt_operand *out)
{
	struct scan s = { .at = start, .end = end, .obj = obj, .arena = a, .pc = pc };
	struct loc_expr *value, *address;

	memset(out, 0, sizeof(*out));
	out->text = arena_strndup(a, start, end - start);
	if (!take_size(&s, out) || !parse_operand(&s, &value, &address))
		return;
	if (address && s.is_value) {
		value = address;
	} else if (address) {
		value = loc_deref(a, address, out->size);
		out->is_memory = true;
	}
	out->value = loc_extend(a, value, out->size * 8, out->is_signed);
}

/* Does "[-]SIZE[f]@" stand here? */
static bool starts_operand(const char *at)
{
	if (*at == '-')
		at++;
	if (!isdigit((unsigned char)*at))
		return false;
	while (isdigit((unsigned char)*at))
		at++;
	if (*at == 'f')
		at++;
	return *at == '@';
}

unsigned sdt_operands_parse(struct object *obj, uint64_t pc, const char *text, struct arena *a, struct sdt_operand *arg)
{
	bool sized = strchr(text, '@') != NULL;
	unsigned n = 0;

	while (n < SDT_MAX_ARGS) {
		const char *end;

		text += strspn(text, " ");
		if (!*text)
			break;
		/* Operands may hold spaces: the next one begins where a space is followed by "SIZE@". */
		for (end = text; *end; end++)
			if (*end == ' ' && (!sized || starts_operand(end + strspn(end, " "))))
				break;
		parse_one(obj, pc, a, text, end, &arg[n++]);
		text = end;
	}
	return n;
}
