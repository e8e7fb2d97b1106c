/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small program to trace: it serves three made-up requests. */
#include <stdio.h>

struct request {
	const char *path;
	int size;
	struct request *next;
};

static int served;

__attribute__((noinline)) int serve(const struct request *r, int attempt)
{
	served += r->size;
	return served * attempt;
}

int main(void)
{
	struct request third = { "/images/cat.png", 42100, NULL };
	struct request second = { "/index.html", 1200, &third };
	struct request first = { "/", 300, &second };
	int attempt = 1;

	for (const struct request *r = &first; r; r = r->next)
		printf("served %s: %d\n", r->path, serve(r, attempt++));
	return 0;
}
