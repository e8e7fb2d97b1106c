/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script printed to text, for tests that parse it again. */
#ifndef SPILE_SCRIPT_TEXT_H
#define SPILE_SCRIPT_TEXT_H

#include <stdio.h>

#include "syntax/syntax.h"

/* @print: script_print or script_print_source.  To be freed by the caller. */
static inline char *script_text(void (*print)(FILE *, const struct script *), const struct script *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	print(out, s);
	fclose(out);
	return text;
}

#endif
