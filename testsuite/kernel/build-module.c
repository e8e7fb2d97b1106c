/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4 for scripts written by hand.
 *
 *	build-module --image RELEASE FETCHER			prints the kernel to boot; fetches it where it is missing
 *	build-module RUNTIME-DIR C-FILE NAME DIR RELEASE	builds a module, prints its path
 */
#include <stdio.h>
#include <string.h>

#include "build/build.h"
#include "run/kernels.h"

static const char *image(struct arena *a, struct diag *d, const char *release, const char *fetcher)
{
	struct kernel_wish wish = { .release = release, .fetcher = fetcher, .build = true };
	const struct kernel_tree *tree = kernel_tree_find(a, &wish, d);

	return tree ? tree->image : NULL;
}

static const char *module(struct arena *a, struct diag *d, char **argv)
{
	struct layout layout = { .runtime_dir = argv[1] };	/* no fetcher: --image came first */
	struct build_job job = { .layout = &layout, .c_file = argv[2], .name = argv[3], .work_dir = argv[4],
				 .kernel_release = argv[5] };

	return build_kernel(a, d, &job);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct diag *d = diag_new(stderr, false);
	const char *result = NULL;

	if (argc == 4 && !strcmp(argv[1], "--image"))
		result = image(a, d, argv[2], argv[3]);
	else if (argc == 6)
		result = module(a, d, argv);
	else
		fprintf(stderr, "usage: %s RUNTIME-DIR C-FILE NAME DIR RELEASE\n", argv[0]);
	if (result)
		puts(result);
	diag_free(d);
	arena_free(a);
	return !result;
}
