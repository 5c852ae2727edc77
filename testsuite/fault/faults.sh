#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Calls of the runtime library and of the device's program fail, at their first, second, third ... call, once or from
# then on, until a run makes fewer (fault.c, calls.def).  Each time three programs print what their plain builds print,
# in time, and leave no memory without an owner, no open file and no folder behind.
#
#     faults.sh every | few        all calls up to the 40th, or some of them; beyond, fewer and fewer
#
# Where something is wrong, the folder that it happened in stays, for the command that repeats it.

set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd) || exit 1
: "${PG_ROOT:=$(cd "$here/../.." && pwd)}" "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}" "${PG_CXX:=g++}"
export PG_ROOT PG_BUILD PG_CC PG_CXX
library=$PG_BUILD/libparagon.so.1
limit_s=10
leak_status=86

# A program and arguments: pointers, a sparse matrix, one whose iterations conflict.
programs='jacobi1d spmv csc'

# What a run is, and the objects whose calls fail then.  NAME-first: the caller and a device at work on one loop.
settings='pool compare device device-first host-first'

setting_of ()
{
  case $1 in
    pool) echo PARAGON_PLAN=pool PARAGON_THREADS=3 PARAGON_STATS=stats.json ;;
    compare) echo PARAGON=compare PARAGON_PLAN=pool PARAGON_THREADS=3 PARAGON_STATS=1 ;;
    device) echo PARAGON_PLAN=device PARAGON_DEVICE=emu PARAGON_THREADS=3 PARAGON_STATS=stats.json ;;
    *-first) echo "PARAGON_PLAN=cooperate PARAGON_RACE=${1%-first} PARAGON_DEVICE=emu PARAGON_STATS=stats.json" ;;
  esac
}

objects_of ()
{
  echo libparagon.so.1
  case $1 in
    device | *-first) echo emu-device ;;
  esac
}

fail ()
{
  echo "$*"
  exit 1
}

# Everything that is imported must be in the list of calls.
check_list ()
{
  local missing
  missing=$({ nm -D --undefined-only "$library" && nm -D --undefined-only "$PG_BUILD/paragon/emu-device"; } |
    awk 'NF == 2 { print $2 }' | sed 's/@.*//' | grep -v '^_' | sort -u | while IFS= read -r name
    do
      grep -qE "^PG_(CALL \(.*, |SAFE \()${name}[,)]" "$here/calls.def" || echo "$name"
    done)
  [ -z "$missing" ] || fail "calls.def does not say whether these fail: $missing"
}

# Build all; the plain builds' output is what is expected.
build ()
{
  local name line plugged=(-fplugin="$PG_BUILD/paragon.so" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir)
  local -a sources args
  "$PG_CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -fPIC -fvisibility=hidden -shared "$here/fault.c" \
    -o fault.so || exit 1
  mkdir modules
  for name in $programs
  do
    line=$(sed -n "s/^program-$name *= *//p" "$PG_ROOT/polybench/programs.mk")
    read -r -a sources <<< "${line%%|*}"
    read -r -a args <<< "$(sed -n "s/^small-$name *= *//p" "$PG_ROOT/polybench/programs.mk")"
    (cd "$PG_ROOT/polybench" && "$PG_CC" -O2 "${sources[@]}" -lm -o "$OLDPWD/$name-plain" &&
      "$PG_CC" -O2 "${plugged[@]}" "${sources[@]}" -lm -o "$OLDPWD/$name") || exit 1
    printf '%s\n' "${args[*]}" > "$name.args"
    timeout $limit_s "./$name-plain" "${args[@]}" > "$name.expected" || exit 1
  done
}

# The leak sanitizer's library, if it works here.
find_leak_sanitizer ()
{
  local found
  found=$("$PG_CC" -print-file-name=liblsan.so)
  echo '#include <stdlib.h>
void *volatile kept; int main (void) { kept = malloc (7); kept = NULL; return 0; }' > leaks.c
  "$PG_CC" leaks.c -o leaks || exit 1
  LSAN_OPTIONS=exitcode=$leak_status LD_PRELOAD=$found ./leaks 2> /dev/null
  [ $? = $leak_status ] && LD_PRELOAD=$found /bin/true 2> /dev/null && echo "$found"
}

# Number $1 of what the last run counted.
counted ()
{
  od -An -v -t d8 -w8 report | sed -n "$1s/ //gp"
}

# Run PROGRAM as SETTING with call N of FAMILY failing in OBJECT, all from then on if ON is 1.
run_with ()
{
  local -a words
  read -r -a words <<< "$(setting_of "$setting") $([ "$on" = 0 ] || echo FAULT_ON=1)"
  read -r -a args < "$base/$program.args"
  words+=("FAULT_IN=$object" "FAULT_FAMILY=$family" "FAULT_AT=$1" "FAULT_REPORT=$PWD/report"
    "PARAGON_LIBRARY=$library" "LSAN_OPTIONS=exitcode=$leak_status:handle_segv=0:handle_sigbus=0"
    "PG_MODULES=$base/modules" "PATH=$PG_BUILD/keeping:$PATH" "TMPDIR=$PWD/tmp"
    "LD_PRELOAD=$base/fault.so $FAULT_LEAKS")
  command="cd $PWD; env ${words[*]@Q} $base/$program ${args[*]}"
  head -c 64 /dev/zero > report
  rm -f stats.json
  timeout -k 1 $limit_s env "${words[@]}" "$base/$program" "${args[@]}" > got 2> said < /dev/null
}

# What is wrong with the last run, whose status was $1, if anything.
what_is_wrong ()
{
  local n_open i
  case $1 in
    0) ;;
    124 | 137) echo "hangs" && return ;;
    "$leak_status") echo "leaks" && return ;;
    *) echo "status $1" && return ;;
  esac
  cmp -s got "$base/$program.expected" || echo "another answer"
  ! grep -v '^paragon: ' said > /dev/null || echo "says something"
  # What knows which pages are written is kept: two files.
  n_open=$(counted 5)
  [ "$object" != libparagon.so.1 ] || [ "$n_open" = 0 ] || [ "$n_open" = 2 ] || echo "$n_open files are open"
  for ((i = 0; i < 50; i++))
  do
    [ -n "$(ls tmp)" ] || return
    sleep 0.1
  done
  echo "leaves $(ls tmp)"
}

# One combination: all its numbers.
try ()
{
  local program=$1 setting=$2 object=$3 family=$4 on=$5 number=$6 step=$7 n=1 n_runs=0 wrong status command
  local -a args
  mkdir -p "$program-$setting-$object-$family-$on/tmp" && cd "$program-$setting-$object-$family-$on" || exit 1
  while :
  do
    run_with $n
    status=$?
    n_runs=$((n_runs + 1))
    wrong=$(what_is_wrong $status | paste -sd ' ')
    if [ -n "$wrong" ]
    then
      printf 'FAIL: %s %s: call %d of %s in %s%s: %s\n    repeat: %s\n' "$program" "$setting" $n "$family" "$object" \
        "$([ "$on" = 0 ] || echo ' and all after it')" "$wrong" "$command"
      head -n 12 said | sed 's/^/    /'
    fi
    [ "$(counted "$number")" -ge $n ] || break
    n=$((n + 1 + n / step))
  done
  echo "runs: $n_runs"
}

# Every combination, one a line.
combinations ()
{
  local program setting object on number family
  for program in $programs
  do
    for setting in $settings
    do
      for object in $(objects_of "$setting")
      do
        number=0
        for family in memory threads files processes
        do
          number=$((number + 1))
          for on in 0 1
          do
            echo "$program $setting $object $family $on $number"
          done
        done
      done
    done
  done
}

# Without a fault everything takes place that a fault may be in the way of.
check_usual ()
{
  local program setting object=libparagon.so.1 family=none on=0 command wrong
  local -a args
  mkdir -p usual/tmp && cd usual || exit 1
  for program in $programs
  do
    for setting in $settings
    do
      run_with 0
      wrong=$(what_is_wrong $? | paste -sd ' ')
      [ -z "$wrong" ] || fail "$program $setting without a fault: $wrong: $command"
      case $setting in
        pool) grep -q '"pool":[1-9]' stats.json ;;
        compare) grep -qE ' compared ([1-9]|[0-9]+ entries, [1-9])' said ;;
        host-first) grep -qE '"offloaded":{[^}]*"late":' stats.json ;;
        device*) grep -qE '"offloaded":{[^}]*"(ran|conflict)":' stats.json ;;
      esac || fail "$program $setting: nothing ran there"
    done
  done
  cd ..
}

if [ "${1-}" = try ]
then
  base=$2
  cd "$base" || exit 1
  shift 2
  try "$@"
  exit
fi
case ${1-} in
  every) step=40 ;;
  few) step=1 ;;
  *) fail "usage: faults.sh every | few" ;;
esac
check_list
base=$(mktemp -d) && cd "$base" || exit 1
build
FAULT_LEAKS=$(find_leak_sanitizer)
export FAULT_LEAKS
[ -n "$FAULT_LEAKS" ] || echo "no leak sanitizer: nobody looks for lost memory"
check_usual
combinations | sed "s/\$/ $step/" | xargs -P "$(nproc)" -L 1 "$here/faults.sh" try "$base" > log
grep -v '^runs: ' log
awk '/^runs: / { n += $2 } /^FAIL: / { bad++ }
     END { print n " runs, " bad + 0 " wrong"; exit bad > 0 || n == 0 }' log || exit 1
cd / && rm -rf "$base"
