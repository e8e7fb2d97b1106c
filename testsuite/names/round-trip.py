# SPDX-License-Identifier: GPL-2.0-or-later
"""round-trip.py SPILE FILE COUNT: whatever `-l' prints of the functions of FILE is a probe point with the same addresses.

Lists all functions with their addresses, gives up to COUNT of the lines (evenly spread, the odd ones first) back to -l,
a batch at a time, and prints each line whose addresses differ, then `N lines, M differ'.
"""
import re
import subprocess
import sys

BATCH = 25


def listing(spile, points):
    """The lines that -l -v prints for some points, each with its addresses."""
    done = subprocess.run([spile, "-w", "-v", "-l", ", ".join(points)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=600)
    lines = {}
    for text in done.stdout.decode().splitlines():
        m = re.fullmatch(r"(.*) /\* pc=\S+\+(0x[0-9a-f]+) \*/", text)
        if m:
            lines.setdefault(m.group(1), set()).add(m.group(2))
    return lines, done.stderr.decode()


def sample(lines, count):
    """Names with signs that mean something in a specification come before plain ones."""
    odd = [line for line in lines if not re.search(r'function\("[\w.]+(@[^"+*?\[]*:\d+)?"\)', line)]
    plain = [line for line in lines if line not in set(odd)]
    chosen = []
    for group, n in ((odd, count * 2 // 3), (plain, count - min(len(odd), count * 2 // 3))):
        step = max(1, len(group) // n) if n else 1
        chosen += group[::step][:n]
    return chosen


def main():
    spile, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    whole, err = listing(spile, [f'process("{path}").function("*")'])
    if not whole:
        sys.exit(f"nothing is listed: {err}")
    chosen = sample(sorted(whole), count)
    differ = 0
    for at in range(0, len(chosen), BATCH):
        batch = chosen[at:at + BATCH]
        got, err = listing(spile, batch)
        for line in batch:
            if got.get(line) != whole[line]:
                differ += 1
                print(line, "was", *sorted(whole[line])[:3], "is", *sorted(got.get(line, {"nothing"}))[:3])
        for line in set(got) - set(batch):
            differ += 1
            print(line, "was not asked for")
        if not got:
            print(err)
    print(f"{len(chosen)} lines, {differ} differ")


main()
