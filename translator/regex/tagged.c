/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An NFA to a DFA that notes where groups begin and end (Laurikari's tagged automata).
 *
 * A state is a set of threads: an NFA state each, and the registers that hold what its way noted.  Where two ways come to
 * one NFA state, the one that POSIX prefers stays (XBD 9.1): parts further left are longer first, a whole goes before its
 * parts, and a round before none.  Which one that is hangs on bytes long gone, so for each two threads a state keeps an
 * order and two heights (Okui and Suzuki, "Disambiguation in Regular Expression Matching via Position Automata with
 * Augmented Transitions", 2010; Borsotti and Trofimovich, "Efficient POSIX submatch extraction on NFA", 2019):
 *
 *	height: the least depth that a way has touched since the two forked.  At each byte the greater height wins, as its
 *	way is still inside of something that the other's has left; with equal heights, the order that there was stays.
 *	At the fork itself the edge that comes first in the NFA wins.
 *
 * Registers are numbered anew in each state, in the order of first use; so equal states are found, and a transition's
 * moves are what changed number.  Start reading at tagged_build(), then fill().
 */
#include "regex/inner.h"

#include <string.h>

enum { NONE = -1, HERE = -2 };		/* where the value of a tag is, if in no register */

/* The way to an NFA state since the last byte. */
struct path {
	const struct path *before;	/* NULL: where the byte led to */
	int state;
	int edge;			/* which of the edges of the state before */
	unsigned len;			/* paths before it */
};

/* Paths live for one byte: blocks are filled again for the next. */
struct path_block {
	struct path path[256];
	unsigned n;
	struct path_block *next;
};

struct way {
	unsigned thread;		/* of the state before the byte */
	const struct path *path;	/* NULL: there is no way */
};

/*
 * A state's parts, as they lie in its key: how many; NFA states; tags' registers of each; those of the match that ends here if
 * the subject does, where that may be another one than the final thread's; orders.
 */
struct threads {
	unsigned n;
	bool ends;			/* there are .end_regs */
	const int *nfa, *regs, *end_regs, *orders;
};

struct order { unsigned height, other_height; int order; };	/* order < 0: preferred to the other */

struct tagging {
	struct build *b;
	const struct nfa *nfa;
	struct regex_tagged *out;
	unsigned ntags, move_room;
	struct state_table table;
	struct threads from;		/* the state before the byte */
	struct way *best;		/* by NFA state */
	int *touched, *queue;		/* NFA states with a way; those whose ways are to be followed */
	unsigned ntouched, queue_at, nqueue;
	unsigned char *queued;
	struct path_block *blocks, *block;
	const struct path **x, **y;	/* compare()'s */
	int *key;
	unsigned key_room;
	bool has_ends;			/* the NFA asks for the subject's end somewhere */
	bool too_large;
};

static struct threads threads_of(const struct tagging *t, const int *key)
{
	struct threads s = { .n = (unsigned)key[1], .ends = key[2] };

	s.nfa = key + 3;
	s.regs = s.nfa + s.n;
	s.end_regs = s.regs + (size_t)s.n * t->ntags;
	s.orders = s.end_regs + (s.ends ? t->ntags : 0);
	return s;
}

/* ---- which way is preferred ---- */

static int pack(struct order o)
{
	return (int)(o.height << 16 | o.other_height << 2 | (unsigned)(o.order + 1));
}

/* Of two threads of the state before. */
static struct order order_before(const struct tagging *t, unsigned x, unsigned y)
{
	unsigned low = x < y ? x : y, high = x < y ? y : x;
	int packed = t->from.orders[(size_t)high * (high - 1) / 2 + low];
	struct order o = { (unsigned)packed >> 16, (unsigned)packed >> 2 & 0x3fff, (packed & 3) - 1 };

	return x < y ? o : (struct order){ o.other_height, o.height, -o.order };
}

static unsigned lay_out(const struct path *path, const struct path **to)
{
	unsigned n = path->len + 1;

	for (; path; path = path->before)
		to[path->len] = path;
	return n;
}

static unsigned least_depth(const struct tagging *t, const struct path **path, unsigned from, unsigned to, unsigned least)
{
	for (; from < to; from++)
		if (t->nfa->state[path[from]->state].depth < least)
			least = t->nfa->state[path[from]->state].depth;
	return least;
}

static struct order compare(struct tagging *t, const struct way *x, const struct way *y)
{
	unsigned nx = lay_out(x->path, t->x), ny = lay_out(y->path, t->y), fork = 0;
	struct order o = { 0, 0, 0 };

	t->b->work += nx + ny;
	if (x->thread != y->thread) {
		o = order_before(t, x->thread, y->thread);
	} else {
		while (fork < nx && fork < ny && t->x[fork]->state == t->y[fork]->state)
			fork++;
		o.height = o.other_height = t->nfa->state[t->x[fork - 1]->state].depth;
		if (fork < nx && fork < ny)
			o.order = t->x[fork]->edge < t->y[fork]->edge ? -1 : 1;
	}
	o.height = least_depth(t, t->x, fork, nx, o.height);
	o.other_height = least_depth(t, t->y, fork, ny, o.other_height);
	if (o.height != o.other_height)
		o.order = o.height > o.other_height ? -1 : 1;
	return o;
}

/* ---- ways without a byte ---- */

static bool passes(const struct path *path, int state)
{
	for (; path; path = path->before)
		if (path->state == state)
			return true;
	return false;
}

static struct path *path_keep(struct tagging *t, struct path path)
{
	struct path_block *full = t->block;
	struct path *kept;

	if (!full || full->n == sizeof(full->path) / sizeof(*full->path)) {
		t->block = full ? full->next : t->blocks;
		if (!t->block) {
			t->block = ARENA_NEW(t->b->a, struct path_block);
			*(full ? &full->next : &t->blocks) = t->block;
		}
		t->block->n = 0;
	}
	kept = &t->block->path[t->block->n++];
	*kept = path;
	return kept;
}

/* A way to @state behind @before.  One in a circle is no better than without the round, which was empty. */
static void offer(struct tagging *t, unsigned thread, const struct path *before, int state, int edge)
{
	struct path path = { before, state, edge, before ? before->len + 1 : 0 };
	struct way way = { thread, &path }, *best = &t->best[state];

	t->b->work += path.len;
	if (passes(before, state) || (best->path && compare(t, &way, best).order >= 0))
		return;
	if (!best->path)
		t->touched[t->ntouched++] = state;
	*best = (struct way){ thread, path_keep(t, path) };
	if (t->queued[state])
		return;
	t->queued[state] = 1;
	t->queue[t->nqueue++ % t->nfa->n] = state;
}

/* Follows all ways to their ends.  @begin, @end: the subject's start or end is here. */
static void follow(struct tagging *t, bool begin, bool end)
{
	while (t->queue_at < t->nqueue && afford(t->b, 1)) {
		int at = t->queue[t->queue_at++ % t->nfa->n];
		const struct nfa_state *state = &t->nfa->state[at];
		struct way way = t->best[at];

		t->queued[at] = 0;
		if (state->kind == NFA_BYTES || (state->kind == NFA_BEGIN && !begin) || (state->kind == NFA_END && !end))
			continue;
		for (int edge = 0; edge < 2; edge++)
			if (state->out[edge] >= 0)
				offer(t, way.thread, way.path, state->out[edge], edge);
	}
}

static void forget(struct tagging *t)
{
	while (t->ntouched)
		t->best[t->touched[--t->ntouched]].path = NULL;
	while (t->queue_at < t->nqueue)
		t->queued[t->queue[t->queue_at++ % t->nfa->n]] = 0;
	t->queue_at = t->nqueue = 0;
	t->block = NULL;
}

/* ---- registers and their moves ---- */

/*
 * Where each tag is at the end of a way: a register of the state before, HERE or NONE.  Where a group begins anew, what the
 * groups inside of it matched in an earlier round is forgotten (POSIX XSH, regexec(): they are looked at within the match
 * that is reported for the group around them).
 */
static void tags_of(const struct tagging *t, const struct way *way, int *tags)
{
	unsigned n = lay_out(way->path, t->x);

	for (unsigned k = 0; k < t->ntags; k++)
		tags[k] = t->from.n ? t->from.regs[way->thread * t->ntags + k] : NONE;
	for (unsigned i = 0; i < n; i++) {
		const struct nfa_state *state = &t->nfa->state[t->x[i]->state];

		if (state->kind != NFA_TAG)
			continue;
		tags[state->tag] = HERE;
		for (unsigned k = 0; k < state->inside; k++)
			tags[state->tag + 2 + k] = NONE;
	}
}

/* Where @bytes stand in the pool, at @least or behind. */
static unsigned pooled(struct tagging *t, const unsigned char *bytes, unsigned n, unsigned least)
{
	struct regex_tagged *out = t->out;

	t->b->work += out->nmoves;
	for (unsigned at = least; at + n <= out->nmoves; at++)
		if (!memcmp(out->moves + at, bytes, n))
			return at;
	if (out->nmoves + n > UINT16_MAX) {
		t->too_large = true;
		return 0;
	}
	if (out->nmoves + n > t->move_room) {
		unsigned char *more = arena_alloc(t->b->a, t->move_room * 2 + 512);

		if (out->nmoves)
			memcpy(more, out->moves, out->nmoves);
		out->moves = more;
		t->move_room = t->move_room * 2 + 512;
	}
	memcpy(out->moves + out->nmoves, bytes, n);
	out->nmoves += n;
	return out->nmoves - n;
}

/*
 * Registers 0 to @n get what is in @source, all at once: first those that no other still waits for; of a circle, one is put
 * aside.
 */
static unsigned moves_of(struct tagging *t, int *source, unsigned n)
{
	enum { ASIDE = SP_RE_REGS - 1 };
	unsigned char bytes[2 * SP_RE_REGS * 2 + 1];
	unsigned len = 0, left = 0;

	for (unsigned k = 0; k < n; k++)
		left += source[k] != (int)k;
	while (left) {
		unsigned k, to = n;

		t->b->work += n;
		for (k = 0; k < n && to == n; k++) {
			bool waited_for = false;

			for (unsigned i = 0; i < n; i++)
				waited_for |= i != k && source[i] == (int)k;
			if (source[k] != (int)k && !waited_for)
				to = k;
		}
		if (to == n) {		/* only circles are left */
			for (k = 0; source[k] == (int)k; k++)
				;
			bytes[len++] = ASIDE;
			bytes[len++] = (unsigned char)k;
			for (unsigned i = 0; i < n; i++)
				if (i != k && source[i] == (int)k)
					source[i] = ASIDE;
			continue;
		}
		bytes[len++] = (unsigned char)to;
		bytes[len++] = source[to] == HERE ? SP_RE_HERE : (unsigned char)source[to];
		source[to] = (int)to;
		left--;
	}
	bytes[len++] = SP_RE_END;
	return pooled(t, bytes, len, 0);
}

/* Numbers the registers of @n threads in order of first use; returns where the moves are. */
static unsigned renumber(struct tagging *t, int *regs, size_t n)
{
	int source[SP_RE_REGS];
	unsigned used = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned k = 0;

		if (regs[i] == NONE)
			continue;
		while (k < used && source[k] != regs[i])
			k++;
		if (k == SP_RE_REGS - 1) {
			t->too_large = true;
			return 0;
		}
		if (k == used)
			source[used++] = regs[i];
		regs[i] = (int)k;
	}
	if (used > t->out->nregs)
		t->out->nregs = used;
	return moves_of(t, source, used);
}

/* ---- states ---- */

static bool key_fits(struct tagging *t, size_t n)
{
	size_t size = 3 + n + n * t->ntags + n * n / 2;

	if (!afford(t->b, size))
		return false;
	if (size > t->key_room) {
		t->key_room = (unsigned)size * 2;
		t->key = ARENA_ARRAY(t->b->a, int, t->key_room);
	}
	return true;
}

/* The threads that go on, in the order of their NFA states. */
static unsigned list_threads(struct tagging *t, int *to)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->ntouched; i++) {
		int state = t->touched[i];
		enum nfa_kind kind = t->nfa->state[state].kind;
		unsigned at = n;

		if (kind != NFA_BYTES && kind != NFA_FINAL)
			continue;
		for (; at && to[at - 1] > state; at--)
			to[at] = to[at - 1];
		to[at] = state;
		n++;
	}
	return n;
}

/* Offers what a byte of a class leads to from the state before; class -1: the NFA's start, before any byte. */
static void offer_first(struct tagging *t, int class)
{
	unsigned byte = class < 0 ? 0 : class_byte(t->b->re, (unsigned)class);

	if (class < 0)
		offer(t, 0, NULL, t->nfa->start, 0);
	for (unsigned k = 0; k < t->from.n; k++) {
		const struct nfa_state *state = &t->nfa->state[t->from.nfa[k]];

		if (state->kind == NFA_BYTES && set_has(&state->set, byte))
			offer(t, k, NULL, state->out[0], 0);
	}
}

/*
 * The tags of the match that ends here if the subject does.  A pass of its own: which way is preferred hangs on all that happens
 * at one place, so that what is behind a `$' cannot be looked at once the rest is settled.
 */
static bool tags_at_end(struct tagging *t, int class, bool begin, int *tags)
{
	bool found = false;

	if (!t->has_ends)
		return false;
	offer_first(t, class);
	follow(t, begin, true);
	for (unsigned k = 0; k < t->ntouched; k++)
		if (t->nfa->state[t->touched[k]].kind == NFA_FINAL) {
			tags_of(t, &t->best[t->touched[k]], tags);
			found = true;
		}
	forget(t);
	return found;
}

/* The number of the state with the threads that were followed; @moves: what gets its registers filled. */
static unsigned state_here(struct tagging *t, const int *end_tags, unsigned *moves)
{
	unsigned n;
	int *nfa = t->key + 3, *regs, *orders;
	bool is_new;

	n = list_threads(t, nfa);
	regs = nfa + n;
	orders = regs + (size_t)n * t->ntags;
	if (end_tags) {
		memcpy(orders, end_tags, t->ntags * sizeof(*orders));
		orders += t->ntags;
	}
	for (unsigned i = 0; i < n; i++) {
		tags_of(t, &t->best[nfa[i]], regs + (size_t)i * t->ntags);
		for (unsigned k = 0; k < i; k++)
			*orders++ = pack(compare(t, &t->best[nfa[k]], &t->best[nfa[i]]));
	}
	if (!n && !end_tags)
		return 0;
	*moves = renumber(t, regs, (size_t)(n + (end_tags != NULL)) * t->ntags);
	t->key[0] = (int)(orders - t->key - 1);
	t->key[1] = (int)n;
	t->key[2] = end_tags != NULL;
	return state_number(t->b->a, &t->table, t->key, &is_new);
}

/* The state behind t->from, by a byte of @class or, -1, none: the first one. */
static unsigned advance(struct tagging *t, int class, bool begin, unsigned *moves)
{
	int end_tags[2 * SP_RE_GROUPS];
	bool ends = tags_at_end(t, class, begin, end_tags);
	unsigned number = 0;

	*moves = 0;
	offer_first(t, class);
	follow(t, begin, false);
	if (key_fits(t, t->ntouched + 1))
		number = state_here(t, ends ? end_tags : NULL, moves);
	forget(t);
	return number;
}

/* Where in the pool the registers stand that @regs has for each tag. */
static uint16_t final_of(struct tagging *t, const int *regs)
{
	unsigned char bytes[2 * SP_RE_GROUPS + 1];

	for (unsigned j = 0; j < t->ntags; j++)
		bytes[j] = regs[j] == NONE ? SP_RE_NONE : (unsigned char)regs[j];
	bytes[t->ntags] = SP_RE_END;
	return (uint16_t)pooled(t, bytes, t->ntags + 1, 1);
}

/* All that hangs on state @i. */
static void fill(struct tagging *t, unsigned i)
{
	struct regex_tagged *out = t->out;
	unsigned nclasses = t->b->re->nclasses, moves;

	t->from = threads_of(t, t->table.key[i]);
	for (unsigned k = 0; k < t->from.n; k++)
		if (t->nfa->state[t->from.nfa[k]].kind == NFA_FINAL)
			out->final[i] = final_of(t, t->from.regs + (size_t)k * t->ntags);
	out->final_end[i] = t->from.ends ? final_of(t, t->from.end_regs) : out->final[i];
	for (unsigned c = 0; c < nclasses; c++) {
		out->next[i * nclasses + c] = (uint16_t)advance(t, (int)c, false, &moves);
		out->move[i * nclasses + c] = (uint16_t)moves;
	}
}

static void begin(struct tagging *t)
{
	static const int dead[] = { 2, 0, 0 };
	static const unsigned char no_moves[] = { SP_RE_END };
	bool is_new;

	for (unsigned i = 0; i < t->nfa->n; i++)
		t->has_ends |= t->nfa->state[i].kind == NFA_END;
	pooled(t, no_moves, 1, 0);
	state_number(t->b->a, &t->table, dead, &is_new);
	for (int i = 0; i < 2; i++)
		t->out->start[i] = advance(t, -1, i == 0, &t->out->start_moves[i]);
}

bool tagged_build(struct build *b, const struct nfa *nfa, unsigned ntags)
{
	struct regex_tagged *out = ARENA_NEW(b->a, struct regex_tagged);
	struct tagging t = { .b = b, .nfa = nfa, .out = out, .ntags = ntags };
	unsigned nclasses = b->re->nclasses, most = MOST_CELLS / nclasses;

	most = most < MOST_STATES ? most : MOST_STATES;
	t.best = ARENA_ARRAY(b->a, struct way, nfa->n);
	t.touched = ARENA_ARRAY(b->a, int, nfa->n);
	t.queue = ARENA_ARRAY(b->a, int, nfa->n);
	t.queued = arena_alloc(b->a, nfa->n);
	t.x = ARENA_ARRAY(b->a, const struct path *, nfa->n);
	t.y = ARENA_ARRAY(b->a, const struct path *, nfa->n);
	out->next = ARENA_ARRAY(b->a, uint16_t, (size_t)(most + 1) * nclasses);
	out->move = ARENA_ARRAY(b->a, uint16_t, (size_t)(most + 1) * nclasses);
	out->final = ARENA_ARRAY(b->a, uint16_t, most + 1);
	out->final_end = ARENA_ARRAY(b->a, uint16_t, most + 1);
	begin(&t);
	for (unsigned i = 1; i < t.table.n; i++) {
		if (t.too_large || t.table.n > most || !afford(b, 0))
			return false;
		fill(&t, i);
	}
	out->nstates = t.table.n;
	b->re->tagged = out;
	return !t.too_large && out->nstates <= most && afford(b, 0);
}
