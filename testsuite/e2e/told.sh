#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is made of a loop is told which products to fuse only where the copies of each sum show what all of them are.

. "$PG_ROOT/testsuite/lib/script.sh"

need_fused_multiply_add

cat > loops.c << 'EOC'
#include <math.h>
#include <stdio.h>
#include <string.h>
#define N 203
static double a[18 * N], b[18 * N], c[18 * N], o[18 * N], q[18 * N], z[18 * N];

/* A copy of the inner loop's sum, which is fused elsewhere, is one with the other sum, whose product is stored.  */
__attribute__ ((noipa)) static void
meets (double *restrict o, double *restrict q, double *restrict z, const double *restrict a, const double *restrict b,
       const double *restrict c, int n)
{
  for (int i = 0; i < n; i++)
    {
      double product = a[TURNS * i + AT] * b[TURNS * i + AT];
      q[i] = product;
      o[i] = product + c[TURNS * i + AT];
      for (int k = 0; k < TURNS; k++)
	z[TURNS * i + k] = a[TURNS * i + k] * b[TURNS * i + k] + c[TURNS * i + k];
    }
}

/* The same if only the inner loop is handed over.  */
__attribute__ ((noipa)) static void
meets_around (double *restrict o, double *restrict q, double *restrict z, const double *restrict a,
	      const double *restrict b, const double *restrict c, int n)
{
  for (int i = 0; i < n % 300; i++)
    {
      double product = b[5 * i] * c[5 * i];
      q[i % 67] = product;
      o[i + 1200] = product + a[5 * i];
      o[i + 1500] = a[5 * i] - product;
      for (int k = 0; k < 5; k++)
	{
	  z[5 * i + k] = b[5 * i + k] * c[5 * i + k] + a[5 * i + k];
	  o[5 * i + k] = b[5 * i + k + 1] * c[5 * i + k + 1] + a[5 * i + k + 1];
	}
    }
}

/* It is one with another sum of the inner loop, in another iteration.  */
__attribute__ ((noipa)) static void
meets_other_turn (double *restrict o, double *restrict q, double *restrict z, const double *restrict a,
		  const double *restrict b, const double *restrict c, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = 0; k < TURNS; k++)
      {
	double product = a[TURNS * i + k] * b[TURNS * i + k];
	q[TURNS * i + k] = product;
	o[TURNS * i + k] = product + c[TURNS * i + k];
	z[TURNS * i + k] = a[TURNS * i + k - 1] * b[TURNS * i + k - 1] + c[TURNS * i + k - 1];
      }
}

/* Both are vectors, and loops of neither are left.  */
__attribute__ ((noipa)) static void
meets_vectors (double *restrict o, double *restrict q, double *restrict z, const double *restrict a,
	       const double *restrict b, const double *restrict c, int n)
{
  for (int i = 0; i < n; i++)
    {
      for (int k = 0; k < 8; k++)
	{
	  double product = a[16 * i + k] * b[16 * i + k];
	  q[8 * i + k] = product;
	  o[8 * i + k] = product + c[16 * i + k];
	}
      for (int k = 0; k < 16; k++)
	z[16 * i + k] = a[16 * i + k] * b[16 * i + k] + c[16 * i + k];
    }
}

/* The first copy is nothing, where numbers are finite.  */
__attribute__ ((noipa)) static void
nothing (double *restrict o, double *restrict q, const double *restrict a, const double *restrict b, int n)
{
  for (int i = 0; i < n; i++)
    {
      double product = a[TURNS * i] * b[TURNS * i];
      q[i] = product;
      for (int k = 0; k < TURNS; k++)
	o[TURNS * i + k] = a[TURNS * i + k] * b[TURNS * i + k] - product;
    }
}

/* A vector times zeros is zeros, to the compiler, where their sign is nothing.  */
__attribute__ ((noipa)) static void
zero (double *restrict o, const double *restrict m, double one)
{
  for (int i = 0; i < N / 3; i++)
    {
      o[i] = one;
      for (int j = 0; j < N / 3; j++)
	o[i] += 0.0 * m[N / 3 * i % (N / 7) + j];
    }
}

/* Where arrays are known to be apart, only the negation of a sum is used, and is made one with it.  */
__attribute__ ((noipa)) static void
negated (double *o, double *a, const double *b, const double *c, const double *d, const double *e, double *p, int n)
{
  for (int i = 0; i < n; i++)
    {
      double sum = b[i] * c[i] + e[i], other;
      o[i] = sum;
      a[i] = -sum;
      other = d[i];
      o[i] = other * 3.0;
    }
  for (int i = 0; i < n; i++)
    p[i] = -(b[i] * c[i] + d[i]);
}

/* Sums of two kinds: that each is what its copies show is tried out, and the second loop is told.  How many copies
   there are of the one between the loops, which adds no product, does not matter.  */
__attribute__ ((noipa)) static double
tried (double *o, const double *a, const double *b, double alpha, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += b[n - i - 1] * a[i];
  alpha = -(alpha + sum) / b[0];
  for (int i = 0; i < n; i++) /* tried */
    o[i] = a[i] + alpha * a[n - i - 1];
  return sum;
}

static void
print (const char *name, const double *numbers, int n)
{
  unsigned long long hash = 14695981039346656037ull, bits;
  for (int i = 0; i < n; i++)
    {
      memcpy (&bits, &numbers[i], sizeof bits);
      hash = (hash ^ (isnan (numbers[i]) ? 1 : bits)) * 1099511628211ull;
    }
  printf ("%s %016llx\n", name, hash);
}

static void
print_all (const char *name)
{
  print (name, o, 18 * N);
  print (name, q, 18 * N);
  print (name, z, 18 * N);
}

int
main (void)
{
  for (int i = 0; i < 18 * N; i++)
    {
      b[i] = 1 + i / 3.0;
      a[i] = (i & 1 ? 1 : -1) * (1 + i % 3 / 7.0);
      c[i] = -b[i] * a[i];
    }
  meets (o, q, z, a, b, c, N - 9);
  print_all ("meets");
  meets_around (o, q, z, c, a, b, N - 9);
  print_all ("meets around");
  meets_other_turn (o, q, z, a, b, c, N - 9);
  print_all ("meets other turn");
  meets_vectors (o, q, z, a, b, c, N - 9);
  print_all ("meets vectors");
  nothing (o, q, a, b, N - 9);
  print_all ("nothing");
  for (int i = 0; i < N; i++)
    {
      b[i] = 1;
      c[i] = i % 3;
      z[i] = -c[i];
      o[i] = i;
    }
  q[0] = tried (o, a, b, 1.5, N - 9);
  print_all ("tried");
  negated (a, q, b, c, o, z, q + N, N);
  print ("negated", a, N);
  print ("negated", q, 2 * N);
  a[7] = NAN;
  a[19] = INFINITY;
  zero (o, a, 1.5);
  print ("zero", o, N);
  return 0;
}
EOC

# FLAGS...: compile with them, with and without the plugin; all is as the plain build has it, on any number of threads.
compare ()
{
  "$PG_CC" -mfma "$@" loops.c -o plain -lm || exit 1
  "$PG_CC" -mfma -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 "$@" loops.c -o program -lm || exit 1
  ./plain > expected
  for n in 1 2 3
  do
    PARAGON_PLAN=pool PARAGON_THREADS=$n PARAGON_STATS=stats ./program > answer || fail "exit status $?"
    cmp expected answer || fail "$* on $n threads: $(cat expected answer)"
  done
  grep -q " L[0-9] pool " stats || fail "nothing ran on the pool: $(cat stats)"
}

tried=$(grep -n "/\* tried \*/" loops.c | cut -d: -f1)
for level in -O2 -O3
do
  compare $level -DTURNS=17 -DAT=16
  grep -q "loops.c:$tried .* pool " stats || fail "not handed over: $(cat stats)"
done
compare -O3 -march=native -DTURNS=17 -DAT=16
compare -O3 -march=native -DTURNS=17 -DAT=16 -fno-signed-zeros
for finite in "" -ffinite-math-only
do
  compare -O2 -DTURNS=5 -DAT=0 -funroll-loops -fno-tree-vectorize ${finite:+"$finite"}
  compare -O2 -DTURNS=5 -DAT=0 -fpeel-loops -fno-tree-vectorize -fno-tree-loop-distribution \
    ${finite:+"$finite"}
done
exit 0
