#!/bin/bash
# SPDX-License-Identifier: MIT
#
# CMake and Meson, as they are: what they configure and build under paragon build is compiled with the plugin.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
unset CC CXX FC CFLAGS
sample
printf '%s\n' 'cmake_minimum_required (VERSION 3.10)' 'project (sample C)' 'set (CMAKE_BUILD_TYPE Release)' \
  'add_executable (sample sample.c)' > CMakeLists.txt
printf '%s\n' "project ('sample', 'c', default_options : ['optimization=2'])" "executable ('sample', 'sample.c')" \
  > meson.build
mkdir bin && ln -s "$(command -v "$PG_CC")" bin/cc && ln -s cc bin/gcc || exit 1
export PATH=$PWD/bin:$PATH
"$PG_CC" -O2 sample.c -o plain && ./plain > expected || exit 1

# builds NAME CONFIGURE...: then make, or ninja, in the folder NAME.
builds ()
{
  local name=$1 tool=make
  shift
  "$paragon" build -a threshold=0 -- "$@" > log 2>&1 || fail "$name: $(cat log)"
  [ ! -f "$name/build.ninja" ] || tool=ninja
  "$paragon" build -a threshold=0 -- $tool -C "$name" > log 2>&1 || fail "$name: $(cat log)"
  grep -qE '^paragon: units: 1, loops: 3: .* handed over: 2$' log || fail "$name: $(cat log)"
  run_with_stats "$name/sample" > got || fail "$name: status $?"
  cmp expected got && [ "$(stat_sum pool stats.json)" -ge 1 ] || fail "$name: not in parallel: $(cat stats.json)"
  tried=yes
}

tried=
if command -v cmake > /dev/null && command -v make > /dev/null
then
  builds by-cmake cmake -B by-cmake
fi
if command -v meson > /dev/null && command -v ninja > /dev/null
then
  builds by-meson meson setup by-meson
fi
[ -n "$tried" ] || skip "neither cmake nor meson"
