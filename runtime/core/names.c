/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as people read them: symbol, offset, size, object; and chains of calls line by line.
 *
 * find_name() is where to start.  Names are found in the handler, from the maps as they are at the hit, so they are right
 * however soon the program ends.  The forms are those of spec/probes.md D.5.
 */
#include "unwind.h"

/* What an address belongs to. */
struct address {
	sp_uaddr addr;
	sp_bool has_module;
	struct sp_module m;
	const struct sp_symbols *table;	/* NULL: none */
	const char *symbol;		/* NULL: not known */
	sp_u64 offset, size;		/* of the address in the symbol */
	const struct sp_code *code;	/* what the object's code was made of; NULL: not known */
	sp_u32 copy;			/* the innermost inlined copy there, from 1; 0: none */
	sp_bool is_inlined;		/* .symbol is that of an inlined copy */
	const char *file;		/* source position; "", 0: not known */
	sp_u32 line;
};

/* ---- finding ---- */

/* A back end's answer, where the handler may have to leave and come again for it: then an error is set. */
static sp_bool settled(struct sp_ctx *c, enum sp_answer answer, sp_uaddr addr)
{
	if (answer == SP_LATER)
		sp_leave_for(c, SP_RETRY_NAMES, addr);
	return answer == SP_YES;
}

static sp_bool find_module(struct sp_ctx *c, sp_uaddr addr, struct sp_module *m)
{
	return !c->error && settled(c, sp_plat_module(c, addr, sp_may_wait(c), m), addr) && m->file;
}

static const struct sp_symbols *find_symbols(struct sp_ctx *c, const struct sp_module *m, sp_uaddr addr)
{
	const struct sp_symbols *table;

	return settled(c, sp_plat_symbols(c, m->file, sp_may_wait(c), &table), addr) ? table : 0;
}

/* What the script's own object, if the module is one, was made of. */
static const struct sp_code *find_code(const struct address *a)
{
	sp_u32 i;

	for (i = 0; i < sp_script.nobjects; i++) {
		const struct sp_object *o = &sp_script.objects[i];
		sp_size n = sp_text_len(o->path);

		if (!o->code)
			continue;
		if (o->build_id ? o->build_id_len == a->table->build_id_len &&
				  !sp_compare(o->build_id, a->table->build_id, o->build_id_len)
				: n == sp_text_len(a->m.path) && !sp_compare(o->path, a->m.path, n))
			return o->code;
	}
	return 0;
}

/* The place of link-time address @addr in the code map. */
static void find_place(struct address *a, sp_u64 addr)
{
	sp_u32 low = 0, high;

	a->code = find_code(a);
	high = a->code ? a->code->nplaces : 0;
	while (low < high) {
		sp_u32 middle = low + (high - low) / 2;

		if (a->code->places[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return;
	a->copy = a->code->places[low - 1].copy;
	a->file = a->code->text + a->code->places[low - 1].file;
	a->line = a->code->places[low - 1].line;
}

/*
 * All that is known of @addr; with @is_call it is where a call returns to, which may be behind the function's end.
 * False: an error is set.
 */
static sp_bool find_name(struct sp_ctx *c, sp_uaddr addr, sp_bool is_call, struct address *a)
{
	const struct sp_symbol *s;

	a->addr = addr;
	a->symbol = 0;
	a->table = 0;
	a->copy = a->line = 0;
	a->is_inlined = 0;
	a->file = "";
	a->has_module = find_module(c, addr - is_call, &a->m);
	if (a->has_module)
		a->table = find_symbols(c, &a->m, addr);
	if (!a->table || !a->m.base)
		return !c->error;
	addr -= a->m.base - a->table->load;
	s = sp_symbol_at(a->table, addr - is_call);
	if (s) {
		a->symbol = (const char *)a->table + a->table->names_off + (s->name & SP_SYMBOL_NAME);
		a->symbol += a->symbol[0] == '.';
		a->offset = addr - s->addr;
		a->size = s->size;
	}
	find_place(a, addr - is_call);
	return 1;
}

/* What the innermost inlined copy is at the place into @copied; @a is then left at the place where that copy is called. */
static void take_copy(struct address *a, struct address *copied)
{
	const struct sp_inline_copy *copy = &a->code->copies[a->copy - 1];
	sp_u64 addr;

	sp_copy(copied, a, sizeof(*a));
	copied->symbol = a->code->text + copy->name;
	addr = a->addr - (a->m.base - a->table->load);
	copied->offset = addr > copy->lo ? addr - copy->lo : 0;		/* a part split off may lie before it */
	copied->size = copy->size;
	copied->is_inlined = 1;
	a->file = a->code->text + copy->call_file;
	a->line = copy->call_line;
	a->copy = copy->outer;
}

/* Where core/ makes ready what a handler has left for. */
void sp_names_bring_in(struct sp_ctx *c, sp_uaddr addr)
{
	const struct sp_symbols *table;
	struct sp_module m;

	if (sp_plat_module(c, addr, 1, &m) == SP_YES && m.file)
		sp_plat_symbols(c, m.file, 1, &table);
}

/* ---- writing ---- */

enum {
	FULL,				/* " 0xADDR : sym+0xO/0xZ [M]\n" */
	BRIEF,				/* "sym+0xO\n" */
	SHORT,				/* "sym+0xO [basename]\n" */
	DATA,				/* "sym+0xO/0xZ [M]", or the address again */
	LINES,				/* " 0xADDR : sym+0xO/0xZ at FILE:LINE [M]\n" */
};

static const char *base_name(const char *path)
{
	const char *last = path;

	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return last;
}

static sp_bool has_position(const struct address *a)
{
	return a->file[0] || a->line;
}

/* "FILE:LINE", or as much of it as is known. */
static void put_position(struct sp_text *t, const struct address *a)
{
	sp_text_puts(t, a->file[0] ? a->file : "??");
	if (!a->line)
		return;
	sp_text_puts(t, ":");
	sp_text_u64(t, a->line, 10);
}

static void put_line(struct sp_text *t, const struct address *a, unsigned form)
{
	if (form != LINES || !has_position(a))
		return;
	sp_text_puts(t, " at ");
	put_position(t, a);
}

static void put_symbol(struct sp_text *t, const struct address *a, unsigned form)
{
	sp_text_puts(t, a->symbol);
	sp_text_puts(t, "+");
	sp_text_hex(t, a->offset);
	if (form != SHORT && form != BRIEF) {
		sp_text_puts(t, "/");
		sp_text_hex(t, a->size);
	}
	if (a->is_inlined)
		sp_text_puts(t, " (inlined)");
	if (form == BRIEF)
		return;
	put_line(t, a, form);
	sp_text_puts(t, " [");
	sp_text_puts(t, form == SHORT ? base_name(a->m.path) : a->m.path);
	sp_text_puts(t, "]");
}

/* Behind the address itself: where in the object it is. */
static void put_object(struct sp_text *t, const struct address *a, unsigned form)
{
	sp_uaddr from = a->m.base ? a->m.base : a->m.start, to = a->m.base ? a->m.limit : a->m.end;

	if (!a->has_module || form == BRIEF)
		return;
	sp_text_puts(t, " [");
	sp_text_puts(t, form == SHORT ? base_name(a->m.path) : a->m.path);
	sp_text_puts(t, "+");
	sp_text_hex(t, a->addr - from);
	if (form != SHORT) {
		sp_text_puts(t, "/");
		sp_text_hex(t, to - from);
	}
	sp_text_puts(t, "]");
	put_line(t, a, form);
}

static void put_address(struct sp_text *t, const struct address *a, unsigned form)
{
	if (form == FULL || form == LINES) {
		sp_text_puts(t, " ");
		sp_text_hex(t, a->addr);
		if (a->symbol)
			sp_text_puts(t, " : ");
	} else if (!a->symbol) {
		sp_text_hex(t, a->addr);
	}
	if (a->symbol)
		put_symbol(t, a, form);
	else
		put_object(t, a, form);
}

/* ---- one address ---- */

struct sp_str sp_symbol_name(struct sp_ctx *c, sp_uaddr addr)
{
	struct address a;
	struct sp_text t;

	if (!find_name(c, addr, 0, &a))
		return SP_EMPTY;
	sp_text_arena(&t, c);
	if (a.symbol)
		sp_text_puts(&t, a.symbol);
	else
		sp_text_hex(&t, addr);
	return sp_text_end(&t);
}

struct sp_str sp_symbol_data(struct sp_ctx *c, sp_uaddr addr)
{
	struct address a;
	struct sp_text t;

	if (!find_name(c, addr, 0, &a))
		return SP_EMPTY;
	sp_text_arena(&t, c);
	put_address(&t, &a, DATA);
	return sp_text_end(&t);
}

struct sp_str sp_source_position(struct sp_ctx *c, sp_uaddr addr, sp_bool file, sp_bool line)
{
	struct address a;
	struct sp_text t;

	if (!find_name(c, addr, 0, &a))
		return SP_EMPTY;
	sp_text_arena(&t, c);
	if (file && line && has_position(&a))
		put_position(&t, &a);
	else if (file && !line && a.file[0])
		sp_text_puts(&t, a.file);
	else if (line && !file && a.line)
		sp_text_u64(&t, a.line, 10);
	else
		sp_text_hex(&t, addr);
	return sp_text_end(&t);
}

struct sp_str sp_module_path(struct sp_ctx *c, sp_uaddr addr)
{
	struct sp_module m;

	if (find_module(c, addr, &m))
		return sp_str_keep(c, m.path, SP_MIN(sp_text_len(m.path), sp_str_max()));
	sp_error(c, "module cannot be found");
	return SP_EMPTY;
}

sp_i64 sp_module_offset(struct sp_ctx *c, sp_uaddr addr)
{
	struct sp_module m;

	if (find_module(c, addr, &m))
		return addr - (m.base ? m.base : m.start);
	sp_error_addr(c, "umodaddr ", addr, " unknown");
	return 0;
}

struct sp_str sp_module_build_id(struct sp_ctx *c, sp_uaddr addr)
{
	struct address a;
	struct sp_text t;
	sp_u32 i;

	if (!find_name(c, addr, 0, &a))
		return SP_EMPTY;
	if (!a.table || !a.table->build_id_len) {
		sp_error_addr(c, "umodbuildid ", addr, " unknown");
		return SP_EMPTY;
	}
	sp_text_arena(&t, c);
	for (i = 0; i < a.table->build_id_len; i++) {
		if (a.table->build_id[i] < 16)
			sp_text_puts(&t, "0");
		sp_text_u64(&t, a.table->build_id[i], 16);
	}
	return sp_text_end(&t);
}

/* ---- chains ---- */

static void put_no_chain(struct sp_text *t, struct sp_ctx *c)
{
	const char *point = c->site && c->site->point ? c->site->point : c->probe->point;

	sp_text_puts(t, "<no user backtrace at ");
	sp_text_puts(t, point ? point : "");
	sp_text_puts(t, ">");
}

struct sp_str sp_no_chain(struct sp_ctx *c)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	put_no_chain(&t, c);
	return sp_text_end(&t);
}

/* Straight into the output. */
static void text_for_output(struct sp_text *t, struct sp_ctx *c)
{
	sp_zero(t, sizeof(*t));
	t->c = c;
	t->size = 0xffffffffu;
}

/* Takes back what was begun and does not fit whole. */
static sp_bool line_fits(struct sp_text *t, sp_u32 before)
{
	if (t->cut)
		t->n = before;
	return !t->cut;
}

/* A line for each copy inlined at the place, then one for the function. */
static sp_bool put_call(struct sp_text *t, struct address *a, unsigned form)
{
	struct address copied;
	sp_u32 before = t->n;

	while (a->copy && a->copy <= a->code->ncopies) {
		take_copy(a, &copied);
		put_address(t, &copied, form);
		sp_text_puts(t, "\n");
		if (!line_fits(t, before))
			return 0;
		before = t->n;
	}
	put_address(t, a, form);
	sp_text_puts(t, "\n");
	return line_fits(t, before);
}

/* At an exit the first two lines of a full text say from where to where. */
static void print_calls(struct sp_ctx *c, const struct sp_call *calls, sp_u32 n, unsigned form, sp_bool is_exit)
{
	struct address a;
	struct sp_text t;
	sp_u32 i;

	text_for_output(&t, c);
	for (i = 0; i < n && find_name(c, calls[i].pc, calls[i].is_call, &a); i++) {
		if (is_exit && form != BRIEF && i < 2) {
			sp_text_puts(&t, i ? "Returning to  : " : "Returning from: ");
			a.copy = 0;
		}
		put_call(&t, &a, form);
	}
}

static void print_no_chain(struct sp_ctx *c)
{
	struct sp_text t;

	if (c->error)
		return;
	text_for_output(&t, c);
	put_no_chain(&t, c);
	sp_text_puts(&t, "\n");
}

static unsigned form_of(enum sp_chain_form form)
{
	return form == SP_CHAIN_BRIEF ? BRIEF : form == SP_CHAIN_LINES ? LINES : FULL;
}

void sp_chain_print(struct sp_ctx *c, enum sp_chain_form form)
{
	const struct sp_call *calls;
	sp_u32 n;

	if (sp_chain_get(c, &calls, &n))
		print_calls(c, calls, n, form_of(form), sp_is_return(c));
	else
		print_no_chain(c);
}

void sp_chain_print_from(struct sp_ctx *c, sp_uaddr pc, sp_uaddr sp, sp_uaddr fp, enum sp_chain_form form)
{
	const struct sp_call *calls;
	sp_u32 n;

	if (sp_chain_from(c, pc, sp, fp, &calls, &n))
		print_calls(c, calls, n, form_of(form), 0);
	else
		print_no_chain(c);
}

struct sp_str sp_chain_sprint(struct sp_ctx *c)
{
	const struct sp_call *calls;
	struct address a;
	struct sp_text t;
	sp_u32 n, i;

	if (!sp_chain_get(c, &calls, &n))
		return c->error ? SP_EMPTY : sp_no_chain(c);
	sp_text_arena(&t, c);
	for (i = 0; i < n && find_name(c, calls[i].pc, calls[i].is_call, &a); i++)
		if (!put_call(&t, &a, SHORT))
			break;
	return sp_text_end(&t);
}

/* ---- addresses that a script has kept as text ---- */

static int hex_digit(char p)
{
	if (p >= '0' && p <= '9')
		return p - '0';
	p |= 0x20;
	return p >= 'a' && p <= 'f' ? p - 'a' + 10 : -1;
}

/* The next word of @s from *@at on as a number in hexadecimal; false: there is none, or it is none. */
static sp_bool next_address(struct sp_str s, sp_u32 *at, sp_uaddr *addr)
{
	sp_u32 i = *at, from;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t'))
		i++;
	if (i + 1 < s.n && s.p[i] == '0' && (s.p[i + 1] | 0x20) == 'x')
		i += 2;
	from = i;
	for (*addr = 0; i < s.n && hex_digit(s.p[i]) >= 0; i++)
		*addr = *addr << 4 | (sp_u64)hex_digit(s.p[i]);
	*at = i;
	return i > from;
}

/* " 0xADDR : usymdata" for each address of @stack.  To the output where @t has no buffer, else whole lines only. */
static void put_addresses(struct sp_text *t, struct sp_ctx *c, struct sp_str stack)
{
	struct address a;
	sp_uaddr addr;
	sp_u32 at = 0, before;

	while (next_address(stack, &at, &addr) && find_name(c, addr, 0, &a)) {
		before = t->n;
		sp_text_puts(t, " ");
		sp_text_hex(t, addr);
		sp_text_puts(t, " : ");
		put_address(t, &a, DATA);
		sp_text_puts(t, "\n");
		if (!line_fits(t, before))
			break;
	}
}

void sp_addresses_print(struct sp_ctx *c, struct sp_str stack)
{
	struct sp_text t;

	text_for_output(&t, c);
	put_addresses(&t, c, stack);
}

struct sp_str sp_addresses_sprint(struct sp_ctx *c, struct sp_str stack)
{
	struct sp_text t;

	sp_text_arena(&t, c);
	put_addresses(&t, c, stack);
	return sp_text_end(&t);
}
