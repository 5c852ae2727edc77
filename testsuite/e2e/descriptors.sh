#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What an object has of a region is small, is found by however the program is linked, and leaves the dynamic linker one
# address to fill in: F's.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
"$PG_CC" -O2 sample.c -o plain || exit 1
expected=$(./plain)

for flags in '-fPIE -pie' '-fno-pie -no-pie' '-fPIC -pie' -flto -mcmodel=medium -mcmodel=large \
  '-fdata-sections -Wl,--gc-sections'
do
  # shellcheck disable=SC2086
  "$PG_CC" -O2 $flags -x c /dev/null -S -o empty.s 2> /dev/null || continue
  # shellcheck disable=SC2086
  "$PG_CC" -O2 $flags "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o sample || exit 1
  output=$(run_with_stats ./sample) || fail "$flags: status $?: $output"
  [ "$output" = "$expected" ] || fail "$flags: another answer: $output"
  [ "$(stat_sum pool stats.json) $(stat_sum malformed stats.json)" = '2 0' ] || fail "$flags: $(cat stats.json)"
done

"$PG_CC" -O2 -fPIC "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -c sample.c -o sample.o || exit 1
objects=$(readelf -sW sample.o | awk '$8 ~ /^paragon\./ { split ($8, part, "."); n[part[2]]++; len[part[2]] += $3 }
  END { print n["region"], len["region"], n["packed"], (len["packed"] <= 50 * n["packed"]) }')
[ "$objects" = '2 80 2 1' ] || fail "other variables: $(readelf -sW sample.o)"
addresses=$(readelf -rW sample.o | awk '/^Relocation section/ { is_data = /\.rela?\.data[a-z.]*. at/ }
  is_data && $3 ~ /64$/ { n++ } END { print n }')
[ "$addresses" = 2 ] || fail "$addresses addresses: $(readelf -rW sample.o)"
exit 0
