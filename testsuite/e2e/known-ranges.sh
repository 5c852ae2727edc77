#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the compiler knows about a loop's integers, F knows as well: a sum of absolute values is vectorised in both.

set -u

fail ()
{
  echo "known-ranges: $*" >&2
  exit 1
}

cat > sums.c << 'C'
unsigned long
sums (int n, const int *x, unsigned long *differences)
{
  unsigned long first = 0, second = 0;
  for (int i = 2; i < n; i++)
    {
      int d = x[i] - x[i - 1], dd = d - x[i - 1] + x[i - 2];
      first += (unsigned) (d < 0 ? -d : d);
      second += (unsigned) (dd < 0 ? -dd : dd);
    }
  *differences = second;
  return first;
}
C
"$PG_CC" -O3 -fopt-info-vec "-fplugin=$PG_BUILD/paragon.so" -c sums.c 2> both || exit 1
[ "$(grep -c 'sums.c:5:.* loop vectorized' both)" = 2 ] || fail "F is not vectorised: $(cat both)"
