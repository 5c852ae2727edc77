#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loops have a no-alias F where GCC may make something of it.  Plain -O2 vectorises no loop whose iterations nobody
# knows; then it is of use to copies, for values that are kept, and for loads that may move up across stores.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > loops.c << 'EOF'
void
add (int n, double a, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

void
copy (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}

void
keep (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i + 1];
}

void
above (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      y[2 * i] = 1 - y[2 * i];
      y[2 * i + 1] = 2 * x[i];
    }
}
EOF

# The functions that have one if compiled with $1.
with_noalias ()
{
  "$PG_CC" "$1" -fplugin="$plugin" -c loops.c -o loops.o || exit 1
  nm loops.o | sed -nE 's/.* ([a-z]+)\.paragon\.[0-9]+\.noalias.*/\1/p' | sort | tr '\n' ' '
}

got=$(with_noalias -O2)
[ "$got" = 'above copy keep ' ] || fail "at -O2: $got"
got=$(with_noalias -O3)
[ "$got" = 'above add copy keep ' ] || fail "at -O3: $got"
exit 0
