# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Tests that are models, which spin checks over all runs.  Directives:
#
#     holds: -DN=2, -DN=3     nothing is found with these definitions, and everything that must be possible is seen
#     breaks: WORD text       with -DBREAK_WORD, something is found of which spin says TEXT
#
# A model itself tells what was `not seen:`.

run_model ()
{
  local why wanted='' optimize=-O1
  command -v spin > /dev/null || result SKIP "no spin"
  read_directives "$item_file"
  directives_wrong holds breaks
  [ -z "$why" ] || result ERROR "$why"
  # What is to be found is found soon: to compile takes longer.
  case $item_variant in
    BREAK_*)
      optimize=-O0
      wanted=$(sed -n "s,^${item_variant#BREAK_} ,,p" <<< "${said[breaks]-}")
      [ -n "$wanted" ] || result ERROR "not in the model: $item_variant" ;;
  esac
  repeat="spin -a ${item_variant/#BREAK_/-DBREAK_} $item_file && $PG_CC $optimize -w -DSAFETY pan.c && ./a.out -m20000"
  # shellcheck disable=SC2086
  spin -a ${item_variant/#BREAK_/-DBREAK_} "$item_file" > out 2>&1 && [ -f pan.c ] || result ERROR "spin fails" out
  "$PG_CC" $optimize -w -DSAFETY -o pan pan.c > out 2>&1 || result ERROR "no compiler takes what spin writes" out
  limited 300 ./pan -m20000 > out 2>&1
  ! hung $? || result ERROR "timeout" out
  if [ -n "$wanted" ]
  then
    grep -q "^pan:1: .*$wanted" out && result PASS
    result FAIL "spin does not see: $wanted" out
  fi
  if grep '^pan:1: \|^error: ' out > end || ! grep -q 'errors: 0$' out
  then
    result FAIL "does not hold" end
  fi
  ! grep '^not seen: ' out > end || result FAIL "not all that must be possible is" end
  result PASS
}
