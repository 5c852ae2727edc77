#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Verdicts stand in a section of the object that is not loaded: the same lines as in the report.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-report=report -c sample.c -o sample.o || exit 1
[ -s report ] || fail "no report"
grep -q '\.paragon\.verdicts' <(readelf -SW sample.o) || fail "no section .paragon.verdicts"
flags=$(readelf -SW sample.o | sed -n 's/.*\.paragon\.verdicts *[A-Z]* *\([0-9a-f]* *\)\{4\}//p')
case ${flags%% [0-9]*} in
  *A*) fail "it is loaded" ;;
esac
objcopy -O binary --only-section=.paragon.verdicts --set-section-flags .paragon.verdicts=alloc sample.o section ||
  exit 1
tr -d '\0' < section | diff report - || fail "the section and the report differ"
