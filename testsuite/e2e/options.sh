#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Options: an unknown one, or a value that means nothing, is an error that names it and lists the valid ones.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
for option in threshhold=3 threshold=many
do
  "$PG_CC" -O2 "-fplugin=$plugin" "-fplugin-arg-paragon-$option" -c sample.c -o sample.o 2> messages &&
    fail "$option is accepted"
  grep -q "${option%%=*}" messages || fail "$option: not named: $(cat messages)"
done
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-nonsense -c sample.c -o sample.o 2> messages
sed -n 's/^PG_OPTION ([A-Z]*, "\([a-z]*\)".*/\1/p' "$PG_ROOT/include/options.def" > names
while IFS= read -r name
do
  grep -q "$name" messages || fail "the list of options lacks $name: $(cat messages)"
done < names
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-report=/nonexistent/report -c sample.c -o sample.o 2> messages &&
  fail "a report that cannot be written is no error"
grep -q /nonexistent/report messages || fail "report: not named: $(cat messages)"
