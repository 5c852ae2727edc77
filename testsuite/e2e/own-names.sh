#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program with a function that is called like one that the runtime calls keeps its original loops; who asks for the
# log, or for statistics on stderr, is told which function it is.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
echo 'int read (int x) { return x; }' >> sample.c

"$PG_CC" -O2 -fno-builtin sample.c -o plain || exit 1
"$PG_CC" -O2 -fno-builtin -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o parallel || exit 1
expected=$(./plain)
export PARAGON_LIBRARY=$library

[ "$(./parallel 2>&1)" = "$expected" ] || fail "another answer, or a word that nobody asked for: $(./parallel 2>&1)"
for variable in PARAGON_LOG=enter PARAGON_STATS=1
do
  [ "$(env $variable ./parallel 2> said)" = "$expected" ] || fail "$variable: another answer"
  grep -q "^paragon: .* function \`read' of its own" said || fail "$variable: $(cat said)"
done
exit 0
