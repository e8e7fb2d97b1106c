/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spilerun's command line (cli.md 6.5): the options, which of them exclude each other, and where a bare name is looked up. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"
#include "platform.h"
#include "spilerun/spilerun.h"

static const struct row {
	char letter;
	const char *value;		/* NULL: takes none */
	const char *help;		/* NULL: an older spelling */
} rows[] = {
	{ 'c', "CMD", "start CMD once the probes are in place, end when it ends" },
	{ 'x', "PID", "the process PID is the target" },
	{ 't', "PID", NULL },
	{ 'o', "FILE", "write to FILE; strftime conversions are expanded" },
	{ 'S', "MB[,N]", "with -o: go to the next file at this size, keep the last N" },
	{ 'B', NULL, "a file for each CPU, joined by spile-merge (modules only)" },
	{ 'b', "MB", "size of the buffers, 1 to 4095" },
	{ 'D', NULL, "with -o: run in the background and print the process id" },
	{ 'L', NULL, "load, start, and leave the output in the buffers (modules only)" },
	{ 'A', NULL, "attach to a loaded module; SCRIPT is its name" },
	{ 'd', NULL, "remove a module by its name; '*': all that nobody is attached to" },
	{ 'R', NULL, "load under a fresh name" },
	{ 'r', "N:URI", "what remote_id() and remote_uri() tell the script" },
	{ 'T', "MS", "look for output at least so often" },
	{ 'C', "WHEN", "coloured messages: auto, always, never" },
	{ 'v', NULL, "say what is done" },
	{ 'w', NULL, "show no warnings" },
	{ 'V', NULL, "show the version" },
	{ 'h', NULL, "show this text" },
};
enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

/* Two that cannot go together; a second one that is upper case O: the first one needs -o. */
static const char conflicts[][2] = {
	{ 'A', 'L' }, { 'A', 'b' }, { 'A', 'c' }, { 'A', 'x' }, { 'A', 'd' }, { 'A', 'R' }, { 'c', 'x' },
	{ 'D', 'L' }, { 'D', 'd' }, { 'D', 'c' }, { 'L', 'd' }, { 'L', 'o' }, { 'L', 'S' }, { 'L', 'B' },
};
static const char wants_output[] = { 'S', 'D' };

static void usage(FILE *f)
{
	fputs("Usage: spilerun [options] SCRIPT [NAME=VALUE...]\n"
	      "Runs a built script: a module (.ko) in the kernel, a shared object (.so) inside the program.\n", f);
	for (const struct row *r = rows; r < rows + NROWS; r++)
		if (r->help)
			fprintf(f, "  -%c %-7s %s\n", r->letter, r->value ? r->value : "", r->help);
}

static bool complain(const char *text)
{
	fprintf(stderr, "ERROR: %s\n", text);
	return false;
}

static bool number(const char *s, long lo, long hi, char **end, long *value)
{
	errno = 0;
	*value = strtol(s, end, 10);
	return isdigit((unsigned char)*s) && !errno && *value >= lo && *value <= hi;
}

static bool set_size(struct run_options *o, const char *arg)
{
	long mb = 0, count = 0;
	char *end;

	if (!number(arg, 1, 1 << 20, &end, &mb) ||
	    (*end == ',' && !number(end + 1, 1, 1 << 20, &end, &count)) || *end)
		return complain("Invalid file size option, it is MB[,N].");
	o->file_mb = (unsigned)mb;
	o->file_count = (unsigned)count;
	return true;
}

static bool set_colour(struct run_options *o, const char *arg)
{
	const char *term = getenv("TERM");

	if (!strcmp(arg, "auto"))
		o->colour = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	else if (!strcmp(arg, "always") || !strcmp(arg, "never"))
		o->colour = *arg == 'a';
	else
		return complain("Invalid argument for -C (should be auto, always or never).");
	return true;
}

static bool set_pid(struct run_options *o, const char *arg)
{
	long pid;
	char *end;

	if (!number(arg, 1, INT_MAX, &end, &pid) || *end)
		return complain("Invalid target process ID number.");
	o->pid = (pid_t)pid;
	if (kill(o->pid, 0) && errno == ESRCH) {
		fprintf(stderr, "ERROR: cannot probe pid %d: No such process\n", (int)o->pid);
		return false;
	}
	return true;
}

static bool set_remote(struct run_options *o, const char *arg)
{
	long id;
	char *end;

	if (!number(arg, 0, INT_MAX, &end, &id) || *end != ':' || strlen(end + 1) >= SP_REMOTE_URI)
		return complain("Invalid remote host, it is N:URI.");
	o->remote_id = (int)id;
	o->remote_uri = end + 1;
	return true;
}

static bool set_number(const char *arg, long lo, long hi, const char *wrong, long *value)
{
	char *end;

	return (number(arg, lo, hi, &end, value) && !*end) || complain(wrong);
}

/* false: the mistake was told. */
static bool apply(struct run_options *o, int letter, char *arg)
{
	long value = 0;
	bool good = true;

	switch (letter) {
	case 'c': o->command = arg; break;
	case 't':
	case 'x': good = set_pid(o, arg); break;
	case 'o': o->output = arg; break;
	case 'S': good = set_size(o, arg); break;
	case 'B': o->bulk = true; break;
	case 'b':
		good = set_number(arg, 1, 4095, "Invalid buffer size (should be 1-4095).", &value);
		o->buffer_mb = (unsigned)value;
		break;
	case 'T':
		good = set_number(arg, 1, INT_MAX, "Invalid wake-up time, it is in milliseconds.", &value);
		o->wake_ms = (int)value;
		break;
	case 'D': o->background = true; break;
	case 'L': o->load_only = true; break;
	case 'A': o->attach = true; break;
	case 'd': o->remove = true; break;
	case 'R': o->fresh_name = true; break;
	case 'r': good = set_remote(o, arg); break;
	case 'C': good = set_colour(o, arg); break;
	case 'v': o->verbose = true; break;
	case 'w': o->quiet = true; break;
	}
	return good;
}

static bool consistent(const bool given[128])
{
	char text[100];

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++)
		if (given[(int)conflicts[i][0]] && given[(int)conflicts[i][1]]) {
			snprintf(text, sizeof(text), "You can't specify the '-%c' and '-%c' options together.",
				 conflicts[i][0], conflicts[i][1]);
			return complain(text);
		}
	for (size_t i = 0; i < sizeof(wants_output); i++)
		if (given[(int)wants_output[i]] && !given['o'] && !given['B']) {
			snprintf(text, sizeof(text), "You have to specify output FILE with '-%c' option.", wants_output[i]);
			return complain(text);
		}
	return true;
}

/* A bare name of a module that is not here is one that was put where modules for everybody are (cli.md 6.5). */
static const char *find_module(const char *name)
{
	struct utsname u;
	char *path = NULL;
	size_t n = strlen(name);
	bool ends = n > 3 && (!strcmp(name + n - 3, ".ko") || !strcmp(name + n - 3, ".so"));

	if (strchr(name, '/') || (ends && !access(name, F_OK)) || uname(&u))
		return name;
	if (asprintf(&path, "/lib/modules/%s/systemtap/%s%s", u.release, name, ends ? "" : ".ko") < 0)
		return name;
	if (!access(path, F_OK))
		return path;
	free(path);
	return name;
}

static void describe(char *letters)
{
	for (const struct row *r = rows; r < rows + NROWS; r++) {
		*letters++ = r->letter;
		if (r->value)
			*letters++ = ':';
	}
	*letters = 0;
}

static int bad(void)
{
	fputs("Try 'spilerun -h' for more information.\n", stderr);
	return 1;
}

int options_parse(int argc, char **argv, struct run_options *o)
{
	char letters[2 * NROWS + 2];
	bool given[128] = { false };
	int c;

	o->remote_id = -1;
	o->remote_uri = "";
	set_colour(o, "auto");
	describe(letters);
	while ((c = getopt(argc, argv, letters)) != -1) {
		if (c == 'h' || c == 'V') {
			if (c == 'h')
				usage(stdout);
			else
				puts("spilerun (version " PACKAGE_VERSION ")");
			return 0;
		}
		if (c == '?' || !apply(o, c, optarg))
			return bad();
		given[c == 't' ? 'x' : c] = true;
	}
	if (!consistent(given))
		return bad();
	if (optind == argc) {
		usage(stderr);
		return 1;
	}
	o->script = o->attach || o->remove ? argv[optind] : find_module(argv[optind]);
	o->globals = argv + optind + 1;
	return -1;
}
