#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Rayleigh quotient iteration with conflicts planted in every 20th iteration (Paragon paper, s6.4): each is found, and
# only these; the answer is the plain build's, which is the same with and without them.

. "$PG_ROOT/testsuite/lib/script.sh"
line=$(sed -n 's/^program-rayleigh *= *//p' "$PG_ROOT/polybench/programs.mk")
read -r -a sources <<< "${line%%|*}"
read -r -a args <<< "$(cut -d '|' -f 2 <<< "$line")"
[ "${args[3]}" = 20 ] || fail "the test's arguments are ${args[*]}: the last one is not 20"
n_planted=$((args[1] / 20))
[ $n_planted -ge 2 ] || fail "the test's arguments are ${args[*]}: fewer than two conflicts"
(cd "$PG_ROOT/polybench" && "$PG_CC" -O2 "${sources[@]}" -lm -o "$TMPDIR/plain" &&
  "$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "${sources[@]}" -lm -o "$TMPDIR/parallel") || exit 1
./plain "${args[@]}" > expected || fail "the plain build fails"

# check EVERY CONFLICTS: so many are found, one in every EVERY-th iteration.  Where index data are watched, the caller
# may run a loop of so few iterations in order before anybody asks whether they are as they were.
check ()
{
  args[3]=$1
  run_with_stats ./parallel "${args[@]}" > got || fail "it fails with ${args[*]}"
  cmp expected got || fail "another answer with ${args[*]}, index data watched"
  PARAGON_WATCH=off run_with_stats ./parallel "${args[@]}" > got || fail "it fails with ${args[*]}"
  cmp expected got || fail "another answer with ${args[*]}"
  grep -q '"function": *"shift"' stats.json || fail "no loop was handed over: $(cat stats.json)"
  [ "$(stat_sum conflicts stats.json)" -eq "$2" ] || fail "not $2 conflicts with ${args[*]}: $(cat stats.json)"
}

check 20 $n_planted
check $((args[1] + 1)) 0
