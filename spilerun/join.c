/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-merge: joins the files of bulk mode (spilerun/bulk.h) in the order in which the records came.
 *
 * Each file is in order by itself, so only one record of each is looked at: the lowest number goes out next.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spilerun/bulk.h"

#define TEXT_MAX (64u << 20)		/* a longer record is no record */

struct input {
	const char *name;
	FILE *f;			/* NULL: at its end */
	struct bulk_header head;	/* of the record whose text comes next */
	unsigned long long records;
};

static int usage(FILE *f)
{
	fputs("Usage: spile-merge [-v] [-o FILE] FILE...\n"
	      "Joins the files that -b wrote, one for each CPU, in the order in which the records came.\n"
	      "  -o FILE  write to FILE instead of standard output\n"
	      "  -v       say how many records each file holds\n", f);
	return f == stderr;
}

/* Reads the next header.  false after a message: the file is none of ours, or cut short. */
static bool advance(struct input *in)
{
	size_t n = fread(&in->head, 1, sizeof(in->head), in->f);

	if (!n && !ferror(in->f)) {
		fclose(in->f);
		in->f = NULL;
		return true;
	}
	if (n == sizeof(in->head) && in->head.magic == BULK_MAGIC && in->head.len <= TEXT_MAX)
		return true;
	fprintf(stderr, "ERROR: '%s' is no file of bulk mode, or it is damaged after record %llu\n", in->name, in->records);
	return false;
}

static struct input *lowest(struct input *in, int n)
{
	struct input *low = NULL;

	for (int i = 0; i < n; i++)
		if (in[i].f && (!low || in[i].head.seq < low->head.seq))
			low = &in[i];
	return low;
}

static bool copy_text(struct input *in, FILE *out)
{
	char piece[4096];
	size_t left = in->head.len;

	while (left) {
		size_t want = left < sizeof(piece) ? left : sizeof(piece), n = fread(piece, 1, want, in->f);

		if (!n) {
			fprintf(stderr, "ERROR: '%s' ends amid record %llu\n", in->name, in->records + 1);
			return false;
		}
		fwrite(piece, 1, n, out);
		left -= n;
	}
	in->records++;
	return advance(in);
}

/* A damaged file is told of and left behind; the others go on. */
static bool join(struct input *in, int n, FILE *out)
{
	struct input *next;
	bool good = true;

	while ((next = lowest(in, n)))
		if (!copy_text(next, out)) {
			fclose(next->f);
			next->f = NULL;
			good = false;
		}
	return good;
}

static bool open_all(struct input *in, char **names, int n)
{
	for (int i = 0; i < n; i++) {
		in[i].name = names[i];
		in[i].f = fopen(names[i], "re");
		if (!in[i].f)
			fprintf(stderr, "ERROR: '%s' can not be read: %s\n", names[i], strerror(errno));
		if (!in[i].f || !advance(&in[i]))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	const char *output = NULL;
	bool verbose = false, good;
	struct input *in;
	FILE *out = stdout;
	int c, n;

	while ((c = getopt(argc, argv, "o:vh")) != -1)
		switch (c) {
		case 'o': output = optarg; break;
		case 'v': verbose = true; break;
		default: return usage(c == 'h' ? stdout : stderr);
		}
	n = argc - optind;
	in = n ? calloc((size_t)n, sizeof(*in)) : NULL;
	if (!in)
		return usage(stderr);
	if (!open_all(in, argv + optind, n))
		return 1;
	if (output && !(out = fopen(output, "we"))) {
		fprintf(stderr, "ERROR: '%s' can not be written: %s\n", output, strerror(errno));
		return 1;
	}
	good = join(in, n, out);
	for (int i = 0; verbose && i < n; i++)
		fprintf(stderr, "%s: %llu records\n", in[i].name, in[i].records);
	if (ferror(out) | fclose(out)) {
		fprintf(stderr, "ERROR: '%s' can not be written: %s\n", output ? output : "standard output", strerror(errno));
		good = false;
	}
	free(in);
	return !good;
}
