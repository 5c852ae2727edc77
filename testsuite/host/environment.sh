#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The environment of a program: empty, with values that nobody knows, with few CPUs, niced.  Values that are not known
# are named on stderr, one line each, with those that are; the program runs.

. "$PG_ROOT/testsuite/lib/script.sh"
parts=$PG_ROOT/testsuite/host/parts
"$PG_CC" -O2 "$parts/rounds.c" -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "$parts/rounds.c" -o parallel || exit 1
expected=$(./plain)

# Run a command; stdout and status must be the plain program's, stderr (in messages) of so many lines.
check ()
{
  local n_lines=$1 output status
  shift
  output=$(timeout -k 5 20 "$@" 2> messages)
  status=$?
  [ $status = 0 ] || fail "status $status: $*"
  [ "$output" = "$expected" ] || fail "another answer: $*: $output"
  [ "$(wc -l < messages)" = "$n_lines" ] || fail "not $n_lines lines on stderr: $*: $(cat messages)"
}

program=$PWD/parallel
check 0 env -i "$program"
check 0 env -i PARAGON_PLAN=pool "$program"
check 0 env PARAGON_PLAN=pool PARAGON_THREADS=1 ./parallel
check 0 env PARAGON_PLAN=pool PARAGON_THREADS=64 ./parallel
check 0 env PARAGON=off ./parallel
check 0 env PARAGON= PARAGON_THREADS= PARAGON_PLAN= PARAGON_STATS= PARAGON_LIBRARY= PARAGON_LOG= PARAGON_STEP= \
  ./parallel
check 0 env PARAGON_PLAN=pool OMP_NUM_THREADS=3 ./parallel
check 0 env PARAGON_PLAN=pool OMP_NUM_THREADS=nonsense ./parallel
check 0 env PARAGON_PLAN=pool nice -n 19 ./parallel
if command -v taskset > /dev/null
then
  check 0 env PARAGON_PLAN=pool taskset -c 0 ./parallel
  check 0 env PARAGON_PLAN=pool PARAGON_THREADS=4 taskset -c 0 ./parallel
fi
check 0 env PARAGON_LIBRARY=/nonexistent/libparagon.so.1 ./parallel
check 0 env PARAGON_LIBRARY=/dev/null ./parallel
check 0 env PARAGON_LIBRARY="$PG_BUILD" ./parallel

# Each variable that takes one of a list: an unknown value is named, with the list.
for setting in PARAGON=maybe PARAGON_THREADS=many PARAGON_THREADS=0 PARAGON_THREADS=-3 PARAGON_PLAN=moon \
  PARAGON_STEP=L9 PARAGON_INJECT=often PARAGON_INJECT=every:0 PARAGON_INJECT=every:x PARAGON_LIMIT=-1 \
  PARAGON_LOG=nothing PARAGON_CACHE=here PARAGON_ONLY=here PARAGON_SKIP=there
do
  check 1 env "$setting" ./parallel
  grep -q "^paragon: ${setting%%=*}" messages || fail "$setting: not named: $(cat messages)"
done
check 2 env PARAGON_PLAN=moon PARAGON_STEP=L9 ./parallel

check "$(sed -n 's/^PG_VARIABLE/&/p' "$PG_ROOT/include/environment.def" | wc -l)" env PARAGON=help ./parallel
sed -n 's/^PG_VARIABLE ([A-Z]*, "\([A-Z_]*\)".*/\1/p' "$PG_ROOT/include/environment.def" | while IFS= read -r name
do
  grep -q "^paragon: $name=" messages || fail "the help lacks $name: $(cat messages)"
done || exit 1

# Statistics that cannot be written are not the program's problem.
check 1 env PARAGON_PLAN=pool PARAGON_STATS=/nonexistent/stats ./parallel
[ "$(PARAGON_PLAN=pool PARAGON_STATS=1 ./parallel 2>&-)" = "$expected" ] || fail "stderr is closed: another answer"
PARAGON_PLAN=pool PARAGON_STATS=stats.%p.json ./parallel > out &
pid=$!
wait $pid || fail "%p: status $?"
[ -f stats.$pid.json ] || fail "%p is not the process id: $(echo stats*)"
