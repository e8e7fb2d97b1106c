/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions a function calls, and by which call chains they are reached from it (spec/probes.md A.7). */
#ifndef SPILE_CALLEES_H
#define SPILE_CALLEES_H

#include "debuginfo/debuginfo.h"

/* Return addresses of a call chain, innermost first. */
struct call_chain {
	uint64_t ret[MAX_CALL_LEVELS];
	unsigned n;
	struct call_chain *next;
};

/* A function or an inlined copy as called from one function. */
struct callee {
	const struct code_site *caller, *site;
	uint64_t jump;			/* called by this jump instead, a tail call: it leaves no return address; else 0 */
	struct call_chain *chains;	/* any of these; one of no addresses: however it was reached */
	struct callee *next;
};

struct callee_list {
	struct callee *first;
	unsigned conditional;		/* tail calls by a conditional jump: not known from it alone */
};

/*
 * The callees of @callers (as find_functions() gives them) that the specification @spec names, over @depth levels of
 * calls.  Taken are direct calls and inlined copies; what is called through a pointer is not known.
 * Returns 0, or -ENOENT or -EINVAL with @miss filled.
 */
int find_callees(struct object *obj, const struct site_list *callers, const char *spec, enum func_variant variant,
		 unsigned depth, struct arena *a, struct callee_list *out, struct di_miss *miss);

#endif
