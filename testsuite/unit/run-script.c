/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an emitted script in one process over the host platform: begin probes in order, then end or error probes.
 * Linked to the script's C file by t-emit.  Prints what the script printed; errors go to standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "host-platform.h"

static void run_kind(enum sp_probe_kind kind)
{
	sp_i64 order = (-9223372036854775807LL - 1), next;
	sp_bool more = 1;

	while (more) {
		more = 0;
		next = 9223372036854775807LL;
		for (sp_u32 i = 0; i < sp_script.nprobes; i++) {
			const struct sp_probe *p = &sp_script.probes[i];

			if (p->kind == kind && p->order == order)
				sp_run_probe(host_context(), p);
			if (p->kind == kind && p->order > order) {
				more = 1;
				next = p->order < next ? p->order : next;
			}
		}
		order = next;
	}
}

static void tell(void *data, const char *text)
{
	(void)data;
	fprintf(stderr, "WARNING: %s\n", text);
}

int main(void)
{
	host_session = calloc(1, sp_session_size(&sp_script));
	sp_session_init(host_session, &sp_script);
	run_kind(SP_PROBE_BEGIN);
	sp_state_change(host_session, SP_STARTING, SP_STOPPING);
	run_kind(host_session->state == SP_ERROR ? SP_PROBE_ERROR : SP_PROBE_END);
	fputs(host_out, stdout);
	fputs(host_err, stderr);
	fputs(host_warn, stderr);
	sp_summary(host_session, tell, NULL);
	return host_session->state == SP_ERROR;
}
