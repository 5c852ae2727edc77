#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Measuring takes long, so what was measured before a signal came is shown; the results of last time stay.

. "$PG_ROOT/testsuite/lib/script.sh"
echo before > result
ONLY=vadd,jacobi1d RUNS=1 SIZE=test RESULT=$PWD/result setsid "$PG_ROOT/polybench/bench.sh" > out 2> err &
for ((i = 0; i < 600; i++))
do
  ! grep -q '^bench: jacobi1d$' err || break
  sleep 0.2
done
kill -TERM -- -$!
wait $!
[ $? -eq 1 ] || fail "status $?: $(cat out err)"
grep -q 'ended by a signal' err || fail "$(cat err)"
grep -qE '^vadd +1/1 ' out || fail "$(cat out err)"
grep -q '^2 programs, ' <(tail -n 1 out) || fail "$(cat out err)"
[ "$(cat result)" = before ] || fail "results of last time are gone"
exit 0
