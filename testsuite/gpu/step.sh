#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One step of run.sh, which sets what is used here: step.sh NAME [ARGUMENT...].  LIMIT: the seconds that it has; WORK: a
# folder; FACTS: the file that figures go to, for result.awk; PG_DEVICE: cuda or emu; SHORT: not empty if little is to
# be done.  Exit status 77: left out.  The last line printed is what there is to say.

set -u -o pipefail
cd "$PG_ROOT/polybench" || exit 1
export PARAGON_LIBRARY=$PG_BUILD/libparagon.so.1

programs ()
{
  find "$PG_BUILD/bench" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort
}

# What emu, sanitizers and short runs take of the program $1: builds whose threshold is 0, and arguments.
small_folder ()
{
  echo "$PG_KEPT/$1_-O2"
}

small_arguments ()
{
  sed -n "s/^small-$1 *= *//p" programs.mk
}

# How many entries became $2 on the device, by the statistics $1.
n_offloaded ()
{
  grep -o '"offloaded":{[^}]*}' "$1" 2> /dev/null | grep -oE "\"($2)\":[0-9]+" |
    awk -F : '{ n += $2 } END { print n + 0 }'
}

# Run a command with the arguments $1, words, behind it.
with_arguments ()
{
  local -a words
  read -r -a words <<< "$1"
  shift
  "$@" "${words[@]}"
}

# Its loops may be found to conflict there: kernels ran all the same.
step_gpu ()
{
  local name
  name=$(programs | head -n 1)
  export PARAGON_DEVICE=$PG_DEVICE PARAGON_PLAN=device PARAGON_STATS=$WORK/gpu.json PARAGON_LOG=all
  with_arguments "$(small_arguments "$name")" "$(small_folder "$name")/parallel" || return 1
  [ "$(n_offloaded "$WORK/gpu.json" 'ran|conflict')" -gt 0 ] ||
    { cat "$WORK/gpu.json"; echo "no loop ran there"; return 1; }
  echo "loops of $name ran there"
}

step_unit ()
{
  local tests=unit
  [ -z "$SHORT" ] || tests=unit/test-emu-grids.c
  "$PG_ROOT/testsuite/lib/run.sh" -v $tests
}

step_device ()
{
  local -a items
  mapfile -t items < <(cat "$PG_KEPT"/*/item)
  [ -z "$SHORT" ] || items=("${items[0]}")
  "$PG_ROOT/testsuite/lib/run.sh" -v "${items[@]}"
}

# Run the program $2 under the sanitizer's TOOL $1, its loops mapped as $3: it must print what the plain build prints,
# and nothing is found.
step_sanitized ()
{
  local tool=$1 name=$2 arguments folder own=$WORK/$1-$2-$3
  export PARAGON_DEVICE=cuda PARAGON_PLAN=device PARAGON_STEP=L4 PARAGON_MAP=$3
  arguments=$(small_arguments "$name") folder=$(small_folder "$name")
  with_arguments "$arguments" "$folder/plain" > "$own.expected"
  if with_arguments "$arguments" timeout -k 5 60 compute-sanitizer --tool "$tool" --error-exitcode 9 \
    --log-file "$own.found" "$folder/parallel" > "$own.got" 2> "$own.errors" && cmp -s "$own.expected" "$own.got"
  then
    echo "passed: $name"
    return
  fi
  echo "failed: $name, PARAGON_MAP=$PARAGON_MAP"
  { diff "$own.expected" "$own.got"; cat "$own.found" "$own.errors"; } 2> /dev/null | head -n 40 | sed 's/^/    /'
}

# All programs under TOOL $1, some at a time.
sanitize ()
{
  local tool=$1 name map
  [ "$PG_DEVICE" = cuda ] || { echo "no GPU seen"; return 77; }
  command -v compute-sanitizer > /dev/null || { echo "no compute-sanitizer"; return 77; }
  for name in $(programs)
  do
    for map in auto $(sed -n "s/^mapped-$name *= *//p" programs.mk)
    do
      echo "$name $map"
    done
  done | xargs -n 2 -P "$(nproc)" "$0" sanitized "$tool" > "$WORK/$tool"
  grep -v '^passed: ' "$WORK/$tool"
  echo "$(grep -c '^passed: ' "$WORK/$tool") passed, $(grep -c '^failed: ' "$WORK/$tool") failed"
  grep -q '^passed: ' "$WORK/$tool" && ! grep -q '^failed: ' "$WORK/$tool"
}

step_memcheck ()
{
  sanitize memcheck
}

step_racecheck ()
{
  sanitize racecheck
}

# Note what the device did in the run of program $1 as variant $2 whose trace is $3, if there is one.
note_trace ()
{
  [ -s "$3" ] || return 0
  awk -v run="$1\t$2" '/"ph":"X"/ && /"(blocks|bytes)":/ {
      match ($0, /"cat":"[^"]*"/)
      what = substr ($0, RSTART + 7, RLENGTH - 8)
      n[what]++
      match ($0, /"dur":[0-9.]*/)
      us[what] += substr ($0, RSTART + 6, RLENGTH - 6)
      if (match ($0, /"bytes":[0-9]*/))
        bytes[what] += substr ($0, RSTART + 8, RLENGTH - 8)
    }
    END {
      for (what in n)
        printf "device\t%s\t%s\t%d\t%.9f\t%.0f\n", run, what, n[what], us[what] / 1e6, bytes[what]
    }' "$3" | sort >> "$FACTS"
}

# The variables of a run as $1: on the device, where numbers settle what can conflict, or by a method; or as planned.
on_device ()
{
  case $1 in
    device) echo "PARAGON_DEVICE=$PG_DEVICE PARAGON_PLAN=device" ;;
    device-planned) echo "PARAGON_DEVICE=$PG_DEVICE" ;;
    *) echo "PARAGON_DEVICE=$PG_DEVICE PARAGON_PLAN=device PARAGON_STEP=L4 PARAGON_METHOD=${1#device-}" ;;
  esac
}

# The sum of the numbers behind "$2" in the statistics $1.
n_counted ()
{
  grep -o "\"$2\":[0-9]*" "$1" 2> /dev/null | awk -F : '{ n += $2 } END { printf "%.0f\n", n }'
}

# Note what became of the entries of program $1 as variant $2, by the statistics $3.
note_entries ()
{
  printf 'entries\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n' "$1" "$2" "$(n_offloaded "$3" ran)" "$(n_offloaded "$3" conflict)" \
    "$(n_offloaded "$3" '[a-z-]*')" "$(n_counted "$3" copied_in)" "$(n_counted "$3" copied_out)" >> "$FACTS"
}

# Run commands in $2 rounds as samples of program $1, none of which begins after $3 seconds.
sample ()
{
  local name=$1 rounds=$2 most=$3
  shift 3
  "$PG_BUILD/bench/run" -r "$rounds" -l 10 -b "$most" "$@" | sed "s/^/sample\t$name\t/" >> "$FACTS"
}

# Measure the program $1 in $2 rounds, none of which begins after $3 seconds; also what the device did, in one more run,
# or where a method is asked for, in the only one.
measure_program ()
{
  local name=$1 rounds=$2 most=$3 arguments folder variant run trace=$WORK/trace.json stats
  local -a commands
  arguments=$(small_arguments "$name") folder=$(small_folder "$name")
  if [ "$PG_DEVICE$SHORT" = cuda ]
  then
    arguments=$(sed -n "s/^program-$name *=[^|]*| *\([^|]*[^ |]\) *|.*/\1/p" programs.mk) folder=$PG_BUILD/bench/$name
  fi
  printf 'program\t%s\t%s\n' "$name" "$arguments" >> "$FACTS"
  run="exec '$folder/parallel' -t $arguments"
  commands=("sequential=exec '$folder/plain' -t $arguments" "pool=$run")
  for variant in device device-planned
  do
    commands+=("$variant=$(on_device "$variant") PARAGON_STATS='$WORK/$name-$variant.json' $run")
  done
  sample "$name" "$rounds" "$most" "${commands[@]}"
  for variant in device device-planned $methods
  do
    rm -f "$trace"
    stats=$WORK/$name-$variant.json
    case $variant in
      device | device-planned)
        timeout -k 5 10 sh -c "$(on_device "$variant") PARAGON_TRACE='$trace' $run" > "$WORK/traced" 2>&1 ;;
      *)
        sample "$name" 1 0 "$variant=$(on_device "$variant") PARAGON_TRACE='$trace' PARAGON_STATS='$stats' $run" ;;
    esac
    note_entries "$name" "$variant" "$stats"
    note_trace "$name" "$variant" "$trace"
  done
}

step_measure ()
{
  local name methods="device-unsafe device-full device-selective device-none device-inspector"
  local rounds=3 least=10 n_left
  local -a names
  mapfile -t names < <(programs)
  [ "$PG_DEVICE" = cuda ] || rounds=1 methods="device-unsafe device-selective"
  [ -z "$SHORT" ] || names=("${names[0]}") least=1
  n_left=${#names[@]}
  for name in "${names[@]}"
  do
    [ $((LIMIT - SECONDS)) -ge "$least" ] || break
    measure_program "$name" "$rounds" $(((LIMIT - SECONDS) / n_left / 4))
    n_left=$((n_left - 1))
  done
  awk -F '\t' -v n_left="$n_left" '$1 != "sample" { next }
    $3 == "sequential" { expected[$2] = $11 }
    $5 == "late" { print $2 ", " $3 ": not done in 10 s"; n_late++; next }
    $5 != "ok" || $11 != expected[$2] { print $2 ", " $3 ": " ($5 == "ok" ? "another answer" : $5); n_wrong++ }
    END {
      print n_wrong + 0 " runs failed" (n_late > 0 ? ", " n_late " took too long" : "") \
        (n_left > 0 ? ", no time left for " n_left " programs" : "")
      exit n_wrong > 0
    }' "$FACTS"
}

step=$1
shift
"step_$step" "$@"
