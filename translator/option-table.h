/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the command line: the table of options, and what reads it.  The rows are in options.c. */
#ifndef SPILE_OPTION_TABLE_H
#define SPILE_OPTION_TABLE_H

#include "options.h"

struct parse {
	struct options *o;
	struct arena *a;
	struct diag *d;
	const char **dirs, **extra;	/* -I, -E; room for one of each word */
	unsigned ndirs, nextra;
	bool done;			/* printed what was asked for: nothing to run */
	unsigned scripts;		/* how many of -e */
	unsigned listings;		/* how many of -l, -L, --dump-... */
	bool pass_given, privilege_given;
	const char *guarded;		/* the last option given that changes how modules are built, for --privilege */
	struct define *notices;		/* options that are taken and do nothing: name, reason */
};

enum argument { ARG_NO, ARG_MUST, ARG_MAY };

struct row {
	char letter;			/* 0: long only */
	const char *name;		/* NULL: letter only */
	enum argument argument;
	const char *value;		/* how --help shows the argument */
	bool (*set)(struct parse *p, const char *arg);	/* false: the mistake was told; NULL: refused */
	const char *refuse;		/* why it does nothing; with .set, the option is taken all the same, with a warning */
	const char *help;		/* NULL: another spelling, which --help leaves out */
};
extern const struct row option_rows[];
extern const unsigned option_nrows;

/* "-P", "--prologue-searching": how messages name it, in @a. */
const char *option_name(struct arena *a, const struct row *r);

/* option-text.c: the table as --help, as a manual page, as a bash completion. */
void print_version(FILE *out);
void print_help(FILE *out);
void print_manual(FILE *out);
void print_completion(FILE *out);
void print_table(FILE *out);		/* for the test suite: "letter name argument state" a line, "-" for none */

/* Reports a mistake in the command line; always false. */
bool usage(struct parse *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
