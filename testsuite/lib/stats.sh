# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Statistics of a run, for tests of all kinds.

# The sum over regions of key $1 in the JSON statistics $2.
stat_sum ()
{
  local text='' n=0 pattern="\"$1\": *([0-9]+)(.*)"
  [ ! -f "$2" ] || IFS= read -r -d '' text < "$2"
  while [[ $text =~ $pattern ]]
  do
    n=$((n + BASH_REMATCH[1]))
    text=${BASH_REMATCH[2]}
  done
  echo $n
}
