#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What of the plugin and the runtime the tests run: coverage.sh [SUITE | FILE]...        see lib/run.sh
#
# The build is one that counts (COVERAGE=yes).  Each test is run in one variant, -O2 if there is that: what another
# level makes of the same loop seldom takes another way here.  Models run nothing of this.  A branch is one outcome of
# one condition, as the source has it; assertions have none.  What runs in a test's program that ends by a signal or
# _exit is not counted.  To count takes time, memory, files and calls of the C library: tests that fail by that are
# named, and that is all.
#
# Fails if fewer lines or branches are run than are aimed at, or if a branch of the core (the list `core') is not.

set -u -o pipefail
: "${PG_ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${PG_BUILD:=$PG_ROOT/build-coverage}" "${PG_CC:=gcc}"
export PG_ROOT PG_BUILD
here=testsuite/coverage
data=$PG_BUILD/coverage.json
cd "$PG_ROOT" || exit 1

if [ $# = 0 ]
then
  mapfile -t tests < <(testsuite/lib/run.sh -l e2e programs |
    awk -F : '!($1 in item) { names[++n] = $1 } !($1 in item) || $2 == "-O2" { item[$1] = $0 }
              END { for (i = 1; i <= n; i++) print item[names[i]] }')
  set -- unit dump host kir device fuzz fuzz-kir "${tests[@]}"
fi

find "$PG_BUILD" -name '*.gcda' -delete
GCOV_ERROR_FILE=$PG_BUILD/gcov-errors testsuite/lib/run.sh "$@"

# Where a process was killed as it wrote, gcov may say that a branch was taken -1 times: that line is left out.
gcovr -r . --gcov-executable "${PG_CC/gcc/gcov}" --gcov-ignore-parse-errors -j "$(nproc)" \
  --exclude-lines-by-pattern ' *(assert|gcc_(checking_)?assert|gcc_unreachable) \(.*' \
  -f plugin/ -f runtime/ -f cuda/ --json "$data" "$PG_BUILD" || exit

gcovr -r . -a "$data" --csv > "$PG_BUILD/coverage.csv" && gcovr -r . -a "$data" --txt -b > "$PG_BUILD/branches.txt" &&
  awk -f $here/table.awk $here/core "$PG_BUILD/branches.txt" "$PG_BUILD/coverage.csv"
