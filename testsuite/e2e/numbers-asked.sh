#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A loop whose numbers told nothing is not asked for them again and again: while there is a verdict about the very same
# numbers, its entries begin with that, and only each seventeenth looks whether the numbers tell more by now.  Verdicts
# stand while nobody writes to pages, where the system can tell.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > many.c << 'END_C'
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ENTRIES = 170 };

__attribute__ ((noipa)) void
scatter (int n, const int *place, double *to)
{
  for (int i = 0; i < n; i++)
    to[place[i]] += i;
}

int
main (void)
{
  double *y = calloc (N, sizeof *y);
  int *at = calloc (N, sizeof *at);
  for (int i = 0; i < N; i++)
    at[i] = (int) (i * 7ll % N);
  for (int e = 0; e < ENTRIES; e++)
    scatter (N, at, y);
  printf ("%.17g %.17g\n", y[1], y[N - 1]);
  return 0;
}
END_C
"$PG_CC" -O2 many.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" many.c -o parallel || exit 1
./plain > want
PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_TRACE=trace.json ./parallel > got || fail "the program fails"
cmp want got || fail "other output"
grep '"scatter"' trace.json > scatter
grep -q '"watched"' scatter || skip "the system does not tell who writes to pages"
n_entries=$(grep -c '"cat": *"entry"' scatter)
n_asked=$(grep '"cat": *"check"' scatter | grep -c '"numbers"')
[ "$n_entries" = 170 ] || fail "$n_entries entries in the trace"
[ "$n_asked" -ge 10 ] && [ "$n_asked" -le 20 ] || fail "the numbers of $n_asked of 170 entries were asked"
