/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short words for scripts written by hand, as the emitter would print them.  @A:NAME@ is NAME's link-time address in the
 * target and @O:NAME@ its offset in the file; the driver puts them in.
 */
#include "spile.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define TARGETS "/t/targets"
#define SAY(c, text) sp_print_str(c, SP_STR(text))
#define PRINT(c, before, number) do { SAY(c, before); sp_print_long(c, number); SAY(c, "\n"); } while (0)

#define LIMITS { .maxaction = 10000, .maxnesting = 8, .maxstringlen = 512, .maxmapentries = 64, .maxskipped = 100, \
		 .maxtrylock = 100, .trylockdelay_us = 10, .histwidth = 50, .histelision = 2 }
#define SCRIPT(...) const struct sp_script sp_script = { .abi = SP_ABI, .name = "script", \
		.nprobes = N(probes), .probes = probes, .limits = LIMITS, __VA_ARGS__ }
#define SITES .nsites = N(sites), .sites = sites, .nobjects = N(objects), .objects = objects
#define GLOBALS .nglobals = N(globals), .globals = globals, .globals_size = sizeof(struct globals)
#define PLACES .nplaces = N(places), .places = places
#define COUNTER(member) { .name = #member, .type = SP_LONG, .offset = __builtin_offsetof(struct globals, member) }
