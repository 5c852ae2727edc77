#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The size of objects is measured, and what makes it is found: kernels, which nothing else in an object holds.

. "$PG_ROOT/testsuite/lib/script.sh"
ONLY=vadd RUNS=1 FLAGS=-O2 "$PG_ROOT/polybench/bench-size.sh" > out 2>&1
status=$?
[ $status -le 1 ] || fail "status $status: $(cat out)"
grep -qE '^vadd +[1-9][0-9]* +[1-9][0-9]* +[1-9]\.[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+( +over)?$' out || fail "$(cat out)"
grep -qE ' kernels [1-9][0-9]* tables [1-9][0-9]* monitor [0-9]+ no-alias F [0-9]+ F [1-9][0-9]*$' out ||
  fail "$(cat out)"
exit 0
