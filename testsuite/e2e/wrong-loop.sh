#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A loop that is wrong in parallel: it calls what is named like a function of the mathematical library, and is to be
# called in order.  PARAGON=compare names it and keeps the answer; paragon bisect finds it among 22.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"

cat > cos.c << 'EOF'
#include <unistd.h>

static double last;

double
cos (double x)
{
  double result = x == 0 || x == last + 1 ? x : -1;
  if ((int) x % 100 == 50)
    usleep (1000); /* so that a thread that is new comes in time, whoever else wants the CPUs */
  last = x;
  return result;
}

void
fill (int n, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = i;
}
EOF
n_loops=22 wrong=$((RANDOM % 22))
{
  printf '%s\n' 'extern double cos (double);' 'extern void fill (int, double *);' \
    'extern int printf (const char *, ...);' 'static double x[22][3000];'
  for ((k = 0; k < n_loops; k++))
  do
    [ "$k" = "$wrong" ] && value='cos (x[i])' || value="x[i] + $k"
    printf '%s\n' 'static void __attribute__ ((noipa))' "loop$k (int n, double *x)" '{' \
      '  for (int i = 0; i < n; i++)' "    x[i] = ($value) * 0.5;" '}'
  done
  printf '%s\n' 'int' 'main (void)' '{' '  double sum = 0;'
  for ((k = 0; k < n_loops; k++))
  do
    printf '%s\n' "  fill (3000, x[$k]);" "  loop$k (3000, x[$k]);"
  done
  printf '%s\n' '  for (int k = 0; k < 22; k++)' '    for (int i = 0; i < 3000; i++)' '      sum += x[k][i] * i;' \
    '  printf ("%a\n", sum);' '  return 0;' '}'
} > prog.c
place=prog.c:$(awk "/^loop$wrong /{ print NR + 2 }" prog.c)
"$PG_CC" -O2 -fno-builtin -c cos.c -o cos.o || exit 1
"$PG_CC" -O2 -fno-math-errno "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 prog.c cos.o -o prog || exit 1
export PARAGON_PLAN=pool PARAGON_THREADS=2
PARAGON=off ./prog > expected || exit 1
./prog | cmp -s - expected && fail "$place is right"

PARAGON=compare ./prog > out 2> messages || fail "compare: status $?"
cmp out expected || fail "compare: another answer"
grep "$place" messages || fail "compare: $(cat messages)"
[ "$(grep -o 'prog\.c:[0-9]*' messages | sort -u)" = "$place" ] || fail "compare names others: $(cat messages)"

printf '%s\n' '#!/bin/sh' './prog | cmp -s - expected' > check
chmod +x check
"$paragon" bisect -- ./check > out 2> messages || fail "bisect: status $?: $(cat messages)"
grep -q "^$place loop$wrong " out || fail "bisect: $(cat out messages)"
# The two runs without Paragon and with all loops, and log2 (22) + 2.
[ "$(wc -l < messages)" -le 8 ] || fail "bisect: $(cat messages)"
exit 0
