#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Regions in a library that a program loads, from the library's constructor on, unloads, and loads again: the program is
# not built with the plugin, the library is.  Statistics at the end know regions of libraries that are gone.

. "$PG_ROOT/testsuite/lib/script.sh"
parts=$PG_ROOT/testsuite/host/parts
"$PG_CC" -O2 "$parts/load.c" -o load || exit 1

# Build libraries a.so and b.so with the options given.
build ()
{
  local name
  for name in a b
  do
    "$PG_CC" -O2 -fPIC -shared "$@" "$parts/library.c" -o $name.so || exit 1
  done
}

for options in '' '-flto' '-Wl,-z,now' '-fno-plt -Wl,-Bsymbolic' '-ffunction-sections -Wl,--gc-sections -s'
do
  read -r -a more <<< "$options"
  build "${more[@]}"
  expected=$(./load 5 ./a.so ./b.so) || fail "the plain libraries do not work: $options: $expected"
  build "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "${more[@]}"
  got=$(run_with_stats timeout -k 5 20 ./load 5 ./a.so ./b.so 2>&1) || fail "status $?: $options: $got"
  [ "$got" = "$expected" ] || fail "another answer: $options: $got"
  [ "$(stat_sum pool stats.json)" -ge 6 ] || fail "nothing ran on the pool: $options"
  got=$(PARAGON=off timeout -k 5 20 ./load 5 ./a.so ./b.so 2>&1) || fail "off: status $?: $options: $got"
  [ "$got" = "$expected" ] || fail "off: another answer: $options: $got"
  got=$(PARAGON_STATS=1 PARAGON_PLAN=pool timeout -k 5 20 ./load 5 ./a.so ./b.so 2> table) || fail "table: status $?"
  [ "$got" = "$expected" ] || fail "another answer with statistics on stderr: $options: $got"
  grep -q 'host\.h:[0-9]* mix' table || fail "the regions of unloaded libraries are not in the table: $(cat table)"
done

# Loading and unloading for ever does not grow: states are found again.
PARAGON_PLAN=pool PARAGON_THREADS=2 timeout -k 5 60 ./load 300 ./a.so ./b.so > out || fail "300 rounds: status $?"
