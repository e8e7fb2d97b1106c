/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing target memory and registers; strings kept from a function's entry. */
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "host-platform.h"

const struct sp_script sp_script = {
	.entry_slots = 2, .entry_strings = 1,
	.limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 32, .maxtrylock = 10 },
};

static sp_u64 bits_of(double d)
{
	sp_u64 v;

	memcpy(&v, &d, 8);
	return v;
}

/* The compiler's own conversion says what is right. */
static void check_float(double d)
{
	float f = (float)d;
	uint32_t want;

	memcpy(&want, &f, 4);
	CHECK_NUM(sp_double_to_float(bits_of(d)), want);
}

static void test_floats(void)
{
	static const double values[] = {
		0.0, -0.0, 1.0, -1.25, 0.1, 1e10, 16777217.0, 16777219.0, 3.4028235e38, 3.4028236e38, 1e39, -1e300, INFINITY,
		1.1754944e-38, 1e-40, -1e-44, 7.006492321624085e-46, 7.1e-46, 1.4e-45, 1e-50, 4.9e-324, 0.99999997, 0.99999999,
	};
	sp_u64 nan;

	for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++)
		check_float(values[i]);
	nan = sp_double_to_float(bits_of(NAN));
	CHECK((nan & 0x7f800000u) == 0x7f800000u && nan & 0x7fffffu);
}

static void test_memory(void)
{
	struct sp_ctx *c = host_context();
	sp_uaddr at = HOST_BASE + 64;

	memset(host_memory + 64, 0xff, 16);
	sp_store(c, at, 4, 0x1122334455667788ull);
	CHECK_NUM(sp_load(c, at, 8), (long long)0xffffffff55667788ull);
	sp_store_bits(c, at, 4, 3, 5, 0x100 + 2);
	CHECK_NUM(sp_load(c, at, 4), 0x55667710);
	sp_store_bits(c, at + 8, 8, 0, 64, 5);
	CHECK_NUM(sp_load(c, at + 8, 8), 5);
	CHECK(!c->error);
	host_pages[7] = HOST_BAD;
	sp_store(c, HOST_BASE + 7 * 4096, 1, 0);
	CHECK_STR(c->error ? c->error : "", "write fault [man error::fault] at 0x17000");
	sp_store(c, at, 4, 0);			/* with an error set nothing is written */
	CHECK_NUM(host_memory[64 + 3], 0x55);
	c = host_context();
	sp_store_bits(c, HOST_BASE + 7 * 4096, 4, 0, 1, 1);
	CHECK_STR(c->error ? c->error : "", "read fault [man error::fault] at 0x17000");
	host_pages[7] = HOST_PRESENT;
}

static void test_registers(void)
{
	struct sp_regs regs = { .r = { [0] = ~0ull, [5] = ~0ull } };
	struct sp_ctx *c = host_context();

	c->regs = &regs;
	sp_set_reg(c, 0, 4, 0x123456789ull);
	CHECK_NUM(regs.r[0], 0x23456789);
	sp_set_reg(c, 5, 1, 0x1234);
	CHECK_NUM(regs.r[5], (long long)0xffffffffffffff34ull);
	sp_set_reg(c, 5, 2, 0x5678);
	CHECK_NUM(regs.r[5], (long long)0xffffffffffff5678ull);
	CHECK_NUM(c->set_regs, 1 | 1 << 5);
	CHECK_NUM(sp_uregister(c, 5), (long long)0xffffffffffff5678ull);
	sp_set_reg(c, 7, 8, 1);			/* the stack pointer */
	CHECK_STR(c->error ? c->error : "", "register access fault [man error::fault]");
	CHECK_NUM(c->set_regs, 1 | 1 << 5);
	c = host_context();
	CHECK_NUM(sp_uregister(c, 0), 0);	/* an event without registers */
	CHECK(c->error != NULL);
}

static void test_entry_strings(void)
{
	struct sp_ctx *c = host_context();
	struct sp_str longest = SP_STR("0123456789012345678901234567890123456789");

	sp_entry_put(c, 0, 100, 42);
	sp_entry_put_str(c, 1, 100, SP_STR("outer"));
	sp_entry_put_str(c, 1, 80, SP_STR("inner"));
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 80)), "inner");
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 100)), "outer");
	CHECK_NUM(sp_entry_get(c, 0, 100), 42);
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 60)), "");
	CHECK_NUM(host_session->losses[SP_LOST_ENTRY], 1);
	sp_entry_put_str(c, 1, 100, longest);	/* cut as every string is */
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 100)), "0123456789012345678901234567890");
	sp_entry_put_str(c, 1, 100, SP_EMPTY);
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 100)), "");
	for (int i = 0; i < 5000; i++)		/* more than the table holds: the last ones are there */
		sp_entry_put_str(c, 1, 1000 + 8 * i, SP_STR("many"));
	CHECK_STR(host_text(sp_entry_get_str(c, 1, 1000 + 8 * 4999)), "many");
}

static void test_enum_names(void)
{
	static const struct sp_enumerator rows[] = { { 1, "ONE" }, { -2, "MINUS" }, { 1, "AGAIN" } };
	struct sp_ctx *c = host_context();

	CHECK_STR(host_text(sp_enum_name(c, 1, rows, 3)), "ONE");
	CHECK_STR(host_text(sp_enum_name(c, -2, rows, 3)), "MINUS");
	CHECK_STR(host_text(sp_enum_name(c, -3, rows, 3)), "-3");
	CHECK_STR(host_text(sp_enum_name(c, 7, 0, 0)), "7");
}

int main(void)
{
	host_start();
	test_floats();
	test_memory();
	test_registers();
	test_entry_strings();
	test_enum_names();
	return check_end();
}
