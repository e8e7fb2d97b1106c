/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C types of script expressions, for `->' and `[]' behind them (language.md 5.8, autocast). */
#ifndef SPILE_CTYPES_H
#define SPILE_CTYPES_H

#include "elaborate/elaborate.h"

/* What is known of a value: of what type it is, or (@at) that it is the address of a thing of that type. */
struct value_ctype {
	const struct ctype *type;	/* NULL: nothing */
	bool at;
};

/* Where an expression stands. */
struct ctype_place {
	struct program *p;
	struct stmt *body;		/* of the handler, before names are bound */
	/* What a target expression means there. */
	void (*ask)(void *data, const struct expr *e, struct target_result *out);
	void *data;
	/* Variables that are being looked into: a list is walked by `p = (p)->next'. */
	const struct str *busy[16];
	unsigned nbusy;
};

struct value_ctype expr_ctype(struct ctype_place *place, const struct expr *e);

#endif
