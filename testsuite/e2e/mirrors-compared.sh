#!/bin/bash
# SPDX-License-Identifier: MIT
#
# PARAGON=compare finds no fault with what a loop leaves in memory and in a register, too: of that, ranges have parts.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > sum.c << END
#include <stdio.h>
static int a[4000];
__attribute__ ((noipa)) int
sum_and_tell (int n, const int *p, int *sum)
{
  for (int i = 0; i < n; i++)
    *sum += p[i];
  return *sum;
}
int
main (void)
{
  int sum = 1;
  for (int i = 0; i < 4000; i++)
    a[i] = i % 77;
  for (int t = 0; t < 50; t++)
    printf ("%d\n", sum_and_tell (4000, a, &sum));
  return 0;
}
END
"$PG_CC" -O2 -fplugin="$PG_BUILD/paragon.so" -fplugin-arg-paragon-threshold=0 sum.c -o sum || fail "does not compile"
PARAGON=compare PARAGON_PLAN=pool PARAGON_THREADS=3 PARAGON_STATS=stats ./sum > out 2> err ||
  fail "status $?: $(cat err)"
[ ! -s err ] || fail "$(cat err)"
[ "$(tail -1 out)" = 7592701 ] || fail "$(tail -1 out)"
grep -q 'L1 pool' stats || fail "$(cat stats)"
exit 0
