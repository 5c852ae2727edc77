#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The same input gives the same bytes: objects with regions, compiled twice and in two directories, with the time of day
# and the process numbers between them; and the plugin does not make an object depend on where its report goes.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
compile ()
{
  "$PG_CC" "$1" "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -c sample.c "${@:3}" -o "$2" || exit 1
}

mkdir other
cp sample.c other/
for level in -O1 -O2 -O3 -Os
do
  compile $level one.o
  compile $level two.o
  compile $level three.o -fplugin-arg-paragon-report=report
  (cd other && compile $level four.o)
  cmp one.o two.o && cmp one.o three.o && cmp one.o other/four.o || fail "$level: objects differ"
done
