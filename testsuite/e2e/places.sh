#!/bin/bash
# SPDX-License-Identifier: MIT
#
# PARAGON_LIST names each loop that may be handed over, once in each process, and before it runs: a program that crashes
# has named it.  PARAGON_ONLY=@FILE and PARAGON_SKIP=@FILE take such a list, or any part of it.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > two.c << 'PROGRAM'
#include <signal.h>
#include <stdio.h>

static unsigned a[3000], b[3000];

__attribute__ ((noipa)) void
triple (int n, const unsigned *x, unsigned *y)
{
  for (int i = 0; i < n; i++)
    y[i] = y[i] * 3 + x[i];
}

__attribute__ ((noipa)) void
add (int n, const unsigned *x, unsigned *y)
{
  for (int i = 0; i < n; i++)
    y[i] += x[i];
}

int
main (int argc, char **argv)
{
  (void) argv;
  for (int k = 0; k < 3; k++)
    {
      triple (3000, a, b);
      add (3000, b, a);
    }
  printf ("%u\n", a[7]);
  return argc > 1 ? raise (SIGKILL) : 0;
}
PROGRAM
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 two.c -o two || exit 1
sed 's/;/\t/' > expected << 'LIST'
two.c:9;triple	possibly
two.c:16;add	possibly
LIST

# The loops that PARAGON_STATS saw on the pool.
on_pool ()
{
  run_with_stats "$@" > /dev/null || fail "status $?: $*"
  grep -oE '"line":[0-9]+|"pool":[0-9]+' stats.json 2> /dev/null |
    awk -F : '/line/ { line = $2 } /pool/ && $2 > 0 { print line }' | sort -n | paste -sd ,
}

PARAGON_LIST=$PWD/list ./two > /dev/null
grep -v ":2[0-9]" list | diff expected - || fail "another list"
PARAGON_LIST=$PWD/list PARAGON_LIMIT=0 ./two > /dev/null
grep -v ":2[0-9]" list | diff expected - || fail "what is left out is listed, too"
PARAGON_LIST=$PWD/crashed ./two crash > /dev/null 2>&1
diff list crashed || fail "a program that crashes has another list"
for k in 1 2 3 4 5 6 7 8
do
  PARAGON_LIST=$PWD/many ./two > /dev/null &
done
wait
for k in 1 2 3 4 5 6 7 8
do
  cat list
done | sort | diff - <(sort many) || fail "processes side by side have other lists"

[ "$(on_pool ./two)" = 9,16 ] || fail "not on the pool: $(cat stats.json)"
head -n 1 list > first
[ "$(PARAGON_ONLY=@first on_pool ./two)" = 9 ] || fail "PARAGON_ONLY=@FILE"
[ "$(PARAGON_SKIP=@first on_pool ./two)" = 16 ] || fail "PARAGON_SKIP=@FILE"
printf 'two.c:16' > bare
[ "$(PARAGON_ONLY=@bare on_pool ./two)" = 16 ] || fail "PARAGON_ONLY=@FILE of names alone, without a newline"
[ "$(PARAGON_ONLY=@none on_pool ./two 2> messages)" = "" ] || fail "a list that is not there lets loops in"
grep -q '^paragon: PARAGON_ONLY=@none: ' messages || fail "a list that is not there is not named: $(cat messages)"
PARAGON_LIST=/nonexistent/list ./two > /dev/null 2> messages || fail "status $?: a list that cannot be written"
[ "$(grep -c '^paragon: PARAGON_LIST=/nonexistent/list: ' messages)" = 1 ] ||
  fail "it is not named once: $(cat messages)"
