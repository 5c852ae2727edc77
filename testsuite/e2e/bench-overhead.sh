#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What Paragon costs is measured wherever the project lies: a folder's name may hold a blank.  How long it took is not
# judged here.

. "$PG_ROOT/testsuite/lib/script.sh"
ln -s "$PG_ROOT" "a clone"
PART=dispatch,idle,guard PG_ROOT="$PWD/a clone" "a clone/polybench/bench-overhead.sh" > out 2>&1
grep -qE '^dispatch: to another thread +[0-9.e]+ us ' out || fail "$(cat out)"
grep -qE '^idle: CPU time in 200 ms +[0-9.e]+ us ' out || fail "$(cat out)"
grep -qE '^guard: (skipped: no valgrind|spmv, .* ok$)' out || fail "$(cat out)"

PART=idle,nonsense "$PG_ROOT/polybench/bench-overhead.sh" > out 2>&1 && fail "a part that there is not is taken"
[ "$(cat out)" = 'bench-overhead.sh: no part nonsense; there are guard,dispatch,idle,copies,busy' ] || fail "$(cat out)"
RUNS=0 "$PG_ROOT/polybench/bench-overhead.sh" > out 2>&1 && fail "no rounds are taken"
[ "$(cat out)" = 'bench-overhead.sh: RUNS=0: how many rounds, 1 or more' ] || fail "$(cat out)"
exit 0
