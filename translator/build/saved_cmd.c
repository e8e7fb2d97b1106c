/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading kbuild's .cmd files: a line "cmd_FILE := COMMAND", or "savedcmd_" from 6.x on, then dependencies. */
#include "build/saved_cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/strbuf.h"

/* The command of the file's first line, in @a; NULL: none. */
static const char *command_line(struct arena *a, const char *cmd_file)
{
	FILE *f = fopen(cmd_file, "re");
	char *line = NULL, *at;
	const char *command = NULL;
	size_t room = 0;

	if (!f)
		return NULL;
	if (getline(&line, &room, f) > 0 && (!strncmp(line, "cmd_", 4) || !strncmp(line, "savedcmd_", 9))) {
		at = strstr(line, ":= ");
		if (at)
			command = arena_strdup(a, at + 3);
	}
	free(line);
	fclose(f);
	return command;
}

/* The word at @*at, in @a, moving past it; NULL at a `;' or the end. */
static const char *next_word(struct arena *a, const char **at)
{
	struct strbuf word = { 0 };
	const char *in = *at + strspn(*at, " \t\n");
	const char *result = NULL;
	char quote = 0;

	*at = in;
	if (!*in || *in == ';')
		return NULL;
	for (; *in && (quote || !strchr(" \t\n;", *in)); in++) {
		if (quote ? *in == quote : *in == '\'' || *in == '"')
			quote = quote ? 0 : *in;
		else if (*in == '\\' && quote != '\'' && in[1])
			strbuf_char(&word, *++in);
		else
			strbuf_char(&word, *in);
	}
	*at = in;
	result = arena_strdup(a, word.text ? word.text : "");
	strbuf_free(&word);
	return result;
}

int saved_cmd_read(struct arena *a, const char *cmd_file, struct saved_cmd *cmds, int max)
{
	const char *at = command_line(a, cmd_file), *word;
	int n = 0;

	if (!at)
		return -1;
	while (*at && n < max) {
		struct saved_cmd *c = &cmds[n];

		c->words = ARENA_ARRAY(a, const char *, strlen(at) / 2 + 2);
		c->n = 0;
		while ((word = next_word(a, &at)))
			c->words[c->n++] = word;
		if (c->n && strcmp(c->words[0], "true"))
			n++;
		if (*at)
			at++;
	}
	return n ? n : -1;
}
