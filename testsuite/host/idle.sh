#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program in which nothing pays has no thread more than its plain build, and one whose pool sleeps uses no CPU.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > idle.c << 'IDLE'
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
  LARGE_N = 1 << 21
};

static unsigned x[LARGE_N], y[LARGE_N];

__attribute__ ((noipa)) static void
mix (int n, const unsigned *from, unsigned *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = to[i] * 3 + from[i];
}

static int
n_tasks (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  int n = 0;

  while (readdir (tasks) != NULL)
    n++;
  closedir (tasks);
  return n - 2;
}

int
main (int argc, char **argv)
{
  int large = argc > 1 && strcmp (argv[1], "large") == 0;
  clock_t start;
  int i;

  for (i = 0; i < 2000; i++)
    mix (100, x, y);
  for (i = 0; large && i < 20; i++)
    mix (LARGE_N, x, y);
  printf ("%d threads\n", n_tasks ());
  usleep (20000);
  start = clock ();
  usleep (300000);
  printf ("%ld milliseconds\n", (long) ((clock () - start) * 1000 / CLOCKS_PER_SEC));
  return 0;
}
IDLE
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 idle.c -o idle || exit 1

# Run idle with argument $1 and the variables given behind it; it must print $threads and have used no CPU.
check ()
{
  local argument=$1 got
  shift
  got=$(env "$@" timeout -k 5 20 ./idle "$argument") || fail "status $?: $*"
  [ "$got" = "$threads threads"$'\n'"0 milliseconds" ] || fail "not $threads sleeping threads: $*: $got"
}

threads=1
check small
check large PARAGON_PLAN=original
check large PARAGON=off
check large PARAGON_THREADS=1
threads=4
check large PARAGON_PLAN=pool PARAGON_THREADS=4
