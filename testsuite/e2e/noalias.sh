#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loops have a no-alias F where GCC may make something of it.  Plain -O2 vectorises no loop whose iterations nobody
# knows; then it is of use to copies and for what may leave an inner loop.  -O3 does, and tests by itself what pointers
# it has in a single loop.

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
scale (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] *= *x;
}

void
strided (int n, int step, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i * step] = x[i * step];
}

void
fill (int n, const double *x, double *y, char *z)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = x[2 * i];
      z[i] = 0;
    }
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

void
complex (int n, int step, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double re = x[2 * i * step], im = x[2 * i * step + 1];
      y[2 * i * step] -= im;
      y[2 * i * step + 1] += re;
    }
}

void
columns (int n, int m, const double *x, double (*y)[100])
{
  for (int i = 0; i < n; i++)
    {
      double factor = x[i];
      for (int j = 0; j < m; j++)
	y[i][j] *= factor;
    }
}

void
sums (int n, int m, const double (*x)[100], double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += x[i][j];
}

struct matrix
{
  long stride;
  float *data;
};

/* What is stored is never a pointer or a long.  */
void
typed (int n, int m, struct matrix *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a->data[i * a->stride + j] = j;
}

void
counted (int n, const float (*x)[8], float (*y)[8])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      y[i][j] *= x[i][j];
}
EOF

# The functions that have one if compiled with $@.
with_noalias ()
{
  "$PG_CC" "$@" -fplugin="$plugin" -c loops.c -o loops.o || exit 1
  nm loops.o | sed -nE 's/.* ([a-z]+)\.paragon\.[0-9]+\.noalias.*/\1/p' | sort | tr '\n' ' '
}

got=$(with_noalias -O2)
[ "$got" = 'copy counted fill scale sums ' ] || fail "at -O2: $got"
got=$(with_noalias -O3 -fvect-cost-model=cheap)
[ "$got" = 'above add columns complex copy counted fill keep scale strided sums ' ] || fail "without tests: $got"
got=$(with_noalias -O3)
[ "$got" = 'columns copy counted fill sums ' ] || fail "at -O3: $got"

# What points-to sets tell of the arrays of the function holds in F, too, though x and y may meet: no loop needs a test.
cat > local.c << 'EOF'
void
local (int n, int m, const double (*x)[100][1002], double (*y)[100][1002])
{
  double sums[1002], others[1002];
  for (int i = 1; i < n; i++)
    for (int k = 1; k < m; k++)
      {
	for (int j = 0; j < 1002; j++)
	  {
	    sums[j] = x[i][k - 1][j] + x[i][k + 1][j] + x[i - 1][k][j] + x[i + 1][k][j];
	    others[j] = x[i - 1][k - 1][j] + x[i - 1][k + 1][j] + x[i + 1][k - 1][j] + x[i + 1][k + 1][j];
	  }
	for (int j = 1; j < 1001; j++)
	  y[i][k][j] += sums[j - 1] - others[j + 1];
      }
}
EOF
"$PG_CC" -O3 -fopt-info-vec -fplugin="$plugin" -c local.c 2> remarks || fail "does not compile"
grep -q 'local.c:8:.*loop vectorized' remarks || fail "is not vectorised"
grep 'versioned' remarks && fail "tests what is known"
exit 0
