#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Run one item of work, `KIND<tab>FILE<tab>VARIANT`, in a directory of its own, and print its result; run.sh names this
# file by its whole path.

set -u -o pipefail
lib=${0%/*}
. "$lib/common.sh"

IFS=$'\t' read -r item_kind item_file item_variant <<< "$1"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"; tell_time' EXIT
cd "$work" || exit 1
export TMPDIR=$work

# Add to the file PG_TIMES, if there is one, how long the item took.
# shellcheck disable=SC2317
tell_time ()
{
  [ -z "${PG_TIMES-}" ] ||
    printf '%6d s  %s %s\n' "$SECONDS" "$item_kind" "$(test_name "$item_file" "$item_variant")" >> "$PG_TIMES"
}

# Run a command with a time limit.  The commands of a test are short: a limit that strikes is a hang.
limited ()
{
  timeout -k 5 "$@"
}

hung ()
{
  [ "$1" = 124 ] || [ "$1" = 137 ]
}

run_unit ()
{
  local test run=()
  test=$PG_BUILD/unit/$(basename "$item_file" .c)
  [ -x "$test" ] || result ERROR "not built: $test"
  # The thread sanitizer of this GCC needs the address space layout of old.
  case $PG_BUILD in
    *-thread) run=(setarch -R) ;;
  esac
  repeat=$test
  limited 300 "${run[@]}" "$test" >> out 2>&1
  case $? in
    0) result PASS ;;
    77) result SKIP "$(tail -n 1 out)" ;;
    124 | 137) result ERROR "timeout" out ;;
    *)
      tail -n 30 out > end
      result FAIL "exit status not 0" end ;;
  esac
}

run_script ()
{
  limited 300 "$item_file" >> out 2>&1 < /dev/null
  case $? in
    0) result PASS ;;
    77) result SKIP "$(tail -n 1 out)" ;;
    124 | 137) result ERROR "timeout" out ;;
    *) result FAIL "exit status not 0" out ;;
  esac
}

run_fuzz ()
{
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  limited 120 "$PG_ROOT/testsuite/fuzz/check-driver.sh" "$PG_BUILD/fuzz/drive" > out 2>&1 ||
    result FAIL "the driver does not find planted failures" out
  limited 550 "$PG_BUILD/fuzz/drive" --plugin "$PG_BUILD/paragon.so" --library "$PG_BUILD/libparagon.so.1" -n 40 \
    --keep "$work/keep" > out 2>&1
  case $? in
    0) result PASS ;;
    124 | 137) result ERROR "timeout" out ;;
    *) result FAIL "exit status not 0" out ;;
  esac
}

run_fuzz_kir ()
{
  limited 400 "$PG_ROOT/testsuite/fuzz-kir/check-driver.sh" "$PG_BUILD/fuzz-kir/fuzz-kir" > out 2>&1 ||
    result FAIL "the fuzzer does not find planted failures" out
  limited 300 "$PG_BUILD/fuzz-kir/fuzz-kir" -n 200 --keep "$work/keep" > out 2>&1
  case $? in
    0) result PASS ;;
    124 | 137) result ERROR "timeout" out ;;
    *) result FAIL "exit status not 0" out ;;
  esac
}

case $item_kind in
  unit) run_unit ;;
  script) run_script ;;
  fuzz) run_fuzz ;;
  fuzz-kir) run_fuzz_kir ;;
  dump)
    . "$lib/dump.sh"
    run_dump ;;
  e2e)
    . "$lib/e2e.sh"
    run_e2e ;;
  kir)
    . "$lib/kir.sh"
    run_kir ;;
  device)
    . "$lib/device.sh"
    run_device ;;
  model)
    . "$lib/model.sh"
    run_model ;;
  programs)
    . "$lib/programs.sh"
    run_program ;;
esac
result ERROR "no result"
