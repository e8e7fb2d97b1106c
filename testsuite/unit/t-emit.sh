#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What emit/ prints, compiled and run in one process over core/: each script of testsuite/language and testsuite/emit beside
# its expected output.  A script's C must be free of warnings for gcc and clang, in the dialect of the oldest kernel.
# A script with a .c beside it must come out as just that text.
srcdir='@srcdir@' SPILE='@builddir@/spile' lib='@builddir@/testsuite/unit/libcore.a'
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
san='@sanflags@'
warn='-Wall -Wextra -Werror -Wdeclaration-after-statement -Wvla -Wstrict-prototypes'
kernel="-std=gnu89 -O2 -ffreestanding -fno-strict-aliasing $warn"
status=0

bad() { echo "FAIL $name: $(head -c 600 "$dir/why" | tr '\n' '|')"; status=1; }
good() { echo "ok $name"; }

for script in "$srcdir"/testsuite/language/*.stp "$srcdir"/testsuite/emit/*.stp; do
	base=${script%.stp} short=$(basename "${script%.stp}")
	name="$short is translated"
	opts=$(sed -n 's/^# opts: //p' "$script" | tr '\n' ' ')
	args=$(sed -n 's/^# args: //p' "$script")
	grep -q '^probe timer' "$script" && { echo "skip $short: timers need a back end"; continue; }
	cp "$script" "$short.stp"	# a short path: places and comments name it
	# shellcheck disable=SC2086
	if $SPILE -p3 $opts "$short.stp" $args >script.c 2>why; then good; else bad; continue; fi
	for cc in gcc clang; do
		name="$short compiles without a warning ($cc)"
		if $cc $kernel -I"$srcdir/runtime" -c script.c -o "script-$cc.o" 2>why; then good; else bad; fi
	done
	if [ -f "$base.c" ]; then
		name="$short is the C it should be"
		if diff "$base.c" script.c >why; then good; else bad; fi
	fi
	[ -f "$base.out" ] || continue
	name="$short prints what it should"
	if gcc -g -std=gnu11 $san -I"$srcdir/runtime" -I"$srcdir/testsuite/unit" script.c \
	   "$srcdir/testsuite/unit/run-script.c" "$lib" -lpthread -o script 2>why; then
		./script >out 2>err </dev/null
		if diff "$base.out" out >why; then good; else cat err >>why; bad; fi
	else
		bad
	fi
done
exit $status
