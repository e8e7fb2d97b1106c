/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options as text: --help, the manual page, the completion for bash.  Each walks the rows in order. */
#include "config.h"
#include "option-table.h"

#include <string.h>

static bool is_heading(const struct row *r)
{
	return !r->letter && !r->name;
}

static bool is_refused(const struct row *r)
{
	return !r->set && !is_heading(r);
}

/* Rows that the user is told of.  What is taken and does nothing counts, other spellings do not. */
static bool is_shown(const struct row *r)
{
	return r->help && !is_refused(r);
}

/* "-P, --prologue-searching[=WHEN]", each name between @on and @off, values between @value_on and @off. */
static void print_names(FILE *out, const struct row *r, const char *on, const char *value_on, const char *off)
{
	if (r->letter)
		fprintf(out, "%s-%c%s%s", on, r->letter, off, r->name ? ", " : "");
	if (r->name)
		fprintf(out, "%s--%s%s", on, r->name, off);
	if (r->argument == ARG_MAY)
		fprintf(out, "[=%s%s%s]", value_on, r->value, off);
	else if (r->argument == ARG_MUST)
		fprintf(out, "%s%s%s%s", r->name ? "=" : " ", value_on, r->value, off);
}

/* ---- --version, --help ---- */

/* Wrappers read "version X.Y/" from the first line, test suites look for words of the last (cli.md 5.5). */
void print_version(FILE *out)
{
	fputs("spile translator/driver (version " LANGUAGE_VERSION "/" PACKAGE_VERSION ")\n"
	      "spile " PACKAGE_VERSION ", which follows the language and the options of SystemTap " LANGUAGE_VERSION "\n"
	      "This is free software under the GNU GPL, version 2 or later; see the source for copying conditions.\n"
	      "enabled features: USER KERNEL VM\n", out);
}

enum { HELP_COLUMN = 34 };

static size_t names_length(const struct row *r)
{
	size_t n = (r->letter ? 2u : 0u) + (r->name ? 2 + strlen(r->name) + (r->letter ? 2u : 0u) : 0u);

	return n + (r->argument == ARG_NO ? 0 : strlen(r->value) + (r->argument == ARG_MAY ? 3u : 1u));
}

static const char *help_text(const struct row *r, const char **more)
{
	*more = r->refuse ? r->refuse : "";
	return r->refuse ? "taken, and does nothing: " : r->help;
}

void print_help(FILE *out)
{
	const char *more, *text;

	print_version(out);
	fprintf(out, "\nUsage: spile [options] FILE [args]       run the script FILE\n"
	       "   or: spile [options] - [args]          run the script on standard input\n"
	       "   or: spile [options] -e SCRIPT [args]  run the script SCRIPT\n"
	       "   or: spile [options] -l POINT          list probe points\n");
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++) {
		if (is_heading(r))
			fprintf(out, "\n%s:\n", r->help);
		else if (is_shown(r)) {
			size_t used = 2 + names_length(r);

			text = help_text(r, &more);
			fputs("  ", out);
			print_names(out, r, "", "", "");
			fprintf(out, "%*s%s%s\n", used < HELP_COLUMN ? (int)(HELP_COLUMN - used) : 1, "", text, more);
		}
	}
}

/* ---- the manual page (man(7)) ---- */

/* Text in which no line begins with a dot and each dash and backslash stays one. */
static void print_roff(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '-')
			fputs("\\-", out);
		else if (*s == '\\')
			fputs("\\e", out);
		else
			fputc(*s, out);
	}
}

static const struct { const char *name, *means; } environment[] = {
	{ "SPILE_DIR", "the private directory, with the rc file and the cache; default ~/.spile, or ~/.systemtap where only that is there" },
	{ "SPILE_CACHE", "the cache alone; default cache/ in SPILE_DIR if that is set, else $XDG_CACHE_HOME/spile, else ~/.cache/spile" },
	{ "SPILE_TAPSET", "the library's directory instead of the one that was installed" },
	{ "SPILE_RELEASE", "the default of -r" },
	{ "SPILE_DEBUGINFO_PATH", "where debuginfo is looked for, separated by colons; default +:.debug:/usr/lib/debug:build" },
	{ "SPILE_COLORS", "colours of messages; default error=01;31:warning=00;33:source=00;34:caret=01:token=01" },
	{ "XDG_DATA_DIRS", "in each of these, systemtap/tapset is a directory of the library, too" },
	{ "DEBUGINFOD_URLS", "servers to ask for debuginfo" },
	{ "TMPDIR", "where temporary directories are made" },
};

static void manual_option(FILE *out, const struct row *r)
{
	const char *more, *text = help_text(r, &more);

	fputs(".TP\n", out);
	if (r->letter)
		fprintf(out, "\\fB\\-%c\\fR%s", r->letter, r->name ? ", " : "");
	if (r->name) {
		fputs("\\fB\\-\\-", out);
		print_roff(out, r->name);
		fputs("\\fR", out);
	}
	if (r->argument != ARG_NO)
		fprintf(out, r->argument == ARG_MAY ? "[=\\fI%s\\fR]" : r->name ? "=\\fI%s\\fR" : " \\fI%s\\fR", r->value);
	fputc('\n', out);
	print_roff(out, text);
	print_roff(out, more);
	fputc('\n', out);
}

static void manual_refused(FILE *out)
{
	const char *comma = "";

	fputs(".SS Refused\nThese options of SystemTap end the program with a message that says so:\n", out);
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++)
		if (is_refused(r)) {
			fprintf(out, "%s\\fB", comma);
			print_roff(out, r->name ? "--" : "-");
			if (r->name)
				print_roff(out, r->name);
			else
				fputc(r->letter, out);
			fputs("\\fR", out);
			comma = ",\n";
		}
	fputs(".\n", out);
}

void print_manual(FILE *out)
{
	fputs(".\\\" SPDX-License-Identifier: GPL-2.0-or-later\n"
	      ".TH SPILE 1 \"\" \"spile " PACKAGE_VERSION "\"\n"
	      ".SH NAME\nspile \\- compile and run SystemTap scripts\n"
	      ".SH SYNOPSIS\n"
	      ".B spile\n[\\fIoptions\\fR] \\fIFILE\\fR [\\fIargs\\fR]\n.br\n"
	      ".B spile\n[\\fIoptions\\fR] \\fB\\-\\fR [\\fIargs\\fR]\n.br\n"
	      ".B spile\n[\\fIoptions\\fR] \\fB\\-e\\fR \\fISCRIPT\\fR [\\fIargs\\fR]\n.br\n"
	      ".B spile\n[\\fIoptions\\fR] \\fB\\-l\\fR \\fIPOINT\\fR\n"
	      ".SH DESCRIPTION\n"
	      "spile compiles a script in the SystemTap language and runs it: in the kernel, as a module, or inside the\n"
	      "program that is traced, without privileges.\n"
	      "Options may stand behind the script and among its arguments; \\fB\\-\\-\\fR ends them.\n"
	      ".SH OPTIONS\n", out);
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++) {
		if (is_heading(r))
			fprintf(out, ".SS %s\n", r->help);
		else if (is_shown(r))
			manual_option(out, r);
	}
	manual_refused(out);
	fputs(".SH ENVIRONMENT\nEach SPILE_ variable but SPILE_CACHE is also read under its name in SystemTap, as SYSTEMTAP_DIR.\n", out);
	for (size_t i = 0; i < sizeof(environment) / sizeof(environment[0]); i++) {
		fprintf(out, ".TP\n.B %s\n", environment[i].name);
		print_roff(out, environment[i].means);
		fputc('\n', out);
	}
	fputs(".SH FILES\n.TP\n.I rc\nIn the private directory: options, quoted as for a shell, that come before those of the command line.\n"
	      "Lines that begin with # are comments.\n"
	      ".SH EXIT STATUS\n0 where the passes that were asked for went well, or a listing found something;\n"
	      "1 for a mistake in the command line or the script, an error at run time, a command of \\fB\\-c\\fR that failed, or an\n"
	      "empty listing.\n", out);
}

/* ---- the bare table ---- */

void print_table(FILE *out)
{
	static const char *const arguments[] = { [ARG_NO] = "no", [ARG_MUST] = "must", [ARG_MAY] = "may" };

	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++)
		if (!is_heading(r))
			fprintf(out, "%c %s %s %s\n", r->letter ? r->letter : '-', r->name ? r->name : "-",
				arguments[r->argument], !r->set ? "refused" : r->refuse ? "ignored" : !r->help ? "hidden" : "set");
}

/* ---- completion for bash ---- */

void print_completion(FILE *out)
{
	const char *space = "";

	fputs("# SPDX-License-Identifier: GPL-2.0-or-later\n# Completes the options of spile, and files elsewhere.\n"
	      "_spile()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n\n"
	      "\tcase $before in\n\t", out);
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++)
		if (r->letter && r->argument == ARG_MUST && is_shown(r) &&
		    !strchr("oIRdc", r->letter)) {		/* these name files */
			fprintf(out, "%s-%c", space, r->letter);
			space = "|";
		}
	fputs(")\n\t\treturn;;\n\tesac\n\tcase $word in\n\t-*)\n\t\tCOMPREPLY=($(compgen -W '", out);
	space = "";
	for (const struct row *r = option_rows; r < option_rows + option_nrows; r++) {
		if (is_heading(r) || !is_shown(r))
			continue;
		if (r->letter) {
			fprintf(out, "%s-%c", space, r->letter);
			space = " ";
		}
		if (r->name) {
			fprintf(out, "%s--%s%s", space, r->name, r->argument == ARG_MUST ? "=" : "");
			space = " ";
		}
	}
	fputs("' -- \"$word\"))\n\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace;;\n"
	      "\t*)\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"));;\n\tesac\n}\ncomplete -o filenames -F _spile spile\n", out);
}
