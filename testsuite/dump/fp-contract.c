/* SPDX-License-Identifier: MIT */
//! opts: -O3 -mfma
//! scan: report 1 "function":"two_products".*"outlined":true
//! scan: report 1 "function":"shared_product".*"outlined":true
//! scan: report 1 "function":"far_stores".*"outlined":true
//! scan: report 1 "function":"behind_zeroes".*"outlined":true
//! scan: report 2 "function":"escape","depth":[12],.*"outlined":true
//! scan: report 1 "function":"sum_of_roots","depth":1,.*"outlined":true
//! scan: report 1 "function":"escape_by_table","depth":1,.*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"escape_by_count","depth":1,.*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"fixed_factors".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"kept_factors","depth":1,.*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"stored_product".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"side_by_side".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"shifted_twins".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"twin_behind".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"product_behind".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"apart".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"apart_inlined".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"two_blocks".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"both_branches".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"early_loads".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"count".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"table_of_constants","depth":1,.*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"absolute_value".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"absolute_behind".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"from_numbers".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"whole_numbers","depth":1,.*"outlined":true
//! scan: report 1 "function":"large_numbers","depth":1,.*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"from_table".*"reason":"fp-contract".*"outlined":false
//! scan: report 1 "function":"few_turns".*"depth":1,.*"reason":"fp-contract".*"outlined":false
/* Which product is fused with a sum follows from the order of products where nothing can change it; it must not depend
   on what is known of pointers, on vectors of neighbours, on iterations run side by side.  */

void
two_products (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i] + b[i] * b[i] - a[i] * c[i];
}

void
shared_product (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = (a[i + 1] - 2.5 * a[i]) * (b[i] - 2.5 * a[i]);
}

void
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
void
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
void
fixed_factors (int n, const double *a, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] -= a[0] * a[1];
}

/* The same for the inner loop, which loads what is stored before it each time but the first.  */
void
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
void
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

void
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
void
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
void
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

void
apart_inlined (int n, double *a, double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    apart_inside (a, b, c, i);
}

/* A product whose sums are in two blocks.  */
void
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
void
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
void
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
int
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

void
few_turns (int n, const double *a, const double *b, double (*c)[12])
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < 12; j++)
      c[i][j] = 0.3 * a[j] + 0.7 * b[j];
}

/* An iteration's second product is the first one of the iteration before.  */
void
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
void
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
double
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
void
absolute_value (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = 2.0 + __builtin_fabs (a[i] * b[i]);
}

/* The sum is on the loop's other side.  */
double
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
void
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
void
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
void
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
void
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
void
from_numbers (double *restrict c, const double *restrict a)
{
  int i;

  for (i = 0; i < 30003; i++)
    c[i] = a[i] - i * 0.1;
}

void
from_table (double *restrict c, const double *restrict a)
{
  static const double table[] = { 0.1, 0.3, 0.7 };
  int i;

  for (i = 0; i < 30003; i++)
    c[i] = a[i] - table[i % 3] * table[1];
}

/* Fused or not, products of whole numbers are exact, as long as they have no more bits than a float.  */
void
whole_numbers (double (*c)[1200])
{
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1200; j++)
      c[i][j] = ((double) i * (j - 3) + 0.3) / 7 - (double) i * i;
}

void
large_numbers (float *c)
{
  for (int j = 0; j < 30003; j++)
    c[j] = (float) j * (j - 3) + 0.3f;
}
