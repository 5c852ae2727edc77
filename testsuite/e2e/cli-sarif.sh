#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon report -o FILE.sarif: loops as SARIF 2.1.0, for editors and CI.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
command -v python3 > /dev/null || skip "no python3"
mkdir 'a folder'
cat > 'a folder/sum%.c' << 'END'
void
add (int n, float *restrict x, const float *restrict y)
{
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}

float
sum (int n, const float *x)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
END
"$PG_CC" -O2 "-fplugin=$plugin" -c 'a folder/sum%.c' -o relative.o || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -c "$PWD/a folder/sum%.c" -o whole.o || exit 1
cat > look.py << 'END'
import json, sys
log = json.load (open (sys.argv[1]))
assert log["version"] == "2.1.0" and log["$schema"].endswith ("sarif-2.1.0.json"), log
run, = log["runs"]
rules = {r["id"]: r for r in run["tool"]["driver"]["rules"]}
assert len (rules) == len (run["tool"]["driver"]["rules"]) and run["tool"]["driver"]["name"] == "Paragon"
assert rules["fp-order"]["help"]["text"] == "allow with -fassociative-math", rules["fp-order"]
add, sum = run["results"]
for result in add, sum:
    assert result["ruleId"] in rules
    place, = (l["physicalLocation"] for l in result["locations"])
    assert place["artifactLocation"]["uri"] == sys.argv[2], place
assert (add["kind"], add["level"]) == ("pass", "none") and add["message"]["text"].startswith ("add: parallel: "), add
assert (sum["kind"], sum["level"], sum["ruleId"]) == ("fail", "note", "fp-order"), sum
assert sum["message"]["text"].endswith ("; allow with -fassociative-math"), sum
assert sum["locations"][0]["physicalLocation"]["region"]["startLine"] == 12, sum
assert sum["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 13, sum
END
"$paragon" report -o loops.sarif relative.o > out 2>&1 || fail "$(cat out)"
[ "$(cat out)" = 'loops.sarif: loops: 2' ] || fail "$(cat out)"
python3 look.py loops.sarif 'a%20folder/sum%25.c' || fail "$(cat loops.sarif)"
"$paragon" report -o whole.sarif whole.o > out 2>&1 || fail "$(cat out)"
python3 look.py whole.sarif "file://$PWD/a%20folder/sum%25.c" || fail "$(cat whole.sarif)"
"$paragon" report -o none/loops.sarif relative.o > out 2>&1
[ $? = 2 ] && [ "$(cat out)" = 'paragon: none/loops.sarif: No such file or directory' ] || fail "$(cat out)"
exit 0
