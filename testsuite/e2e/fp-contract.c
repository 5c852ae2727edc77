/* SPDX-License-Identifier: MIT */
//! opts: -O3 -mfma, -O3 -march=native, -O2 -march=haswell -ftree-vectorize, -O3 -mfma -fno-tree-vectorize
//! opts: -O3 -march=haswell --param=avoid-fma-max-bits=0
//! link: -lm
//! stat: pool >= 15
/* Which product is fused with a sum may depend on the order of products, on what is known of pointers, on vectors of
   neighbours, on iterations run side by side.  Where that would give other bits, a loop is not handed over.  */
#include "print.h"

#define N 30003

KERNEL void
two_products (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i] + b[i] * b[i] - a[i] * c[i];
}

KERNEL void
shared_product (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = (a[i + 1] - 2.5 * a[i]) * (b[i] - 2.5 * a[i]);
}

KERNEL void
far_stores (int n, const double *a, const double *b, double (*c)[1000])
{
  int i;

  for (i = 0; i < n; i++)
    {
      c[0][i] = 0.3 * a[i] + 0.7 * b[i];
      c[1][i] = 0.2 * a[i] + 0.8 * b[i];
    }
}

/* The product behind the loop is not on its other side.  */
KERNEL void
behind_zeroes (int n, double *a, double *b)
{
  double t;
  int i;

  for (i = 0; i < n; i++)
    b[i] = 0;
  t = a[0] * a[1];
  a[2] = t;
  if (n > 5)
    a[3] = t + a[4];
}

/* Where C does not hold the factors, their product is made before the loop.  */
KERNEL void
fixed_factors (int n, const double *a, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] -= a[0] * a[1];
}

/* The same for the inner loop, which loads what is stored before it each time but the first.  */
KERNEL void
kept_factors (int n, double *s, double (*c)[1000])
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      s[i] = s[i] + 1;
      for (j = 0; j < n; j++)
	c[i][j] -= s[i] * s[i];
    }
}

/* One store may be left out where the other is seen to follow.  */
KERNEL void
stored_product (int n, const double *a, const double *b, double *c, double *d)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double t = a[i] * b[i];
      c[i] = t;
      d[i] = t + b[i];
    }
}

KERNEL void
side_by_side (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    {
      c[2 * i] = 0.3 * a[i] + 0.7 * b[i];
      c[2 * i + 1] = 0.7 * b[i] + 0.3 * a[i + 1];
    }
}

/* What one iteration loads, the next one has kept, and the product with it.  */
KERNEL void
shifted_twins (int n, double *restrict a, double *restrict b, double *restrict c)
{
  int i;

  for (i = 1; i < n; i++)
    {
      b[i] = 0.25 * a[i];
      c[i] = 0.25 * a[i - 1] + 1;
    }
}

/* The rest of the vectorised loop is unrolled and vectorised in an order of its own.  */
KERNEL void
apart (int n, double *restrict a, double *restrict b, double *restrict c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = 0.3 * a[i] + 0.7 * b[i];
}

/* The same where what was inlined promises it.  */
static inline void
apart_inside (double *restrict a, double *restrict b, double *restrict c, int i)
{
  c[i] = 0.3 * a[i] + 0.7 * b[i];
}

KERNEL void
apart_inlined (int n, double *a, double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    apart_inside (a, b, c, i);
}

/* A product whose sums are in two blocks.  */
KERNEL void
two_blocks (int n, const double *a, double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double t = a[i] * b[i];
      c[i] = a[i] * c[i] + t;
      if (c[i] > 0)
	b[i] = t + a[i] * c[i];
    }
}

/* The same where no iteration has both sums: vectors with masks have them in one block.  */
KERNEL void
both_branches (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double t = a[i] * b[i];
      if (b[i] > 100)
	c[i] = a[i] + t;
      else
	c[i] = c[i] + t;
    }
}

/* Vectors of the iterations in a block are multiplied as soon as they are loaded.  */
KERNEL void
early_loads (double *restrict c, const double *restrict a, const double *restrict b)
{
  int i;

  for (i = 0; i < 62; i++)
    {
      double x = a[i], y = b[i];
      c[i] = a[i + 100] * b[i + 100] + x * y;
    }
}

/* Sums of integers may be vectorised in the order that suits them.  */
KERNEL int
count (int n, const double *a, const double *b, double *c)
{
  int i, sum = 0;

  for (i = 0; i < n; i++)
    {
      c[i] = 0.3 * a[i] + 0.7 * b[i];
      sum += (int) c[i];
    }
  return sum;
}

KERNEL void
few_turns (int n, const double *a, const double *b, double (*c)[12])
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < 12; j++)
      c[i][j] = 0.3 * a[j] + 0.7 * b[j];
}

/* An iteration's second product is the first one of the iteration before.  */
KERNEL void
twin_behind (int n, const double *restrict b, double *restrict c, double *restrict d)
{
  double x = 3;
  int i;

  for (i = 0; i < n; i++)
    {
      c[i] = b[i] * 0.3;
      d[i] = d[i] + x * 0.3;
      x = b[i];
    }
}

/* Where an iteration begins in the middle of another one's block, the product meets the sum.  */
KERNEL void
product_behind (int n, const double *restrict a, const double *restrict b, double *restrict c)
{
  double x = 3;
  int i;

  for (i = 0; i < n; i++)
    {
      c[i] = c[i] + x;
      x = a[i] * b[i];
    }
}

/* Vectorised, the first loop is unrolled, and the compiler knows the squares that are summed.  */
KERNEL double
table_of_constants (int n, double (*m)[24])
{
  static double table[24];
  double sum = 0.0;
  int i, k;

  for (k = 0; k < 24; k++)
    table[k] = (k * 63 % 251 - 125) / (double) 977;
  for (i = 0; i < n; i++)
    sum += m[i][3] + table[3] * table[3];
  return sum;
}

/* A square has no need to be made positive, once it is known to be one.  */
KERNEL void
absolute_value (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = 2.0 + __builtin_fabs (a[i] * b[i]);
}

/* The sum is on the loop's other side.  */
KERNEL double
absolute_behind (double x, double y, double *z, int *a)
{
  double t = __builtin_fabs (x * y);
  int i;

  *z = t;
  for (i = 0; i < 30000; i++)
    a[i] = i;
  return t + 2;
}

/* Squares are used before and behind a branch by values, which stays: they are not fused with either sum.  Around a
   loop with two exits, no loops change places.  */
KERNEL void
escape (int n, int m, int most, double c, int (*steps)[1000])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	double x = c * i, y = c * j;
	int k = 0;
	while (k < most && x * x + y * y < 4)
	  {
	    double t = x * x - y * y + c;
	    y = 2 * x * y + c;
	    x = t;
	    k++;
	  }
	steps[i][j] = k;
      }
}

/* Here something may depend on what is known of pointers.  */
KERNEL void
escape_by_table (int n, int most, double c, const double *table, int *steps)
{
  for (int i = 0; i < n; i++)
    {
      double x = c * i;
      int k = 0;
      for (; k < most && x * x + c < table[k]; k++)
	x = x * x - c;
      steps[i] = k;
    }
}

/* A branch by an integer may be known to go one way.  */
KERNEL void
escape_by_count (int n, int most, double c, double *last)
{
  for (int i = 0; i < n; i++)
    {
      double x = c * i, s = x;
      for (int k = 0; s < 4; k++)
	{
	  s = x * x + c;
	  if (k > most)
	    break;
	  x = x * x - s;
	}
      last[i] = x;
    }
}

/* A root may set errno, so the sums are never made beside a vector of products.  */
KERNEL void
sum_of_roots (int n, int m, const double *a, const double *b, double *sums)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum += a[i * m + j] * __builtin_sqrt (b[j]);
      sums[i] = sum;
    }
}

/* Of the iterations that vectors leave over, the compiler knows the numbers, and all that is made of them.  It
   multiplies that itself, and rounds.  */
KERNEL void
from_numbers (double *restrict c, const double *restrict a)
{
  int i;

  for (i = 0; i < 30003; i++)
    c[i] = a[i] - i * 0.1;
}

KERNEL void
from_table (double *restrict c, const double *restrict a)
{
  static const double table[] = { 0.1, 0.3, 0.7 };
  int i;

  for (i = 0; i < 30003; i++)
    c[i] = a[i] - table[i % 3] * table[1];
}

/* Fused or not, products of whole numbers are exact, as long as they have no more bits than a float.  */
KERNEL void
whole_numbers (double (*c)[1200])
{
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1200; j++)
      c[i][j] = ((double) i * (j - 3) + 0.3) / 7 - (double) i * i;
}

KERNEL void
large_numbers (float *c)
{
  for (int j = 0; j < 30003; j++)
    c[j] = (float) j * (j - 3) + 0.3f;
}

static double a[N + 1], b[N + 1], c[2 * N], d[N], rows[4][1000], tables[N][12], squares[N / 24][24];
static double sums[1000][1200];
static int steps[1000][1000], integers[N];
static float floats[N];

/* Print the bits of what NAME may have changed, and let the next one begin with the same numbers.  */
static void
end (const char *name)
{
  print_bits (name, b, sizeof b);
  print_bits (name, c, sizeof c);
  print_bits (name, d, sizeof d);
  unsigned seed = 11;
  for (int i = 0; i < N; i++)
    {
      a[i] = 1.0 / (1 + next_random (&seed) % 1000);
      b[i] = (next_random (&seed) % 1000) / 7.0;
      c[i] = c[N + i - (i > 0)] = a[i] * 3.7 - b[i] * 0.3;
      d[i] = -a[i] * b[i];
      rows[i % 4][i % 1000] = d[i] / 3;
    }
}

int
main (void)
{
  end ("nothing");
  two_products (N, a, b, c);
  end ("two_products");
  shared_product (N, a, b, c);
  end ("shared_product");
  far_stores (1000, a, b, rows);
  print_bits ("rows", rows, sizeof rows);
  end ("far_stores");
  behind_zeroes (N, c, b);
  end ("behind_zeroes");
  fixed_factors (N, a, c);
  end ("fixed_factors");
  kept_factors (4, d, rows);
  print_bits ("rows", rows, sizeof rows);
  end ("kept_factors");
  stored_product (N, a, b, c, d);
  end ("stored_product");
  side_by_side (N - 1, a, b, c);
  end ("side_by_side");
  shifted_twins (N, a, b, c);
  end ("shifted_twins");
  apart (N, a, b, c);
  end ("apart");
  apart_inlined (N, a, b, c);
  end ("apart_inlined");
  two_blocks (N, a, b, c);
  end ("two_blocks");
  both_branches (N, a, b, c);
  end ("both_branches");
  early_loads (c, a, b);
  end ("early_loads");
  integers[0] = count (N, a, b, c);
  end ("count");
  few_turns (N, a, b, tables);
  print_bits ("tables", tables, sizeof tables);
  end ("few_turns");
  twin_behind (N, b, c, d);
  end ("twin_behind");
  product_behind (N, a, b, c);
  end ("product_behind");
  c[0] = table_of_constants (N / 24, squares);
  end ("table_of_constants");
  absolute_value (N, a, b, c);
  end ("absolute_value");
  c[0] = absolute_behind (a[1], b[1], d, integers);
  end ("absolute_behind");
  escape (200, 200, 100, 0.007, steps);
  print_bits ("steps", steps, sizeof steps);
  escape_by_table (N, 20, 0.0001, b, integers);
  print_bits ("integers", integers, sizeof integers);
  escape_by_count (N, 100, 0.0001, c);
  end ("escape");
  sum_of_roots (N / 61, 61, a, b, c);
  end ("sum_of_roots");
  from_numbers (c, a);
  end ("from_numbers");
  from_table (c, a);
  end ("from_table");
  whole_numbers (sums);
  print_bits ("sums", sums, sizeof sums);
  large_numbers (floats);
  print_bits ("floats", floats, sizeof floats);
  return 0;
}
