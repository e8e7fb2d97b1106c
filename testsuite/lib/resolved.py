# SPDX-License-Identifier: GPL-2.0-or-later
"""What `-p2' prints, compared regardless of order: that inside sections means nothing (language.md 14).

sections(text) takes a text apart; strip() takes away what stap 4.8 shows otherwise than the language's description
says, each a line of doc/library-differences, "How -p2 -v is written".  build_tree() makes what `stap -r' needs for
passes 1 and 2.  Imported by library/compare and peer/compare.
"""
import collections
import os
import re
import subprocess

RELEASE = "6.1.0-57-amd64"
CONFIG = """CONFIG_X86_64=y
CONFIG_KPROBES=y
CONFIG_MODULES=y
CONFIG_UPROBES=y
CONFIG_ARCH_SUPPORTS_UPROBES=y
CONFIG_TRACEPOINTS=y
CONFIG_PERF_EVENTS=y
CONFIG_HAVE_HW_BREAKPOINT=y
"""
# without this function stap takes the kernel for one that has no return probes in programs
SYMBOLS = "ffffffff81000000 T _stext\nffffffff81000010 T arch_uretprobe_hijack_return_addr\n"
TITLES = ("globals", "functions", "probes", "global embedded code")


def build_tree(folder):
    """As much of a kernel's build tree as `stap' asks for in passes 1 and 2."""
    os.makedirs(folder + "/include/config")
    texts = {
        "Makefile": "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 0\nEXTRAVERSION =\n", "Module.symvers": "",
        "System.map": SYMBOLS, ".config": CONFIG, "include/config/kernel.release": RELEASE + "\n",
    }
    for name, text in texts.items():
        with open(folder + "/" + name, "w", encoding="utf-8") as out:
            out.write(text)


LATE = 124


def run(words, env, folder=None, seconds=1800):
    """Status, output, messages; the status is LATE for a program that did not end in time."""
    try:
        done = subprocess.run(words, env=env, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return LATE, "", "error: %s took too long" % words[0]
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


class Entry:
    """A global, function or probe: its first line, its locals, with -v its body."""
    def __init__(self, head):
        self.head, self.locals, self.body = head, [], None

    def text(self):
        return "".join([self.head, *(" | " + x for x in sorted(self.locals)), "\n" + self.body if self.body else ""])


def sections(text):
    """Section name -> list of entries."""
    found, name, body = {}, None, None
    for line in text.splitlines():
        if body is None and re.match(r"# (%s)$" % "|".join(TITLES), line):
            name = line[2:]
            found[name] = []
        elif name is None or (body is None and line.strip() in ("# locals", "")):
            continue
        elif body is not None or (line.startswith("{ ") and found[name] and name != "global embedded code"):
            body = line if body is None else body + "\n" + line
            if line.endswith(" }"):
                found[name][-1].body, body = body, None
        elif line.startswith("  ") and found[name]:
            found[name][-1].locals.append(line.strip())
        else:
            found[name].append(Entry(line.rstrip()))
    return {k: v for k, v in found.items() if v}


def write_sections(found, bodies):
    """The text that sections() took apart; without @bodies as -p2 has it without -v."""
    lines = []
    for name, entries in found.items():
        lines.append("# " + name)
        for e in entries:
            lines.append(re.sub(r" = .*", "", e.head) if name == "globals" and not bodies else e.head)
            lines += (["  # locals"] if e.locals else []) + ["  " + x for x in e.locals]
            lines += [e.body] if bodies and e.body else []
    return "\n".join(lines)


def difference(theirs, ours):
    """Lines about what one has and the other has not, or not so often."""
    rows = []
    for name in sorted(set(theirs) | set(ours)):
        a, b = (collections.Counter(e.text() for e in found.get(name, [])) for found in (theirs, ours))
        rows += ["%s: stap has %s" % (name, e) for e in sorted((a - b).elements())]
        rows += ["%s: spile has %s" % (name, e) for e in sorted((b - a).elements())]
    return [r.replace("\n", " / ") for r in rows]


# ---- how joined strings are grouped: (a . b . c) here, ((a) . (b)) . (c) there

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"| \. |\{ | \}|[()\[\]]|[,;\n]|return |[^"()\[\],;\n ]+| ')
CLOSING = {"(": ")", "[": "]"}
ENDS = {",", ";", "\n", "return ", "{ ", " }"}


def nest(tokens, closing=None):
    """Tokens as a list, with a list [bracket, ...] for what is in brackets."""
    items = []
    for token in tokens:
        if token == closing:
            break
        items.append([token] + nest(tokens, CLOSING[token]) if token in CLOSING else token)
    return items


def is_group(items):
    return len(items) == 1 and isinstance(items[0], list) and items[0][0] == "("


def operands(items):
    """What ` . ' joins in one piece of text."""
    parts = [[]]
    for item in items:
        if item == " . ":
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def piece(items):
    """One piece, between separators, in the one form that both have."""
    while is_group(items) and " . " in items[0]:
        items = items[0][1:]
    parts = operands(items)
    if len(parts) == 1:
        return flat(items)
    first = parts[0]
    while is_group(first) and " . " in first[0]:
        parts = operands(first[0][1:]) + parts[1:]
        first = parts[0]
    return " . ".join(pieces(p[0][1:]) if is_group(p) and " . " not in p[0] else flat(p) for p in parts)


def flat(items):
    return "".join(i if isinstance(i, str) else i[0] + pieces(i[1:]) + CLOSING[i[0]] for i in items)


def pieces(items):
    text, part = "", []
    for item in items:
        if isinstance(item, str) and item in ENDS:
            text, part = text + piece(part) + item, []
        elif item == " " and not part:
            text += " "
        else:
            part.append(item)
    return text + piece(part)


def joined(body):
    return pieces(nest(iter(TOKEN.findall(body)))) if " . " in body else body


# ---- what stap 4.8 shows in its own way

OWN_LOCAL = re.compile(r"__stable_|_entry_tvar|__global_entry_tvar")
OWN_BODY = re.compile(r"__dwarf_tvar_|_entry_tvar_")
# by section
OWN_ENTRY = {
    "globals": re.compile(r"__global_entry_tvar"),
    "functions": re.compile(r"(\w*__dwarf_\w+|tid|user_string_(n_)?quoted):(long|string) \("),
    "probes": re.compile(r".*\.call /\* pc=.*\.return \*/$"),
}


def strip_head(head):
    point, _, chain = head.partition(" /* <- ")
    # the chain of a place in a program is not what was written: only the place is compared
    if re.match(r"process\(", point):
        return re.sub(r" /\* pc=\S+ \*/$", "", point)
    return point + (" /* <- " + re.sub(r"__(global|private_\w+?_stp)_", "", chain) if chain else "")


def strip(found, theirs):
    """Entries without what is told of in doc/library-differences; @theirs: those of stap."""
    result = {}
    in_program = any(e.head.startswith("process(") for e in found.get("probes", []))
    for name, entries in found.items():
        for e in entries:
            if theirs and in_program and name in OWN_ENTRY and OWN_ENTRY[name].match(e.head):
                continue
            e.locals = [x for x in e.locals if not (theirs and OWN_LOCAL.match(x))]
            e.head = strip_head(e.head)
            if e.body is not None:
                e.body = re.sub(r"\bdelete __global_(\w+)(?=;?$)", r"delete \1", joined(e.body), flags=re.MULTILINE)
                if in_program:
                    e.body = re.sub(r"__(global|private_\w+?_stp)_(\w+?)__overload_\d+\(", r"\2(", e.body)
            result.setdefault(name, []).append(e)
    return result


def forget_target_bodies(theirs, ours):
    """Bodies that read target variables are functions of stap's own there."""
    heads = {e.head for e in theirs.get("probes", []) if e.body and OWN_BODY.search(e.body)}
    for found in (theirs, ours):
        for e in found.get("probes", []):
            e.body = None if e.head in heads else e.body


# ---- what is known to differ

def known_differences(path):
    """Name -> reason, of the lines of doc/library-differences that are tables."""
    known = {}
    with open(path, encoding="utf-8") as text:
        for line in text:
            found = re.match(r"    (\S.*?)   +(\S.*)", line)
            if found:
                known[found.group(1)] = found.group(2)
    return known
