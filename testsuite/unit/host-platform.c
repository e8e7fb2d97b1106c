/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sp_plat_ for unit tests; see host-platform.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "host-platform.h"

struct sp_session *host_session;
char host_out[65536], host_err[4096], host_warn[4096];
int host_exits, host_states;
unsigned host_reads;
sp_i64 host_thread_key = 77;
sp_u64 host_cycles;
enum host_page host_pages[HOST_PAGES];
char host_memory[HOST_PAGES * 4096];

const struct sp_regs *host_regs;
unsigned host_rearms;
sp_u64 host_slept_us;
bool (*host_on_sleep)(void);
sp_u32 host_lanes = 4, host_lane_bytes = 1 << 20;
__thread sp_u32 host_cpu;
sp_u32 host_self;

static const struct sp_probe no_probe = { .kind = SP_PROBE_SITE, .point = "unit", .name = "unit" };
static sp_u32 owners;
static __thread sp_u32 my_owner;
static __thread struct sp_ctx my_context;
static __thread char my_arena[65536] __attribute__((aligned(16))), my_out[4096];

void host_clear(void)
{
	host_out[0] = host_err[0] = host_warn[0] = 0;
	host_exits = host_states = 0;
	host_reads = 0;
}

static void start_in(void *memory)
{
	host_session = memory;
	sp_session_init(host_session, &sp_script);
	sp_state_change(host_session, SP_STARTING, SP_RUNNING);
	host_clear();
}

/* The session's memory where it is of the heap. */
static void *own_memory;

static void keep_own(void *memory)
{
	free(own_memory);
	own_memory = memory;
}

void host_start(void)
{
	keep_own(calloc(1, sp_session_size(&sp_script)));
	start_in(own_memory);
}

void host_start_shared(void)
{
	keep_own(NULL);
	start_in(mmap(NULL, sp_session_size(&sp_script), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

void host_be_owner(sp_u32 owner)
{
	my_owner = owner;
}

struct sp_ctx *host_context(void)
{
	struct sp_ctx *c = &my_context;

	memset(c, 0, sizeof(*c));
	c->session = host_session;
	c->regs = host_regs;
	c->probe = &no_probe;
	c->arena = c->arena_at = my_arena;
	c->arena_end = my_arena + sizeof(my_arena);
	c->out = my_out;
	c->out_size = sizeof(my_out);
	c->globals = sp_at(host_session, host_session->globals_off);
	return c;
}

void host_run(const struct sp_probe *probe)
{
	sp_run_probe(host_context(), probe);
}

const char *host_text(struct sp_str s)
{
	static char texts[8][4096];
	static int next;
	char *text = texts[next++ & 7];

	memcpy(text, s.p, s.n);
	text[s.n] = 0;
	return text;
}

const char *host_printed(struct sp_ctx *c)
{
	struct sp_str s = { c->out, c->out_len };

	c->out_len = 0;
	return host_text(s);
}

/* ---- the platform ---- */

static enum host_page page_at(sp_uaddr addr)
{
	if (addr < HOST_BASE || addr >= HOST_BASE + sizeof(host_memory))
		return HOST_BAD;
	return host_pages[(addr - HOST_BASE) / 4096];
}

sp_bool sp_plat_peek(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	(void)c;
	for (sp_size i = 0; i < n; i++)
		if (page_at(addr + i) != HOST_PRESENT)
			return 0;
	memcpy(dst, host_memory + (addr - HOST_BASE), n);
	return 1;
}

sp_bool sp_plat_write(struct sp_ctx *c, const void *src, sp_uaddr addr, sp_size n)
{
	(void)c;
	for (sp_size i = 0; i < n; i++)
		if (page_at(addr + i) == HOST_BAD)
			return 0;
	memcpy(host_memory + (addr - HOST_BASE), src, n);
	return 1;
}

sp_bool sp_plat_peek_kernel(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	(void)c;
	(void)addr;
	memset(dst, 0, n);
	return 0;
}

sp_bool sp_plat_read(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	host_reads++;
	for (sp_size i = 0; i < n; i++) {
		if (page_at(addr + i) == HOST_BAD)
			return 0;
		host_pages[(addr + i - HOST_BASE) / 4096] = HOST_PRESENT;
	}
	return sp_plat_peek(c, dst, addr, n);
}

sp_bool sp_plat_emit(struct sp_ctx *c, enum sp_record_kind kind, const void *data, sp_u32 len)
{
	char *to = kind == SP_REC_OUTPUT ? host_out : kind == SP_REC_ERROR ? host_err : host_warn;
	size_t room = kind == SP_REC_OUTPUT ? sizeof(host_out) : sizeof(host_err), at = strlen(to);

	(void)c;
	if (kind == SP_REC_EXIT) {
		host_exits++;
		return 1;
	}
	if (at + len + 2 > room)
		return 0;
	memcpy(to + at, data, len);
	to[at + len] = 0;
	if (kind != SP_REC_OUTPUT)
		strcat(to, "\n");
	return 1;
}

sp_u32 sp_plat_owner(struct sp_ctx *c)
{
	(void)c;
	if (!my_owner)
		my_owner = __atomic_add_fetch(&owners, 1, __ATOMIC_RELAXED);
	return my_owner;
}

void sp_plat_relax(void)
{
	__builtin_ia32_pause();
}

sp_bool sp_plat_sleep(sp_u32 us)
{
	__atomic_fetch_add(&host_slept_us, us, __ATOMIC_RELAXED);
	return host_on_sleep && host_on_sleep();
}

sp_bool sp_plat_is_self(struct sp_ctx *c, sp_u32 owner)
{
	(void)c;
	return owner == host_self;
}

void sp_plat_rearm(struct sp_session *s)
{
	(void)s;
	host_rearms++;
}

void sp_plat_state_changed(struct sp_session *s)
{
	(void)s;
	host_states++;
}

static sp_u64 now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (sp_u64)t.tv_sec * 1000000000 + t.tv_nsec;
}

sp_u64 sp_plat_mono_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

sp_u64 sp_plat_real_ns(void)
{
	return now_ns(CLOCK_REALTIME);
}

sp_u64 sp_plat_cycles(void)
{
	return __atomic_add_fetch(&host_cycles, 1, __ATOMIC_RELAXED);
}

sp_u64 sp_plat_thread_pointer(struct sp_ctx *c)
{
	(void)c;
	return 0x7000;
}

sp_u32 sp_plat_cpu(void)
{
	return 3;
}

sp_u32 sp_plat_lanes(sp_u32 *bytes)
{
	*bytes = host_lane_bytes;
	return host_lanes;
}

sp_u32 sp_plat_lane(struct sp_ctx *c)
{
	return host_cpu ? host_cpu - 1 : sp_plat_owner(c);
}

sp_i64 sp_plat_id(struct sp_ctx *c, enum sp_id which)
{
	(void)c;
	return which == SP_ID_THREAD_KEY ? host_thread_key : 1000 + (sp_i64)which;
}

void sp_plat_execname(struct sp_ctx *c, char name[16])
{
	(void)c;
	memcpy(name, "unit", 5);
}

void sp_plat_frame(struct sp_ctx *c, struct sp_frame *f)
{
	(void)c;
	(void)f;
}

struct sp_module host_module;
const struct sp_symbols *host_symbols;
sp_bool host_names_absent;

enum sp_answer sp_plat_module(struct sp_ctx *c, sp_uaddr addr, sp_bool wait, struct sp_module *m)
{
	(void)c;
	(void)wait;
	*m = host_module;
	return addr >= m->start && addr < m->end ? SP_YES : SP_NO;
}

enum sp_answer sp_plat_symbols(struct sp_ctx *c, sp_u32 file, sp_bool wait, const struct sp_symbols **s)
{
	(void)c;
	(void)file;
	if (host_names_absent && !wait)
		return SP_LATER;
	host_names_absent = 0;
	*s = host_symbols;
	return host_symbols ? SP_YES : SP_NO;
}

sp_bool sp_plat_object_bias(struct sp_ctx *c, sp_u32 object, sp_u64 *bias)
{
	(void)c;
	*bias = 0x1000;
	return object == 0;
}
