# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The benchmark programs as tests: built and run as a user does, with the default threshold and plan, at test size.
#
#     program-NAME = SOURCES | ARGUMENTS OF A TEST | ARGUMENTS OF A BENCHMARK       (polybench/programs.mk)

. "$lib/e2e.sh"

# Command lines of the program $1 beside the one in the list: solve reads matrices.
more_arguments ()
{
  case $1 in
    solve) printf '%s\n' data/bcsstk16.mtx data/cryg2500.mtx ;;
  esac
}

# Take from the list what program $1 is built from and its command lines: sets SOURCES and ALL_ARGS.
take_sources ()
{
  local line name
  line=$(sed -n "s/^program-$1 *= *//p" "$PG_ROOT/polybench/programs.mk")
  for name in ${line%%|*}
  do
    sources+=("$PG_ROOT/polybench/$name")
  done
  ln -s "$PG_ROOT/polybench/data" data
  line=${line#*|}
  all_args=$(echo "${line%%|*}"; more_arguments "$1")
}

run_program ()
{
  local why='' scanned='' oracle=plain threshold='' run_plan='' more='' all_args
  local run_threads=1,2,4 run_injects="none, every:100" run_steps=auto
  local stats_clean="entries >= 1" stats_inject='' build_command args
  local -a sources=() opts setting=()
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  read -r -a opts <<< "$item_variant"
  take_sources "$item_file"
  build_both "$PG_CC" "${opts[@]}" "${sources[@]}" -lm
  while IFS= read -r args
  do
    run_all_settings
  done <<< "$all_args"
  result PASS
}
