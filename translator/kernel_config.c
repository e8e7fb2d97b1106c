/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's configuration, for preprocessor conditions on CONFIG_X (language.md 2.1).  Few scripts ask, so the file is
 * read when one does, and searched as text: a script asks for a handful of names, once each.
 */
#include "kernel_config.h"

#include <string.h>

#include "support/file.h"

static struct {
	struct arena *arena;
	const char *release;
	bool read;
	const char *text;		/* NULL: no configuration found */
} config;

void kernel_config_of(struct arena *a, const char *release)
{
	config.arena = a;
	config.release = release;
	config.read = false;
	config.text = NULL;
}

static const char *read_config(void)
{
	struct arena *a = config.arena;
	const char *const places[] = {
		*config.release == '/' ? arena_printf(a, "%s/.config", config.release) :
			arena_printf(a, "/lib/modules/%s/build/.config", config.release),
		*config.release == '/' ? NULL : arena_printf(a, "/boot/config-%s", config.release),
	};
	char *text;
	size_t len;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i] && !file_read(a, places[i], &text, &len))
			return text;
	return NULL;
}

const char *kernel_config(const char *name)
{
	size_t len = strlen(name);

	if (!config.read && config.release)
		config.text = read_config();
	config.read = true;
	for (const char *line = config.text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == '=')
			return arena_strndup(config.arena, line + len + 1, strcspn(line + len + 1, "\n"));
	}
	return NULL;
}
