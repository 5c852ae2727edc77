# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Kernels against loops: each e2e program and each benchmark program, built with -fplugin-arg-paragon-kir, runs with a
# runtime that interprets the kernels of its loops (testsuite/kir/interpret-library.c), and must print what the plain
# build prints.  At least one kernel must be interpreted.
#
#     //! kernels: LIST           variants, as in opts; default: -O2
#
# PG_KIR_FLAGS: compiler options instead of them; then any number of kernels will do.

. "$lib/programs.sh"

# Sets what build_both takes, from the e2e test in $item_file.
take_e2e ()
{
  item_file=$PG_ROOT/testsuite/e2e/$item_file
  read_directives "$item_file"
  read_build
  all_args=$(list_items "${said[args]-}")
}

# The same from the benchmark program $item_file.
take_program ()
{
  take_sources "$item_file"
  compiler=$PG_CC
  link=(-lm)
}

# Run one command line with the kernels interpreted; adds to INTERPRETED.
run_interpreted ()
{
  local n
  local -a arguments
  read -r -a arguments <<< "$args"
  setting=()
  attempt expected ./plain "${arguments[@]}"
  setting=(PARAGON_LIBRARY="$PG_BUILD/libparagon-interpret.so.1")
  attempt got ./parallel "${arguments[@]}"
  n=$(sed -n 's/^interpreted: \([0-9]*\) .*/\1/p' got/stderr | head -n 1)
  interpreted=$((interpreted + ${n:-0}))
  sed -i '/^interpreted: /d' got/stderr
  diff -r expected got > difference || fail_differs
}

run_kir ()
{
  local compiler why='' oracle=plain threshold=-fplugin-arg-paragon-threshold=0 build_command args all_args
  local name=$item_file interpreted=0 more=-fplugin-arg-paragon-kir
  local -a flags=() link=() sources=() opts setting=()
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  [ -f "$PG_BUILD/libparagon-interpret.so.1" ] || result SKIP "no $PG_BUILD/libparagon-interpret.so.1"
  case $item_file in
    *.*) take_e2e ;;
    *) take_program ;;
  esac
  command -v "$compiler" > /dev/null || result SKIP "no $compiler"
  read -r -a opts <<< "${PG_KIR_FLAGS:-$item_variant}"
  build_both "$compiler" "${opts[@]}" "${flags[@]}" "${sources[@]}" "${link[@]}"
  while IFS= read -r args
  do
    run_interpreted
  done <<< "$all_args"
  item_file=$name
  [ -n "${PG_KIR_FLAGS-}" ] || [ $interpreted -gt 0 ] || result FAIL "no kernel is interpreted" report
  result PASS
}
