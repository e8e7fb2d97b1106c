/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the functions of the library may do for whom: pragmas in their C against --privilege (language.md 11.2, cli.md 6.7). */
#include "elaborate/elaborate.h"

#include <string.h>

/* C that says of itself that it may be used without rights of one's own. */
static bool is_harmless(const char *code)
{
	return strstr(code, "/* unprivileged */") || strstr(code, "/* myproc-unprivileged */");
}

struct check { struct program *p; const struct str *name; struct span at; };

static void refuse(struct check *c)
{
	diag_error(c->p->diag, c->at, TAG_PRIVILEGE, "%s may not be used when --privilege=stapusr is specified",
		   c->name ? "function" : "embedded code");
	if (c->name)
		diag_note(c->p->diag, NO_SPAN, "the function is '%s'", c->name->text);
}

static void check_expr(struct expr **ep, void *data)
{
	struct check *c = data;

	if ((*ep)->kind == EXPR_EMBEDDED && !is_harmless((*ep)->u.embedded.code->text))
		refuse(c);
	expr_children(*ep, check_expr, data);
}

static void check_stmt(struct stmt **sp, void *data)
{
	struct check *c = data;

	if (!*sp)
		return;
	if ((*sp)->kind == STMT_EMBEDDED && !is_harmless((*sp)->u.code->text))
		refuse(c);
	stmt_children(*sp, check_expr, check_stmt, data);
}

void check_privilege(struct program *p)
{
	if (p->options->privilege != PRIVILEGE_STAPUSR)
		return;
	for (struct function *f = p->functions; f; f = f->next) {
		struct check c = { p, f->name, f->name_span };

		check_stmt(&f->body, &c);
	}
	for (struct probe *q = p->probes; q; q = q->next) {
		struct check c = { p, NULL, q->span };

		check_stmt(&q->body, &c);
	}
}
