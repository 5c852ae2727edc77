#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The command's help and its manual page have all commands, options and statuses, and bash completes them; what is not a
# command is refused.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
list=$PG_ROOT/runtime/cli/commands.def
[ -x "$paragon" ] || skip "no $paragon"
"$paragon" --help > all || fail "--help: status $?"
n=0
while IFS=$'\t' read -r id name
do
  n=$((n + 1))
  grep -q "^  $name " all || fail "--help lacks $name: $(cat all)"
  "$paragon" "$name" --help > one || fail "$name --help: status $?"
  "$paragon" "$name" -h | diff one - || fail "$name -h is not --help"
  grep -q "^usage: paragon $name " one || fail "$name --help: no usage"
  [ "$(awk '{ print length }' one | sort -n | tail -n 1)" -le 79 ] || fail "$name --help is too wide"
  grep -qF ".SS paragon $name " "$PG_BUILD/paragon.1" || fail "the manual page lacks $name"
  sed -n "s/^PG_COMMAND_OPTION ($id, [A-Z]*, '\(.\)', \"\([a-z]*\)\".*/-\1, --\2/p" "$list" > options
  sed -n "s/^PG_COMMAND_EXIT ($id, \([0-9]*\), .*/\1/p" "$list" > exits
  [ -s exits ] || fail "$name has no exit status"
  while IFS= read -r option
  do
    grep -qF -e "  $option" one || fail "$name --help lacks $option: $(cat one)"
    grep -qF -e ".B ${option//-/\\-}" "$PG_BUILD/paragon.1" || fail "the manual page lacks $option"
  done < options
  while IFS= read -r exit
  do
    grep -qE "^  $exit  " one || fail "$name --help lacks status $exit: $(cat one)"
  done < exits
  "$paragon" "$name" --nonsense > out 2> messages
  [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < messages)" = 1 ] || fail "$name --nonsense: $(cat out messages)"
done < <(sed -n 's/^PG_COMMAND (\([A-Z]*\), \([a-z]*\),.*/\1\t\2/p' "$list")
[ $n -ge 7 ] || fail "only $n commands"

"$paragon" nonsense > out 2> messages
[ $? = 2 ] && [ "$(cat messages)" = "paragon: nonsense: no such command; see paragon --help" ] ||
  fail "it says: $(cat messages)"
"$paragon" > out 2> messages
[ $? = 2 ] && [ ! -s out ] && diff all messages || fail "without arguments it does not help"
version=$(sed -n 's/^#define PG_ABI_VERSION //p' "$PG_ROOT/include/paragon_region.h")
[ "$("$paragon" --version)" = "paragon, for objects of ABI $version" ] || fail "$("$paragon" --version)"
sed -n 's/^PG_VARIABLE ([A-Z]*, "\([A-Z_]*\)".*/\1/p' "$PG_ROOT/include/environment.def" | while IFS= read -r name
do
  grep -q "^\.B $name=" "$PG_BUILD/paragon.1" || fail "the manual page lacks $name"
done || exit 1

# As bash completes what was typed: completes TYPED WANTED...
. "$PG_BUILD/paragon.bash" || fail "no completion"
completes ()
{
  read -ra COMP_WORDS <<< "$1"
  [ "${1% }" = "$1" ] || COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  shift
  _paragon
  [ "${COMPREPLY[*]}" = "$*" ] || fail "${COMP_WORDS[*]}: completed: ${COMPREPLY[*]}"
}
completes 'paragon b' build bisect bench
completes 'paragon cache ' list clear
completes 'paragon cache' cache
completes 'paragon cache c' clear
completes 'paragon bisect --' --help --repeat --verbose
completes 'paragon report --s' --stats
completes 'paragon explain exp'
completes 'paragon run no-such-progr'
completes 'paragon run compg' compgen
grep -q -e '-o default' <(complete -p paragon) || fail "files are not completed: $(complete -p paragon)"

command -v groff > /dev/null || exit 0
complaint=$(groff -man -Tascii -P-cbou -ww "$PG_BUILD/paragon.1" 2>&1 > page)
[ -z "$complaint" ] && grep -q 'paragon bisect' page || fail "groff: $complaint"
