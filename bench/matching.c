/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matching regexec|search|groups COUNT: matches a typical expression COUNT times on a string of 100 bytes, by the C library or by
 * the automata that spile makes.  bench/matching counts what each asks of the processor.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host-platform.h"
#include "regex/regex.h"
#include "support/arena.h"

#define EXPRESSION "([a-z]+)=([0-9]+)"

const struct sp_script sp_script = { .name = "bench", .limits = { .maxaction = 1000, .maxnesting = 3, .maxstringlen = 512 } };

/* The match is at the end: every byte has to be looked at. */
static const char subject[] =
	"GET /index.html HTTP/1.1 Host: www.example.org Accept: text/html; Connection: keep-alive count=42 ..";

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "search";
	long count = argc > 2 ? atol(argv[2]) : 1, matched = 0;
	bool groups = !strcmp(how, "groups");
	struct arena *a = arena_new();
	struct regex_fault fault;
	const struct regex *re = regex_compile(a, EXPRESSION, strlen(EXPRESSION), groups, &fault);
	const struct regex_tagged *t = re->tagged;
	struct sp_groups g = { 0 };
	struct sp_regex r = { re->nclasses, re->search.start, re->classes, re->search.next, re->search.flags, groups ? &g : NULL };
	struct sp_str s = { subject, 100 };
	struct sp_ctx *c;
	regmatch_t found[3];
	regex_t posix;

	host_start();
	c = host_context();
	if (groups)
		g = (struct sp_groups){ re->ngroups, { t->start[0], t->start[1] }, { t->start_moves[0], t->start_moves[1] },
					t->next, t->move, t->final, t->final_end, t->moves };
	if (regcomp(&posix, EXPRESSION, REG_EXTENDED))
		return 1;
	for (long i = 0; i < count; i++)
		matched += !strcmp(how, "regexec") ? !regexec(&posix, subject, 3, found, 0)
			 : !strcmp(how, "regexec-nosub") ? !regexec(&posix, subject, 0, NULL, 0)
			 : groups ? sp_match_groups(c, &r, s) : sp_match(&r, s);
	regfree(&posix);
	arena_free(a);
	return matched == count ? 0 : 1;
}
