/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside probes/: target expressions at a place in user code, for every family whose sites have registers. */
#ifndef SPILE_TARGET_H
#define SPILE_TARGET_H

#include "probes/probes.h"

/*
 * $name, $$vars, $$parms, $$locals, @var and @cast at @site, where @scope holds the variables (NULL: no debuginfo there).
 * Resolves @e into @out, as provider.target() wants it.
 */
void target_in_scope(struct program *p, const struct site *site, const struct scope *scope, const struct expr *e,
		     struct target_result *out);
/* The same for what is asked where a function is left: $return and $$return. */
void target_returned(struct program *p, const struct site *site, const struct expr *e, struct target_result *out);

/*
 * @var and @cast by the modules they name; @site may be NULL, and then they must name one.
 */
void target_in_modules(struct program *p, const struct site *site, const struct expr *e, struct target_result *out);
/* (e)->m, where the value of the operand is of @type, or (@at_operand) the address of a thing of that type. */
void target_autocast(struct program *p, const struct site *site, const struct expr *e, const struct ctype *type,
		     bool at_operand, struct target_result *out);
/* @enum("NAME"): a number in its place. */
void target_enumerator(struct program *p, const struct site *site, const struct expr *e, struct target_result *out);
/* The type that @enumname names: out->ctype; where it is NULL, the miss says why. */
void target_enum_type(struct program *p, const struct site *site, const struct expr *e, struct target_result *out);

/*
 * Takes the next module off a list "a:b" (module.c); "" is the object of @site, which may be NULL.  Returns an object with the
 * types of that module, which lives as long as the program, or NULL with @miss filled.
 */
struct object *module_next(struct program *p, const char **list, const struct site *site, struct di_miss *miss);

bool target_is(const struct expr *e, const char *name);		/* TB_NAME and of that name, as in "$$vars" */
void target_miss(struct target_result *out, enum di_reason reason, const char *text);

/* ---- replacement expressions ---- */

/* A sprintf() being put together: text, and values of target variables. */
struct replacement {
	struct program *p;
	struct span span;
	struct format_part *parts, **last_part;
	struct expr_list *args, **last_arg;
	struct expr_list *before;	/* evaluated first */
	unsigned nparts;
	int suffix;			/* items are pretty printed: depth of the suffix; 0: %#x */
	bool guarded;			/* a fault gives "ERROR" instead */
	unsigned n;			/* items so far */
	bool full;			/* no more fit: the text ends in "..." */
};
void replacement_start(struct replacement *r, struct program *p, struct span span);
/* " LABEL=VALUE", where the value is $@name ("%#x"), or @text as it stands where @name is NULL. */
void replacement_item(struct replacement *r, const char *label, const char *name, const char *text);
/* Text as it stands, and a value under a directive like @part. */
void replacement_text(struct replacement *r, const char *text);
void replacement_value(struct replacement *r, const struct format_part *part, struct expr *value);
void replacement_end(struct replacement *r, struct target_result *out);
void replacement_string(struct program *p, struct span span, const char *text, struct target_result *out);

/* The script's access path as steps of @q, up to a pretty-printing suffix; false, with the miss filled, where it is too long. */
bool target_steps(struct arena *a, const struct expr *e, struct target_query *q, struct target_result *out);
/* The depth of the suffix that ends the path, 1 for `$' and 2 for `$$'; 0: none. */
int target_suffix(const struct expr *e);
/* Whether the value can be read by what is built. */
bool target_readable(const struct loc_expr *e);
/* @e, an EXPR_TARGET with a suffix, asked by @q (root, object, scope and pc set): its replacement, a string. */
void target_pretty(struct program *p, const struct target_query *q, const struct expr *e, struct target_result *out);

#endif
