/* SPDX-License-Identifier: MIT */
//! opts: -O3 -mfma
//! scan: report 3 "depth":1,.*"class":"possibly parallel".*"outlined":true
//! scan: report 1 "function":"shared","depth":1,.*"class":"sequential","reason":"fp-contract".*"outlined":false
/* GCC does not vectorise a loop that loads what it counts to.  Where what is fused depends on that, F, which counts,
   may have other bits.  */

struct matrix
{
  long rows, cols;
  long *weights;
  double *data;
};

/* Nothing is fused, or each product with the sum that it stands in.  */
void
apart (long *a, const long *n)
{
  for (long i = 0; i < *n; i++)
    a[i] = a[i] * 3 + i;
}

void
in_one (long *a, double *b, const long *n, double x, double y)
{
  for (long i = 0; i < *n; i++)
    {
      b[i] = x * i + y;
      a[i] = 1;
    }
}

/* An inner loop's sums are made in order by itself.  */
void
in_order (long *a, double *b, const double *c, const long *n, long m)
{
  for (long i = 0; i < *n; i++)
    {
      double sum = 0;
      for (long j = 0; j < m; j++)
	sum += c[i * m + j] * c[j];
      b[i] = sum;
      a[i] = 1;
    }
}

/* A product is the same for all iterations of a loop inside.  */
void
shared (long *a, double *b, const double *c, const long *n, long m, double x)
{
  for (long i = 0; i < *n; i++)
    {
      for (long j = 0; j < m; j++)
	b[i * m + j] = c[i] * x + c[j];
      a[i] = 1;
    }
}
