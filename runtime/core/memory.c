/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the probed program's memory.
 *
 * sp_fetch() decides what a miss means; control.c tells how a handler is run again.  Strings are read page by
 * page, so that a string which ends on one page never fails for the next.
 */
#include "core.h"

#define SP_MAX_TRIES 16			/* runs of one handler for one hit, bounded whatever the script reads */

/* Whether bringing the page of @addr in has failed already in this hit. */
static sp_bool known_bad(const struct sp_ctx *c, sp_uaddr addr)
{
	sp_u32 i, n = SP_MIN(c->nbad, 4);

	for (i = 0; i < n; i++)
		if (c->bad_pages[i] == (addr & -(sp_uaddr)SP_PAGE))
			return 1;
	return 0;
}

/*
 * A handler that has changed nothing gives its locks back while something is brought in.  What has been written cannot be
 * taken back: then it is brought in on the spot, and whoever wants a lock meanwhile may have to skip.
 */
sp_bool sp_may_wait(const struct sp_ctx *c)
{
	return !c->locked || c->wrote || c->tries >= SP_MAX_TRIES;
}

void sp_leave_for(struct sp_ctx *c, enum sp_retry what, sp_uaddr addr)
{
	if (c->error)
		return;
	c->retry = what;
	c->retry_addr = addr;
	sp_error(c, "something is to be brought in");
}

/* Of @n bytes at @addr, the first page that is absent: a read must not ask for it twice. */
static sp_uaddr first_absent(struct sp_ctx *c, sp_uaddr addr, sp_size n)
{
	sp_uaddr next = (addr | (SP_PAGE - 1)) + 1;
	char byte;

	while (next && next - addr < n && sp_plat_peek(c, &byte, next - SP_PAGE < addr ? addr : next - SP_PAGE, 1))
		next += SP_PAGE;
	return next - SP_PAGE < addr ? addr : next - SP_PAGE;
}

/* With locks held a miss gives them up and the handler begins anew once the page is there. */
sp_bool sp_fetch(struct sp_ctx *c, void *dst, sp_uaddr addr, sp_size n)
{
	sp_uaddr absent;

	if (c->retry)
		return 0;
	if (sp_likely(sp_plat_peek(c, dst, addr, n)))
		return 1;
	if (!c->locked)
		return sp_plat_read(c, dst, addr, n);
	absent = first_absent(c, addr, n);
	if (known_bad(c, absent))
		return 0;
	if (sp_may_wait(c))
		return sp_plat_read(c, dst, addr, n);
	sp_leave_for(c, SP_RETRY_PAGE, absent);
	return 0;
}

sp_bool sp_try_load(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_u64 *v)
{
	sp_u64 value = 0;		/* little-endian: the low bytes come first */

	if (!sp_fetch(c, &value, addr, size)) {
		*v = 0;
		return 0;
	}
	*v = value;
	return 1;
}

sp_u64 sp_load(struct sp_ctx *c, sp_uaddr addr, unsigned size)
{
	sp_u64 v;

	if (sp_unlikely(!sp_try_load(c, addr, size, &v)))
		sp_error_addr(c, "read fault [man error::fault] at ", addr, "");
	return v;
}

sp_i64 sp_user_int(struct sp_ctx *c, sp_uaddr addr, unsigned size, sp_bool is_signed)
{
	sp_u64 v;

	sp_try_load(c, addr, size, &v);
	return is_signed ? sp_sext(v, 8 * size) : (sp_i64)v;
}

sp_bool sp_try_user_string(struct sp_ctx *c, sp_uaddr addr, sp_i64 max, struct sp_str *s)
{
	sp_u32 n = 0, limit = SP_MIN(SP_MAX(max, 0), (sp_i64)sp_str_max()), ended = 0;
	char *to = sp_arena_bump(c, limit), byte;

	*s = SP_EMPTY;
	if (!to)
		return 0;
	while (n < limit && !ended) {
		sp_u32 part = SP_PAGE - ((addr + n) & (SP_PAGE - 1)), length;

		part = SP_MIN(part, limit - n);
		if (!sp_fetch(c, to + n, addr + n, part)) {
			c->arena_at = to;
			return 0;
		}
		length = sp_find_byte(to + n, 0, part);
		n += length;
		ended = length < part;
	}
	/* A string that fills the limit of strings is cut only if it has more bytes: worth a look, not a fault. */
	if (!ended && max > (sp_i64)limit && sp_plat_peek(c, &byte, addr + n, 1) && byte)
		sp_count_cut(c);
	c->arena_at = to + n;
	*s = sp_str_make(to, n);
	return 1;
}

struct sp_str sp_user_string(struct sp_ctx *c, sp_uaddr addr, sp_i64 max)
{
	struct sp_str s;

	if (!sp_try_user_string(c, addr, max, &s))
		sp_error_addr(c, "user string copy fault -14 at ", addr, " [man error::fault]");
	return s;
}

static struct sp_str address_text(struct sp_ctx *c, sp_uaddr addr)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	sp_text_hex(&t, addr);
	return sp_text_end(&t);
}

struct sp_str sp_user_string_quoted(struct sp_ctx *c, sp_uaddr addr, sp_i64 inlen, sp_i64 outlen)
{
	struct sp_str s;

	if (!addr || !sp_try_user_string(c, addr, inlen, &s))
		return c->error ? SP_EMPTY : address_text(c, addr);
	return sp_text_str(c, s, outlen, 1);
}

/* The bytes go where the escaped text will stand behind them: both are in the arena. */
struct sp_str sp_user_buffer_quoted(struct sp_ctx *c, sp_uaddr addr, sp_i64 inlen, sp_i64 outlen)
{
	sp_u32 n = SP_MIN(SP_MAX(inlen, 0), (sp_i64)sp_str_max());
	char *bytes = sp_arena_bump(c, n);

	if (!bytes)
		return SP_EMPTY;
	if (!addr || !sp_fetch(c, bytes, addr, n))
		return c->error ? SP_EMPTY : address_text(c, addr);
	return sp_text_str(c, sp_str_make(bytes, n), outlen, 1);
}

sp_u64 sp_object_bias(struct sp_ctx *c, sp_u32 object)
{
	struct sp_text t;
	sp_u64 bias;

	if (sp_likely(sp_plat_object_bias(c, object, &bias)))
		return bias;
	if (!c->error) {
		sp_text_for_error(&t, c);
		sp_text_puts(&t, sp_script.objects[object].path);
		sp_text_puts(&t, " is not mapped in this process");
		sp_text_error(&t);
	}
	return 0;
}
