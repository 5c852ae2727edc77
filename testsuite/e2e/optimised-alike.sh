#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the compiler makes of the original loop, it makes of F: a sum of absolute values is vectorised, as it knows that
# these are not negative, and loops are interchanged, as it knows how often both turn.

set -u

fail ()
{
  echo "optimised-alike: $*" >&2
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
cat > columns.c << 'C'
#define N 256

float a[N][N], b[N][N];

void
columns (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      a[j][i] = a[j - 1][i] + b[j][i];
}
C

# Twice PATTERN in what is said of FILE: of the original and of F.
says_twice ()
{
  "$PG_CC" -O3 -fopt-info-optimized=said "-fplugin=$PG_BUILD/paragon.so" -c "$1" || exit 1
  [ "$(grep -c "$2" said)" = 2 ] || fail "not of both: $2: $(grep "$1" said)"
}

says_twice sums.c '^sums.c:5:.* loop vectorized'
says_twice columns.c '^columns.c:8:.* loops interchanged'
