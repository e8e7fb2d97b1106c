/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as a script, through every pass up to the C file (libFuzzer).  Beside crashes, hangs, leaks and what the
 * sanitizers see, three rules are held to: what parses prints to text that parses to the same tree; a pass that fails has
 * told why; one that succeeds has told no error.  testsuite/fuzz/run prepares the folder that this runs in.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elaborate/program.h"
#include "emit/emit.h"
#include "library/library.h"
#include "syntax/syntax.h"
#include "testsuite/unit/script-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *no_config(const char *name)
{
	(void)name;
	return NULL;
}

static char *args[] = { "7", "two words" };
static bool args_used[2];

static const struct layout layout = {
	.runtime_dir = "/runtime", .user_object = "/none", .tapset_dir = "/tapset", .spilerun = "/none",
	.guest_init = "/none", .fetch_kernel = "/none",
};

/* What one run holds, as in main.c's session. */
struct run {
	struct arena *arena;
	struct diag *diag;
	FILE *messages;
	char *told;
	size_t told_len;
	struct options options;
	struct syntax_env env;
	struct source source;
	struct program *program;
};

static void refuse(const struct run *r, const char *what)
{
	fflush(r->messages);
	fprintf(stderr, "rule broken: %s\nmessages:\n%s\n", what, r->told);
	abort();
}

static void check_round_trip(struct run *r, struct library *library)
{
	char *first = script_text(script_print_source, r->program->user), *second;
	struct source again = { .name = r->source.name, .text = first, .len = strlen(first) };
	struct script *s = script_parse(r->arena, r->diag, &r->env, library_macros(library), &again, false);

	if (diag_errors(r->diag))
		refuse(r, "the printed script does not parse");
	second = script_text(script_print_source, s);
	if (strcmp(first, second)) {
		fprintf(stderr, "--- first\n%s--- second\n%s", first, second);
		refuse(r, "the printed script parses to another tree");
	}
	free(first);
	free(second);
}

static bool emit_to_nowhere(struct program *p)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct emitted more = { 0 };
	bool good = emit_c(out, p, &more);

	fclose(out);
	free(text);
	return good;
}

static void run_passes(struct run *r)
{
	static const struct { const char *name; bool (*run)(struct program *p); } passes[] = {
		{ "derive", derive_probes }, { "bind", bind_symbols }, { "dead", drop_dead }, { "types", infer_types },
		{ "prune", prune_unused }, { "patterns", compile_patterns }, { "check", check_runnable }, { "emit", emit_to_nowhere },
	};

	for (size_t i = 0; i < sizeof(passes) / sizeof(*passes); i++) {
		bool good = passes[i].run(r->program);

		if (!good && !diag_errors(r->diag))
			refuse(r, passes[i].name);
		if (!good || diag_errors(r->diag))
			return;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run r = { .arena = arena_new() };
	struct library *library;

	r.messages = open_memstream(&r.told, &r.told_len);
	r.diag = diag_new(r.messages, false);
	r.source = (struct source){ .name = "fuzz.stp", .text = arena_strndup(r.arena, size ? (const char *)data : "", size), .len = size };
	r.options = (struct options){
		.script_file = "fuzz.stp", .nargs = 2, .args = args, .last_pass = 4, .runtime = RUNTIME_USER, .command = "target",
		.guru = memmem(data, size, "%{", 2), .compatible = LANGUAGE_VERSION, .privilege = PRIVILEGE_STAPDEV,
		.extra_scripts = (const char *[]){ NULL }, .library_dirs = (const char *[]){ NULL },
	};
	r.env = (struct syntax_env){
		.kernel_vr = "6.1.0-1-amd64", .arch = "x86_64", .runtime = "user", .version = LANGUAGE_VERSION, .privilege = "stapdev",
		.guru = r.options.guru, .config = no_config, .nargs = 2, .args = args, .arg_used = args_used,
	};
	r.program = program_make(r.arena, r.diag, &r.options, &layout);
	r.program->runtime = RUNTIME_USER;
	library = library_open(r.program, &r.env);
	r.program->tapset = library;
	r.program->user = script_parse(r.arena, r.diag, &r.env, library_macros(library), &r.source, false);
	if (!diag_errors(r.diag))
		check_round_trip(&r, library);
	if (!diag_errors(r.diag))
		run_passes(&r);
	program_close(r.program);
	library_close(library);
	diag_free(r.diag);
	fclose(r.messages);
	free(r.told);
	arena_free(r.arena);
	return 0;
}
