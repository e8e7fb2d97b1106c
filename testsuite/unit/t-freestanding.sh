#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds core/ as the back ends do, with each compiler there is: it must ask for nothing but the platform and the script.
# Run from the build tree, where the build puts a copy of this; the source tree is in $srcdir or behind SRCDIR below.
src=${srcdir:-@srcdir@}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
common="-c -O2 -Wall -Wextra -Werror -Wdeclaration-after-statement -Wvla -Wframe-larger-than=1024 -ffreestanding
	-fno-strict-aliasing -I$src/runtime"
user="-std=gnu11 -fPIC -mgeneral-regs-only -fno-stack-protector -fvisibility=hidden"
kernel="-std=gnu89 -fno-pic -mcmodel=kernel -mno-red-zone -mno-sse -mno-mmx -mno-80387 -fno-asynchronous-unwind-tables"
status=0

# The runtime is one unit of all files in a module, and here everywhere: file-scope names are unique in the whole room.
for file in "$src"/runtime/core/*.c; do
	echo "#include \"$file\""
done >"$work/unit.c"

# Compiles core/ with compiler $2 and flags $3, and looks at what the object lacks.
try() {
	if ! $2 $common $3 -o "$work/unit.o" "$work/unit.c" 2>"$work/errors"; then
		sed 's/^/# /' "$work/errors"
		echo "FAIL $1: core/ does not compile"
		status=1
		return
	fi
	lacks=$(nm -u "$work/unit.o" | awk '{ print $2 }' | grep -v -e '^sp_plat_' -e '^sp_script$' -e '^_GLOBAL_OFFSET_TABLE_$')
	if [ -n "$lacks" ]; then
		echo "FAIL $1: undefined:" $lacks
		status=1
	else
		echo "ok $1"
	fi
}

for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then
		echo "skip $cc is not installed"
		continue
	fi
	try "$cc user" $cc "$user"
	try "$cc kernel" $cc "$kernel"
done
exit $status
