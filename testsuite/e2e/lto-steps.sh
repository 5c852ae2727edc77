#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Link-time optimization in steps: with the plugin at both steps regions are made at the second; with the plugin at the
# first only, the program links and runs as it would without.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
with=("-fplugin=$plugin" -fplugin-arg-paragon-threshold=0)
"$PG_CC" -O2 sample.c -o plain || exit 1
expected=$(./plain)
"$PG_CC" -O2 -flto "${with[@]}" -c sample.c -o sample.o || exit 1
"$PG_CC" -O2 -flto "${with[@]}" sample.o -o both || exit 1
"$PG_CC" -O2 -flto sample.o -o first || exit 1
[ "$(run_with_stats ./both)" = "$expected" ] || fail "both steps: another answer"
[ "$(stat_sum pool stats.json)" -ge 1 ] || fail "both steps: nothing ran on the pool"
[ "$(run_with_stats ./first)" = "$expected" ] || fail "first step only: another answer"
"$PG_CC" -O2 -flto -ffat-lto-objects "${with[@]}" -c sample.c -o fat.o || exit 1
"$PG_CC" -O2 -fno-lto fat.o -o fat || exit 1
[ "$(run_with_stats ./fat)" = "$expected" ] || fail "fat object: another answer"
[ "$(stat_sum pool stats.json)" -ge 1 ] || fail "fat object: nothing ran on the pool"
