#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is compiled from a loop is compared with the original: where it fuses other products with sums, the loop is not
# handed over, or runs without the variant that does.

. "$PG_ROOT/testsuite/lib/script.sh"

need_fused_multiply_add

cat > loops.c << 'EOC'
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 32000
static float a[N], b[N], c[N], d[N], e[N];

/* Vectors have all of the original's iterations.  Of those that they would leave over in F, two sums would go into one
   vector, and their products be made apart: F is told to fuse them.  */
#define PAIRS(name, first, second)                                                                                     \
  __attribute__ ((noipa)) static void name (void)                                                                      \
  {                                                                                                                    \
    for (int i = 0; i < N / 2; i++)                                                                                    \
      {                                                                                                                \
	a[2 * i] = first;                                                                                              \
	a[2 * i + 1] = second;                                                                                         \
      }                                                                                                                \
  }

PAIRS (pairs, b[i] + c[i] * d[i], b[i] + d[i] * e[i])
PAIRS (less_products, b[i] - c[i] * d[i], b[i] - d[i] * e[i])
PAIRS (products_less, c[i] * d[i] - b[i], d[i] * e[i] - b[i])
PAIRS (negative_products, -(c[i] * d[i]) - b[i], -(d[i] * e[i]) - b[i])
PAIRS (less_negative, b[i] - -(c[i] * d[i]), b[i] - -(d[i] * e[i]))

/* In a loop with branches, which is vectorised all the same.  */
__attribute__ ((noipa)) static void
chosen (void)
{
  for (int i = 0; i < N; i++)
    {
      float chosen = b[i] < 1 ? c[i] : e[i];
      a[i] = chosen - c[i] * d[i];
    }
}

/* What is fused under a condition is left to the compiler: in a vector, it would raise what is not to be raised.  */
__attribute__ ((noipa)) static void
conditional (float zero)
{
  for (int i = 0; i < N; i++)
    if (c[i] < 3)
      a[i] = e[i] + c[i] * zero;
}

/* Where chains of fused sums are slow, this one's are apart, but not where each is loaded again, as other threads store
   it: what runs behind them is told to.  */
__attribute__ ((noipa)) static void
solve (double (*restrict l)[103], const double *restrict o, double *restrict x, int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = o[i];
      for (int j = 0; j < i; j++)
	x[i] -= l[i][j] * x[j];
      x[i] = x[i] / l[i][i];
    }
}

/* Those that vectors leave over are others in the original.  */
__attribute__ ((noipa)) static void
some_pairs (int n)
{
  for (int i = 0; i < n; i++)
    {
      a[2 * i] = b[i] + c[i] * d[i];
      a[2 * i + 1] = b[i] + d[i] * e[i];
    }
}

/* Vectors have a sum and a difference side by side, whose products are made apart; what they leave over has not.  */
__attribute__ ((noipa)) static void
crossed (int n)
{
  for (int i = 0; i < n; i++)
    {
      a[2 * i] = b[2 * i] - c[2 * i] * d[2 * i];
      a[2 * i + 1] = b[2 * i + 1] + c[2 * i + 1] * d[2 * i + 1];
    }
}

/* GCC fuses these, in such a vector, even if it is told not to: in the no-alias F.  */
__attribute__ ((noipa)) static void
crossed_sums (const double *x, const double *y, double *z, int n)
{
  double u = x[0] * 0.3f;
  for (int i = 0; i < n; i++)
    {
      double t = y[i] * 0.7f;
      if (x[i] > 1)
	z[4 * i] = (t * y[i] + u * 0.6f) * 0x1p-6f;
      z[4 * i + 1] = (t * 0.8f - y[i] * z[4 * i]) * 0x1p-6f;
      z[4 * i + 2] = (x[i] * y[i] - -(y[i] * u) + t * y[i + 1]) * 0x1p-6f;
      z[4 * i + 3] = (x[i] * u + x[i] * 0.5f - x[i]) * 0x1p-6f;
    }
}

/* Some of these are fused and some are not, in the original and in F, and not in the same iterations.  */
__attribute__ ((noipa)) static void
mixed (const float *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      float t = x[3] * x[i] - c[i + 1] * 0.3f;
      a[i] = t * c[i + 1] + c[i + 1] * c[i + 1] + c[i] * c[i];
    }
}

/* A sum of double that the compiler finds to be one of float, late.  */
__attribute__ ((noipa)) static void
narrowed (int n, float limit)
{
  for (int i = 0; i < n; i++)
    a[i] = c[i] * d[i] + (limit > 1.1 ? e[i] * 0.7 + 1.1 : e[i]);
}

/* A sum that is kept, and differences, in loops of their own, with constant counts, and one more before them.  */
__attribute__ ((noipa)) static void
orthogonal (int k, double (*m)[103], double (*q)[103], double (*r)[103])
{
  double norm = 0;
  for (int i = 0; i < 120; i++)
    norm += m[i][k] * m[i][k];
  r[k][k] = norm;
  for (int i = 0; i < 120; i++)
    q[i][k] = m[i][k] / r[k][k];
  for (int j = k + 1; j < 103; j++)
    {
      r[k][j] = 0;
      for (int i = 0; i < 120; i++)
	r[k][j] += q[i][k] * m[i][j];
      for (int i = 0; i < 120; i++)
	m[i][j] = m[i][j] - q[i][k] * r[k][j];
    }
}

/* Where arrays are known to be apart, four sums are one vector, which has the mark of the first.  The product of the
   last is made apart.  */
__attribute__ ((noipa)) static void
lanes (double *o, const double *x, const double *y, const double *z, int n)
{
  for (int j = 0; j < n; j++)
    {
      o[4 * j] = x[4 * j] + y[4 * j];
      o[4 * j + 1] = x[4 * j + 1] + y[4 * j + 1];
      o[4 * j + 2] = x[4 * j + 2] + y[4 * j + 2];
      o[4 * j + 3] = x[4 * j + 3] + z[j] * y[4 * j + 3];
    }
}

__attribute__ ((noipa)) static void
lanes_of_columns (double (*m)[103], double *o, const double *x, const double *y, double *z, int n)
{
  for (int j = 0; j < n; j++)
    {
      double sum = 0;
      for (int k = 0; k < 77; k++)
	sum += m[k][j] * y[k];
      z[110 + j] = sum;
      o[4 * j] = x[4 * j] + y[4 * j];
      o[4 * j + 1] = x[4 * j + 1] + y[4 * j + 1];
      o[4 * j + 2] = x[4 * j + 2] + y[4 * j + 2];
      o[4 * j + 3] = x[4 * j + 3] + z[j] * y[4 * j + 3];
    }
}

/* Where the inner loop takes no turn, the product is the same in all iterations, and the other one is fused.  */
__attribute__ ((noipa)) static void
triangle (double (*o)[103], double (*m)[103], const double *x, double one, double other, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
	double sum = other;
	for (int k = 0; k < j; k++)
	  sum += m[k][j] * x[k];
	o[i][j] = one * sum + other * m[i][j];
      }
}

/* Where arrays are known to be apart, a vector of four sums has the mark of one without a product; where they may not
   be, the one with a product is fused.  */
__attribute__ ((noipa)) static void
hidden (float (*m)[206], float *o, const float *x, const float *y, float *z, float one, int n)
{
  for (int j = 0; j < n; j++)
    {
      float sum = x[j];
      for (int k = 0; k < 50; k++)
	sum -= m[k][j] * x[k];
      o[j] = sum;
      z[4 * j] = y[4 * j] + x[j];
      z[4 * j + 1] = y[4 * j + 1] + x[4 * j + 1];
      z[4 * j + 2] = y[4 * j + 2] + one * x[j];
      z[4 * j + 3] = y[4 * j + 3] + x[4 * j + 3];
    }
}

/* Iterations in vectors take in another product than those that are left over, and F leaves over others.  */
__attribute__ ((noipa)) static void
left_over (double (*restrict q)[103], double *restrict o, const double *restrict y, double one)
{
  for (int j = 0; j < 37; j++)
    {
      double sum = 0;
      for (int k = 0; k < 64; k++)
	sum += (y[k] * y[k] - q[k][j] * one) * q[k][j + 1];
      o[j] = sum;
    }
}

/* Added up in vectors with masks, in order, products are made apart; one by one, as where a sum in memory is not to be
   in vectors, they are fused.  */
__attribute__ ((noipa)) static void
masked (double (*m)[103], double (*q)[103], double (*r)[103], double *o, double *s, const double *x, const double *y,
	const double *z, int n)
{
  for (int j = 0; j < n; j++)
    {
      double sum = x[j];
      for (int k = 0; k < 64; k++)
	{
	  s[j] += y[k] * m[j][k];
	  sum += m[k][3] * q[j][k];
	}
      for (int k = j; k < n; k++)
	{
	  if (m[j][k] > 0)
	    sum += r[j][k] * z[k];
	  q[j][k] = x[k] * z[k] - y[j] * z[k];
	}
      o[j] = sum;
    }
}

/* A difference of a product and itself is 0, but not as a lane of a vector with another one, which has that one's mark
   then: in some of the copies in a no-alias F.  */
__attribute__ ((noipa)) static void
nothing (double (*m)[103], double (*q)[103], double *s, double *t, double *o, const double *x, const double *y,
	 const double *z, int n)
{
  for (int j = 0; j < n; j++)
    {
      double first = x[j], second = x[j];
      s[2 * j] = z[2 * j] * x[2 * j] - x[2 * j];
      s[2 * j + 1] = z[2 * j + 1] * x[2 * j + 1] - x[2 * j + 1];
      for (int k = 0; k < n; k++)
	{
	  first += m[k][j];
	  second -= m[k][j];
	  second += q[k][2 * j + 1];
	}
      t[2 * j] = first * z[2 * j] + y[2 * j];
      t[2 * j + 1] = second;
      o[2 * j] = z[2 * j] * y[2 * j] - z[2 * j] * z[2 * j];
      o[2 * j + 1] = z[2 * j + 1] * y[2 * j + 1] - z[2 * j + 1] * y[2 * j + 1];
    }
}

/* Of iterations that vectors leave over, two sums go into one vector, in the original, too, with the mark of one whose
   product is made apart anyway.  The other one's is fused elsewhere.  */
__attribute__ ((noipa)) static void
partly (const int *at, double *restrict o, double *s, const double *x, const double *y, const double *z, int n)
{
  for (int i = 0; i < n; i++)
    {
      int j = at[i];
      double first = x[j] * y[j], second = x[j + 1] * y[j + 1], a = z[j], b = z[j + 1];
      o[2 * i] = first + a;
      o[2 * i + 1] = second + b;
      s[i] = first;
    }
}

/* What an iteration adds up, one that comes later need not, if that is of the same iterations that are taken together:
   but one product is fused, and the other is not.  */
int positive[203];

__attribute__ ((noipa)) static void
kept (int n)
{
  float sums[2048];
  memset (sums, 0, sizeof sums);
  for (int i = 0; i < 203; i++)
    {
      float last = b[i + 3] * c[i + 3];
      positive[i] = last > 0.7f;
      sums[4 * i] = b[i] * c[i] + d[i];
      sums[4 * i + 1] = b[i + 1] * c[i + 1] + d[i + 1];
      sums[4 * i + 2] = b[i + 2] * c[i] + d[i + 2];
      sums[4 * i + 3] = last + d[i + 3];
    }
  memcpy (a, sums, n * sizeof *sums);
}

/* One sum, which is as it is in all copies.  */
__attribute__ ((noipa)) static void
alone (float *x, const float *y, const float *z, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = y[i] * z[i] + x[i];
}

static void
print (const char *name, const void *x)
{
  unsigned sum = 0, bits;
  for (int i = 0; i < N; i++)
    {
      memcpy (&bits, (const char *) x + i * sizeof bits, sizeof bits);
      sum = sum * 31 + bits;
    }
  printf ("%s %08x\n", name, sum);
}

int
main (void)
{
  static double x[N / 8], y[N / 8 + 1], z[N / 2];
  srand (3);
  for (int i = 0; i < N; i++)
    {
      b[i] = rand () / 1e9f;
      c[i] = rand () / 1e9f;
      d[i] = rand () / 1e9f;
      e[i] = rand () / 1e9f;
      x[i / 8] = rand () / 1e9;
      y[i / 8] = rand () / 1e9;
      z[i / 2] = rand () / 1e9;
    }
  pairs ();
  print ("pairs", a);
  less_products ();
  print ("less products", a);
  products_less ();
  print ("products less", a);
  negative_products ();
  print ("negative products", a);
  less_negative ();
  print ("less negative", a);
  chosen ();
  print ("chosen", a);
  some_pairs (N / 2 - 3);
  print ("some pairs", a);
  crossed (N / 2 - 1);
  print ("crossed", a);
  crossed_sums (x, y, z, N / 8 - 5);
  print ("crossed sums", z);
  mixed (d, 1003);
  print ("mixed", a);
  narrowed (N - 14, e[0] / 100);
  print ("narrowed", a);
  alone (a, b, c, N - 3);
  print ("alone", a);
  static double m[N / 103][103], q[N / 103][103], r[N / 103][103];
  for (int i = 0; i < 120 * 103; i++)
    m[i / 103][i % 103] = b[i] - 1;
  for (int k = 0; k < 103; k++)
    orthogonal (k, m, q, r);
  print ("orthogonal", m);
  print ("orthogonal", r);
  solve (m, y, z, 103);
  print ("solved", z);
  lanes (z, x, y, x + 500, 500);
  print ("lanes", z);
  lanes_of_columns (m, z, x, y, x + 3500, 103);
  print ("lanes of columns", z);
  triangle (q, m, x, 1.3, 0.7, 103);
  print ("triangle", q);
  hidden ((float (*)[206]) b, e, c, d, a, 1.3f, 300);
  print ("hidden", a);
  print ("hidden", e);
  left_over (q, z, y, 0.7);
  print ("left over", z);
  masked (m, q, r, z, z + 200, x, x + 200, x + 400, 103);
  print ("masked", z);
  static int at[300];
  for (int i = 0; i < 300; i++)
    at[i] = i * 7;
  partly (at, z, x + 2500, x, y, z + 1000, 299);
  print ("partly", z);
  kept (4 * 203);
  print ("kept", a);
  nothing (m, q, z, z + 200, z + 400, x, x + 200, x + 400, 51);
  print ("nothing", z);
  for (int i = 0; i < N; i++)
    c[i] = c[i] < 1 ? c[i] : INFINITY;
  feclearexcept (FE_ALL_EXCEPT);
  conditional (0);
  printf ("exceptions %d\n", fetestexcept (FE_INVALID));
  print ("conditional", a);
  return 0;
}
EOC

# FLAGS...: compile with them, with and without the plugin; all is as the plain build has it, on any number of threads.
compare ()
{
  "$PG_CC" -O3 -mfma "$@" loops.c -o plain -lm || exit 1
  rm -f report
  "$PG_CC" -O3 -mfma -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-report=report "$@" \
    loops.c -o program -lm || exit 1
  ./plain > expected
  for n in 1 2 3 4 5 7
  do
    PARAGON_PLAN=pool PARAGON_THREADS=$n ./program > answer || fail "exit status $?"
    cmp expected answer || fail "$* on $n threads: $(cat expected answer)"
  done
}

# The loop of function $1 is handed over, or refused for $2.
verdict ()
{
  local wanted='"outlined":true'
  [ $# = 1 ] || wanted="\"reason\":\"$2\".*\"outlined\":false"
  grep -q "$wanted" <(grep "\"function\":\"$1\"" report) || fail "$1: $(grep "\"function\":\"$1\"" report)"
}

compare
for name in pairs less_products products_less negative_products less_negative chosen
do
  verdict $name
done
verdict some_pairs fp-contract
verdict alone
objcopy -O binary --only-section=.paragon.verdicts --set-section-flags .paragon.verdicts=alloc program verdicts
cmp report verdicts || fail "the object says something else than the report"

"$PG_CC" -O3 -mfma -fplugin="$plugin" -fopt-info-loop-missed=remarks -c loops.c -o loops.o || exit 1
grep -q "missed: paragon: loop not handed over after all (fp-contract: " remarks || fail "no remark: $(cat remarks)"

compare -fvect-cost-model=unlimited
compare -mtune=znver3
PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_STATS=stats ./program > answer
grep -Eq "solve +possibly +1 +0 +1 " stats || fail "not one iteration behind the other: $(cat stats)"
compare -march=native
compare -march=haswell
objdump -d program > code
grep -q 'vfnmadd.*ps.*%ymm' <(awk '/^[0-9a-f]+ <chosen\.paragon/, /^$/' code) \
  || fail "branches keep a loop from vectors"
compare -march=haswell -O2
compare -march=haswell -fno-tree-vectorize
compare -ffp-contract=off
verdict pairs
compare -ffp-contract=off -fvect-cost-model=unlimited
compare -flto
# Where data are written before functions are compiled, nothing can be done about them any more.
compare -fno-toplevel-reorder
verdict alone fp-contract
exit 0
