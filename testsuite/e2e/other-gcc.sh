#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The other GCC versions that the plugin can be built for, where they are installed with their plugin headers: it builds
# from the same sources, and a program built with it runs in parallel and prints what the plain build prints.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
n_tried=0
read -r -a majors < <(sed -n 's/^GCC_MAJORS := //p' "$PG_ROOT/Makefile")
for major in "${majors[@]}"
do
  [ "$major" != "$gcc_major" ] && [ -f "$("gcc-$major" -print-file-name=plugin 2> /dev/null)/include/gcc-plugin.h" ] &&
    command -v "g++-$major" > /dev/null || continue
  n_tried=$((n_tried + 1))
  MAKEFLAGS='' make -s -j 2 -C "$PG_ROOT" "PLUGIN_GCC=gcc-$major" "BUILD=$PWD/$major" CFLAGS=-O0 CXXFLAGS=-O0 \
    "$PWD/$major/paragon.so" "$PWD/$major/libparagon.so.1" "$PWD/$major/bin/paragon" > log 2>&1 ||
    fail "GCC $major: $(tail -n 30 log)"
  "gcc-$major" -O2 sample.c -o plain || exit 1
  "gcc-$major" -O2 "-fplugin=$PWD/$major/paragon.so" -fplugin-arg-paragon-threshold=0 sample.c -o parallel || exit 1
  run_with_stats ./parallel > got || fail "GCC $major: status $?"
  ./plain | cmp -s got || fail "GCC $major: another answer: $(cat got)"
  [ "$(stat_sum pool stats.json)" -ge 1 ] || fail "GCC $major: nothing ran in parallel: $(cat stats.json)"
  CC='' "$major/bin/paragon" doctor > out
  grep -q "^ok    compiler  gcc-$major is GCC $major\." out || fail "GCC $major: $(cat out)"
done
[ $n_tried -gt 0 ] || skip "no other GCC"
