/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --example: a walk over the folder of examples. */
#include "example.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/strbuf.h"

struct search { struct arena *a; const char *name, *found; unsigned n; struct strbuf all; };

static void look(struct search *s, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, NULL, alphasort);
	struct stat st;

	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(s->a, "%s/%s", dir, entries[i]->d_name);

		if (*entries[i]->d_name == '.' || lstat(path, &st))
			;
		else if (S_ISDIR(st.st_mode))
			look(s, path);
		else if (S_ISREG(st.st_mode) && !strcmp(entries[i]->d_name, s->name)) {
			s->found = path;
			strbuf_printf(&s->all, "%s%s", s->n++ ? ", " : "", path);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

const char *example_find(struct arena *a, struct diag *d, const char *dir, const char *name)
{
	struct search s = { .a = a, .name = name };

	look(&s, dir);
	if (!s.n)
		diag_error(d, NO_SPAN, TAG_USAGE, "Example '%s' was not found under '%s'", name, dir);
	else if (s.n > 1)
		diag_error(d, NO_SPAN, TAG_USAGE, "Multiple examples found: %s", s.all.text);
	strbuf_free(&s.all);
	return s.n == 1 ? s.found : NULL;
}
