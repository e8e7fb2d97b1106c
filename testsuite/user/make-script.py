#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a script's C file by hand, as the emitter would: a counter for entries and one for exits.

make-script.py [--functions REGEX] [--exclude REGEX] [--no-exits] [--print] OBJECT...

Sites are taken from the disassembly that objdump prints: the first instruction and the `ret's of each function
whose name matches.  At the end the script prints `entries N exits M'; with --print each hit prints a line as well.
"""
import argparse
import re
import subprocess

parser = argparse.ArgumentParser()
parser.add_argument("--functions", default=".*")
parser.add_argument("--exclude", default="^$")
parser.add_argument("--no-exits", action="store_true")
parser.add_argument("--print", action="store_true")
parser.add_argument("--flags", default="0")
parser.add_argument("objects", nargs="+")
options = parser.parse_args()


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True).stdout
    found = re.search(r"Build ID: ([0-9a-f]+)", notes)
    return bytes.fromhex(found.group(1)) if found else b""


def sites_of(path):
    """(address, kind, function) of each site."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-w", path], capture_output=True, text=True).stdout
    name = None
    for line in text.splitlines():
        head = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        if head:
            name = head.group(2)
            wanted = re.search(options.functions, name) and not re.search(options.exclude, name)
            if wanted and not name.endswith("@plt") and ".cold" not in name:
                yield int(head.group(1), 16), "SP_SITE_ENTRY", name
            continue
        code = re.match(r"\s*([0-9a-f]+):\s+(?:bnd |repz )?ret", line)
        if code and name and wanted and not options.no_exits:
            yield int(code.group(1), 16), "SP_SITE_RETURN", name


print("/* made by make-script.py */")
print('#include "spile.h"')
print("struct globals { sp_i64 entries, exits; };")
for which, counter in ("entry", "entries"), ("exit", "exits"):
    say = f'sp_print_str(c, SP_STR("{which} ")); sp_print_str(c, sp_ppfunc(c)); sp_print_str(c, SP_STR("\\n"));'
    print(f"static void {which}_hit(struct sp_ctx *c)\n{{\n\tstruct globals *g = c->globals;\n")
    print(f"\t__atomic_fetch_add(&g->{counter}, 1, __ATOMIC_RELAXED);")
    if options.print:
        print("\t" + say)
    print("}")
print("""static void end_hit(struct sp_ctx *c)
{
	struct globals *g = c->globals;

	sp_print_str(c, SP_STR("entries "));
	sp_print_long(c, g->entries);
	sp_print_str(c, SP_STR(" exits "));
	sp_print_long(c, g->exits);
	sp_print_str(c, SP_STR("\\n"));
}
static void begin_hit(struct sp_ctx *c)
{
	sp_print_str(c, SP_STR("begin\\n"));
}""")
print("static const struct sp_probe probes[] = {")
print(f'\t{{ .kind = SP_PROBE_SITE, .handler = entry_hit, .point = "entries", .name = "entries", .flags = {options.flags} }},')
print(f'\t{{ .kind = SP_PROBE_SITE, .handler = exit_hit, .point = "exits", .name = "exits", .flags = {options.flags} }},')
print('\t{ .kind = SP_PROBE_BEGIN, .handler = begin_hit, .point = "begin", .name = "begin" },')
print('\t{ .kind = SP_PROBE_END, .handler = end_hit, .point = "end", .name = "end" },')
print("};")
ids, objects, sites = [], [], []
for index, path in enumerate(options.objects):
    identity = build_id(path)
    ids.append(f"static const sp_u8 id_{index}[] = {{ {', '.join(map(str, identity)) or '0'} }};")
    objects.append(f"\t{{ .path = {quote(path)}, .build_id = {f'id_{index}' if identity else '0'}, .build_id_len = {len(identity)} }},")
    for address, kind, name in sorted(sites_of(path)):
        probe = 0 if kind == "SP_SITE_ENTRY" else 1
        sites.append(f"\t{{ .object = {index}, .probe = {probe}, .kind = {kind}, .addr = 0x{address:x}, "
                     f".point = {quote(name)}, .name = {quote(name)} }},")
print("\n".join(ids))
print("static const struct sp_object objects[] = {\n" + "\n".join(objects) + "\n};")
print("static const struct sp_site sites[] = {\n" + "\n".join(sites) + "\n};")
print(f"""const struct sp_script sp_script = {{
	.abi = SP_ABI, .nprobes = 4, .nsites = {len(sites)}, .nobjects = {len(objects)}, .name = "hand_made",
	.probes = probes, .sites = sites, .objects = objects,
	.globals_size = sizeof(struct globals),
	.limits = {{ .maxaction = 1000, .maxnesting = 10, .maxstringlen = 512, .maxmapentries = 2048, .maxskipped = 100,
		.maxtrylock = 100, .trylockdelay_us = 10, .histwidth = 50, .histelision = 2 }},
}};""")
