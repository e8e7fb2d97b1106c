/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild's saved commands, in the forms that kernels from 5.10 to 7.2 write. */
#include "build/saved_cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define HOLDS(what, condition) check_result((condition), __LINE__, what, "does not hold")

static struct saved_cmd cmds[3];

static int parse(struct arena *a, const char *text)
{
	char path[] = "/tmp/t-saved-cmd-XXXXXX";
	int fd = mkstemp(path), n;

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return -2;
	close(fd);
	n = saved_cmd_read(a, path, cmds, 3);
	unlink(path);
	return n;
}

static bool is(int cmd, size_t n, const char *first, const char *last)
{
	return cmds[cmd].n == n && !strcmp(cmds[cmd].words[0], first) && !strcmp(cmds[cmd].words[n - 1], last) &&
	       !cmds[cmd].words[n];
}

int main(void)
{
	struct arena *a = arena_new();

	HOLDS("a compilation and a check", parse(a, "cmd_/m/script.o := gcc-12 -DA='\"s\"'  -c -o /m/s.o /m/s.c   ; ./tools/objtool --module /m/s.o\n\n"
		    "source_/m/script.o := /m/s.c\n") == 2 && is(0, 6, "gcc-12", "/m/s.c") && is(1, 3, "./tools/objtool", "/m/s.o"));
	HOLDS("quotes are taken off", !strcmp(cmds[0].words[1], "-DA=\"s\""));
	HOLDS("the later kernels' key", parse(a, "savedcmd_m.o := ld -r -o m.o @m.mod \n") == 1 && is(0, 5, "ld", "@m.mod"));
	HOLDS("`true' is no command", parse(a, "cmd_m.ko := ld -r -o m.ko m.o;  true\n") == 1 && is(0, 5, "ld", "m.o"));
	HOLDS("a `;' without blanks", parse(a, "cmd_a := x y;z\n") == 2 && is(0, 2, "x", "y") && is(1, 1, "z", "z"));
	HOLDS("a `;' in quotes", parse(a, "cmd_a := x 'y;z'\n") == 1 && is(0, 2, "x", "y;z"));
	HOLDS("an escaped character", parse(a, "cmd_a := x y\\#z\n") == 1 && is(0, 2, "x", "y#z"));
	HOLDS("a file of another kind", parse(a, "deps_a := b\n") == -1);
	HOLDS("an empty command", parse(a, "cmd_a := \n") == -1);
	HOLDS("no file", saved_cmd_read(a, "/nowhere/x", cmds, 3) == -1);
	arena_free(a);
	return check_end();
}
