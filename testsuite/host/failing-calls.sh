#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pthread_create and mmap fail, at once or at the Nth call: threads and memory that cannot be had are done without.  The
# answer stays, nothing is said, nothing hangs.

. "$PG_ROOT/testsuite/lib/script.sh"
parts=$PG_ROOT/testsuite/host/parts
"$PG_CC" -O2 -fPIC -shared "$parts/fail.c" -o fail.so || exit 1
"$PG_CC" -O2 "$parts/rounds.c" -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "$parts/rounds.c" -o parallel || exit 1
expected=$(./plain)

# Run with the variables given; what is printed and the status must be the plain program's.
check ()
{
  local output status
  rm -f stats.json
  output=$(env PARAGON_PLAN=pool PARAGON_THREADS=4 "PARAGON_LIBRARY=$library" "$@" LD_PRELOAD="$PWD/fail.so" \
    timeout -k 5 20 ./parallel 2>&1)
  status=$?
  [ $status = 0 ] || fail "status $status: $*: $output"
  [ "$output" = "$expected" ] || fail "another answer: $*: $output"
}

check PARAGON_STATS=stats.json
[ "$(stat_sum pool stats.json)" -ge 3 ] || fail "nothing ran on the pool with the shim alone"
for n in 1 2 3
do
  check FAIL_CREATE=$n PARAGON_STATS=stats.json
  [ "$(stat_sum entries stats.json)" -ge 3 ] || fail "no entry with the ${n}th pthread_create failing"
done
for ((n = 1; n <= 16; n++))
do
  check FAIL_MMAP=$n
  check FAIL_MMAP=$n FAIL_MMAP_REST=1
  check FAIL_MMAP=$n FAIL_MMAP_REST=1 PARAGON_STEP=L3
  check FAIL_MMAP=$n PARAGON=compare
done
