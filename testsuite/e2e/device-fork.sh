#!/bin/bash
# SPDX-License-Identifier: MIT
#
# After a fork, parent and child both have the device without a GPU: the child opens one of its own.  Options of it that
# are not known are named in one line, by the parent, and it is there all the same.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > forked.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static double x[1000], y[1000];
static int at[1000];

__attribute__ ((noinline)) static void
scatter (double *to, const double *from, const int *place, int n)
{
  for (int i = 0; i < n; i++)
    to[place[i]] = from[i] * 2;
}

int
main (void)
{
  int i;
  double sum = 0;
  for (i = 0; i < 1000; i++)
    at[i] = i * 7 % 1000, x[i] = i;
  scatter (y, x, at, 1000);
  int child = fork ();
  x[500] = 4711;
  scatter (y, x, at, 1000);
  for (i = 0; i < 1000; i++)
    sum = sum * 0.9 + y[i];
  if (child > 0)
    wait (NULL);
  printf ("%.17g\n", sum);
  return 0;
}
END
"$PG_CC" -O2 forked.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$PG_BUILD/paragon.so" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir forked.c \
  -o forked || exit 1
./plain > expected || exit 1
PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_STATS=stats.%p.json ./forked > got || exit 1
diff expected got || fail "other sums"
n=0
for file in stats.*.json
do
  [ "$(stat_sum device "$file")" -ge 1 ] || fail "nothing ran on the device of a process: $(cat "$file")"
  n=$((n + 1))
done
[ $n -eq 2 ] || fail "$n processes told what they did, not 2"

PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_EMU=junk PARAGON_STATS=odd.%p.json ./forked > got 2> messages || exit 1
diff expected got || fail "other sums"
[ "$(grep -c . messages)" -eq 1 ] && grep -q 'PARAGON_EMU=junk is not known and ignored' messages ||
  fail "not one line: $(cat messages)"
for file in odd.*.json
do
  [ "$(stat_sum device "$file")" -ge 1 ] || fail "nothing ran on the device: $(cat "$file")"
done
