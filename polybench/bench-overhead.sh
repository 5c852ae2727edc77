#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Measure what Paragon costs where it cannot gain, each against a limit:
#
#     guard      instructions of loops under the threshold, with the plugin against without
#     dispatch   from entry to the first chunk on another thread; or futex round trips an entry
#     idle       CPU time of a pool that has nothing to do
#     copies     four copies of a program at once against four of the sequential build
#     busy       each program beside a foreign process that spins on CPU 1, against the sequential build there
#
#     [RUNS=N] [ONLY=PROGRAM,...] [THREADS=N] [SIZE=test|bench] [FLAGS=...] [PART=guard,...] polybench/bench-overhead.sh
#
# Exit status 1 if guard or idle, which do not depend on what else the machine does, are over their limits.

set -u -o pipefail
. "$(dirname "$0")/bench-common.sh"
all_parts=guard,dispatch,idle,copies,busy
parts=${PART:-$all_parts}
for part in ${parts//,/ }
do
  [[ ,$all_parts, = *,"$part",* ]] || die "no part $part; there are $all_parts"
done
failed=0
build_tool ratio bench-ratio.c ../runtime/cli/ratio.c
# Of what bench-run prints.
WALL_FIELD=4 TOTAL_FIELD=6

# report WHAT FIGURE LIMIT UNIT [MUST]: print a line; with MUST, being over the limit fails the run.
report ()
{
  local verdict=ok
  awk -v figure="$2" -v limit="$3" 'BEGIN { exit !(figure > limit) }' && verdict=over
  printf '%-36s %10s %-4s limit %-6s %s\n' "$1" "$2" "$4" "$3" "$verdict"
  [ "$verdict" = ok ] || [ -z "${5-}" ] || failed=1
}

wanted ()
{
  case ,$parts, in
    *,"$1",*) ;;
    *) return 1 ;;
  esac
}

has ()
{
  command -v "$2" > /dev/null && return
  printf '%-36s skipped: no %s\n' "$1" "$2"
  return 1
}

instructions ()
{
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# Instructions of CALLS calls alone: those of the same program with no calls are taken off.
measure_guard ()
{
  local kernel plain plugin calls=100000 sources=../testsuite/overhead/small-loops.c flags="-O2"
  build_program small-plain "$cc" && build_program small-plugin "$cc" -fplugin="$build/paragon.so" ||
    die "small-loops.c does not build"
  for kernel in vadd proven spmv
  do
    plain=$(($(instructions "$work/small-plain-0" $kernel $calls) - $(instructions "$work/small-plain-0" $kernel 0)))
    plugin=$(($(instructions "$work/small-plugin-0" $kernel $calls) - $(instructions "$work/small-plugin-0" $kernel 0)))
    report "guard: $kernel, +$(((plugin - plain) / calls)) instructions a call" \
      "$(awk -v a="$plugin" -v b="$plain" 'BEGIN { printf "%.4f", a / b }')" 1.01 x must
  done
}

build_dispatch ()
{
  "$cc" -O2 -D_GNU_SOURCE -I "$root/include" -I "$root/runtime" ../testsuite/overhead/dispatch.c "$build/libkir.a" \
    -o "$work/dispatch" -pthread "$build/libparagon.so.1" -Wl,-rpath,"$build" || die "dispatch.c does not build"
}

measure_dispatch ()
{
  local median entries=2000
  median=$(PARAGON_PLAN=pool timeout 60 "$work/dispatch" $entries | sed -n 's/^dispatch_us \([0-9.]*\) .*/\1/p')
  report "dispatch: to another thread" "${median:-1e9}" 10 us
  [ "${median%.*}" -ge 10 ] && has "dispatch: futex round trips" strace || return
  PARAGON_PLAN=pool timeout 60 strace -f -c -e trace=futex -o "$work/futex" "$work/dispatch" $entries > /dev/null
  report "dispatch: futex round trips an entry" \
    "$(awk -v n=$entries '$NF == "futex" { c = $4 } END { printf "%.2f", c / 2 / n }' "$work/futex")" 2 ""
}

measure_idle ()
{
  local idle
  idle=$(PARAGON_PLAN=pool timeout 60 "$work/dispatch" 200 | sed -n 's/^idle_us //p')
  report "idle: CPU time in 200 ms" "${idle:-1e9}" 500 us must
}

# Build the program $1 both ways and run the two in turn, bench-run taking the options from $5 on; report how field $3
# of its lines compares as $2, against the limit $4.  While RUNS rounds leave it open, RUNS more follow, up to four
# times as many.
compare_both ()
{
  local name=$1 what=$2 field=$3 limit=$4 sources arguments ran median low high verdict=open
  shift 4
  find_program "$name"
  build_program "$name-plain" "$cc" && build_program "$name-plugin" "$cc" -fplugin="$build/paragon.so" ||
    die "$name does not build"
  : > "$work/runs"
  for ((ran = 0; ran < 4 * runs; ran += runs))
  do
    [ "$verdict" = open ] || break
    "$work/run" -r "$runs" -f $ran "$@" plain="exec $(place_of "$name-plain") -t $arguments" \
      plugin="exec $(place_of "$name-plugin") -t $arguments" >> "$work/runs"
    read -r median low high verdict < <("$work/ratio" plugin plain "$field" "$limit" < "$work/runs") ||
      die "$name: a run failed"
  done
  printf '%-36s %10s x    limit %-6s %-5s %s to %s in %d rounds\n' "$what: $name" "$median" "$limit" "$verdict" \
    "$low" "$high" $ran
}

measure_copies ()
{
  local name
  for name in jacobi2d spmv gemm
  do
    compare_both $name "copies: four of" $WALL_FIELD 1.05 -c 4
  done
}

measure_busy ()
{
  local name names
  names=$(program_names)
  [ "$(nproc)" -gt 1 ] || { echo "busy: skipped: one CPU only"; return; }
  for name in $names
  do
    compare_both "$name" "busy" $TOTAL_FIELD 1.10 -p 1
  done
}

echo "load $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) CPUs, $threads threads"
if wanted guard && has guard valgrind
then
  measure_guard
fi
if wanted dispatch || wanted idle
then
  build_dispatch
fi
! wanted dispatch || measure_dispatch
! wanted idle || measure_idle
! wanted copies || measure_copies
! wanted busy || measure_busy
exit $failed
