#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where the target has fused multiply-add, the compiler tries out in processes of its own how a function rounds, and
# hands over what leaves that as it is.  Nobody notices, and where there are no processes none of it is handed over.

. "$PG_ROOT/testsuite/lib/script.sh"

need_fused_multiply_add

cat > loops.c << 'EOC'
#include <stdio.h>
#include <string.h>
#define N 1003
static double a[N], b[N], c[N], d[N], e[N];

/* A guard changes nothing of what is fused: nothing need be tried out.  */
__attribute__ ((noipa)) static void
alone (int n)
{
  for (int i = 0; i < n; i++)
    a[i] = b[i] * c[i] + d[i];
}

/* The last iterations of both loops have one product, which is fused in neither; not so with a guard between them.  */
__attribute__ ((noipa)) static void
shared (void)
{
  for (int i = 0; i < N; i++)
    d[i] = b[i] * c[i] + 0.3;
  for (int i = 0; i < N; i++)
    e[i] = b[i] * c[i] + 0.7;
}

static void
print (const char *name, const double *numbers)
{
  unsigned long long hash = 14695981039346656037ull, bits;
  for (int i = 0; i < N; i++)
    {
      memcpy (&bits, &numbers[i], sizeof bits);
      hash = (hash ^ bits) * 1099511628211ull;
    }
  printf ("%s %016llx\n", name, hash);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      b[i] = 1.0 / (i + 3);
      c[i] = i / 7.0;
      d[i] = -b[i] * c[i];
    }
  alone (N);
  print ("a", a);
  shared ();
  print ("d", d);
  print ("e", e);
  return 0;
}
EOC

# What is said of a sum is said of the right place.
cat > warned.c << 'EOC'
double
warned (int n, int k, double *a, const double *b)
{
  double t;
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 3.1 + a[i];
  if (k == 7)
    t = a[0];
  double r = a[1] + b[0] * b[1];
  return r * t + r;
}
EOC
"$PG_CC" -O2 -mfma -Wall -c warned.c -o warned.o 2> wanted || exit 1
"$PG_CC" -O2 -mfma -Wall -fplugin="$plugin" -c warned.c -o warned.o 2> told || exit 1
grep -q maybe-uninitialized wanted || fail "no warning to compare"
cmp wanted told || fail "the warning is another one: $(cat told)"

# A process that cannot be had, or that dies at once: in the compiler itself, not in what starts it.
cat > none.c << 'EOC'
#include <errno.h>
#include <unistd.h>
pid_t
fork (void)
{
  errno = EAGAIN;
  return -1;
}
EOC
cat > dying.c << 'EOC'
#include <signal.h>
#include <unistd.h>
pid_t _Fork (void);
pid_t
fork (void)
{
  pid_t pid = _Fork ();
  if (pid == 0)
    raise (SIGKILL);
  return pid;
}
EOC

# Compile with what the environment says, and $flags, and compare.
compare ()
{
  rm -f report
  # shellcheck disable=SC2086
  "$PG_CC" -O3 -mfma $flags loops.c -o plain || exit 1
  ./plain > expected || exit 1
  # shellcheck disable=SC2086
  env "$@" "$PG_CC" -O3 -mfma $flags -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 \
    -fplugin-arg-paragon-report=report -fopt-info-loop-missed -fdump-tree-all -dumpdir dumps/ loops.c -o program \
    2> remarks || fail "$*: $(cat remarks)"
  for settings in PARAGON=off PARAGON_PLAN=pool
  do
    env "$settings" ./program > output || fail "$*: $settings: exit status $?"
    cmp expected output || fail "$*: $settings: the program computes something else"
  done
}

# How often is PATTERN, $2, in the report's lines of function $1?
count ()
{
  grep "\"function\":\"$1\"" report | grep -c "$2"
}

mkdir dumps
flags=
compare A=B
[ "$(count alone '"outlined":true')" = 1 ] || fail "not handed over: $(cat report)"
[ "$(count shared '"reason":"fp-contract".*"outlined":false')" = 2 ] || fail "not refused: $(cat report)"
for dump in dumps/*.ifcvt dumps/*.vect dumps/*.forwprop*
do
  [ "$(grep -c '^;; Function shared (' "$dump")" = 1 ] || fail "what is tried out is in $dump"
done
[ "$(grep -c 'loops.c:18:.*fp-contract' remarks)" -le 1 ] || fail "what is tried out makes remarks: $(cat remarks)"

for kind in none dying
do
  "$PG_CC" -shared -fPIC "$kind.c" -o "$kind.so" || exit 1
  compare LD_PRELOAD="./$kind.so"
  [ "$(count alone '"outlined":true')" = 1 ] || fail "$kind: not handed over, and need not be tried out: $(cat report)"
  [ "$(count shared '"reason":"fp-contract".*"detail":"it cannot be tried out".*"outlined":false')" = 2 ] \
    || fail "$kind: $(cat report)"
done

# Where no sum is a difference, the compiler keeps to what it is told, and nothing need be tried out.
flags=-ffp-contract=off
compare LD_PRELOAD=./none.so
[ "$(count shared '"outlined":true')" = 2 ] || fail "not handed over, and need not be tried out: $(cat report)"
exit 0
