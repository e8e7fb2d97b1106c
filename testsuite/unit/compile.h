/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compile.h - compile a fixture at test time, with each compiler there is. */
#ifndef SPILE_UNIT_COMPILE_H
#define SPILE_UNIT_COMPILE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[64] = "";

static inline void scratch_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	if (*scratch && system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", scratch);
}

/* The folder of this run; removed at exit. */
static inline const char *scratch_dir(void)
{
	if (!*scratch) {
		strcpy(scratch, "/tmp/spile-unit-XXXXXX");
		if (!mkdtemp(scratch))
			abort();
		atexit(scratch_remove);
	}
	return scratch;
}

/* Runs a shell command inside the scratch folder; true if it succeeded. */
__attribute__((format(printf, 1, 2)))
static inline bool sh(const char *format, ...)
{
	char command[2048];
	int n = snprintf(command, sizeof(command), "exec 2>>%s/log; cd %s && ", scratch_dir(), scratch_dir());
	va_list args;

	va_start(args, format);
	vsnprintf(command + n, sizeof(command) - n, format, args);
	va_end(args);
	return system(command) == 0;
}

/* "SCRATCH/name", in one of a few static buffers. */
static inline const char *in_scratch(const char *name)
{
	static char buf[4][256];
	static unsigned at;
	char *out = buf[at++ % 4];

	snprintf(out, sizeof(buf[0]), "%s/%s", scratch_dir(), name);
	return out;
}

static inline bool have(const char *program)
{
	return sh("command -v %s >/dev/null", program);
}

#endif
