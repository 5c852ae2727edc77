#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Run tests: run.sh [-v] [-l] [-t] [-j JOBS] [KIND | FILE]...     -l: only list them, as the last word of `repeat:` does
#                                                                 -t: tell which took longest
#
# Kinds, each found by glob, none listed anywhere:
#
#     unit       testsuite/unit/test-*.c     built by the Makefile against build/libparagon.a; passes if it exits 0
#     dump       testsuite/dump/*            compile only; scans the report, the remarks or our dump
#     e2e, host  testsuite/{e2e,host}/*      compile plain and with the plugin, run both, compare; *.sh: exit 0
#     programs   polybench/programs.mk       the benchmark programs, compared the same way
#     kir        those of e2e and programs   their kernels, interpreted, against their plain build (kir.sh)
#     device     those of e2e and programs   the same on a device without a GPU (device.sh)
#     model      testsuite/model/*.pml       protocols, checked by spin; wrong ones, which it must see (model.sh)
#     fuzz       testsuite/fuzz/drive.c      a few random programs
#     fuzz-kir   testsuite/fuzz-kir/main.c   a few hundred random kernels
#
# A FILE may carry a variant after a colon, as the line `repeat:` of a failure shows it: e2e/saxpy.c:-O2.
# One item of work is one test in one variant; items run in parallel, each in its own directory, and give one result
# each.  The directives that tests carry stand in dump.sh and e2e.sh.  The last line is `N passed, N failed`.

set -u -o pipefail
lib=$(cd "$(dirname "$0")" && pwd) || exit 1
: "${PG_ROOT:=$(cd "$lib/../.." && pwd)}"
export PG_ROOT
. "$lib/common.sh"
. "$lib/variants.sh"

# Tests see this build and its defaults only.
for name in ${!PARAGON*} ${!OMP_*} ${!GOMP_*}
do
  unset "$name"
done
export LC_ALL=C

# Print one line `KIND<tab>FILE<tab>VARIANT` for each item of kind $1 or, with a second argument, of that file only.
items_of_kind ()
{
  local kind=$1 only=${2-} file variant
  case $kind in
    unit)
      for file in "$PG_ROOT"/testsuite/unit/test-*.c
      do
        [ ! -f "$file" ] || printf 'unit\t%s\t\n' "$file"
      done ;;
    programs)
      program_items ;;
    kir | device)
      for file in "$PG_ROOT"/testsuite/e2e/*.{c,cc,f90}
      do
        read_directives "$file"
        [ "${said[plain]-}" != no ] || continue
        list_items "${said[kernels]--O2}" | if [ "$kind" = device ]; then head -n 1; else cat; fi |
          sed "s,^,$kind\t${file##*/}\t,"
      done
      program_items | awk -F '\t' -v kind="$kind" '!seen[$2]++ { print kind "\t" $2 "\t-O2" }' ;;
    fuzz)
      [ ! -f "$PG_ROOT/testsuite/fuzz/drive.c" ] || printf 'fuzz\t%s\t\n' "$PG_ROOT/testsuite/fuzz/drive.c" ;;
    fuzz-kir)
      [ ! -f "$PG_ROOT/testsuite/fuzz-kir/main.c" ] ||
        printf 'fuzz-kir\t%s\t\n' "$PG_ROOT/testsuite/fuzz-kir/main.c" ;;
    model)
      for file in "$PG_ROOT"/testsuite/model/*.pml
      do
        [ -z "$only" ] || [ "$only" = "$file" ] || continue
        read_directives "$file"
        list_items "${said[holds]-}" | sed "s,^,model\t$file\t,"
        printf '%s\n' "${said[breaks]-}" | sed "s,^\([A-Z_]*\) .*,model\t$file\tBREAK_\1,"
      done ;;
    dump | e2e | host)
      for file in "$PG_ROOT/testsuite/$kind"/*
      do
        [ -f "$file" ] || continue
        [ -z "$only" ] || [ "$only" = "$file" ] || continue
        case $file in
          *.sh)
            printf 'script\t%s\t\n' "$file" ;;
          *.c | *.cc | *.f90)
            variants_of "$file" "$kind" | while IFS= read -r variant
            do
              printf '%s\t%s\t%s\n' "${kind/host/e2e}" "$file" "$variant"
            done ;;
        esac
      done ;;
    *)
      return 1 ;;
  esac
}

# The items that the command line's word $1 means.
items_of_word ()
{
  local file kind variant=""
  case $1 in
    unit | dump | e2e | host | programs | kir | device | model | fuzz | fuzz-kir)
      items_of_kind "$1"
      return ;;
    kir/* | device/*)
      items_of_kind "${1%%/*}" | awk -F '\t' -v name="${1#*/}" '$2 == name || $2 ":" $3 == name'
      return ;;
    programs/*)
      program_items | awk -F '\t' -v name="${1#programs/}" '$2 == name || $2 ":" $3 == name'
      return ;;
    *:*)
      variant=${1#*:} ;;
  esac
  file=${1%%:*}
  [ -f "$file" ] || file=$PG_ROOT/testsuite/$file
  [ -f "$file" ] || file=$PG_ROOT/${1%%:*}
  if [ ! -f "$file" ]
  then
    echo "run.sh: no test or kind \"$1\"" >&2
    return 1
  fi
  file=$(cd "$(dirname "$file")" && pwd)/${file##*/}
  kind=$(basename "$(dirname "$file")")
  case $kind in
    unit | dump | e2e | host | model | fuzz | fuzz-kir) ;;
    *) return 1 ;;
  esac
  items_of_kind "$kind" "$file" | awk -F '\t' -v file="$file" -v variant="$variant" \
    '$2 == file && (variant == "" || $3 == variant)'
}

verbose=0 only_list=0 tell_times=0
jobs=$((($(nproc) * 3 + 1) / 2)) # tests wait, too
while getopts vltj: option
do
  case $option in
    v) verbose=1 ;;
    l) only_list=1 ;;
    t) tell_times=1 ;;
    j) jobs=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
# Those that take long come first, lest one of them ends alone.
[ $# -gt 0 ] || set -- fuzz fuzz-kir device programs host e2e kir dump unit model

log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.items" "$log.times"' EXIT
: > "$log.items"

for word
do
  n_before=$(grep -c . "$log.items")
  items_of_word "$word" >> "$log.items" || exit 2
  if [ "$word" = "${word%%[/.]*}" ] || [ "$(grep -c . "$log.items")" != "$n_before" ]
  then
    continue
  fi
  echo "run.sh: no test \"$word\"" >&2
  exit 2
done

if [ $only_list = 1 ]
then
  while IFS=$'\t' read -r item_kind file variant
  do
    test_name "$file" "$variant"
    echo
  done < "$log.items"
  exit 0
fi

[ $tell_times = 0 ] || export PG_TIMES=$log.times

# A result line reaches the log in one write; the lines indented under it tell more.
xargs -d '\n' -a "$log.items" -r -n 1 -P "$jobs" "$lib/one.sh" < /dev/null | tee "$log" |
  if [ $verbose = 1 ]
  then
    cat
  else
    grep -a --line-buffered -v '^PASS: '
  fi

count ()
{
  grep -acE "^($1): " "$log"
}

n_items=$(grep -c . "$log.items")
n_results=$(count 'PASS|FAIL|SKIP|XFAIL|XPASS|ERROR')
if [ "$n_items" != "$n_results" ]
then
  echo "ERROR: run.sh: $n_items tests and $n_results results" | tee -a "$log"
fi
[ $tell_times = 0 ] || sort -rn "$log.times" | head -n 40
n_passed=$(count PASS)
n_failed=$(count 'FAIL|XPASS|ERROR')
n_skipped=$(count SKIP)
n_expected=$(count XFAIL)
more=
[ "$n_skipped" = 0 ] || more="$more, $n_skipped skipped"
[ "$n_expected" = 0 ] || more="$more, $n_expected expected to fail"
echo "$n_passed passed, $n_failed failed$more"
[ "$n_failed" = 0 ] && [ "$n_passed" != 0 ]
