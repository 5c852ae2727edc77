#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The report file: units compiled side by side append whole lines, each a JSON object whatever the names in it.

. "$PG_ROOT/testsuite/lib/script.sh"

command -v python3 > /dev/null || skip "no python3"
sample
name=$'odd "name"\\\t\xc3\xa9\xff.c'
cp sample.c "$name" || exit 1
for unit in 1 2 3 4 5 6 7 8
do
  "$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-report=report -c "$name" -o $unit.o &
done
wait
python3 - << 'PYTHON' || fail "$(cat report)"
import json
lines = [json.loads (line) for line in open ("report", encoding="utf-8")]
assert len (lines) % 8 == 0 and lines, len (lines)
assert {line["file"] for line in lines} == {'odd "name"\\\t\u00e9\u00ff.c'}, lines[0]
assert sum (line["function"] == "mix" for line in lines) == 8
mix = next (line for line in lines if line["function"] == "mix")
assert mix["outlined"] and mix["depth"] == 1 and mix["nest"] == [mix["line"]]
assert mix["class"] == "possibly parallel" and mix["reason"] == "pointers"
references = sorted ((ref["base"], ref["access"], ref["len"]) for ref in mix["references"])
assert references == [("x", "read", 4), ("y", "update", 4)], references
PYTHON

# Nothing to say: an empty file, no section.
echo 'int x;' > empty.c
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-report=none -c empty.c || exit 1
[ -f none ] && [ ! -s none ] || fail "the report of a unit without loops is not empty"
grep -q paragon <(readelf -SW empty.o) && fail "a section in an object without loops"
exit 0
