#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An object of an older or a newer plugin runs its original loops, and the statistics say why.  Such an object is one of
# this plugin with another version in its descriptor: the first word.

. "$PG_ROOT/testsuite/lib/script.sh"

sample
"$PG_CC" -O2 sample.c -o plain || exit 1
expected=$(./plain)
"$PG_CC" -O2 -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 -S sample.c || exit 1
"$PG_CC" sample.s -o sample || exit 1
run_with_stats ./sample > out || fail "status $?"
n_entries=$(stat_sum entries stats.json)
[ "$(stat_sum pool stats.json)" -ge 2 ] || fail "the object does not run as it is"

for change in -1 1
do
  awk -v change=$change '
    is_first { printf "\t%s\t%d\n", $1, $2 + change }
    !is_first
    { is_first = /^paragon\.region\.[0-9]+:$/ }' sample.s > other.s
  "$PG_CC" other.s -o other || exit 1
  output=$(run_with_stats ./other) || fail "$change: status $?: $output"
  [ "$output" = "$expected" ] || fail "$change: another answer: $output"
  [ "$(stat_sum foreign stats.json) $(stat_sum entries stats.json)" = "$n_entries 0" ] ||
    fail "$change: $(cat stats.json)"
  PARAGON_STATS=table ./other > out || fail "$change: status $?, with a table"
  grep -q "$n_entries entries refused: abi, " table || fail "$change: $(cat table)"
done
