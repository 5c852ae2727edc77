/* SPDX-License-Identifier: MIT */
//! opts: -O3 -mfma -fplugin-arg-paragon-kir
//! scan: report 1 "function":"fused".*"outlined":true.*"kernel":"lifted"
//! scan: report 1 "function":"in_order","depth":1,.*"outlined":true.*"kernel":"contraction"
//! scan: report 1 "function":"in_turn","depth":1,.*"outlined":true.*"kernel":"lifted"
//! scan: report 1 "function":"apart".*"outlined":true.*"kernel":"lifted"
/* Kernels fuse the products that the original does, in all copies of it.  Of sums in order, in vectors, only those of
   the last iterations are.  */
void
fused (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] += a[i] * b[i];
}

void
apart (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i];
}

void
in_order (int n, int m, const double *a, const double *b, double *c)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0; j < m; j++)
	sum += a[i * m + j] * b[j];
      c[i] = sum;
    }
}

__attribute__ ((optimize ("no-tree-vectorize"))) void
in_turn (int n, int m, const double *a, const double *b, double *c)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0; j < m; j++)
	sum += a[i * m + j] * b[j];
      c[i] = sum;
    }
}
