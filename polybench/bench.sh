#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Measure every program of programs.mk: built sequentially, with the plugin, with unsafe OpenMP, with GCC's own
# auto-parallelizer and with Polly.  Prints a table and writes polybench/results/bench.json.
#
#     [RUNS=N] [ONLY=PROGRAM,...] [THREADS=N] [SIZE=test|bench] [FLAGS=...] [RESULT=FILE] polybench/bench.sh
#
# FLAGS are the same for all builds.  Builds run in turn (bench-run.c), each in several places (bench-common.sh);
# figures are medians and ratios of runs of the same round (bench-stat.c).  While RUNS rounds leave a limit open, RUNS
# more follow, up to four times as many, without the builds that have no limit.  If all that is open then is what first
# entries take, eight times RUNS short rounds follow (programs.mk: first-NAME), of which nothing else is taken.  Ended
# by a signal, it prints the table of what it has measured, and leaves the file as it was.  Exit status 1: that, or an
# answer of Paragon's build is not that of the sequential one.

set -u -o pipefail
. "$(dirname "$0")/bench-common.sh"
clang=${PG_CLANG:-clang-14}
result=${RESULT:-$root/polybench/results/bench.json}
gathered=$work/gathered

put ()
{
  local IFS=$'\t'
  printf '%s\n' "$*" >> "$gathered"
}

build_tool stat bench-stat.c ../runtime/cli/ratio.c

# Print why this machine has no Polly, or nothing.
polly_missing ()
{
  command -v "$clang" > /dev/null || { echo "no $clang"; return; }
  echo 'int main (void) { return 0; }' > "$work/empty.c"
  "$clang" -O3 -mllvm -polly -mllvm -polly-parallel "$work/empty.c" -o "$work/empty" -lgomp 2> /dev/null ||
    echo "$clang has no Polly, or there is no libgomp for it"
}

put fact machine "$(sed -n 's/^model name[^:]*: *//p;T;q' /proc/cpuinfo), $(nproc) CPUs, Linux $(uname -r)"
put fact date "$(date -u +%Y-%m-%dT%H:%MZ)"
put fact command "RUNS=$runs THREADS=$threads SIZE=$size FLAGS='$flags' ONLY='${ONLY-}' make bench"
put fact gcc "$("$cc" -dumpfullversion)"
put fact load "$(cut -d ' ' -f 1-3 /proc/loadavg) when it began"
variants="sequential paragon openmp autopar polly"
polly=$(polly_missing)
[ -z "$polly" ] || { put missing polly "$polly"; variants="sequential paragon openmp autopar"; }

# Build VARIANT $1 of the program $name from $sources.
build_variant ()
{
  local output=$name-$1
  case $1 in
    sequential) build_program "$output" "$cc" ;;
    paragon) build_program "$output" "$cc" -fplugin="$build/paragon.so" \
      -fplugin-arg-paragon-report="$work/$name.report" ;;
    openmp) build_program "$output" "$cc" -fopenmp ;;
    autopar) build_program "$output" "$cc" -ftree-parallelize-loops="$threads" ;;
    polly) build_program "$output" "$clang" -mllvm -polly -mllvm -polly-parallel -lgomp ;;
  esac > "$work/$output.log" 2>&1
}

# The limits of the program $name that are open, each behind a blank.
open_limits ()
{
  "$work/stat" --open < "$gathered" | sed -n "s/^$name\\( \\|\$\\)/ /p"
}

measure ()
{
  local name=$1 sources arguments variant ran first
  local -a commands=() compared=()
  find_program "$name"
  for variant in $variants
  do
    if build_variant "$variant"
    then
      commands+=("$variant=exec $(place_of "$name-$variant") -t $arguments")
      [[ $variant = @(autopar|polly) ]] || compared+=("${commands[-1]}")
    else
      echo "bench: $name: $variant does not build: $(head -n 1 "$work/$name-$variant.log")" >&2
      put sample "$name" "$variant" 0 no-build 0 0 - - - -
    fi
  done
  # shellcheck disable=SC2086
  PARAGON_STATS=$work/$name.json timeout 120 "$work/$name-paragon-0" $arguments > /dev/null
  touch "$work/$name.report" "$work/$name.json"
  main_loops > "$work/$name.loops"
  put program "$name" "${sources%%/*}" "$(awk -f bench-json.awk -f bench-facts.awk \
    "$work/$name.loops" "$work/$name.report" "$work/$name.json")"
  echo "bench: $name" >&2
  run_rounds 0 "${commands[@]}"
  for ((ran = runs; ran < 4 * runs; ran += runs))
  do
    [ -n "$(open_limits)" ] || return 0
    run_rounds "$ran" "${compared[@]}"
  done
  first=$(sed -n "s/^first-$name *= *//p" programs.mk)
  if [ "$size $(open_limits)" = "bench  first" ] && [ -n "$first" ]
  then
    measure_first "$ran" "$first"
  fi
}

# run_rounds FIRST COMMANDS...: RUNS rounds of the program $name.
run_rounds ()
{
  local first=$1
  shift
  "$work/run" -r "$runs" -f "$first" "$@" | sed -u "s/^/sample\t$name\t/" >> "$gathered"
}

# measure_first FIRST ARGUMENTS: first entries of the program $name in short rounds, as it takes the ARGUMENTS.
measure_first ()
{
  local variant runs=$((8 * runs))
  local -a commands=()
  for variant in sequential paragon
  do
    commands+=("$variant=exec $(place_of "$name-$variant") -t $2")
  done
  "$work/run" -r "$runs" -f "$1" "${commands[@]}" |
    awk -F '\t' -v OFS='\t' -v name="$name" '{ $6 = $8 = $9 = "-"; print "sample", name, $0 }' >> "$gathered"
}

ended_early ()
{
  echo "bench: ended by a signal, $result is as it was" >&2
  "$work/stat" /dev/null < "$gathered"
  exit 1
}

trap ended_early HUP INT TERM
names=$(program_names)
for program in $names
do
  measure "$program"
done
mkdir -p "$(dirname "$result")"
"$work/stat" "$result" < "$gathered"
