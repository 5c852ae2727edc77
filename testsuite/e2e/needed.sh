#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a program needs does not change: no new NEEDED library; without the runtime library, from any directory, it runs.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
needed ()
{
  readelf -d "$1" | grep NEEDED
}

"$PG_CC" -O2 sample.c -o plain || exit 1
mkdir tools
cp "$plugin" "$library" tools/
"$PG_CC" -O2 -fplugin=tools/paragon.so -fplugin-arg-paragon-threshold=0 sample.c -o parallel || exit 1
[ "$(needed plain)" = "$(needed parallel)" ] || fail "NEEDED differs: $(needed parallel)"
expected=$(./plain)

[ "$(run_with_stats ./parallel)" = "$expected" ] || fail "another answer"
[ "$(stat_sum pool stats.json)" -ge 1 ] || fail "nothing ran on the pool"
program=$PWD/parallel
[ "$(cd / && "$program")" = "$expected" ] || fail "another answer from another directory"
[ "$(PARAGON_LIBRARY=/nonexistent/lib.so ./parallel 2>&1)" = "$expected" ] || fail "PARAGON_LIBRARY that does not exist"

# The library is sought in known places only; these copies must not be found.
rm -r tools
cp "$library" libparagon.so.1
[ "$(run_with_stats ./parallel 2>&1)" = "$expected" ] || fail "another answer without the library"
[ ! -f stats.json ] || fail "a library in the working directory was loaded"
