#!/bin/bash
# SPDX-License-Identifier: MIT
#
# PARAGON_CACHE keeps what loops cost from one run of a program to the next: the answer is the same whatever is in it,
# and a folder that is no good is missed in one line.  A fork waits until the reader is through: it is told costs then.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > forking.c << 'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static double x[100000];

__attribute__ ((noipa)) static void
scale (int n, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] = to[i] * 0.5 + i;
}

int
main (void)
{
  double sum = 0;
  int status = 0;
  scale (100000, x);
  for (int i = 0; i < 5; i++)
    {
      int child = fork ();
      if (child == 0)
	{
	  scale (100000, x);
	  return 0;
	}
      waitpid (child, &status, 0);
      scale (100000, x);
      if (status != 0)
	return 1;
    }
  for (int i = 0; i < 100000; i++)
    sum += x[i];
  printf ("%.17g\n", sum);
  return 0;
}
END
"$PG_CC" -O2 forking.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 forking.c -o parallel || exit 1
expected=$(./plain)

# Run it with PARAGON_CACHE=$1; what it says is in messages, what the plan says in log.
check ()
{
  local got
  got=$(PARAGON_LOG=plan PARAGON_THREADS=2 PARAGON_CACHE=$1 ./parallel 2> log) || fail "status $?: $(cat log)"
  [ "$got" = "$expected" ] || fail "another answer: $got"
  grep -v '^paragon: plan: ' log > messages
}

check off
[ ! -s messages ] || fail "$(cat messages)"
check here
[ "$(grep -c 'PARAGON_CACHE=here is not known and ignored' messages)" = 1 ] || fail "a relative path: $(cat messages)"
check /proc/paragon
grep -q 'no cache in /proc/paragon: ' messages || grep -q 'SQLite is not found' messages || fail "$(cat messages)"
check "$PWD/cache"
! grep -q 'SQLite is not found' messages || skip "no SQLite"
[ ! -s messages ] || fail "$(cat messages)"
[ -s cache/compiled-1.db ] || fail "nothing is kept"
[ "$(ls -A cache)" = compiled-1.db ] || fail "something else is left: $(ls -A cache)"
n_told=0
for run in 1 2 3 4 5
do
  check "$PWD/cache"
  [ ! -s messages ] || fail "$(cat messages)"
  n_told=$((n_told + $(grep -c 'costs of an earlier run' log)))
done
[ $n_told -gt 0 ] || fail "no run was told of the one before: $(cat log)"

# The usual folder; nothing outside of it.
mkdir home
HOME=$PWD/home XDG_CACHE_HOME='' check on
[ ! -s messages ] || fail "$(cat messages)"
[ -s home/.cache/paragon/compiled-1.db ] || fail "nothing is kept in ~/.cache: $(find home)"

# Damaged: begun anew.
head -c 5000 /dev/zero > cache/compiled-1.db
check "$PWD/cache"
[ ! -s messages ] || fail "$(cat messages)"
[ "$(head -c 6 cache/compiled-1.db)" = SQLite ] || fail "it is still damaged"
