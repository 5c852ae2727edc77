#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon bench: a program is run in pairs, and told how they compare; one that fails, or says something else with
# Paragon, is named.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
sample
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o sample || exit 1

# bench STATUS OPTIONS...: paragon bench ends with STATUS; its stdout is in out, its stderr in messages.
bench ()
{
  local status=$1
  shift
  "$paragon" bench "$@" > out 2> messages < /dev/null
  [ $? = "$status" ] || fail "bench $*: another status: $(cat out messages)"
}

bench 0 -n 5 ./sample
grep -qxE 'original loops  [0-9]+\.[0-9]{3} s' out && grep -qxE 'Paragon         [0-9]+\.[0-9]{3} s' out &&
  grep -qE '^[0-9.]+ times as fast, 95 % interval [0-9.]+ to [0-9.]+(: no .* shown)? \(5 pairs' out &&
  [ "$(wc -l < out)" = 3 ] && [ ! -s messages ] || fail "$(cat out messages)"
bench 0 --pairs=2 -- ./sample
grep -qE '^[0-9.]+ times as fast \(2 pairs' out || fail "$(cat out)"

# Both ways in turn, each first every other time; the first pair is not counted.
cat > turns << 'END'
#!/bin/sh
echo "$PARAGON" >> turns.log
END
chmod +x turns
bench 0 -n 3 ./turns
[ "$(tr '\n' ' ' < turns.log)" = 'off on on off off on on off ' ] || fail "turns: $(cat turns.log)"

printf '#!/bin/sh\necho "$PARAGON"\n' > differs
printf '#!/bin/sh\necho said >&2\n[ "$PARAGON" = off ]\n' > fails
printf '#!/bin/sh\nkill -SEGV $$\n' > dies
chmod +x differs fails dies
bench 1 ./differs
grep -q 'differs writes something else with Paragon than without' messages && [ ! -s out ] || fail "$(cat messages)"
bench 1 ./fails
[ "$(cat messages)" = 'paragon: ./fails ends with status 1 with Paragon; --verbose shows what it says' ] ||
  fail "$(cat messages)"
bench 1 -v ./fails
grep -qx said messages || fail "$(cat messages)"
bench 1 ./dies
grep -q 'dies ends with signal 11 without Paragon' messages || fail "$(cat messages)"
bench 127 ./none
bench 126 ./sample.c
for wrong in '-n 0 ls' '-n x ls' '-n 1001 ls' '' '--what ls'
do
  # shellcheck disable=SC2086
  bench 2 $wrong
  [ "$(wc -l < messages)" = 1 ] && [ ! -s out ] || fail "$wrong: $(cat messages)"
done

# What is computed of times.
cat > ratio-main.c << 'END'
#include "ratio.h"
#include <stdio.h>
int
main (void)
{
  double a[] = { 2, 4, 6, 8 }, b[] = { 1, 2, 3, 4 }, c[] = { 1, 1, 1, 1 }, odd[] = { 5, 1, 3 };
  struct pg_ratio same = pg_ratio_of (a, b, 4), spread = pg_ratio_of (a, c, 4);
  printf ("%g %g %g\n", same.median, same.low, same.high);
  printf ("%g %d %d\n", spread.median, spread.low >= 2 && spread.low <= 4, spread.high <= 8 && spread.high >= 6);
  printf ("%g\n", pg_median (odd, 3));
  return 0;
}
END
"$PG_CC" -I"$PG_ROOT/runtime/cli" ratio-main.c "$PG_ROOT/runtime/cli/ratio.c" -o ratio || exit 1
[ "$(./ratio | tr '\n' ';')" = '2 2 2;5 1 1;3;' ] || fail "ratios: $(./ratio)"
exit 0
