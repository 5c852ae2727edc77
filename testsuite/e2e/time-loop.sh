#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A loop that is called again and again by a function into which it was inlined: the loop around it is possibly
# parallel, too, and conflicts at once.  It is left alone before its first iteration has run, so that the inner one is
# entered each time.  Where the first iterations of the outer loop do not meet, that one runs.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > time-loop.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
scatter (int n, double *x, const int *at, const double *y)
{
  for (int i = 0; i < n; i++)
    x[at[i]] = x[at[i]] * 0.5 + y[i];
}

int
main (int argc, char **argv)
{
  enum { N = 30000, STEPS = 30 };
  int stride = argc > 1 && strcmp (argv[1], "apart") == 0 ? N : 0;
  double *x = calloc (N * STEPS, sizeof *x), *y = calloc (N, sizeof *y), sum = 0;
  int *at = calloc (N, sizeof *at);
  for (int i = 0; i < N; i++)
    {
      at[i] = (int) (i * 7919L % N);
      y[i] = i % 10;
    }
  for (int k = 0; k < STEPS; k++)
    scatter (N, x + k * stride, at, y);
  for (int i = 0; i < N * STEPS; i++)
    sum += x[i];
  printf ("%.17g\n", sum);
  return 0;
}
END
"$PG_CC" -O2 time-loop.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 time-loop.c -o parallel || exit 1

# The number KEY of the loop at LINE.
number ()
{
  sed -n "s/.*\"line\":$1,.*\"$2\":\([0-9]*\).*/\1/p" stats.json
}

for what in same apart
do
  ./plain $what > expected
  PARAGON_THREADS=2 PARAGON_STATS=stats.json ./parallel $what > got || fail "$what: status $?"
  cmp expected got || fail "$what: another answer"
  case $what in
    same)
      [ "$(number 24 original)" = 1 ] && [ "$(number 8 entries)" = 30 ] || fail "the inner loop: $(cat stats.json)"
      grep -q '"line":24,.*"refused":{"conflict":1}' stats.json || fail "not by conflict: $(cat stats.json)" ;;
    apart)
      [ "$(number 24 original)" = 0 ] && [ -z "$(number 8 entries)" ] || fail "the outer loop: $(cat stats.json)" ;;
  esac
done
exit 0
